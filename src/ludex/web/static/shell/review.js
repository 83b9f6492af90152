// @ts-check
/** The page of a review: the graph, both accuracies, the moves with their classes, and the mistakes to try again. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, ApiError, request } from "./api.js";
import { icon } from "./icons.js";
import { Live } from "./live.js";
import { preferences } from "./preferences.js";
import { POLL_MS, progress } from "./preparing.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { reviewGraph } from "./reviewgraph.js";
import { Retry, percent } from "./reviewretry.js";
import { named } from "./standing.js";
import { t, texts } from "./texts.js";

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["ReviewView"]} ReviewView */
/** @typedef {ReviewView["moves"][number]} ReviewedMove */
/** @typedef {import("../types/renderer.js").MatchView} MatchView */
/** @typedef {import("../types/renderer.js").Renderer} Renderer */
/** @typedef {import("../types/page.js").Page} Page */

const say = texts("review", "page");

/** What stands beside a move of each class. @type {Record<ReviewedMove["class"], string>} */
const SIGNS = { brilliant: "!!", best: "", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** @param {number} share */
const signed = (share) => `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`;

/** Whether chance rather than the move makes it a key moment. @param {ReviewedMove} move */
const chance = (move) => Math.abs(move.luck ?? 0) > move.loss;

/** @implements {Page} */
export default class ReviewPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} id */
  constructor(shell, id) {
    this.shell = shell;
    this.id = id;
    /** @type {ReviewView | null} */
    this.review = null;
    /** @type {MatchView | null} the match at its end */
    this.match = null;
    /** @type {Renderer | null} */
    this.renderer = null;
    /** @type {any} */
    this.stage = null;
    /** @type {Map<number, MatchView>} */
    this.views = new Map();
    this.at = 0;
    /** @type {Retry | null} */
    this.retry = null;
    /** @type {Record<string, any>} */
    this.ui = {};
    /** @type {Live | null} */
    this.live = null;
    this.joined = false;
    /** @type {import("./preparing.js").GamePreparation | null} */
    this.preparation = null;
    this.closed = false;
    this.waiting = 0;
  }

  title() {
    return this.match ? say("title", { game: this.match.names[preferences.language] }) : t("loading");
  }

  get address() {
    return `/api/matches/${encodeURIComponent(this.id)}/review`;
  }

  async open() {
    await Promise.all(["/static/style/match.css", "/static/style/review.css"].map(stylesheet));
    await this.load();
  }

  /** Show the review; one of a game that is being prepared is tried again. */
  async load() {
    try {
      await this.show();
      this.preparation = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "preparing") throw error;
      this.live?.close();
      this.preparation = error.preparation;
      if (!this.closed) this.waiting = window.setTimeout(() => this.load().catch(this.shell.fail), POLL_MS);
    }
    this.shell.redraw();
  }

  async show() {
    const [match, stage, games] = await Promise.all([api.match(this.id), api.stage(this.id), api.games()]);
    this.renderer = await loadRenderer(games.games.find((card) => card.id === match.game)?.renderer ?? null);
    [this.match, this.stage, this.at] = [match, stage.stage, match.plies];
    this.views.set(match.plies, match);
    this.joined = false;
    this.live = new Live(
      this.id,
      (message) => this.hear(message),
      () => {},
    );
    await this.fetch();
    if (this.joined) await this.fetch();
    const ply = Number(new URLSearchParams(location.search).get("ply") ?? NaN);
    if (Number.isInteger(ply) && ply >= 0 && ply < match.plies) await this.look(ply);
  }

  close() {
    this.closed = true;
    clearTimeout(this.waiting);
    this.live?.close();
  }

  async fetch() {
    if (!this.review?.complete) this.accept(await request("GET", this.address));
  }

  /** @param {import("./live.js").Message} message */
  hear(message) {
    if (message.type === "review") this.accept(message.review);
    if (message.type !== "state") return;
    // The server has sent nothing of what was computed before this client joined.
    this.joined = true;
    if (this.review) this.fetch().catch(this.shell.fail);
  }

  /** @param {ReviewView} review */
  accept(review) {
    if (this.review?.complete) return;
    this.review = review;
    this.shell.redraw();
  }

  /** Show a ply. @param {number} ply */
  async look(ply) {
    const wanted = Math.max(0, Math.min(this.match?.plies ?? 0, ply));
    try {
      if (!this.views.has(wanted)) this.views.set(wanted, await api.match(this.id, wanted));
    } catch (error) {
      this.shell.fail(error);
      return;
    }
    [this.at, this.retry, this.ui] = [wanted, null, {}];
    history.replaceState(null, "", `?ply=${wanted}`);
    this.shell.redraw();
  }

  /** Let a person find something better than a move. @param {ReviewedMove} move */
  async again(move) {
    try {
      this.retry = await Retry.begin(this, move);
    } catch (error) {
      this.shell.fail(error);
    }
    this.shell.redraw();
    document.getElementById("retry-task")?.focus({ preventScroll: true });
  }

  /** The move that led to the ply shown, if it is judged. @returns {ReviewedMove | null} */
  get move() {
    return this.review?.moves.find((move) => move.ply === this.at - 1) ?? null;
  }

  /** The mistakes in their order. */
  get mistakes() {
    return this.review?.moves.filter((move) => ["inaccuracy", "mistake", "blunder"].includes(move.class)) ?? [];
  }

  /** The player that this person was; null for others, and for who held several seats. @returns {number | null} */
  get self() {
    const mine = this.match?.seats.filter((seat) => seat.you) ?? [];
    return mine.length === 1 ? (mine[0]?.player ?? null) : null;
  }

  /** Whether a friend may be given the position shown: of one's own match, without other people, and not its last. */
  get challenging() {
    const people = this.match?.seats.filter((seat) => seat.kind === "person") ?? [];
    return this.self !== null && people.length === 1 && this.at < (this.match?.plies ?? 0);
  }

  /** A move as people read it. @param {ReviewedMove} move */
  worded({ ply, text }) {
    return this.match?.moves[ply]?.words?.[preferences.language] ?? text;
  }

  /** The best move as people read it, or the line that begins with it. @param {ReviewedMove} move */
  better({ best_words, line }) {
    return best_words?.[preferences.language] ?? line.join(" ");
  }

  /** @param {number} player */
  named(player) {
    if (!this.match || !this.renderer) return "";
    const name = named(this.match, this.renderer, player);
    return player === this.self && this.match.seats.length > 1 ? say("you_as", { side: name }) : name;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea")) return;
    /** @type {Record<string, () => unknown>} */
    const commands = {
      PageUp: () => this.look(this.at - 1),
      PageDown: () => this.look(this.at + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
    };
    const command = commands[event.key];
    if (!command) return;
    event.preventDefault();
    void command();
  }

  draw() {
    const { review, match, renderer } = this;
    if (this.preparation) return html`<div class="alone">${progress(this.preparation)}</div>`;
    if (!review || !match || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="match review" data-game=${match.game}>
      <div class="stage"><div class="board-frame">${this.retry ? this.retry.board(renderer) : renderer.board(this.context())}</div></div>
      <div class="side">
        <h1 class="unseen">${this.title()}</h1>
        ${
          this.retry
            ? this.retry.panel()
            : html`${this.accuracies(review)} ${this.graph(review)} ${this.judgement()}
              ${this.moments(review)} ${this.list(review)}`
        }
        ${this.retry ? nothing : this.takeaway(review)}
        <p class="muted review-analyst">${say("analyst", { name: review.analyst })}</p>
      </div>
    </div>`;
  }

  /** @returns {import("../types/renderer.js").Context} */
  context() {
    const shown = /** @type {MatchView} */ (this.views.get(this.at) ?? this.match);
    return {
      match: shown,
      stage: this.stage,
      scene: shown.scene,
      facts: null,
      mayMove: false,
      overlay: "none",
      analysis: null,
      selected: null,
      pending: null,
      last: shown.moves[shown.ply - 1] ?? null,
      moves: null,
      marked: this.move?.reasons.flatMap((reason) => reason.cells) ?? [],
      ui: this.ui,
      language: preferences.language,
      redraw: this.shell.redraw,
      play: async () => {},
      judge: async () => ({ legal: false, message: null }),
      announce: this.shell.announce,
      goto: (ply) => void this.look(ply),
    };
  }

  /** @param {ReviewView} review */
  accuracies(review) {
    return html`<section class="panel" aria-labelledby="accuracy">
      <div class="heading"><h2 id="accuracy" title=${say("accuracy_about")}>${say("accuracy")}</h2>
        <span class="review-tools"><a class="button quiet" href="/match/${this.id}" data-page>${say("match")}</a>
        <button class="quiet" title=${say("share")} aria-label=${say("share")}
          @click=${() => this.share()}>${icon("link")}</button></span></div>
      <ul class="review-accuracies">
        ${review.accuracies.map((accuracy, player) => {
          // Before the end it would be that of the positions that happen to be known.
          const luck = review.complete ? review.luck[player] : null;
          return html`<li class="player-${player}"><span class="dot" aria-hidden="true"></span>
            <strong>${
              accuracy === null || accuracy === undefined
                ? say(review.complete ? "accuracy_none" : "accuracy_open", { player: this.named(player) })
                : say("accuracy_of", { player: this.named(player), accuracy: Math.round(accuracy) })
            }</strong>
            ${
              luck === null || luck === undefined
                ? nothing
                : html`<span class="muted"
                  title=${say("luck_about")}>${[
                    say("luck_of", { luck: `${signed(luck)} %` }),
                    review.luck_notes[player]?.[preferences.language],
                  ]
                    .filter(Boolean)
                    .join(" · ")}</span>`
            }</li>`;
        })}
      </ul>
      ${
        review.complete
          ? nothing
          : html`<p class="muted"
            role="status">${say("working", { done: review.done, total: review.total })}</p>
            <progress max=${review.total} value=${review.done}
            aria-label=${say("working", { done: review.done, total: review.total })}></progress>`
      }
    </section>`;
  }

  /** @param {ReviewView} review */
  graph(review) {
    const share = review.probabilities[this.at];
    const values = { player: this.named(0), share: share === null || share === undefined ? "?" : percent(share) };
    const alone = review.accuracies.length === 1;
    return html`<section class="panel">
      ${reviewGraph(review, this.at, say(alone ? "graph_alone" : "graph", values), (ply) => void this.look(ply))}
      <div class="review-under"><span>${say(alone ? "chances_alone" : "chances", values)}</span>
        <span class="steps">${this.step("first", 0)}${this.step(
          "previous",
          this.at - 1,
        )}${this.step("next", this.at + 1)}${this.step("last", Infinity)}</span></div>
    </section>`;
  }

  /** @param {"first" | "previous" | "next" | "last"} name @param {number} ply */
  step(name, ply) {
    const end = ply < 0 || (name === "first" && this.at === 0) || this.at === (ply > this.at ? this.match?.plies : -1);
    return html`<button class="quiet step" ?disabled=${end} title=${say(name)} aria-label=${say(name)}
      @click=${() => this.look(ply)}>${icon(name)}</button>`;
  }

  judgement() {
    const { move } = this;
    if (!move)
      return html`<section class="panel review-move"><p class="muted">${this.at === 0 ? say("start") : t("loading")}</p></section>`;
    const bad = this.mistakes.includes(move);
    return html`<section class="panel review-move" aria-live="polite">
      <p><strong>${say("played", {
        ply: move.ply + 1,
        player: this.named(move.player),
        move: this.worded(move),
      })}</strong> <span class="review-class ${move.class}">${say(move.forced ? "forced" : move.class)} ${SIGNS[move.class]}</span></p>
      ${move.loss >= 0.01 ? html`<p>${say("gave_away", { move: this.worded(move), loss: percent(move.loss) })}</p>` : nothing}
      ${move.luck !== null && Math.abs(move.luck) >= 0.01 ? html`<p>${say("lucky", { luck: signed(move.luck) })}</p>` : nothing}
      ${move.reasons.map((reason) => html`<p class="review-reason">${reason.text[preferences.language]}</p>`)}
      ${bad ? html`<p class="review-line-text">${say("better", { line: this.better(move) })}</p>` : nothing}
      ${
        bad && move.reply.length
          ? html`<p class="review-line-text muted">${say("expected_reply", { line: move.reply.join(" ") })}</p>`
          : nothing
      }
      ${bad ? html`<p><button class="primary" @click=${() => this.again(move)}>${icon("undo")} ${say("try")}</button></p>` : nothing}
    </section>`;
  }

  /** @param {ReviewView} review */
  moments(review) {
    const moves = review.key_moments
      .map((ply) => review.moves.find((move) => move.ply === ply))
      .filter((move) => move !== undefined);
    const own = this.mistakes.filter((move) => move.player === this.self);
    const [first] = own;
    return html`<section class="panel" aria-labelledby="moments"><h2 id="moments">${say("key_moments")}</h2>
      ${
        moves.length
          ? html`<ul class="review-moments">${moves.map(
              (move) =>
                html`<li><button class="quiet"
                  @click=${() => this.look(move.ply + 1)}>${say("moment", {
                    ply: move.ply + 1,
                    player: this.named(move.player),
                    move: this.worded(move),
                  })} ${
                    chance(move)
                      ? html`<span class="review-class">${say("lucky", { luck: signed(move.luck ?? 0) })}</span>`
                      : html`<span class="review-class ${move.class}">${say(move.class)}</span>`
                  }</button></li>`,
            )}</ul>`
          : html`<p class="muted">${review.complete ? say("no_moments") : t("loading")}</p>`
      }
      ${
        review.complete && first
          ? html`<p><button @click=${() => this.again(first)}>${icon("undo")}
            ${say("try_own", { count: own.length })}</button></p>`
          : nothing
      }
    </section>`;
  }

  /** @param {ReviewView} review */
  list(review) {
    const match = /** @type {MatchView} */ (this.match);
    const judged = new Map(review.moves.map((move) => [move.ply, move]));
    return html`<section class="panel moves" aria-labelledby="review-moves"><h2 id="review-moves">${say("moves")}</h2>
      <ol class="plies ${match.moves.some((move) => move.words) ? "worded" : match.seats.length === 2 ? "pairs" : ""}"
      tabindex="0" aria-label=${say("moves")}>
        ${match.moves.map((played, ply) => {
          const move = judged.get(ply);
          return html`<li class="player-${played.player}"><span class="number">${ply + 1}.</span>
            <button class="ply ${move?.class ?? ""}" aria-current=${this.at === ply + 1 ? "step" : nothing}
            title=${move ? say(move.class) : nothing}
                @click=${() => this.look(ply + 1)}>${played.words?.[preferences.language] ?? played.text}
                  <span class="review-sign" aria-hidden="true">${move ? SIGNS[move.class] : ""}</span></button></li>`;
        })}
      </ol></section>`;
  }

  /** What can be given away: the review as text, and the position shown. @param {ReviewView} review */
  takeaway(review) {
    const text = `${this.address}/text?language=${preferences.language}`;
    return html`<p class="review-takeaway">
      ${review.complete ? html`<a class="button quiet" href=${text} download>${say("as_text")}</a>` : nothing}
      ${this.challenging ? html`<button class="quiet" @click=${() => this.challenge()}>${say("challenge")}</button>` : nothing}
    </p>`;
  }

  /** Let a friend play on from the position shown. */
  async challenge() {
    try {
      /** @type {Schemas["GhostView"]} */
      const ghost = await request("POST", "/api/ghosts", { match: this.id, ply: this.at });
      this.shell.go(ghost.path);
    } catch (error) {
      this.shell.fail(error);
    }
  }

  async share() {
    const link = location.href;
    try {
      await navigator.clipboard.writeText(link);
      this.shell.say(say("copied"));
    } catch {
      // Browsers give the clipboard to secure pages only.
      this.shell.say(say("copy_by_hand", { link }));
    }
  }
}
