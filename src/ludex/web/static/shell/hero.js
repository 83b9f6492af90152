/** The first screen of the home page: what this is, a game at the person's level, the one to continue, the puzzle of the day. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { boardName, difficulties, otherBoard } from "./choice.js";
import { icon } from "./icons.js";
import { prefer, preferences, reached } from "./preferences.js";
import { texts } from "./texts.js";

/** @typedef {import("./home.js").default} HomePage */

const say = texts("home", "page");

/** Keeps the place of the puzzle of the day while it loads: what is below must not move under a finger. */
const DAILY_PLACE = html`<section class="daily" aria-hidden="true"><div class="daily-board"></div></section>`;

/** @param {HomePage} page */
export function hero(page) {
  const unfinished = page.own.unfinished();
  return html`<section class="first ${page.daily === null ? "" : "with-daily"}">
    <div class="pitch">
      <h1 class="hero">${say("tagline")}</h1>
      <p class="lead">${say("lead")}</p>
      <div class="now">${unfinished} ${quick(page, unfinished === nothing)}</div>
      ${welcomed(page.games.games, page.own.matches, page.shell.redraw)}
    </div>
    ${page.daily === undefined ? DAILY_PLACE : (page.daily?.draw() ?? nothing)}
  </section>`;
}

/**
 * One click to the game that the person played last, or the first, at the level that their results suggest.
 * @param {HomePage} page @param {boolean} first whether nothing is to be continued
 */
function quick(page, first) {
  const { games } = page.games;
  const last = page.own.matches.find(({ agents }) => agents.includes("you"))?.game;
  const card = games.find(({ id }) => id === last) ?? games[0];
  if (!card) return nothing;
  const choice = page.choice(card);
  const alone = card.players === 1;
  const own = alone ? choice.preset : choice.level;
  const offer = page.offers.get(card.id);
  const next = offer?.level === own && offer.offer ? offer.offer : own;
  const { levels } = page.players(card, boardName(choice.preset, choice.options));
  const level = difficulties(card, levels).find(({ name }) => name === next);
  const begin = () => {
    if (next !== own) page.choose(card, alone ? otherBoard(choice, next) : { level: next });
    void page.begin(card, "machine");
  };
  return (
    page.making(card) ??
    html`<button class="quick large ${first ? "primary" : ""}" ?disabled=${page.starting !== null || page.awaited !== null}
    @click=${begin}>${icon("play")}
    <span>${say("quick", { game: card.names[preferences.language] })}${
      level ? html`<small>${say(alone ? "quick_board" : "quick_level", { level: level.title })}</small>` : nothing
    }</span></button>`
  );
}

const sayWelcome = texts("home", "welcome");

/**
 * Nothing once the person has finished a match, or has said no.
 * @param {GameCard[]} games @param {Schemas["MatchLine"][]} matches the person's own @param {() => void} redraw
 */
export function welcomed(games, matches, redraw) {
  const taught = games.filter((card) => card.tutorial > 0 && !card.shelf);
  const unfinished = taught.filter((card) => reached(card.id).step > 0 && reached(card.id).step < card.tutorial);
  const experienced = preferences.welcomed || matches.some(({ live, agents }) => !live && agents.includes("you"));
  const offered = experienced ? unfinished : taught;
  if (!offered.length) return nothing;
  const close = () => {
    prefer({ welcomed: true });
    redraw();
  };
  return html`<section class="welcome" aria-labelledby="welcome-title">
    <p><strong id="welcome-title">${sayWelcome("title")}</strong> ${sayWelcome("text")}</p>
    <div class="welcome-games">
      ${offered.map((card) => {
        const game = card.names[preferences.language];
        const label = unfinished.includes(card) ? sayWelcome("go_on", { game }) : game;
        return html`<a class="button" href="/learn/${card.id}" data-page>${label}</a>`;
      })}
      ${!experienced ? html`<button class="quiet" @click=${close}>${sayWelcome("later")}</button>` : nothing}
    </div>
  </section>`;
}

/** @param {GameCard} card */
export function learnLink(card) {
  return card.tutorial
    ? html`<a class="learn-link" href="/learn/${card.id}" data-page>${sayWelcome("learn")}<span class="unseen">
      ${card.names[preferences.language]}</span></a>`
    : nothing;
}
