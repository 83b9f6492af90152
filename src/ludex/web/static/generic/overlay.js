/** What analyses say of the cells of a scene: heat, ranks of candidates, and the line of one of them. */

import { numeral } from "../shell/texts.js";

/** @typedef {"signed" | "percent" | "outcome"} Format */
/** @typedef {{ value: number, format: Format }} Worth */

/** Numbers that stand in one cell. */
const MOST = 2;

/** The cell that a move changes. @param {Scene} scene @param {string} text @returns {number | null} */
export function cellOf(scene, text) {
  const move = scene.moves?.find((one) => one.text === text);
  return move?.at ?? move?.cells?.[move.cells.length - 1] ?? null;
}

/** What is known of a cell's worth, at most two numbers. @param {Context} ctx @param {number} cell @returns {Worth[]} */
export function worths(ctx, cell) {
  if (ctx.overlay !== "heat") return [];
  /** @type {Scene} */
  const scene = ctx.scene;
  const analysed = ctx.analysis?.overlay ?? {};
  const named = scene.layers ?? [];
  const others = Object.keys(analysed).filter((name) => named.every((layer) => layer.name !== name));
  /** @type {Worth[]} */
  const entries = [];
  for (const layer of [...named, ...others.map((name) => ({ name, format: undefined, values: undefined }))]) {
    const values = layer.values ?? analysed[layer.name];
    const value = values?.length === scene.board.cells.length ? values[cell] : null;
    if (typeof value === "number") entries.push({ value, format: layer.format ?? "signed" });
  }
  return (entries.length ? entries : ofCandidates(ctx, cell)).slice(0, MOST);
}

/** Where an analysis has no layers, the best value of the moves to a cell. @param {Context} ctx @param {number} cell @returns {Worth[]} */
function ofCandidates(ctx, cell) {
  const candidates = ctx.analysis?.candidates ?? [];
  // A score is in the agent's own unit: colours need one in -1..1.
  const most = Math.max(1, ...candidates.map(({ score }) => Math.abs(score ?? 0)));
  const here = candidates.find((candidate) => cellOf(ctx.scene, candidate.text) === cell);
  if (!here) return [];
  if (here.score !== null) return [{ value: here.score / most, format: "signed" }];
  return here.prob === null ? [] : [{ value: here.prob, format: "percent" }];
}

/** @param {Worth} worth @param {(key: "win" | "draw" | "loss") => string} say */
export function formatWorth({ value, format }, say) {
  if (format === "outcome") return say(value > 0 ? "win" : value < 0 ? "loss" : "draw");
  return format === "percent" ? numeral(value, { style: "percent", maximumFractionDigits: 0 }) : signed(value);
}

/** @param {number} value */
export const signed = (value) =>
  (value < 0 ? "−" : "+") + numeral(Math.abs(value), { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The place of a cell among the candidates, from 0, with its score. @param {Context} ctx @param {number} cell */
export function rankOf(ctx, cell) {
  if (ctx.overlay !== "candidates" || ctx.selected !== null || !ctx.analysis) return null;
  const rank = ctx.analysis.candidates.findIndex((candidate) => cellOf(ctx.scene, candidate.text) === cell);
  const candidate = ctx.analysis.candidates[rank];
  return candidate ? { rank, score: candidate.score ?? candidate.prob } : null;
}

/**
 * The cells of the selected candidate's line in order; a cell that is met again ends what can be drawn.
 * @param {Context} ctx @returns {number[]}
 */
export function planned(ctx) {
  const candidate = ctx.selected === null ? null : ctx.analysis?.candidates[ctx.selected];
  if (!candidate) return [];
  /** @type {number[]} */
  const cells = [];
  for (const text of candidate.line_text.length ? candidate.line_text : [candidate.text]) {
    const cell = cellOf(ctx.scene, text);
    if (cell === null || cells.includes(cell)) break;
    cells.push(cell);
  }
  return cells;
}
