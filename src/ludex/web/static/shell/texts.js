// @ts-check
/** What the screens say, in the language of whoever looks; words of other languages are not loaded. */

import { preferences } from "./preferences.js";

/** @typedef {import("../types/renderer.js").Language} Language */

/** Everything that says something: each loads what it says in a language. @type {Set<(language: Language) => Promise<void>>} */
const speakers = new Set();

/** Have something loaded before the screen speaks a language. @param {(language: Language) => Promise<void>} load */
export function speaks(load) {
  speakers.add(load);
}

/** Load what is said in a language, by all that is on the screen or about to be. @param {Language} [language] */
export async function learn(language = preferences.language) {
  let known;
  do {
    known = speakers.size;
    await Promise.all([...speakers].map((load) => load(language)));
    // Modules that arrived meanwhile say something too.
  } while (speakers.size > known);
}

/** A module that comes with what it says. @template M @param {Promise<M>} module @returns {Promise<M>} */
export async function worded(module) {
  const loaded = await module;
  await learn();
  return loaded;
}

/**
 * A function that says a text in the language of the screen, once `learn` has loaded it; `{name}` stands for a value.
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
