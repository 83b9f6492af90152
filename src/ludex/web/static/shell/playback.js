/**
 * What the others do in a match, action by action at a pace that can be followed. A game asks for it by `pace_ms` of its
 * scenes: how long a position is to be seen before the next. Loaded where a match has such scenes.
 */

import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { prefer, preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("match", "playback");

/** By its name, how many times as long as the game asks for a position is shown. */
const SPEEDS = { slow: 2, normal: 1, fast: 0.4, at_once: 0 };

export class Playback {
  /** @param {OpenMatch} page */
  constructor(page) {
    this.page = page;
    /** The ply on the screen. */
    this.ply = page.match.plies;
    /** The match as it was then. */
    this.seen = page.match;
    /** When the next position may be shown, by `performance.now()`. */
    this.until = 0;
    this.plays = false;
    /** @type {(() => void) | null} ends the present wait */
    this.wake = null;
  }

  /** The position on the screen while it is not the newest. @returns {MatchView | null} */
  get view() {
    return this.ply < this.page.match.plies ? this.seen : null;
  }

  get factor() {
    return SPEEDS[preferences.playback ?? "normal"];
  }

  /** Show what came with a newer state, one position after the other. @param {MatchView} match */
  follow(match) {
    if (match.plies < this.ply || this.page.at !== null || document.hidden || !this.factor) return this.skip();
    if (!this.plays) void this.play();
  }

  /** Show the newest position. */
  skip() {
    this.ply = this.page.match.plies;
    this.seen = this.page.match;
    this.wake?.();
  }

  async play() {
    const { page } = this;
    this.plays = true;
    while (this.ply < page.match.plies) {
      const ply = this.ply + 1;
      const own = page.match.seats[page.match.moves[ply - 1]?.player ?? -1]?.you;
      const view = ply === page.match.plies ? page.match : await this.load(ply);
      if (this.ply !== ply - 1) continue;
      if (!view) break;
      if (!own) await this.wait();
      if (this.ply !== ply - 1) continue;
      this.ply = ply;
      this.seen = view;
      const ms = Number(view.scene?.["pace_ms"] ?? 0) * this.factor;
      if (ms || ply === page.match.plies) {
        this.until = performance.now() + ms;
        page.shell.redraw();
      }
    }
    this.skip();
    this.plays = false;
    page.shell.redraw();
  }

  /** Wait until the position on the screen was seen, or the person skips. */
  async wait() {
    const left = this.until - performance.now();
    if (left <= 0) return;
    /** @type {Promise<void>} */
    const over = new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, left);
    });
    this.page.shell.redraw();
    await over;
    this.wake = null;
  }

  /** The match after so many moves; null where it cannot be read. @param {number} ply @returns {Promise<MatchView | null>} */
  async load(ply) {
    const { page } = this;
    const known = page.past.views.get(ply);
    if (known) return known;
    try {
      const view = await api.match(page.id, ply);
      page.past.views.set(ply, view);
      return view;
    } catch (error) {
      page.shell.fail(error);
      return null;
    }
  }

  draw() {
    const pace = preferences.playback ?? "normal";
    return html`<div class="board-actions playback ${this.plays ? "plays" : ""}">
      <button ?disabled=${!this.plays} @click=${() => this.skip()}>${icon("last")} ${say("skip")}</button>
      <fieldset class="segments"><legend class="unseen">${say("label")}</legend>${
        /** @type {(keyof typeof SPEEDS)[]} */ (Object.keys(SPEEDS)).map(
          (name) => html`<label><input type="radio" name="playback" .checked=${live(name === pace)}
            @change=${() => this.choose(name)} /><span>${say(name)}</span></label>`,
        )
      }</fieldset></div>`;
  }

  /** @param {keyof typeof SPEEDS} playback */
  choose(playback) {
    prefer({ playback });
    if (!this.factor) this.skip();
    this.page.shell.redraw();
  }
}
