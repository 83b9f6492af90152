/** The names of tournaments' formats. */

import { texts } from "./texts.js";

const say = texts("arena", "page");

const KNOWN = /** @type {const} */ (["round-robin", "gauntlet", "swiss", "league", "ladder"]);

/** The name of a format; one that the page does not know is shown as it is. @param {string} name */
export function formatName(name) {
  const known = KNOWN.find((format) => format === name);
  return known ? say(known) : name;
}
