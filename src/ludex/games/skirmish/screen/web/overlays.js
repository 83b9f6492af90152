/** What is drawn over the map: what a search knows, moves to be seen, and the odds beside targets, where they cover nothing. */

import { actsOf, aim } from "./acts.js";
import { pictureOf, sizeOf } from "./picture.js";
import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";

/** Half of a unit, and the width of a badge beside it. */
const UNIT = 19;
const BADGE = 33;
/** Where a badge may stand beside its unit, the best place first. */
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
];

/** @param {Context} ctx */
export const overlay = (ctx) => [heat(ctx), candidates(ctx)];

/** A policy's preferences, where it gives them: one number per hex. @param {Context} ctx */
function heat({ stage, overlay, analysis }) {
  if (overlay !== "heat" || !analysis) return nothing;
  const layer = Object.values(analysis.overlay).find((one) => one.length === stage.numbers);
  if (!layer) return nothing;
  const most = Math.max(...layer.map((one) => one ?? 0)) || 1;
  return stage.hexes.map((/** @type {any} */ one) => {
    const share = (layer[one.hex] ?? 0) / most;
    return share > 0.01
      ? svg`<use href="#skirmish-hex" class="heat" x=${one.x} y=${one.y} opacity=${(0.08 + 0.8 * share).toFixed(2)}/>`
      : nothing;
  });
}

/** @param {Context} ctx */
function candidates(ctx) {
  const { analysis, overlay, selected } = ctx;
  const listed = overlay === "candidates" ? (analysis?.candidates ?? []).slice(0, 5) : [];
  const pointed = selected === null ? undefined : analysis?.candidates[selected];
  const drawn = ctx.drawn ?? [];
  const marked = pointed && !listed.includes(pointed) ? [...listed, pointed] : listed;
  return [...marked, ...drawn].map((one) => {
    const where = aim(ctx, one.text);
    if (!where) return nothing;
    const isBest = "kind" in one || one === pointed;
    const rank =
      "kind" in one ? (one.kind === "played" ? "?" : "★") : isBest ? "★" : (analysis?.candidates.indexOf(one) ?? 0) + 1;
    return svg`<g class="suggestion ${isBest ? "pointed" : ""} ${"kind" in one ? `drawn-${one.kind}` : ""}"
      transform="translate(${where.x} ${where.y})">
      <use href="#skirmish-hex"/><g class="enlarged-text" transform="translate(9.5 -9.5) scale(${sizeOf(ctx)})">
      <circle r="6"/><text y="2.9">${rank}</text></g></g>`;
  });
}

/**
 * What to expect of each target of the unit that acts: the wounds, and the chance to destroy it or to arrive.
 * @param {Context} ctx @param {Area} part of the map
 */
export function badges(ctx, part) {
  const { at, hexes } = pictureOf(ctx);
  const size = sizeOf(ctx);
  /** @type {Area[]} what no badge should cover: units, then other badges too */
  const areas = [...at.keys()].map((hex) => around(hexes.get(hex), 2 * UNIT, 2 * UNIT));
  return [...actsOf(ctx)].map(([hex, act]) => {
    const here = hexes.get(hex);
    if (!act.odds || !here) return nothing;
    const tall = act.wounds ? 20 : 12;
    const [width, height] = [BADGE * size, tall * size];
    const places = SIDES.map(([x, y]) =>
      around({ x: here.x + x * (UNIT + width / 2), y: here.y + y * (UNIT + height / 2) }, width, height),
    );
    const covered = places.map(
      (place) => width * height - common(place, part) + sum(areas, (one) => common(place, one)),
    );
    const place = /** @type {Area} */ (places[covered.indexOf(Math.min(...covered))]);
    areas.push(place);
    return svg`<g class="badge badge-${act.kind}" transform="translate(${place.x + width / 2} ${place.y + height / 2})"><g
      class="enlarged-text" transform="scale(${size})"><rect x=${-BADGE / 2} y=${-tall / 2} width=${BADGE} height=${tall} rx="5"/>
      ${act.wounds ? svg`<text class="badge-wounds" y="-1.2">−${act.wounds}</text>` : nothing}
      <text y=${act.wounds ? 7.6 : 3.1}>${act.odds}</text></g></g>`;
  });
}

/** @typedef {import("/static/shell/pinch.js").Box} Area */

/** @param {{ x: number, y: number } | undefined} middle @param {number} width @param {number} height @returns {Area} */
const around = (middle, width, height) => ({
  x: (middle?.x ?? 0) - width / 2,
  y: (middle?.y ?? 0) - height / 2,
  width,
  height,
});

/** What two areas have in common. @param {Area} one @param {Area} other */
function common(one, other) {
  const side = (/** @type {"x" | "y"} */ axis, /** @type {"width" | "height"} */ length) =>
    Math.min(one[axis] + one[length], other[axis] + other[length]) - Math.max(one[axis], other[axis]);
  return Math.max(0, side("x", "width")) * Math.max(0, side("y", "height"));
}

/** @template T @param {T[]} all @param {(one: T) => number} value */
const sum = (all, value) => all.reduce((total, one) => total + value(one), 0);
