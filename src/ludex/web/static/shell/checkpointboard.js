// @ts-check
/** A position as the game draws it, with what an agent of a run would do there. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { agents } from "./agentapi.js";
import { preferences } from "./preferences.js";
import { loadRenderer } from "./renderer.js";
import { contextOf } from "./shown.js";

/** @typedef {import("./api.js").Schemas} Schemas */

const PERCENT = 100;

export class CheckpointBoard {
  /** @param {import("../types/page.js").Shell} shell @param {Schemas["RunCheckpoints"]} found */
  constructor(shell, found) {
    this.shell = shell;
    this.found = found;
    /** @type {import("../types/renderer.js").Renderer | null} */
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
      loadRenderer(this.found.renderer),
      agents.view(this.found.name, step, plies),
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
      const view = await agents.view(this.found.name, step, plies);
      if (request !== this.requests) return;
      this.view = view;
      this.shell.redraw();
    } catch (error) {
      if (request === this.requests) this.shell.fail(error);
    }
  }

  /**
   * @param {(name: "would" | "share", values?: Record<string, string | number>) => string} say
   * @param {number} most of the moves that are named
   */
  draw(say, most) {
    const { renderer, view } = this;
    if (!renderer || !view) return nothing;
    const { position, analysis } = view;
    const ctx = contextOf(this.found.game, position, {
      ui: this.ui,
      redraw: this.shell.redraw,
      analysis,
      overlay: "heat",
    });
    const { language } = preferences;
    return html`<div class="checkpoint-board" data-game=${this.found.game} aria-live="polite">
      <div class="board-frame">${renderer.board(ctx)}</div>
      <div><p>${say("would", { step: view.step })}</p>
      <ol>${analysis.candidates.slice(0, most).map(
        ({ words, text, prob }) => html`<li><strong>${words?.[language] ?? text}</strong>
          ${prob === null ? nothing : html`<span class="muted">${say("share", { share: Math.round(PERCENT * prob) })}</span>`}</li>`,
      )}</ol></div>
    </div>`;
  }
}
