/** Small pictures of games and positions, from what games ship for the browser. */

import { folderOf, loadRenderer, stylesheet } from "./renderer.js";

/** The home page's picture of a game. @param {string} name @returns {Promise<Preview>} */
async function loadPreview(name) {
  return (await import(`${folderOf(name)}/preview.js`)).default;
}

/** The picture of a game, as the home page shows it; null where it has none. @param {GameCard} card @returns {Promise<Preview | null>} */
export async function loadPicture(card) {
  if (card.pictured) return loadPreview(card.id);
  return card.sketch ? (await import("../generic/board.js")).sketch(card.sketch) : null;
}

/**
 * What draws a position of a game in 200 pixels: the `thumbnail` of its `preview.js`, else its renderer.
 * @param {GameCard} card @returns {Promise<Pick<Renderer, "board">>}
 */
export async function loadThumbnail({ id, pictured, renderer }) {
  const { thumbnail = null } = pictured ? await import(`${folderOf(id)}/preview.js`) : {};
  if (!thumbnail) return loadRenderer(renderer);
  const [module] = await Promise.all([thumbnail(), stylesheet(`${folderOf(id)}/renderer.css`)]);
  return module.default;
}
