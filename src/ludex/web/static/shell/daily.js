/** The puzzle of the day as a board on the home page; loaded after the page, with what its game draws it with. */

import { html } from "../vendor/lit-html/lit-html.js";
import { preferences } from "./preferences.js";
import { overview, puzzle, say } from "./puzzleapi.js";
import { loadThumbnail } from "./pictures.js";
import { say as sayPreparing } from "./preparing.js";
import { contextOf } from "./shown.js";

export class Daily {
  /** @param {Shell} shell @param {Schemas["DailyPuzzle"]} daily */
  constructor(shell, daily) {
    this.shell = shell;
    this.daily = daily;
    /** @type {{ view: Schemas["PuzzleView"], renderer: Pick<Renderer, "board"> } | null} */
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
    const card = games.find((card) => card.id === game);
    if (!card) return;
    await this.shell.attempt(async () => {
      const [view, renderer] = await Promise.all([puzzle(game, id), loadThumbnail(card)]);
      this.board = { view, renderer };
    });
  }

  /** @param {NonNullable<Daily["board"]>} board */
  picture({ view, renderer }) {
    const { redraw } = this.shell;
    return renderer.board(
      contextOf(this.daily.game, view.position, { ui: this.ui, redraw, thumbnail: true, overlay: "none" }),
    );
  }

  draw() {
    const { daily, board } = this;
    const { language } = preferences;
    return html`<section class="daily">
      <div class="daily-board" data-game=${daily.game} aria-hidden="true" inert>${
        board ? this.picture(board) : html`<p class="daily-wait muted">${sayPreparing("begun")}</p>`
      }</div>
      <div class="daily-text">
        <h2><a href="/puzzles/${daily.game}/${daily.id}" data-page>${say("daily")}</a></h2>
        <p>${daily.names[language]} · ${daily.title[language]}</p>
        <p class="muted">${daily.solved ? say("solved_today") : (board?.view.task[language] ?? say("same_for_all"))}</p>
        <p><a href="/puzzles/calendar" data-page>${say("calendar")}</a></p>
      </div>
    </section>`;
  }
}
