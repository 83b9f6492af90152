/** The page of training runs: tick several, choose a metric, and watch their curves; unfinished runs are polled. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { lab } from "./labapi.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { RunCurves, runTitle, say, standing } from "./runcurves.js";
import { t } from "./texts.js";

const POLL_MS = 2000;

/** The ways to the laboratory and to the administrator's login. */
const ways = () =>
  html`<p><a href="/lab" data-page>${t("lab")}</a> · <a href="/administrator" data-page>${t("administrator")}</a></p>`;

export default class RunsPage extends BasePage {
  /** @type {Schemas["RunLine"][]} */
  runs = [];
  /** The names of the ticked runs, also of those whose curves are on their way. @type {Set<string>} */
  ticked = new Set();
  curves = this.attach(new RunCurves(this.shell));
  polling = new Polling(this, POLL_MS, () => this.follow());

  title() {
    return t("runs");
  }

  async open() {
    const [listing] = await Promise.all([lab.runs(), this.curves.open()]);
    this.runs = listing.runs;
    const first = this.runs.find((run) => !run.fault && run.rows > 0);
    if (first) await this.toggle(first.name);
    this.polling.start();
  }

  /** Load new runs, and new rows of unfinished runs. */
  async follow() {
    this.runs = (await lab.runs()).runs;
    await this.curves.poll();
  }

  /** @param {string} name */
  async toggle(name) {
    const drops = this.ticked.delete(name);
    if (drops) this.curves.shown.delete(name);
    else this.ticked.add(name);
    this.shell.redraw();
    if (drops) return;
    await this.shell.attempt(async () => {
      await this.curves.add(name);
      // It may have been dropped meanwhile.
      if (!this.ticked.has(name)) this.curves.shown.delete(name);
    });
  }

  draw() {
    if (!this.runs.length)
      return html`<div class="alone"><h1>${t("runs")}</h1><p class="muted">${say("none")}</p>${ways()}</div>`;
    return html`<div class="runs">
      <section class="panel">
        <h1>${t("runs")}</h1>
        <p class="muted">${say("pick")}</p>
        ${this.comparison()}
        <ul class="run-list">${this.runs.map((run) => this.line(run))}</ul>
        ${ways()}
        <p><a href="/agents" data-page>${say("agents")}</a></p>
      </section>
      ${this.curves.draw()}
    </div>`;
  }

  /** The way to the comparison of the ticked runs. */
  comparison() {
    const names = [...this.ticked];
    const games = new Set(this.runs.filter(({ name }) => this.ticked.has(name)).map(({ game }) => game));
    if (games.size > 1) return html`<p class="muted" role="status">${say("one_game")}</p>`;
    return names.length > 1
      ? html`<p><a class="button quiet" href="/runs/compare?runs=${encodeURIComponent(names.join(","))}"
        data-page>${say("compare")}</a></p>`
      : nothing;
  }

  /** @param {Schemas["RunLine"]} run */
  line(run) {
    const ticked = this.ticked.has(run.name);
    return html`<li>
      <label class="check">
        <input type="checkbox" .checked=${live(ticked)} ?disabled=${Boolean(run.fault)} @change=${() => this.toggle(run.name)} />
        <span class="run-name">${
          run.fault
            ? html`<strong>${runTitle(run)}</strong>`
            : html`<a href="/runs/${encodeURIComponent(run.name)}" data-page><strong>${runTitle(run)}</strong></a>`
        }
          <span class="muted">${run.fault ?? standing(run)}</span>${
            run.reason ? html`<small class="run-reason">${run.reason}</small>` : nothing
          }</span>
      </label>
      ${
        run.group && this.runs.filter(({ group }) => group === run.group).length > 1
          ? html`<a class="run-link" href="/runs/compare?runs=${encodeURIComponent(run.group)}"
            data-page>${say("experiment", { name: run.group })}</a>`
          : nothing
      }
      <small class="run-link muted">${run.name}</small>
    </li>`;
  }
}
