/** What people call the metrics that training runs log and the opponents of their evaluations, and what each says. */

import { figure } from "./figures.js";
import { axisOf, linesOf } from "./lines.js";
import { preferences } from "./preferences.js";
import { lookUp, numeral, texts } from "./texts.js";

const nameOf = lookUp("metrics", "names");
const sentenceOf = lookUp("metrics", "sentences");
const amountOf = texts("metrics", "amounts");
const storyOf = texts("metrics", "stories");
/** The metrics with a sentence of their own, and those that are shares. */
const WITH_SENTENCE = new Set(["losing_lines", "win_rate", "rating", "held_out_loss", "loss", "policy_loss"]);
const SHARES = new Set(["win_rate"]);

/** A metric in words; one without a text keeps its name. @param {string} name */
export const metricName = (name) => nameOf(name) ?? name;

/** A metric in a sentence; empty for one without an explanation. @param {string} name */
export const metricSentence = (name) => sentenceOf(name) ?? "";

/**
 * How a run's headline metric has changed, in a sentence, or while it has no curve the one that is drawn; of several
 * opponents, against the one against whom most was gained.
 * @param {import("./runcurves.js").Known} known @param {string} drawn @returns {{ text: string, share: boolean }[]}
 */
export function stories({ detail, rows }, drawn) {
  const logged = rows.filter((row) => typeof row[detail.headline ?? ""] === "number").length;
  const metric = (logged > 1 && detail.headline) || (WITH_SENTENCE.has(drawn) ? drawn : "");
  const axis = axisOf([{ name: "", rows }], metric);
  const lines = linesOf({ name: "", rows }, metric, axis);
  // Other metrics of several lines have no first and last value in common.
  if (lines.length > 1 && !SHARES.has(metric)) return [];
  return lines
    .filter(({ x }) => x.length > 1)
    .map((line) => ({
      text: story(metric, axis, line, lineName(line.name, detail.agents)),
      share: SHARES.has(metric),
      gain: (line.y.at(-1) ?? 0) - (line.y[0] ?? 0),
    }))
    .sort((left, right) => right.gain - left.gain)
    .slice(0, 1);
}

/** @param {string} metric @param {string} axis @param {import("./lines.js").Line} line @param {string} opponent */
function story(metric, axis, { x, y }, opponent) {
  const write = (/** @type {number} */ value) =>
    SHARES.has(metric)
      ? numeral(value, { style: "percent", maximumFractionDigits: 0 })
      : figure(value, Number.isInteger(value) || Math.abs(value) >= 10 ? 0 : 2);
  const amountAt = (/** @type {number} */ count) =>
    amountOf(/** @type {"games"} */ (axis || "rows"), { count, number: figure(count) });
  const amount = amountAt(x.at(-1) ?? 0);
  const since = x[0] ? storyOf("since", { amount: amountAt(x[0]) }) : storyOf("start");
  const [first, last] = [y[0] ?? 0, y.at(-1) ?? 0].map(write);
  const named = metric === "win_rate" && opponent ? "win_rate_against" : metric;
  const key = /** @type {"other"} */ (WITH_SENTENCE.has(metric) ? named : "other");
  const values = { amount, since, opponent, metric: metricName(metric), first: first ?? "", last: last ?? "" };
  return storyOf(key, values);
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
