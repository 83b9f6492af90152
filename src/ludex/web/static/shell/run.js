// @ts-check
/** The page of one training run: its curves, and the agents that it keeps; polled while it is trained. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { agents } from "./agentapi.js";
import { lab } from "./labapi.js";
import { Polling } from "./polling.js";
import { RunCurves } from "./runcurves.js";
import { runTitle, standing } from "./runstanding.js";
import { t } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */

const POLL_MS = 2000;

/** @implements {Page} */
export default class RunPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} name */
  constructor(shell, name) {
    this.shell = shell;
    this.name = name;
    this.curves = new RunCurves(shell);
    /** Loaded once the run keeps agents. @type {import("./checkpoints.js").Checkpoints | null} */
    this.checkpoints = null;
    this.polling = new Polling(
      shell,
      POLL_MS,
      () => this.catchUp(),
      () => !this.known.finished,
    );
  }

  get known() {
    return /** @type {import("./runcurves.js").Known} */ (this.curves.shown.get(this.name));
  }

  title() {
    return this.curves.shown.has(this.name) ? runTitle(this.known.detail) : this.name;
  }

  async open() {
    await Promise.all([this.curves.add(this.name), this.curves.open(), this.follow()]);
    this.polling.start();
  }

  close() {
    this.polling.close();
    this.curves.close();
    this.checkpoints?.close();
  }

  /** Load which agents the run keeps; the curves are there without them. */
  async follow() {
    try {
      await this.load();
    } catch (error) {
      this.shell.fail(error);
    }
  }

  async load() {
    const found = await agents.checkpoints(this.name);
    if (!found.checkpoints.length) return;
    if (this.checkpoints) {
      this.checkpoints.update(found);
      return;
    }
    const { Checkpoints } = await import("./checkpoints.js");
    const made = new Checkpoints(this.shell, found);
    await made.open();
    this.checkpoints = made;
  }

  /** Load the run's state and new rows. */
  async catchUp() {
    await Promise.all([this.curves.poll(), this.follow()]);
    this.known.detail = await lab.run(this.name);
  }

  draw() {
    const { detail, rows } = this.known;
    return html`<div class="runs one">
      <section class="panel">
        <h1>${runTitle(detail)}</h1>
        <p class="muted">${standing({ ...detail, rows: rows.length })}</p>
        ${detail.reason ? html`<p class="run-reason">${detail.reason}</p>` : nothing}
        <p class="muted">${detail.name}</p>
        <p><a href="/runs" data-page>${t("runs")}</a></p>
      </section>
      ${this.checkpoints ? this.checkpoints.draw() : nothing} ${this.curves.draw()}
    </div>`;
  }
}
