/** The moves of a match, each a way to its position, and the four steps through them. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("match", "page");

/** @param {OpenMatch} page */
export function moveList(page) {
  const { match } = page;
  const { ply } = page.shown;
  const look = (/** @type {number} */ to) => page.look(to);
  return html`<section class="panel moves" aria-labelledby="moves-title">
    <div class="heading"><h2 id="moves-title">${say("moves")}</h2>
      <div class="steps">${steps(ply, match.plies, look)}</div></div>
    ${match.moves.length ? plies(match, ply, look) : html`<p class="muted">${say("no_moves")}</p>`}
  </section>`;
}

/** The four steps through a match. @param {number} at the ply shown @param {number} last @param {(ply: number) => unknown} look */
export function steps(at, last, look) {
  const step = (
    /** @type {"first" | "previous" | "next" | "last"} */ name,
    /** @type {number} */ to,
    /** @type {number} */ end,
  ) =>
    html`<button class="quiet step" ?disabled=${at === end} title=${say(name)} aria-label=${say(name)}
      @click=${() => look(to)}>${icon(name)}</button>`;
  return [step("first", 0, 0), step("previous", at - 1, 0), step("next", at + 1, last), step("last", last, last)];
}

/**
 * Every move as a button that leads to its position.
 * @param {MatchView} match @param {number} at the ply shown @param {(ply: number) => unknown} look
 * @param {(ply: number) => { kind?: string, title?: string, sign?: string }} [remark] what is said of the move before a ply
 */
export function plies({ moves, seats }, at, look, remark = () => ({})) {
  // Words need a line each; notation stands side by side.
  const worded = moves.some((move) => move.words);
  const pairs = seats.length === 2 && !worded;
  const button = (/** @type {PlayedMove} */ move, /** @type {number} */ ply) => {
    const { kind = "", title = move.words ? move.text : undefined, sign } = remark(ply);
    return html`<button class="ply ${kind}" aria-current=${ply === at ? "step" : nothing} title=${title ?? nothing}
      @click=${() => look(ply)}>${moveText(move)}${sign ? html`<span class="review-sign" aria-hidden="true"> ${sign}</span>` : nothing}</button>`;
  };
  return html`<ol class="plies ${pairs ? "pairs" : worded ? "worded" : ""}" tabindex="0" aria-label=${say("moves")}>
    ${turns(moves, pairs).map(
      ({ player, begin, end }) => html`<li class="player-${player}"><span class="number">${begin + 1}.</span>
        <span class="turn">${moves.slice(begin, end).map((move, index) => button(move, begin + index + 1))}</span></li>`,
    )}</ol>`;
}

/** A move as people read it. @param {{ text: string, words?: Schemas["PlayedMove"]["words"] }} move */
export function moveText(move) {
  return move.words?.[preferences.language] ?? move.text;
}

/**
 * The entries of the list: in pairs, all plies that a player made in a row, such as a move and its capture; else every
 * ply is one.
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
