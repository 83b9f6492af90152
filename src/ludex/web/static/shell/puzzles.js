/** The puzzles of every game by theme, the puzzle of the day, and where a person stands. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { overview, say, standing } from "./puzzleapi.js";
import { stylesheet } from "./renderer.js";
import { t, texts } from "./texts.js";

const round = texts("rounds", "rounds");

export default class PuzzlesPage extends BasePage {
  /** @type {Schemas["PuzzleOverview"] | null} */
  found = null;

  title() {
    return say("puzzles");
  }

  async open() {
    [this.found] = await Promise.all([overview(), stylesheet("/static/style/puzzles.css")]);
  }

  draw() {
    const { found } = this;
    if (!found) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="puzzles">
      <header><h1>${say("puzzles")}</h1>${standing(found.standing)}</header>
      <p class="muted">${say("about")}</p>
      ${found.daily ? this.daily(found.daily) : html`<p>${say("none")}</p>`}
      ${this.mistakes(found.mistakes)}
      <div class="puzzle-games">${found.games.map((game) => this.game(game))}</div>
      <p><a class="button quiet" href="/me" data-page>${say("yours")}</a></p>
    </div>`;
  }

  /** @param {Schemas["DailyPuzzle"]} daily */
  daily(daily) {
    const { language } = preferences;
    return html`<a class="panel daily" href="/puzzles/${daily.game}/${daily.id}" data-page>
      <strong>${say("daily")}</strong>
      <span>${daily.names[language]} · ${daily.title[language]}</span>
      <span class="muted">${daily.solved ? say("solved_today") : daily.tried ? say("tried") : say("same_for_all")}</span>
    </a>
    <p><a class="button quiet" href="/puzzles/calendar" data-page>${say("calendar")}</a></p>`;
  }

  /** @param {Schemas["OwnMistakes"]} mistakes */
  mistakes({ count, solved }) {
    if (!count) return html`<p class="muted">${say("mistakes_none")}</p>`;
    return html`<a class="panel daily" href="/puzzles/mistakes" data-page><strong>${say("mistakes")}</strong>
      <span class="muted">${say("mistakes_of", { count, solved })}</span></a>`;
  }

  /** @param {Schemas["PuzzleGame"]} game */
  game(game) {
    const { language } = preferences;
    return html`<section class="panel" aria-labelledby="puzzles-${game.game}">
      <h2 id="puzzles-${game.game}">${game.names[language]}</h2>
      <ul>
        ${game.themes.map(
          (theme) => html`<li>
            <a class="button" href="/puzzles/${game.game}/${theme.theme}" data-page>${theme.title[language]}</a>
            <span class="muted">${
              theme.attempts
                ? say("solved_of", { solved: theme.solved, tried: theme.attempts })
                : say("count", { count: theme.puzzles })
            }</span>
          </li>`,
        )}
      </ul>
      ${
        game.themes.length > 1
          ? html`<a class="button primary" href="/puzzles/${game.game}" data-page>${icon("play")}
            ${say("mixed")}<span class="unseen"> ${game.names[language]}</span></a>`
          : nothing
      }
      <p class="rounds"><a class="button" href="/puzzles/round/${game.game}/rush" data-page>${round("rush_short")}<span
          class="unseen"> ${game.names[language]}</span></a>
        <a class="button" href="/puzzles/round/${game.game}/streak" data-page>${round("streak_short")}<span
          class="unseen"> ${game.names[language]}</span></a></p>
    </section>`;
  }
}
