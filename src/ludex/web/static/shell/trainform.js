/** Train a machine: choose a preset, change what matters or anything else, and start. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { valuesOf } from "./jobcommand.js";
import JobFormPage from "./jobform.js";
import { keyField, sectionOf } from "./keyfields.js";
import { lacking } from "./joblines.js";
import { jobs } from "./labapi.js";
import { preferences } from "./preferences.js";
import { select, typed } from "./select.js";
import { t, texts } from "./texts.js";

const say = texts("lab", "forms");

export default class TrainPage extends JobFormPage {
  /** @param {Shell} shell @param {string} game */
  constructor(shell, game) {
    super(shell, "train");
    this.game = game;
    /** @type {Schemas["Trainings"]} */
    this.trainings = { game, title: { en: game, fr: game }, boards: {}, configurations: [], forms: [] };
    /** A key of which several values are tried, and these values as typed. */
    this.sweep = { key: "", values: "" };
  }

  title() {
    return say("train", { game: this.trainings.title[preferences.language] });
  }

  about() {
    return say("train_about");
  }

  async load() {
    this.trainings = await jobs.trainings(this.game);
    const [first] = this.trainings.configurations;
    if (first) this.choose(first.name);
  }

  get configuration() {
    const { configurations } = this.trainings;
    return /** @type {Schemas["TrainingConfiguration"]} */ (
      configurations.find(({ name }) => name === this.values.get("config"))
    );
  }

  get form() {
    return this.trainings.forms[this.configuration.form];
  }

  /** The keys of the configuration that can be changed. */
  get keys() {
    return this.form.keys.filter(({ name }) => name in this.configuration.values);
  }

  /** By dotted key, what differs from the preset. @returns {Record<string, unknown>} */
  get changes() {
    return this.values.get("changes") ?? {};
  }

  /** @param {string} config */
  choose(config) {
    this.values.set("config", config);
    this.values.delete("changes");
    this.vary({ key: "", values: "" });
    this.refusal = "";
    this.shell.redraw();
  }

  /** @param {string} key @param {unknown} value */
  changeKey(key, value) {
    const changes = { ...this.changes, [key]: value };
    if (JSON.stringify(value) === JSON.stringify(this.configuration.values[key])) delete changes[key];
    this.change("changes", changes);
  }

  /** @param {Partial<TrainPage["sweep"]>} changes */
  vary(changes) {
    Object.assign(this.sweep, changes);
    const { key, values } = this.sweep;
    this.change("sweep", key ? { [key]: valuesOf(values) } : {});
  }

  get blocked() {
    return this.form.missing.length > 0;
  }

  action() {
    return say("start_training");
  }

  draw() {
    if (this.trainings.configurations.length) return super.draw();
    const title = this.trainings.title[preferences.language];
    return html`<div class="alone"><h1>${title}</h1><p>${say("nothing")}</p><p><a href="/lab" data-page>${t("lab")}</a></p></div>`;
  }

  gameField() {
    return nothing;
  }

  /** @param {Schemas["OptionField"]} field */
  field(field) {
    if (field.name === "config") return this.presets();
    if (field.name === "changes") return this.knobs();
    if (field.name === "sweep") return this.sweepFields();
    return super.field(field);
  }

  summary() {
    return lacking(this.form.missing);
  }

  presets() {
    const { language } = preferences;
    return html`<fieldset class="presets"><legend>${say("configuration")}</legend>
      ${this.trainings.configurations.map(
        ({ name, title, sentence, minutes }) => html`<label class="check preset"><input type="radio" name="preset"
          .checked=${live(name === this.configuration.name)} @change=${() => this.choose(name)} />
          <span><strong>${title[language]}</strong>${
            minutes ? html` <span class="badge">${say("minutes", { count: minutes })}</span>` : nothing
          }<small class="muted">${sentence[language]}</small></span></label>`,
      )}</fieldset>`;
  }

  /** What matters most of the configuration, and all of it. */
  knobs() {
    const { keys } = this;
    const { knobs } = this.form;
    const rest = keys.filter(({ name }) => !knobs.includes(name));
    const sections = [...new Set(rest.map(({ name }) => sectionOf(name)))];
    const count = Object.keys(this.changes).length;
    return html`<section class="configuration">
      <h2>${say("knobs")}</h2>
      <div class="keys">${knobs.map((knob) => keys.filter(({ name }) => name === knob).map((key) => this.key(key, "both")))}</div>
      <details class="all-keys"><summary>${say("rest", { count: keys.length })}</summary>${sections.map(
        (section) =>
          html`<section>${section ? html`<h3><code>${section}</code></h3>` : nothing}<div class="keys">${rest
            .filter(({ name }) => sectionOf(name) === section)
            .map((key) => this.key(key, "name"))}</div></section>`,
      )}</details>
      <p class="changed"><span class="muted">${count ? say("changed", { count }) : say("unchanged")}</span>
        <button type="button" class="small" ?disabled=${!count}
          @click=${() => this.choose(this.configuration.name)}>${say("reset")}</button></p>
    </section>`;
  }

  /** @param {Schemas["TrainingKey"]} key @param {"name" | "both"} label */
  key(key, label) {
    const { boards } = this.trainings;
    const value = key.name in this.changes ? this.changes[key.name] : this.configuration.values[key.name];
    const choices = key.kind === "board" ? Object.keys(boards) : key.choices;
    const change = (/** @type {unknown} */ changed) => this.changeKey(key.name, changed);
    return keyField({ ...key, choices, titles: boards }, value, { label, change });
  }

  sweepFields() {
    const { key, values } = this.sweep;
    const names = this.keys.map(({ name }) => name);
    return html`${select(say("sweep"), ["", ...names], key, (chosen) => this.vary({ key: chosen }), {
      names: ["–", ...names],
    })}
      ${
        key
          ? html`<label class="field"><span>${say("values")}</span><input type="text" required maxlength="400"
            placeholder="0.1, 0.2" .value=${values}
            @input=${typed((text) => this.vary({ values: text }))} /><small>${say("values_about")}</small></label>`
          : nothing
      }`;
  }
}
