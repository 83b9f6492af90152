// @ts-check
/** The page of training runs: tick several, choose a metric, and watch their curves; unfinished runs are polled. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { lab } from "./labapi.js";
import { Curves } from "./curves.js";
import { runFigures } from "./runfigures.js";
import { axisOf, linesOf, metricOf } from "./lines.js";
import { lineName, metricName } from "./metricnames.js";
import { stylesheet } from "./renderer.js";
import { ago } from "./names.js";
import { select } from "./select.js";
import { dictionary, t } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */
/** @typedef {{ rows: Record<string, any>[], finished: boolean, detail: Schemas["RunDetail"], figures: Schemas["RunFigures"], row: number | null }} Known */

const say = dictionary({ en: () => import("./runs.en.js"), fr: () => import("./runs.fr.js") });

const POLL_MS = 2000;

/** The way to the administrator's login. */
const administrator = () => html`<p><a href="/administrator" data-page>${t("administrator")}</a></p>`;

/** How far a run has come and its state, in words. @param {Schemas["RunLine"]} run */
function standing(run) {
  const rows = run.rows === 1 ? say("row_one") : say("rows", { count: run.rows });
  return [rows, run.state && say(run.state), ago(run.created_utc)].filter(Boolean).join(" · ");
}

/** @implements {Page} */
export default class RunsPage {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Schemas["RunLine"][]} */
    this.runs = [];
    /** @type {Map<string, Known>} the ticked runs, in the order they were ticked */
    this.ticked = new Map();
    this.metric = "";
    /** @type {string | null} the chosen axis, "" for the number of the row */
    this.chosen = null;
    this.smoothing = 0;
    this.curves = new Curves();
    this.timer = 0;
    this.closed = false;
  }

  title() {
    return t("runs");
  }

  async open() {
    const [found] = await Promise.all([lab.runs(), stylesheet("/static/style/runs.css"), stylesheet("/static/style/curves.css"), stylesheet("/static/vendor/uplot/uplot.css")]);
    this.runs = found.runs;
    const first = this.runs.find((run) => !run.fault && run.rows > 0);
    if (first) await this.tick(first.name);
    this.schedule();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.curves.close();
  }

  schedule() {
    if (!this.closed) this.timer = window.setTimeout(() => void this.poll(), POLL_MS);
  }

  /** Load new runs, and new rows of unfinished runs. */
  async poll() {
    try {
      if (!document.hidden) {
        this.runs = (await lab.runs()).runs;
        for (const [name, known] of this.ticked) {
          if (!known.finished) await this.follow(name, known);
        }
        if (!this.closed) this.shell.redraw();
      }
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.schedule();
    }
  }

  /** Load the rows after those known; a long run comes in pages. @param {string} name @param {Known} known */
  async follow(name, known) {
    let news;
    const before = known.rows.length;
    do {
      news = await lab.metrics(name, known.rows.length);
      known.rows.push(...news.rows);
    } while (news.rows.length);
    known.finished = news.finished;
    if (known.rows.length > before) known.figures = await lab.figures(name, known.row);
  }

  /** @param {string} name */
  async tick(name) {
    if (this.ticked.delete(name)) return;
    /** @type {Known} */
    const known = { rows: [], finished: false, detail: await lab.run(name), figures: { rows: [], row: null, figures: [] }, row: null };
    await this.follow(name, known);
    this.ticked.set(name, known);
    const names = this.names();
    if (!names.includes(this.metric)) this.metric = metricOf(names);
  }

  /** @param {string} name */
  async toggle(name) {
    try {
      await this.tick(name);
    } catch (error) {
      this.shell.fail(error);
    }
    this.shell.redraw();
  }

  /** The names of all numbers that the ticked runs log. */
  names() {
    const names = new Set();
    for (const { rows } of this.ticked.values()) {
      for (const row of rows) for (const [name, value] of Object.entries(row)) if (typeof value === "number") names.add(name);
    }
    return /** @type {string[]} */ ([...names]);
  }

  /** The axis of the metric: the chosen one, unless no row has both. */
  get axis() {
    const { chosen, metric } = this;
    const runs = this.shown();
    const drawn = chosen !== null && runs.some((run) => linesOf(run, metric, chosen).some((line) => line.x.length));
    return drawn ? chosen : axisOf(runs, metric);
  }

  /** The ticked runs with their rows. */
  shown() {
    return [...this.ticked].map(([name, { rows }]) => ({ name, rows }));
  }

  lines() {
    const { axis, metric } = this;
    return this.shown().flatMap((run) => linesOf(run, metric, axis));
  }

  draw() {
    if (!this.runs.length) return html`<div class="alone"><h1>${t("runs")}</h1><p class="muted">${say("none")}</p>${administrator()}</div>`;
    return html`<div class="runs">
      <section class="panel">
        <h1>${t("runs")}</h1>
        <p class="muted">${say("pick")}</p>
        <ul class="run-list">${this.runs.map((run) => this.line(run))}</ul>
        ${administrator()}
      </section>
      <section class="panel curves">
        ${this.choosers()}
        <div class="plot" role="img" aria-label="${metricName(this.metric)}: ${[...this.ticked.keys()].join(", ")}"></div>
        ${this.legend()} ${this.figures()} ${this.details()}
      </section>
    </div>
    ${this.plot()}`;
  }

  /** Draw the canvas, which is not lit's, once the page is rendered. */
  plot() {
    queueMicrotask(() => {
      const host = /** @type {HTMLElement | null} */ (document.querySelector(".plot"));
      if (host && !this.closed) void this.curves.draw(host, { lines: this.lines(), metric: this.metric, axis: this.axis, smoothing: this.smoothing });
    });
    return nothing;
  }

  choosers() {
    const names = this.names();
    /** @param {Event} event */
    const value = (event) => /** @type {HTMLInputElement} */ (event.target).value;
    return html`<div class="run-choosers">
      ${select(say("metric"), names, this.metric, (metric) => this.set({ metric }), { names: names.map(metricName) })}
      ${select(say("axis"), ["", ...names], this.axis, (chosen) => this.set({ chosen }), { names: [say("axis_row"), ...names.map(metricName)] })}
      <label class="field"><span>${say("smoothing")} ${Math.round(this.smoothing * 100)} %</span><input type="range" min="0" max="0.98" step="0.02" .value=${live(String(this.smoothing))} @input=${(/** @type {Event} */ event) => this.set({ smoothing: Number(value(event)) })} /></label>
    </div>`;
  }

  /** @param {Partial<Pick<RunsPage, "metric" | "chosen" | "smoothing">>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.shell.redraw();
  }

  /** @param {Schemas["RunLine"]} run */
  line(run) {
    const ticked = this.ticked.has(run.name);
    return html`<li>
      <label class="check">
        <input type="checkbox" .checked=${live(ticked)} ?disabled=${Boolean(run.fault)} @change=${() => this.toggle(run.name)} />
        <span class="run-name"><strong>${run.game}</strong> ${run.config} <span class="muted">${run.fault ?? standing(run)}</span>${run.reason ? html`<small class="run-reason">${run.reason}</small>` : nothing}<small class="muted">${run.name}</small></span>
      </label>
    </li>`;
  }

  legend() {
    return html`<ul class="legend">${this.lines().map(({ name }, index) => html`<li><svg viewBox="0 0 24 8" aria-hidden="true"><rect width="24" height="8" rx="4" class="series-${index % 7}" /></svg> ${lineName(name)}</li>`)}</ul>`;
  }

  figures() {
    return [...this.ticked].map(([name, known]) => runFigures(say("evaluation", { run: name }), known.figures, (row) => void this.show(name, known, row)));
  }

  /** Show the figures of another row. @param {string} name @param {Known} known @param {number} row */
  async show(name, known, row) {
    try {
      known.figures = await lab.figures(name, row);
      known.row = row;
    } catch (error) {
      this.shell.fail(error);
    }
    this.shell.redraw();
  }

  details() {
    return [...this.ticked.values()].map(
      ({ detail }) => html`<details>
        <summary>${detail.name}</summary>
        <div class="run-detail">
          <div><h2>${say("config")}</h2><pre tabindex="0">${detail.config}</pre></div>
          ${detail.summary ? html`<div><h2>${say("summary")}</h2><pre tabindex="0">${JSON.stringify(detail.summary, null, 1)}</pre></div>` : nothing}
        </div>
      </details>`,
    );
  }
}
