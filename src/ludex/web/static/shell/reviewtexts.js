// @ts-check
/** The texts of the page of a review, and how it writes shares. */

import { dictionary } from "./texts.js";

export const say = dictionary({ en: () => import("./review.en.js"), fr: () => import("./review.fr.js") });

/** A share as people read it. @param {number} share */
export const percent = (share) => String(Math.round(100 * share));
