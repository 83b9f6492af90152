// @ts-check
/** Titles and summaries of games and agents in languages other than the server's English. */

import { api } from "./api.js";
import { preferences } from "./preferences.js";
import { loadCard } from "./renderer.js";
import { learn, speaks } from "./texts.js";

/** @typedef {import("../types/renderer.js").Card} Card */

/** Summaries of the agents that play every game; a game's own card wins. @type {Card["agents"]} */
const GENERIC_FR = {
  mcts: "recherche arborescente Monte-Carlo : joue beaucoup de parties jusqu’au bout et préfère ce qui a gagné",
  minimax: "alpha-bêta : autant de coups d’avance que sa limite le permet",
  random: "n’importe quel coup permis, au hasard",
};
/** The games that ship texts. @type {Set<string>} */
const translated = new Set();
/** @type {Record<import("../types/renderer.js").Language, Map<string, Card>>} by game; English is the server's */
const cards = { en: new Map(), fr: new Map() };

speaks(async (language) => {
  if (language === "en") return;
  const known = cards[language];
  await Promise.all(
    [...translated].map(async (game) => {
      if (!known.has(game)) known.set(game, await loadCard(game, language));
    }),
  );
});

/** Load the cards of games. @param {{ id: string, translated: boolean }[]} games */
export async function introduce(games) {
  for (const game of games) if (game.translated) translated.add(game.id);
  await learn();
}

/** Load the cards of every game. */
export async function loadTitles() {
  await introduce((await api.games()).games);
}

/** A game's card in the language of the screen; where it says nothing the server's texts are used. @param {string} game @returns {Card | undefined} */
export function cardOf(game) {
  const card = cards[preferences.language].get(game);
  if (preferences.language === "en") return card;
  return { ...card, agents: { ...GENERIC_FR, ...card?.agents } };
}

/** @param {string} game @param {string} english */
export function gameTitle(game, english) {
  return cardOf(game)?.title ?? english;
}
