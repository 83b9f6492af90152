/** How a move is drawn on any board: an arrow from where it begins, and a badge that says what it is. */

import { svg } from "../vendor/lit-html/lit-html.js";

/** @typedef {{ x: number, y: number }} Point */

/** Told apart by sign as well as by colour. @type {Record<DrawnMove["kind"], string>} */
const SIGNS = { hint: "★", better: "★", played: "?" };

/** An arrow that ends at the rim of its target. @param {Point} from @param {Point} to @param {number} size of a cell */
export function arrow(from, to, size) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [head, half] = [size * 0.26, size * 0.15];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${(from.x + ux * along - uy * aside).toFixed(1)} ${(from.y + uy * along + ux * aside).toFixed(1)}`;
  const tip = length - size * 0.1;
  return svg`<path class="drawn-shaft" d="M${at(size * 0.3, 0)}L${at(tip - head, 0)}" stroke-width=${size * 0.11} />
    <path class="drawn-head" d="M${at(tip, 0)}L${at(tip - head, half)}L${at(tip - head, -half)}Z" />`;
}

/** @param {Point} at @param {DrawnMove["kind"]} kind @param {number} size of a cell */
export function badge({ x, y }, kind, size) {
  const r = size * 0.17;
  return svg`<circle class="drawn-badge" cx=${x} cy=${y} r=${r} stroke-width=${size * 0.03} />
    <text class="drawn-sign" x=${x} y=${y + r * 0.45} font-size=${r * 1.3}>${SIGNS[kind]}</text>`;
}
