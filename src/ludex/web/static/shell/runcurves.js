// @ts-check
/** The curves of runs: the choice of a metric and an axis, the chart with its legend, figures, and configurations. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { lab } from "./labapi.js";
import { Curves } from "./curves.js";
import { axisOf, linesOf, metricOf } from "./lines.js";
import { lineName, metricName, metricSentence } from "./metrics.js";
import { stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/**
 * @typedef {{
 *   rows: Record<string, any>[],
 *   finished: boolean,
 *   detail: Schemas["RunDetail"],
 *   figures: Schemas["RunFigures"],
 *   row: number | null,
 * }} Known
 */

export const say = texts("lab", "runs");

export class RunCurves {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Map<string, Known>} the runs that are drawn, in the order they were added */
    this.shown = new Map();
    this.metric = "";
    /** @type {string | null} the chosen axis, "" for the number of the row */
    this.chosen = null;
    this.smoothing = 0;
    /** @type {typeof import("./runfigures.js").runFigures | null} loaded with the first figures */
    this.drawFigures = null;
    this.curves = new Curves();
    this.closed = false;
  }

  /** Load the style sheets. */
  async open() {
    await Promise.all([
      stylesheet("/static/style/runs.css"),
      stylesheet("/static/style/curves.css"),
      stylesheet("/static/vendor/uplot/uplot.css"),
    ]);
  }

  close() {
    this.closed = true;
    this.curves.close();
  }

  /** Draw a run too. @param {string} name */
  async add(name) {
    /** @type {Known} */
    const known = {
      rows: [],
      finished: false,
      detail: await lab.run(name),
      figures: { rows: [], row: null, figures: [] },
      row: null,
    };
    await this.follow(name, known);
    this.shown.set(name, known);
    const names = this.names();
    if (!names.includes(this.metric)) this.metric = metricOf(names, known.detail.headline);
  }

  /** Load new rows of the runs that are not finished. */
  async poll() {
    for (const [name, known] of this.shown) {
      if (!known.finished) await this.follow(name, known);
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
    if (known.figures.figures.length) this.drawFigures ??= (await import("./runfigures.js")).runFigures;
  }

  /** The names of all numbers that the runs log. */
  names() {
    const names = new Set();
    for (const { rows } of this.shown.values()) {
      for (const row of rows)
        for (const [name, value] of Object.entries(row)) if (typeof value === "number") names.add(name);
    }
    return /** @type {string[]} */ ([...names]);
  }

  /** The axis of the metric: the chosen one, unless no row has both. */
  get axis() {
    const { chosen, metric } = this;
    const runs = this.runs();
    const drawn = chosen !== null && runs.some((run) => linesOf(run, metric, chosen).some((line) => line.x.length));
    return drawn ? chosen : axisOf(runs, metric);
  }

  /** The runs with their rows. */
  runs() {
    return [...this.shown].map(([name, { rows }]) => ({ name, rows }));
  }

  lines() {
    const { axis, metric } = this;
    return this.runs().flatMap((run) => linesOf(run, metric, axis));
  }

  draw() {
    return html`<section class="panel curves">
        ${this.choosers()}
        <details><summary>${say("what")}</summary><p>${metricSentence(this.metric) || metricName(this.metric)}</p></details>
        <div class="plot" role="img" aria-label="${metricName(this.metric)}: ${[...this.shown.keys()].join(", ")}"></div>
        ${this.legend()} ${this.figures()} ${this.details()}
      </section>
      ${this.plot()}`;
  }

  /** Draw the canvas, which is not lit's, once the page is rendered. */
  plot() {
    queueMicrotask(() => {
      const host = /** @type {HTMLElement | null} */ (document.querySelector(".plot"));
      if (host && !this.closed)
        void this.curves.draw(host, {
          lines: this.lines(),
          metric: this.metric,
          axis: metricName(this.axis),
          smoothing: this.smoothing,
        });
    });
    return nothing;
  }

  choosers() {
    const names = this.names();
    /** @param {Event} event */
    const value = (event) => /** @type {HTMLInputElement} */ (event.target).value;
    return html`<div class="run-choosers">
      ${select(say("metric"), names, this.metric, (metric) => this.set({ metric }), { names: names.map(metricName) })}
      ${select(say("axis"), ["", ...names], this.axis, (chosen) => this.set({ chosen }), {
        names: [say("axis_row"), ...names.map(metricName)],
      })}
      <label class="field"><span>${say("smoothing")} ${Math.round(this.smoothing * 100)}
        %</span><input type="range" min="0" max="0.98" step="0.02" .value=${live(String(this.smoothing))}
        @input=${(/** @type {Event} */ event) => this.set({ smoothing: Number(value(event)) })} /></label>
    </div>`;
  }

  /** @param {Partial<Pick<RunCurves, "metric" | "chosen" | "smoothing">>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.shell.redraw();
  }

  legend() {
    return html`<ul class="legend">${this.lines().map(
      ({ name }, index) => html`<li>
        <svg viewBox="0 0 24 8" aria-hidden="true"><rect width="24" height="8" rx="4" class="series-${index % 7}" /></svg>
        ${lineName(name)}</li>`,
    )}</ul>`;
  }

  figures() {
    const draw = this.drawFigures;
    return (
      draw &&
      [...this.shown].map(([name, known]) =>
        draw(say("evaluation", { run: name }), known.figures, (row) => void this.show(name, known, row)),
      )
    );
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
    return [...this.shown.values()].map(
      ({ detail }) => html`<details>
        <summary>${detail.name}</summary>
        <div class="run-detail">
          <div><h2>${say("config")}</h2><pre tabindex="0">${detail.config}</pre></div>
          ${
            detail.summary
              ? html`<div><h2>${say("summary")}</h2>
                <pre tabindex="0">${JSON.stringify(detail.summary, null, 1)}</pre></div>`
              : nothing
          }
        </div>
      </details>`,
    );
  }
}
