// @ts-check
/** The board of a game without a scene: the picture a terminal would show, and every legal move as a button. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "../shell/texts.js";

/** @typedef {import("../types/renderer.js").Context} Context */

const say = texts("generic", "board");

/** @param {Context} ctx */
export function board(ctx) {
  return html`<div class="board generic">
    <pre role="img" aria-label=${ctx.match.picture}>${ctx.match.picture}</pre>
    ${ctx.mayMove && ctx.moves ? moves(ctx, ctx.moves) : html`<p class="muted">${say("none")}</p>`}
  </div>`;
}

/** @param {Context} ctx @param {import("../types/renderer.js").LegalMove[]} legal */
function moves(ctx, legal) {
  const wanted = String(ctx.ui.filter ?? "");
  const worth = new Map(
    ctx.overlay === "candidates" || ctx.overlay === "heat"
      ? ctx.analysis?.candidates.map((candidate) => [candidate.action, candidate.score])
      : [],
  );
  return html`
    <h2>${say("moves")} <span class="muted">${legal.length}</span></h2>
    ${
      legal.length > 24
        ? html`<input type="search" placeholder=${say("filter")} aria-label=${say("filter")} .value=${wanted} @input=${(
            /** @type {Event} */ event,
          ) => {
            ctx.ui.filter = /** @type {HTMLInputElement} */ (event.target).value;
            ctx.redraw();
          }} />`
        : nothing
    }
    <div class="generic-moves">
      ${legal
        .filter((move) => move.text.includes(wanted))
        .map((move) => {
          const score = worth.get(move.action);
          const selected = ctx.selected !== null && ctx.analysis?.candidates[ctx.selected]?.action === move.action;
          return html`<button class=${selected ? "primary" : ""}
            @click=${() => ctx.play(move.text)}>${move.text}${
              score === undefined || score === null
                ? nothing
                : html`
                  <small>${score.toFixed(2)}</small>`
            }</button>`;
        })}
    </div>
  `;
}
