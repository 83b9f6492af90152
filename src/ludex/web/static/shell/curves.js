/** Charts by uPlot, which is loaded on first use. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { stylesheet } from "./renderer.js";

/** @typedef {import("./lines.js").Line} Line */
/**
 * @typedef {{
 *   lines: Line[],
 *   metric: string,
 *   axis: string,
 *   smoothing: number,
 *   adapt?: (options: any, colours: string[]) => void,
 * }} Wanted `adapt` changes uPlot's options before they are drawn
 */

const HEIGHT = 380;
/** Lines of up to so many points mark them: a single point would not be visible. */
const MARKED = 12;
const WHOLE = Array.from({ length: 36 }, (_, place) => [1, 2, 5][place % 3] * 10 ** Math.floor(place / 3));
/** Lines have so many colours. */
export const SERIES = 7;

export class Curves {
  constructor() {
    this.closed = false;
    /** @type {import("../vendor/uplot/uplot.js") | null} */
    this.plot = null;
    this.drawn = "";
    /** @type {ResizeObserver | null} */
    this.observer = null;
  }

  /** Load the style sheets of charts. */
  async open() {
    await Promise.all(["/static/style/curves.css", "/static/vendor/uplot/uplot.css"].map(stylesheet));
  }

  /** Draw the page's canvas, which is not lit's, once the page is rendered. @param {() => Wanted} wanted */
  schedule(wanted) {
    queueMicrotask(() => {
      const host = /** @type {HTMLElement | null} */ (document.querySelector(".plot"));
      if (host && !this.closed) void this.draw(host, wanted());
    });
    return nothing;
  }

  /** @param {HTMLElement} host @param {Wanted} wanted */
  async draw(host, wanted) {
    const { default: UPlot } = await import("../vendor/uplot/uplot.js");
    const colours = palette(host);
    const signature = JSON.stringify([
      wanted.lines.map((line) => line.name),
      wanted.metric,
      wanted.axis,
      wanted.smoothing > 0,
      colours,
    ]);
    const columns = wanted.lines.map(({ x, y }) =>
      wanted.smoothing > 0 ? [x, y, smoothed(y, wanted.smoothing)] : [x, y],
    );
    const data = columns.length ? UPlot.join(/** @type {any} */ (columns)) : [[]];
    if (this.plot && this.drawn === signature && host.contains(this.plot.root)) {
      this.plot.setData(/** @type {any} */ (data));
      return;
    }
    this.clear();
    this.drawn = signature;
    const axis = {
      stroke: colours.muted,
      grid: { stroke: colours.line, width: 1 },
      ticks: { stroke: colours.line, width: 1 },
      font: "12px system-ui, sans-serif",
    };
    const options = {
      width: host.clientWidth,
      height: HEIGHT,
      scales: { x: { time: false } },
      legend: { show: false },
      cursor: { points: { size: 7 } },
      axes: [
        {
          ...axis,
          label: wanted.axis,
          labelFont: "12px system-ui, sans-serif",
          labelSize: 22,
          // Nothing happens between two games or steps.
          ...(wanted.lines.every(({ x }) => x.every(Number.isInteger)) ? { incrs: WHOLE } : {}),
        },
        { ...axis, size: 64 },
      ],
      series: [
        { label: wanted.axis || "row" },
        ...wanted.lines.flatMap((line, index) =>
          series(line, wanted.smoothing > 0, colours.series[index % SERIES] ?? colours.muted),
        ),
      ],
    };
    wanted.adapt?.(options, colours.series);
    this.plot = new UPlot(options, /** @type {any} */ (data), host);
    this.observer = new ResizeObserver(() => this.plot?.setSize({ width: host.clientWidth, height: HEIGHT }));
    this.observer.observe(host);
  }

  close() {
    this.closed = true;
    this.clear();
  }

  clear() {
    this.observer?.disconnect();
    this.plot?.destroy();
    this.plot = null;
    this.drawn = "";
  }
}

/** The names of lines with their colours. @param {string[]} names */
export const curveLegend = (names) =>
  html`<ul class="legend">${names.map(
    (name, index) => html`<li><svg viewBox="0 0 24 8" aria-hidden="true">
      <rect width="24" height="8" rx="4" class="series-${index % SERIES}" /></svg> ${name}</li>`,
  )}</ul>`;

/** @param {Line} line @param {boolean} twice whether it is drawn as it is and smoothed @param {string} colour */
function series({ name, x }, twice, colour) {
  const line = {
    label: name,
    stroke: colour,
    width: 2,
    spanGaps: true,
    points: { show: x.length <= MARKED, size: 6, fill: colour },
  };
  return twice ? [{ ...line, label: `${name} (raw)`, width: 1, alpha: 0.3 }, line] : [line];
}

/** An exponential mean whose start is corrected. @param {number[]} values @param {number} smoothing */
function smoothed(values, smoothing) {
  let mean = 0;
  let weight = 0;
  return values.map((value) => {
    mean = smoothing * mean + (1 - smoothing) * value;
    weight = smoothing * weight + (1 - smoothing);
    return mean / weight;
  });
}

/** The colours a canvas needs, as the style sheets have them now. @param {HTMLElement} host */
function palette(host) {
  const probe = document.createElement("span");
  host.append(probe);
  /** @param {string} name */
  const read = (name) => {
    probe.className = name;
    return getComputedStyle(probe).color;
  };
  const colours = {
    muted: read("muted"),
    line: read("ink-line"),
    series: Array.from({ length: SERIES }, (_, index) => read(`ink-series-${index}`)),
  };
  probe.remove();
  return colours;
}
