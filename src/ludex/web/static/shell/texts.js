/** The texts on screen: a JSON catalogue per language and part of the app or game, loaded before anything draws it. */

import { preferences } from "./preferences.js";

/** @typedef {import("../types/texts.js").Catalogues} Catalogues */
/** @typedef {import("../types/texts.js").Texts} Texts */
/** @template {Texts} T @typedef {import("../types/texts.js").Say<T>} Say */

/** The addresses of the catalogues in use, `*` in place of the language. @type {Set<string>} */
const used = new Set();
/** @type {Map<string, Promise<any>>} by address */
const requests = new Map();
/** @type {Map<string, any>} by address */
const catalogues = new Map();

/** @param {string} part */
const addressOf = (part) => `/static/texts/*/${part}.json`;

/** The address of a game's catalogue. @param {string} game */
export const gameTexts = (game) => `/static/games/${game}/texts.*.json`;

/** Load parts of the app's texts. @param {readonly string[]} parts */
export async function loadParts(parts) {
  await Promise.all(parts.map((part) => loadTexts(addressOf(part))));
}

/** Load a catalogue in the language of the screen. @param {string} address with `*` in place of the language */
export async function loadTexts(address) {
  used.add(address);
  await load(address, preferences.language);
}

/** Load everything that was loaded before in another language. @param {Language} language */
export async function loadLanguage(language) {
  await Promise.all([...used].map((address) => load(address, language)));
}

/** @param {string} address @param {Language} language */
async function load(address, language) {
  const file = address.replace("*", language);
  let request = requests.get(file);
  if (!request) {
    request = fetchCatalogue(file);
    requests.set(file, request);
    // The caller that waits for it reports the failure; the next visit asks again.
    request.catch(() => requests.delete(file));
  }
  await request;
}

/** @param {string} file */
async function fetchCatalogue(file) {
  const response = await fetch(file);
  if (!response.ok) throw new TypeError(`${file} cannot be loaded: status ${response.status}`);
  catalogues.set(file, await response.json());
}

/** A loaded catalogue in the language of the screen. @param {string} address */
function catalogue(address) {
  return catalogues.get(address.replace("*", preferences.language));
}

/**
 * A function that returns a text of a section of the app's texts, once the part is loaded.
 *
 * @template {keyof Catalogues} P
 * @template {keyof Catalogues[P]} S
 * @param {P} part
 * @param {S} section
 * @returns {Say<Catalogues[P][S]>}
 */
export function texts(part, section) {
  const address = addressOf(part);
  return (key, values) => write(catalogue(address)[section][key], values);
}

/**
 * A function that returns the text of a name that comes from outside, or null if a section has none.
 *
 * @template {keyof Catalogues} P
 * @param {P} part
 * @param {keyof Catalogues[P]} section
 * @returns {(name: string) => string | null}
 */
export function lookUp(part, section) {
  const address = addressOf(part);
  return (name) => {
    const entries = catalogue(address)[section];
    return Object.hasOwn(entries, name) ? entries[name] : null;
  };
}

/**
 * A function that returns a text of a game's own catalogue, which is loaded with its renderer.
 *
 * @template {Texts} T
 * @param {string} game
 * @returns {Say<T>}
 */
export function textsOf(game) {
  const address = gameTexts(game);
  return (key, values) => write(catalogue(address)[key], values);
}

/**
 * A text with values in place of `{name}`; one with plural forms follows `count`.
 * @param {Texts[string]} text @param {Record<string, string | number>} [values]
 */
function write(text, values = {}) {
  const form = typeof text === "string" ? text : (text[plural(Number(values.count))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? `{${name}}`));
}

/** A number as the language of the screen writes it. @param {number} value @param {Intl.NumberFormatOptions} how */
export const numeral = (value, how) => new Intl.NumberFormat(preferences.language, how).format(value);

/** @param {number} count */
const plural = (count) => new Intl.PluralRules(preferences.language).select(count);

// The document names the parts of its page: they travel together with the modules.
const { parts } = document.documentElement.dataset;
if (parts) void loadParts(parts.split(" ")).catch(() => {});

export const t = texts("shell", "frame");
