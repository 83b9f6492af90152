// @ts-check
/** What games and their machines are called where the screen does not speak the server's English. */

import { api } from "./api.js";
import { preferences } from "./preferences.js";
import { learn, speaks } from "./texts.js";

/** @typedef {import("../types/renderer.js").Card} Card */

/** @type {Map<string, string>} by game */
const renderers = new Map();
/** @type {Record<import("../types/renderer.js").Language, Map<string, Card>>} by game; English is the server's */
const cards = { en: new Map(), fr: new Map() };

speaks(async (language) => {
  if (language === "en") return;
  const known = cards[language];
  await Promise.all(
    [...renderers].map(async ([game, renderer]) => {
      if (!known.has(game)) known.set(game, (await import(`../games/${renderer}.card.${language}.js`)).default);
    }),
  );
});

/** Learn what games call themselves. @param {{ id: string, renderer: string | null }[]} games */
export async function introduce(games) {
  for (const { id, renderer } of games) if (renderer !== null) renderers.set(id, renderer);
  await learn();
}

/** Learn what every game calls itself. */
export async function loadTitles() {
  await introduce((await api.games()).games);
}

/** What a game's own files say of it; undefined: nothing beyond what the server does. @param {string} game @returns {Card | undefined} */
export function cardOf(game) {
  return cards[preferences.language].get(game);
}

/** @param {string} game @param {string} english */
export function gameTitle(game, english) {
  return cardOf(game)?.title ?? english;
}
