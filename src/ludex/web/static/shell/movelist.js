/** The moves of a match, each a way to its position, and the four steps through them. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("match", "page");

/** @param {OpenMatch} page */
export function moveList(page) {
  const { match } = page;
  const ply = page.shown.ply;
  // Words need a line each; notation stands side by side.
  const worded = match.moves.some((move) => move.words);
  const pairs = match.seats.length === 2 && !worded;
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
    ${
      match.moves.length
        ? html`<ol class="plies ${pairs ? "pairs" : worded ? "worded" : ""}" tabindex="0" aria-label=${say("moves")}>
          ${turns(match.moves, pairs).map(
            (turn) => html`<li class="player-${turn.player}">
              <span class="number">${turn.begin + 1}.</span>
              <span class="turn">${match.moves.slice(turn.begin, turn.end).map(
                (
                  move,
                  index,
                ) => html`<button class="ply" aria-current=${ply === turn.begin + index + 1 ? "step" : nothing}
                  title=${move.words ? move.text : nothing}
                  @click=${() => page.look(turn.begin + index + 1)}>${moveText(move)}</button>`,
              )}</span>
            </li>`,
          )}
        </ol>`
        : html`<p class="muted">${say("no_moves")}</p>`
    }
  </section>`;
}

/** A move as people read it. @param {{ text: string, words?: Schemas["PlayedMove"]["words"] }} move */
export function moveText(move) {
  return move.words?.[preferences.language] ?? move.text;
}

/**
 * The entries of the list. In pairs a row has one per player, with all plies that the player made in a row, such as a
 * move and its capture; else every ply is one. Each has the number of its first ply.
 * @param {PlayedMove[]} moves @param {boolean} pairs
 */
function turns(moves, pairs) {
  /** @type {{ player: number, begin: number, end: number }[]} */
  const entries = [];
  moves.forEach(({ player }, ply) => {
    const last = entries.at(-1);
    if (pairs && last?.player === player) last.end = ply + 1;
    else entries.push({ player, begin: ply, end: ply + 1 });
  });
  return entries;
}

/** Scroll the list, and nothing else, to the move of the position shown. */
export function followMoves() {
  const list = document.querySelector(".plies");
  const move = list?.querySelector('[aria-current="step"]');
  if (!list || !move) return;
  const [all, one] = [list.getBoundingClientRect(), move.getBoundingClientRect()];
  if (one.top < all.top) list.scrollTop -= all.top - one.top;
  if (one.bottom > all.bottom) list.scrollTop += one.bottom - all.bottom;
}

/** @param {"first" | "previous" | "next" | "last"} name @param {string} label @param {boolean} end @param {() => void} go */
function step(name, label, end, go) {
  return html`<button class="quiet step" ?disabled=${end} title=${label} aria-label=${label} @click=${go}>${icon(name)}</button>`;
}
