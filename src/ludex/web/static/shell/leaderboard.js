// @ts-check
/** The page of the leaderboard: the strength of the shipped agents, and the commands that measured it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, request } from "./api.js";
import { gameTitle, loadTitles } from "./cards.js";
import { figure, percent } from "./figures.js";
import { preferences } from "./preferences.js";
import { boardOf, ratingFigure, ratingNote } from "./rating.js";
import { stylesheet } from "./renderer.js";
import { crossTable, explanation, results, standingsTable, whisker } from "./results.js";
import { t, texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */
/** @typedef {import("./api.js").Schemas["PersonalBoard"]} PersonalBoard */
/** @typedef {import("./results.js").Row} Row */
/** @typedef {import("./results.js").Scale} Scale */

const say = texts("arena", "page");

/** @implements {Page} */
export default class LeaderboardPage {
  constructor() {
    /** @type {Schemas["Leaderboard"]} */
    this.found = { games: [], broken: [] };
    /** @type {Schemas["PersonalRatings"]} */
    this.yours = { boards: [], match: null };
    /** @type {string | null} */
    this.nickname = null;
  }

  title() {
    return t("leaderboard");
  }

  async open() {
    [this.found, this.yours, { nickname: this.nickname }] = await Promise.all([
      api.leaderboard(),
      api.ratings(),
      /** @type {Promise<Schemas["Me"]>} */ (request("GET", "/api/me")),
      loadTitles(),
      stylesheet("/static/style/arena.css"),
    ]);
  }

  close() {}

  draw() {
    return html`<div class="arena">
      <h1>${t("leaderboard")}</h1>
      <p class="muted intro">${say("board_intro")}</p>
      <nav class="jumps" aria-label=${t("games")}>${this.found.games.map(
        (game) => html`<a href="#${game.game}">${gameTitle(game.game, game.title)}</a>`,
      )}</nav>
      ${
        this.found.broken.length
          ? html`<section class="panel fault"><h2>${say("cannot_read")}</h2>
            <ul>${this.found.broken.map((reason) => html`<li>${reason}</li>`)}</ul></section>`
          : nothing
      }
      ${this.found.games.map(
        (game) => html`<section class="game" id=${game.game} aria-labelledby="title-${game.game}">
          <div>
          <h2 id="title-${game.game}">${gameTitle(game.game, game.title)}</h2>
          ${
            game.boards[0]
              ? html`<p class="muted explained">${explanation(game.boards[0].standings, game.boards[0].prior_pairs === null)}</p>`
              : nothing
          }
          </div>
          <div class="boards ${game.boards.length > 1 ? "several" : ""}">${game.boards.map((board) => this.board(game, board))}</div>
        </section>`,
      )}
    </div>`;
  }

  /** @param {Schemas["GameBoards"]} game @param {Schemas["Board"]} board */
  board(game, board) {
    const alone = board.prior_pairs === null;
    const { language } = preferences;
    const names = game.agent_titles;
    const you = boardOf(this.yours, game.game, board.preset);
    const note = ratingNote(you, alone);
    const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
      new Date(board.measured),
    );
    return html`<section class="panel">
      <h3 title=${board.preset}>${game.board_titles[board.preset]?.[language] ?? board.preset}</h3>
      ${standingsTable(board.standings, {
        alone,
        names,
        ...(you?.games ? { own: ownRow(you, ratingFigure(you), alone, this.nickname) } : {}),
      })}
      ${note ? html`<p class="explained yours">${note}</p>` : nothing}
      ${
        alone
          ? nothing
          : html`<details>
            <summary>${say("cross")}</summary>${crossTable(board.standings, board.meetings, undefined, names)}</details>`
      }
      <details><summary>${say("commands")}</summary><pre tabindex="0">${board.commands.join("\n")}</pre></details>
      <p class="muted explained">${board.prior_pairs ? `${say("prior")} ` : ""}${say("measured", {
        games: figure(board.games),
        seed: board.seed,
        date,
        machine: game.machine[language],
      })}${game.notes[board.preset] ? ` ${game.notes[board.preset]?.[language]}.` : ""}</p>
    </section>`;
  }
}

/**
 * @param {PersonalBoard} you @param {string} rating in words @param {boolean} alone @param {string | null} name
 * @returns {import("./results.js").OwnRow}
 */
function ownRow(you, rating, alone, name) {
  return {
    place: (rows) => rows.filter((row) => lowerBound(row, alone) >= lowerBound(you, alone)).length,
    row: (scale, compared) => person(you, rating, scale, alone, compared, name),
  };
}

/**
 * The row of the viewer.
 * @param {PersonalBoard} you @param {string} rating @param {Scale} scale @param {boolean} alone
 * @param {boolean} compared @param {string | null} name
 */
function person(you, rating, scale, alone, compared, name) {
  const share = you.score ?? 0;
  return html`<tr class="yours" data-testid="you">
    <td class="rank"></td>
    <th scope="row">${t("you")}${name ? ` (${name})` : ""}</th>
    <td class="number strong">${alone ? percent(share) : rating}</td>
    <td class="interval">${whisker(alone ? share : you.elo, (alone ? you.ci95 : you.elo_ci95) ?? [null, null], scale, alone)}</td>
    ${compared ? html`<td class="number wide"></td>` : nothing}
    ${alone ? nothing : html`<td class="number wide">${percent(share)}</td>`}
    <td class="number wide">${results(you, alone)}</td>
    <td class="number">${figure(you.games)}</td>
  </tr>`;
}

/**
 * The value by which the viewer is placed among the agents: what their games prove at least. With only losses that is
 * nothing, and the place is the last.
 *
 * @param {Row | PersonalBoard} row
 * @param {boolean} alone
 */
function lowerBound(row, alone) {
  return (alone ? row.ci95 : row.elo_ci95)?.[0] ?? -Infinity;
}
