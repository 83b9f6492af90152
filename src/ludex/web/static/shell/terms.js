// @ts-check
/** Words of a game that explain themselves: a text marks them as `[label|name]`, where the name is that of a term of the rules. */

import { html } from "../vendor/lit-html/lit-html.js";

/** @typedef {import("../types/renderer.js").Context} Context */

const TERM = /\[([^|\]]+)\|(\w+)\]/;

/** A text without its marks. @param {string} text */
export const plain = (text) => text.replaceAll(new RegExp(TERM, "g"), "$1");

/** A text whose marked words show what they mean. @param {Context} ctx @param {string} text @returns {unknown[]} */
export function termed(ctx, text) {
  const [before = "", label, name, after] = text.split(TERM);
  if (label === undefined) return [before];
  const rest = text.slice(before.length + label.length + (name ?? "").length + 3);
  const show = (/** @type {Event} */ event) => import("./tip.js").then(({ tip }) => tip(event, ctx.match, name ?? ""));
  return [before, html`<button type="button" class="term" @click=${show} @pointerenter=${show} @focus=${show}>${label}</button>`, ...(after === undefined ? [] : termed(ctx, rest))];
}
