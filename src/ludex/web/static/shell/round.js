/** A round of puzzles: a rush against the clock, or a streak until the first error; the table of the day around it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { say as sayPuzzle } from "./puzzleapi.js";
import { PuzzleBoardPage } from "./puzzleboard.js";
import { rendererOf } from "./renderer.js";
import { numeral, t, texts } from "./texts.js";
import "./timer.js";

const ROUNDS = "/api/puzzles/rounds";

/** @typedef {Schemas["RoundView"]["mode"]} Mode */

/** @param {string} game @param {Mode} mode @returns {Promise<Schemas["RoundView"]>} */
const beginRound = (game, mode) => request("POST", ROUNDS, { game, mode });

/** @param {string} id @returns {Promise<Schemas["RoundView"]>} */
const readRound = (id) => request("GET", `${ROUNDS}/${id}`);

/**
 * @param {string} id @param {number} number @param {string} move @param {string[]} notes @param {string[]} made
 * @returns {Promise<Schemas["RoundVerdict"]>}
 */
const answerRound = (id, number, move, notes, made) =>
  request("POST", `${ROUNDS}/${id}`, { number, move, notes, made });

/** @param {string} game @param {Mode} mode @returns {Promise<Schemas["RoundTable"]>} */
const roundTable = (game, mode) => request("GET", `${ROUNDS}?${new URLSearchParams({ game, mode })}`);

const say = texts("rounds", "rounds");

/** The server's clock is read again so long after its time was up by ours. */
const LATE_MS = 100;

export default class RoundPage extends PuzzleBoardPage {
  static styles = ["learn", "puzzles"];
  /** @type {Schemas["RoundTable"] | null} */
  table = null;
  /** @type {Schemas["RoundView"] | null} null before the start */
  round = null;
  /** When the round was heard of, by `performance.now()`. */
  heard = 0;
  ending = 0;

  /** @param {Shell} shell @param {string} address a game and a mode */
  constructor(shell, address) {
    super(shell, address);
    const [game = "", mode = ""] = address.split("/");
    this.game = game;
    /** @type {Mode} */
    this.mode = mode === "streak" ? "streak" : "rush";
  }

  title() {
    const game = this.table?.names[preferences.language] ?? "";
    return say("title", { mode: say(this.mode), game });
  }

  async open() {
    [this.table, this.renderer] = await Promise.all([roundTable(this.game, this.mode), rendererOf(this.game)]);
    // The address names the round: a page that is loaded again goes on with it.
    const round = new URLSearchParams(location.search).get("round");
    if (round) await this.resume(round);
  }

  close() {
    super.close();
    clearTimeout(this.ending);
  }

  begin() {
    this.goTo(() =>
      this.whenPrepared(async () => {
        this.verdict = null;
        const round = await beginRound(this.game, this.mode);
        history.replaceState(null, "", `?${new URLSearchParams({ round: round.id })}`);
        await this.hear(round);
      }),
    );
  }

  /** Go on with a round that the server keeps. @param {string} id */
  async resume(id) {
    await this.whenPrepared(async () => {
      const round = await readRound(id);
      history.replaceState(null, "", `?${new URLSearchParams({ round: id })}`);
      await this.hear(round);
    });
  }

  /** Show a round as the server has it now. @param {Schemas["RoundView"]} round */
  async hear(round) {
    const before = this.round?.puzzle?.number;
    const again = this.round?.id !== round.id;
    [this.round, this.heard] = [round, performance.now()];
    if (!round.puzzle || round.puzzle.number !== before || again) this.lay(round.puzzle?.position ?? null);
    clearTimeout(this.ending);
    if (round.over) this.table = await roundTable(this.game, this.mode);
    else if (round.left_ms !== null && !this.closed) {
      this.ending = window.setTimeout(() => void this.shell.attempt(() => this.refresh()), round.left_ms + LATE_MS);
    }
  }

  /** Hear the end from the server, whose clock counts. */
  async refresh() {
    if (!this.round || this.closed) return;
    await this.hear(await readRound(this.round.id));
    this.shell.redraw();
    this.finish();
  }

  finish() {
    if (this.round?.over) document.getElementById("result")?.focus();
  }

  /** @param {string} text */
  async play(text) {
    const { round } = this;
    if (this.busy || !round?.puzzle) return;
    const { number } = round.puzzle;
    await this.send(text, async () => {
      const verdict = await answerRound(round.id, number, text, this.notes, this.earlierMoves);
      if (this.round?.id !== round.id) return;
      this.take(text, verdict);
      await this.hear(verdict.round);
    });
    this.finish();
  }

  context() {
    return this.puzzleContext(this.game, /** @type {Schemas["ShownPosition"]} */ (this.position));
  }

  keyContext() {
    return this.round?.puzzle && this.position ? this.context() : null;
  }

  draw() {
    const { round, table } = this;
    if (this.preparation) return this.drawPreparation(this.preparation);
    if (!table) return html`<p class="alone muted">${t("loading")}</p>`;
    if (round?.puzzle) return this.playing(round, round.puzzle);
    return html`<div class="puzzles round">
      <header><h1>${this.title()}</h1></header>
      ${round ? this.result(round, table) : this.beginning(table)}
      ${this.today(table)}
    </div>`;
  }

  /** @param {Schemas["RoundTable"]} table */
  beginning(table) {
    return html`<section class="panel round-start" aria-label=${this.title()}>
      <p class="learn-text">${say(`${this.mode}_about`)}</p>
      ${this.own(table)}
      ${this.unfinished(table)}
      ${this.choices(say("start"))}
    </section>`;
  }

  /** @param {Schemas["RoundTable"]} table */
  unfinished({ unfinished: id }) {
    if (!id) return nothing;
    const resume = () => this.goTo(() => this.resume(id));
    return html`<p><button class="large" ?disabled=${this.busy} @click=${resume}>${say("resume")}</button></p>`;
  }

  /** What may be done between rounds. @param {string} start */
  choices(start) {
    const other = this.mode === "rush" ? "streak" : "rush";
    return html`<div class="actions">
      <button class="primary large" ?disabled=${this.busy} @click=${() => this.begin()}>${icon("play")} ${start}</button>
      <a class="button" href="/puzzles/round/${this.game}/${other}" data-page>${say(`other_${other}`)}</a>
      <a class="button quiet" href="/puzzles" data-page>${sayPuzzle("all")}</a>
    </div>`;
  }

  /** @param {Schemas["RoundTable"]} table */
  own({ best, today }) {
    if (!best) return nothing;
    return html`<p class="muted">${say("best", { count: best.solved })}${
      today ? html` · ${say("best_today", { count: today.solved })}` : nothing
    }</p>`;
  }

  /** @param {Schemas["RoundView"]} round @param {Schemas["RoundTable"]} table */
  result(round, table) {
    const { language } = preferences;
    const end = round.left_ms === 0 ? "over_time" : round.errors < round.most_errors ? "over_all" : null;
    const record = round.solved > 0 && table.best?.day === table.day && table.best.solved === round.solved;
    return html`<section class="panel round-end" aria-labelledby="result">
      <p class="muted">${say(end ?? (this.mode === "rush" ? "over_errors" : "over_streak"))}</p>
      <h2 id="result" tabindex="-1">${say("result", { count: round.solved })}</h2>
      ${record ? html`<p class="record"><strong>${say("best_now")}</strong></p>` : this.own(table)}
      ${
        round.missed.length
          ? html`<h3>${say("missed")}</h3>
            <ul>${round.missed.map(
              ({ id, title }, index) => html`<li><a href="/puzzles/${round.game}/${id}" data-page
                aria-label=${`${say("look")}: ${index + 1} · ${title[language] ?? ""}`}>${index + 1} · ${title[language]}</a></li>`,
            )}</ul>`
          : nothing
      }
      ${this.choices(say("again"))}
    </section>`;
  }

  /** @param {Schemas["RoundTable"]} table */
  today({ rows, nickname }) {
    return html`<section class="panel" aria-labelledby="today">
      <h2 id="today">${say("today")}</h2>
      ${
        rows.length
          ? html`<table class="round-table"><thead><tr><th scope="col">${say("place")}</th>
            <th scope="col">${say("name")}</th><th scope="col">${say("solved")}</th>
            <th scope="col">${say("time")}</th></tr></thead>
            <tbody>${rows.map(
              (row, index) => html`<tr class=${row.you ? "own" : ""}><td>${index + 1}</td>
                <th scope="row">${row.name}${row.you ? html` <span class="muted">(${say("you")})</span>` : nothing}</th>
                <td>${row.solved}</td><td>${say("seconds", {
                  seconds: numeral(row.seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
                })}</td></tr>`,
            )}</tbody></table>`
          : html`<p class="muted">${say("nobody")}</p>`
      }
      <p class="muted">${say("utc")}
        ${nickname === null ? html`<a href="/settings" data-page>${say("nickname")}</a>` : nothing}</p>
    </section>`;
  }

  /** @param {Schemas["RoundView"]} round @param {Schemas["RoundPuzzle"]} puzzle */
  playing(round, puzzle) {
    const { renderer, position } = this;
    const { language } = preferences;
    if (!renderer || !position) return html`<p class="alone muted">${t("loading")}</p>`;
    const task = html`<p class="muted">${puzzle.board[language]}</p>
          <h2 id="task" tabindex="-1">${puzzle.title[language]}</h2>
          <p class="learn-text">${puzzle.task[language]}</p>`;
    const reply = html`${this.extent(puzzle)}
          <div class="learn-answer" role="status">${this.answer(say("last_right"), say("last_wrong"))}</div>`;
    return html`<div class="learn puzzle round" data-game=${this.game}>
      <header class="learn-heading"><h1>${this.title()}</h1>${this.score(round)}</header>
      ${this.exercise(this.context(), task, reply)}
    </div>`;
  }

  /** @param {Schemas["RoundView"]} round */
  score(round) {
    /** @type {import("./timer.js").Reading | null} */
    const reading =
      round.left_ms === null
        ? null
        : {
            left: round.left_ms,
            at: this.heard,
            runs: true,
            warn: (seconds) => this.shell.announce(say("seconds_left", { seconds })),
          };
    const errors = say("errors_of", { errors: round.errors, most: round.most_errors });
    return html`<dl class="standing">
      ${
        reading
          ? html`<div><dt>${say("left")}</dt>
            <dd><game-clock role="timer" aria-label=${say("left")} .reading=${reading}></game-clock></dd></div>`
          : nothing
      }
      <div><dt>${say("solved")}</dt><dd>${round.solved}</dd></div>
      <div><dt>${say("errors")}</dt><dd class="errors"><span class="unseen">${errors}</span>${Array.from(
        { length: round.most_errors },
        (_, index) => html`<span aria-hidden="true" class=${index < round.errors ? "made" : ""}></span>`,
      )}</dd></div>
    </dl>`;
  }
}
