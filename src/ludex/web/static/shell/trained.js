/** What a training has made: strength by steps, one game at every step, choices at any step, and opponents. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { api, ApiError } from "./api.js";
import { icon } from "./icons.js";
import { agents, lab } from "./labapi.js";
import { calm, chooseFor, preferences } from "./preferences.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { select, typed } from "./select.js";
import { contextOf } from "./shown.js";
import { numeral, texts } from "./texts.js";

const say = texts("lab", "learned");
const sayStep = texts("lab", "checkpoints");
const sayKeeping = texts("lab", "keeping");

/** A film lasts about so long, in so many pictures at most. */
const FILM_MS = 12_000;
const PICTURES = 40;
const [SHORTEST_MS, LONGEST_MS, WAIT_MS] = [120, 900, 120];
/** So often it is looked whether a game that is being prepared can be played. */
const PREPARING_MS = 2000;
const [WIDE, HIGH, LEFT, TOP, FOOT] = [360, 190, 48, 22, 26];
/** Games of a tournament between two steps. */
const GAMES = 20;

/** A share in whole percents. @param {number} share */
const whole = (share) => numeral(share, { style: "percent", maximumFractionDigits: 0 });

/** What the measured games say, in a sentence; empty until there is something. @param {Schemas["RunLearned"]} measured */
export function story({ strength, opponent, verdict, counted }) {
  const [first, last] = [strength[0], strength.at(-1)];
  if (!verdict || !first || !last) return "";
  // Of games against a perfect player the lost ones are named: 50 %, and then none.
  const share = (/** @type {{ win_rate: number }} */ { win_rate }) =>
    whole(counted === "won" ? win_rate : 1 - win_rate);
  const values = { first: share(first), last: share(last), count: last.games };
  const sentence = opponent
    ? say(counted === "won" ? "story" : "story_held", { ...values, opponent: opponent[preferences.language] })
    : say("story_alone", values);
  return verdict === "better" ? sentence : `${say(verdict)} ${sentence}`;
}

export class Trained {
  /**
   * @param {import("./page.js").BasePage} page @param {Schemas["RunCheckpoints"]} run
   * @param {Schemas["RunLearned"]} measured
   */
  constructor(page, run, measured) {
    this.page = page;
    this.shell = page.shell;
    this.run = run;
    this.measured = measured;
    /** @type {Renderer | null} */
    this.renderer = null;
    this.administrator = false;
    /** Which of the agents is looked at; the last until another is chosen. @type {number | null} */
    this.chosen = null;
    /** Which one it meets. @type {number} */
    this.other = 0;
    /** The name under which the agent will be kept. */
    this.name = "";
    /** By position and step, what would be played. @type {Map<string, Schemas["StepChoice"]>} */
    this.views = new Map();
    this.looking = false;
    this.ply = 0;
    /** The games of all steps by ply. @type {Map<number, Schemas["Film"]["frames"]>} */
    this.frames = new Map();
    this.timer = 0;
    this.rest = 0;
    /** What each board keeps for itself, by its name. @type {Map<string, Record<string, any>>} */
    this.ui = new Map();
    this.closed = false;
  }

  async open() {
    const [renderer, status] = await Promise.all([
      loadRenderer(this.run.renderer),
      lab.administrator(),
      stylesheet("/static/style/trained.css"),
    ]);
    this.renderer = renderer;
    this.administrator = status.administrator;
    await this.update(this.run, this.measured);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.rest);
  }

  /** Show what there is by now. @param {Schemas["RunCheckpoints"]} run @param {Schemas["RunLearned"]} measured */
  async update(run, measured) {
    const before = this.current.step;
    Object.assign(this, { run, measured });
    // Steps between may be thinned out: the nearest one stays chosen.
    if (this.chosen !== null) {
      const nearest = run.checkpoints.findLastIndex(({ step }) => step <= before);
      this.chosen = Math.max(0, nearest);
    }
    this.other = Math.min(this.other, run.checkpoints.length - 1);
    if (measured.complete && measured.games.length && !this.frames.size) await this.seek(this.plies);
  }

  /** The agent that is looked at. */
  get current() {
    const { checkpoints } = this.run;
    return /** @type {Schemas["CheckpointLine"]} */ (checkpoints[this.chosen ?? checkpoints.length - 1]);
  }

  /** The steps whose choices stand side by side. */
  get pair() {
    return [this.measured.strength[0]?.step ?? 0, this.current.step];
  }

  /** Ask both steps what they would play, position by position: the page does not wait for these searches. */
  async look() {
    if (this.looking) return;
    this.looking = true;
    try {
      for (let key = this.missing; key && !this.closed; key = this.missing) {
        this.views.set(key, await agents.choice(this.run.name, key));
        this.shell.redraw();
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "preparing") this.shell.fail(error);
      else if (!this.closed) this.rest = window.setTimeout(() => void this.look(), PREPARING_MS);
    } finally {
      this.looking = false;
    }
  }

  /** The first position with a step whose choice there is not known. */
  get missing() {
    const { positions, complete } = this.measured;
    const keys = Array.from({ length: complete ? positions : 0 }, (_, at) => this.pair.map((step) => `${at}/${step}`));
    return keys.flat().find((key) => !this.views.has(key));
  }

  /** @param {Partial<Pick<Trained, "chosen" | "other">>} changes */
  set(changes) {
    Object.assign(this, changes);
    clearTimeout(this.rest);
    // Once the slider rests.
    if ("chosen" in changes) this.rest = window.setTimeout(() => void this.look(), WAIT_MS);
    this.shell.redraw();
  }

  /** How long the longest game is. */
  get plies() {
    return Math.max(0, ...this.measured.games.map(({ plies }) => plies));
  }

  /** Show all games after so many plies. @param {number} ply */
  async seek(ply) {
    if (!this.frames.has(ply)) this.frames.set(ply, (await agents.film(this.run.name, ply)).frames);
    this.ply = ply;
    this.shell.redraw();
  }

  /** Let the games run from where they stand, or from their beginning. */
  async play() {
    if (this.timer) {
      this.stop();
      return;
    }
    const stride = Math.ceil(this.plies / PICTURES);
    const pause = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, (FILM_MS * stride) / this.plies));
    if (this.ply >= this.plies) await this.seek(0);
    const next = async () => {
      await this.shell.attempt(() => this.seek(Math.min(this.plies, this.ply + stride)));
      if (this.ply < this.plies && !this.closed && this.timer) this.timer = window.setTimeout(() => void next(), pause);
      else this.stop();
    };
    if (!this.closed) this.timer = window.setTimeout(() => void next(), pause);
    this.shell.redraw();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.shell.redraw();
  }

  /** What a visitor of the laboratory sees of it. */
  brief() {
    const { length } = this.measured.games;
    return html`<p class="story">${story(this.measured)}</p>
      <p class="muted">${this.run.board?.[preferences.language]}</p>
      <div class="learned-parts">${this.film([0, length - 1])} ${this.staircase()}</div>
      <p class="job-links">${this.playButton()}
        <a class="button" href="/runs/${encodeURIComponent(this.run.name)}" data-page>${say("whole")}</a></p>`;
  }

  /** The game as it was at once played by the first and the last step, unless motion is unwanted. */
  async show() {
    await this.open();
    if (!calm()) await this.play();
  }

  draw() {
    const { strength, complete, games } = this.measured;
    return html`${
      strength.length
        ? html`<section class="panel learned" aria-labelledby="learned-title">
          <h2 id="learned-title">${say("title")}</h2>
          ${complete ? nothing : html`<p class="muted" role="status">${say("measuring")}</p>`}
          <div class="learned-parts">${this.staircase()} ${this.film(games.map((_, index) => index))}</div>
        </section>`
        : nothing
    }${this.steps()}`;
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
        `${sayStep("step", { step })}: ${whole(win_rate)} (${whole(ci95[0])} – ${whole(ci95[1])})`,
    );
    return html`<figure class="staircase"><figcaption><strong>${title}</strong>
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

  /** The same game as these of the measured steps played it. @param {number[]} steps */
  film(steps) {
    const { complete, opponent, seat } = this.measured;
    const frames = this.frames.get(this.ply);
    if (!complete || !frames) return nothing;
    return html`<div class="film"><h3>${say("film")}</h3>
      <p class="muted">${say(opponent ? "film_about" : "film_alone")} ${seat ? say("film_second") : nothing}</p>
      <div class="film-boards">${steps.map((step) => this.frame(step, frames[step]))}</div>
      <div class="actions"><button @click=${() => this.play()}>${icon(this.timer ? "stop" : "play")}
        ${say(this.timer ? "stop" : "run")}</button>
      <label class="field"><span>${say("move", { ply: this.ply, plies: this.plies })}</span><input type="range" min="0"
        max=${this.plies} step="1" .value=${live(String(this.ply))}
        @input=${typed((ply) => void this.seek(Number(ply)))} /></label></div></div>`;
  }

  /** @param {number} number @param {Schemas["FilmFrame"] | undefined} frame */
  frame(number, frame) {
    const game = this.measured.games[number];
    if (!frame || !game) return nothing;
    const { step, plies, scores } = game;
    const score = scores?.[this.measured.seat] ?? 0;
    const end = say(score > 0 ? "won" : score < 0 ? "lost" : "drawn", { plies });
    return html`<figure data-step=${step}><figcaption>${sayStep("step", { step })}
      <strong>${frame.ply < plies ? nothing : end}</strong></figcaption>${this.board(frame.position, `film-${number}`)}</figure>`;
  }

  /** @param {Schemas["ShownPosition"]} position @param {string} name @param {string} [move] that is drawn on it */
  board(position, name, move) {
    const ui = this.ui.get(name) ?? {};
    this.ui.set(name, ui);
    const marks = move === undefined ? [] : [{ text: move, kind: /** @type {const} */ ("hint") }];
    // No person plays on it: all boards of the page are seen from the first player's side.
    const view = { ...position, viewer: 0 };
    const ctx = contextOf(this.run.game, view, {
      ui,
      redraw: this.shell.redraw,
      overlay: "none",
      drawn: marks,
      thumbnail: move === undefined,
    });
    return html`<div class="board-frame" data-game=${this.run.game}>${this.renderer?.board(ctx)}</div>`;
  }

  /** The slider through training time, what the agent of its step would play, and what can be done with it. */
  steps() {
    const { run, current } = this;
    const last = run.checkpoints.length - 1;
    return html`<section class="panel checkpoints" aria-labelledby="checkpoints-title">
      <h2 id="checkpoints-title">${sayStep("title")}</h2>
      <p class="muted">${run.board?.[preferences.language]}${
        last + 1 < this.measured.strength.length ? html` · ${sayStep("few", { count: last + 1 })}` : nothing
      }</p>
      <label class="field"><span>${sayStep("step", { step: current.step })}</span><input type="range" min="0" max=${last}
        step="1" aria-valuetext=${sayStep("step", { step: current.step })} .value=${live(String(this.chosen ?? last))}
        @input=${typed((step) => this.set({ chosen: Number(step) }))} /></label>
      <div class="actions">${this.playButton()}
        <a class="button quiet" href=${agents.checkpointFile(run.name, current.step)} download>${sayStep("export")}</a>
      </div>
      ${run.players === 2 && last > 0 ? this.meeting() : nothing}
      ${this.administrator ? this.keeping() : nothing} ${this.differences()}
    </section>`;
  }

  differences() {
    const { complete, positions, strength, tried } = this.measured;
    if (!complete || !strength.length) return nothing;
    // Runs that were measured without a judge have positions alone.
    const right = tried ? say("tried", tried) : "";
    if (!positions) return html`<p class="muted">${say("nothing")} ${right}</p>`;
    return html`<h3>${say("differs")}</h3><p class="muted">${tried ? say("preferred") : nothing} ${right}</p>
      <div class="pairs">${Array.from(
        { length: positions },
        (_, number) => html`<div class="before-after">${this.pair.map((step) => this.choice(number, step))}</div>`,
      )}</div>`;
  }

  /** @param {number} number of a position @param {number} step */
  choice(number, step) {
    const view = this.views.get(`${number}/${step}`);
    if (!view)
      return html`<figure><figcaption class="muted"><span class="spinner" aria-hidden="true"></span>
        ${say("asking", { step })}</figcaption></figure>`;
    const { candidates, action, text } = view.analysis;
    const best = candidates.find((candidate) => candidate.action === action);
    return html`<figure data-step=${step}><figcaption>${say("would", { step })}
        <strong>${best?.words?.[preferences.language] ?? text}</strong></figcaption>
      ${this.board(view.position, `${number}/${step}`, text)}</figure>`;
  }

  /** Play against the agent, or watch it where it plays alone. */
  playButton() {
    const { current, run } = this;
    const alone = run.players === 1;
    return html`<button class="primary" ?disabled=${this.page.busy}
      @click=${() => this.begin(alone ? [current.agent] : ["you", current.agent])}>${icon(alone ? "eye" : "play")}
      ${sayStep(alone ? "watch" : "play", { step: current.step })}</button>`;
  }

  /** @param {string[]} seats */
  async begin(seats) {
    await this.page.exclusively(async () => {
      const { game, preset } = this.run;
      this.shell.go(`/match/${(await api.create({ game, preset, seats })).id}`);
    });
  }

  meeting() {
    const { checkpoints } = this.run;
    const other = /** @type {Schemas["CheckpointLine"]} */ (checkpoints[this.other]);
    const steps = checkpoints.map((_, index) => String(index));
    return html`<div class="actions">
      ${select(sayStep("against"), steps, String(this.other), (index) => this.set({ other: Number(index) }), {
        names: checkpoints.map(({ step }) => sayStep("step", { step })),
      })}
      <button ?disabled=${this.page.busy} @click=${() => this.begin([this.current.agent, other.agent])}>${icon("eye")}
        ${sayStep("meet", { one: this.current.step, two: other.step })}</button>
      ${
        this.administrator
          ? html`<button class="quiet" ?disabled=${this.page.busy || this.current.agent === other.agent}
            @click=${() => this.compete(other)}>${sayKeeping("tournament", { games: GAMES })}</button>`
          : nothing
      }
    </div>`;
  }

  /** Let the agent play a tournament with another. @param {Schemas["CheckpointLine"]} other */
  async compete(other) {
    await this.page.exclusively(async () => {
      const { game, preset } = this.run;
      await agents.tournament(game, preset, [this.current.agent, other.agent], GAMES);
      this.shell.go("/lab");
    });
  }

  /** The form that keeps the agent as a level. */
  keeping() {
    return html`<form class="actions" @submit=${(/** @type {Event} */ event) => this.keep(event)}>
      <label class="field"><span>${sayKeeping("name")}</span><input type="text" required maxlength="40"
        .value=${live(this.name)} @input=${typed((name) => (this.name = name))} /></label>
      <button ?disabled=${this.page.busy}>${sayKeeping("keep")}</button>
      <a href="/agents" data-page>${sayStep("agents")}</a></form>`;
  }

  /** @param {Event} event */
  async keep(event) {
    event.preventDefault();
    await this.page.exclusively(async () => {
      const agent = await agents.keep(this.run.name, this.current.step, this.name);
      this.name = "";
      // So that the home page shows it chosen.
      chooseFor(agent.game, { preset: agent.preset, options: {}, level: agent.agent });
      this.shell.say(sayKeeping("kept", { title: agent.title }));
    });
  }
}
