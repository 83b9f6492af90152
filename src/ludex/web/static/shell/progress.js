// @ts-check
/** How far a person is in each tutorial, kept in this browser. */

import { prefer, preferences } from "./preferences.js";

/** The step of a tutorial to go on with, and those completed. @param {string} game */
export function reached(game) {
  return preferences.tutorials?.[game] ?? { step: 0, done: [] };
}

/** @param {string} game @param {number} step to go on with @param {string} [done] a step that was completed */
export function reach(game, step, done) {
  const known = reached(game).done;
  const all = done && !known.includes(done) ? [...known, done] : known;
  prefer({ welcomed: true, tutorials: { ...preferences.tutorials, [game]: { step, done: all } } });
}
