// @ts-check
/** Stones in a row. */

import { svg } from "/static/vendor/lit-html/lit-html.js";

/** @param {number} count */
export function stones(count) {
  return Array.from(
    { length: count },
    (_, index) => svg`<circle class="stone fill-p1" cx=${15 + 20 * index} cy="15" r="8" />`,
  );
}
