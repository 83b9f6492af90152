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
/** The room of a word before its dice, and the space around a unit that a card should leave free. */
const WORD = 34;
const UNIT = 19;

/** @param {Context} ctx */
export function effects(ctx) {
  const layers = /** @type {Effect[]} */ (ctx.scene.effects ?? []).map((effect) => drawEffect(ctx, effect));
  // Two templates in turn are two elements: the animations of the next action begin anew.
  return ctx.match.ply % 2
    ? svg`<g class="layer effects odd" aria-hidden="true">${layers}</g>`
    : svg`<g class="layer effects even" aria-hidden="true">${layers}</g>`;
}

/** @param {Context} ctx @param {Effect} effect */
function drawEffect(ctx, effect) {
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
  const size = sizeOf(ctx);
  const below = freer(ctx, effect, at, size);
  const { width, drawing } = card(effect, below);
  const most = (width / 2) * size * 1.5;
  const aside = Math.max(most - at.x, Math.min(0, ctx.stage.width - most - at.x));
  return svg`${line}<g transform="translate(${at.x} ${at.y})">
    ${effect.destroyed && target ? svg`<g class="token of-${target.player} dying">${figure(target)}</g>` : nothing}
    ${effect.kind === "attack" ? svg`<circle class="burst ${effect.lost ? "" : "vain"}" r="17"/>` : nothing}
    <g class="verdict" transform="translate(${aside} ${below ? 20 : -20})"><g class="enlarged-text"
      transform="scale(${size})">${drawing}</g></g></g>`;
}

/**
 * Whether a card covers fewer units below its target than above it.
 * @param {Context} ctx @param {Effect} effect @param {import("./units.js").Hex} at @param {number} size
 */
function freer(ctx, effect, at, size) {
  const { at: units, hexes } = pictureOf(ctx);
  const { width, height } = card(effect, true);
  const covered = (/** @type {1 | -1} */ way) =>
    [...units.keys()].filter((hex) => {
      const unit = hexes.get(hex);
      const [x, y] = [(unit?.x ?? 0) - at.x, way * ((unit?.y ?? 0) - at.y)];
      return Math.abs(x) < (width / 2) * size + UNIT && y > UNIT / 2 && y < height * size + 2 * UNIT;
    }).length;
  const difference = covered(1) - covered(-1);
  return difference < 0 || (difference === 0 && at.y < ctx.stage.height / 2);
}

/** The result in words and its dice, a row per kind of roll, above or below a point. @param {Effect} effect @param {boolean} below */
function card(effect, below) {
  const rows = ROWS.map((kind) => ({ kind, dice: (effect.rolls ?? []).filter(([name]) => name === kind) })).filter(
    ({ dice }) => dice.length,
  );
  const width = Math.max(58, 5 + WORD + Math.max(...rows.map(({ dice }) => dice.length)) * (DIE + 1.5));
  const height = 15 + rows.length * (DIE + 2);
  const good = effect.kind === "charge" ? !effect.failed : Boolean(effect.lost);
  const top = below ? 0 : -height;
  const drawing = svg`<rect class="card-back" x=${-width / 2} y=${top} width=${width} height=${height} rx="4"/>
    <text class="result ${good ? "good" : ""}" y=${top + 10.5}>${result(effect)}</text>
    ${rows.map(({ kind, dice }, row) => {
      const y = top + 15 + row * (DIE + 2);
      return svg`<text class="sign" x=${-width / 2 + 4} y=${y + 7.6}>${say(kind)}</text>
        ${dice.map(
          ([, die, fine], place) => svg`<g class=${fine ? "die good" : "die"}
            transform="translate(${-width / 2 + WORD + place * (DIE + 1.5)} ${y})">
            <rect width=${DIE} height=${DIE} rx="2.4"/><text x=${DIE / 2} y="8.4">${die}</text></g>`,
        )}`;
    })}`;
  return { width, height, drawing };
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
export function lastEffect(ctx) {
  const { units } = pictureOf(ctx);
  const effect = /** @type {Effect[]} */ (ctx.scene.effects ?? []).at(-1);
  const unit = effect && units[effect.unit];
  if (!effect || !unit) return "";
  const target = units[effect.target ?? -1];
  if (effect.kind === "move") return say("didMove", { unit: `${unit.name} ${unit.id}` });
  if (effect.kind === "charge") return say("didCharge", { unit: `${unit.name} ${unit.id}`, result: result(effect) });
  return say("didAttack", {
    unit: `${unit.name} ${unit.id}`,
    target: target ? `${target.name} ${target.id}` : "",
    result: result(effect),
  });
}
