// @ts-check
/** What Skirmish's screen says. */

import { dictionary } from "/static/shell/texts.js";

export const say = dictionary({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });

/** @param {number} chance */
export const percent = (chance) => {
  const rounded = Math.round(100 * chance);
  if (chance > 0 && rounded === 0) return "< 1 %";
  return chance < 1 && rounded === 100 ? "> 99 %" : `${rounded} %`;
};
