/** Units on the map and in lists: player 1's are round, player 2's are square on a corner, and each kind has a drawing. */

import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";
import { actsOf } from "./acts.js";
import { figure } from "./drawings.js";
import { fallen, pictureOf } from "./picture.js";

/** @typedef {import("./units.js").Unit} Unit */

const MOST_PIPS = 10;

/** A unit where it stands. @param {Context} ctx @param {Unit} unit */
export function token(ctx, unit) {
  const { scene, ui } = ctx;
  const here = pictureOf(ctx).hexes.get(unit.hex ?? -1);
  const act = ctx.mayMove ? actsOf(ctx).get(unit.hex ?? -1) : undefined;
  // Only units of the player to move are marked as having acted.
  const counted = scene.phase !== "deployment" && scene.phase !== "over" && ctx.match.to_move === unit.player - 1;
  const lost = fallen(ctx, unit.unit);
  const names = [
    "token",
    `of-${unit.player}`,
    scene.active === unit.unit && "acting",
    scene.target === unit.unit && "charged-at",
    counted && !unit.ready && scene.active !== unit.unit && "spent",
    act && `act-${act.kind}`,
    ui.inspected === unit.unit && scene.active !== unit.unit && "inspected",
    lost && `struck-${ctx.match.ply % 2}`,
  ];
  return svg`<g class=${names.filter(Boolean).join(" ")} transform="translate(${here?.x} ${here?.y})" data-hex=${unit.hex}
    data-unit=${unit.id}><g class="piece">${act || scene.active === unit.unit ? svg`<circle class="halo" r="18.6"/>` : nothing}
    ${figure(unit)}${pips(unit, lost)}</g><title>${unit.name} ${unit.id}</title></g>`;
}

/**
 * The wounds a unit has left, those it has just lost, and those lost before. On a corner there is less space for them.
 * @param {Unit} unit @param {number} lost
 */
function pips(unit, lost) {
  const [y, width] = unit.player === 1 ? [11.6, 15] : [11.6, 12];
  const drawnPips = Math.min(unit.wounds, MOST_PIPS);
  const gap = Math.min(3.7, width / drawnPips);
  const part = (/** @type {number} */ wounds) => Math.ceil((wounds / unit.wounds) * drawnPips);
  const [left, before] = [part(unit.left), part(unit.left + lost)];
  return Array.from(
    { length: drawnPips },
    (_, place) =>
      svg`<circle class=${place < left ? "pip" : place < before ? "pip lost falling" : "pip lost"}
        cx=${((place - (drawnPips - 1) / 2) * gap).toFixed(1)} cy=${y} r=${(gap * 0.4).toFixed(2)}/>`,
  );
}

/** A unit in a list. @param {Unit} unit */
export const badge = (unit) =>
  svg`<svg class="unit-badge token of-${unit.player}" viewBox="-18 -18 36 36" aria-hidden="true">${figure(unit)}</svg>`;
