/** The page of a review: the graph, both accuracies, the moves with their classes, and the mistakes to try again. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api, request } from "./api.js";
import { BoardPage } from "./boardpage.js";
import { icon } from "./icons.js";
import { Live } from "./live.js";
import { followMoves, plies, steps } from "./movelist.js";
import { preferences } from "./preferences.js";
import { progress } from "./preparing.js";
import { loadRenderer } from "./renderer.js";
import { Retry, ReviewLine, percent, reviewGraph } from "./reviewline.js";
import { PICTURE } from "./shown.js";
import { named, standing } from "./standing.js";
import { t, texts } from "./texts.js";

const say = texts("review", "page");

/** What stands beside a move of each class. @type {Record<ReviewedMove["class"], string>} */
const SIGNS = { brilliant: "!!", best: "", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

const KEY_MOMENTS = 3;

/** @param {number} share */
const signed = (share) => `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`;

/** Whether chance rather than the move makes it a key moment. @param {ReviewedMove} move */
const chance = (move) => Math.abs(move.luck ?? 0) > move.loss;

export default class ReviewPage extends BoardPage {
  static styles = ["match", "review"];
  id = this.name;
  /** @type {ReviewView | null} */
  review = null;
  /** @type {MatchView | null} the match at its end */
  match = null;
  /** @type {any} */
  stage = null;
  /** @type {Map<number, MatchView>} */
  views = new Map();
  at = 0;
  /** @type {Retry | null} */
  retry = null;
  /** @type {ReviewLine | null} of the mistake that is looked at */
  line = null;
  /** @type {Live | null} */
  live = null;
  joined = false;
  /** @type {ApiError | null} why there is no review, or no more of it */
  fault = null;
  /** @type {Schemas["GameCard"]["agents"]} */
  agents = [];

  title() {
    return this.match ? say("title", { game: this.match.names[preferences.language] }) : t("loading");
  }

  get address() {
    return `/api/matches/${encodeURIComponent(this.id)}/review`;
  }

  async open() {
    await this.whenPrepared(() => this.show());
  }

  async show() {
    const [match, stage, games] = await Promise.all([api.match(this.id), api.stage(this.id), api.games()]);
    const card = games.games.find(({ id }) => id === match.game);
    this.renderer = await loadRenderer(card?.renderer ?? null);
    this.agents = card?.agents ?? [];
    [this.match, this.stage, this.at] = [match, stage.stage, match.plies];
    this.views.set(match.plies, match);
    this.joined = false;
    this.live?.close();
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

  entered() {
    followMoves();
  }

  close() {
    super.close();
    this.live?.close();
  }

  /** @param {"GET" | "POST"} [method] POST begins a review again that failed */
  async fetch(method = "GET") {
    if (this.review?.complete) return;
    try {
      this.accept(await request(method, this.address));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === "preparing") throw error;
      this.fault = error;
      this.shell.redraw();
    }
  }

  /** @param {import("./live.js").Message} message */
  hear(message) {
    if (message.type === "review") this.accept(message.review);
    if (message.type !== "state" && message.type !== "fault") return;
    // The server has sent nothing of what was computed before this client joined.
    this.joined = true;
    if (this.review || this.fault) this.fetch().catch(this.shell.fail);
  }

  /** @param {ReviewView} review */
  accept(review) {
    if (this.review?.complete) return;
    [this.review, this.fault] = [review, null];
    this.shell.redraw();
    // What is looked at may be judged only now.
    if (this.match && !this.retry) void this.compare().then(this.shell.redraw);
  }

  /** Show a ply. @param {number} ply */
  async look(ply) {
    const target = Math.max(0, Math.min(this.match?.plies ?? 0, ply));
    const done = await this.shell.attempt(async () => {
      if (!this.views.has(target)) this.views.set(target, await api.match(this.id, target));
    });
    if (!done) return;
    [this.at, this.retry, this.line, this.ui] = [target, null, null, {}];
    history.replaceState(null, "", `?ply=${target}`);
    await this.compare();
    this.shell.redraw();
    followMoves();
  }

  /** Show a ply whose judgement is read next, though the board hides its place. @param {number} ply */
  async read(ply) {
    await this.look(ply);
    const [board, words] = [".review > .stage", ".review-move"].map((place) => document.querySelector(place));
    const [above, said] = [board?.getBoundingClientRect(), words?.getBoundingClientRect()];
    if (!above || !said) return;
    const hidden = said.top - (said.left < above.right ? above.bottom : 0);
    if (hidden < 0) scrollBy(0, hidden);
  }

  /** Draw a mistake beside the better move. */
  async compare() {
    const { move } = this;
    if (!move || this.line?.move.ply === move.ply || !this.mistakes.includes(move)) return;
    await this.shell.attempt(async () => {
      const line = await ReviewLine.begin(this, move);
      if (this.at === move.ply + 1) this.line = line;
    });
  }

  /** Let a person find something better than a move. @param {ReviewedMove} move */
  async again(move) {
    await this.shell.attempt(async () => {
      this.retry = await Retry.begin(this, move);
    });
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

  /** The mistakes and blunders of this person, as the puzzles made of them count. */
  get ownMistakes() {
    return this.mistakes.filter((move) => move.player === this.self && move.class !== "inaccuracy" && !move.forced);
  }

  /** The plies of what decided most: first what this person gave away, the largest losses first. @param {ReviewView} review */
  keyMoments(review) {
    const losses = this.ownMistakes.sort((one, other) => other.loss - one.loss).map(({ ply }) => ply);
    return [...new Set([...losses, ...review.key_moments])].slice(0, KEY_MOMENTS).sort((one, other) => one - other);
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

  /** The best move as people read it. @param {ReviewedMove} move */
  bestWords({ best_words, best }) {
    return best_words?.[preferences.language] ?? best;
  }

  /** Who analysed the match; a game's own reviewer is no agent and has no name. @param {ReviewView} review */
  analyst({ analyst }) {
    const [reference] = analyst.split(":");
    const agent = this.agents.find(({ name }) => name === reference);
    if (!agent) return nothing;
    return html`<p class="muted review-analyst" title=${analyst}>${say("analyst", { name: agent.title[preferences.language] })}</p>`;
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
      // A board on which a move is looked for keeps its arrows.
      ...(!this.retry && {
        ArrowLeft: () => this.look(this.at - 1),
        ArrowRight: () => this.look(this.at + 1),
      }),
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
    if (!review || !match || !renderer)
      return html`<div class="alone">${this.failure() ?? html`<p class="muted">${t("loading")}</p>`}</div>`;
    return html`<div class="match review" data-game=${match.game}>
      <div class="stage"><div class="board-frame">${
        (this.retry ?? this.line)?.board(renderer) ?? renderer.board(this.context())
      }</div></div>
      <div class="side">
        <h1 class="unseen">${this.title()}</h1>
        ${
          this.retry
            ? this.retry.panel()
            : html`${this.accuracies(review)} ${this.graph(review)} ${this.judgement()}
              ${this.moments(review)} ${this.list(review)}`
        }
        ${this.retry ? nothing : this.takeaway(review)}
        ${this.analyst(review)}
      </div>
    </div>`;
  }

  /** @returns {Context} */
  context() {
    const match = /** @type {MatchView} */ (this.views.get(this.at) ?? this.match);
    return {
      ...PICTURE,
      match,
      stage: this.stage,
      scene: match.scene,
      last: match.moves[match.ply - 1] ?? null,
      marked: this.move?.reasons.flatMap((reason) => reason.cells) ?? [],
      ui: this.ui,
      language: preferences.language,
      redraw: this.shell.redraw,
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
          @click=${() => this.shell.copy()}>${icon("link")}</button></span></div>
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
                    say("luck_of", { luck: signed(luck) }),
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
          : (this.failure() ??
            html`<p class="muted"
            role="status">${say("working", { done: review.done, total: review.total })}</p>
            <progress max=${review.total} value=${review.done}
            aria-label=${say("working", { done: review.done, total: review.total })}></progress>`)
      }
    </section>`;
  }

  /** Why there is no review, or no more of it, and a way to begin it again; null where nothing failed. */
  failure() {
    const { fault } = this;
    if (!fault) return null;
    // What the server says of a machine that fails is about a match that is being played.
    const reason = fault.code === "agent_fault" ? html`<code>${fault.reason}</code>` : fault.message;
    return html`<div class="review-failure" role="alert"><p>${say("failed")}</p><p class="muted">${reason}</p>
      <p><button ?disabled=${this.busy} @click=${() => this.exclusively(() => this.fetch("POST"))}>
        ${icon("undo")} ${say("again")}</button></p></div>`;
  }

  /** @param {ReviewView} review */
  graph(review) {
    const share = review.probabilities[this.at];
    const values = { player: this.named(0), share: share === null || share === undefined ? "?" : percent(share) };
    const alone = review.accuracies.length === 1;
    const { match, renderer } = this;
    const result = match?.outcome && renderer && this.at === match.plies ? standing(match, renderer) : null;
    return html`<section class="panel">
      ${reviewGraph(review, this.keyMoments(review), this.at, result ?? say(alone ? "graph_alone" : "graph", values), (ply) => void this.look(ply))}
      <div class="review-under"><span>${result ?? say(alone ? "chances_alone" : "chances", values)}</span>
        <span class="steps">${steps(this.at, this.match?.plies ?? 0, (ply) => this.look(ply))}</span></div>
    </section>`;
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
      ${move.reasons.map((reason) => this.reason(move, reason.text[preferences.language]))}
      ${bad ? (this.line?.lines() ?? nothing) : nothing}
      ${bad ? html`<p><button class="primary" @click=${() => this.again(move)}>${icon("undo")} ${say("try")}</button></p>` : nothing}
    </section>`;
  }

  /** A sentence begins with a capital letter, a move does not. @param {ReviewedMove} move @param {string} text */
  reason(move, text) {
    const notated = [move.text, move.best].some((notation) => text.startsWith(notation));
    return html`<p class="review-reason ${notated ? "" : "sentence"}">${text}</p>`;
  }

  /** @param {ReviewView} review */
  moments(review) {
    const moves = this.keyMoments(review)
      .map((ply) => review.moves.find((move) => move.ply === ply))
      .filter((move) => move !== undefined);
    const own = this.ownMistakes;
    const [first] = own;
    return html`<section class="panel" aria-labelledby="moments"><h2 id="moments">${say("key_moments")}</h2>
      ${
        moves.length
          ? html`<ul class="review-moments">${moves.map(
              (move) =>
                html`<li><button class="quiet"
                  @click=${() => this.read(move.ply + 1)}>${say("moment", {
                    ply: move.ply + 1,
                    player: this.named(move.player),
                    move: this.worded(move),
                  })} ${
                    chance(move)
                      ? html`<span class="review-class">${say("lucky", { luck: signed(move.luck ?? 0) })}</span>`
                      : html`<span class="review-class ${move.class}">${say(move.class)}</span>`
                  }</button></li>`,
            )}</ul>`
          : html`<p class="muted">${review.complete ? say(review.accuracies.length === 1 ? "no_moments_alone" : "no_moments") : t("loading")}</p>`
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
    const remark = (/** @type {number} */ ply) => {
      const move = judged.get(ply - 1);
      return move ? { kind: move.class, title: say(move.class), sign: SIGNS[move.class] } : {};
    };
    return html`<section class="panel moves" aria-labelledby="review-moves"><h2 id="review-moves">${say("moves")}</h2>
      ${plies(match, this.at, (ply) => this.read(ply), remark)}</section>`;
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
    await this.shell.attempt(async () => {
      this.shell.go((await api.ghost({ match: this.id, ply: this.at })).path);
    });
  }
}
