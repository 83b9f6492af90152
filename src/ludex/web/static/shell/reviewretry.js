// @ts-check
/** "Try again": the position before a mistake, in which a person looks for a better move and the analyst judges it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { preferences } from "./preferences.js";
import { contextOf } from "./shown.js";
import { texts } from "./texts.js";

/** @typedef {import("./review.js").default} ReviewPage */
/** @typedef {import("./review.js").ReviewedMove} ReviewedMove */
/** @typedef {import("./teaching.js").ShownPosition} ShownPosition */
/** @typedef {import("../types/api.js").components["schemas"]["RetryVerdict"]} RetryVerdict */

const say = texts("review", "page");

/** A share as people read it. @param {number} share */
export const percent = (share) => String(Math.round(100 * share));

export class Retry {
  /** @param {ReviewPage} page @param {ReviewedMove} move @param {ShownPosition} position */
  constructor(page, move, position) {
    this.page = page;
    this.move = move;
    this.position = position;
    /** @type {RetryVerdict | null} of the last move tried */
    this.verdict = null;
    /** @type {string | null} the move that is being judged */
    this.pending = null;
    this.solved = false;
    /** @type {Record<string, any>} */
    this.ui = {};
  }

  /** @param {ReviewPage} page @param {ReviewedMove} move */
  static async begin(page, move) {
    /** @type {import("../types/api.js").components["schemas"]["ReviewPosition"]} */
    const found = await request("GET", `${page.address}/${move.ply}`);
    return new Retry(page, move, found.position);
  }

  /** @param {string} text */
  async play(text) {
    if (this.pending !== null || this.solved) return;
    this.pending = text;
    this.page.shell.redraw();
    try {
      this.verdict = await request("POST", `${this.page.address}/try`, { ply: this.move.ply, text });
      this.solved = this.verdict?.accepted ?? false;
    } catch (error) {
      this.page.shell.fail(error);
    } finally {
      this.pending = null;
      this.page.shell.redraw();
    }
  }

  /** @param {import("../types/renderer.js").Renderer} renderer */
  board(renderer) {
    const { shell } = this.page;
    const play = (/** @type {string} */ text) => this.play(text);
    const judge = async () => ({ legal: true, message: null });
    return renderer.board(
      contextOf(this.page.match?.game ?? "", this.position, {
        ui: this.ui,
        redraw: shell.redraw,
        announce: shell.announce,
        mayMove: this.pending === null && !this.solved,
        pending: this.pending,
        overlay: "legal",
        play,
        judge,
      }),
    );
  }

  panel() {
    const { page, move, verdict } = this;
    const following = page.mistakes.find((one) => one.ply > move.ply && one.player === move.player);
    return html`<section class="panel review-retry">
      <h2 id="retry-task" tabindex="-1">${say("try")}</h2>
      <p>${say("try_task", { player: page.named(move.player), move: page.worded(move) })}</p>
      <div role="status">
        ${this.pending === null ? nothing : html`<p class="muted">${say("try_judging")}</p>`}
        ${
          verdict && this.pending === null
            ? html`<p class=${verdict.accepted ? "right" : "wrong"}>${say(
                verdict.accepted ? "try_right" : "try_wrong",
                { move: verdict.words?.[preferences.language] ?? verdict.text, loss: percent(verdict.loss) },
              )}</p>`
            : nothing
        }
        ${this.solved && !verdict?.accepted ? html`<p>${say("solution", { line: page.better(move) })}</p>` : nothing}
      </div>
      <p class="actions">
        ${this.solved ? nothing : html`<button @click=${() => this.reveal()}>${say("show")}</button>`}
        ${
          following
            ? html`<button class=${this.solved ? "primary" : ""}
              @click=${() => page.again(following)}>${say("next_mistake")}</button>`
            : nothing
        }
        <button class="quiet" @click=${() => page.look(move.ply + 1)}>${say("back")}</button>
      </p>
    </section>`;
  }

  reveal() {
    this.solved = true;
    this.verdict = null;
    this.page.shell.redraw();
  }
}
