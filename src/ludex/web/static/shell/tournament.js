/** The page of one tournament, polled while it is played. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { Curves } from "./curves.js";
import { AVERAGE, figure } from "./figures.js";
import { formatName } from "./formats.js";
import { linesOf } from "./lines.js";
import { ago, machineName, titled } from "./names.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { preferences } from "./preferences.js";
import { crossTable, explanation, standingsTable, swatch } from "./results.js";
import { select } from "./select.js";
import { t, texts } from "./texts.js";

const say = texts("arena", "page");

const POLL_MS = 1500;
const PAGE = 20;
const LADDER = "ladder";

const query = () => new URLSearchParams(location.search);

export default class TournamentPage extends BasePage {
  static styles = ["arena"];
  /** @type {Schemas["TournamentDetail"] | null} */
  detail = null;
  /** @type {Schemas["GameLine"][]} newest first */
  games = [];
  /** @type {Schemas["LadderBot"][]} of a ladder */
  bots = [];
  /** @type {number | null} */
  before = null;
  /** The agent whose games are listed; empty for all. */
  agent = query().get("agent") ?? "";
  opponent = query().get("opponent") ?? "";
  curves = this.attach(new Curves());
  polling = new Polling(
    this,
    POLL_MS,
    () => this.follow(),
    () => !this.detail?.finished || this.detail.format === LADDER,
  );

  async open() {
    const [detail] = await Promise.all([api.tournament(this.name), this.list(), this.curves.open()]);
    this.detail = detail;
    await this.greet();
    this.polling.start();
  }

  draw() {
    return tournamentPage(this);
  }

  /** Load the standings and the new games. */
  async follow() {
    const count = this.detail?.games;
    this.detail = await api.tournament(this.name);
    if (this.detail.games !== count) await this.catchUp();
    await this.greet();
  }

  /** Load how the bots of a ladder are. */
  async greet() {
    if (this.detail?.format === LADDER) this.bots = (await api.ladder(this.name)).bots;
  }

  /** @param {number | null} before */
  page(before) {
    return api.tournamentGames(this.name, {
      limit: PAGE,
      before,
      agent: this.agent || null,
      opponent: this.opponent || null,
    });
  }

  /** Load the newest games of the chosen agents. */
  async list() {
    const page = await this.page(null);
    this.games = page.games;
    this.before = page.before;
  }

  /** Add new games at the top; after a long pause the list starts again. */
  async catchUp() {
    const newest = this.games[0]?.number ?? 0;
    const page = await this.page(null);
    const fresh = page.games.filter((game) => game.number > newest);
    if (fresh.length === page.games.length) {
      this.games = page.games;
      this.before = page.before;
    } else {
      this.games = [...fresh, ...this.games];
    }
  }

  async older() {
    await this.shell.attempt(async () => {
      const page = await this.page(this.before);
      this.games = [...this.games, ...page.games];
      this.before = page.before;
    });
  }

  /** List the games of an agent, or of two. @param {string} agent @param {string} opponent */
  async choose(agent, opponent) {
    this.agent = agent;
    this.opponent = agent && agent !== opponent ? opponent : "";
    const query = new URLSearchParams(
      Object.entries({ agent: this.agent, opponent: this.opponent }).filter(([, name]) => name),
    );
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    await this.shell.attempt(() => this.list());
  }

  /** List the games of a cell of the cross table, and scroll to them. @param {string} agent @param {string} opponent */
  async show(agent, opponent) {
    await this.choose(agent, opponent);
    const list = document.getElementById("games");
    list?.scrollIntoView({ block: "start" });
    list?.focus({ preventScroll: true });
  }

  /** The points of each agent over the games. @param {Detail} detail */
  chart(detail) {
    const axis = say("axis");
    const zero = detail.players > 1 ? AVERAGE : 0;
    const runs = detail.agents.map((name, agent) => ({
      name,
      rows: detail.curve.map(({ games, values }) => ({
        [axis]: games,
        value: values[agent] != null && zero + values[agent],
      })),
    }));
    return { lines: runs.flatMap((run) => linesOf(run, "value", axis)), metric: "value", axis, smoothing: 0 };
  }
}

/** @typedef {Schemas["TournamentDetail"]} Detail */

/** @param {TournamentPage} page */
function tournamentPage(page) {
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
              names: detail.agent_titles,
            })}<p class="muted explained">${explanation(detail.standings, alone)}${detail.prior_pairs ? ` ${say("prior")}` : ""}</p>`
          : html`<p class="muted">${say("nothing_yet")}</p>`
      }
    </section>
    ${detail.format === LADDER ? bots(page.bots) : nothing}
    ${detail.standings.length ? results(page, detail, alone) : nothing} ${faults(detail)} ${games(page, detail)}
    </div>
    ${page.curves.schedule(() => page.chart(detail))}`;
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
            ${crossTable(
              detail.standings,
              detail.meetings,
              (one, other) => void page.show(one, other),
              detail.agent_titles,
            )}
          </section>`
      }
      <section class="panel curves" aria-labelledby="curve-title">
        <h2 id="curve-title">${alone ? say("curve_alone") : say("curve")}</h2>
        <div class="plot" role="img" aria-label="${alone ? say("curve_alone") : say("curve")}: ${detail.agents
          .map((name) => titled(name, detail.agent_titles))
          .join(", ")}"></div>
        <ul class="legend">${detail.agents.map(
          (name, index) => html`<li>${swatch(index)}
            <span class="agent" title=${name}>${titled(name, detail.agent_titles)}</span></li>`,
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
    <p>${detail.names[preferences.language]} · ${detail.board[preferences.language]} · ${formatName(detail.format)}</p>
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

/** @param {Schemas["LadderBot"][]} all */
function bots(all) {
  return html`<section class="panel" aria-labelledby="bots-title">
    <h2 id="bots-title">${say("bots")}</h2>
    ${
      all.length
        ? html`<ul class="faults">${all.map(
            (bot) => html`<li><strong>${bot.name}</strong> <span>${say(bot.state)}</span>
              ${bot.fault ? html`<span class="muted">${bot.fault}</span>` : nothing}</li>`,
          )}</ul>`
        : html`<p class="muted">${say("no_bots")}</p>`
    }
  </section>`;
}

/** @param {Detail} detail */
function faults(detail) {
  if (!detail.forfeits.length) return nothing;
  return html`<section class="panel fault" aria-labelledby="faults-title">
    <h2 id="faults-title">${say("faults")}</h2>
    <ul class="faults">${detail.forfeits.map(
      (game) => html`<li>
        <a href="/match/${game.match}" data-page>${game.number}</a> <strong>${titled(game.fault?.agent ?? "", detail.agent_titles)}</strong>
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
        ${chooser(detail, say("agent"), page.agent, detail.agents, (name) => page.choose(name, page.opponent))}
        ${
          detail.players === 1
            ? nothing
            : chooser(
                detail,
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
        ? html`<ul class="game-list">${page.games.map((game) => line(game, detail.agent_titles))}</ul>`
        : html`<p class="muted">${say("no_games")}</p>`
    }
    ${page.before === null ? nothing : html`<button class="quiet" @click=${() => page.older()}>${say("older")}</button>`}
  </section>`;
}

/**
 * @param {Detail} detail @param {string} label @param {string} value @param {string[]} names
 * @param {(name: string) => Promise<void>} change
 * @param {boolean} [disabled]
 */
function chooser(detail, label, value, names, change, disabled = false) {
  return select(label, ["", ...names], value, change, {
    names: [say("every_agent"), ...names.map((name) => titled(name, detail.agent_titles))],
    disabled,
  });
}

/** @param {Schemas["GameLine"]} game @param {Detail["agent_titles"]} names */
function line(game, names) {
  return html`<li>
    <a href="/match/${game.match}" data-page>
      <span class="number muted">${game.number}</span>
      ${game.agents.length === 1 ? alone(game, names) : versus(game, names)}
      <span class="muted how">${how(game)}</span>
    </a>
  </li>`;
}

/** @param {Schemas["GameLine"]} game @param {Detail["agent_titles"]} names */
function alone(game, names) {
  const score = game.scores[0] ?? 0;
  return html`<span class="first">${titled(game.agents[0] ?? "", names)}</span><span class="result ${score > 0 ? "good" : ""}">${
    score > 0 ? say("won") : score < 0 ? say("lost") : say("undecided")
  }</span><span></span>`;
}

/** @param {Schemas["GameLine"]} game @param {Detail["agent_titles"]} names */
function versus(game, names) {
  const [first = 0, second = 0] = game.scores;
  const result = first > second ? "1 – 0" : first < second ? "0 – 1" : "½ – ½";
  const side = (/** @type {0 | 1} */ seat, /** @type {string} */ place, /** @type {boolean} */ won) =>
    html`<span class="${place} ${won ? "winner" : ""}"
      title=${game.agents[seat]}>${titled(game.agents[seat] ?? "", names)}</span>`;
  return html`${side(0, "first", first > second)}<span class="result">${result}</span>${side(1, "second", second > first)}`;
}

/** @param {Schemas["GameLine"]} game */
function how(game) {
  if (game.fault) return t("reason_forfeit");
  const plies = say("plies", { count: figure(game.plies) });
  return game.reason === "time forfeit" ? `${plies}, ${say("on_time")}` : plies;
}
