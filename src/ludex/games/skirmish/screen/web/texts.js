/** What Skirmish's screen says. */

import { textsOf } from "/static/shell/texts.js";

/** @type {import("/static/types/texts.js").Say<typeof import("./texts.en.json")>} */
export const say = textsOf("skirmish");

/** @param {number} chance */
export const percent = (chance) => {
  const rounded = Math.round(100 * chance);
  if (chance > 0 && rounded === 0) return "< 1 %";
  return chance < 1 && rounded === 100 ? "> 99 %" : `${rounded} %`;
};

/** One digit behind the point or comma. @param {number} value @param {Language} language */
export const decimal = (value, language) =>
  value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
