// @ts-check
/** Loads what games ship for the browser; `types/renderer.d.ts` says what that is. */

import { preferences } from "./preferences.js";
import { learn } from "./texts.js";

/** @typedef {import("../types/renderer.js").Renderer} Renderer */

/** @type {Map<string, Promise<Renderer>>} */
const renderers = new Map();

/** The folder of a renderer's files. @param {string} name */
function folderOf(name) {
  return `/static/games/${name}`;
}

/**
 * A renderer, with its style sheet in place and its texts loaded.
 *
 * @param {string | null} name null: the generic board
 * @returns {Promise<Renderer>}
 */
export function loadRenderer(name) {
  const folder = name === null ? "/static/generic" : folderOf(name);
  let found = renderers.get(folder);
  if (!found) {
    found = load(folder);
    found.catch(() => renderers.delete(folder));
    renderers.set(folder, found);
  }
  return found;
}

/** @param {string} folder @returns {Promise<Renderer>} */
async function load(folder) {
  const [loaded] = await Promise.all([
    import(`${folder}/renderer.js`),
    // Its texts are loaded together with the module, not after it.
    import(`${folder}/texts.${preferences.language}.js`),
    stylesheet(`${folder}/renderer.css`),
  ]);
  await learn();
  return loaded.default;
}

/**
 * The home page's picture of a game.
 *
 * @param {string} name
 * @returns {Promise<import("../types/renderer.js").Preview>}
 */
export async function loadPreview(name) {
  return (await import(`${folderOf(name)}/preview.js`)).default;
}

/**
 * What is said of a game in a language other than the server's English.
 *
 * @param {string} name
 * @param {import("../types/renderer.js").Language} language
 * @returns {Promise<import("../types/renderer.js").Card>}
 */
export async function loadCard(name, language) {
  return (await import(`${folderOf(name)}/card.${language}.js`)).default;
}

/**
 * Add a style sheet once.
 *
 * @param {string} href
 * @returns {Promise<void>}
 */
export function stylesheet(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} cannot be loaded`));
    };
    document.head.append(link);
  });
}
