/** A person's preferences and how far they are in each tutorial, stored in this browser. */

/** @typedef {import("../types/page.js").Preferences} Preferences */

const KEY = "ludex.preferences";

/** @type {Preferences} */
export const preferences = {
  theme: "system",
  language: navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en",
  overlay: "none",
  choices: {},
  ...stored(),
};

/** @returns {Partial<Preferences>} what was kept; nothing where the browser keeps nothing, or something unreadable */
function stored() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof saved === "object" && saved !== null ? saved : {};
  } catch {
    return {};
  }
}

/** @param {Partial<Preferences>} changes */
export function prefer(changes) {
  Object.assign(preferences, changes);
  applyPreferences();
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still shows what was chosen until the page is closed.
  }
}

/** Remember what was chosen on the card of a game. @param {string} game @param {Preferences["choices"][string]} changes */
export function chooseFor(game, changes) {
  prefer({ choices: { ...preferences.choices, [game]: { ...preferences.choices[game], ...changes } } });
}

/** Make the document follow the preferences. */
export function applyPreferences() {
  const root = document.documentElement;
  root.lang = preferences.language;
  root.dataset.theme = preferences.theme;
  root.dataset.board = preferences.board ?? "paper";
}

/** @returns {boolean} whether motion should be left out */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

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
