/** A corner of a minefield for the home page. */

import { html, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

const COLS = 7;
const SIDE = 17;
const FIELD = "··1M1··11211··1M1·111111·1M1····111";
/** What is opened in each step, and where a flag is set then. */
const STEPS = [
  [17, 24, 31, 30, 29, 28, 9, 10, 11, 16, 18, 23, 25, 32, 22, 21],
  [26],
  [4, 5, 6, 12, 13, 19, 20],
  [15],
  [14],
  [3],
  [27, 33, 34],
  [0, 1, 2, 7, 8],
];
const COLOURS = ["", "fill-p1", "fill-good"];
const PAUSE = 4;

/** @type {Preview} */
export default function preview(tick) {
  const steps = (tick + 2) % (STEPS.length + PAUSE);
  const touched = new Set(STEPS.slice(0, steps + 1).flat());
  return html`<svg viewBox="0 0 160 120">
    ${svg`<g transform="translate(21 17.5)">${[...FIELD].map((what, cell) => {
      const place = `translate(${(cell % COLS) * SIDE} ${Math.floor(cell / COLS) * SIDE})`;
      const flagged = what === "M" && touched.has(cell);
      const open = what !== "M" && touched.has(cell);
      return svg`<g transform=${place}>
        <rect class=${open ? "fill-surface stroke-line" : "fill-cell stroke-line"} width="15.5" height="15.5" rx="3" />
        ${
          flagged
            ? svg`<path class="fill-bad" d="M6.6 3.4l5.4 2.6-5.4 2.6z"/>
              <path class="stroke-ink" d="M6.4 3.4v8.8" stroke-width="1.4" stroke-linecap="round"/>`
            : nothing
        }
        ${
          open && what !== "·"
            ? svg`<text class=${COLOURS[Number(what)] ?? ""} x="7.8" y="11.8" font-size="11"
              font-weight="700" text-anchor="middle">${what}</text>`
            : nothing
        }
      </g>`;
    })}</g>`}
  </svg>`;
}
