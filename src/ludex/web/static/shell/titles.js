// @ts-check
/** What games are called in the language of the screen. */

import { api } from "./api.js";
import { preferences } from "./preferences.js";
import { loadPreview } from "./renderer.js";

/** @type {Map<string, import("./renderer.js").Picture>} */
const pictures = new Map();

/** Learn what the games call themselves; known ones are not asked again. */
export async function loadTitles() {
  if (pictures.size) return;
  const { games } = await api.games();
  await Promise.all(
    games.map(async ({ id, renderer }) => {
      if (renderer !== null) pictures.set(id, await loadPreview(renderer));
    }),
  );
}

/** @param {string} game @param {string} english */
export function gameTitle(game, english) {
  return pictures.get(game)?.words?.[preferences.language]?.title ?? english;
}
