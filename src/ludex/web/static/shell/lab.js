/** The laboratory: what machines have learned, trainings of a few minutes, tournaments, and every job. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { actions, isGoing, kindOf, labelOf, lacking, placeOf, progressBar, standing, visitorNote } from "./joblines.js";
import { agents, jobs, lab } from "./labapi.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { t, texts } from "./texts.js";

const say = texts("lab", "page");

const POLL_MS = 2000;
/** The operations with a form of their own, which is linked above. */
const OWN_FORMS = new Set(["train", "tournament"]);

export default class LabPage extends BasePage {
  /** @type {Schemas["Jobs"]} */
  jobs = { jobs: [], at_once: 0, waiting: 0 };
  /** @type {Schemas["QuickTraining"][]} */
  quick = [];
  /** @type {Schemas["OperationLine"][]} */
  operations = [];
  administrator = false;
  /** Finished trainings that ship. @type {Schemas["RunLine"][]} */
  examples = [];
  /** The one that is shown. @type {import("./trained.js").Trained | null} */
  example = null;
  /** @type {Map<string, string>} by the sentence that several trainings share, the chosen game */
  selectedGames = new Map();
  polling = new Polling(this, POLL_MS, async () => {
    this.jobs = await jobs.all();
  });

  title() {
    return t("lab");
  }

  async open() {
    const [listed, quick, { operations }, status, { runs }] = await Promise.all([
      jobs.all(),
      jobs.quickTrainings(),
      jobs.operations(),
      lab.administrator(),
      lab.runs(),
      stylesheet("/static/style/lab.css"),
    ]);
    this.jobs = listed;
    this.quick = quick.trainings;
    this.operations = operations.filter(({ id }) => !OWN_FORMS.has(id));
    this.administrator = status.administrator;
    this.examples = runs.filter(({ example }) => example);
    const [first] = this.examples;
    if (first) void this.show(first.name);
    this.polling.start();
  }

  /** Show a training that ships. @param {string} name */
  async show(name) {
    await this.shell.attempt(async () => {
      const [run, measured, { Trained }] = await Promise.all([
        agents.checkpoints(name),
        agents.learned(name),
        import("./trained.js"),
      ]);
      this.example?.close();
      this.example = this.attach(new Trained(this, run, measured));
      await this.example.show();
    });
  }

  /** @param {Schemas["QuickTraining"]} training */
  async start(training) {
    await this.exclusively(async () => {
      const job = await jobs.start({
        kind: "train",
        game: training.game,
        config: training.name,
        measured: training.measured,
      });
      this.shell.go(placeOf(job));
    });
  }

  get startable() {
    return this.administrator && this.jobs.at_once > 0;
  }

  draw() {
    const going = this.jobs.jobs.filter((job) => isGoing(job) || job.state === "paused");
    const ended = this.jobs.jobs.filter((job) => !going.includes(job));
    return html`<div class="lab">
      <header><h1>${t("lab")}</h1><p class="muted">${say("about")}</p></header>
      ${this.examples.length ? this.learned() : nothing}
      ${this.administrator ? nothing : visitorNote()}
      ${this.administrator && !this.jobs.at_once ? html`<section class="panel"><p>${say("no_jobs_here")}</p></section>` : nothing}
      ${
        going.length
          ? html`<section class="panel"><h2>${say("jobs")}</h2>
            <ul class="job-list">${going.map((job) => this.line(job))}</ul></section>`
          : nothing
      }
      ${this.administrator ? this.beginnings() : nothing}
      ${
        ended.length || this.administrator
          ? html`<section class="panel"><h2>${going.length ? say("earlier") : say("jobs")}</h2>
            ${
              ended.length
                ? html`<ul class="job-list">${ended.map((job) => this.line(job))}</ul>`
                : html`<p class="muted">${going.length ? "–" : say("none")}</p>`
            }</section>`
          : nothing
      }
      <nav class="lab-links" aria-label=${t("lab")}><a href="/runs" data-page>${say("all_runs")}</a>
        <a href="/tournaments" data-page>${say("all_tournaments")}</a>
          <a href="/agents" data-page>${say("agents")}</a> <a href="/administrator" data-page>${t("administrator")}</a></nav>
    </div>`;
  }

  /** Finished trainings, one at a time. */
  learned() {
    const { example } = this;
    return html`<section class="panel lab-examples"><h2>${say("examples")}</h2>
      <p class="muted">${say("examples_about")}</p>
      <div class="tabs" role="group" aria-label=${say("game")}>${this.examples.map(
        ({ name, game_title }) => html`<button class="quiet" aria-pressed=${name === example?.run.name}
          @click=${() => this.show(name)}>${game_title[preferences.language]}</button>`,
      )}</div>
      ${example?.renderer ? example.brief() : html`<p class="muted">${t("loading")}</p>`}
    </section>`;
  }

  /** What the administrator can begin. */
  beginnings() {
    return html`<section class="panel">
        <h2>${say("quick")}</h2>
        <ul class="quick-list">${alike(this.quick, preferences.language).map((trainings) => this.training(trainings))}</ul>
      </section>
      <section class="panel lab-row"><div><h2>${say("compete")}</h2>
        <p class="muted">${say("compete_about")}</p></div>${
          this.startable
            ? html`<a class="button" href="/lab/tournament"
              data-page>${icon("plus")} ${say("new_tournament")}</a>`
            : nothing
        }</section>
      <section class="panel"><details><summary>${say("other_jobs")}</summary><ul class="operation-list">${this.operations.map(
        ({ id, help }) => html`<li><a href="/lab/new/${encodeURIComponent(id)}" data-page>${kindOf(id)}</a>
          <span class="muted">${help[preferences.language]}</span></li>`,
      )}</ul></details></section>`;
  }

  /** Trainings that differ by their game only. @param {Schemas["QuickTraining"][]} trainings */
  training(trainings) {
    const { language } = preferences;
    const key = trainings[0]?.sentence.en ?? "";
    const training = trainings.find(({ game }) => game === this.selectedGames.get(key)) ?? trainings[0];
    if (!training) return nothing;
    const game = training.game_title[language];
    const title = training.title[language];
    const choose = (/** @type {Event} */ event) => {
      this.selectedGames.set(key, /** @type {HTMLSelectElement} */ (event.target).value);
      this.shell.redraw();
    };
    return html`<li>
      <h3>${
        trainings.length > 1
          ? html`<select aria-label=${say("game")} @change=${choose}>${trainings.map(
              (one) =>
                html`<option value=${one.game} ?selected=${one === training}>${one.game_title[language]}</option>`,
            )}</select>`
          : game
      }</h3>
      <p><strong>${title}</strong> <span class="badge">${say("minutes", { count: training.minutes })}</span>
        <span class="muted">${training.sentence[language]}</span></p>
      ${lacking(training.missing)}
      <div class="quick-buttons">
        ${
          this.startable && !training.missing.length
            ? html`<button class="primary" ?disabled=${this.busy}
              @click=${() => this.start(training)}>${icon("play")} ${say("start")}<span class="unseen"> ${title},
              ${game}</span></button>`
            : nothing
        }
        <a class="button" href="/lab/train/${encodeURIComponent(training.game)}"
          data-page>${say("adjust")}<span class="unseen"> ${game}</span></a>
      </div>
    </li>`;
  }

  /** @param {Schemas["JobLine"]} job */
  line(job) {
    return html`<li>
      <div class="job-what">
        <a href=${placeOf(job)} data-page><strong>${labelOf(job)}</strong></a>
        <small class="muted">${standing(job)}</small>
        ${job.reason ? html`<small class="job-reason">${job.reason}</small>` : nothing}
      </div>
      ${progressBar(job)}
      ${this.administrator ? actions(job, this.shell, (changed) => this.replace(job, changed)) : nothing}
    </li>`;
  }

  /** Show a job as it is after a change. @param {Schemas["JobLine"]} job @param {Schemas["JobLine"] | null} changed */
  replace(job, changed) {
    const lines = this.jobs.jobs.flatMap((line) => (line.id !== job.id ? [line] : changed ? [changed] : []));
    this.jobs = { ...this.jobs, jobs: lines };
  }
}

/** Trainings by what is said of them. @param {Schemas["QuickTraining"][]} trainings @param {Language} language */
function alike(trainings, language) {
  /** @type {Map<string, Schemas["QuickTraining"][]>} */
  const groups = new Map();
  for (const one of trainings) {
    const key = `${one.title[language]} ${one.minutes} ${one.sentence[language]}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
