/** The administrator's login: by the token in a login link's fragment, or by one that is typed. */

import { html } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { lab } from "./labapi.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("lab", "administrator");

export default class AdministratorPage extends BasePage {
  /** @type {Schemas["AdministratorStatus"]} */
  status = { administrator: false, token: false };
  /** @type {Schemas["GameCard"][]} */
  games = [];

  title() {
    return say("title");
  }

  async open() {
    const token = location.hash.slice(1);
    if (token) {
      // The link works once: nothing of it stays in the history.
      history.replaceState(null, "", location.pathname);
      const done = await this.shell.attempt(async () => {
        this.status = await lab.logIn(token);
        this.shell.say(say("logged_in"));
        this.shell.go("/");
      });
      if (done) return;
    }
    this.status = await lab.administrator();
    this.games = (await api.games()).games;
  }

  /** Begin a match against a class of Python, which only the administrator may name. @param {SubmitEvent} event */
  async play(event) {
    event.preventDefault();
    const wish = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const card = this.games.find((game) => game.id === wish.get("game"));
    const agent = String(wish.get("agent"));
    const seats = card?.players === 1 ? [agent] : ["you", agent];
    await this.shell.enter(() => api.create({ game: String(wish.get("game")), seats, practice: true }));
  }

  /** @param {SubmitEvent} event */
  async logIn(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    await this.change(() => lab.logIn(String(new FormData(form).get("token"))));
  }

  /** @param {() => Promise<Schemas["AdministratorStatus"]>} request */
  async change(request) {
    await this.shell.attempt(async () => {
      this.status = await request();
    });
  }

  draw() {
    return html`<div class="alone">
      <h1>${say("title")}</h1>
      ${this.status.administrator ? this.drawLogout() : this.status.token ? this.drawLogin() : html`<p>${say("no_token")}</p>`}
    </div>`;
  }

  drawLogout() {
    return html`<p>${say("logged_in")}</p>
      <p>
        <a class="button primary" href="/" data-page>${say("to_games")}</a>
        <button class="quiet" @click=${() => this.change(() => lab.logOut())}>${say("log_out")}</button>
      </p>
      <h2>${say("class_title")}</h2>
      <form @submit=${(/** @type {SubmitEvent} */ event) => this.play(event)}>
        <p><label class="field">${say("game")}<select name="game">${this.games.map(
          (game) => html`<option value=${game.id}>${game.names[preferences.language]}</option>`,
        )}</select></label></p>
        <p><label class="field">${say("class")}<input name="agent" type="text" required maxlength="256" pattern="py:.+:.+"
          placeholder="py:./my_agent.py:MyAgent" /></label></p>
        <p><button class="primary">${say("play_class")}</button></p>
      </form>`;
  }

  drawLogin() {
    return html`<p>${say("how")}</p>
      <form @submit=${(/** @type {SubmitEvent} */ event) => this.logIn(event)}>
        <p><label class="field">${say("token")}<input name="token" type="password" autocomplete="current-password"
          required maxlength="1024" /></label></p>
        <p><button class="primary">${say("log_in")}</button></p>
      </form>`;
  }
}
