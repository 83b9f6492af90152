// @ts-check
/** The moves of a match, each a way to its position, and the four steps through them. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { say } from "./matchtexts.js";

/** @typedef {import("./match.js").default} MatchPage */

/** @param {MatchPage} page */
export function moveList(page) {
  const match = /** @type {import("../types/renderer.js").MatchView} */ (page.match);
  const ply = page.shown.ply;
  const pairs = match.seats.length === 2;
  return html`<section class="panel moves" aria-labelledby="moves-title">
    <div class="heading">
      <h2 id="moves-title">${say("moves")}</h2>
      <div class="steps">
        ${step("first", say("first"), ply === 0, () => page.look(0))}
        ${step("previous", say("previous"), ply === 0, () => page.look(ply - 1))}
        ${step("next", say("next"), ply === match.plies, () => page.look(ply + 1))}
        ${step("last", say("last"), ply === match.plies, () => page.look(match.plies))}
      </div>
    </div>
    ${match.moves.length
      ? html`<ol class="plies ${pairs ? "pairs" : ""}" tabindex="0" aria-label=${say("moves")}>
          ${match.moves.map(
            (move, index) => html`<li class="player-${move.player}">
              ${!pairs || index % 2 === 0 ? html`<span class="number">${pairs ? index / 2 + 1 : index + 1}.</span>` : nothing}
              <button class="ply" aria-current=${ply === index + 1 ? "step" : nothing} @click=${() => page.look(index + 1)}>${move.text}</button>
            </li>`,
          )}
        </ol>`
      : html`<p class="muted">${say("no_moves")}</p>`}
  </section>`;
}

/** @param {"first" | "previous" | "next" | "last"} name @param {string} label @param {boolean} end @param {() => void} go */
function step(name, label, end, go) {
  return html`<button class="quiet step" ?disabled=${end} title=${label} aria-label=${label} @click=${go}>${icon(name)}</button>`;
}
