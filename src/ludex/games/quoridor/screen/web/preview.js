/** A moment of Quoridor for the home page: both walk, and walls lengthen their ways. */

import { PAWN } from "./pawn.js";
import { html, svg } from "/static/vendor/lit-html/lit-html.js";

const SIZE = 5;
const START = [
  [2, 0],
  [2, 4],
];
/** Turns of both by turns: a step to a square, or a wall along a row or a column. @type {["to" | "h" | "v", number, number][]} */
const TURNS = [
  ["to", 2, 1],
  ["to", 2, 3],
  ["h", 1, 2],
  ["h", 2, 1],
  ["to", 1, 1],
  ["to", 3, 3],
  ["to", 1, 2],
  ["v", 0, 2],
  ["v", 2, 2],
];
const STEP = 20.5;

/** @type {Preview} */
export default function preview(tick) {
  const turns = TURNS.slice(0, (tick + 6) % (TURNS.length + 1)).map(([kind, col, row], turn) => ({
    kind,
    col,
    row,
    player: turn % 2,
  }));
  const pawns = START.map(
    ([col = 0, row = 0], player) =>
      turns.findLast((turn) => turn.kind === "to" && turn.player === player) ?? { col, row },
  );
  const squares = Array.from({ length: SIZE * SIZE }, (_, index) => [index % SIZE, Math.floor(index / SIZE)]);
  return html`<svg viewBox="0 0 160 120">
    ${svg`<g transform="translate(30.5 10.5)">
      ${squares.map(
        ([col = 0, row = 0]) => svg`<rect class="fill-cell" x=${col * STEP} y=${row * STEP} width="16.5"
          height="16.5" rx="2.5" />`,
      )}
      ${turns
        .filter(({ kind }) => kind !== "to")
        .map(({ kind, col, row, player }) => {
          const [x, y] = [col * STEP, (SIZE - 2 - row) * STEP];
          const [left, top, width, height] = kind === "h" ? [x, y + 16.75, 37, 3.5] : [x + 16.75, y, 3.5, 37];
          return svg`<rect class=${`fill-p${player + 1}`} x=${left} y=${top} width=${width} height=${height} rx="1.5" />`;
        })}
      ${pawns.map(
        ({ col, row }, player) => svg`<path class=${`fill-p${player + 1}`} d=${PAWN}
          transform="translate(${col * STEP + 8.25} ${(SIZE - 1 - row) * STEP + 8.25}) scale(.42)" />`,
      )}
    </g>`}
  </svg>`;
}
