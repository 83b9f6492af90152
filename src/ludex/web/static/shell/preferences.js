// @ts-check
/** A person's preferences, stored in this browser. */

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
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
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

/** Make the document follow the preferences. */
export function applyPreferences() {
  const root = document.documentElement;
  root.lang = preferences.language;
  root.dataset.theme = preferences.theme;
}

/** @returns {boolean} whether motion should be left out */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
