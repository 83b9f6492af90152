/** Loads what games ship for the browser; `types/renderer.d.ts` says what that is. */

import { api } from "./api.js";
import { gameTexts, loadParts, loadTexts } from "./texts.js";

/** @type {Map<string, Promise<Renderer>>} */
const renderers = new Map();

/** The folder of a renderer's files. @param {string} name */
export function folderOf(name) {
  return `/static/games/${name}`;
}

/**
 * A renderer, with its style sheet in place and its texts loaded.
 * @param {string | null} name null: the generic board @returns {Promise<Renderer>}
 */
export function loadRenderer(name) {
  const key = name ?? "";
  let renderer = renderers.get(key);
  if (!renderer) {
    renderer = load(name);
    renderer.catch(() => renderers.delete(key));
    renderers.set(key, renderer);
  }
  return renderer;
}

/** The renderer of a game. @param {string} game */
export async function rendererOf(game) {
  const { games } = await api.games();
  return loadRenderer(games.find(({ id }) => id === game)?.renderer ?? null);
}

/** @param {string | null} name @returns {Promise<Renderer>} */
async function load(name) {
  const folder = name === null ? "/static/generic" : folderOf(name);
  const [module] = await Promise.all([
    import(`${folder}/renderer.js`),
    name === null ? loadParts(["generic"]) : loadTexts(gameTexts(name)),
    stylesheet(`${folder}/renderer.css`),
  ]);
  return module.default;
}

/** Add a style sheet once. @param {string} href @returns {Promise<void>} */
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
