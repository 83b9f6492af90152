/** Titles and summaries of games and agents in languages other than the server's English. */

import { nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { preferences } from "./preferences.js";
import { catalogue, loadTexts } from "./texts.js";

/** @typedef {import("../types/renderer.js").Card} Card */

/** Summaries of the agents that play every game; a game's own card wins. */
const GENERIC = "/static/generic/card.*.json";

/** The address of a game's card. @param {string} game */
const cardAddress = (game) => `/static/games/${game}/card.*.json`;

/** Load the cards of games. @param {{ id: string, translated: boolean }[]} games */
export async function introduce(games) {
  const addresses = games.filter((game) => game.translated).map((game) => cardAddress(game.id));
  await Promise.all([GENERIC, ...addresses].map((address) => loadTexts(address, ["fr"])));
}

/** Load the cards of every game. */
export async function loadTitles() {
  await introduce((await api.games()).games);
}

/**
 * A game's card in the language of the screen; where it says nothing the server's texts are used.
 * @param {string} game @returns {Card | undefined}
 */
export function cardOf(game) {
  if (preferences.language === "en") return undefined;
  const card = /** @type {Card | undefined} */ (catalogue(cardAddress(game)));
  return { ...card, agents: { ...catalogue(GENERIC)?.agents, ...card?.agents } };
}

/** What is said of an agent that is no level. @param {GameCard} card @param {string} name */
export function machineAbout(card, name) {
  return cardOf(card.id)?.agents?.[name] ?? card.agents.find((agent) => agent.name === name)?.summary ?? nothing;
}

/** @param {string} game @param {string} english */
export function gameTitle(game, english) {
  return cardOf(game)?.title ?? english;
}
