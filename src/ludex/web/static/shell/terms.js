/** Words that explain themselves: a text marks them as `[label|name]`, by the name of a term of the rules. */

import { html } from "../vendor/lit-html/lit-html.js";

const TERM = /\[([^|\]]+)\|(\w+)\]/g;

/** A text without its marks. @param {string} text */
export const plain = (text) => text.replace(TERM, "$1");

/** A text whose marked words show what they mean. @param {Context} ctx @param {string} text */
export function termed(ctx, text) {
  // What is between two marks, a label, its name, and so on.
  const parts = text.split(TERM);
  return parts.map((part, place) => {
    if (place % 3 !== 1) return place % 3 ? "" : part;
    const show = (/** @type {Event} */ event) =>
      import("./tip.js").then(({ tip }) => tip(event, ctx.match, parts[place + 1] ?? ""));
    return html`<button type="button" class="term" @click=${show} @pointerenter=${show} @focus=${show}>${part}</button>`;
  });
}
