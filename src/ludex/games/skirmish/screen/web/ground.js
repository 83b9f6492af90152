/** The ground of the map, its walls and objectives. */

import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";

/** @param {any} stage @param {number} scale */
const points = (stage, scale) =>
  stage.corners
    .map((/** @type {number[]} */ corner) => corner.map((way) => (way * scale).toFixed(2)).join(","))
    .join(" ");

/** The shapes of hexes, which the others use. @param {any} stage */
export const shapes = (stage) => svg`<defs>
    <polygon id="skirmish-hex" points=${points(stage, 0.965)}></polygon>
    <polygon id="skirmish-inner" points=${points(stage, 0.8)}></polygon>
  </defs>`;

/** What never changes, but for the zones, which are shown while units are placed. @param {any} stage @param {boolean} deploying */
export function ground(stage, deploying) {
  const walls = new Set(stage.walls);
  const forbidden = new Set(stage.forbidden);
  const zones = stage.zones.map((/** @type {number[]} */ zone) => new Set(zone));
  return svg`<g class="ground">${stage.hexes.map((/** @type {import("./units.js").Hex} */ one) => {
    let kind = walls.has(one.hex) ? "wall" : "open";
    if (deploying && kind === "open") {
      if (zones[0].has(one.hex)) kind += " zone-1";
      if (zones[1].has(one.hex)) kind += " zone-2";
      if (forbidden.has(one.hex)) kind += " forbidden";
    }
    return svg`<use href="#skirmish-hex" class=${kind} x=${one.x} y=${one.y} data-hex=${one.hex} />`;
  })}</g>
    <g class="layer">${stage.walls.map((/** @type {number} */ hex) => wall(stage, hex))}
    ${deploying ? stage.forbidden.map((/** @type {number} */ hex) => barred(stage, hex)) : nothing}</g>`;
}

/** @param {any} stage @param {number} hex */
export function spot(stage, hex) {
  const place = stage.hexes.find((/** @type {any} */ each) => each.hex === hex);
  return { x: place.x, y: place.y };
}

/** @param {any} stage @param {number} hex */
function wall(stage, hex) {
  const { x, y } = spot(stage, hex);
  return svg`<g transform="translate(${x} ${y})"><use href="#skirmish-inner" class="wall-top" y="-2"/>
    <path class="wall-bricks" d="M-9 -5h18M-10 3h20M-3 -10v5M4 -5v8M-5 3v6"/></g>`;
}

/** @param {any} stage @param {number} hex */
const barred = (stage, hex) => {
  const { x, y } = spot(stage, hex);
  return svg`<path class="barred" d="M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12"/>`;
};

/** @param {Context} ctx */
export function goals({ stage, scene }) {
  return svg`<g class="layer goals" aria-hidden="true">${stage.objectives.map(
    (/** @type {any} */ goal, /** @type {number} */ place) => {
      const { x, y } = spot(stage, goal.hex);
      const holder = scene.held[place];
      return svg`<g class="goal ${holder ? `held-${holder}` : ""}" transform="translate(${x} ${y})">
        <circle class="goal-reach" r=${(stage.objective_radius + 0.5) * stage.size * Math.sqrt(3)}/>
        <use href="#skirmish-hex" class="goal-hex"/>
        <path class="goal-flag" d="M-6.5 12v-24M-6.5 -12l17 6-17 6"/></g>`;
    },
  )}</g>`;
}
