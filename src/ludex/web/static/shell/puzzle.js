/** The page of a puzzle: a position, a task, and a board whose moves the server judges; then the proof. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { answer, nextPuzzle, puzzle, say, solution, standing } from "./puzzleapi.js";
import { PuzzleBoardPage } from "./puzzleboard.js";
import { rendererOf } from "./renderer.js";
import { t } from "./texts.js";

const ID = /^[0-9a-f]{12}$/;
/** Where a person's own mistakes stand in the place of a game. */
const MISTAKES = "mistakes";

export default class PuzzlePage extends PuzzleBoardPage {
  static styles = ["learn", "puzzles"];
  /** The game that the renderer draws. */
  gameId = "";
  /** @type {Schemas["PuzzleView"] | null} */
  puzzle = null;
  /** @type {Schemas["PuzzleStanding"] | null} */
  standing = null;
  /** @type {Schemas["PuzzleVerdict"] | null} on the last move */
  verdict = null;
  /** @type {Schemas["PuzzleSolution"] | null} */
  solution = null;
  /** The move of the solution's line that is shown. */
  frame = 0;

  /** @param {Shell} shell @param {string} address a game, and a theme, an id or `daily` */
  constructor(shell, address) {
    super(shell, address);
    const [source = "", which = ""] = address.split("/");
    /** A game, or one's own mistakes. */
    this.source = source;
    /** @type {string | null} the puzzle of the address; another one follows */
    this.wanted = which === "daily" || ID.test(which) || (source === MISTAKES && which) ? which : null;
    /** @type {string | null} */
    this.theme = this.wanted ? null : which || null;
  }

  title() {
    return this.puzzle
      ? say("puzzle_of", {
          game: this.puzzle.names[preferences.language],
          title: this.puzzle.title[preferences.language],
        })
      : say("puzzles");
  }

  async open() {
    if (this.source !== MISTAKES) await this.prepare(this.source);
    await this.load();
  }

  /** Load the renderer of a game. @param {string} game */
  async prepare(game) {
    if (this.gameId === game) return;
    this.renderer = await rendererOf(game);
    this.gameId = game;
  }

  /** Show the puzzle of the address, or the next one. */
  async load() {
    await this.whenPrepared(async () => {
      const view = await (this.wanted ? puzzle(this.source, this.wanted) : nextPuzzle(this.source, this.theme));
      await this.prepare(view.game);
      this.begin(view);
    });
  }

  /** @param {Schemas["PuzzleView"]} view */
  begin(view) {
    [this.puzzle, this.standing, this.verdict, this.solution, this.frame] = [view, view.standing, null, null, 0];
    this.lay(view.position);
  }

  next() {
    this.wanted = null;
    this.goTo(() => this.load());
  }

  again() {
    if (this.puzzle) this.begin({ ...this.puzzle, tried: true, standing: this.standing ?? this.puzzle.standing });
    this.shell.redraw();
  }

  /** @param {string} text */
  async play(text) {
    const current = this.puzzle;
    if (this.busy || !current || this.solution) return;
    await this.send(text, async () => {
      const reply = await answer(this.source, current.id, text, this.notes, this.earlierMoves);
      if (this.puzzle !== current) return;
      this.standing = reply.standing;
      this.take(text, reply);
      if (reply.solution) this.show(reply.solution, 2 * this.earlierMoves.length);
    });
    if (this.solution) document.getElementById("next-puzzle")?.focus({ preventScroll: true });
  }

  async reveal() {
    const current = this.puzzle;
    if (!current) return;
    await this.steadily(async () => {
      await this.shell.attempt(async () => {
        const proof = await solution(this.source, current.id);
        // A look at the solution may be an attempt, which ends a streak.
        this.standing = (await puzzle(this.source, current.id)).standing;
        this.show(proof, 0);
        this.shell.redraw();
        document.getElementById("next-puzzle")?.focus({ preventScroll: true });
      });
    });
  }

  /** @param {Schemas["PuzzleSolution"]} resolution @param {number} frame */
  show(resolution, frame) {
    this.solution = resolution;
    this.frame = Math.max(0, Math.min(resolution.frames.length - 1, frame));
    this.position = resolution.frames[this.frame] ?? this.position;
    this.ui = {};
  }

  context() {
    const position = /** @type {Schemas["ShownPosition"]} */ (this.position);
    const first = this.solution ? this.frame === 0 && this.solution.proof[0] : this.verdict;
    const marked = { ...position, cells: (first || null)?.cells ?? [] };
    return this.puzzleContext(this.gameId, marked, { asked: !this.solution, mayMove: !this.busy && !this.solution });
  }

  keyContext() {
    return this.position && !this.solution ? this.context() : null;
  }

  draw() {
    const { puzzle, renderer, position } = this;
    if (this.preparation) return this.drawPreparation(this.preparation);
    if (!puzzle || !renderer || !position) return html`<p class="alone muted">${t("loading")}</p>`;
    const language = preferences.language;
    const task = html`<p class="muted">${puzzle.board[language]} ·
            ${
              puzzle.rating === null ? say("unrated") : say("rated", { points: puzzle.rating })
            }${puzzle.tried && puzzle.rating !== null ? ` · ${say("tried")}` : ""}</p>
          <h2 id="task" tabindex="-1">${puzzle.title[language]}</h2>
          <p class="learn-text">${puzzle.task[language]}</p>`;
    const reply = html`${this.solution ? nothing : this.extent(puzzle)}
          <div class="learn-answer" role="status">${this.result()}</div>
          ${this.solution ? this.proof(this.solution) : nothing}
          <div class="actions">${this.actions(puzzle)}</div>`;
    return html`<div class="learn puzzle" data-game=${this.gameId}>
      <header class="learn-heading"><h1>${this.title()}</h1>${this.standing ? standing(this.standing) : nothing}</header>
      ${this.exercise(this.context(), task, reply)}
    </div>`;
  }

  /** @param {Schemas["PuzzleView"]} puzzle */
  actions(puzzle) {
    const link = html`<a class="button quiet" href="/puzzles/${this.source}/${puzzle.id}" data-page>${say("link")}</a>`;
    const leave = html`<a class="button quiet" href="/puzzles" data-page>${say("all")}</a>`;
    if (this.solution)
      return html`<button id="next-puzzle" class="primary large" @click=${() => this.next()}>${say("next")} ${icon("next")}</button>
        <button class="quiet" @click=${() => this.again()}>${say("again")}</button>${link}${leave}`;
    // The second click of a double one on "next" is for none of these.
    const once =
      (/** @type {() => unknown} */ act) =>
      (/** @type {MouseEvent} */ { detail }) =>
        detail > 1 || act();
    return html`<button class="quiet"
      @click=${once(() => this.reveal())}>${say(this.verdict || puzzle.tried || puzzle.rating === null ? "solution" : "give_up")}</button>
      <button class="quiet" @click=${once(() => this.next())}>${say("skip")}</button>${leave}`;
  }

  result() {
    const { verdict } = this;
    if (!verdict) return nothing;
    // The first steps of a rating are large, and say little.
    const change =
      verdict.counted && !verdict.standing.rating.provisional
        ? html` <span class="muted">${say(verdict.change < 0 ? "lost" : "won", { points: Math.abs(verdict.change) })}</span>`
        : nothing;
    return this.answer(say("right"), say("wrong"), change);
  }

  /** @param {Schemas["PuzzleSolution"]} solution */
  proof(solution) {
    const language = preferences.language;
    return html`<div class="puzzle-proof">
      <h3>${say("proof")}</h3>
      <p>${say(solution.accept.length > 1 ? "solutions" : "solution_is", {
        moves: solution.words.map((words) => words[language] ?? "").join(", "),
      })}</p>
      <ul>${solution.proof.map((reason) => html`<li>${reason.text[language]}</li>`)}</ul>
      ${
        solution.line.length > 1
          ? html`<ol class="line" aria-label=${say("line")}>${solution.line.map(
              (move, index) => html`<li>
                <button class="small" aria-current=${index === this.frame ? "step" : nothing}
                @click=${() => this.step(solution, index)}>${move}</button></li>`,
            )}</ol>`
          : nothing
      }
    </div>`;
  }

  /** @param {Schemas["PuzzleSolution"]} solution @param {number} frame */
  step(solution, frame) {
    this.show(solution, frame);
    this.shell.redraw();
  }
}
