// @ts-check
/** The texts on screen, in the chosen language; those of other languages are not loaded. */

import { preferences } from "./preferences.js";

/** @typedef {import("../types/renderer.js").Language} Language */

/** The loaders of texts, one per dictionary. @type {Set<(language: Language) => Promise<void>>} */
const speakers = new Set();

/** Register a loader of texts. @param {(language: Language) => Promise<void>} load */
export function speaks(load) {
  speakers.add(load);
}

/** Load the texts of all registered loaders in a language. @param {Language} [language] */
export async function learn(language = preferences.language) {
  let known;
  do {
    known = speakers.size;
    await Promise.all([...speakers].map((load) => load(language)));
    // Modules loaded meanwhile may have registered loaders too.
  } while (speakers.size > known);
}

/** A module, once its texts are loaded too. @template M @param {Promise<M>} module @returns {Promise<M>} */
export async function worded(module) {
  const loaded = await module;
  await learn();
  return loaded;
}

/**
 * A function that returns a text in the language of the screen, once `learn` has loaded it; `{name}` stands for a value.
 *
 * @template {Record<string, string>} T
 * @param {Record<Language, () => Promise<{ default: T }>>} languages
 * @returns {(key: keyof T, values?: Record<string, string | number>) => string}
 */
export function dictionary(languages) {
  /** @type {Map<Language, T>} */
  const texts = new Map();
  speaks(async (language) => {
    if (!texts.has(language)) texts.set(language, (await languages[language]()).default);
  });
  return (key, values = {}) => {
    const text = /** @type {T} */ (texts.get(preferences.language))[key];
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? `{${name}}`));
  };
}

export const t = dictionary({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });
