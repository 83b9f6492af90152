/** The puzzle of the day as a board on the home page; loaded after the page, with the renderer of its game. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { preferences } from "./preferences.js";
import { overview, puzzle, say } from "./puzzleapi.js";
import { loadRenderer } from "./renderer.js";
import { contextOf } from "./shown.js";

export class Daily {
  /** @param {Shell} shell @param {Schemas["DailyPuzzle"]} daily */
  constructor(shell, daily) {
    this.shell = shell;
    this.daily = daily;
    /** @type {{ view: Schemas["PuzzleView"], renderer: Renderer } | null} */
    this.board = null;
    /** @type {Record<string, any>} */
    this.ui = {};
  }

  /** The puzzle of the day; null where no game ships puzzles. @param {Shell} shell */
  static async load(shell) {
    const { daily } = await overview();
    return daily && new Daily(shell, daily);
  }

  /** Load its board, once its game is prepared. @param {GameCard[]} games */
  async loadBoard(games) {
    const { game, id } = this.daily;
    const name = games.find((card) => card.id === game)?.renderer ?? null;
    await this.shell.attempt(async () => {
      const [view, renderer] = await Promise.all([puzzle(game, id), loadRenderer(name)]);
      this.board = { view, renderer };
    });
  }

  draw() {
    const { daily, board } = this;
    const { language } = preferences;
    return html`<section class="daily">
      <div class="daily-board" data-game=${daily.game} aria-hidden="true" inert>${
        board
          ? board.renderer.board(contextOf(daily.game, board.view.position, { ui: this.ui, redraw: this.shell.redraw }))
          : nothing
      }</div>
      <div class="daily-text">
        <h2><a href="/puzzles/${daily.game}/${daily.id}" data-page>${say("daily")}</a></h2>
        <p>${daily.names[language]} · ${daily.title[language]}</p>
        <p class="muted">${daily.solved ? say("solved_today") : (board?.view.task[language] ?? say("same_for_all"))}</p>
      </div>
    </section>`;
  }
}
