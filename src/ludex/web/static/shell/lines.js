// @ts-check
/** What a run has logged, as lines of a chart: what a metric is drawn against, and which rows make one line. */

/** @typedef {Record<string, any>} Row */
/** @typedef {{ name: string, rows: Row[] }} Run */
/** @typedef {{ name: string, x: number[], y: number[] }} Line */

/** What training usually counts, the finest first. */
const AXES = ["games", "step", "steps", "update", "iteration", "epoch"];
/** What somebody who opens a run wants to see first, where it is told. */
const TELLING = "win_rate";

/** The number to draw at first. @param {string[]} names */
export function metricOf(names) {
  return names.find((name) => name === TELLING) ?? names.find((name) => !AXES.includes(name)) ?? names[0] ?? "";
}

/**
 * What to draw a metric against: the finest count that grows from row to row, else the coarsest that all of them have,
 * else "", the number of the row.
 *
 * @param {Run[]} runs
 * @param {string} metric
 */
export function axisOf(runs, metric) {
  const told = runs.map(({ rows }) => rows.filter((row) => typeof row[metric] === "number")).filter((rows) => rows.length);
  const counts = AXES.filter((axis) => axis !== metric && told.length && told.every((rows) => rows.every((row) => typeof row[axis] === "number")));
  const growing = counts.filter((axis) => told.every((rows) => rows.every((row, at) => at === 0 || row[axis] >= rows[at - 1]?.[axis])));
  return growing.find((axis) => told.some((rows) => rows.at(-1)?.[axis] > rows[0]?.[axis])) ?? growing.at(-1) ?? "";
}

/**
 * A run's lines. Rows that would stand above each other are told apart by their texts, an opponent or a board: each
 * combination has a line. A run that tells nothing of the metric has one without points.
 *
 * @param {Run} run
 * @param {string} metric
 * @param {string} axis
 * @returns {Line[]}
 */
export function linesOf(run, metric, axis) {
  const points = run.rows
    .map((row, at) => ({ row, x: axis === "" ? at : row[axis], y: row[metric] }))
    .filter(({ x, y }) => typeof x === "number" && typeof y === "number")
    .sort((one, two) => one.x - two.x);
  const texts = telling(points);
  /** @type {Map<string, Line>} */
  const lines = new Map();
  for (const { row, x, y } of points) {
    const name = [run.name, ...texts.map((text) => row[text]).filter(Boolean)].join(" · ");
    const line = lines.get(name) ?? { name, x: [], y: [] };
    lines.set(name, line);
    line.x.push(x);
    line.y.push(y);
  }
  return lines.size ? [...lines.values()] : [{ name: run.name, x: [], y: [] }];
}

/** The texts in which rows of the same place differ. @param {{ row: Row, x: number }[]} points, by place */
function telling(points) {
  const found = new Set();
  points.forEach(({ row, x }, at) => {
    const before = points[at - 1];
    if (before?.x !== x) return;
    for (const name of Object.keys(row)) if (typeof row[name] === "string" && row[name] !== before.row[name]) found.add(name);
  });
  return /** @type {string[]} */ ([...found]);
}
