// @ts-check
/** Train a machine: choose a preset, change what matters or anything else, and start. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { ApiError } from "./api.js";
import { placeOf } from "./joblines.js";
import { jobs } from "./jobsapi.js";
import { keyField, sectionOf } from "./keyfields.js";
import { lab } from "./labapi.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { t, texts } from "./texts.js";
import { trainCommand, valuesOf } from "./traincommand.js";
import { visitorNote } from "./visitornote.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */

const say = texts("lab", "forms");

/** @implements {Page} */
export default class TrainPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} game */
  constructor(shell, game) {
    this.shell = shell;
    this.game = game;
    /** @type {Schemas["Trainings"]} */
    this.trainings = { game, title: { en: game, fr: game }, boards: {}, configurations: [], forms: [] };
    this.chosen = 0;
    /** @type {Map<string, unknown>} by dotted key, what differs from the preset */
    this.changes = new Map();
    this.seeds = 1;
    /** A key of which several values are tried, and these values as typed. */
    this.sweep = { key: "", values: "" };
    this.name = "";
    this.administrator = false;
    this.starting = false;
    /** The server's words about what it refused. */
    this.refusal = "";
  }

  title() {
    return say("train", { game: this.trainings.title[preferences.language] });
  }

  async open() {
    const [found, status] = await Promise.all([
      jobs.trainings(this.game),
      lab.administrator(),
      stylesheet("/static/style/lab.css"),
    ]);
    this.trainings = found;
    this.administrator = status.administrator;
  }

  close() {}

  get configuration() {
    return this.trainings.configurations[this.chosen];
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = index;
    this.changes = new Map();
    this.sweep = { key: "", values: "" };
    this.refusal = "";
    this.shell.redraw();
  }

  /** @param {string} key @param {unknown} value */
  change(key, value) {
    if (JSON.stringify(value) === JSON.stringify(this.configuration.values[key])) this.changes.delete(key);
    else this.changes.set(key, value);
    this.shell.redraw();
  }

  /** @param {SubmitEvent} event */
  async start(event) {
    event.preventDefault();
    this.starting = true;
    this.refusal = "";
    this.shell.redraw();
    try {
      const job = await jobs.start({
        kind: "train",
        game: this.game,
        config: this.configuration.name,
        changes: Object.fromEntries(this.changes),
        ...(this.seeds > 1 ? { seeds: this.seeds } : {}),
        ...(this.sweep.key ? { sweep: { [this.sweep.key]: valuesOf(this.sweep.values) } } : {}),
        ...(this.name ? { name: this.name } : {}),
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
    const title = this.trainings.title[preferences.language];
    if (!this.trainings.configurations.length)
      return html`<div class="alone"><h1>${title}</h1><p>${say("nothing")}</p><p><a href="/lab" data-page>${t("lab")}</a></p></div>`;
    const { configuration } = this;
    const form = this.trainings.forms[configuration.form];
    const keys = form.keys.filter((key) => key.name in configuration.values);
    const rest = keys.filter((key) => !form.knobs.includes(key.name));
    return html`<div class="lab">
      <header><h1>${say("train", { game: title })}</h1></header>
      ${this.administrator ? nothing : visitorNote()}
      <form @submit=${(/** @type {SubmitEvent} */ event) => this.start(event)}>
        <section class="panel">${this.presets()}</section>
        <section class="panel">
          <h2>${say("knobs")}</h2>
          <div class="keys knobs">${form.knobs.map((name) =>
            keys.filter((key) => key.name === name).map((key) => this.field(key, true)),
          )}</div>
          <details class="all-keys"><summary>${say("rest", { count: keys.length })}</summary>${this.sections(rest)}</details>
          <p class="changed"><span class="muted">${
            this.changes.size ? say("changed", { count: this.changes.size }) : say("unchanged")
          }</span> <button type="button" class="small" ?disabled=${!this.changes.size}
            @click=${() => this.choose(this.chosen)}>${say("reset")}</button></p>
        </section>
        <section class="panel">
          <details><summary>${say("more_runs")}</summary><div class="keys">
            ${select(say("sweep"), ["", ...keys.map((key) => key.name)], this.sweep.key, (key) => this.vary({ key }), {
              names: ["–", ...keys.map((key) => key.name)],
            })}
            ${
              this.sweep.key
                ? html`<label class="field"><span>${say("values")}</span><input type="text" required
                  maxlength="400" placeholder="0.1, 0.2" .value=${this.sweep.values}
                  @input=${(/** @type {Event} */ event) =>
                    this.vary({
                      values: /** @type {HTMLInputElement} */ (event.target).value,
                    })} /><small>${say("values_about")}</small></label>`
                : nothing
            }
            <label class="field"><span>${say("seeds")}</span><input type="number" min="1" max="100"
              .value=${String(this.seeds)}
                @change=${(/** @type {Event} */ event) => this.count(event)} /><small>${say("seeds_about")}</small></label>
          </div></details>
          <label class="field name-field"><span>${say("name")}</span><input type="text" maxlength="64"
            pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" .value=${this.name} @change=${(/** @type {Event} */ event) => {
              this.name = /** @type {HTMLInputElement} */ (event.target).value;
            }} /><small>${say("name_about")}</small></label>
          ${form.missing.length ? html`<p class="job-reason">${say("missing", { packages: form.missing.join(", ") })}</p>` : nothing}
          <p class="job-reason" role="alert">${this.refusal}</p>
          ${
            this.administrator
              ? html`<p><button class="primary large"
                ?disabled=${this.starting || form.missing.length > 0}>${say("start_training")}</button></p>`
              : nothing
          }
          <details><summary>${say("terminal")}</summary>
            <pre tabindex="0">${trainCommand(this.game, configuration.name, this.changes, {
              seeds: this.seeds,
              ...this.sweep,
            })}</pre></details>
        </section>
      </form>
    </div>`;
  }

  /** @param {Partial<TrainPage["sweep"]>} changes */
  vary(changes) {
    Object.assign(this.sweep, changes);
    this.shell.redraw();
  }

  /** @param {Event} event */
  count(event) {
    this.seeds = Math.max(1, Math.min(100, Number(/** @type {HTMLInputElement} */ (event.target).value) || 1));
    this.shell.redraw();
  }

  presets() {
    const { language } = preferences;
    return html`<fieldset class="presets"><legend>${say("configuration")}</legend>
      ${this.trainings.configurations.map(
        (
          one,
          index,
        ) => html`<label class="check preset"><input type="radio" name="preset" .checked=${live(index === this.chosen)}
          @change=${() => this.choose(index)} />
          <span><strong>${one.title[language]}</strong>${
            one.minute
              ? html`
                <span class="badge">${say("minute")}</span>`
              : nothing
          }<small class="muted">${one.sentence[language]}</small></span></label>`,
      )}</fieldset>`;
  }

  /** The keys by section. @param {Schemas["TrainingKey"][]} keys */
  sections(keys) {
    const names = [...new Set(keys.map((key) => sectionOf(key.name)))];
    return names.map(
      (name) =>
        html`<section>${
          name
            ? html`<h3>
              <code>${name}</code></h3>`
            : nothing
        }<div class="keys">${keys.filter((key) => sectionOf(key.name) === name).map((key) => this.field(key, false))}</div></section>`,
    );
  }

  /** @param {Schemas["TrainingKey"]} key @param {boolean} knob */
  field(key, knob) {
    const value = this.changes.has(key.name) ? this.changes.get(key.name) : this.configuration.values[key.name];
    return keyField(key, value, {
      knob,
      boards: this.trainings.boards,
      change: (changed) => this.change(key.name, changed),
    });
  }
}
