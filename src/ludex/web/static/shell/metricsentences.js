// @ts-check
/** What the metrics of training runs say, in a sentence each. */

import { glossary } from "./glossary.js";

const explained = glossary({ en: () => import("./metricsentences.en.js"), fr: () => import("./metricsentences.fr.js") });

/** A metric in a sentence; empty for one without an explanation. @param {string} name */
export const metricSentence = (name) => explained(name) ?? "";
