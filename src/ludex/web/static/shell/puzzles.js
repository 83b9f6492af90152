/** The puzzles of every game by theme, the puzzle of the day, and where a person stands. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { Daily } from "./daily.js";
import { icon } from "./icons.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { POLL_MS } from "./preparing.js";
import { overview, say, standing } from "./puzzleapi.js";
import { t, texts } from "./texts.js";

const round = texts("rounds", "rounds");

export default class PuzzlesPage extends BasePage {
  static styles = ["puzzles", "daily"];
  /** @type {Schemas["PuzzleOverview"] | null} */
  overview = null;
  /** @type {Daily | null} */
  daily = null;
  poll = 0;

  title() {
    return say("puzzles");
  }

  async open() {
    this.overview = await overview();
    this.daily = this.overview.daily && new Daily(this.shell, this.overview.daily);
    void this.loadBoard();
  }

  /** Show the board of the puzzle of the day, where its game is ready. */
  async loadBoard() {
    await this.shell.attempt(async () => {
      const { games } = await api.games();
      const card = games.find(({ id }) => id === this.daily?.daily.game);
      const state = card?.preparation.state;
      if (state === "ready") await this.daily?.loadBoard(games);
      else if (state !== "failed" && card && !this.closed)
        this.poll = window.setTimeout(() => void this.loadBoard(), POLL_MS);
      this.shell.redraw();
    });
  }

  close() {
    super.close();
    clearTimeout(this.poll);
  }

  draw() {
    const { overview } = this;
    if (!overview) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="puzzles">
      <header><h1>${say("puzzles")}</h1>${standing(overview.standing)}</header>
      <p class="muted">${say("about")}</p>
      ${this.daily?.draw() ?? html`<p>${say("none")}</p>`}
      ${this.mistakes(overview.mistakes)}
      <div class="puzzle-games">${overview.games.map((game) => this.game(game))}</div>
      <p><a class="button quiet" href="/me" data-page>${say("yours")}</a></p>
    </div>`;
  }

  /** @param {Schemas["OwnMistakes"]} mistakes */
  mistakes({ count, solved }) {
    if (!count) return html`<p class="muted">${say("mistakes_none")}</p>`;
    return html`<a class="panel own-mistakes" href="/puzzles/mistakes" data-page><strong>${say("mistakes")}</strong>
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
