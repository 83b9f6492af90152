// @ts-check
/** A moment of Quoridor for the home page: both walk, and walls lengthen their ways. */

import { html, svg } from "/static/vendor/lit-html/lit-html.js";

const SIZE = 5;
/** @type {{ pawns: [number, number][], walls: [("h" | "v"), number, number, 1 | 2][] }[]} */
const FRAMES = [
  {
    pawns: [
      [2, 0],
      [2, 4],
    ],
    walls: [],
  },
  {
    pawns: [
      [2, 1],
      [2, 4],
    ],
    walls: [],
  },
  {
    pawns: [
      [2, 1],
      [2, 3],
    ],
    walls: [],
  },
  {
    pawns: [
      [2, 1],
      [2, 3],
    ],
    walls: [["h", 1, 2, 1]],
  },
  {
    pawns: [
      [2, 1],
      [2, 3],
    ],
    walls: [
      ["h", 1, 2, 1],
      ["h", 2, 1, 2],
    ],
  },
  {
    pawns: [
      [1, 1],
      [2, 3],
    ],
    walls: [
      ["h", 1, 2, 1],
      ["h", 2, 1, 2],
    ],
  },
  {
    pawns: [
      [1, 1],
      [3, 3],
    ],
    walls: [
      ["h", 1, 2, 1],
      ["h", 2, 1, 2],
    ],
  },
  {
    pawns: [
      [1, 2],
      [3, 3],
    ],
    walls: [
      ["h", 1, 2, 1],
      ["h", 2, 1, 2],
    ],
  },
  {
    pawns: [
      [1, 2],
      [3, 3],
    ],
    walls: [
      ["h", 1, 2, 1],
      ["h", 2, 1, 2],
      ["v", 0, 2, 2],
    ],
  },
  {
    pawns: [
      [1, 2],
      [3, 3],
    ],
    walls: [
      ["h", 1, 2, 1],
      ["h", 2, 1, 2],
      ["v", 0, 2, 2],
      ["v", 2, 2, 1],
    ],
  },
];
const STEP = 20.5;

/** @type {import("/static/types/renderer.js").Preview} */
export default function preview(tick) {
  const frame = FRAMES[(tick + 6) % FRAMES.length] ?? { pawns: [], walls: [] };
  const squares = Array.from({ length: SIZE * SIZE }, (_, index) => [index % SIZE, Math.floor(index / SIZE)]);
  return html`<svg viewBox="0 0 160 120">
    ${svg`<g transform="translate(30.5 10.5)">
      ${squares.map(
        ([col = 0, row = 0]) => svg`<rect class="fill-cell" x=${col * STEP} y=${row * STEP} width="16.5"
          height="16.5" rx="2.5" />`,
      )}
      ${frame.walls.map(([kind, col, row, player]) => {
        const [x, y] = [col * STEP, (SIZE - 2 - row) * STEP];
        return kind === "h"
          ? svg`<rect class=${`fill-p${player}`} x=${x} y=${y + 16.75} width="37" height="3.5" rx="1.5" />`
          : svg`<rect class=${`fill-p${player}`} x=${x + 16.75} y=${y} width="3.5" height="37" rx="1.5" />`;
      })}
      ${frame.pawns.map(
        ([col, row], player) => svg`<circle class=${`fill-p${player + 1}`} cx=${col * STEP + 8.25}
          cy=${(SIZE - 1 - row) * STEP + 8.25} r="6" />`,
      )}
    </g>`}
  </svg>`;
}
