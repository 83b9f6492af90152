/** The part of the map with which a puzzle begins on a narrow screen. */

import { actsOf } from "./acts.js";
import { pictureOf } from "./picture.js";

/** How much the map may be enlarged. */
const MOST = 1.8;

/**
 * Show the places that a puzzle is about, with a margin of a tenth: those of the unit that acts, of its targets and of
 * the hexes that it can reach.
 * @param {Context} ctx @param {import("/static/shell/pinch.js").Pinch} pinch
 */
export function frame(ctx, pinch) {
  const { hexes, units } = pictureOf(ctx);
  const acting = units.find(({ unit }) => unit === ctx.scene.active);
  const numbers = [acting?.hex ?? -1, ...actsOf(ctx).keys()];
  const places = numbers.flatMap((hex) => hexes.get(hex) ?? []);
  if (!places.length) return;
  const [left, right] = extent(places.map(({ x }) => x));
  const [top, bottom] = extent(places.map(({ y }) => y));
  const { whole } = pinch;
  const spare = whole.width / 10;
  pinch.scale = Math.max(
    1,
    Math.min(MOST, whole.width / (right - left + spare), whole.height / (bottom - top + spare)),
  );
  pinch.middle = pinch.inside({ x: (left + right) / 2, y: (top + bottom) / 2 });
}

/** @param {number[]} values @returns {[number, number]} the least and the greatest */
const extent = (values) => [Math.min(...values), Math.max(...values)];
