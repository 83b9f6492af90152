// @ts-check
/** The agents that a run keeps: a slider through training time, the board with what the agent would do, and opponents. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { agents } from "./agentapi.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { lab } from "./labapi.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */

const say = texts("lab", "checkpoints");

const WAIT_MS = 120;
const MOST_MOVES = 24;
const SHOWN = 4;

export class Checkpoints {
  /** @param {import("../types/page.js").Shell} shell @param {Schemas["RunCheckpoints"]} found */
  constructor(shell, found) {
    this.shell = shell;
    this.found = found;
    /** Which of the agents is shown; the last until another is chosen. @type {number | null} */
    this.chosen = null;
    /** Which one it meets. @type {number} */
    this.other = 0;
    this.plies = 0;
    this.busy = false;
    /** The administrator's part. @type {import("./keeping.js").Keeping | null} */
    this.naming = null;
    /** Loaded when the board is first shown. @type {import("./checkpointboard.js").CheckpointBoard | null} */
    this.board = null;
    this.timer = 0;
  }

  async open() {
    const [status] = await Promise.all([lab.administrator(), stylesheet("/static/style/checkpoints.css")]);
    if (!status.administrator) return;
    const { Keeping } = await import("./keeping.js");
    this.naming = new Keeping(this);
  }

  close() {
    clearTimeout(this.timer);
  }

  /** Show what the run keeps by now. @param {Schemas["RunCheckpoints"]} found */
  update(found) {
    const before = this.shown;
    this.found = found;
    // Steps between may be thinned out: the nearest one stays chosen.
    if (this.chosen !== null)
      this.chosen = Math.max(
        0,
        found.checkpoints.findLastIndex(({ step }) => step <= before.step),
      );
    this.other = Math.min(this.other, found.checkpoints.length - 1);
    if (this.shown.step !== before.step) this.look();
  }

  get shown() {
    const { checkpoints } = this.found;
    return /** @type {Schemas["CheckpointLine"]} */ (checkpoints[this.chosen ?? checkpoints.length - 1]);
  }

  /** Ask what the agent would do, once the sliders rest. */
  look() {
    clearTimeout(this.timer);
    if (this.board) this.timer = window.setTimeout(() => void this.board?.look(this.shown.step, this.plies), WAIT_MS);
  }

  async showBoard() {
    await this.doing(async () => {
      const { CheckpointBoard } = await import("./checkpointboard.js");
      const board = new CheckpointBoard(this.shell, this.found);
      await board.open(this.shown.step, this.plies);
      this.board = board;
    });
  }

  /** @param {() => Promise<void>} action */
  async doing(action) {
    if (this.busy) return;
    this.busy = true;
    this.shell.redraw();
    try {
      await action();
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.busy = false;
      this.shell.redraw();
    }
  }

  /** @param {string[]} seats */
  async play(seats) {
    await this.doing(async () => {
      const { game, preset } = this.found;
      const match = await api.create({ game, preset, seats });
      this.shell.go(`/match/${match.id}`);
    });
  }

  draw() {
    const { found, shown } = this;
    const last = found.checkpoints.length - 1;
    const { language } = preferences;
    return html`<section class="panel checkpoints" aria-labelledby="checkpoints-title">
      <h2 id="checkpoints-title">${say("title")}</h2>
      <p class="muted">${found.board?.[language]}</p>
      <label class="field"><span>${say("step", { step: shown.step })}</span><input type="range" min="0" max=${last}
        step="1" aria-valuetext=${say("step", { step: shown.step })} .value=${live(String(this.chosen ?? last))}
        @input=${(/** @type {Event} */ event) => this.choose(Number(/** @type {HTMLInputElement} */ (event.target).value))} /></label>
      <div class="actions">
        ${
          found.players === 1
            ? html`<button class="primary" ?disabled=${this.busy} @click=${() => this.play([shown.agent])}>${icon("eye")}
              ${say("watch", { step: shown.step })}</button>`
            : html`<button class="primary" ?disabled=${this.busy}
              @click=${() => this.play(["you", shown.agent])}>${icon("play")} ${say("play", { step: shown.step })}</button>`
        }
        <a class="button quiet" href=${agents.checkpointFile(found.name, shown.step)} download>${say("export")}</a>
        ${this.board ? nothing : html`<button ?disabled=${this.busy} @click=${() => this.showBoard()}>${say("show")}</button>`}
      </div>
      ${this.board ? this.drawBoard(this.board) : nothing} ${found.players === 2 && last > 0 ? this.meeting() : nothing} ${this.keeping()}
    </section>`;
  }

  /** @param {number} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.look();
    this.shell.redraw();
  }

  /** @param {import("./checkpointboard.js").CheckpointBoard} board */
  drawBoard(board) {
    return html`<label class="field"><span>${say("moves", { count: this.plies })}</span><input type="range" min="0"
      max=${MOST_MOVES} step="1" .value=${live(String(this.plies))}
        @input=${(/** @type {Event} */ event) => this.position(Number(/** @type {HTMLInputElement} */ (event.target).value))} /></label>
      ${board.draw(say, SHOWN)}`;
  }

  /** @param {number} plies */
  position(plies) {
    this.plies = plies;
    this.look();
    this.shell.redraw();
  }

  meeting() {
    const { checkpoints } = this.found;
    const other = /** @type {Schemas["CheckpointLine"]} */ (checkpoints[this.other]);
    const steps = checkpoints.map((_, index) => String(index));
    return html`<div class="actions">
      ${select(say("against"), steps, String(this.other), (index) => this.meet(Number(index)), {
        names: checkpoints.map(({ step }) => say("step", { step })),
      })}
      <button ?disabled=${this.busy} @click=${() => this.play([this.shown.agent, other.agent])}>${icon("eye")}
        ${say("meet", { one: this.shown.step, two: other.step })}</button>
      ${this.naming ? this.naming.tournament([this.shown.agent, other.agent]) : nothing}
    </div>`;
  }

  /** @param {number} other */
  meet(other) {
    this.other = other;
    this.shell.redraw();
  }

  keeping() {
    return html`${this.naming ? this.naming.draw() : html`<p class="muted">${say("visitors")}</p>`}<p>
      <a href="/agents" data-page>${say("agents")}</a></p>`;
  }
}
