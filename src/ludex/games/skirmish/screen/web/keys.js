/** The keyboard on the map. */

import { actOn, actsOf, chosenUnit, described, explain } from "./acts.js";
import { beside, pictureOf } from "./picture.js";

/** @type {Record<string, string>} */
const WORDS = { w: "wait", a: "advance" };

/** @param {KeyboardEvent} event @param {Context} ctx @returns {boolean} */
export function key(event, ctx) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { ui, stage, scene } = ctx;
  ui.keyboard = true;
  if (event.key.startsWith("Arrow")) {
    const from = ui.cursor ?? home(ctx);
    point(ctx, ui.cursor === undefined ? from : (beside(stage, from, event.key) ?? from));
    return true;
  }
  const word = WORDS[event.key];
  if (word) {
    if (!ctx.mayMove || !scene.legal.words.includes(word)) return false;
    void ctx.play(word);
    return true;
  }
  switch (event.key) {
    case "Enter":
    case " ":
      if (ui.cursor === undefined) return false;
      actOn(ctx, ui.cursor);
      return true;
    case "Tab":
      return onMap(event) && cycle(ctx, event.shiftKey ? -1 : 1);
    case "Escape":
      return release(ctx);
    default:
      return false;
  }
}

/** @param {KeyboardEvent} event */
const onMap = (event) => event.target instanceof Element && event.target.closest(".skirmish-map") !== null;

/** Put the cursor on a hex and say what is there. @param {Context} ctx @param {number} hex */
function point(ctx, hex) {
  const { ui } = ctx;
  ui.cursor = hex;
  ui.pointed = null;
  ui.inspected = pictureOf(ctx).at.get(hex)?.unit ?? null;
  ctx.announce(described(ctx, hex));
  explain(ctx, hex, true);
  ctx.redraw();
}

/** Where the cursor begins: on something that can be done, else in the middle of the map. @param {Context} ctx @returns {number} */
function home(ctx) {
  const first = ctx.mayMove ? [...actsOf(ctx).keys()][0] : undefined;
  return first ?? ctx.stage.hexes[Math.floor(ctx.stage.hexes.length / 2)].hex;
}

/**
 * The next unit: of the roster while units are placed, else one that can act or be a target. After the last one Tab
 * leaves the map as everywhere.
 * @param {Context} ctx @param {1 | -1} step @returns {boolean}
 */
function cycle(ctx, step) {
  const { ui, scene } = ctx;
  if (!ctx.mayMove) return false;
  const roster = Object.keys(scene.legal.deploy).sort();
  if (roster.length) {
    const next = roster[roster.indexOf(chosenUnit(ctx) ?? "") + step];
    if (next === undefined) return false;
    ui.unit = next;
    ui.released = false;
    ctx.announce(pictureOf(ctx).byId.get(next)?.name ?? "");
    ctx.redraw();
    return true;
  }
  const { at } = pictureOf(ctx);
  const units = [...actsOf(ctx).keys()].filter((hex) => at.has(hex));
  const place = units.indexOf(ui.cursor);
  const next = place < 0 ? units.at(step > 0 ? 0 : -1) : units[place + step];
  if (next === undefined) return false;
  point(ctx, next);
  return true;
}

/** @param {Context} ctx @returns {boolean} */
function release(ctx) {
  const { ui } = ctx;
  const active = ui.cursor !== undefined || ui.unit || ui.placed || ui.inspected != null;
  Object.assign(ui, { cursor: undefined, unit: null, placed: null, inspected: null, reason: null, released: true });
  if (active) ctx.redraw();
  return Boolean(active);
}
