/** What a run has learned: two boards side by side, the win rate by steps as a staircase, and one game at every step. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { agents } from "./labapi.js";
import { calm, preferences } from "./preferences.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { select, typed } from "./select.js";
import { contextOf } from "./shown.js";
import { numeral, texts } from "./texts.js";

const say = texts("lab", "learned");

const FRAME_MS = 700;
const [WIDE, HIGH, LEFT, TOP, FOOT] = [360, 190, 48, 22, 26];

/** A share in whole percents. @param {number} share */
const whole = (share) => numeral(share, { style: "percent", maximumFractionDigits: 0 });

/** What the measured games say, in a sentence; empty until there is something. @param {Schemas["RunLearned"]} measured */
export function story({ strength, opponent, complete, counted }) {
  const [first, last] = [strength[0], strength.at(-1)];
  if (!complete || !first || !last || first === last) return "";
  // Of games against a perfect player the lost ones are named: 50 %, and then none.
  const share = (/** @type {{ win_rate: number }} */ { win_rate }) =>
    whole(counted === "won" ? win_rate : 1 - win_rate);
  const values = { first: share(first), last: share(last), count: last.games };
  const sentence = opponent
    ? say(counted === "won" ? "story" : "story_held", { ...values, opponent: opponent[preferences.language] })
    : say("story_alone", values);
  const [better, worse] = last.win_rate > first.win_rate ? [last, first] : [first, last];
  // Newcombe's interval of a difference: two intervals may touch though what lies between is no chance.
  const doubt = Math.hypot(better.win_rate - better.ci95[0], worse.ci95[1] - worse.win_rate);
  return better.win_rate - worse.win_rate > doubt ? sentence : `${sentence} ${say("chance")}`;
}

export class Learned {
  /** @param {Shell} shell @param {Schemas["RunCheckpoints"]} run @param {Schemas["RunLearned"]} measured */
  constructor(shell, run, measured) {
    this.shell = shell;
    this.run = run;
    this.measured = measured;
    /** @type {Renderer | null} */
    this.renderer = null;
    /** @type {Schemas["BeforeAndAfter"][]} */
    this.pairs = [];
    /** The game that is shown, and how many of its moves. */
    this.game = 0;
    this.ply = 0;
    /** By game and ply. @type {Map<string, Schemas["FilmFrame"]>} */
    this.frames = new Map();
    this.timer = 0;
    /** What each board keeps for itself, by its name. @type {Map<string, Record<string, any>>} */
    this.ui = new Map();
    this.closed = false;
  }

  async open() {
    const [renderer] = await Promise.all([
      loadRenderer(this.run.renderer),
      stylesheet("/static/style/checkpoints.css"),
      stylesheet("/static/style/learned.css"),
    ]);
    this.renderer = renderer;
    await this.update(this.measured);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Show what was measured by now. @param {Schemas["RunLearned"]} measured */
  async update(measured) {
    this.measured = measured;
    if (!measured.complete) return;
    await this.seek(this.game, this.ply);
    // The searches take a while: the page does not wait for them.
    void this.shell.attempt(async () => {
      while (this.pairs.length < measured.positions && !this.closed) {
        this.pairs.push(await agents.telling(this.run.name, this.pairs.length));
        this.shell.redraw();
      }
    });
  }

  /** Show another position of a game. @param {number} game @param {number} ply */
  async seek(game, ply) {
    const plies = this.measured.games[game]?.plies;
    if (plies === undefined) return;
    const position = Math.min(ply, plies);
    const key = `${game}/${position}`;
    const frame = this.frames.get(key) ?? (await agents.frame(this.run.name, game, position));
    this.frames.set(key, frame);
    Object.assign(this, { game, ply: position });
    this.shell.redraw();
  }

  /** Let the game run from where it stands, or from its beginning. */
  async play() {
    if (this.timer) {
      this.stop();
      return;
    }
    const { plies } = /** @type {Schemas["FilmedGame"]} */ (this.measured.games[this.game]);
    if (this.ply >= plies) await this.seek(this.game, 0);
    const next = async () => {
      await this.shell.attempt(() => this.seek(this.game, this.ply + 1));
      if (this.ply < plies && !this.closed && this.timer) this.timer = window.setTimeout(() => void next(), FRAME_MS);
      else this.stop();
    };
    this.timer = window.setTimeout(() => void next(), calm() ? 0 : FRAME_MS);
    this.shell.redraw();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.shell.redraw();
  }

  draw() {
    if (!this.measured.strength.length && this.measured.complete) return nothing;
    return html`<section class="panel learned" aria-labelledby="learned-title">
      <h2 id="learned-title">${say("title")}</h2>
      ${this.measured.complete ? nothing : html`<p class="muted" role="status">${say("measuring")}</p>`}
      ${this.staircase()} ${this.differences()} ${this.film()}
    </section>`;
  }

  staircase() {
    const { strength, opponent } = this.measured;
    if (!strength.length) return nothing;
    const { language } = preferences;
    const title = opponent
      ? say(this.measured.counted === "won" ? "against" : "held", { opponent: opponent[language] })
      : say("alone");
    const games = strength[0]?.games ?? 0;
    const wide = (WIDE - LEFT) / strength.length;
    const y = (/** @type {number} */ share) => TOP + (1 - share) * (HIGH - TOP - FOOT);
    const spoken = strength.map(
      ({ step, win_rate, ci95 }) =>
        `${say("step", { step })}: ${whole(win_rate)} (${whole(ci95[0])} – ${whole(ci95[1])})`,
    );
    return html`<figure class="staircase"><figcaption>${title}
        <span class="muted">${say("games", { count: games })}</span></figcaption>
      <svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${title}. ${spoken.join("; ")}">
        ${[0, 0.5, 1].map(
          (share) => svg`<line class="grid" x1=${LEFT} x2=${WIDE} y1=${y(share)} y2=${y(share)} />
            <text x=${LEFT - 6} y=${y(share) + 4} text-anchor="end">${whole(share)}</text>`,
        )}
        ${strength.map(({ step, win_rate, ci95 }, at) => {
          const x = LEFT + wide * at;
          const before = strength[at - 1];
          return svg`<g data-step=${step}>
            <rect class="interval" x=${x + 2} width=${wide - 4} y=${y(ci95[1])} height=${y(ci95[0]) - y(ci95[1])} />
            ${before ? svg`<line class="tread" x1=${x} x2=${x} y1=${y(before.win_rate)} y2=${y(win_rate)} />` : nothing}
            <line class="tread" x1=${x} x2=${x + wide} y1=${y(win_rate)} y2=${y(win_rate)} />
            <text x=${x + wide / 2} y=${y(win_rate) - 5} text-anchor="middle">${whole(win_rate)}</text>
            <text x=${x + wide / 2} y=${HIGH - 8} text-anchor="middle">${step}</text></g>`;
        })}
      </svg><p class="muted">${say("interval")}</p></figure>`;
  }

  differences() {
    const { complete, positions } = this.measured;
    if (!complete || !this.renderer) return nothing;
    if (!positions) return html`<p class="muted">${say("same")}</p>`;
    return html`<h3>${say("differs")}</h3>
      ${this.pairs.map(
        (pair, number) =>
          html`<div class="before-after">${this.choice(pair.before, `${number}-before`)}
            ${this.choice(pair.after, `${number}-after`)}</div>`,
      )}
      ${
        this.pairs.length < positions
          ? html`<p class="muted"><span class="spinner" aria-hidden="true"></span> ${say("asking")}</p>`
          : nothing
      }`;
  }

  /** @param {Schemas["CheckpointView"]} view @param {string} name */
  choice(view, name) {
    const { language } = preferences;
    const { candidates, action, text } = view.analysis;
    const best = candidates.find((candidate) => candidate.action === action);
    return html`<figure data-step=${view.step}><figcaption>${say("would", { step: view.step })}
        <strong>${best?.words?.[language] ?? text}</strong></figcaption>
      ${this.board(view.position, name, text)}</figure>`;
  }

  /** @param {Schemas["ShownPosition"]} position @param {string} name @param {string} [move] that is drawn on it */
  board(position, name, move) {
    const ui = this.ui.get(name) ?? {};
    this.ui.set(name, ui);
    const drawn = move === undefined ? [] : [{ text: move, kind: /** @type {const} */ ("hint") }];
    // Nobody sits at it: all boards of the page are seen from the first player's side.
    const seen = { ...position, viewer: 0 };
    const ctx = contextOf(this.run.game, seen, { ui, redraw: this.shell.redraw, overlay: "none", drawn });
    return html`<div class="board-frame" data-game=${this.run.game}>${this.renderer?.board(ctx)}</div>`;
  }

  film() {
    const { games, complete } = this.measured;
    const frame = this.frames.get(`${this.game}/${this.ply}`);
    if (!complete || !frame || !this.renderer) return nothing;
    const steps = games.map((_, index) => String(index));
    return html`<h3>${say("film")}</h3>
      <p class="muted">${say("film_about")} ${this.measured.seat ? say("film_second") : nothing}</p>
      <div class="actions">
        ${select(say("played_by"), steps, String(this.game), (index) => void this.seek(Number(index), this.ply), {
          names: games.map((game) => this.gameTitle(game)),
        })}
        <button @click=${() => this.play()}>${icon(this.timer ? "stop" : "play")} ${say(this.timer ? "stop" : "run")}</button>
      </div>
      <label class="field"><span>${say("move", { ply: frame.ply, plies: frame.plies })}</span><input type="range" min="0"
        max=${frame.plies} step="1" .value=${live(String(this.ply))}
        @input=${typed((ply) => void this.seek(this.game, Number(ply)))} /></label>
      <div class="film-board">${this.board(frame.position, "film")}</div>`;
  }

  /** @param {Schemas["FilmedGame"]} game */
  gameTitle({ step, plies, scores }) {
    const score = scores?.[this.measured.seat] ?? 0;
    return say(score > 0 ? "won" : score < 0 ? "lost" : "drawn", { step, plies });
  }
}
