/** A decision and its reasons: the evaluation, the best moves with their lines, and how far it searched. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { moveText } from "./movelist.js";
import { preferences } from "./preferences.js";
import { named, side } from "./standing.js";
import { stylesheet } from "./renderer.js";
import { numeral, texts } from "./texts.js";

const say = texts("match", "page");

await stylesheet("/static/style/decision.css");

/** @typedef {Analysis["candidates"][number]} Candidate */
/**
 * What a page that shows decisions has.
 * @typedef {Pick<OpenMatch, "shell" | "shown" | "advised" | "card" | "renderer" | "overlay" | "intent" | "allCandidates">} DecisionPage
 */

const FEW = 5;

/** @param {DecisionPage} page @param {Analysis} analysis @param {boolean} current whether it is of the position shown */
export function decision(page, analysis, current) {
  const match = page.shown;
  const move = match.moves[analysis.ply];
  const played = move ? moveText(move) : analysis.text;
  const reason = analysis.explanation[0]?.text[preferences.language];
  return html`
    <p class="whose"><strong title=${analysis.agent}>${agentName(page, analysis.agent)}</strong> <span class="muted">·
      ${current ? say("analysis_now") : say("analysis_before", { move: played })}</span></p>
    ${gauge(page, analysis)}
    ${reason && !(current && page.advised) ? html`<p class="note">${reason}</p>` : nothing}
    ${analysis.candidates.length && (!current || lines(page)) ? candidates(page, analysis, current) : nothing}
    <details class="engine"><summary>${say("engine_details")}</summary>
      ${analysis.explanation.slice(1).map((reason) => html`<p>${reason.text[preferences.language]}</p>`)}
      ${figures(analysis)}
    </details>
  `;
}

/** Whether the lines of the position shown are wanted: a hint alone is one move. @param {DecisionPage} page */
function lines(page) {
  return !page.advised && (page.overlay === "candidates" || page.overlay === "heat");
}

/** What people call an agent or level. @param {DecisionPage} page @param {string} reference */
function agentName(page, reference) {
  const [name = reference] = reference.split(":");
  const player = [...(page.card?.levels ?? []), ...(page.card?.agents ?? [])].find((one) => one.name === name);
  return player?.title[preferences.language] ?? name;
}

/** @param {DecisionPage} page @param {Analysis} analysis */
function gauge(page, analysis) {
  const { renderer } = page;
  const own = renderer.score?.(analysis);
  const alone = page.shown.seats.length === 1;
  if (own === undefined || own === null) {
    if (analysis.value === null) return nothing;
  }
  const value = analysis.value ?? 0;
  const share = own?.share ?? (alone ? value : (1 + (analysis.player === 0 ? value : -value)) / 2);
  const percent = Math.round(share * 100);
  const name = (/** @type {number} */ player) =>
    side(page.shown, renderer, player) || named(page.shown, renderer, player);
  const text =
    own?.text ??
    (alone
      ? numeral(share, { style: "percent" })
      : share >= 0.5
        ? say("gauge", { player: name(0), percent })
        : say("gauge", { player: name(1), percent: 100 - percent }));
  return html`<div class="gauge" role="img" aria-label="${say("gauge_label")}: ${text}">
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<rect width="100" height="6" class=${alone ? "fill-line" : "fill-p2"} />
        <rect class="share ${alone ? "fill-accent" : "fill-p1"}" width=${Math.max(0, Math.min(100, share * 100))}
          height="6" /><rect x="49.8" width="0.4" height="6" class="fill-surface" />`}
    </svg>
    <span aria-hidden="true">${alone ? nothing : side(page.shown, renderer, 0)}</span><span class="who"
      aria-hidden="true">${text}</span><span aria-hidden="true">${alone ? nothing : side(page.shown, renderer, 1)}</span>
  </div>`;
}

/** @param {DecisionPage} page @param {Analysis} analysis @param {boolean} current */
function candidates(page, analysis, current) {
  const candidates = page.allCandidates ? analysis.candidates : analysis.candidates.slice(0, FEW);
  const scored = analysis.candidates.some((candidate) => candidate.score !== null);
  const shares =
    page.shown.seats.length === 1 &&
    analysis.candidates.every(({ score }) => score !== null && score >= 0 && score <= 1);
  const visited = analysis.candidates.some(({ terms }) => "visits" in terms);
  const chances = !visited && analysis.candidates.some((candidate) => candidate.prob !== null);
  // Scores beside a bound or of a tree search are results from -1 to 1: like the bar, they read as chances to win.
  const bounded =
    page.shown.seats.length > 1 && (visited || analysis.candidates.some(({ terms }) => "at_most" in terms));
  /** @param {number | null} index */
  const select = (index) => {
    if (!current || page.intent.selected === index) return;
    page.intent.selected = index;
    page.shell.redraw();
  };
  return html`
    <ol class="candidates" @mouseleave=${() => select(null)}>
      ${candidates.map(
        (candidate, index) => html`<li>
          <button class="candidate ${current && page.intent.selected === index ? "selected" : ""}"
            aria-pressed=${current && page.intent.selected === index ? "true" : "false"} ?disabled=${!current}
            @mouseenter=${() => select(index)} @focus=${() => select(index)} @blur=${() => select(null)} @click=${() => select(index)}>
            <span class="move ${candidate.words ? "worded" : ""}">${moveText(candidate)}</span>
            ${scored ? html`<span class="figure">${shares ? percent(candidate.score ?? 0) : bounded ? chance(candidate.score) : number(candidate.score)}</span>` : nothing}
            ${chances ? html`<span class="figure">${candidate.prob === null ? "" : percent(candidate.prob)}</span>` : nothing}
            <span class="line">${
              candidate.line_text.length > 1 && candidate.terms.proven === undefined
                ? candidate.line_text.slice(1).join(" ")
                : terms(candidate, analysis, shares, bounded && !visited ? chance : compact)
            }</span>
          </button>
        </li>`,
      )}
    </ol>
    ${
      analysis.candidates.length > FEW
        ? html`<button class="quiet small" @click=${() => {
            page.allCandidates = !page.allCandidates;
            page.shell.redraw();
          }}>${page.allCandidates ? say("show_less") : say("show_all", { count: analysis.candidates.length })}</button>`
        : nothing
    }
  `;
}

/**
 * @param {Candidate} candidate @param {Analysis} analysis @param {boolean} shares whether a term beside its own score says it once
 * @param {(value: number) => string} figure
 */
function terms(candidate, analysis, shares, figure) {
  const { proven } = candidate.terms;
  if (proven !== undefined) return say(proven > 0 ? "proven_win" : proven < 0 ? "proven_loss" : "proven_draw");
  return Object.entries(candidate.terms)
    .map(([name, value]) => titled(analysis, name) + (shares && value === candidate.score ? "" : ` ${figure(value)}`))
    .join(" · ");
}

/** What people call a figure or its value. @param {Analysis} analysis @param {string} name */
function titled(analysis, name) {
  return analysis.titles[name]?.[preferences.language] ?? name.replaceAll("_", " ");
}

/** @param {Analysis} analysis */
function figures(analysis) {
  const entries = Object.entries(analysis.stats).filter(
    ([, value]) => typeof value === "number" || typeof value === "string" || value === true,
  );
  return html`<dl class="figures">
    ${entries.map(
      ([name, value]) => html`<div><dt>${titled(analysis, name)}</dt>
        <dd>${typeof value === "number" ? compact(value) : value === true ? say("yes") : titled(analysis, String(value))}</dd></div>`,
    )}
    <div><dt>${say("time")}</dt><dd>${analysis.ms < 1000 ? `${Math.round(analysis.ms)} ms` : `${compact(analysis.ms / 1000)} s`}</dd></div>
  </dl>`;
}

/** @param {number | null} value */
function number(value) {
  if (value === null) return "";
  return (value > 0 ? "+" : value < 0 ? "−" : "") + compact(Math.abs(value));
}

/** The chance to win that goes with a result from -1 to 1. @param {number | null} value */
const chance = (value) => (value === null ? "" : percent((1 + Math.max(-1, Math.min(1, value))) / 2));

/** @param {number} value */
const percent = (value) => numeral(value, { style: "percent", maximumFractionDigits: 1 });

/** @param {number} value */
function compact(value) {
  if (Math.abs(value) >= 100_000) return numeral(value, { notation: "compact", maximumSignificantDigits: 3 });
  return numeral(value, { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 });
}
