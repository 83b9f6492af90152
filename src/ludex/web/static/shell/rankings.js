// @ts-check
/** The page of rankings: every table of learned move values, to play against, export, import and delete. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { lab } from "./labapi.js";
import { gameTitle, loadTitles } from "./cards.js";
import { figure } from "./figures.js";
import { icon } from "./icons.js";
import { ago } from "./names.js";
import { stylesheet } from "./renderer.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */
/** @typedef {{ board: Schemas["RankedBoard"], line: Schemas["RankingLine"] | undefined }} Row */

const say = texts("lab", "rankings");

/** @implements {Page} */
export default class RankingsPage {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Schemas["Rankings"]} */
    this.found = { rankings: [], boards: [] };
    this.administrator = false;
  }

  title() {
    return say("title");
  }

  async open() {
    const [, status] = await Promise.all([
      this.load(),
      lab.administrator(),
      loadTitles(),
      stylesheet("/static/style/arena.css"),
    ]);
    this.administrator = status.administrator;
  }

  close() {}

  async load() {
    this.found = await lab.rankings();
  }

  /** One row per preset that may have a ranking, and per ranking of another board. @returns {Row[]} */
  rows() {
    const { rankings, boards } = this.found;
    /** @param {{ game: string, preset: string }} one */
    const key = (one) => `${one.game} ${one.preset}`;
    const lines = new Map(rankings.map((line) => [key(line), line]));
    const known = new Set(boards.map(key));
    const others = rankings.flatMap((line) => {
      const like = boards.find((board) => board.game === line.game);
      return known.has(key(line)) || !like ? [] : [{ board: { ...like, preset: line.preset, shipped: false }, line }];
    });
    return [...boards.map((board) => ({ board, line: lines.get(key(board)) })), ...others];
  }

  /** Carry out a change, and show what is there then. @param {() => Promise<string>} request says what was done */
  async change(request) {
    try {
      this.shell.say(await request());
      await this.load();
      this.shell.redraw();
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** @param {Schemas["RankedBoard"]} board */
  names(board) {
    return { game: gameTitle(board.game, board.title), board: board.preset };
  }

  /** @param {Schemas["RankedBoard"]} board @param {Event} event */
  async bring(board, event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (!file) return;
    const text = await file.text();
    input.value = "";
    try {
      JSON.parse(text);
    } catch {
      this.shell.say(say("not_json", { name: file.name }), "fault");
      return;
    }
    await this.change(async () => {
      const line = await lab.importRanking(board.game, board.preset, text);
      return say("imported", { ...this.names(board), values: figure(line.entries) });
    });
  }

  /** @param {Schemas["RankedBoard"]} board */
  async reset(board) {
    if (!confirm(say("confirm", this.names(board)))) return;
    await this.change(async () => {
      await lab.resetRanking(board.game, board.preset);
      return say("deleted", this.names(board));
    });
  }

  /** @param {Schemas["RankedBoard"]} board */
  async play(board) {
    try {
      const match = await api.create({ game: board.game, preset: board.preset, seats: ["you", board.agent] });
      this.shell.go(`/match/${match.id}`);
    } catch (error) {
      this.shell.fail(error);
    }
  }

  draw() {
    const rows = this.rows();
    const example = rows[0]?.board;
    return html`<div class="arena">
      <h1>${say("title")}</h1>
      <p class="muted intro">${say("about")}</p>
      <section class="panel">
        <div class="scroll">
          <table class="standings rankings">
            <thead><tr><th scope="col">${say("game")}</th><th scope="col">${say("board")}</th>
              <th scope="col" class="number">${say("values")}</th><th scope="col">${say("made")}</th><th></th></tr></thead>
            <tbody>${rows.map((row) => this.row(row))}</tbody>
          </table>
        </div>
        ${
          this.administrator
            ? nothing
            : html`<p class="muted explained">${say("visitors")}
              <a href="/administrator" data-page>${say("log_in")}</a></p>`
        }
      </section>
      ${
        example
          ? html`<section class="panel"><h2>${say("how_title")}</h2><p class="muted">${say("how")}</p>
            <pre tabindex="0">ludex train ${example.game} --preset ${example.preset}</pre></section>`
          : nothing
      }
    </div>`;
  }

  /** @param {Row} row */
  row({ board, line }) {
    const { game } = this.names(board);
    return html`<tr>
      <th scope="row">${game}</th>
      <td>${board.preset}</td>
      ${
        line
          ? html`<td class="number">${figure(line.entries)}</td><td>
            <time datetime=${line.created_utc}>${ago(line.created_utc)}</time></td>`
          : html`<td colspan="2" class="muted">${say("none")}</td>`
      }
      <td class="doings">
        ${
          line
            ? html`<button @click=${() => this.play(board)}>${icon("play")} ${say("play")}</button>
              <a class="button quiet" href=${lab.ranking(board.game, board.preset, false)}
              download="${board.game}-${board.preset}.json">${say("export")}</a>`
            : nothing
        }
        ${
          board.shipped
            ? html`<a class="button quiet" href=${lab.ranking(board.game, board.preset, true)}
              download="${board.game}-${board.preset}-shipped.json">${say("export_shipped")}</a>`
            : nothing
        }
        ${
          this.administrator
            ? html`<label class="button quiet">${icon("upload")}
              ${say("import")}<input class="unseen" type="file" accept=".json,application/json"
                @change=${(/** @type {Event} */ event) => this.bring(board, event)} /></label>
              ${line ? html`<button class="quiet" @click=${() => this.reset(board)}>${say("reset")}</button>` : nothing}`
            : nothing
        }
      </td>
    </tr>`;
  }
}
