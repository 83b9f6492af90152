/** The page that compares runs: curves with bands over seeds, the configurations in what they differ, files, notes. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { lab } from "./labapi.js";
import { curveLegend, Curves, SERIES } from "./curves.js";
import { lineName, metricName, metricSentence } from "./metrics.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { Polling } from "./polling.js";
import { stylesheet } from "./renderer.js";
import { runTitle } from "./runcurves.js";
import { select, typed } from "./select.js";
import { numeral, texts, t } from "./texts.js";

/** @typedef {Schemas["Comparison"]["bands"][number]} Band */

const say = texts("lab", "compare");

const POLL_MS = 5000;
const SIGNIFICANT = 4;
const FORMATS = /** @type {const} */ (["csv", "svg", "png"]);
const UNFINISHED = ["queued", "running"];

/** @param {number} value */
const number = (value) => numeral(value, { maximumSignificantDigits: SIGNIFICANT });

/** When something began. @param {string} utc */
const moment = (utc) => new Date(utc).toLocaleString(preferences.language, { dateStyle: "short", timeStyle: "medium" });

/** A value of a configuration. @param {unknown} value */
const formatValue = (value) => (value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value));

export default class ComparePage extends BasePage {
  /** The runs or experiments of the address. */
  names = (new URLSearchParams(location.search).get("runs") ?? "").split(",").filter(Boolean);
  /** @type {string | null} */
  metric = null;
  /** @type {string | null} */
  axis = null;
  /** @type {Schemas["Comparison"] | null} */
  comparison = null;
  /** @type {Map<string, Schemas["RunLine"]>} every run, by name */
  lines = new Map();
  /** @type {Map<string, string>} the administrator's notes, by name */
  notes = new Map();
  curves = this.attach(new Curves());
  polling = new Polling(
    this,
    POLL_MS,
    () => this.load(),
    () => Boolean(this.comparison?.variants.some(({ runs }) => runs.some(({ state }) => UNFINISHED.includes(state)))),
  );

  title() {
    return say("title");
  }

  async open() {
    const [status] = await Promise.all([
      lab.administrator(),
      stylesheet("/static/style/compare.css"),
      this.curves.open(),
    ]);
    this.lines = new Map((await lab.runs()).runs.map((line) => [line.name, line]));
    if (this.names.length) await this.load();
    if (status.administrator) {
      for (const name of this.names)
        if (!this.lines.get(name)?.example) this.notes.set(name, (await lab.note(name)).note);
    }
    this.polling.start();
  }

  async load() {
    await this.shell.attempt(async () => {
      this.comparison = await lab.compare(this.names, this.metric, this.axis);
    });
  }

  /** @param {Partial<Pick<ComparePage, "metric" | "axis">>} changes */
  async choose(changes) {
    Object.assign(this, changes);
    await this.load();
  }

  draw() {
    const { comparison } = this;
    if (!comparison)
      return html`<div class="alone"><h1>${say("title")}</h1><p>${say("none")}</p><p>
        <a class="button primary" href="/runs" data-page>${t("runs")}</a></p></div>`;
    return html`<div class="compare">
      <section class="panel">
        <h1>${say("title")}</h1>
        <p class="muted">${this.names.map((name) => this.runName(name)).join(", ")}</p>
        <p><a href="/runs" data-page>${t("runs")}</a></p>
        ${this.choosers(comparison)}
        <div class="plot" role="img"
          aria-label="${metricName(comparison.metric)}: ${comparison.variants.map((_, at) => this.variantName(comparison.variants, at)).join(", ")}"></div>
        ${curveLegend(comparison.bands.map((band) => this.bandName(comparison, band)))}
        <p class="muted">${comparison.variants.some(({ runs }) => runs.length > 1) ? say("band") : nothing}</p>
        <p class="compare-files">${say("export")} ${FORMATS.map(
          (format) => html`<a class="button quiet" download
            href=${lab.comparison(this.names, comparison.metric || null, comparison.axis, format)}>${format.toUpperCase()}</a> `,
        )}</p>
      </section>
      <section class="panel"><h2>${say("configurations")}</h2>${this.table(comparison)}</section>
      <section class="panel"><h2>${say("repeat")}</h2>
        <p class="muted">${say("repeat_how")}</p>${comparison.variants.map((variant, at) => this.runs(this.variantName(comparison.variants, at), variant))}</section>
      ${
        this.notes.size
          ? html`<section class="panel"><h2>${say("notes")}</h2>
            <p class="muted">${say("notes_whose")}</p>${[...this.notes].map(([name, note]) => this.note(name, note))}</section>`
          : nothing
      }
      </div>
      ${this.curves.schedule(() => this.chart(comparison))}`;
  }

  /** @param {Schemas["Comparison"]} comparison */
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

  /** What people call a run, with when it began; an experiment by its name. @param {string} name */
  runName(name) {
    const line = this.lines.get(name);
    return line ? `${runTitle(line)} (${moment(line.created_utc)})` : name;
  }

  /** A variant by what distinguishes it; of those that differ in nothing each by its run. @param {Schemas["Comparison"]["variants"]} variants @param {number} at */
  variantName(variants, at) {
    const { label = "", runs = [] } = variants[at] ?? {};
    const alike = variants.filter((other) => other.label === label).length > 1;
    const [first] = runs;
    return first && (alike || variants.length === 1) && runs.length === 1 ? this.runName(first.name) : label;
  }

  /** The name of a band. @param {Schemas["Comparison"]} comparison @param {Band} band */
  bandName({ variants }, { variant, part }) {
    const { runs = [] } = variants[variant] ?? {};
    const label = this.variantName(variants, variant);
    const seeds = runs.length > 1 ? ` (${say("seeds", { count: runs.length })})` : "";
    return `${label}${part ? ` · ${lineName(part)}` : ""}${seeds}`;
  }

  /** Each mean with the ends of its band. @param {Schemas["Comparison"]} comparison */
  chart(comparison) {
    const lines = comparison.bands.flatMap((band) => {
      const name = this.bandName(comparison, band);
      return [
        { name, x: band.x, y: band.mean },
        { name: `${name} <`, x: band.x, y: band.low },
        { name: `${name} >`, x: band.x, y: band.high },
      ];
    });
    return { lines, metric: comparison.metric, axis: metricName(comparison.axis), smoothing: 0, adapt };
  }

  /** @param {Schemas["Comparison"]} comparison */
  table(comparison) {
    const parts = comparison.bands.some(({ part }) => part);
    return html`<div class="compare-scroll" tabindex="0" role="region" aria-label=${say("configurations")}><table>
      <thead><tr>${
        comparison.keys.length
          ? comparison.keys.map((key) => html`<th scope="col">${key}</th>`)
          : html`<th scope="col">${say("configuration")}</th>`
      }<th scope="col">${say("runs")}</th>${
        parts ? html`<th scope="col">${say("part")}</th>` : nothing
      }<th scope="col">${say("last", { metric: metricName(comparison.metric) })}</th></tr></thead>
      <tbody>${comparison.bands.map((band) => this.row(comparison, band, parts))}</tbody>
      </table></div>`;
  }

  /** @param {Schemas["Comparison"]} comparison @param {Band} band @param {boolean} parts */
  row({ keys, variants }, band, parts) {
    const { values = {}, runs = [] } = variants[band.variant] ?? {};
    const label = this.variantName(variants, band.variant);
    const [mean, low, high] = [band.mean, band.low, band.high].map((values) => number(values.at(-1) ?? NaN));
    return html`<tr>${
      keys.length ? keys.map((key) => html`<td>${formatValue(values[key])}</td>`) : html`<td>${label}</td>`
    }<td>${runs.length}</td>${parts ? html`<td>${lineName(band.part)}</td>` : nothing}<td>${mean}${
      low === high
        ? nothing
        : html` <span class="muted">${say("range", { low: String(low), high: String(high) })}</span>`
    }</td></tr>`;
  }

  /** @param {string} label @param {Schemas["Comparison"]["variants"][number]} variant */
  runs(label, { runs }) {
    return html`<h3>${label}</h3><ul class="compare-runs">${runs.map(
      (run) => html`<li>
        <a href="/runs/${encodeURIComponent(run.name)}" data-page>${this.runName(run.name)}</a>
          <span class="muted">${run.name} · ${say(run.state)}${run.seed === null ? nothing : ` · ${say("seed", { seed: run.seed })}`}</span>
        ${run.reason ? html`<p class="run-reason">${run.reason}</p>` : nothing}
        ${run.command ? html`<pre tabindex="0">${run.command}</pre>` : html`<p class="muted">${say("no_command")}</p>`}
      </li>`,
    )}</ul>`;
  }

  /** @param {string} name @param {string} note */
  note(name, note) {
    return html`<form class="compare-note" @submit=${(/** @type {SubmitEvent} */ event) => this.write(event, name)}>
      <label class="field"><span>${name}</span><textarea name="note" rows="4" maxlength="20000" .value=${live(note)}
        @input=${typed((text) => this.notes.set(name, text))}></textarea></label>
      <button>${say("save")}</button>
    </form>`;
  }

  /** @param {SubmitEvent} event @param {string} name */
  async write(event, name) {
    event.preventDefault();
    await this.shell.attempt(async () => {
      this.notes.set(name, (await lab.writeNote(name, this.notes.get(name) ?? "")).note);
      this.shell.say(say("saved"));
    });
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
