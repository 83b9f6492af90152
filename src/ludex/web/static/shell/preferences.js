// @ts-check
/** What a person chose for their screens, kept in this browser. */

/** @typedef {"light" | "dark" | "system"} Theme */

const KEY = "ludex.preferences";

/** @type {{ theme: Theme, language: "en" | "fr", overlay: import("./renderer.js").Overlay, choices: Record<string, any> }} */
export const preferences = {
  theme: "system",
  language: navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en",
  overlay: "none",
  choices: {},
  ...stored(),
};

/** @returns {object} what was kept, or nothing where the browser keeps nothing or something else */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** @param {Partial<typeof preferences>} changes */
export function prefer(changes) {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still shows what was chosen until the page is closed.
  }
  applyPreferences();
}

/** Make the document follow the preferences. */
export function applyPreferences() {
  const root = document.documentElement;
  root.lang = preferences.language;
  root.dataset.theme = isDark() ? "dark" : "light";
}

/** @returns {boolean} */
export function isDark() {
  if (preferences.theme !== "system") return preferences.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @returns {boolean} whether motion should be left out */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
