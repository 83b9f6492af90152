// @ts-check
/** What the pages of tournaments and the leaderboard say. */

import { dictionary } from "./texts.js";

export const say = dictionary({ en: () => import("./arenatexts.en.js"), fr: () => import("./arenatexts.fr.js") });

/** The names of formats the pages know; another is shown as it is. @param {string} name */
export function formatName(name) {
  return name === "round-robin" || name === "gauntlet" || name === "swiss" || name === "league" ? say(name) : name;
}
