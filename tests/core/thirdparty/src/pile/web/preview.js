// @ts-check
/** A pile that shrinks, for the home page. */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { stones } from "./stones.js";

/** @type {import("/static/types/renderer.js").Preview} */
export default function preview(tick) {
  return html`<svg viewBox="0 0 160 120">${stones(7 - (tick % 7))}</svg>`;
}
