/** What the last action did, drawn where it happened: ways, shots, dice with their results, wounds that fall. */

import { pictureOf, sizeOf } from "./picture.js";
import { say } from "./texts.js";
import { figure } from "./drawings.js";
import { stylesheet } from "/static/shell/renderer.js";
import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";

await stylesheet("/static/games/skirmish/effects.css");

/** @typedef {import("./units.js").Effect} Effect */

const DIE = 11;
const ROWS = /** @type {const} */ (["hit", "wound", "save", "charge"]);
/** What each row of dice is about: a crosshair, a drop, a shield, an arrow. */
const SIGNS = {
  hit: "M0-4v8M-4 0h8M0-2.6a2.6 2.6 0 1 0 .01 0z",
  wound: "M0-4c2 2.6 3 3.8 3 5.2a3 3 0 0 1-6 0c0-1.4 1-2.6 3-5.2z",
  save: "M0-4l3.4 1.2v2.6c0 2-1.4 3.4-3.4 4.2-2-.8-3.4-2.2-3.4-4.2v-2.6z",
  charge: "M-4 0h7M0-3l3.4 3L0 3",
};

/** @param {Context} ctx */
export function effects(ctx) {
  const drawn = /** @type {Effect[]} */ (ctx.scene.effects ?? []).map((effect) => one(ctx, effect));
  // Two templates in turn are two elements: the animations of the next action begin anew.
  return ctx.match.ply % 2
    ? svg`<g class="layer effects odd" aria-hidden="true">${drawn}</g>`
    : svg`<g class="layer effects even" aria-hidden="true">${drawn}</g>`;
}

/** @param {Context} ctx @param {Effect} effect */
function one(ctx, effect) {
  const { hexes, units } = pictureOf(ctx);
  const at = hexes.get(effect.at ?? -1);
  const from = hexes.get(effect.from ?? -1);
  const unit = units[effect.unit];
  if (!at || !unit) return nothing;
  const line =
    from && from !== at
      ? svg`<line class="way ${effect.kind} of-${unit.player}" x1=${from.x} y1=${from.y} x2=${at.x} y2=${at.y}/>`
      : nothing;
  if (effect.kind === "move")
    return svg`${line}${from ? svg`<circle class="left of-${unit.player}" cx=${from.x} cy=${from.y} r="5"/>` : nothing}`;
  const target = units[effect.target ?? -1];
  const below = at.y < ctx.stage.height / 2;
  const { width, drawing } = card(effect, below);
  const size = sizeOf(ctx);
  const most = (width / 2) * size * 1.5;
  const aside = Math.max(most - at.x, Math.min(0, ctx.stage.width - most - at.x));
  return svg`${line}<g transform="translate(${at.x} ${at.y})">
    ${effect.destroyed && target ? svg`<g class="token of-${target.player} dying">${figure(target)}</g>` : nothing}
    ${effect.kind === "attack" ? svg`<circle class="burst ${effect.lost ? "" : "vain"}" r="17"/>` : nothing}
    <g class="verdict" transform="translate(${aside} ${below ? 20 : -20})"><g class="enlarged-text"
      transform="scale(${size})">${drawing}</g></g></g>`;
}

/** The result in words and its dice, a row per kind of roll, above or below a point. @param {Effect} effect @param {boolean} below */
function card(effect, below) {
  const rows = ROWS.map((kind) => ({ kind, dice: (effect.rolls ?? []).filter(([name]) => name === kind) })).filter(
    ({ dice }) => dice.length,
  );
  const width = Math.max(58, 20 + Math.max(...rows.map(({ dice }) => dice.length)) * (DIE + 1.5));
  const height = 15 + rows.length * (DIE + 2);
  const good = effect.kind === "charge" ? !effect.failed : Boolean(effect.lost);
  const top = below ? 0 : -height;
  const drawing = svg`<rect class="card-back" x=${-width / 2} y=${top} width=${width} height=${height} rx="4"/>
    <text class="result ${good ? "good" : ""}" y=${top + 10.5}>${result(effect)}</text>
    ${rows.map(({ kind, dice }, row) => {
      const y = top + 15 + row * (DIE + 2);
      return svg`<path class="sign" d=${SIGNS[kind]} transform="translate(${-width / 2 + 8} ${y + DIE / 2})"/>
        ${dice.map(
          ([, die, fine], place) => svg`<g class=${fine ? "die good" : "die"}
            transform="translate(${-width / 2 + 15 + place * (DIE + 1.5)} ${y})">
            <rect width=${DIE} height=${DIE} rx="2.4"/><text x=${DIE / 2} y="8.4">${die}</text></g>`,
        )}`;
    })}`;
  return { width, drawing };
}

/** @param {Effect} effect */
function result(effect) {
  if (effect.kind === "charge") return say(effect.failed ? "fellShort" : "arrives");
  if (effect.destroyed) return say("isDestroyed");
  if (effect.lost) return say("loses", { count: effect.lost });
  const rolls = effect.rolls ?? [];
  const last = rolls.some(([kind, , good]) => kind === "save" && good) ? "saved" : "noWound";
  return say(rolls.some(([kind, , good]) => kind === "hit" && good) ? last : "missed");
}

/** What has just been done, in a sentence for the line of instructions; empty if nothing was. @param {Context} ctx */
export function told(ctx) {
  const { units } = pictureOf(ctx);
  const effect = /** @type {Effect[]} */ (ctx.scene.effects ?? []).at(-1);
  const unit = effect && units[effect.unit];
  if (!effect || !unit) return "";
  const target = units[effect.target ?? -1];
  if (effect.kind === "move") return say("didMove", { unit: `${unit.name} ${unit.id}` });
  if (effect.kind === "charge") return `${unit.name} ${unit.id}: ${result(effect)}`;
  return say("didAttack", {
    unit: `${unit.name} ${unit.id}`,
    target: target ? `${target.name} ${target.id}` : "",
    result: result(effect),
  });
}
