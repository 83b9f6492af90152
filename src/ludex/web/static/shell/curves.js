// @ts-check
/** Curves of runs by uPlot, which is loaded when there is something to draw. */

/** @typedef {{ name: string, rows: Record<string, any>[] }} Run */
/** @typedef {{ runs: Run[], metric: string, axis: string, smoothing: number }} Wanted */

const HEIGHT = 380;
const SERIES = 7;

export class Curves {
  constructor() {
    /** @type {import("../vendor/uplot/uplot.js") | null} */
    this.plot = null;
    this.drawn = "";
    /** @type {ResizeObserver | null} */
    this.observer = null;
  }

  /** @param {HTMLElement} host @param {Wanted} wanted */
  async draw(host, wanted) {
    const { default: UPlot } = await import("../vendor/uplot/uplot.js");
    const tables = wanted.runs.map((run) => points(run, wanted));
    const colours = palette(host);
    const signature = JSON.stringify([wanted.runs.map((run) => run.name), wanted.metric, wanted.axis, wanted.smoothing > 0, colours]);
    const data = tables.length ? UPlot.join(tables.map(([x, raw, smooth]) => (wanted.smoothing > 0 ? [x, raw, smooth] : [x, raw]))) : [[]];
    if (this.plot && this.drawn === signature && host.contains(this.plot.root)) {
      this.plot.setData(/** @type {any} */ (data));
      return;
    }
    this.close();
    this.drawn = signature;
    const axis = { stroke: colours.muted, grid: { stroke: colours.line, width: 1 }, ticks: { stroke: colours.line, width: 1 }, font: "12px system-ui, sans-serif" };
    this.plot = new UPlot(
      {
        width: host.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false } },
        legend: { show: false },
        cursor: { points: { size: 7 } },
        axes: [{ ...axis, label: wanted.axis, labelFont: "12px system-ui, sans-serif", labelSize: 22 }, { ...axis, size: 64 }],
        series: [{ label: wanted.axis || "row" }, ...tables.flatMap((_, index) => series(wanted, index, colours))],
      },
      /** @type {any} */ (data),
      host,
    );
    this.observer = new ResizeObserver(() => this.plot?.setSize({ width: host.clientWidth, height: HEIGHT }));
    this.observer.observe(host);
  }

  close() {
    this.observer?.disconnect();
    this.plot?.destroy();
    this.plot = null;
    this.drawn = "";
  }
}

/** @param {Wanted} wanted @param {number} index @param {ReturnType<typeof palette>} colours */
function series(wanted, index, colours) {
  const name = wanted.runs[index]?.name ?? "";
  const colour = colours.series[index % SERIES] ?? colours.muted;
  const line = { label: name, stroke: colour, width: 2, spanGaps: true, points: { show: false } };
  return wanted.smoothing > 0 ? [{ ...line, label: `${name} (raw)`, width: 1, alpha: 0.3 }, line] : [line];
}

/**
 * A run's column of a metric against an axis, and the same smoothed: an exponential mean whose start is corrected.
 *
 * @param {Run} run
 * @param {Wanted} wanted
 * @returns {[number[], number[], number[]]}
 */
function points(run, wanted) {
  /** @type {[number, number][]} */
  const pairs = [];
  run.rows.forEach((row, index) => {
    const x = wanted.axis === "" ? index : row[wanted.axis];
    const y = row[wanted.metric];
    if (typeof x === "number" && typeof y === "number") pairs.push([x, y]);
  });
  pairs.sort((one, two) => one[0] - two[0]);
  let mean = 0;
  let weight = 0;
  const smooth = pairs.map(([, y]) => {
    mean = wanted.smoothing * mean + (1 - wanted.smoothing) * y;
    weight = wanted.smoothing * weight + (1 - wanted.smoothing);
    return mean / weight;
  });
  return [pairs.map(([x]) => x), pairs.map(([, y]) => y), smooth];
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
  const found = { muted: read("muted"), line: read("ink-line"), series: Array.from({ length: SERIES }, (_, index) => read(`ink-series-${index}`)) };
  probe.remove();
  return found;
}
