/** The page of one training run: its curves, and the agents that it keeps; polled while it is trained. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { agents, lab } from "./labapi.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { RunCurves, runTitle, standing } from "./runcurves.js";
import { t } from "./texts.js";

const POLL_MS = 2000;

export default class RunPage extends BasePage {
  curves = this.attach(new RunCurves(this.shell));
  /** Loaded once the run keeps agents. @type {import("./checkpoints.js").Checkpoints | null} */
  checkpoints = null;
  /** Loaded once something was measured. @type {import("./learned.js").Learned | null} */
  learned = null;
  /** Whether a measurement is under way or to come. */
  measuring = false;
  polling = new Polling(
    this,
    POLL_MS,
    () => this.catchUp(),
    () => !this.known.finished || this.measuring,
  );

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

  /** Load which agents the run keeps; the curves are there without them. */
  async follow() {
    await this.shell.attempt(async () => {
      const steps = await agents.checkpoints(this.name);
      if (!steps.checkpoints.length) return;
      await this.followLearned(steps);
      this.checkpoints?.update(steps);
      if (this.checkpoints) return;
      const { Checkpoints } = await import("./checkpoints.js");
      const panel = this.attach(new Checkpoints(this, steps));
      await panel.open();
      this.checkpoints = panel;
    });
  }

  /** Load what was measured of the run. @param {Schemas["RunCheckpoints"]} steps */
  async followLearned(steps) {
    if (this.learned?.measured.complete) return;
    const learned = await agents.learned(this.name);
    this.measuring = !learned.complete;
    if (!learned.strength.length) return;
    await this.curves.tell(this.name, learned);
    if (this.learned) {
      await this.learned.update(learned);
      return;
    }
    const { Learned } = await import("./learned.js");
    const panel = this.attach(new Learned(this.shell, steps, learned));
    await panel.open();
    this.learned = panel;
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
        ${this.curves.milestones(this.name)}
        ${detail.reason ? html`<p class="run-reason">${detail.reason}</p>` : nothing}
        <p class="muted">${detail.name}</p>
        <p><a href="/runs" data-page>${t("runs")}</a></p>
      </section>
      ${this.curves.draw()} ${this.learned?.draw() ?? nothing} ${this.checkpoints?.draw() ?? nothing}
    </div>`;
  }
}
