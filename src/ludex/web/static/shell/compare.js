// @ts-check
/** The page that compares runs: curves with bands over seeds, the configurations in what they differ, files, notes. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { lab } from "./labapi.js";
import { Curves } from "./curves.js";
import { lineName, metricName, metricSentence } from "./metrics.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { texts, t } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */
/** @typedef {Schemas["Comparison"]["bands"][number]} Band */

const say = texts("lab", "compare");

const POLL_MS = 5000;
const SERIES = 7;
const SIGNIFICANT = 4;
const FORMATS = /** @type {const} */ (["csv", "svg", "png"]);
const UNFINISHED = ["queued", "running"];

/** @param {number} value */
const number = (value) =>
  new Intl.NumberFormat(preferences.language, { maximumSignificantDigits: SIGNIFICANT }).format(value);

/** A value of a configuration. @param {unknown} value */
const written = (value) => (value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value));

/** @implements {Page} */
export default class ComparePage {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** The runs or experiments of the address. */
    this.names = (new URLSearchParams(location.search).get("runs") ?? "").split(",").filter(Boolean);
    /** @type {string | null} */
    this.metric = null;
    /** @type {string | null} */
    this.axis = null;
    /** @type {Schemas["Comparison"] | null} */
    this.found = null;
    /** @type {Map<string, string>} the administrator's notes, by name */
    this.notes = new Map();
    this.curves = new Curves();
    this.timer = 0;
    this.closed = false;
  }

  title() {
    return say("title");
  }

  async open() {
    const sheets = ["/static/style/compare.css", "/static/style/curves.css", "/static/vendor/uplot/uplot.css"];
    const [status] = await Promise.all([lab.administrator(), ...sheets.map(stylesheet)]);
    if (this.names.length) this.found = await lab.compare(this.names, null, null);
    if (status.administrator) {
      for (const name of this.names) this.notes.set(name, (await lab.note(name)).note);
    }
    this.schedule();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.curves.close();
  }

  schedule() {
    const going = this.found?.variants.some(({ runs }) => runs.some(({ state }) => UNFINISHED.includes(state)));
    if (!this.closed && going) this.timer = window.setTimeout(() => void this.poll(), POLL_MS);
  }

  async poll() {
    if (!document.hidden) await this.load();
    this.schedule();
  }

  async load() {
    try {
      this.found = await lab.compare(this.names, this.metric, this.axis);
    } catch (error) {
      this.shell.fail(error);
    }
    if (!this.closed) this.shell.redraw();
  }

  /** @param {Partial<Pick<ComparePage, "metric" | "axis">>} changes */
  async choose(changes) {
    Object.assign(this, changes);
    await this.load();
  }

  draw() {
    const { found } = this;
    if (!found)
      return html`<div class="alone"><h1>${say("title")}</h1><p>${say("none")}</p><p>
        <a class="button primary" href="/runs" data-page>${t("runs")}</a></p></div>`;
    return html`<div class="compare">
      <section class="panel">
        <h1>${say("title")}</h1>
        <p class="muted">${this.names.join(", ")}</p>
        ${this.choosers(found)}
        <div class="plot" role="img" aria-label="${metricName(found.metric)}: ${found.variants.map(({ label }) => label).join(", ")}"></div>
        ${this.legend(found)}
        <p class="muted">${found.variants.some(({ runs }) => runs.length > 1) ? say("band") : nothing}</p>
        <p class="compare-files">${say("export")} ${FORMATS.map(
          (format) => html`<a class="button quiet" download
            href=${lab.comparison(this.names, found.metric || null, found.axis, format)}>${format.toUpperCase()}</a> `,
        )}</p>
      </section>
      <section class="panel"><h2>${say("configurations")}</h2>${this.table(found)}</section>
      <section class="panel"><h2>${say("repeat")}</h2>
        <p class="muted">${say("repeat_how")}</p>${found.variants.map((variant) => this.runs(variant))}</section>
      ${
        this.notes.size
          ? html`<section class="panel"><h2>${say("notes")}</h2>
            <p class="muted">${say("notes_whose")}</p>${[...this.notes].map(([name, note]) => this.note(name, note))}</section>`
          : nothing
      }
      </div>
      ${this.plot(found)}`;
  }

  /** @param {Schemas["Comparison"]} found */
  choosers({ metric, axis, metrics }) {
    const sentence = metricSentence(metric);
    return html`<div class="compare-choosers">
        ${select(say("metric"), metrics, metric, (chosen) => this.choose({ metric: chosen, axis: null }), {
          names: metrics.map(metricName),
        })}
        ${select(say("axis"), ["", ...metrics], axis, (chosen) => this.choose({ axis: chosen }), {
          names: [say("axis_row"), ...metrics.map(metricName)],
        })}
      </div>
      ${sentence ? html`<p class="metric-sentence">${sentence}</p>` : nothing}`;
  }

  /** The name of a band. @param {Schemas["Comparison"]} found @param {Band} band */
  name({ variants }, { variant, part }) {
    const { label = "", runs = [] } = variants[variant] ?? {};
    const seeds = runs.length > 1 ? ` (${say("seeds", { count: runs.length })})` : "";
    return `${label}${part ? ` · ${lineName(part)}` : ""}${seeds}`;
  }

  /** @param {Schemas["Comparison"]} found */
  legend(found) {
    return html`<ul class="legend">${found.bands.map(
      (band, index) => html`<li><svg viewBox="0 0 24 8" aria-hidden="true">
        <rect width="24" height="8" rx="4" class="series-${index % SERIES}" /></svg> ${this.name(found, band)}</li>`,
    )}</ul>`;
  }

  /** Draw the canvas, which is not lit's, once the page is rendered. @param {Schemas["Comparison"]} found */
  plot(found) {
    queueMicrotask(() => {
      const host = /** @type {HTMLElement | null} */ (document.querySelector(".plot"));
      if (!host || this.closed) return;
      const lines = found.bands.flatMap((band) => {
        const name = this.name(found, band);
        return [
          { name, x: band.x, y: band.mean },
          { name: `${name} <`, x: band.x, y: band.low },
          { name: `${name} >`, x: band.x, y: band.high },
        ];
      });
      void this.curves.draw(host, { lines, metric: found.metric, axis: metricName(found.axis), smoothing: 0, adapt });
    });
    return nothing;
  }

  /** @param {Schemas["Comparison"]} found */
  table(found) {
    const parts = found.bands.some(({ part }) => part);
    return html`<div class="compare-scroll" tabindex="0" role="region" aria-label=${say("configurations")}><table>
      <thead><tr>${
        found.keys.length
          ? found.keys.map((key) => html`<th scope="col">${key}</th>`)
          : html`<th scope="col">${say("configuration")}</th>`
      }<th scope="col">${say("runs")}</th>${
        parts ? html`<th scope="col">${say("part")}</th>` : nothing
      }<th scope="col">${say("last", { metric: metricName(found.metric) })}</th></tr></thead>
      <tbody>${found.bands.map((band) => this.row(found, band, parts))}</tbody>
      </table></div>`;
  }

  /** @param {Schemas["Comparison"]} found @param {Band} band @param {boolean} parts */
  row({ keys, variants }, band, parts) {
    const { values = {}, label = "", runs = [] } = variants[band.variant] ?? {};
    const [mean, low, high] = [band.mean, band.low, band.high].map((one) => number(one.at(-1) ?? NaN));
    return html`<tr>${
      keys.length ? keys.map((key) => html`<td>${written(values[key])}</td>`) : html`<td>${label}</td>`
    }<td>${runs.length}</td>${parts ? html`<td>${lineName(band.part)}</td>` : nothing}<td>${mean}${
      low === high
        ? nothing
        : html` <span class="muted">${say("range", { low: String(low), high: String(high) })}</span>`
    }</td></tr>`;
  }

  /** @param {Schemas["Comparison"]["variants"][number]} variant */
  runs({ label, runs }) {
    return html`<h3>${label}</h3><ul class="compare-runs">${runs.map(
      (run) => html`<li>
        <a href="/runs/${encodeURIComponent(run.name)}" data-page>${run.name}</a>
          <span class="muted">${say(run.state)}${run.seed === null ? nothing : ` · ${say("seed", { seed: run.seed })}`}</span>
        ${run.reason ? html`<p class="run-reason">${run.reason}</p>` : nothing}
        ${run.command ? html`<pre tabindex="0">${run.command}</pre>` : html`<p class="muted">${say("no_command")}</p>`}
      </li>`,
    )}</ul>`;
  }

  /** @param {string} name @param {string} note */
  note(name, note) {
    return html`<form class="compare-note" @submit=${(/** @type {SubmitEvent} */ event) => this.write(event, name)}>
      <label class="field"><span>${name}</span><textarea name="note" rows="4" maxlength="20000" .value=${live(note)}></textarea></label>
      <button>${say("save")}</button>
    </form>`;
  }

  /** @param {SubmitEvent} event @param {string} name */
  async write(event, name) {
    event.preventDefault();
    const text = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("note"));
    try {
      this.notes.set(name, (await lab.writeNote(name, text)).note);
      this.shell.say(say("saved"));
    } catch (error) {
      this.shell.fail(error);
    }
  }
}

/**
 * Draw of three lines each the first, and the space between the others in its colour.
 *
 * @param {{ series: any[], bands?: any[] }} options of uPlot, the first series of which is the axis
 * @param {string[]} colours
 */
function adapt(options, colours) {
  options.bands = [];
  for (let at = 1; at < options.series.length; at += 3) {
    const colour = colours[((at - 1) / 3) % SERIES] ?? "";
    const [mean, ...ends] = options.series.slice(at, at + 3);
    mean.stroke = colour;
    mean.points.fill = colour;
    for (const end of ends) Object.assign(end, { stroke: "transparent", width: 0, points: { show: false } });
    options.bands.push({ series: [at + 2, at + 1], fill: colour.replace("rgb(", "rgba(").replace(")", ", 0.2)") });
  }
}
