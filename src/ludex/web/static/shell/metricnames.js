// @ts-check
/** What people call the metrics that training runs log, and the opponents of their evaluations. */

import english from "./metricnames.en.js";
import { dictionary } from "./texts.js";

const say = dictionary({ en: async () => ({ default: english }), fr: () => import("./metricnames.fr.js") });

/** A metric in words; one that nobody has named keeps its name. @param {string} name */
export function metricName(name) {
  return name in english ? say(/** @type {keyof typeof english} */ (name)) : name;
}

/** A line's name, with what distinguishes it from others in words, such as an opponent. @param {string} name */
export function lineName(name) {
  return name
    .split(" · ")
    .map((part) => (part.replaceAll(" ", "_") in english ? metricName(part.replaceAll(" ", "_")) : part))
    .join(" · ");
}
