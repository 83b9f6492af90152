// @ts-check
/** What people call the metrics that training runs log, and the opponents of their evaluations. */

import { glossary } from "./glossary.js";

const named = glossary({ en: () => import("./metricnames.en.js"), fr: () => import("./metricnames.fr.js") });

/** A metric in words; one that nobody has named keeps its name. @param {string} name */
export const metricName = (name) => named(name) ?? name;

/** A line's name, with what distinguishes it from others in words, such as an opponent. @param {string} name */
export function lineName(name) {
  return name.split(" · ").map((part) => named(part.replaceAll(" ", "_")) ?? part).join(" · ");
}
