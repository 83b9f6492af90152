// @ts-check
/** The page of one tournament, polled while it is played. `tournamentview.js` draws it. */

import { api } from "./api.js";
import { introduce } from "./cards.js";
import { Curves } from "./curves.js";
import { AVERAGE } from "./figures.js";
import { linesOf } from "./lines.js";
import { stylesheet } from "./renderer.js";
import { tournamentPage } from "./tournamentview.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */

const say = texts("arena", "page");

const POLL_MS = 1500;
const PAGE = 20;

/** @implements {Page} */
export default class TournamentPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} name */
  constructor(shell, name) {
    this.shell = shell;
    this.name = name;
    /** @type {Schemas["TournamentDetail"] | null} */
    this.detail = null;
    /** @type {Schemas["GameLine"][]} newest first */
    this.games = [];
    /** @type {number | null} */
    this.before = null;
    const query = new URLSearchParams(location.search);
    /** The agent whose games are listed; empty for all. */
    this.agent = query.get("agent") ?? "";
    this.opponent = query.get("opponent") ?? "";
    this.curves = new Curves();
    this.timer = 0;
    this.closed = false;
  }

  title() {
    return this.name;
  }

  async open() {
    const sheets = ["/static/style/arena.css", "/static/style/curves.css", "/static/vendor/uplot/uplot.css"];
    const [detail, { games }] = await Promise.all([
      api.tournament(this.name),
      api.games(),
      this.list(),
      ...sheets.map(stylesheet),
    ]);
    await introduce(games.filter((game) => game.id === detail.game));
    this.detail = detail;
    this.schedule();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.curves.close();
  }

  draw() {
    return tournamentPage(this);
  }

  schedule() {
    if (!this.closed && !this.detail?.finished) this.timer = window.setTimeout(() => void this.poll(), POLL_MS);
  }

  /** Load the standings and the new games. */
  async poll() {
    try {
      if (!document.hidden) {
        const known = this.detail?.games;
        this.detail = await api.tournament(this.name);
        if (this.detail.games !== known) await this.catchUp();
        if (!this.closed) this.shell.redraw();
      }
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.schedule();
    }
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
    const found = await this.page(null);
    this.games = found.games;
    this.before = found.before;
  }

  /** Add new games at the top; after a long pause the list starts again. */
  async catchUp() {
    const newest = this.games[0]?.number ?? 0;
    const found = await this.page(null);
    const fresh = found.games.filter((game) => game.number > newest);
    if (fresh.length === found.games.length) {
      this.games = found.games;
      this.before = found.before;
    } else {
      this.games = [...fresh, ...this.games];
    }
  }

  async older() {
    try {
      const found = await this.page(this.before);
      this.games = [...this.games, ...found.games];
      this.before = found.before;
    } catch (error) {
      this.shell.fail(error);
    }
    this.shell.redraw();
  }

  /** List the games of an agent, or of two. @param {string} agent @param {string} opponent */
  async choose(agent, opponent) {
    this.agent = agent;
    this.opponent = agent && agent !== opponent ? opponent : "";
    const query = new URLSearchParams(
      Object.entries({ agent: this.agent, opponent: this.opponent }).filter(([, name]) => name),
    );
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    try {
      await this.list();
    } catch (error) {
      this.shell.fail(error);
    }
    this.shell.redraw();
  }

  /** List the games of a cell of the cross table, and scroll to them. @param {string} agent @param {string} opponent */
  async show(agent, opponent) {
    await this.choose(agent, opponent);
    const list = document.getElementById("games");
    list?.scrollIntoView({ block: "start" });
    list?.focus({ preventScroll: true });
  }

  /** Draw the canvas, which is not lit's, once the page is rendered. */
  plot() {
    queueMicrotask(() => {
      const host = /** @type {HTMLElement | null} */ (document.querySelector(".plot"));
      const detail = this.detail;
      if (!host || !detail || this.closed) return;
      const axis = say("axis");
      const zero = detail.players > 1 ? AVERAGE : 0;
      const runs = detail.agents.map((name, agent) => ({
        name,
        rows: detail.curve.map(({ games, values }) => ({
          [axis]: games,
          value: values[agent] != null && zero + values[agent],
        })),
      }));
      void this.curves.draw(host, {
        lines: runs.flatMap((run) => linesOf(run, "value", axis)),
        metric: "value",
        axis,
        smoothing: 0,
      });
    });
  }
}
