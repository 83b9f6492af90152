/** The page of a tutorial: a position, a task, and a board whose moves the server judges. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { BoardPage } from "./boardpage.js";
import { icon } from "./icons.js";
import { preferences, reach, reached } from "./preferences.js";
import { loadRenderer } from "./renderer.js";
import { stepPosition, tutorial, verdict } from "./teaching.js";
import { texts, t } from "./texts.js";

const say = texts("learn", "tutorial");

export default class LearnPage extends BoardPage {
  static styles = ["learn"];
  game = this.name;
  /** @type {Schemas["TutorialView"] | null} */
  tutorial = null;
  /** @type {GameCard | null} */
  card = null;
  /** The step shown; behind the last one is the end. */
  at = reached(this.name).step;
  /** @type {Schemas["ShownPosition"] | null} */
  position = null;
  /** @type {Schemas["StepPosition"]["task"] | null} */
  task = null;
  /** @type {string[]} the accepted moves of the step */
  moves = [];
  /** @type {Schemas["TutorialVerdict"] | null} of the last move */
  verdict = null;
  /** @type {string | null} why the generic board replaces the game's own */
  fault = null;
  /** @type {typeof import("./fallback.js") | null} loaded with the first fault */
  fallback = null;

  title() {
    return this.tutorial ? say("title", { game: this.tutorial.names[preferences.language] }) : t("loading");
  }

  async open() {
    const [lesson, games] = await Promise.all([tutorial(this.game), api.games()]);
    this.card = games.games.find((card) => card.id === this.game) ?? null;
    this.tutorial = lesson;
    try {
      this.renderer = await loadRenderer(this.card?.renderer ?? null);
      if (!this.renderer) throw new TypeError("renderer.js has no default export");
    } catch (error) {
      if (!this.recover(error)) throw error;
      return;
    }
    await this.enter(this.at);
  }

  /** Draw with the generic board; false if that failed. @param {unknown} error */
  recover(error) {
    if (this.fault === null) void this.fallBack().catch(this.shell.fail);
    this.fault ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return Boolean(this.card?.renderer) && !this.fallback;
  }

  async fallBack() {
    const [loaded, generic] = await Promise.all([import("./fallback.js"), loadRenderer(null)]);
    this.renderer = generic;
    loaded.clearPage();
    await this.enter(this.at);
    this.fallback = loaded;
    this.shell.redraw();
  }

  get step() {
    return this.tutorial?.steps[this.at] ?? null;
  }

  /** Show a step. @param {number} at */
  async enter(at) {
    const steps = this.tutorial?.steps ?? [];
    this.at = Math.max(0, Math.min(steps.length, at));
    this.moves = [];
    this.verdict = null;
    this.ui = {};
    const step = this.step;
    reach(this.game, this.at);
    await this.whenPrepared(async () => {
      if (!step) return;
      const start = await stepPosition(this.game, step.name, this.fault !== null);
      if (this.step === step) [this.position, this.task] = [start.position, start.task];
    });
  }

  /** @param {number} at */
  go(at) {
    this.goTo(() => this.enter(at));
  }

  /** @param {string} text */
  async play(text) {
    const { step } = this;
    if (this.busy || !step || this.verdict?.done) return;
    await this.send(text, async () => {
      const judgement = await verdict(this.game, step.name, [...this.moves, text], this.fault !== null);
      if (this.step !== step) return;
      this.verdict = judgement;
      if (judgement.accepted) {
        this.moves = [...this.moves, text];
        this.position = judgement.position;
        this.task = judgement.done ? this.task : judgement.text;
      }
      if (judgement.done) reach(this.game, this.at + 1, step.name);
    });
    if (this.verdict?.done) document.getElementById("next-step")?.focus({ preventScroll: true });
  }

  /** Whether the rules would accept a move, for the renderer's own marks. @param {string} text */
  async judge(text) {
    const { step } = this;
    if (!step) return { legal: false, message: null };
    const judgement = await verdict(this.game, step.name, [...this.moves, text]);
    return { legal: judgement.legal, message: judgement.legal ? null : judgement.text[preferences.language] };
  }

  /** Begin a match against the opponent that a new player meets. */
  async begin() {
    const { card } = this;
    if (!card) return;
    const [preset] = card.presets;
    const agent = card.agents.find(({ presets }) => presets === null || presets.includes(preset ?? ""));
    const seats = card.players === 1 ? ["you"] : ["you", card.default_level ?? agent?.name ?? "you"];
    await this.shell.enter(() => api.create({ game: this.game, preset: preset ?? null, seats, practice: true }));
  }

  context() {
    const position = /** @type {Schemas["ShownPosition"]} */ (this.position);
    // What the task marks is marked until the step is done, through all its turns and wrong tries.
    const marked = this.verdict?.done ? { ...position, cells: [] } : position;
    return this.boardContext(this.game, marked, {
      mayMove: !this.busy && !this.verdict?.done,
      judge: (text) => this.judge(text),
    });
  }

  keyContext() {
    return this.step && this.position && this.context();
  }

  draw() {
    const { tutorial: shown, renderer, step } = this;
    if (this.preparation) return this.drawPreparation(this.preparation);
    if (!shown || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="learn" data-game=${this.game}>
      <header class="learn-heading">
        <h1>${this.title()}</h1>
        ${this.dots(shown)}
      </header>
      ${step && this.position ? this.stepTask(step) : this.end(shown)}
    </div>`;
  }

  /** @param {Schemas["TutorialView"]} shown */
  dots(shown) {
    const { done } = reached(this.game);
    return html`<nav aria-label=${say("steps")}><ol class="learn-steps">
      ${shown.steps.map((step, index) => {
        const title = step.title[preferences.language];
        const label = `${index + 1}. ${title}${done.includes(step.name) ? `, ${say("done_step")}` : ""}`;
        return html`<li><button class=${done.includes(step.name) ? "done" : ""}
          aria-current=${index === this.at ? "step" : nothing} aria-label=${label} title=${title}
            @click=${() => this.go(index)}>${done.includes(step.name) && index !== this.at ? "✓" : index + 1}</button></li>`;
      })}
      </ol></nav>`;
  }

  /** @param {Schemas["StepView"]} step */
  stepTask(step) {
    const language = preferences.language;
    const task = html`<p class="muted">${say("step", { number: this.at + 1, count: this.tutorial?.steps.length ?? 0 })}</p>
        <h2 id="task" tabindex="-1">${step.title[language]}</h2>
        <p class="learn-text">${this.task?.[language]}</p>`;
    const reply = html`<div class="learn-answer" role="status">${this.answer()}</div>
        <div class="actions">
          ${
            this.verdict?.done
              ? html`<button id="next-step" class="primary large"
                @click=${(/** @type {MouseEvent} */ event) => event.detail < 2 && this.go(this.at + 1)}>${say(
                  this.at + 1 < (this.tutorial?.steps.length ?? 0) ? "next" : "finish",
                )} ${icon("next")}</button>
                <button class="quiet" @click=${() => this.go(this.at)}>${say("again")}</button>`
              : html`<button class="quiet" @click=${() => this.go(this.at + 1)}>${say("skip")}</button>`
          }
          <a class="button quiet" href="/" data-page>${say("leave")}</a>
        </div>`;
    return this.exercise(this.context(), task, reply, this.fallback?.panel(this));
  }

  answer() {
    const { verdict } = this;
    if (!verdict || (verdict.accepted && !verdict.done)) return nothing;
    const [kind, word] = verdict.done
      ? /** @type {const} */ (["right", "right"])
      : /** @type {const} */ (["wrong", verdict.legal ? "not_yet" : "not_allowed"]);
    return html`<p class=${kind}><strong>${say(word)}</strong> ${verdict.text[preferences.language]}</p>`;
  }

  /** @param {Schemas["TutorialView"]} shown */
  end(shown) {
    const whole = reached(this.game).done.length >= shown.steps.length;
    return html`<section class="panel learn-end">
      <h2 id="task" tabindex="-1">${say(whole ? "complete" : "end")}</h2>
      <p>${say(whole ? "complete_text" : "skipped_text")}</p>
      <div class="actions">
        <button class="primary large" @click=${() => this.begin()}>${icon("play")} ${say("play")}</button>
        <button @click=${() => this.go(0)}>${say("restart")}</button>
        <a class="button" href="/" data-page>${say("other")}</a>
      </div>
    </section>`;
  }
}
