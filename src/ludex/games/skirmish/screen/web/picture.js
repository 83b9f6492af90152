/** The map as data: hexes, units and neighbours. Made once per scene. */

/** @typedef {import("./units.js").Hex} Hex */
/** @typedef {import("./units.js").Unit} Unit */
/** @typedef {import("./units.js").Picture} Picture */

/** @type {WeakMap<object, Map<number, Hex>>} */
const hexes = new WeakMap();
/** @type {Record<Language, WeakMap<object, Picture>>} */
const pictures = { en: new WeakMap(), fr: new WeakMap() };

/** @param {Context} ctx @returns {Picture} */
export function pictureOf({ stage, scene, language }) {
  let picture = pictures[language].get(scene);
  if (!picture) {
    const named = (/** @type {any} */ thing) => ({ ...thing, name: thing.names[language] });
    const units = stage.units.map((/** @type {any} */ unit, /** @type {number} */ number) => {
      const { wounds: left, ...state } = scene.units[number];
      return { ...named(unit), ...state, left, weapons: unit.weapons.map(named) };
    });
    const standing = units.filter((/** @type {Unit} */ unit) => unit.hex !== null);
    picture = {
      hexes: hexesOf(stage),
      units,
      at: new Map(standing.map((/** @type {Unit} */ unit) => [unit.hex, unit])),
      byId: new Map(units.map((/** @type {Unit} */ unit) => [unit.id, unit])),
    };
    pictures[language].set(scene, picture);
  }
  return picture;
}

/** @param {any} stage @returns {Map<number, Hex>} */
function hexesOf(stage) {
  let byNumber = hexes.get(stage);
  if (!byNumber) {
    byNumber = new Map(stage.hexes.map((/** @type {Hex} */ hex) => [hex.hex, hex]));
    hexes.set(stage, byNumber);
  }
  return byNumber;
}

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * The hex next to one in the direction of an arrow key, by the picture alone. To the sides two hexes are as near: the one
 * of the same row keeps the cursor level.
 * @param {any} stage @param {number} from @param {string} arrow @returns {number | null}
 */
export function beside(stage, from, arrow) {
  const way = WAYS[arrow];
  const here = hexesOf(stage).get(from);
  if (!way || !here) return null;
  let best = null;
  let least = Infinity;
  for (const there of stage.hexes) {
    const dx = there.x - here.x;
    const dy = there.y - here.y;
    const ahead = dx * way[0] + dy * way[1];
    if (ahead < stage.size || Math.hypot(dx, dy) > 2 * stage.size) continue;
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]) + (there.row === here.row ? 0 : 1);
    if (aside < least) [best, least] = [there.hex, aside];
  }
  return best;
}

/** Pixels that the map of an ordinary desktop has from left to right. */
const WIDEST = 560;

/** How many times as large as its own units a text is written, so that it can be read on this screen. @param {Context} ctx */
export function sizeOf({ stage, ui }) {
  const visible = stage.width / (ui.pinch?.scale ?? 1);
  return Math.max(1, Math.round((visible / Math.min(WIDEST, innerWidth)) * 11.5) / 10);
}

/** The wounds that a unit has just lost. @param {Context} ctx @param {number} unit */
export const fallen = (ctx, unit) =>
  /** @type {import("./units.js").Effect[]} */ (ctx.scene.effects ?? []).reduce(
    (sum, effect) => sum + (effect.target === unit ? (effect.lost ?? 0) : 0),
    0,
  );
