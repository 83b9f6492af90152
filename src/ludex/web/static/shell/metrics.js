/** What people call the metrics that training runs log and the opponents of their evaluations, and what each says. */

import { figure } from "./figures.js";
import { preferences } from "./preferences.js";
import { lookUp, numeral, texts } from "./texts.js";

const nameOf = lookUp("metrics", "names");
const sentenceOf = lookUp("metrics", "sentences");
const amountOf = texts("metrics", "amounts");
const storyOf = texts("metrics", "stories");
/** The metrics with a sentence of their own, and those that are shares. */
const TOLD = new Set(["losing_lines", "win_rate", "rating", "held_out_loss"]);
const SHARES = new Set(["win_rate"]);

/** A metric in words; one without a text keeps its name. @param {string} name */
export const metricName = (name) => nameOf(name) ?? name;

/** A metric in a sentence; empty for one without an explanation. @param {string} name */
export const metricSentence = (name) => sentenceOf(name) ?? "";

/**
 * How a metric has changed, in a sentence.
 * @param {string} metric @param {string} axis @param {import("./lines.js").Line} line
 */
export function story(metric, axis, { x, y }) {
  const write = (/** @type {number} */ value) =>
    SHARES.has(metric)
      ? numeral(value, { style: "percent", maximumFractionDigits: 0 })
      : figure(value, Number.isInteger(value) || Math.abs(value) >= 10 ? 0 : 2);
  const count = x.at(-1) ?? 0;
  const amount = amountOf(/** @type {"games"} */ (axis || "rows"), { count, number: figure(count) });
  const [first, last] = [y[0] ?? 0, y.at(-1) ?? 0].map(write);
  const key = /** @type {"other"} */ (TOLD.has(metric) ? metric : "other");
  return storyOf(key, { amount, metric: metricName(metric), first: first ?? "", last: last ?? "" });
}

/**
 * A line's name, with what distinguishes it from others in words, such as an opponent.
 * @param {string} name @param {Schemas["RunDetail"]["agents"]} [agents]
 */
export function lineName(name, agents = {}) {
  return name
    .split(" · ")
    .map((part) => nameOf(part.replaceAll(" ", "_")) ?? agents[part]?.[preferences.language] ?? part)
    .join(" · ");
}
