/** A game of tic-tac-toe for the home page. */

import { html, svg } from "/static/vendor/lit-html/lit-html.js";

const MOVES = [4, 0, 2, 6, 3, 5, 1, 7, 8];
const PAUSE = 3;

/** @type {Preview} */
export default function preview(tick) {
  const played = MOVES.slice(0, ((tick + 5) % (MOVES.length + PAUSE)) + 1);
  return html`<svg viewBox="0 0 160 120">
    ${svg`<g transform="translate(31 11)">
      ${MOVES.map(
        (_, cell) => svg`<rect class="fill-cell" x=${(cell % 3) * 34} y=${Math.floor(cell / 3) * 34} width="30"
          height="30" rx="5" />`,
      )}
      ${played.map((cell, index) => {
        const [x, y] = [(cell % 3) * 34 + 15, Math.floor(cell / 3) * 34 + 15];
        return index % 2
          ? svg`<circle class="fill-none stroke-p2" cx=${x} cy=${y} r="8" stroke-width="4" />`
          : svg`<path class="stroke-p1" d="M${x - 7.5} ${y - 7.5}l15 15m0 -15l-15 15" stroke-width="4" stroke-linecap="round" />`;
      })}
    </g>`}
  </svg>`;
}
