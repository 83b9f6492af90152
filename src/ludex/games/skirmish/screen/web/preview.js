/** A skirmish for an objective, for the home page. */

import { DRAWINGS } from "./drawings.js";
import { html, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

const SIZE = 11;
const COLS = 9;
const ROWS = 5;
const WALLS = new Set(["4.0", "4.3", "2.2", "6.1"]);
const GOAL = [4, 2];
/** By unit its player, its sign and the hexes it goes through, as columns and rows; a dash where it is no more. */
const UNITS = [
  { player: 1, sign: "LG", way: "01 21 31 31 31 31" },
  { player: 1, sign: "MA", way: "03 12 32 32 42 42" },
  { player: 2, sign: "RV", way: "81 81 71 51 51 --" },
  { player: 2, sign: "HA", way: "83 72 62 62 62 63" },
];
const STEPS = 6;

/** @param {number} col @param {number} row */
const at = (col, row) => ({ x: SIZE * (1.5 * col + 1), y: SIZE * Math.sqrt(3) * (row + 0.5 + 0.5 * (col % 2)) });

const CORNERS = Array.from({ length: 6 }, (_, corner) => {
  const angle = (corner * Math.PI) / 3;
  return `${(SIZE * 0.94 * Math.cos(angle)).toFixed(2)},${(SIZE * 0.94 * Math.sin(angle)).toFixed(2)}`;
}).join(" ");

/** What draws a position in its place. */
export const thumbnail = () => import("./thumbnail.js");

/** @type {Preview} */
export default function preview(tick) {
  const step = (tick + 3) % (STEPS + 2);
  const now = Math.min(step, STEPS - 1);
  const hexes = Array.from({ length: COLS }, (_, col) =>
    Array.from({ length: ROWS - (col % 2) }, (_, row) => ({ col, row })),
  ).flat();
  return html`<svg viewBox="0 0 160 120">
    ${svg`<g transform="translate(2.5 12)">
      ${hexes.map(({ col, row }) => {
        const { x, y } = at(col, row);
        const goal = col === GOAL[0] && row === GOAL[1];
        const kind = WALLS.has(`${col}.${row}`) ? "fill-muted" : goal ? "fill-warn" : "fill-cell";
        return svg`<polygon class=${kind} points=${CORNERS} transform="translate(${x} ${y})" opacity=${goal ? 0.65 : 1} />`;
      })}
      ${UNITS.map(({ player, sign, way }) => {
        const [col = "-", row] = way.split(" ")[now] ?? "";
        if (col === "-") return nothing;
        const { x, y } = at(Number(col), Number(row));
        const shape =
          player === 1
            ? svg`<circle class="fill-p1" r="8"/>`
            : svg`<rect class="fill-p2" x="-6.6" y="-6.6" width="13.2" height="13.2" rx="2" transform="rotate(45)"/>`;
        return svg`<g transform="translate(${x} ${y})">${shape}<path class="fill-surface" d=${DRAWINGS[sign]}
          transform="scale(0.62)" /></g>`;
      })}
    </g>`}
  </svg>`;
}
