// @ts-check
/** The page of a ghost: where a finished match began, a button to play it too, and everybody's results side by side. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, request } from "./api.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { contextOf } from "./shown.js";
import { texts, t } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */

const say = texts("me", "ghost");

/** @implements {Page} */
export default class GhostPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} id */
  constructor(shell, id) {
    this.shell = shell;
    this.id = id;
    /** @type {Schemas["GhostView"] | null} */
    this.ghost = null;
    /** @type {import("../types/renderer.js").Renderer | null} */
    this.renderer = null;
    this.busy = false;
    /** @type {Record<string, any>} */
    this.ui = {};
  }

  get address() {
    return `/api/ghosts/${encodeURIComponent(this.id)}`;
  }

  title() {
    return this.ghost ? say("title", { game: this.ghost.names[preferences.language] }) : t("loading");
  }

  async open() {
    const [ghost, games] = await Promise.all([
      /** @type {Promise<Schemas["GhostView"]>} */ (request("GET", this.address)),
      api.games(),
      stylesheet("/static/style/learn.css"),
      stylesheet("/static/style/ghost.css"),
    ]);
    this.renderer = await loadRenderer(games.games.find(({ id }) => id === ghost.game)?.renderer ?? null);
    this.ghost = ghost;
  }

  close() {}

  async play() {
    if (this.busy) return;
    this.busy = true;
    try {
      /** @type {Schemas["GhostStart"]} */
      const begun = await request("POST", `${this.address}/play`, {});
      this.shell.go(`/match/${begun.match}`);
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.busy = false;
    }
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.shell.say(say("copied"));
    } catch {
      // A browser may forbid the clipboard.
      this.shell.say(say("copy_by_hand", { link: location.href }));
    }
  }

  draw() {
    const { ghost, renderer } = this;
    if (!ghost || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
    const { language } = preferences;
    const ctx = contextOf(ghost.game, ghost.position, { ui: this.ui, redraw: this.shell.redraw });
    const opponent = ghost.opponent ? say("against", { opponent: ghost.opponent[language] ?? "" }) : say("alone");
    return html`<div class="learn ghost" data-game=${ghost.game}>
      <header class="learn-heading"><h1>${this.title()}</h1></header>
      <div class="learn-step">
        <section class="panel learn-task">
          <p class="muted">${ghost.board[language]} · ${opponent} ·
            ${ghost.ply ? say("from", { ply: ghost.ply + 1 }) : say("from_start")}</p>
          <p>${say("about")}</p>
          ${this.results(ghost)}
          <div class="actions">
            <button class="primary large" ?disabled=${this.busy} @click=${() => this.play()}>${icon("play")}
              ${say(ghost.yours ? "again" : "play")}</button>
            <button @click=${() => this.copy()}>${say("link")}</button>
          </div>
        </section>
        <div class="learn-board"><div class="board-frame">${renderer.board(ctx)}</div></div>
      </div>
    </div>`;
  }

  /** @param {Schemas["GhostView"]} ghost */
  results(ghost) {
    return html`<div class="scroll"><table>
      <caption class="unseen">${say("results")}</caption>
      <thead><tr><th scope="col">${say("player")}</th><th scope="col">${say("result")}</th>
        <th scope="col">${say("moves")}</th><th scope="col">${say("time")}</th><th scope="col">${say("accuracy")}</th></tr></thead>
      <tbody>${ghost.results.map(
        (one) => html`<tr>
          <th scope="row">${this.name(one)}</th>
          <td>${one.live ? say("live") : one.score === null ? "–" : say(one.score > 0 ? "won" : one.score < 0 ? "lost" : "drawn")}</td>
          <td>${one.plies}</td><td>${say("seconds", { seconds: one.seconds })}</td>
          <td>${one.accuracy === null ? this.unreviewed(one) : say("percent", { share: Math.round(one.accuracy) })}</td>
        </tr>`,
      )}</tbody>
      </table></div>
      ${ghost.results.some(({ match }) => match === null) ? html`<p class="muted">${say("hidden")}</p>` : nothing}`;
  }

  /** A match without a review, with the way to one. @param {Schemas["GhostResult"]} one */
  unreviewed(one) {
    return one.match && !one.live ? html`<a href="/review/${one.match}" data-page>${say("review")}</a>` : "–";
  }

  /** @param {Schemas["GhostResult"]} one */
  name(one) {
    const name = one.you ? t("you") : (one.nickname ?? say(one.original ? "challenger" : "somebody"));
    return one.match ? html`<a href="/match/${one.match}" data-page>${name}</a>` : name;
  }
}
