/** The page of one job: its progress, the curves of what it trains, and its end. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { actions, isGoing, labelOf, progressBar, standing } from "./joblines.js";
import { jobs, lab } from "./labapi.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { t, texts } from "./texts.js";

const say = texts("lab", "page");

const POLL_MS = 1000;

export default class JobPage extends BasePage {
  static styles = ["lab"];
  id = this.name;
  /** @type {Schemas["JobDetail"] | null} */
  job = null;
  administrator = false;
  /** @type {import("./runview.js").RunView | null} loaded once there is a run */
  view = null;
  /** @type {import("./modelreport.js").ModelReport | null} loaded for the evaluation of a language model */
  report = null;
  polling = new Polling(
    this,
    POLL_MS,
    () => this.follow(),
    () => this.job !== null && isGoing(this.job),
  );

  title() {
    return this.job ? labelOf(this.job) : t("lab");
  }

  async open() {
    const [status] = await Promise.all([lab.administrator(), this.follow()]);
    this.administrator = status.administrator;
    this.polling.start();
  }

  /** Load the job, and the rows of its runs that are new. */
  async follow() {
    this.job = await jobs.one(this.id);
    if (this.job.kind === "eval-llm" && this.job.result && !this.report) {
      const { ModelReport } = await import("./modelreport.js");
      this.report = new ModelReport(this.shell, this.id, this.job.result);
      await this.report.load();
    }
    const { runs } = this.job;
    if (!runs.length) return;
    if (this.view) {
      await this.view.catchUp();
      return;
    }
    const { RunView } = await import("./runview.js");
    const view = new RunView(this, runs);
    await view.open();
    this.view = view;
  }

  /** How long its run has been trained, of the minutes that it has, where they end it. */
  get minutes() {
    const run = this.view?.firstRun;
    const total = this.job?.total === null ? run?.detail.minutes : null;
    const done = run?.rows.findLast((row) => row.minutes)?.minutes;
    return total && done ? { done: Math.min(total, done), total } : null;
  }

  draw() {
    const job = this.job;
    if (!job) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="lab wide">
      <section class="panel job-head">
        <h1>${labelOf(job)}</h1>
        <p class="muted" role="status">${standing(job)}</p>
        ${job.reason ? html`<p class="job-reason">${job.reason}</p>` : nothing}
        ${progressBar(job, this.minutes, this.view?.measuring)}
        ${this.view?.story() ?? nothing}
        <p class="job-links">
          ${
            job.tournament
              ? html`<a class="button primary" href="/tournaments/${encodeURIComponent(job.tournament)}"
                data-page>${say("table")}</a>`
              : nothing
          }
          ${
            job.runs.length > 1
              ? html`<a class="button primary" href="/runs/compare?runs=${encodeURIComponent(job.runs.join(","))}"
                data-page>${say("runs", { count: job.runs.length })}</a>`
              : nothing
          }
          ${this.administrator ? actions(job, this.shell, (changed) => this.update(changed)) : nothing}
        </p>
        <p><a href="/lab" data-page>${t("lab")}</a></p>
      </section>
      ${this.learned(job)} ${this.report?.draw() ?? nothing}
      <section class="panel">
        <details><summary>${say("request")}</summary><pre tabindex="0">${JSON.stringify(job.request, null, 1)}</pre></details>
        ${job.log ? html`<details><summary>${say("log")}</summary><pre tabindex="0">${job.log}</pre></details>` : nothing}
      </section>
    </div>`;
  }

  /** What is trained, once there are rows. @param {Schemas["JobDetail"]} job */
  learned(job) {
    if (job.kind !== "train") return nothing;
    if (this.view?.firstRun?.rows.length) return html`<div class="runs one">${this.view.draw()}</div>`;
    return isGoing(job)
      ? html`<section class="panel"><p class="muted">${
          job.state === "running"
            ? html`<span class="spinner"
              aria-hidden="true"></span> ${say("starting")}`
            : say(job.state)
        }</p></section>`
      : nothing;
  }

  /** The job as it is after a change. @param {Schemas["JobLine"] | null} changed */
  update(changed) {
    if (!changed) {
      this.shell.go("/lab");
      return;
    }
    if (this.job) this.job = { ...this.job, ...changed };
    this.polling.start();
  }
}
