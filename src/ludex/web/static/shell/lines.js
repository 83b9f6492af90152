/** The metrics of a run as lines of a chart: the choice of the axis, and of the rows of each line. */

/** @typedef {Record<string, any>} Row */
/** @typedef {{ name: string, rows: Row[] }} Run */
/** @typedef {{ name: string, x: number[], y: number[] }} Line */

/** Counts that training usually logs, the finest first. */
const AXES = ["games", "step", "steps", "update", "iteration", "epoch"];
/** What falls while something is learned, until the metric that matters was logged. */
const LOSSES = ["loss", "policy_loss"];
/** So many points are a curve. */
const ENOUGH = 3;

/**
 * The metric to draw first: the one that matters, unless only a loss has enough points yet.
 * @param {Map<string, number>} counts how often each is logged @param {(string | null)[]} headlines
 */
export function metricOf(counts, headlines) {
  const known = [...headlines, ...LOSSES].filter((name) => name !== null && counts.has(name));
  const first = known.find((name) => (counts.get(name ?? "") ?? 0) >= ENOUGH) ?? known[0];
  return first ?? [...counts.keys()].find((name) => !AXES.includes(name)) ?? counts.keys().next().value ?? "";
}

/**
 * The axis of a metric: the finest count that grows from row to row, else the coarsest that all of them have,
 * else "", the number of the row.
 * @param {Run[]} runs @param {string} metric
 */
export function axisOf(runs, metric) {
  const logged = runs
    .map(({ rows }) => rows.filter((row) => typeof row[metric] === "number"))
    .filter((rows) => rows.length);
  const counts = AXES.filter(
    (axis) =>
      axis !== metric && logged.length && logged.every((rows) => rows.every((row) => typeof row[axis] === "number")),
  );
  const growing = counts.filter((axis) =>
    logged.every((rows) => rows.every((row, at) => at === 0 || row[axis] >= rows[at - 1]?.[axis])),
  );
  return growing.find((axis) => logged.some((rows) => rows.at(-1)?.[axis] > rows[0]?.[axis])) ?? growing.at(-1) ?? "";
}

/**
 * A run's lines. Rows with the same x are separated by their texts, such as an opponent or a board: each combination has
 * a line. A run without the metric has one line without points.
 * @param {Run} run @param {string} metric @param {string} axis @returns {Line[]}
 */
export function linesOf(run, metric, axis) {
  const points = run.rows
    .map((row, at) => ({ row, x: axis === "" ? at : row[axis], y: row[metric] }))
    .filter(({ x, y }) => typeof x === "number" && typeof y === "number")
    .sort((left, right) => left.x - right.x);
  // Whom it met is part of what a result says.
  const texts = [...new Set([...distinguishing(points), "opponent"])];
  /** @type {Map<string, Line>} */
  const lines = new Map();
  for (const { row, x, y } of points) {
    const name = [run.name, ...texts.map((text) => row[text])].filter(Boolean).join(" · ");
    const line = lines.get(name) ?? { name, x: [], y: [] };
    lines.set(name, line);
    line.x.push(x);
    line.y.push(y);
  }
  return lines.size ? [...lines.values()] : [{ name: run.name, x: [], y: [] }];
}

/** The text fields in which rows with the same x differ. @param {{ row: Row, x: number }[]} points sorted by x */
function distinguishing(points) {
  const names = new Set();
  points.forEach(({ row, x }, at) => {
    const before = points[at - 1];
    if (before?.x !== x) return;
    for (const name of Object.keys(row))
      if (typeof row[name] === "string" && row[name] !== before.row[name]) names.add(name);
  });
  return /** @type {string[]} */ ([...names]);
}
