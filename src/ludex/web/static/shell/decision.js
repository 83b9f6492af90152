// @ts-check
/** A decision and its reasons: the evaluation, the best moves with their lines, and how far it searched. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { say } from "./matchtexts.js";
import { moveText } from "./movelist.js";
import { preferences } from "./preferences.js";
import { named, side } from "./standing.js";
import { stylesheet } from "./renderer.js";

await stylesheet("/static/style/decision.css");

/** @typedef {import("./match.js").default} MatchPage */
/** @typedef {import("../types/renderer.js").Thought} Thought */
/** @typedef {Thought["candidates"][number]} Candidate */

const FEW = 5;

/** @param {MatchPage} page @param {Thought} thought @param {boolean} current whether it is of the position shown */
export function decision(page, thought, current) {
  const match = page.shown;
  const made = match.moves[thought.ply];
  const played = made ? moveText(made) : thought.text;
  return html`
    <p class="whose"><strong title=${thought.agent}>${agentName(page, thought.agent)}</strong> <span class="muted">· ${current ? say("thinking_now") : say("thinking_before", { move: played })}</span></p>
    ${gauge(page, thought)}
    ${thought.explanation[0] ? html`<p class="note">${thought.explanation[0].text[preferences.language]}</p>` : nothing}
    ${thought.candidates.length ? candidates(page, thought, current) : nothing}
    ${figures(thought)}
  `;
}

/** What people call an agent or level. @param {MatchPage} page @param {string} reference */
function agentName(page, reference) {
  const [name = reference] = reference.split(":");
  const known = [...(page.card?.levels ?? []), ...(page.card?.agents ?? [])].find((one) => one.name === name);
  return known?.title[preferences.language] ?? name;
}

/** @param {MatchPage} page @param {Thought} thought */
function gauge(page, thought) {
  const renderer = /** @type {import("../types/renderer.js").Renderer} */ (page.renderer);
  const own = renderer.score?.(thought);
  const alone = page.shown.seats.length === 1;
  if (own === undefined || own === null) {
    if (thought.value === null) return nothing;
  }
  const value = thought.value ?? 0;
  const share = own?.share ?? (alone ? value : (1 + (thought.player === 0 ? value : -value)) / 2);
  const percent = Math.round(share * 100);
  const first = named(page.shown, renderer, 0);
  const text = own?.text ?? (alone ? `${percent} %` : share >= 0.5 ? say("gauge", { player: first, percent }) : say("gauge", { player: named(page.shown, renderer, 1), percent: 100 - percent }));
  return html`<div class="gauge" role="img" aria-label="${say("gauge_label")}: ${text}">
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<rect width="100" height="6" class=${alone ? "fill-line" : "fill-p2"} /><rect class="share ${alone ? "fill-accent" : "fill-p1"}" width=${Math.max(0, Math.min(100, share * 100))} height="6" /><rect x="49.8" width="0.4" height="6" class="fill-surface" />`}
    </svg>
    <span aria-hidden="true">${alone ? nothing : side(page.shown, renderer, 0)}</span><span class="who" aria-hidden="true">${text}</span><span aria-hidden="true">${alone ? nothing : side(page.shown, renderer, 1)}</span>
  </div>`;
}

/** @param {MatchPage} page @param {Thought} thought @param {boolean} current */
function candidates(page, thought, current) {
  const shown = page.allCandidates ? thought.candidates : thought.candidates.slice(0, FEW);
  const scored = thought.candidates.some((candidate) => candidate.score !== null);
  const chances = thought.candidates.some((candidate) => candidate.prob !== null);
  /** @param {number | null} index */
  const select = (index) => {
    if (!current || page.selected === index) return;
    page.selected = index;
    page.shell.redraw();
  };
  return html`
    <ol class="candidates" @mouseleave=${() => select(null)}>
      ${shown.map(
        (candidate, index) => html`<li>
          <button class="candidate ${current && page.selected === index ? "selected" : ""}" aria-pressed=${current && page.selected === index ? "true" : "false"} ?disabled=${!current} @mouseenter=${() => select(index)} @focus=${() => select(index)} @blur=${() => select(null)} @click=${() => select(index)}>
            <span class="move ${candidate.words ? "worded" : ""}">${moveText(candidate)}</span>
            ${scored ? html`<span class="figure">${number(candidate.score)}</span>` : nothing}
            ${chances ? html`<span class="figure">${candidate.prob === null ? "" : percent(candidate.prob)}</span>` : nothing}
            <span class="line">${candidate.line_text.length > 1 ? candidate.line_text.slice(1).join(" ") : terms(candidate, thought)}</span>
          </button>
        </li>`,
      )}
    </ol>
    ${thought.candidates.length > FEW
      ? html`<button class="quiet small" @click=${() => {
          page.allCandidates = !page.allCandidates;
          page.shell.redraw();
        }}>${page.allCandidates ? say("show_less") : say("show_all", { count: thought.candidates.length })}</button>`
      : nothing}
  `;
}

/** @param {Candidate} candidate @param {Thought} thought */
function terms(candidate, thought) {
  return Object.entries(candidate.terms).map(([name, value]) => `${titled(thought, name)} ${compact(value)}`).join(" · ");
}

/** What people call a figure or its value. @param {Thought} thought @param {string} name */
function titled(thought, name) {
  return thought.titles[name]?.[preferences.language] ?? name.replaceAll("_", " ");
}

/** @param {Thought} thought */
function figures(thought) {
  const entries = Object.entries(thought.stats).filter(([, value]) => typeof value === "number" || typeof value === "string" || value === true);
  return html`<dl class="figures">
    ${entries.map(([name, value]) => html`<div><dt>${titled(thought, name)}</dt><dd>${typeof value === "number" ? compact(value) : value === true ? say("yes") : titled(thought, String(value))}</dd></div>`)}
    <div><dt>${say("time")}</dt><dd>${thought.ms < 1000 ? `${Math.round(thought.ms)} ms` : `${compact(thought.ms / 1000)} s`}</dd></div>
  </dl>`;
}

/** @param {number | null} value */
function number(value) {
  if (value === null) return "";
  return (value > 0 ? "+" : value < 0 ? "−" : "") + compact(Math.abs(value));
}

/** @param {number} value */
function percent(value) {
  return new Intl.NumberFormat(preferences.language, { style: "percent", maximumFractionDigits: 1 }).format(value);
}

/** @param {number} value */
function compact(value) {
  const large = Math.abs(value) >= 100_000;
  return new Intl.NumberFormat(preferences.language, large ? { notation: "compact", maximumSignificantDigits: 3 } : { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 }).format(value);
}
