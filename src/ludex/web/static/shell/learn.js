// @ts-check
/** The page of a tutorial: a position, a task, and a board whose moves the server judges. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { POLL_MS, progress, say as sayPreparing } from "./preparing.js";
import { reach, reached } from "./progress.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { contextOf } from "./shown.js";
import { stepPosition, tutorial, verdict } from "./teaching.js";
import { texts, t } from "./texts.js";

/** @typedef {import("./teaching.js").Schemas} Schemas */
/** @typedef {import("../types/renderer.js").Renderer} Renderer */
/** @typedef {import("../types/page.js").Page} Page */

const say = texts("learn", "tutorial");

/** @implements {Page} */
export default class LearnPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} game */
  constructor(shell, game) {
    this.shell = shell;
    this.game = game;
    /** @type {Schemas["TutorialView"] | null} */
    this.tutorial = null;
    /** @type {import("./players.js").GameCard | null} */
    this.card = null;
    /** @type {Renderer | null} */
    this.renderer = null;
    /** The step shown; behind the last one is the end. */
    this.at = reached(game).step;
    /** @type {Schemas["ShownPosition"] | null} */
    this.position = null;
    /** @type {Schemas["StepPosition"]["task"] | null} */
    this.task = null;
    /** @type {string[]} the accepted moves of the step */
    this.moves = [];
    /** @type {Schemas["TutorialVerdict"] | null} of the last move */
    this.verdict = null;
    this.busy = false;
    /** @type {string | null} */
    this.pending = null;
    /** @type {Record<string, any>} */
    this.ui = {};
    /** @type {import("./preparing.js").GamePreparation | null} */
    this.preparation = null;
    this.retry = 0;
    this.closed = false;
    /** @type {string | null} why the generic board replaces the game's own */
    this.fault = null;
    /** @type {typeof import("./fallback.js") | null} loaded with the first fault */
    this.fallback = null;
  }

  title() {
    return this.tutorial ? say("title", { game: this.tutorial.names[preferences.language] }) : t("loading");
  }

  async open() {
    const [found, games] = await Promise.all([tutorial(this.game), api.games(), stylesheet("/static/style/learn.css")]);
    this.card = games.games.find((card) => card.id === this.game) ?? null;
    this.tutorial = found;
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

  close() {
    this.closed = true;
    clearTimeout(this.retry);
  }

  get step() {
    return this.tutorial?.steps[this.at] ?? null;
  }

  /** Show a step; one of a game that is being prepared is tried again. @param {number} at */
  async enter(at) {
    const steps = this.tutorial?.steps ?? [];
    this.at = Math.max(0, Math.min(steps.length, at));
    this.moves = [];
    this.verdict = null;
    this.ui = {};
    const step = this.step;
    reach(this.game, this.at);
    if (step) {
      try {
        const begun = await stepPosition(this.game, step.name, this.fault !== null);
        if (this.step !== step) return;
        [this.position, this.task, this.preparation] = [begun.position, begun.task, null];
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "preparing") throw error;
        this.preparation = error.preparation;
        if (!this.closed) this.retry = window.setTimeout(() => this.enter(at).catch(this.shell.fail), POLL_MS);
      }
    }
    this.shell.redraw();
  }

  /** @param {number} at */
  go(at) {
    void this.enter(at)
      .then(() => document.getElementById("task")?.focus({ preventScroll: true }))
      .catch(this.shell.fail);
  }

  /** @param {string} text */
  async play(text) {
    const { step } = this;
    if (this.busy || !step || this.verdict?.done) return;
    this.busy = true;
    this.pending = text;
    this.shell.redraw();
    try {
      const found = await verdict(this.game, step.name, [...this.moves, text], this.fault !== null);
      if (this.step !== step) return;
      this.verdict = found;
      if (found.accepted) {
        this.moves = [...this.moves, text];
        this.position = found.position;
        this.task = found.done ? this.task : found.text;
      }
      if (found.done) reach(this.game, this.at + 1, step.name);
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.busy = false;
      this.pending = null;
      this.shell.redraw();
    }
    if (this.verdict?.done) document.getElementById("next-step")?.focus();
  }

  /** Whether the rules would accept a move, for the renderer's own marks. @param {string} text */
  async judge(text) {
    const { step } = this;
    if (!step) return { legal: false, message: null };
    const found = await verdict(this.game, step.name, [...this.moves, text]);
    return { legal: found.legal, message: found.legal ? null : found.text[preferences.language] };
  }

  /** Begin a match against the opponent that a new player meets. */
  async begin() {
    if (!this.card) return;
    const [preset] = this.card.presets;
    const agent = this.card.agents.find((one) => one.presets === null || one.presets.includes(preset ?? ""));
    try {
      const match = await api.create({
        game: this.game,
        preset: preset ?? null,
        seats: this.card.players === 1 ? ["you"] : ["you", this.card.default_level ?? agent?.name ?? "you"],
      });
      this.shell.go(`/match/${match.id}`);
    } catch (error) {
      this.shell.fail(error);
    }
  }

  context() {
    const position = /** @type {Schemas["ShownPosition"]} */ (this.position);
    return contextOf(this.game, this.moves.length || this.verdict?.accepted ? { ...position, cells: [] } : position, {
      ui: this.ui,
      redraw: this.shell.redraw,
      pending: this.pending,
      mayMove: !this.busy && !this.verdict?.done,
      play: (text) => this.play(text),
      judge: (text) => this.judge(text),
      announce: this.shell.announce,
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.renderer?.key || !this.step || !this.position || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    // A focused control outside the board keeps its keys for itself.
    if (
      target.closest("input, select, textarea, dialog[open]") ||
      (target.closest("button, a, summary") && !target.closest(".board"))
    )
      return;
    if (this.renderer.key(event, this.context())) event.preventDefault();
  }

  draw() {
    const { tutorial: shown, renderer, step } = this;
    if (this.preparation)
      return html`<div class="alone"><p>${sayPreparing("match")}</p>${progress(this.preparation)}</div>`;
    if (!shown || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="learn" data-game=${this.game}>
      <header class="learn-heading">
        <h1>${this.title()}</h1>
        ${this.dots(shown)}
      </header>
      ${step && this.position ? this.exercise(renderer, step) : this.end(shown)}
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

  /** @param {Renderer} renderer @param {Schemas["StepView"]} step */
  exercise(renderer, step) {
    const language = preferences.language;
    const ctx = this.context();
    return html`<div class="learn-step">
      <section class="panel learn-task" aria-labelledby="task">
        <p class="muted">${say("step", { number: this.at + 1, count: this.tutorial?.steps.length ?? 0 })}</p>
        <h2 id="task" tabindex="-1">${step.title[language]}</h2>
        <p class="learn-text">${this.task?.[language]}</p>
        <div class="learn-answer" role="status">${this.answer()}</div>
        <div class="actions">
          ${
            this.verdict?.done
              ? html`<button id="next-step" class="primary large"
                @click=${() => this.go(this.at + 1)}>${say(
                  this.at + 1 < (this.tutorial?.steps.length ?? 0) ? "next" : "finish",
                )} ${icon("next")}</button>
                <button class="quiet" @click=${() => this.go(this.at)}>${say("again")}</button>`
              : html`<button class="quiet" @click=${() => this.go(this.at + 1)}>${say("skip")}</button>`
          }
          <a class="button quiet" href="/" data-page>${say("leave")}</a>
        </div>
      </section>
      <div class="learn-board">
        ${this.fallback?.panel(this) ?? nothing}
        <div class="board-frame" aria-busy=${this.busy}>${renderer.board(ctx)}</div>
        ${renderer.firstPanels ? renderer.firstPanels(ctx) : nothing}
      </div>
    </div>`;
  }

  answer() {
    const { verdict: found } = this;
    if (!found || (found.accepted && !found.done)) return nothing;
    const [kind, word] = found.done
      ? /** @type {const} */ (["right", "right"])
      : /** @type {const} */ (["wrong", found.legal ? "not_yet" : "not_allowed"]);
    return html`<p class=${kind}><strong>${say(word)}</strong> ${found.text[preferences.language]}</p>`;
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
