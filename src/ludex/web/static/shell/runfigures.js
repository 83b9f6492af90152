/** The figures of a run: maps, bars and tables as the server describes them. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { figure } from "./figures.js";
import { preferences } from "./preferences.js";
import { select } from "./select.js";

/** @typedef {Schemas["RunFigures"]["figures"][number]} Figure */

const BAR = 18;
const NAMES = 160;
const WIDE = 330;
const DIGITS = 2;

/**
 * The figures of the chosen row, with a list of the others.
 * @param {string} title of the list @param {Schemas["RunFigures"]} shown @param {(row: number) => void} choose
 */
export function runFigures(title, shown, choose) {
  if (!shown.rows.length) return nothing;
  const values = shown.rows.map(({ row }) => String(row));
  const names = shown.rows.map(({ label }) => words(label));
  return html`<section class="run-figures">
    ${select(title, values, String(shown.row), (row) => choose(Number(row)), { names })}
    <div class="figure-list">${shown.figures.map(
      (figure) =>
        html`<figure data-figure=${figure.kind}><figcaption>${words(figure.title)}</figcaption>${drawFigure(figure)}</figure>`,
    )}</div>
  </section>`;
}

/** @param {Schemas["MapFigure"]["title"]} text */
const words = (text) => text[preferences.language];

/** @param {Figure} figure */
function drawFigure(figure) {
  if (figure.kind === "map") return map(figure);
  return figure.kind === "bars" ? bars(figure) : table(figure);
}

/** @param {Schemas["MapFigure"]} figure */
function map({ title, box, cells }) {
  return html`<svg class="figure-map" viewBox=${box.join(" ")} role="img" aria-label=${words(title)}>${cells.map(
    ({ points, kind, value, label }) =>
      svg`<g><polygon class=${kind} points=${points}></polygon>${
        value === null
          ? nothing
          : svg`<polygon class="value" points=${points} fill-opacity=${Math.sqrt(value)}></polygon>`
      }<title>${label}</title></g>`,
  )}</svg>`;
}

/** @param {Schemas["BarsFigure"]} figure */
function bars({ title, bars: lines }) {
  const most = Math.max(1, ...lines.map(({ value }) => value));
  const width = WIDE - NAMES - 48;
  return html`<svg class="figure-bars" viewBox="0 0 ${WIDE} ${BAR * lines.length}" role="img"
    aria-label="${words(title)}: ${lines.map(({ label, text }) => `${words(label)} ${text}`).join(", ")}">${lines.map(
      ({ label, value, text }, index) => svg`<g>
        <text x=${NAMES - 8} y=${BAR * index + 13} text-anchor="end">${words(label)}</text>
        <rect class="value" x=${NAMES} y=${BAR * index + 3} width=${(width * value) / most} height=${BAR - 6} rx="2"></rect>
        <text x=${NAMES + (width * value) / most + 6} y=${BAR * index + 13}>${text}</text></g>`,
    )}</svg>`;
}

/** @param {Schemas["TableFigure"]} figure */
function table({ columns, rows }) {
  return html`<table class="figure-table">
    <thead><tr><td></td>${columns.map((column) => html`<th scope="col">${words(column)}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ({ name, values }) => html`<tr>
        <th scope="row">${words(name)}</th>${values.map((value) => html`<td>${value === null ? "–" : figure(value, DIGITS)}</td>`)}</tr>`,
    )}</tbody>
  </table>`;
}
