// @ts-check
/** A new tournament: the board, who plays, how they are paired, and the time they have. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { agents } from "./agentapi.js";
import { ApiError, api } from "./api.js";
import { cardOf, introduce } from "./cards.js";
import { figure } from "./figures.js";
import { placeOf } from "./joblines.js";
import { jobs } from "./jobsapi.js";
import { keyField } from "./keyfields.js";
import { lab } from "./labapi.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { t, texts } from "./texts.js";
import { visitorNote } from "./visitornote.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */
/** @typedef {{ name: string, title: string }} Entrant */

const say = texts("lab", "forms");

const FORMATS = /** @type {const} */ (["round-robin", "gauntlet", "swiss"]);
const LIMITS = /** @type {const} */ (["movetime", "clock", "nodes", "none"]);
/** The options that have inputs of their own; every other option of the operation is drawn from its description. */
const OWN_INPUTS = new Set(
  "preset agents format games rounds movetime nodes clock opening_plies workers name".split(" "),
);
/** How many levels are ticked at first. */
const TICKED = 3;
/** How many of the newest runs of a game are offered. */
const OWN = 6;

/**
 * The games of a tournament in all.
 * @param {string} format @param {number} agents @param {number} games per meeting @param {number | null} rounds
 */
export function planned(format, agents, games, rounds) {
  if (format === "league") return agents * games;
  if (format === "gauntlet") return (agents - 1) * games;
  if (format === "swiss") return (rounds ?? Math.ceil(Math.log2(Math.max(2, agents)))) * Math.floor(agents / 2) * games;
  return ((agents * (agents - 1)) / 2) * games;
}

/** The first, the middle and the last of some agents of a run. @template T @param {T[]} kept @returns {T[]} */
const spread = (kept) =>
  [...new Set([kept[0], kept[Math.floor(kept.length / 2)], kept[kept.length - 1]])].filter((one) => one !== undefined);

/** @implements {Page} */
export default class TournamentFormPage {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Schemas["GameCard"][]} */
    this.games = [];
    /** @type {Schemas["RunLine"][]} */
    this.runs = [];
    this.administrator = false;
    this.starting = false;
    this.refusal = "";
    this.wish = {
      game: "",
      preset: "",
      others: "",
      format: "round-robin",
      games: 10,
      rounds: "",
      limit: "movetime",
      movetime: 100,
      nodes: 1000,
      clock: "30+0.5",
      openings: 2,
      workers: 1,
      name: "",
    };
    /** @type {Schemas["OptionField"][]} the options of a tournament, as the server describes them */
    this.fields = [];
    /** @type {Map<string, any>} the values of further options */
    this.more = new Map();
    /** @type {Map<string, Schemas["RunCheckpoints"]>} by run, the agents that it keeps */
    this.kept = new Map();
    /** @type {Set<string>} the names of those that are ticked */
    this.ticked = new Set();
  }

  title() {
    return say("new_tournament");
  }

  async open() {
    const [{ games }, { runs }, status, { fields }] = await Promise.all([
      api.games(),
      lab.runs(),
      lab.administrator(),
      jobs.operation("tournament"),
      stylesheet("/static/style/lab.css"),
    ]);
    await introduce(games);
    this.games = games;
    this.runs = runs;
    this.fields = fields;
    this.administrator = status.administrator;
    if (games.length) await this.chooseGame(games[0].id);
  }

  close() {}

  get card() {
    return /** @type {Schemas["GameCard"]} */ (this.games.find(({ id }) => id === this.wish.game));
  }

  get format() {
    return this.card.players === 1 ? "league" : this.wish.format;
  }

  /** @param {string} game */
  async chooseGame(game) {
    this.wish.game = game;
    this.chooseBoard(this.card.presets[0]);
    const runs = this.runs.filter((run) => run.game === game && !run.fault && !this.kept.has(run.name)).slice(0, OWN);
    try {
      for (const found of await Promise.all(runs.map(({ name }) => agents.checkpoints(name))))
        this.kept.set(found.name, found);
    } catch (error) {
      this.shell.fail(error);
    }
    this.shell.redraw();
  }

  /** Tick some levels of a board, from weak to strong. @param {string} preset */
  chooseBoard(preset) {
    this.wish.preset = preset;
    const { levels } = this.entrants();
    const step = Math.max(1, (levels.length - 1) / (TICKED - 1));
    this.ticked = new Set(
      levels
        .filter((_, index) => Array.from({ length: TICKED }, (_, tick) => Math.round(tick * step)).includes(index))
        .map(({ name }) => name),
    );
    this.shell.redraw();
  }

  /** Those who can play the board. @returns {Record<"levels" | "machines" | "own", Entrant[]>} */
  entrants() {
    const { card, wish } = this;
    const { language } = preferences;
    /** @param {{ name: string, title: Schemas["LevelCard"]["title"], presets: string[] | null }[]} all */
    const able = (all) =>
      all
        .filter(({ presets }) => presets === null || presets.includes(wish.preset))
        .map(({ name, title }) => ({ name, title: title[language] ?? name }));
    const levels = able(card.levels);
    const machines = able(card.agents).filter(({ name }) => !levels.some((level) => level.name === name));
    const runs = [...this.kept.values()].filter(({ game, preset }) => game === card.id && preset === wish.preset);
    return {
      levels,
      machines,
      own: runs.flatMap(({ name, checkpoints }) =>
        spread(checkpoints).map(({ agent, step }) => ({
          name: agent,
          title: say("step", { run: name, step: figure(step) }),
        })),
      ),
    };
  }

  /** The names of all who play: ticked ones in the order of the page, then those that were typed. */
  get agents() {
    const { levels, machines, own } = this.entrants();
    const ticked = [...levels, ...machines, ...own].map(({ name }) => name).filter((name) => this.ticked.has(name));
    return [
      ...new Set([
        ...ticked,
        ...this.wish.others
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      ]),
    ];
  }

  /** @param {Partial<TournamentFormPage["wish"]>} changes */
  set(changes) {
    Object.assign(this.wish, changes);
    this.shell.redraw();
  }

  /** @param {string} name */
  tick(name) {
    if (!this.ticked.delete(name)) this.ticked.add(name);
    this.shell.redraw();
  }

  /** @param {SubmitEvent} event */
  async start(event) {
    event.preventDefault();
    const { agents, wish } = this;
    if (agents.length < 2) {
      this.refusal = say("too_few");
      this.shell.redraw();
      return;
    }
    this.starting = true;
    this.refusal = "";
    this.shell.redraw();
    try {
      const job = await jobs.start({
        kind: "tournament",
        game: wish.game,
        preset: wish.preset,
        agents,
        games: wish.games,
        opening_plies: wish.openings,
        workers: wish.workers,
        ...(this.format === "league"
          ? {}
          : { format: /** @type {"round-robin" | "gauntlet" | "swiss"} */ (this.format) }),
        ...(this.format === "swiss" && wish.rounds ? { rounds: Number(wish.rounds) } : {}),
        ...(wish.limit === "movetime" ? { movetime: wish.movetime } : {}),
        ...(wish.limit === "nodes" ? { nodes: wish.nodes } : {}),
        ...(wish.limit === "clock" ? { clock: wish.clock } : {}),
        ...(wish.name ? { name: wish.name } : {}),
        ...Object.fromEntries(this.more),
      });
      this.shell.go(placeOf(job));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error.message;
    } finally {
      this.starting = false;
      this.shell.redraw();
    }
  }

  draw() {
    if (!this.games.length) return html`<p class="alone muted">${t("loading")}</p>`;
    const { card, wish } = this;
    const { language } = preferences;
    const games = this.games.map(({ id }) => id);
    const rounds = this.format === "swiss" && wish.rounds ? Number(wish.rounds) : null;
    return html`<div class="lab">
      <header><h1>${say("new_tournament")}</h1><p class="muted">${say("compete_about")}</p></header>
      ${this.administrator ? nothing : visitorNote()}
      <form @submit=${(/** @type {SubmitEvent} */ event) => this.start(event)}>
        <section class="panel"><div class="keys">
          ${select(say("game"), games, wish.game, (game) => this.chooseGame(game), {
            names: this.games.map((one) => cardOf(one.id)?.title ?? one.title),
          })}
          ${select(say("board"), card.presets, wish.preset, (preset) => this.chooseBoard(preset), {
            names: card.presets.map((one) => card.boards[one]?.[language] ?? one),
          })}
        </div></section>
        <section class="panel">${this.players()}</section>
        <section class="panel"><div class="keys">${this.terms()}</div>${this.furtherOptions()}</section>
        <section class="panel">
          <p class="muted">${say("chosen", { count: this.agents.length })} ·
            ${say("planned", { games: figure(planned(this.format, this.agents.length, wish.games, rounds)) })}</p>
          <label class="field name-field"><span>${say("name")}</span><input type="text" maxlength="64"
            pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" .value=${wish.name}
              @change=${(/** @type {Event} */ event) =>
                this.set({
                  name: /** @type {HTMLInputElement} */ (event.target).value,
                })} /><small>${say("name_about")}</small></label>
          <p class="job-reason" role="alert">${this.refusal}</p>
          ${
            this.administrator
              ? html`<p><button class="primary large"
                ?disabled=${this.starting}>${say("start_tournament")}</button></p>`
              : nothing
          }
        </section>
      </form>
    </div>`;
  }

  players() {
    const groups = this.entrants();
    return html`<fieldset class="entrants"><legend>${say("agents")}</legend>
      ${
        /** @type {const} */ (["levels", "own", "machines"]).map((group) =>
          groups[group].length
            ? html`<div>
              <h3>${say(group)}</h3><div class="entrant-list">${groups[group].map(
                (one) =>
                  html`<label class="check"><input type="checkbox" .checked=${live(this.ticked.has(one.name))}
              @change=${() => this.tick(one.name)} /> ${one.title}</label>`,
              )}</div></div>`
            : nothing,
        )
      }
      <details><summary>${say("other")}</summary>
        <label class="field"><small>${say("other_about")}</small><textarea maxlength="4000" spellcheck="false"
          .value=${this.wish.others}
            @input=${(/** @type {Event} */ event) =>
              this.set({
                others: /** @type {HTMLTextAreaElement} */ (event.target).value,
              })}></textarea></label></details>
    </fieldset>`;
  }

  /** @param {string} name */
  field(name) {
    return /** @type {Schemas["OptionField"]} */ (this.fields.find((field) => field.name === name));
  }

  furtherOptions() {
    const fields = this.fields.filter(({ name }) => !OWN_INPUTS.has(name));
    return html`<details class="all-keys"><summary>${say("rest", { count: fields.length })}</summary>
      <div class="keys">${fields.map((field) =>
        keyField({ ...field, documentation: field.help }, this.more.get(field.name) ?? field.default, {
          knob: true,
          boards: {},
          change: (value) => {
            this.more.set(field.name, value);
            this.shell.redraw();
          },
        }),
      )}</div></details>`;
  }

  terms() {
    const { wish } = this;
    const alone = this.card.players === 1;
    /**
     * @param {string} label @param {"games" | "movetime" | "nodes" | "openings" | "workers"} name
     * @param {{ option?: string, min?: number, step?: number, about?: string }} how
     */
    const number = (label, name, { option = name, min, step = 1, about = "" } = {}) => {
      const { least, most } = this.field(option);
      return html`<label class="field"><span>${label}</span><input type="number" min=${min ?? least ?? nothing}
        max=${most ?? nothing} step=${step} required
        .value=${String(wish[name])}
          @change=${(/** @type {Event} */ event) =>
            this.set({
              [name]: Number(/** @type {HTMLInputElement} */ (event.target).value),
            })} />${about ? html`<small>${about}</small>` : nothing}</label>`;
    };
    return html`
      ${
        alone
          ? nothing
          : html`<div class="field">${select(
              say("format"),
              [...FORMATS],
              wish.format,
              (format) => this.set({ format }),
              { names: FORMATS.map((one) => say(one)) },
            )}<small>${say(`${/** @type {typeof FORMATS[number]} */ (wish.format)}_about`)}</small></div>`
      }
      ${number(alone ? say("games_alone") : say("games"), "games", alone ? {} : { min: 2, step: 2 })}
      ${
        this.format === "swiss"
          ? html`<label class="field"><span>${say("rounds")}</span><input type="number" min="1"
            max="1000" placeholder=${say("rounds_auto")} .value=${wish.rounds}
            @change=${(/** @type {Event} */ event) =>
              this.set({ rounds: /** @type {HTMLInputElement} */ (event.target).value })} /></label>`
          : nothing
      }
      ${select(say("limit"), [...LIMITS], wish.limit, (limit) => this.set({ limit }), { names: LIMITS.map((one) => say(`limit_${one}`)) })}
      ${wish.limit === "movetime" ? number(say("ms"), "movetime") : nothing}
      ${wish.limit === "nodes" ? number(say("nodes"), "nodes") : nothing}
      ${
        wish.limit === "clock"
          ? html`<label class="field"><span>${say("clock")}</span><input type="text" required
            pattern="[0-9.]+(\\+[0-9.]+)?" maxlength="32" .value=${wish.clock}
            @input=${(/** @type {Event} */ event) => this.set({ clock: /** @type {HTMLInputElement} */ (event.target).value })} /></label>`
          : nothing
      }
      ${number(say("opening_plies"), "openings", { option: "opening_plies", about: say("openings_about") })}
      ${number(say("workers"), "workers")}`;
  }
}
