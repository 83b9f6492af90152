/** The page of the leaderboard: the shipped agents, people beside them, and the commands that measured the agents. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, request } from "./api.js";
import { figure, percent, rating } from "./figures.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { crossTable, standingsTable } from "./results.js";
import { t, texts } from "./texts.js";
import { timesOf } from "./times.js";

/** @typedef {Schemas["PersonOnBoard"] & { you?: boolean }} Person */
/** @typedef {import("./results.js").Row} Row */

const say = texts("arena", "page");

export default class LeaderboardPage extends BasePage {
  static styles = ["arena"];
  /** @type {Schemas["Leaderboard"]} */
  leaderboard = { games: [], broken: [] };
  /** @type {Schemas["PersonalRatings"]} */
  yours = { boards: [], match: null };
  /** @type {Schemas["PersonOnBoard"][]} */
  people = [];
  /** @type {Schemas["TimedBoard"][]} */
  times = [];
  /** @type {string | null} */
  nickname = null;

  title() {
    return t("leaderboard");
  }

  async open() {
    [this.leaderboard, this.yours, { people: this.people }, { boards: this.times }, { nickname: this.nickname }] =
      await Promise.all([
        api.leaderboard(),
        api.ratings(),
        api.people(),
        /** @type {Promise<Schemas["BestTimes"]>} */ (request("GET", "/api/times")),
        /** @type {Promise<Schemas["Me"]>} */ (request("GET", "/api/me")),
      ]);
  }

  draw() {
    const timed = this.leaderboard.games.findLastIndex(({ game }) => this.times.some((board) => board.game === game));
    return html`<div class="arena">
      <h1>${t("leaderboard")}</h1>
      <p class="muted intro">${say("board_intro")}</p>
      ${
        this.leaderboard.broken.length
          ? html`<section class="panel fault"><h2>${say("cannot_read")}</h2>
            <ul>${this.leaderboard.broken.map((reason) => html`<li>${reason}</li>`)}</ul></section>`
          : nothing
      }
      ${this.leaderboard.games.map(
        (
          game,
          index,
        ) => html`<details class="game" id=${game.game} ?open=${location.hash ? location.hash === `#${game.game}` : !index}>
          <summary><h2>${game.names[preferences.language]}</h2>
            <span class="muted">${game.boards.map(({ preset }) => game.board_titles[preset]?.[preferences.language] ?? preset).join(" · ")}</span></summary>
          <div class="boards ${game.boards.length > 1 ? "several" : ""}">${game.boards.map((board) => this.board(game, board))}</div>${levels(game)}
        </details>${index === timed ? this.bestTimes() : nothing}`,
      )}
      ${timed < 0 ? this.bestTimes() : nothing}
    </div>`;
  }

  /** The best times of people, board by board; boards that need no guess are boards of their own. */
  bestTimes() {
    const { language } = preferences;
    if (!this.times.length) return nothing;
    return html`<details class="game" id="times" ?open=${["#times", ...this.times.map(({ game }) => `#${game}`)].includes(location.hash)}><summary><h2>${say("best_times")}</h2></summary>
      <p class="muted explained">${say("times_note")}</p>
      <div class="boards several">${this.times.map(
        (board) => html`<section class="panel" data-testid="best-times">
          <h3 title=${board.preset}>${board.names[language]} · ${board.board[language]}</h3>${timesOf(board)}</section>`,
      )}</div></details>`;
  }

  /**
   * The people on a board, the viewer among them, the best first.
   * @param {string} game @param {string} preset @param {PersonalBoard | undefined} you @param {boolean} alone
   */
  peopleOn(game, preset, you, alone) {
    /** @type {Person[]} */
    const others = this.people.filter(({ board }) => board.game === game && board.preset === preset);
    const name = `${t("you")}${this.nickname ? ` (${this.nickname})` : ""}`;
    const people = you?.games ? [...others, { name, board: you, you: true }] : others;
    return people.sort((one, other) => lowerBound(other.board, alone) - lowerBound(one.board, alone) || 0);
  }

  /** @param {Schemas["GameBoards"]} game @param {Schemas["BoardResults"]} board */
  board(game, board) {
    const alone = board.prior_pairs === null;
    const { language } = preferences;
    const names = game.agent_titles;
    const you = this.yours.boards.find((one) => one.game === game.game && one.preset === board.preset);
    const note = ratingNote(you, alone);
    const people = this.peopleOn(game.game, board.preset, you, alone);
    const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
      new Date(board.measured),
    );
    return html`<section class="panel">
      <h3 title=${board.preset}>${game.board_titles[board.preset]?.[language] ?? board.preset}</h3>
      ${standingsTable(board.standings, {
        alone,
        names,
        people: people.map(({ name, board: one, you: own }) => ({
          ...one,
          agent: name,
          you: Boolean(own),
          text: alone ? percent(one.score ?? 0) : ratingFigure(one),
          place: board.standings.filter((row) => lowerBound(row, alone) >= lowerBound(one, alone)).length,
        })),
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

/** The levels of a game's card, where the boards compare agents by other names. @param {Schemas["GameBoards"]} game */
function levels({ levels: rated, levels_board: board }) {
  const { language } = preferences;
  if (!rated.length) return nothing;
  return html`<section class="panel" data-testid="levels"><h3>${say("levels")} · ${board[language]}</h3>
    <table class="standings levels"><thead><tr><th scope="col">${say("level")}</th><th scope="col">${say("based_on")}</th>
      <th scope="col" class="number">${say("rating")}</th></tr></thead><tbody>${rated.map(
        (one) => html`<tr><th scope="row">${one.title[language]}</th><td>${one.agent[language]}</td>
        <td class="number strong">${rating(one.rating)}</td></tr>`,
      )}</tbody></table></section>`;
}

/**
 * The value by which a person is placed among the agents: what their games prove at least. With only losses that is
 * nothing, and the place is the last.
 * @param {Row | PersonalBoard} row @param {boolean} alone
 */
function lowerBound(row, alone) {
  return (alone ? row.ci95 : row.elo_ci95)?.[0] ?? -Infinity;
}

const sayRating = texts("shell", "rating");

/** @type {("people" | "practice" | "unrated" | "altered" | "helped")[]} */
const REASONS = ["people", "practice", "unrated", "altered", "helped"];

/** The rating alone, with a question mark while it is provisional. @param {PersonalBoard} board */
function ratingFigure(board) {
  return board.estimate === null ? "–" : `${rating(board.estimate)}${board.provisional ? "?" : ""}`;
}

/**
 * How to get a rating, and which matches did not count; empty if there is nothing to add.
 * @param {PersonalBoard | undefined} board @param {boolean} alone
 */
function ratingNote(board, alone) {
  const reasons = board ? REASONS.filter((reason) => board.left_out[reason] > 0) : [];
  const sentences = [];
  if (!board?.games) sentences.push(sayRating(alone ? "unplayed_alone" : "unplayed"));
  if (board && reasons.length)
    sentences.push(
      sayRating("left_out", {
        reasons: reasons.map((reason) => sayRating(reason, { count: figure(board.left_out[reason]) })).join(", "),
      }),
    );
  return sentences.join(" ");
}
