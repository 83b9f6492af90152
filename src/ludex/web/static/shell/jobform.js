/** A new job, drawn from the description of its operation: its options with bounds, defaults and help, in their order. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, ApiError } from "./api.js";
import { figure } from "./figures.js";
import { jobCommand } from "./jobcommand.js";
import { kindOf, placeOf, visitorNote } from "./joblines.js";
import { helpOf, keyField, linesOf } from "./keyfields.js";
import { agents, jobs, lab } from "./labapi.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { select, typed } from "./select.js";
import { texts } from "./texts.js";

/** @typedef {Schemas["OptionField"]} Field */

const say = texts("lab", "forms");

/** How many of the newest runs of a game are offered. */
const OWN = 6;

export default class JobFormPage extends BasePage {
  static styles = ["lab"];
  /** @type {Schemas["Description"]} */
  operation = { id: this.name, help: { en: "", fr: "" }, job: true, fields: [] };
  game = "";
  /** @type {Schemas["GameCard"][]} */
  games = [];
  /** @type {Schemas["RunLine"][]} */
  runs = [];
  /** @type {Map<string, Schemas["RunCheckpoints"]>} by run, the agents that it keeps */
  checkpoints = new Map();
  /** @type {Map<string, any>} by option, what was entered */
  values = new Map();
  administrator = false;
  starting = false;
  /** The server's words about what it refused. */
  refusal = "";

  title() {
    return say("new_job", { kind: kindOf(this.operation.id) });
  }

  about() {
    return this.operation.help[preferences.language];
  }

  async open() {
    const [operation, { administrator }] = await Promise.all([
      jobs.operation(this.operation.id),
      lab.administrator(),
      this.load(),
    ]);
    this.operation = operation;
    this.administrator = administrator;
    if (!this.game && this.games.length) await this.chooseGame(this.games[0].id);
  }

  /** Load what the fields offer. */
  async load() {
    const [{ games }, { runs }] = await Promise.all([api.games(), lab.runs()]);
    this.games = games;
    this.runs = runs;
  }

  get card() {
    return /** @type {Schemas["GameCard"]} */ (this.games.find(({ id }) => id === this.game));
  }

  /** The options that list agents. */
  get agentFields() {
    return this.operation.fields.filter(({ completion, many }) => many && completion?.startsWith("agent"));
  }

  get entrants() {
    return entrantsOf(this.card, this.values.get("preset") ?? this.card.presets[0], [...this.checkpoints.values()]);
  }

  /** @param {string} game */
  async chooseGame(game) {
    this.game = game;
    this.chooseBoard(this.card.presets[0]);
    if (this.agentFields.length) {
      const runs = this.runs
        .filter((run) => run.game === game && !run.fault && !this.checkpoints.has(run.name))
        .slice(0, OWN);
      await this.shell.attempt(async () => {
        for (const run of await Promise.all(runs.map(({ name }) => agents.checkpoints(name))))
          this.checkpoints.set(run.name, run);
      });
    }
    this.shell.redraw();
  }

  /** @param {string} preset */
  chooseBoard(preset) {
    if (this.operation.fields.some(({ completion }) => completion === "boards")) this.values.set("preset", preset);
    for (const { name, required, most } of this.agentFields)
      this.values.set(name, required ? someLevels(this.entrants, most) : []);
    this.shell.redraw();
  }

  /** What was entered, else what the operation suggests, else its default. @param {Field} field */
  value(field) {
    return this.values.has(field.name) ? this.values.get(field.name) : (field.suggestion ?? field.default);
  }

  /** The options that differ from their defaults, as the request has them. @returns {Record<string, any>} */
  get options() {
    const changed = this.operation.fields.filter(
      (field) => JSON.stringify(this.value(field)) !== JSON.stringify(field.default),
    );
    return Object.fromEntries(changed.map((field) => [field.name, this.value(field)]));
  }

  /** @param {string} name @param {unknown} value */
  change(name, value) {
    this.values.set(name, value);
    this.shell.redraw();
  }

  /** @param {SubmitEvent} event */
  async start(event) {
    event.preventDefault();
    const short = this.operation.fields.find((field) => field.many && this.value(field)?.length < (field.least ?? 0));
    this.refusal = short ? say("too_few", { count: short.least ?? 0 }) : "";
    this.starting = !short;
    this.shell.redraw();
    if (short) return;
    try {
      const request = { kind: this.operation.id, game: this.game, ...this.options };
      this.shell.go(placeOf(await jobs.start(/** @type {Parameters<typeof jobs.start>[0]} */ (request))));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error.message;
    } finally {
      this.starting = false;
      this.shell.redraw();
    }
  }

  draw() {
    const { fields } = this.operation;
    const advanced = fields.filter((field) => field.advanced);
    return html`<div class="lab">
      <header><h1>${this.title()}</h1><p class="muted">${this.about()}</p></header>
      ${this.administrator ? nothing : visitorNote()}
      <form @submit=${(/** @type {SubmitEvent} */ event) => this.start(event)}>
        <section class="panel">
          <div class="keys">${this.gameField()}${fields.filter((field) => !field.advanced).map((field) => this.field(field))}</div>
          <details class="all-keys"><summary>${say("further")}</summary>
            <div class="keys">${advanced.map((field) => this.field(field))}</div></details>
        </section>
        <section class="panel">
          ${this.summary()}
          <p class="job-reason" role="alert">${this.refusal}</p>
          ${
            this.administrator
              ? html`<p><button class="primary large" ?disabled=${this.starting || this.blocked}>${this.action()}</button></p>`
              : nothing
          }
          <details><summary>${say("terminal")}</summary>
            <pre tabindex="0">${jobCommand(this.operation, this.game, this.options)}</pre></details>
        </section>
      </form>
    </div>`;
  }

  /** @returns {unknown} */
  gameField() {
    const titles = this.games.map(({ names }) => names[preferences.language]);
    const ids = this.games.map(({ id }) => id);
    return select(say("game"), ids, this.game, (game) => this.chooseGame(game), { names: titles });
  }

  /** The input of an option. @param {Field} field @returns {unknown} */
  field(field) {
    const { card } = this;
    const { completion, many, name } = field;
    const change = (/** @type {any} */ value) =>
      completion === "boards" ? this.chooseBoard(value) : this.change(name, value);
    const key = { ...field, documentation: field.help };
    if (this.agentFields.includes(field))
      return entrantsField(helpOf(key).first, this.entrants, this.value(field), change);
    if (completion === "boards")
      Object.assign(key, { kind: "choice", optional: false, choices: card.presets, titles: card.boards });
    if (!many && completion?.startsWith("agent"))
      Object.assign(key, {
        offers: Object.values(this.entrants).flatMap((group) => group.map((entrant) => entrant.name)),
      });
    return keyField(key, this.value(field), { label: "help", change });
  }

  /** What stands above the button. @returns {unknown} */
  summary() {
    return nothing;
  }

  action() {
    return say("start_job");
  }

  /** Whether the server cannot run it. */
  get blocked() {
    return false;
  }
}

/** @typedef {{ name: string, title: string }} Entrant */
/** @typedef {Record<"levels" | "own" | "machines", Entrant[]>} Entrants */

/** How many levels are ticked at first. */
const TICKED = 3;

/** The first, the middle and the last step of a run. @template T @param {T[]} steps @returns {T[]} */
const spread = (steps) =>
  [...new Set([steps[0], steps[Math.floor(steps.length / 2)], steps[steps.length - 1]])].filter(
    (step) => step !== undefined,
  );

/**
 * The agents that can play a board.
 * @param {Schemas["GameCard"]} card @param {string} preset @param {Schemas["RunCheckpoints"][]} runs @returns {Entrants}
 */
function entrantsOf(card, preset, runs) {
  /** @param {{ name: string, title: Schemas["LevelCard"]["title"], presets: string[] | null }[]} all */
  const able = (all) =>
    all
      .filter(({ presets }) => presets === null || presets.includes(preset))
      .map(({ name, title }) => ({ name, title: title[preferences.language] ?? name }));
  const levels = able(card.levels);
  return {
    levels,
    own: runs
      .filter((run) => run.game === card.id && run.preset === preset)
      .flatMap(({ name, checkpoints }) =>
        spread(checkpoints).map(({ agent, step }) => ({
          name: agent,
          title: say("step", { run: name, step: figure(step) }),
        })),
      ),
    machines: able(card.agents).filter(({ name }) => !levels.some((level) => level.name === name)),
  };
}

/** Some levels from weak to strong, no more than `most`. @param {Entrants} entrants @param {number | null} most */
function someLevels({ levels }, most) {
  const count = Math.min(TICKED, most ?? TICKED);
  const step = Math.max(1, (levels.length - 1) / (count - 1));
  const places = Array.from({ length: count }, (_, tick) => Math.round(tick * step));
  return levels.filter((_, index) => places.includes(index)).map(({ name }) => name);
}

/**
 * A list of agents: boxes to tick, and a line for each that is named otherwise.
 * @param {string} label @param {Entrants} entrants @param {string[]} names those that play @param {(names: string[]) => void} change
 */
function entrantsField(label, entrants, names, change) {
  const groups = /** @type {const} */ (["levels", "own", "machines"]).filter((group) => entrants[group].length);
  const offered = groups.flatMap((group) => entrants[group].map(({ name }) => name));
  const others = names.filter((name) => !offered.includes(name));
  /** Those of the page in its order, then those that were typed. @param {(name: string) => boolean} plays @param {string[]} typed */
  const choose = (plays, typed) => change([...new Set([...offered.filter(plays), ...typed])]);
  /** @param {string} name */
  const tick = (name) => choose((offer) => names.includes(offer) !== (offer === name), others);
  return html`<fieldset class="entrants"><legend>${label}</legend>
    ${groups.map(
      (group) =>
        html`<div><h3>${say(group)}</h3><div class="entrant-list">${entrants[group].map(
          ({ name, title }) => html`<label class="check"><input type="checkbox" .checked=${live(names.includes(name))}
          @change=${() => tick(name)} /> ${title}</label>`,
        )}</div></div>`,
    )}
    <details><summary>${say("other")}</summary>
      <label class="field"><small>${say("other_about")}</small><textarea maxlength="4000" spellcheck="false"
        .value=${others.join("\n")}
        @change=${typed((text) => choose((offer) => names.includes(offer), linesOf(text)))}></textarea></label></details>
    <p class="muted">${names.length ? say("chosen", { count: names.length }) : nothing}</p>
  </fieldset>`;
}
