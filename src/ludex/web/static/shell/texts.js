// @ts-check
/** What the screens say, in English and French. Renderers keep dictionaries of their own beside their boards. */

import { preferences } from "./preferences.js";

/** @typedef {"en" | "fr"} Language */

/**
 * A function that says a text in the language of the screen; `{name}` stands for a value.
 *
 * @template {Record<string, string>} T
 * @param {{ en: T, fr: { [K in keyof T]: string } }} texts
 * @returns {(key: keyof T, values?: Record<string, string | number>) => string}
 */
export function dictionary(texts) {
  return (key, values = {}) =>
    texts[preferences.language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? `{${name}}`));
}
