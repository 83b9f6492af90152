/** Tables of results: standings with intervals plotted on one scale, and the cross table. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { figure, percent, pointsText, rating } from "./figures.js";
import { icon } from "./icons.js";
import { titled } from "./names.js";
import { numeral, texts } from "./texts.js";

/** @typedef {Schemas["StandingRow"] & Partial<Schemas["TournamentRow"]>} Row */
/** @typedef {PersonalBoard & { agent: string, text: string, you: boolean, place: number }} PersonRow a person, before the row of that place */
/** @typedef {Omit<Row, "rank" | "superiority" | "ci95" | "elo_ci95"> & { rank: number | null, superiority?: number | null, ci95: Ends | null, elo_ci95: Ends | null }} Line */
/** @typedef {import("./names.js").Names} Names */
/** @typedef {[number | null, number | null]} Ends of an interval; null is open */
/** @typedef {{ low: number, high: number, at: (value: number) => number }} Scale */

const say = texts("arena", "page");

const SERIES = 7;

/**
 * @param {Row[]} rows best first
 * @param {{ alone: boolean, agents?: string[], people?: PersonRow[], names?: Names }} about
 *   `alone`: a game for one; `agents` in the order of the curves' colours
 */
export function standingsTable(rows, { alone, agents, people = [], names }) {
  const scale = alone ? SHARES : ratings(rows);
  const compared = rows.some((row) => row.superiority !== null);
  const timed = rows.some((row) => row.ms_per_move !== undefined);
  const forfeited = rows.some((row) => (row.forfeits ?? 0) + (row.time_forfeits ?? 0) > 0);
  const peopleAt = (/** @type {number} */ place) =>
    people
      .filter((person) => person.place === place)
      .map((person) => line({ ...person, rank: null, superiority: undefined, score: person.score ?? 0 }, person));
  /** @param {Line} row @param {PersonRow} [person] */
  const line = (row, person) => {
    const value = alone ? row.score : row.elo;
    const interval = (alone ? row.ci95 : row.elo_ci95) ?? (person ? [null, null] : null);
    const text = value === null || !interval ? "–" : alone ? percent(value) : rating(value);
    return html`<tr class=${person ? (person.you ? "yours" : "person") : nothing}
      data-testid=${person ? (person.you ? "you" : "person") : nothing}>
      <td class="rank">${row.rank}</td>
      <th scope="row" title=${person ? nothing : row.agent}>${agents ? swatch(agents.indexOf(row.agent)) : nothing}${
        person ? html`${icon("people")} ${row.agent}` : html`<span class="agent">${titled(row.agent, names)}</span>`
      }</th>
      <td class="number strong">${person?.text ?? text}</td>
      <td class="interval">${interval && (person || value !== null) ? whisker(value, interval, scale, alone) : nothing}</td>
      ${compared ? html`<td class="number wide">${row.superiority == null ? (person ? "" : "–") : percent(row.superiority)}</td>` : nothing}
      ${alone ? nothing : html`<td class="number wide">${percent(row.score)}</td>`}
      <td class="number wide">${results(row, alone)}</td>
      <td class="number">${figure(row.games)}</td>
      ${
        forfeited
          ? html`<td class="number"
            title=${say("forfeits_note", {
              forfeits: row.forfeits ?? 0,
              time: row.time_forfeits ?? 0,
            })}>${figure((row.forfeits ?? 0) + (row.time_forfeits ?? 0))}</td>`
          : nothing
      }
      ${timed ? html`<td class="number wide">${figure(row.ms_per_move ?? 0, 2)}</td>` : nothing}
    </tr>`;
  };
  return html`
    <div class="scroll" role="region" tabindex="0" aria-label=${say("standings")}>
      <table class="standings">
        <thead>
          <tr>
            <th scope="col"><span class="unseen">#</span></th>
            <th scope="col">${say("agent")}</th>
            <th scope="col" class="number">${alone ? say("win_rate") : say("rating")}</th>
            <th scope="col" class="interval">
              <span class="scale"><span>${end(scale.low, alone)}</span><span>${say("interval")}</span>
                <span>${end(scale.high, alone)}</span></span></th>
            ${
              compared
                ? html`<th scope="col" class="number wide compared"
                  title=${say("superiority_long")}>${say("superiority")}</th>`
                : nothing
            }
            ${alone ? nothing : html`<th scope="col" class="number wide">${say("score")}</th>`}
            <th scope="col" class="number wide">${alone ? say("results_alone") : say("results")}</th>
            <th scope="col" class="number">${say("games")}</th>
            ${forfeited ? html`<th scope="col" class="number">${say("forfeits")}</th>` : nothing}
            ${timed ? html`<th scope="col" class="number wide">${say("move_time")}</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row, place) => html`${peopleAt(place)}${line(row)}`)} ${peopleAt(rows.length)}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {{ wins: number, draws: number, losses: number }} row @param {boolean} alone */
function results(row, alone) {
  return alone
    ? `${figure(row.wins)} · ${figure(row.losses)}`
    : `${figure(row.wins)} · ${figure(row.draws)} · ${figure(row.losses)}`;
}

/** What the figures of a table mean. @param {Row[]} rows @param {boolean} alone */
export function explanation(rows, alone) {
  const compared = rows.some((row) => row.superiority !== null);
  return `${alone ? say("rated_alone") : say("rated")}${compared ? ` ${say("superiority_note")}` : ""}`;
}

/** The colour of an agent's curve. @param {number} index */
export function swatch(index) {
  return html`<svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">${svg`<rect width="8" height="8" rx="2"
    class="series-${index % SERIES}" />`}</svg>`;
}

/** @type {Scale} */
const SHARES = { low: 0, high: 1, at: (value) => 100 * value };

/** Round ends around every interval. @param {Row[]} rows @returns {Scale} */
function ratings(rows) {
  const ends = rows.flatMap((row) => row.elo_ci95 ?? []);
  const step = 100;
  const low = Math.floor(Math.min(-step, ...ends) / step) * step;
  const high = Math.ceil(Math.max(step, ...ends) / step) * step;
  return { low, high, at: (value) => (100 * (value - low)) / (high - low) };
}

/** @param {number} value @param {boolean} alone */
function end(value, alone) {
  return alone ? numeral(value, { style: "percent" }) : rating(value);
}

/** @param {number | null} value where there is one @param {Ends} ends @param {Scale} scale @param {boolean} alone */
export function whisker(value, [low, high], scale, alone) {
  const write = alone ? percent : rating;
  const label = `${low === null ? "−∞" : write(low)} ${alone ? "–" : "…"} ${high === null ? "+∞" : write(high)}`;
  // The scale is that of the agents: the wide interval of a person's first games would stretch it too far.
  const at = (/** @type {number} */ point) => Math.max(0, Math.min(100, scale.at(point)));
  const [from, to] = [low === null ? 0 : at(low), high === null ? 100 : at(high)];
  // A short interval stays visible.
  const width = Math.max(to - from, 0.6);
  return html`<svg class="whisker" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${svg`<title>${label}</title>
      ${[0, 25, 50, 75, 100].map((x) => svg`<line class="stroke-line" x1=${x} x2=${x} y1="0" y2="20" />`)}
      ${alone ? nothing : svg`<line class="stroke-muted" x1=${scale.at(0)} x2=${scale.at(0)} y1="0" y2="20" />`}
      <rect class="reach" x=${Math.min(from, 100 - width)} width=${width} y="7" height="6" />
      ${value === null ? nothing : svg`<line class="mean" x1=${at(value)} x2=${at(value)} y1="3.5" y2="16.5" />`}`}
  </svg>`;
}

/**
 * The points of each agent against each other.
 *
 * @param {Row[]} rows
 * @param {Schemas["MeetingRow"][]} meetings
 * @param {(one: string, other: string) => void} [choose] shows the games of two agents
 * @param {Names} [names]
 */
export function crossTable(rows, meetings, choose, names) {
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${say("cross")}>
    <table class="cross">
      <thead>
        <tr><td></td><th scope="col">
          <span class="unseen">${say("agent")}</span></th>${rows.map(
            (row) => html`<th scope="col" title=${row.agent}>
              <span aria-hidden="true">${row.rank}</span><span class="unseen">${titled(row.agent, names)}</span></th>`,
          )}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
            <td class="rank">${row.rank}</td>
            <th scope="row" title=${row.agent}><span class="agent">${titled(row.agent, names)}</span></th>
            ${rows.map((other) =>
              other === row ? html`<td class="self"></td>` : crossCell(row.agent, other.agent, meetings, choose, names),
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * @param {string} agent @param {string} opponent @param {Schemas["MeetingRow"][]} meetings
 * @param {((agent: string, opponent: string) => void) | undefined} choose @param {Names} [names]
 */
function crossCell(agent, opponent, meetings, choose, names) {
  const met = meetings.find(({ agents }) => agents.includes(agent) && agents.includes(opponent));
  if (!met) return html`<td class="muted unmet">·</td>`;
  const side = met.agents[0] === agent ? 0 : 1;
  const [won, lost] = [met.wins[side], met.wins[1 - side]];
  const points = (won ?? 0) + met.draws / 2;
  const shade = `shade-${Math.round((10 * points) / met.games)}`;
  const label = say("cross_cell", {
    one: titled(agent, names),
    other: titled(opponent, names),
    points: pointsText(points),
    games: met.games,
  });
  const text = html`<span class="unseen">${label}</span><span class="points"
    aria-hidden="true">${pointsText(points)}</span><small aria-hidden="true">${won}·${met.draws}·${lost}</small>`;
  return choose
    ? html`<td class=${shade}><button class="met" title=${label} @click=${() => choose(agent, opponent)}>${text}</button></td>`
    : html`<td class=${shade} title=${label}>${text}</td>`;
}
