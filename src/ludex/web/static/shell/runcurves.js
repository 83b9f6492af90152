/** The curves of runs: the choice of a metric and an axis, the chart with its legend, figures, and configurations. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { curveLegend, Curves } from "./curves.js";
import { lab } from "./labapi.js";
import { axisOf, linesOf, metricOf } from "./lines.js";
import { lineName, metricName, metricSentence } from "./metrics.js";
import { ago } from "./names.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { select, typed } from "./select.js";
import { numeral, texts } from "./texts.js";

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
  /** @param {Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Map<string, Known>} the runs that are drawn, in the order they were added */
    this.shown = new Map();
    /** The metric that a person chose; until then it is the one that matters. */
    this.picked = "";
    /** @type {string | null} the chosen axis, "" for the number of the row */
    this.chosen = null;
    this.smoothing = 0;
    /** @type {typeof import("./runfigures.js").runFigures | null} loaded with the first figures */
    this.drawFigures = null;
    this.curves = new Curves();
  }

  /** Load the style sheets. */
  async open() {
    await Promise.all([stylesheet("/static/style/runs.css"), this.curves.open()]);
  }

  close() {
    this.curves.close();
  }

  /** Draw a run too. @param {string} name */
  async add(name) {
    /** @type {Known} */
    const entry = {
      rows: [],
      finished: false,
      detail: await lab.run(name),
      figures: { rows: [], row: null, figures: [] },
      row: null,
    };
    await this.follow(name, entry);
    this.shown.set(name, entry);
  }

  /** The metric that is drawn. */
  get metric() {
    const counts = this.counts();
    if (counts.has(this.picked)) return this.picked;
    return metricOf(
      counts,
      [...this.shown.values()].map(({ detail }) => detail.headline),
    );
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

  /** How often the runs log each number. */
  counts() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const row of [...this.shown.values()].flatMap((known) => known.rows))
      for (const name of Object.keys(row))
        if (typeof row[name] === "number") counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }

  /** The axis of the metric: the chosen one, unless no row has both. */
  get axis() {
    const { chosen, metric } = this;
    const runs = this.runs();
    const hasPoints = chosen !== null && runs.some((run) => linesOf(run, metric, chosen).some((line) => line.x.length));
    return hasPoints ? chosen : axisOf(runs, metric);
  }

  /** The runs with their rows. */
  runs() {
    return [...this.shown].map(([name, { rows }]) => ({ name: this.title(name), rows }));
  }

  /** What people call a run; of several with one title, with the end of its name. @param {string} name */
  title(name) {
    const titles = new Map([...this.shown].map(([run, { detail }]) => [run, runTitle(detail)]));
    const title = titles.get(name) ?? name;
    return [...titles.values()].filter((other) => other === title).length > 1 ? `${title} (${name.slice(-4)})` : title;
  }

  lines() {
    const { axis, metric } = this;
    return this.runs().flatMap((run) => linesOf(run, metric, axis));
  }

  draw() {
    const lines = this.lines();
    if (!lines.some(({ x }) => x.length > 1) && ![...this.counts().values()].some((count) => count > 1))
      return html`<section class="panel curves"><p class="muted">${say("no_curve")}</p>${this.details()}</section>`;
    const agents = Object.assign({}, ...[...this.shown.values()].map(({ detail }) => detail.agents));
    return html`<section class="panel curves">
        ${this.choosers()}
        <details><summary>${say("what")}</summary><p>${metricSentence(this.metric) || metricName(this.metric)}</p></details>
        <div class="plot" role="img" aria-label="${metricName(this.metric)}: ${this.runs()
          .map(({ name }) => name)
          .join(", ")}"></div>
        ${curveLegend(lines.map(({ name }) => lineName(name, agents)))} ${this.figures()} ${this.details()}
      </section>
      ${this.curves.schedule(() => ({
        lines: this.lines(),
        metric: this.metric,
        axis: metricName(this.axis),
        smoothing: this.smoothing,
      }))}`;
  }

  choosers() {
    const names = [...this.counts().keys()];
    return html`<div class="run-choosers">
      ${select(say("metric"), names, this.metric, (picked) => this.set({ picked }), { names: names.map(metricName) })}
      ${select(say("axis"), ["", ...names], this.axis, (chosen) => this.set({ chosen }), {
        names: [say("axis_row"), ...names.map(metricName)],
      })}
      <label class="field"><span>${say("smoothing")} ${numeral(this.smoothing, { style: "percent" })}</span><input type="range" min="0" max="0.98" step="0.02" .value=${live(String(this.smoothing))}
        @input=${typed((smoothing) => this.set({ smoothing: Number(smoothing) }))} /></label>
    </div>`;
  }

  /** @param {Partial<Pick<RunCurves, "picked" | "chosen" | "smoothing">>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.shell.redraw();
  }

  figures() {
    const draw = this.drawFigures;
    return (
      draw &&
      [...this.shown].map(([name, known]) =>
        draw(say("evaluation", { run: this.title(name) }), known.figures, (row) => void this.show(name, known, row)),
      )
    );
  }

  /** Show the figures of another row. @param {string} name @param {Known} known @param {number} row */
  async show(name, known, row) {
    await this.shell.attempt(async () => {
      known.figures = await lab.figures(name, row);
      known.row = row;
    });
  }

  details() {
    return [...this.shown.values()].map(
      ({ detail }) => html`<details>
        <summary>${this.title(detail.name)} <span class="muted">${detail.name}</span></summary>
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

/** @typedef {Schemas["RunLine"] | Schemas["RunDetail"]} Named */

/** @param {Pick<Named, "game_title" | "label">} run */
export const runTitle = (run) =>
  [run.game_title[preferences.language], run.label[preferences.language]].filter(Boolean).join(" · ");

/** @param {{ rows: number, state: Schemas["RunLine"]["state"], created_utc: string, example: boolean }} run */
export function standing(run) {
  const state = run.example ? [say("ships")] : [run.state && say(run.state), ago(run.created_utc)];
  return [...state, say("rows", { count: run.rows })].filter(Boolean).join(" · ");
}
