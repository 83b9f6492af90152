// @ts-check
/** The offer of tutorials to a newcomer, on the home page; a tutorial that was begun is offered until it is finished. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { gameTitle } from "./cards.js";
import { prefer, preferences } from "./preferences.js";
import { reached } from "./progress.js";
import { texts } from "./texts.js";

/** @typedef {import("./players.js").GameCard} GameCard */

const say = texts("home", "welcome");

/** @param {GameCard[]} games @param {() => void} redraw */
export function welcomed(games, redraw) {
  const taught = games.filter((card) => card.tutorial > 0);
  const begun = taught.filter((card) => reached(card.id).step > 0 && reached(card.id).step < card.tutorial);
  const offered = preferences.welcomed ? begun : taught;
  if (!offered.length) return nothing;
  const close = () => {
    prefer({ welcomed: true });
    redraw();
  };
  return html`<section class="panel welcome" aria-labelledby="welcome-title">
    <div><h2 id="welcome-title">${say("title")}</h2><p>${say("text")}</p></div>
    <div class="welcome-games">
      ${offered.map((card) => {
        const game = gameTitle(card.id, card.title);
        return html`<a class="button" href="/learn/${card.id}" data-page>${begun.includes(card) ? say("go_on", { game }) : game}</a>`;
      })}
      ${!preferences.welcomed ? html`<button class="quiet" @click=${close}>${say("later")}</button>` : nothing}
    </div>
  </section>`;
}

/** @param {GameCard} card */
export function learnLink(card) {
  return card.tutorial
    ? html`<p><a class="learn-link" href="/learn/${card.id}" data-page>${say("learn")}<span class="unseen">
      ${gameTitle(card.id, card.title)}</span></a></p>`
    : nothing;
}
