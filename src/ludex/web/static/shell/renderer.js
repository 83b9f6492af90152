// @ts-check
/** Loads renderers; `types/renderer.d.ts` is their interface. */

import { preferences } from "./preferences.js";
import { learn } from "./texts.js";

/** @typedef {import("../types/renderer.js").Renderer} Renderer */

/** @type {Map<string, Promise<Renderer>>} */
const renderers = new Map();

/**
 * The renderer of a name, with its style sheet in place and its words known.
 *
 * @param {string | null} name null: the generic board of legal moves
 * @returns {Promise<Renderer>}
 */
export function loadRenderer(name) {
  const module = name ?? "generic";
  let found = renderers.get(module);
  if (!found) {
    found = load(module);
    found.catch(() => renderers.delete(module));
    renderers.set(module, found);
  }
  return found;
}

/** @param {string} module @returns {Promise<Renderer>} */
async function load(module) {
  const [loaded] = await Promise.all([
    import(`../games/${module}.js`),
    // Its texts are loaded together with the module, not after it.
    import(`../games/${module}.${preferences.language}.js`),
    stylesheet(`/static/games/${module}.css`),
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
  return (await import(`../games/${name}.preview.js`)).default;
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
