/** The agents that a run keeps: a slider through training time, the board with what the agent would do, and opponents. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { agents, lab } from "./labapi.js";
import { chooseFor, preferences } from "./preferences.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { select, typed } from "./select.js";
import { contextOf } from "./shown.js";
import { texts } from "./texts.js";

const say = texts("lab", "checkpoints");
const sayKeeping = texts("lab", "keeping");

const WAIT_MS = 120;
const MOST_MOVES = 24;
const SHOWN = 4;
/** Games of a tournament between two steps. */
const GAMES = 20;

export class Checkpoints {
  /** @param {import("./page.js").BasePage} page @param {Schemas["RunCheckpoints"]} run */
  constructor(page, run) {
    this.page = page;
    this.shell = page.shell;
    this.run = run;
    /** Which of the agents is shown; the last until another is chosen. @type {number | null} */
    this.chosen = null;
    /** Which one it meets. @type {number} */
    this.other = 0;
    this.plies = 0;
    this.administrator = false;
    /** The name under which the agent that is shown will be kept. */
    this.title = "";
    /** Loaded when the board is first shown. @type {CheckpointBoard | null} */
    this.board = null;
    this.timer = 0;
  }

  async open() {
    const [status] = await Promise.all([lab.administrator(), stylesheet("/static/style/checkpoints.css")]);
    this.administrator = status.administrator;
  }

  close() {
    clearTimeout(this.timer);
  }

  /** Show what the run keeps by now. @param {Schemas["RunCheckpoints"]} run */
  update(run) {
    const before = this.current;
    this.run = run;
    // Steps between may be thinned out: the nearest one stays chosen.
    if (this.chosen !== null)
      this.chosen = Math.max(
        0,
        run.checkpoints.findLastIndex(({ step }) => step <= before.step),
      );
    this.other = Math.min(this.other, run.checkpoints.length - 1);
    if (this.current.step !== before.step) this.look();
  }

  get current() {
    const { checkpoints } = this.run;
    return /** @type {Schemas["CheckpointLine"]} */ (checkpoints[this.chosen ?? checkpoints.length - 1]);
  }

  /** Ask what the agent would do, once the sliders rest. */
  look() {
    clearTimeout(this.timer);
    if (this.board) this.timer = window.setTimeout(() => void this.board?.look(this.current.step, this.plies), WAIT_MS);
  }

  async showBoard() {
    await this.page.exclusively(async () => {
      const board = new CheckpointBoard(this.shell, this.run);
      await board.open(this.current.step, this.plies);
      this.board = board;
    });
  }

  /** @param {string[]} seats */
  async play(seats) {
    await this.page.exclusively(async () => {
      const { game, preset } = this.run;
      this.shell.go(`/match/${(await api.create({ game, preset, seats })).id}`);
    });
  }

  draw() {
    const { run, current } = this;
    const last = run.checkpoints.length - 1;
    const { language } = preferences;
    return html`<section class="panel checkpoints" aria-labelledby="checkpoints-title">
      <h2 id="checkpoints-title">${say("title")}</h2>
      <p class="muted">${run.board?.[language]}</p>
      <label class="field"><span>${say("step", { step: current.step })}</span><input type="range" min="0" max=${last}
        step="1" aria-valuetext=${say("step", { step: current.step })} .value=${live(String(this.chosen ?? last))}
        @input=${typed((step) => this.set({ chosen: Number(step) }))} /></label>
      <div class="actions">
        ${
          run.players === 1
            ? html`<button class="primary" ?disabled=${this.page.busy} @click=${() => this.play([current.agent])}>${icon("eye")}
              ${say("watch", { step: current.step })}</button>`
            : html`<button class="primary" ?disabled=${this.page.busy}
              @click=${() => this.play(["you", current.agent])}>${icon("play")} ${say("play", { step: current.step })}</button>`
        }
        <a class="button quiet" href=${agents.checkpointFile(run.name, current.step)} download>${say("export")}</a>
        ${this.board ? nothing : html`<button ?disabled=${this.page.busy} @click=${() => this.showBoard()}>${say("show")}</button>`}
      </div>
      ${this.board ? this.drawBoard(this.board) : nothing} ${run.players === 2 && last > 0 ? this.meeting() : nothing} ${this.keeping()}
    </section>`;
  }

  /** @param {Partial<Pick<Checkpoints, "chosen" | "plies" | "other">>} changes */
  set(changes) {
    Object.assign(this, changes);
    if (!("other" in changes)) this.look();
    this.shell.redraw();
  }

  /** @param {CheckpointBoard} board */
  drawBoard(board) {
    return html`<label class="field"><span>${say("moves", { count: this.plies })}</span><input type="range" min="0"
      max=${MOST_MOVES} step="1" .value=${live(String(this.plies))}
        @input=${typed((plies) => this.set({ plies: Number(plies) }))} /></label>
      ${board.draw()}`;
  }

  meeting() {
    const { checkpoints } = this.run;
    const other = /** @type {Schemas["CheckpointLine"]} */ (checkpoints[this.other]);
    const steps = checkpoints.map((_, index) => String(index));
    return html`<div class="actions">
      ${select(say("against"), steps, String(this.other), (index) => this.set({ other: Number(index) }), {
        names: checkpoints.map(({ step }) => say("step", { step })),
      })}
      <button ?disabled=${this.page.busy} @click=${() => this.play([this.current.agent, other.agent])}>${icon("eye")}
        ${say("meet", { one: this.current.step, two: other.step })}</button>
      ${
        this.administrator
          ? html`<button class="quiet" ?disabled=${this.page.busy || this.current.agent === other.agent}
            @click=${() => this.compete(other)}>${sayKeeping("tournament", { games: GAMES })}</button>`
          : nothing
      }
    </div>`;
  }

  /** Let the agent that is shown play a tournament with another. @param {Schemas["CheckpointLine"]} other */
  async compete(other) {
    await this.page.exclusively(async () => {
      const { game, preset } = this.run;
      await agents.tournament(game, preset, [this.current.agent, other.agent], GAMES);
      this.shell.go("/lab");
    });
  }

  /** The form that keeps the agent which is shown. */
  keeping() {
    return html`${
      this.administrator
        ? html`<form class="actions" @submit=${(/** @type {Event} */ event) => this.keep(event)}>
      <label class="field"><span>${sayKeeping("name")}</span><input type="text" required maxlength="40"
      .value=${live(this.title)}
          @input=${typed((title) => (this.title = title))} /></label>
      <button ?disabled=${this.page.busy}>${sayKeeping("keep")}</button>
    </form>`
        : html`<p class="muted">${say("visitors")}</p>`
    }<p>
      <a href="/agents" data-page>${say("agents")}</a></p>`;
  }

  /** @param {Event} event */
  async keep(event) {
    event.preventDefault();
    await this.page.exclusively(async () => {
      const agent = await agents.keep(this.run.name, this.current.step, this.title);
      this.title = "";
      // So that the home page shows it chosen.
      chooseFor(agent.game, { preset: agent.preset, options: {}, level: agent.agent });
      this.shell.say(sayKeeping("kept", { title: agent.title }));
    });
  }
}

class CheckpointBoard {
  /** @param {Shell} shell @param {Schemas["RunCheckpoints"]} run */
  constructor(shell, run) {
    this.shell = shell;
    this.run = run;
    /** @type {Renderer | null} */
    this.renderer = null;
    /** @type {Schemas["CheckpointView"] | null} */
    this.view = null;
    this.requests = 0;
    /** @type {Record<string, any>} */
    this.ui = {};
  }

  /** @param {number} step @param {number} plies */
  async open(step, plies) {
    const [renderer, view] = await Promise.all([
      loadRenderer(this.run.renderer),
      agents.view(this.run.name, step, plies),
    ]);
    this.renderer = renderer;
    this.view = view;
  }

  /**
   * Show what another agent would do, or in another position; an answer that comes too late is dropped.
   * @param {number} step @param {number} plies
   */
  async look(step, plies) {
    const request = ++this.requests;
    try {
      const view = await agents.view(this.run.name, step, plies);
      if (request !== this.requests) return;
      this.view = view;
      this.shell.redraw();
    } catch (error) {
      if (request === this.requests) this.shell.fail(error);
    }
  }

  draw() {
    const { renderer, view } = this;
    if (!renderer || !view) return nothing;
    const { position, analysis } = view;
    // The chosen move first: a search may choose another than the network prefers.
    const rank = (/** @type {{ text: string }} */ { text }) => Number(text !== analysis.text);
    const candidates = analysis.candidates.toSorted((left, right) => rank(left) - rank(right));
    const ctx = contextOf(this.run.game, position, {
      ui: this.ui,
      redraw: this.shell.redraw,
      overlay: "none",
      drawn: [{ text: analysis.text, kind: "hint" }],
    });
    const { language } = preferences;
    return html`<div class="checkpoint-board" data-game=${this.run.game} aria-live="polite">
      <div class="board-frame">${renderer.board(ctx)}</div>
      <div><p>${say("would", { step: view.step })}</p>
      <ol>${candidates.slice(0, SHOWN).map(
        ({ words, text, prob }) => html`<li><strong>${words?.[language] ?? text}</strong>
          ${prob === null ? nothing : html`<span class="muted">${say("share", { share: Math.round(100 * prob) })}</span>`}</li>`,
      )}</ol></div>
    </div>`;
  }
}
