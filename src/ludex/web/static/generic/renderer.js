/** The board of a game that ships no renderer: its scene, or the picture of a terminal and a list of the legal moves. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { words } from "./board.js";
import { signed } from "./overlay.js";
import { board, help, isScene, key, panels } from "./scene.js";
import { texts } from "../shell/texts.js";

/** @type {Renderer} */
export default {
  board: (ctx) => (isScene(ctx.scene) ? board(ctx) : listBoard(ctx)),
  panels: (ctx) => (isScene(ctx.scene) ? panels(ctx) : nothing),
  key: (event, ctx) => isScene(ctx.scene) && key(event, ctx),
  help: (match) => (isScene(match.scene) ? help(match.scene) : []),
  sides: (match) => (isScene(match.scene) ? (match.scene.players ?? []).map(words) : []),
  reason: (reason, match) =>
    isScene(match.scene) && match.scene.reasons?.[reason] !== undefined ? words(match.scene.reasons[reason]) : reason,
};

const say = texts("generic", "board");

/** @param {Context} ctx */
function listBoard(ctx) {
  return html`<div class="board generic">
    <pre role="img" aria-label=${ctx.match.picture}>${ctx.match.picture}</pre>
    ${ctx.mayMove && ctx.moves ? moves(ctx, ctx.moves) : html`<p class="muted">${say("none")}</p>`}
  </div>`;
}

/** @param {Context} ctx @param {LegalMove[]} legal */
function moves(ctx, legal) {
  const filter = String(ctx.ui.filter ?? "");
  const worth = new Map(
    ctx.overlay === "candidates" || ctx.overlay === "heat"
      ? ctx.analysis?.candidates.map((candidate) => [candidate.action, candidate.score])
      : [],
  );
  return html`
    <h2>${say("moves")} <span class="muted">${legal.length}</span></h2>
    ${
      legal.length > 24
        ? html`<input type="search" placeholder=${say("filter")} aria-label=${say("filter")} .value=${filter} @input=${(
            /** @type {Event} */ event,
          ) => {
            ctx.ui.filter = /** @type {HTMLInputElement} */ (event.target).value;
            ctx.redraw();
          }} />`
        : nothing
    }
    <div class="generic-moves">
      ${legal
        .filter((move) => move.text.includes(filter))
        .map((move) => {
          const score = worth.get(move.action);
          const selected =
            ctx.drawn?.some(({ text }) => text === move.text) ||
            (ctx.selected !== null && ctx.analysis?.candidates[ctx.selected]?.action === move.action);
          return html`<button class=${selected ? "primary" : ""}
            @click=${() => ctx.play(move.text)}>${move.text}${
              score === undefined || score === null
                ? nothing
                : html`
                  <small>${signed(score)}</small>`
            }</button>`;
        })}
    </div>
  `;
}
