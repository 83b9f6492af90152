/** The actions on a hex: the server's legal actions, looked up and written as move texts. */

import { pictureOf } from "./picture.js";
import { decimal, percent, say } from "./texts.js";

/**
 * An action on a hex.
 *
 * @typedef {object} Act
 * @property {string} text the move
 * @property {string} label what it does, in words
 * @property {string} kind
 * @property {string} [odds] a chance, for the badge on the target
 * @property {string} [wounds] those to expect, for the badge
 */

/** @type {WeakMap<object, Map<string, Map<number, Act>>>} */
const known = new WeakMap();

/** By hex, what can be done there now. @param {Context} ctx @returns {Map<number, Act>} */
export function actsOf(ctx) {
  const unit = chosenUnit(ctx) ?? "";
  let byUnit = known.get(ctx.scene);
  if (!byUnit) known.set(ctx.scene, (byUnit = new Map()));
  let acts = byUnit.get(unit);
  if (!acts) byUnit.set(unit, (acts = listed(ctx, unit)));
  return acts;
}

/** @param {Context} ctx @param {string} chosen @returns {Map<number, Act>} */
function listed(ctx, chosen) {
  const { scene } = ctx;
  const { legal } = scene;
  const { hexes, byId } = pictureOf(ctx);
  /** @type {Map<number, Act>} */
  const acts = new Map();
  const name = (/** @type {number} */ hex) => hexes.get(hex)?.name;
  const where = (/** @type {string} */ id) => byId.get(id)?.hex ?? -1;
  for (const hex of legal.deploy[chosen] ?? [])
    acts.set(hex, {
      kind: "deploy",
      text: `deploy/${chosen}/${name(hex)}`,
      label: say("doDeploy", { unit: titled(ctx, chosen) }),
    });
  for (const hex of legal.move) acts.set(hex, { kind: "move", text: `move/${name(hex)}`, label: say("doMove") });
  for (const hex of legal.land) acts.set(hex, { kind: "land", text: `land/${name(hex)}`, label: say("doLand") });
  for (const id of legal.activate)
    acts.set(where(id), { kind: "activate", text: `activate/${id}`, label: say("doActivate") });
  for (const kind of /** @type {const} */ (["shoot", "fight"]))
    for (const strike of legal[kind]) {
      const [kill, wounds] = [percent(strike.kill), decimal(strike.wounds, ctx.language)];
      const label = say(kind === "shoot" ? "doShoot" : "doFight");
      const odds = { label: say("odds", { act: label, kill, wounds, count: strike.wounds }), odds: kill, wounds };
      acts.set(where(strike.id), { kind, text: `${kind}/${strike.id}`, label, ...(ctx.asked ? {} : odds) });
    }
  for (const { id, chance } of legal.charge) {
    const label = say("doCharge");
    const odds = { label: say("arrival", { chance: percent(chance) }), odds: percent(chance) };
    acts.set(where(id), { kind: "charge", text: `charge/${id}`, label, ...(ctx.asked ? {} : odds) });
  }
  return acts;
}

/**
 * The hex that a move is about: the one it names, or that of the unit it names.
 * @param {Context} ctx @param {string} move @returns {import("./units.js").Hex | undefined}
 */
export function aim(ctx, move) {
  const { hexes, byId } = pictureOf(ctx);
  const last = move.split("/").at(-1) ?? "";
  return last.includes(".")
    ? ctx.stage.hexes.find((/** @type {import("./units.js").Hex} */ hex) => hex.name === last)
    : hexes.get(byId.get(last)?.hex ?? -1);
}

/** The unit of the roster that is to be placed: the one a person chose, or the first. @param {Context} ctx @returns {string | null} */
export function chosenUnit({ scene, ui }) {
  const ids = Object.keys(scene.legal.deploy).sort();
  if (ui.unit && ids.includes(ui.unit)) return ui.unit;
  return ui.released ? null : (ids[0] ?? null);
}

/** @param {Context} ctx @param {string} id @returns {string} a unit's name and id */
export function titled(ctx, id) {
  return `${pictureOf(ctx).byId.get(id)?.name} ${id}`;
}

/** Act on a hex, or say why nothing can be done there. @param {Context} ctx @param {number} hex */
export function actOn(ctx, hex) {
  const { scene, ui } = ctx;
  const { at } = pictureOf(ctx);
  const act = ctx.mayMove ? actsOf(ctx).get(hex) : undefined;
  const here = at.get(hex);
  ui.cursor = hex;
  ui.inspected = here?.unit ?? null;
  ui.placed = here && scene.legal.undeploy.includes(here.id) ? here.id : null;
  if (act) {
    ui.unit = null;
    ui.placed = null;
    void ctx.play(act.text);
  } else {
    explain(ctx, hex, true);
    ctx.redraw();
  }
}

/**
 * Ask the server why the chosen unit cannot be placed on a hex, and show the reason.
 * @param {Context} ctx @param {number} hex @param {boolean} aloud whether to announce it to screen readers too
 */
export function explain(ctx, hex, aloud = false) {
  const { ui, scene } = ctx;
  ui.reason = null;
  const unit = chosenUnit(ctx);
  const name = pictureOf(ctx).hexes.get(hex)?.name;
  if (!ctx.mayMove || scene.phase !== "deployment" || unit === null || actsOf(ctx).has(hex)) return;
  void ctx.judge(`deploy/${unit}/${name}`).then(({ legal, message }) => {
    if (legal || (ui.pointed !== hex && ui.cursor !== hex)) return;
    ui.reason = { hex, message: message ?? "" };
    if (aloud) ctx.announce(ui.reason.message);
    ctx.redraw();
  });
}

/** A hex in words: what is there, and what can be done. @param {Context} ctx @param {number} hex @returns {string} */
export function described(ctx, hex) {
  const { stage, scene } = ctx;
  const { hexes, at } = pictureOf(ctx);
  const unit = at.get(hex);
  const goal = stage.objectives.findIndex((/** @type {any} */ one) => one.hex === hex);
  const zone = stage.zones.findIndex((/** @type {number[]} */ one) => one.includes(hex));
  const holder = scene.held[goal];
  const act = ctx.mayMove ? actsOf(ctx).get(hex) : undefined;
  return [
    say("hexAt", { name: hexes.get(hex)?.name ?? "" }),
    unit && say("unitAt", { name: unit.name, id: unit.id, player: unit.player, count: unit.left, wounds: unit.wounds }),
    stage.walls.includes(hex) && say("wall"),
    goal >= 0 && (holder ? say("heldBy", { player: holder }) : say("contested")),
    scene.phase === "deployment" && zone >= 0 && say("zone", { player: zone + 1 }),
    scene.phase === "deployment" && stage.forbidden.includes(hex) && say("forbidden"),
    act?.label,
  ]
    .filter(Boolean)
    .join(", ");
}
