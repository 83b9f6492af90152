// @ts-check
/** Texts by names that come from outside, some of which have none. */

import { preferences } from "./preferences.js";
import { speaks } from "./texts.js";

/** @typedef {import("../types/renderer.js").Language} Language */

/**
 * A function that returns the text of a name in the language of the screen, or null if it has none.
 *
 * @param {Record<Language, () => Promise<{ default: Record<string, string> }>>} languages
 * @returns {(name: string) => string | null}
 */
export function glossary(languages) {
  /** @type {Map<Language, Map<string, string>>} */
  const texts = new Map();
  speaks(async (language) => {
    if (!texts.has(language)) texts.set(language, new Map(Object.entries((await languages[language]()).default)));
  });
  return (name) => texts.get(preferences.language)?.get(name) ?? null;
}
