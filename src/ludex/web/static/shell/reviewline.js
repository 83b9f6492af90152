/** What a review draws: the graph, a mistake beside a better move with how play goes on, and "Try again" from before it. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { preferences } from "./preferences.js";
import { contextOf } from "./shown.js";
import { texts } from "./texts.js";

/** @typedef {import("./review.js").default} ReviewPage */
/** @typedef {"played" | "better"} Which */

const say = texts("review", "page");

/** The moves of a line that are offered. */
const MOST = 8;

/** A position of a review, after other moves from there. @param {ReviewPage} page @param {number} ply @param {string[]} moves */
async function positionAt(page, ply, moves = []) {
  const query = moves.map((text) => `moves=${encodeURIComponent(text)}`).join("&");
  /** @type {Schemas["ReviewPosition"]} */
  const answer = await request("GET", `${page.address}/${ply}${query ? `?${query}` : ""}`);
  return answer.position;
}

/**
 * A position as the review shows it: from the side from which the person saw the match.
 * @param {ReviewPage} page @param {ShownPosition} position @param {Partial<Context>} more
 */
function contextIn(page, position, more) {
  const { shell, match } = page;
  const context = contextOf(match?.game ?? "", position, {
    ui: {},
    redraw: shell.redraw,
    announce: shell.announce,
    ...more,
  });
  return match ? { ...context, match: { ...context.match, seats: match.seats } } : context;
}

export class ReviewLine {
  /** @param {ReviewPage} page @param {ReviewedMove} move @param {ShownPosition} before */
  constructor(page, move, before) {
    this.page = page;
    this.move = move;
    /** @type {ShownPosition} before the move, or after some moves of a line */
    this.position = before;
    this.before = before;
    /** @type {Which} */
    this.which = "better";
    /** How many moves of the line are played on the board. */
    this.step = 0;
    /** @type {Record<string, any>} */
    this.ui = {};
  }

  /** @param {ReviewPage} page @param {ReviewedMove} move */
  static async begin(page, move) {
    return new ReviewLine(page, move, await positionAt(page, move.ply));
  }

  /** @param {Which} which */
  moves(which) {
    const { move } = this;
    return (which === "better" ? move.line : [move.text, ...move.reply]).slice(0, MOST);
  }

  /** Play so many moves of a line on the board. @param {Which} which @param {number} step */
  async go(which, step) {
    const moves = this.moves(which).slice(0, step);
    await this.page.shell.attempt(async () => {
      this.position = moves.length ? await positionAt(this.page, this.move.ply, moves) : this.before;
      [this.which, this.step, this.ui] = [which, moves.length, {}];
    });
  }

  /** @returns {DrawnMove[]} */
  get drawn() {
    const { move } = this;
    const next = this.moves(this.which)[this.step];
    if (this.step) return next ? [{ text: next, kind: this.which }] : [];
    return [
      { text: move.text, kind: "played" },
      { text: move.best, kind: "better" },
    ];
  }

  /** @param {Renderer} renderer */
  board(renderer) {
    return renderer.board(
      contextIn(this.page, this.position, {
        ui: this.ui,
        drawn: this.drawn,
        marked: this.step ? [] : this.move.reasons.flatMap((reason) => reason.cells),
      }),
    );
  }

  /** Both lines as moves to press; in a game of chance only what was played and what was better. */
  lines() {
    const { page, move, step, which } = this;
    const playable = page.review?.luck.every((luck) => luck === null);
    const row = (
      /** @type {Which} */ kind,
      /** @type {string} */ first,
    ) => html`<div class="review-line-row drawn-${kind}">
      <span class="review-line-name"><span aria-hidden="true">${kind === "played" ? "?" : "★"}</span>
        ${say(/** @type {const} */ (`line_${kind}`))}</span>
      <ol>${this.moves(kind).map((text, index) =>
        playable
          ? html`<li><button class="quiet ply" aria-current=${which === kind && step === index + 1 ? "step" : nothing}
            @click=${() => this.go(kind, index + 1)}>${index ? text : first}</button></li>`
          : html`<li>${index ? text : first}</li>`,
      )}</ol></div>`;
    const length = this.moves(which).length;
    return html`<div class="review-lines" role="group" aria-label=${say("lines")}>
      ${row("played", page.worded(move))} ${row("better", page.bestWords(move))}
      ${
        playable
          ? html`<p class="review-line-steps">
            <button class="small" ?disabled=${step === 0} @click=${() => this.go(which, step - 1)}>${say("line_back")}</button>
            <button class="small" ?disabled=${step >= length} @click=${() => this.go(which, step + 1)}>${say("line_next")}</button>
            ${step ? html`<button class="small quiet" @click=${() => this.go(which, 0)}>${say("line_compare")}</button>` : nothing}</p>`
          : nothing
      }
    </div>`;
  }
}

/** A share as people read it. @param {number} share */
export const percent = (share) => String(Math.round(100 * share));

/** The position before a mistake, in which a person looks for a better move and the analyst judges it. */
export class Retry {
  /** @param {ReviewPage} page @param {ReviewedMove} move @param {ShownPosition} position */
  constructor(page, move, position) {
    this.page = page;
    this.move = move;
    this.position = position;
    /** @type {Schemas["RetryVerdict"] | null} of the last move tried */
    this.verdict = null;
    this.solved = false;
    /** @type {ReviewLine | null} once the better move is shown */
    this.line = null;
    /** @type {Record<string, any>} */
    this.ui = {};
  }

  /** @param {ReviewPage} page @param {ReviewedMove} move */
  static async begin(page, move) {
    return new Retry(page, move, await positionAt(page, move.ply));
  }

  /** @param {string} text */
  async play(text) {
    if (this.page.pending !== null || this.solved) return;
    await this.page.send(text, async () => {
      this.verdict = await request("POST", `${this.page.address}/try`, { ply: this.move.ply, text });
      this.solved = this.verdict?.accepted ?? false;
    });
  }

  /** @param {Renderer} renderer */
  board(renderer) {
    if (this.line) return this.line.board(renderer);
    const { verdict } = this;
    const { pending } = this.page;
    return renderer.board(
      contextIn(this.page, this.position, {
        ui: this.ui,
        mayMove: pending === null && !this.solved,
        pending,
        // Dots and crosses of what is legal would hide what is to be found.
        overlay: "none",
        drawn:
          verdict && pending === null ? [{ text: verdict.text, kind: verdict.accepted ? "better" : "played" }] : [],
        play: (text) => this.play(text),
        judge: async () => ({ legal: true, message: null }),
      }),
    );
  }

  panel() {
    const { page, move, verdict } = this;
    const { pending } = page;
    const following = page.mistakes.find((one) => one.ply > move.ply && one.player === move.player);
    return html`<section class="panel review-retry">
      <h2 id="retry-task" tabindex="-1">${say("try")}</h2>
      <p>${say("try_task", { player: page.named(move.player), move: page.worded(move) })}</p>
      <div role="status">
        ${pending === null ? nothing : html`<p class="muted">${say("try_judging")}</p>`}
        ${
          verdict && pending === null
            ? html`<p class=${verdict.accepted ? "right" : "wrong"}>${say(
                verdict.accepted ? "try_right" : "try_wrong",
                { move: verdict.words?.[preferences.language] ?? verdict.text, loss: percent(verdict.loss) },
              )}</p>`
            : nothing
        }
        ${
          this.line
            ? html`<p>${say("solution", { move: page.bestWords(move) })}</p>
              ${move.reasons.map((reason) => page.reason(move, reason.text[preferences.language]))}`
            : nothing
        }
      </div>
      ${this.line?.lines() ?? nothing}
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
    this.line = new ReviewLine(this.page, this.move, this.position);
    this.page.shell.redraw();
  }
}

const WIDTH = 600;
const HEIGHT = 160;

/**
 * @param {ReviewView} review @param {number[]} moments @param {number} at the ply shown @param {string} label @param {(ply: number) => void} go
 */
export function reviewGraph(review, moments, at, label, go) {
  const last = Math.max(1, review.probabilities.length - 1);
  const x = (/** @type {number} */ ply) => (WIDTH * ply) / last;
  const y = (/** @type {number} */ share) => HEIGHT * (1 - share);
  const known = review.probabilities.flatMap((share, ply) => (share === null ? [] : [{ ply, share }]));
  const line = known
    .map(({ ply, share }, index) => `${index ? "L" : "M"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`)
    .join("");
  const [begin, end] = [known[0], known[known.length - 1]];
  const area = begin && end ? `${line}L${x(end.ply).toFixed(1)} ${HEIGHT}L${x(begin.ply).toFixed(1)} ${HEIGHT}Z` : "";
  const choose = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    go(Math.round((last * (event.clientX - box.left)) / box.width));
  };
  const share = review.probabilities[at];
  return html`<svg class="review-graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
    aria-label=${label} @click=${choose}>
    <rect class="review-below" x=${x(begin?.ply ?? 0)} width=${x((end?.ply ?? 0) - (begin?.ply ?? 0))} height=${HEIGHT} />
    ${svg`<path class="review-area" d=${area} />`}
    ${svg`<line class="review-even" x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />`}
    ${svg`<path class="review-line" d=${line} />`}
    ${moments.map((ply) => svg`<line class="review-moment" x1=${x(ply + 1)} x2=${x(ply + 1)} y1="0" y2=${HEIGHT} />`)}
    ${svg`<line class="review-now" x1=${x(at)} x2=${x(at)} y1="0" y2=${HEIGHT} />`}
    ${share === null || share === undefined ? nothing : svg`<path class="review-dot" d="M${x(at)} ${y(share)}h0.01" />`}
  </svg>`;
}
