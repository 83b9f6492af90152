/** The drawing and the label of one cell. */

import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";
import { numeral } from "/static/shell/texts.js";
import { say } from "./texts.js";

/** The side of a cell, and the margin for names of rows and columns. */
export const SIDE = 20;
export const GUTTER = 12;
/** The steps from a move's cell from which on all cells open at once. */
const RINGS = 9;

const FLAG = svg`<path class="flag-pole" d="M8 4.6v10.8M5.6 15.4h6.2"/><path class="flag" d="M8 4.4l6.4 3-6.4 3.2z"/>`;
const MINE = svg`<path class="mine-spikes" d="M10 3.6v12.8M3.6 10h12.8M5.5 5.5l9 9M14.5 5.5l-9 9"/>
  <circle class="mine" cx="10" cy="10" r="4.3"/><circle class="mine-light" cx="8.6" cy="8.6" r="1.2"/>`;
const START = svg`<path class="start" d="M7.5 5.5l7 4.5-7 4.5z"/>`;
const CROSS = svg`<path class="cross" d="M4.5 4.5l11 11M15.5 4.5l-11 11"/>`;
const NUMBERS = Array.from({ length: 9 }, (_, number) =>
  number ? svg`<text class="number n${number}" x="10" y="14.6">${number}</text>` : nothing,
);

/**
 * The marks over the cells, made once per drawing.
 *
 * @typedef {object} Marks
 * @property {Set<number>} mines where the mines were, once the game is over
 * @property {Set<number>} chords
 * @property {(number | null)[] | null} exact mine probabilities, where they are to be shown
 * @property {(number | null)[] | null} other a second opinion on them
 * @property {Map<number, string>} ranks of the candidates that are to be shown
 * @property {Map<number, DrawnMove["kind"]>} drawn moves that the page wants seen
 * @property {Set<number>} proof numbers that prove a move
 * @property {Set<number>} proven the cells that they prove
 * @property {boolean} provenMines whether they prove mines, not safe cells
 * @property {boolean} risky whether they prove nothing: the cells are those that the numbers bear on
 * @property {Map<number, number>} opened the cells that the last move has opened, and how many steps from its own they are
 * @property {boolean} over
 * @property {number} pending the cell of a move that the server has not taken yet, or -1
 */

/** @param {Context} ctx @param {number} cell @param {Marks} marks */
export function cellTemplate(ctx, cell, marks) {
  const { stage, scene, ui } = ctx;
  const number = scene.numbers[cell];
  const hidden = number < 0;
  const heat = hidden && !scene.flags[cell] ? (marks.exact?.[cell] ?? null) : null;
  const x = GUTTER + (cell % stage.cols) * SIDE;
  const y = GUTTER + Math.floor(cell / stage.cols) * SIDE;
  return svg`<g class=${classes(ctx, cell, marks, heat)} transform="translate(${x} ${y})" data-cell=${cell} role="gridcell"
    tabindex=${cell === ui.cursor ? 0 : -1} aria-label=${label(ctx, cell, marks, heat)}>
    <rect class="face" x=".5" y=".5" width="19" height="19" rx="3"/>${content(ctx, cell, marks, heat)}</g>`;
}

/** @param {Context} ctx @param {number} cell @param {Marks} marks @param {number | null} heat */
function classes({ scene, ui, marked }, cell, marks, heat) {
  const number = scene.numbers[cell];
  let names = number < 0 ? "cell hidden" : "cell open";
  if (cell === scene.exploded) names += " exploded";
  if (heat !== null) names += ` heat h${shade(heat)}`;
  if (marks.chords.has(cell)) names += " chord";
  if (marks.proof.has(cell) || marked?.includes(cell)) names += " proof";
  if (cell === marks.pending) names += " pending";
  if (marks.proven.has(cell)) names += ` proven${marks.provenMines ? " mined" : marks.risky ? " risky" : ""}`;
  if (marks.drawn.has(cell)) names += ` drawn-cell drawn-${marks.drawn.get(cell)}`;
  const ring = marks.opened.get(cell);
  if (ring !== undefined) names += ` opened ring-${Math.min(ring, RINGS)}`;
  if (cell === ui.refused) names += " refused";
  if (scene.mines && scene.flags[cell] && !marks.mines.has(cell)) names += " wrong";
  return names;
}

/** Certain cells have shades of their own. @param {number} probability */
const shade = (probability) =>
  probability <= 0 ? 0 : probability >= 1 ? 10 : Math.min(9, Math.max(1, Math.round(probability * 10)));

/** @param {Context} ctx @param {number} cell @param {Marks} marks @param {number | null} heat */
function content({ scene }, cell, marks, heat) {
  const number = scene.numbers[cell];
  if (number >= 0) return NUMBERS[number];
  const flagged = scene.flags[cell];
  if (marks.mines.has(cell)) return flagged ? FLAG : MINE;
  if (flagged) return marks.over && scene.mines ? svg`${FLAG}${CROSS}` : FLAG;
  const rank = marks.ranks.get(cell);
  if (heat === null || marks.drawn.has(cell))
    return rank !== undefined ? ranked(rank) : cell === scene.start ? START : nothing;
  // The start cell of an untouched board is safe, and keeps its mark.
  if (cell === scene.start)
    return svg`<g transform="translate(0 -3.4)">${START}</g>
    <text class="percent other" x="10" y="17.4">${short(heat)}</text>`;
  const other = marks.other?.[cell] ?? null;
  if (other === null) return svg`<text class="percent" x="10" y="12.8">${short(heat)}</text>`;
  return svg`<text class="percent" x="10" y="9.2">${short(heat)}</text>
    <text class="percent other" x="10" y="16.6">${short(other)}</text>`;
}

/** @param {string} rank */
const ranked = (rank) =>
  svg`<circle class="rank" cx="10" cy="10" r="6"/><text class="rank-number" x="10" y="12.6">${rank}</text>`;

/** @param {Context} ctx @param {number} cell @param {Marks} marks @param {number | null} heat */
function label({ stage, scene }, cell, marks, heat) {
  const name = stage.names[cell];
  const number = scene.numbers[cell];
  if (number > 0) return say(marks.chords.has(cell) ? "chordable" : "number", { name, number });
  if (number === 0) return say("empty", { name });
  if (cell === scene.exploded) return say("exploded", { name });
  if (scene.flags[cell]) return say(scene.mines && !marks.mines.has(cell) ? "wrong" : "flagged", { name });
  if (marks.mines.has(cell)) return say("mine", { name });
  const hidden = say(cell === scene.start ? "begin" : "hidden", { name });
  if (heat === null) return hidden;
  // What is spoken holds what is written, which is rounded.
  const label = heat > 0 && heat < 1 ? numeral(Number(short(heat)) / 100, { style: "percent" }) : percent(heat);
  return say("risk", { label: hidden, percent: label });
}

/** A probability in two characters, never rounded to 0 or 100 unless it is certain. @param {number} probability */
function short(probability) {
  if (probability <= 0) return "0";
  return probability >= 1 ? "!" : String(Math.min(99, Math.max(1, Math.round(100 * probability))));
}

/** @param {number} probability */
export function percent(probability) {
  const digits = probability > 0 && probability < 1 ? 1 : 0;
  const rounded = Math.min(probability < 1 ? 0.999 : 1, probability);
  return numeral(rounded, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}
