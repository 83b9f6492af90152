/** What people call the metrics that training runs log and the opponents of their evaluations, and what each says. */

import { lookUp } from "./texts.js";

const nameOf = lookUp("metrics", "names");
const sentenceOf = lookUp("metrics", "sentences");

/** A metric in words; one without a text keeps its name. @param {string} name */
export const metricName = (name) => nameOf(name) ?? name;

/** A metric in a sentence; empty for one without an explanation. @param {string} name */
export const metricSentence = (name) => sentenceOf(name) ?? "";

/** A line's name, with what distinguishes it from others in words, such as an opponent. @param {string} name */
export function lineName(name) {
  return name
    .split(" · ")
    .map((part) => nameOf(part.replaceAll(" ", "_")) ?? part)
    .join(" · ");
}
