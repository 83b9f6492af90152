// @ts-check
/** The view of the page of a tournament. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { formatName } from "./formats.js";
import { gameTitle } from "./cards.js";
import { figure } from "./figures.js";
import { ago } from "./names.js";
import { machineName } from "./players.js";
import { crossTable, explanation, standingsTable, swatch } from "./results.js";
import { select } from "./select.js";
import { t, texts } from "./texts.js";

/** @typedef {import("./tournament.js").default} TournamentPage */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["TournamentDetail"]} Detail */

const say = texts("arena", "page");

/** @param {TournamentPage} page */
export function tournamentPage(page) {
  const detail = page.detail;
  if (!detail) return html`<p class="alone muted">${t("loading")}</p>`;
  const alone = detail.players === 1;
  return html`<div class="arena">
    ${header(detail)}
    <section class="panel" aria-labelledby="standings-title">
      <h2 id="standings-title">${say("standings")}</h2>
      ${
        detail.standings.length
          ? html`${standingsTable(detail.standings, {
              alone,
              agents: detail.agents,
            })}<p class="muted explained">${explanation(detail.standings, alone)}${detail.prior_pairs ? ` ${say("prior")}` : ""}</p>`
          : html`<p class="muted">${say("nothing_yet")}</p>`
      }
    </section>
    ${detail.standings.length ? results(page, detail, alone) : nothing} ${faults(detail)} ${games(page, detail)}
    </div>
    ${page.plot()}`;
}

/** @param {TournamentPage} page @param {Detail} detail @param {boolean} alone */
function results(page, detail, alone) {
  return html`<div class="halves ${alone ? "one" : ""}">
      ${
        alone
          ? nothing
          : html`<section class="panel" aria-labelledby="cross-title">
            <h2 id="cross-title">${say("cross")}</h2>
            <p class="muted">${say("cross_hint")}</p>
            ${crossTable(detail.standings, detail.meetings, (one, other) => void page.show(one, other))}
          </section>`
      }
      <section class="panel curves" aria-labelledby="curve-title">
        <h2 id="curve-title">${alone ? say("curve_alone") : say("curve")}</h2>
        <div class="plot" role="img" aria-label="${alone ? say("curve_alone") : say("curve")}: ${detail.agents.join(", ")}"></div>
        <ul class="legend">${detail.agents.map(
          (name, index) => html`<li>${swatch(index)}
            <span class="agent" title=${name}>${machineName(name)}</span></li>`,
        )}</ul>
      </section>
    </div>`;
}

/** @param {Detail} detail */
function header(detail) {
  const share = detail.planned ? detail.games / detail.planned : 0;
  const done = say("games_of", { games: figure(detail.games), planned: figure(detail.planned) });
  return html`<header class="tournament-head">
    <p class="muted"><a href="/tournaments" data-page>${t("tournaments")}</a></p>
    <h1>${detail.name}</h1>
    <p>${gameTitle(detail.game, detail.title)} · ${detail.preset} · ${formatName(detail.format)}</p>
    <p class="muted">${terms(detail).join(" · ")}</p>
    <div class="progress" role="progressbar" aria-label=${t("tournaments")} aria-valuemin="0"
      aria-valuemax=${detail.planned} aria-valuenow=${detail.games} aria-valuetext=${done}>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${svg`<rect width="100" height="4"
        class="fill-line" /><rect width=${100 * share} height="4" class="fill-accent" />`}</svg>
    </div>
    <p class="progress-text"><strong>${done}</strong> <span class="muted">·
      ${detail.finished ? say("finished") : say("unfinished")} ·
        ${detail.games ? say("last_game", { ago: ago(detail.updated_utc) }) : say("begun", { ago: ago(detail.created_utc) })}</span></p>
  </header>`;
}

/** The terms of the games, in words. @param {Detail} detail */
function terms(detail) {
  const texts = [say("seed", { seed: detail.seed })];
  if (detail.movetime !== null) texts.push(say("movetime", { ms: figure(detail.movetime) }));
  if (detail.depth !== null) texts.push(say("depth", { depth: detail.depth }));
  if (detail.nodes !== null) texts.push(say("nodes", { nodes: figure(detail.nodes) }));
  if (detail.clock !== null)
    texts.push(say("clock", { seconds: detail.clock[0] / 1000, increment: detail.clock[1] / 1000 }));
  if (detail.opening_plies) texts.push(say("openings", { count: detail.opening_plies }));
  return texts;
}

/** @param {Detail} detail */
function faults(detail) {
  if (!detail.forfeits.length) return nothing;
  return html`<section class="panel fault" aria-labelledby="faults-title">
    <h2 id="faults-title">${say("faults")}</h2>
    <ul class="faults">${detail.forfeits.map(
      (game) => html`<li>
        <a href="/match/${game.match}" data-page>${game.number}</a> <strong>${machineName(game.fault?.agent ?? "")}</strong>
        <span>${machineName(game.fault?.message ?? "")}</span></li>`,
    )}</ul>
  </section>`;
}

/** @param {TournamentPage} page @param {Detail} detail */
function games(page, detail) {
  return html`<section class="panel" id="games" tabindex="-1" aria-labelledby="games-title">
    <div class="heading games-heading">
      <h2 id="games-title">${say("list")}</h2>
      <span class="chosen">
        ${chooser(say("agent"), page.agent, detail.agents, (name) => page.choose(name, page.opponent))}
        ${
          detail.players === 1
            ? nothing
            : chooser(
                say("against"),
                page.opponent,
                detail.agents.filter((name) => name !== page.agent),
                (name) => page.choose(page.agent, name),
                !page.agent,
              )
        }
      </span>
    </div>
    ${
      page.games.length
        ? html`<ul class="game-list">${page.games.map((game) => line(game))}</ul>`
        : html`<p class="muted">${say("no_games")}</p>`
    }
    ${page.before === null ? nothing : html`<button class="quiet" @click=${() => page.older()}>${say("older")}</button>`}
  </section>`;
}

/**
 * @param {string} label @param {string} value @param {string[]} names @param {(name: string) => Promise<void>} change
 * @param {boolean} [disabled]
 */
function chooser(label, value, names, change, disabled = false) {
  return select(label, ["", ...names], value, change, {
    names: [say("every_agent"), ...names.map(machineName)],
    disabled,
  });
}

/** @param {Schemas["GameLine"]} game */
function line(game) {
  return html`<li>
    <a href="/match/${game.match}" data-page>
      <span class="number muted">${game.number}</span>
      ${game.agents.length === 1 ? alone(game) : versus(game)}
      <span class="muted how">${how(game)}</span>
    </a>
  </li>`;
}

/** @param {Schemas["GameLine"]} game */
function alone(game) {
  const score = game.scores[0] ?? 0;
  return html`<span class="first">${machineName(game.agents[0] ?? "")}</span><span class="result ${score > 0 ? "good" : ""}">${
    score > 0 ? say("won") : score < 0 ? say("lost") : say("undecided")
  }</span><span></span>`;
}

/** @param {Schemas["GameLine"]} game */
function versus(game) {
  const [first = 0, second = 0] = game.scores;
  const result = first > second ? "1 – 0" : first < second ? "0 – 1" : "½ – ½";
  return html`<span class="first ${first > second ? "winner" : ""}"
    title=${game.agents[0]}>${machineName(
      game.agents[0] ?? "",
    )}</span><span class="result">${result}</span><span class="second ${second > first ? "winner" : ""}"
      title=${game.agents[1]}>${machineName(game.agents[1] ?? "")}</span>`;
}

/** @param {Schemas["GameLine"]} game */
function how(game) {
  if (game.fault) return t("reason_forfeit");
  const plies = say("plies", { count: figure(game.plies) });
  return game.reason === "time forfeit" ? `${plies}, ${say("on_time")}` : plies;
}
