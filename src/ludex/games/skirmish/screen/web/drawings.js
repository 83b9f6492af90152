/** The drawings of the units; a kind without one shows its letters. Player 1's are round, player 2's are square on a corner. */

import { svg } from "/static/vendor/lit-html/lit-html.js";

/** By the symbol of a kind of unit, its path in a box of 16 around the middle. @type {Record<string, string>} */
export const DRAWINGS = {
  // A shield with a bar.
  LG: "M-6-7h12v6c0 4-2.6 6.4-6 8-3.4-1.6-6-4-6-8zM-1.2-5v9.4h2.4V-5z",
  // A crosshair.
  LW:
    "M-1-8h2v3.1A5 5 0 0 1 4.9-1H8v2H4.9A5 5 0 0 1 1 4.9V8h-2V4.9A5 5 0 0 1-4.9 1" +
    "H-8v-2h3.1A5 5 0 0 1-1-4.9zM0-3a3 3 0 1 0 .01 0z",
  // Two chevrons at speed.
  OR: "M-7-6h4l5 6-5 6h-4l5-6zM0-6h4l5 6-5 6H0l5-6z",
  // Two crossed blades.
  RV: "M-7-7l3 .6 4 4 4-4L7-7l-.6 3-4 4 4 4-1.6 1.6L2.6 7 1.2 5.6 2 4.4 0 2.4-2 4.4l.8 1.2L-2.6 7l-2.2-1.4L-6.4 4l4-4-4-4z",
  // Three claws.
  HA:
    "M-7-7c3 3.4 4.6 8 4.4 13.6C-5.6 2.6-7.2-2-7-7z" +
    "M-2-7c3 3.4 4.6 8 4.4 13.6C-.6 2.6-2.2-2-2-7zM3-7c3 3.4 4.6 8 4.4 13.6C4.4 2.6 2.8-2 3-7z",
  // A gun on its wheel.
  BC: "M-8-3.4 5.6-6.6l.8 3.4L-2-1.2a4.4 4.4 0 1 1-4.4 1.2l-1-.4zM-2.4 1a2 2 0 1 0 .01 0z",
  // A tower.
  BW: "M-7-7h3v2h2.4v-2h3.2v2H4v-2h3v6H5.4v8h-3.6V3.4a1.8 1.8 0 0 0-3.6 0V7h-3.6v-8H-7z",
  // A machine on two legs.
  ST: "M-5-7h8l3 3h2v2H6v2H3.4L6 7H3.2L.8 1h-1.6l-2.4 6H-6l2.6-7H-6v-4z",
  // A crown.
  MA: "M-7-5l3.6 4L0-7l3.4 6L7-5 5.6 4h-11.2zM-5.4 5.2h10.8v2h-10.8z",
  // A bolt of lightning.
  SC: "M2.6-8-5.4 1.4h4L-3 8 5.4-2.4h-4z",
};

const SHAPES = [
  svg`<circle class="shape" r="15.8"/>`,
  svg`<rect class="shape" x="-13.4" y="-13.4" width="26.8" height="26.8" rx="4.2" transform="rotate(45)"/>`,
];

/** A kind's drawing on the shape of its player. @param {{ player: number, symbol: string }} unit */
export const figure = (unit) =>
  svg`${SHAPES[unit.player - 1]}${
    DRAWINGS[unit.symbol]
      ? svg`<path class="drawing" d=${DRAWINGS[unit.symbol]}/>`
      : svg`<text class="symbol" y="2.8">${unit.symbol}</text>`
  }`;
