// @ts-check
/** Units on the map and in lists: player 1's are round, player 2's are square on a corner. */

import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";
import { actsOf } from "./acts.js";
import { pictureOf } from "./picture.js";

/** @typedef {import("/static/types/renderer.js").Context} Context */
/** @typedef {import("./units.js").Unit} Unit */

const SHAPES = [
  svg`<circle class="shape" r="13.2"/>`,
  svg`<rect class="shape" x="-11.2" y="-11.2" width="22.4" height="22.4" rx="3" transform="rotate(45)"/>`,
];
const MOST_PIPS = 10;

/** A unit where it stands. @param {Context} ctx @param {Unit} unit */
export function token(ctx, unit) {
  const { scene, ui } = ctx;
  const here = pictureOf(ctx).hexes.get(unit.hex ?? -1);
  const act = ctx.mayMove ? actsOf(ctx).get(unit.hex ?? -1) : undefined;
  // Only units of the player to move are marked as having acted.
  const counted = scene.phase !== "deployment" && scene.phase !== "over" && ctx.match.to_move === unit.player - 1;
  const names = [
    "token",
    `of-${unit.player}`,
    scene.active === unit.unit && "acting",
    scene.target === unit.unit && "charged-at",
    counted && !unit.ready && scene.active !== unit.unit && "spent",
    act && `act-${act.kind}`,
    ui.inspected === unit.unit && scene.active !== unit.unit && "inspected",
  ];
  return svg`<g class=${names.filter(Boolean).join(" ")} transform="translate(${here?.x} ${here?.y})" data-hex=${unit.hex}
    data-unit=${unit.id}>${act || scene.active === unit.unit ? svg`<circle class="halo" r="18"/>` : nothing}
    ${SHAPES[unit.player - 1]}<text class="symbol" y="2.4">${unit.symbol}</text>${pips(unit)}<title>${unit.name} ${unit.id}</title></g>`;
}

/** The wounds a unit has left, and those it has lost. On a corner there is less space for them. @param {Unit} unit */
function pips(unit) {
  const [y, width] = unit.player === 1 ? [8.2, 15] : [7.4, 12.5];
  const shown = Math.min(unit.wounds, MOST_PIPS);
  const gap = Math.min(3.1, width / shown);
  const left = Math.ceil((unit.left / unit.wounds) * shown);
  return Array.from(
    { length: shown },
    (_, place) =>
      svg`<circle class=${place < left ? "pip" : "pip lost"} cx=${((place - (shown - 1) / 2) * gap).toFixed(1)} cy=${y}
        r=${(gap * 0.38).toFixed(2)}/>`,
  );
}

/** A unit in a list. @param {Unit} unit */
export const badge = (
  unit,
) => svg`<svg class="unit-badge token of-${unit.player}" viewBox="-17 -17 34 34" aria-hidden="true">
  ${SHAPES[unit.player - 1]}<text class="symbol" y="4.2">${unit.symbol}</text></svg>`;
