/** A picture of a position in 200 pixels: the unit that acts and its targets, or the objective that is nearest to it. */

import { figure } from "./drawings.js";
import { goals, ground, shapes } from "./ground.js";
import { pictureOf } from "./picture.js";
import { html, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

/** The widest part of the map on which units are legible; on a wider one they are drawn larger. */
const LEGIBLE = 300;

/** @type {Pick<Renderer, "board">} */
export default {
  board(ctx) {
    const { stage, scene } = ctx;
    const { hexes, units } = pictureOf(ctx);
    const { x, y, side } = action(ctx);
    return html`<div class="skirmish"><svg class="board skirmish-map" viewBox="${x} ${y} ${side} ${side}">
      ${shapes(stage)}${ground(stage, scene.phase === "deployment")}${goals(ctx)}
      ${units.map((unit) => {
        const here = hexes.get(unit.hex ?? -1);
        return here
          ? svg`<g class="token of-${unit.player} ${scene.active === unit.unit ? "acting" : ""}"
            transform="translate(${here.x} ${here.y}) scale(${Math.max(1, side / LEGIBLE)})">
            ${scene.active === unit.unit ? svg`<circle class="halo" r="18.6"/>` : nothing}${figure(unit)}</g>`
          : nothing;
      })}</svg></div>`;
  },
};

/** The part of the map in which something happens. @param {Context} ctx */
function action(ctx) {
  const { stage, scene } = ctx;
  const { at, byId, hexes, units } = pictureOf(ctx);
  const here = hexes.get(units[scene.active]?.hex ?? -1);
  const { shoot, fight, charge } = scene.legal;
  /** @type {number[]} */
  const targets = [...shoot, ...fight, ...charge].map(({ id }) => byId.get(id)?.hex ?? -1);
  /** @type {number[]} */
  const objectives = stage.objectives.map((/** @type {{ hex: number }} */ goal) => goal.hex);
  const away = (/** @type {number} */ hex) => {
    const there = hexes.get(hex);
    return here && there ? Math.hypot(there.x - here.x, there.y - here.y) : 0;
  };
  const nearest = objectives.sort((one, other) => away(one) - away(other)).slice(0, 1);
  const rest = targets.length ? targets : here ? nearest : [...at.keys()];
  const places = [here, ...rest.map((hex) => hexes.get(hex))].filter((place) => place !== undefined);
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, right, top, foot] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(right - left, foot - top, 6 * stage.size) + 3 * stage.size;
  return { x: (left + right - side) / 2, y: (top + foot - side) / 2, side };
}
