/** What pages share that show positions of a game outside its matches: they wait while the game is being prepared. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError } from "./api.js";
import { BasePage } from "./page.js";
import { POLL_MS, progress, say } from "./preparing.js";
import { contextOf } from "./shown.js";

export class BoardPage extends BasePage {
  /** @type {Renderer | null} */
  renderer = null;
  /** @type {string | null} the move that is on its way */
  pending = null;
  /** @type {GamePreparation | null} how far the game is, while it is being prepared */
  preparation = null;
  waiting = 0;
  /** @type {number | undefined} how far from the top of the page the board was at first */
  place = undefined;

  close() {
    super.close();
    clearTimeout(this.waiting);
  }

  /** Load something of a game; while the game is being prepared, try again. @param {() => Promise<void>} load */
  async whenPrepared(load) {
    try {
      await load();
      this.preparation = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "preparing") throw error;
      this.preparation = error.preparation;
      if (!this.closed) this.waiting = window.setTimeout(() => this.whenPrepared(load).catch(this.shell.fail), POLL_MS);
    }
    this.shell.redraw();
  }

  /** Load something, and bring the reader to its task. @param {() => Promise<void>} load */
  goTo(load) {
    void this.steadily(load, true)
      .then(() => document.getElementById("task")?.focus({ preventScroll: true }))
      .catch(this.shell.fail);
  }

  /** Send a move, which is shown as pending meanwhile. @param {string} text @param {() => Promise<void>} send */
  async send(text, send) {
    this.busy = true;
    this.pending = text;
    this.shell.redraw();
    await this.steadily(async () => {
      try {
        await send();
      } catch (error) {
        this.shell.fail(error);
      } finally {
        this.busy = false;
        this.pending = null;
        this.shell.redraw();
      }
    });
  }

  /**
   * Do something that changes what is said beside a board; on a phone, where it is said above and below, the board stays
   * where it is on the screen, and goes up where an answer would cover it.
   * @param {() => Promise<void>} change @param {boolean} [initial] whether the board goes back to where the page showed it first
   */
  async steadily(change, initial = false) {
    const narrow = matchMedia("(max-width: 940px)").matches;
    const lies = () => document.querySelector(".learn-board svg.board")?.getBoundingClientRect();
    const before = lies()?.top;
    if (before !== undefined) this.place ??= before + scrollY;
    await change();
    const after = lies();
    if (!narrow || before === undefined || !after) return;
    scrollBy(0, after.top - (initial ? (this.place ?? 0) : before));
    const [board, reply] = [lies(), document.querySelector(".learn-reply")?.getBoundingClientRect()];
    if (board && reply) scrollBy(0, Math.max(0, Math.min(board.top, board.bottom - reply.top)));
  }

  /** Make a move. @param {string} _text @returns {Promise<void>} */
  async play(_text) {}

  /**
   * The context of the page's board, on which moves are made.
   * @param {string} game @param {Parameters<typeof contextOf>[1]} position @param {Partial<Context>} more what else is so
   */
  boardContext(game, position, more) {
    const { ui, pending } = this;
    const { redraw, announce } = this.shell;
    return contextOf(game, position, { ui, pending, redraw, announce, play: (text) => this.play(text), ...more });
  }

  /**
   * A task and what is answered beside their board; on a phone the answer stands below it, where it moves no board.
   * @param {Context} ctx @param {unknown} task @param {unknown} reply @param {unknown} [above] what stands above the board
   */
  exercise(ctx, task, reply, above = nothing) {
    return html`<div class="learn-step">
      <div class="learn-side"><section class="panel learn-task" aria-labelledby="task">${task}</section>
        <div class="panel learn-reply">${reply}</div></div>
      <div class="learn-board">
        ${above}
        <div class="board-frame" aria-busy=${this.busy}>${this.renderer?.board(ctx)}</div>
        ${this.renderer?.firstPanels?.(ctx) ?? nothing}
      </div>
    </div>`;
  }

  /** The context of the board that takes keys now; null if none does. @returns {Context | null} */
  keyContext() {
    return null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    // A focused control outside the board keeps its keys for itself.
    const elsewhere =
      target.closest("input, select, textarea, dialog[open]") ||
      (target.closest("button, a, summary") && !target.closest(".board"));
    if (!this.renderer?.key || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    const ctx = this.keyContext();
    if (ctx && this.renderer.key(event, ctx)) event.preventDefault();
  }

  /** @param {GamePreparation} preparation */
  drawPreparation(preparation) {
    return html`<div class="alone"><p>${say("match")}</p>${progress(preparation)}</div>`;
  }
}
