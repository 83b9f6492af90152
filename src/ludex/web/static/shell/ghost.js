/** The page of a ghost: where a finished match began, a button to play it too, and everybody's results side by side. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { icon } from "./icons.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { rendererOf } from "./renderer.js";
import { contextOf } from "./shown.js";
import { texts, t } from "./texts.js";

const say = texts("me", "ghost");

export default class GhostPage extends BasePage {
  static styles = ["learn", "ghost"];
  id = this.name;
  /** @type {Schemas["GhostView"] | null} */
  ghost = null;
  /** @type {Renderer | null} */
  renderer = null;

  get address() {
    return `/api/ghosts/${encodeURIComponent(this.id)}`;
  }

  title() {
    return this.ghost ? say("title", { game: this.ghost.names[preferences.language] }) : t("loading");
  }

  async open() {
    /** @type {Schemas["GhostView"]} */
    const ghost = await request("GET", this.address);
    [this.ghost, this.renderer] = [ghost, await rendererOf(ghost.game)];
  }

  async play() {
    await this.exclusively(async () => {
      /** @type {Schemas["GhostStart"]} */
      const started = await request("POST", `${this.address}/play`, {});
      this.shell.go(`/match/${started.match}`);
    });
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
        <div class="learn-side"><section class="panel learn-task">
          <p class="muted">${ghost.board[language]} · ${opponent} ·
            ${ghost.ply ? say("from", { ply: ghost.ply + 1 }) : say("from_start")}</p>
          <p>${say("about")}</p>
          ${this.results(ghost)}
          <div class="actions">
            <button class="primary large" ?disabled=${this.busy} @click=${() => this.play()}>${icon("play")}
              ${say(ghost.yours ? "again" : "play")}</button>
            <button @click=${() => this.shell.copy()}>${say("link")}</button>
          </div>
        </section></div>
        <div class="learn-board"><div class="board-frame">${renderer.board(ctx)}</div></div>
      </div>
    </div>`;
  }

  /** @param {Schemas["GhostView"]} ghost */
  results(ghost) {
    const { language } = preferences;
    return html`<div class="scroll"><table>
      <caption class="unseen">${say("results")}</caption>
      <thead><tr><th scope="col">${say("player")}</th><th scope="col">${say("result")}</th>
        <th scope="col">${say("moves")}</th><th scope="col">${say("time")}</th><th scope="col">${say("accuracy")}</th></tr></thead>
      <tbody>${ghost.results.map(
        (result) => html`<tr>
          <th scope="row">${this.player(result)}</th>
          <td>${this.outcome(result)}</td>
          <td>${result.plies}</td><td>${result.time[language]}</td>
          <td>${result.accuracy === null ? this.unreviewed(result) : say("percent", { share: Math.round(result.accuracy) })}</td>
        </tr>`,
      )}</tbody>
      </table></div>
      ${ghost.results.some(({ match }) => match === null) ? html`<p class="muted">${say("hidden")}</p>` : nothing}`;
  }

  /** @param {Schemas["GhostResult"]} result */
  outcome({ live, score }) {
    if (live) return say("live");
    return score === null ? "–" : say(score > 0 ? "won" : score < 0 ? "lost" : "drawn");
  }

  /** A match without a review, with the way to one. @param {Schemas["GhostResult"]} result */
  unreviewed(result) {
    return result.match && !result.live ? html`<a href="/review/${result.match}" data-page>${say("review")}</a>` : "–";
  }

  /** @param {Schemas["GhostResult"]} result */
  player(result) {
    const name = result.you ? t("you") : (result.nickname ?? say(result.original ? "challenger" : "somebody"));
    return result.match ? html`<a href="/match/${result.match}" data-page>${name}</a>` : name;
  }
}
