/** The page of one training run, polled while it is trained. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { runTitle, say, standing } from "./runcurves.js";
import { RunView } from "./runview.js";
import { t } from "./texts.js";

const POLL_MS = 2000;

export default class RunPage extends BasePage {
  /** @type {RunView} */
  view = new RunView(this, [this.name]);
  polling = new Polling(
    this,
    POLL_MS,
    () => this.view.catchUp(),
    () => this.view.goesOn,
  );

  title() {
    return this.view.firstRun ? runTitle(this.view.firstRun.detail) : this.name;
  }

  async open() {
    await this.view.open();
    this.polling.start();
  }

  draw() {
    const { firstRun } = this.view;
    if (!firstRun) return super.draw();
    const { detail, rows } = firstRun;
    return html`<div class="runs one">
      <section class="panel run-head">
        <h1>${runTitle(detail)}</h1>
        <p class="muted">${standing({ ...detail, rows: rows.length })}</p>
        ${this.view.story()}
        ${detail.reason ? html`<p class="run-reason">${detail.reason}</p>` : nothing}
        ${detail.example ? html`<p>${say("example")}</p>` : nothing}
        <p><a href="/lab" data-page>${t("lab")}</a> · <a href="/runs" data-page>${t("runs")}</a></p>
      </section>
      ${this.view.draw()}
    </div>`;
  }
}
