/** The names of tournaments' formats. */

import { texts } from "./texts.js";

const say = texts("arena", "page");

/** The name of a format; one that the page does not know is shown as it is. @param {string} name */
export function formatName(name) {
  return name === "round-robin" || name === "gauntlet" || name === "swiss" || name === "league" ? say(name) : name;
}
