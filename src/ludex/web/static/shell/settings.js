/** The settings of a person: their nickname, which the server keeps, and what this browser does. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { request } from "./api.js";
import { BasePage } from "./page.js";
import { prefer, preferences } from "./preferences.js";
import { typed } from "./select.js";
import { texts } from "./texts.js";

/** @typedef {Schemas["Health"]} Health */

const say = texts("me", "settings");

const BOARDS = /** @type {const} */ (["paper", "wood", "slate"]);
const SWITCHES = /** @type {const} */ (["sound", "confirm", "emotes"]);

export default class SettingsPage extends BasePage {
  static styles = ["settings"];
  /** What the field holds: a name that is refused stays in it, to be put right. */
  nickname = "";
  /** The match from which the person came to choose a nickname. */
  match = new URLSearchParams(location.search).get("match");
  /** @type {string | null} */
  documentation = null;

  title() {
    return say("title");
  }

  async open() {
    const [me, health] = await Promise.all([
      /** @type {Promise<Me>} */ (request("GET", "/api/me")),
      /** @type {Promise<Health>} */ (request("GET", "/api/health/live")),
    ]);
    this.nickname = me.nickname ?? "";
    this.documentation = health.documentation ?? null;
  }

  /** @param {SubmitEvent} event */
  async rename(event) {
    event.preventDefault();
    const wish = this.nickname.trim();
    await this.shell.attempt(async () => {
      this.nickname =
        /** @type {Me} */ (await request("PUT", "/api/me/nickname", { nickname: wish || null })).nickname ?? "";
      this.shell.say(this.nickname ? say("saved", { name: this.nickname }) : say("nameless"));
    });
  }

  draw() {
    return html`<div class="alone settings">
      <h1>${say("title")}</h1>
      <form class="panel" @submit=${(/** @type {SubmitEvent} */ event) => this.rename(event)}>
        <label class="field">${say("nickname")}<input name="nickname" type="text" maxlength="20" autocomplete="nickname"
        .value=${live(this.nickname)} @input=${typed((name) => (this.nickname = name))}
        aria-describedby="nickname-note" /></label>
        <p class="muted" id="nickname-note">${say("nickname_note")}</p>
        <p><button class="primary">${say("save")}</button></p>
        ${this.match ? html`<p><a href="/match/${encodeURIComponent(this.match)}" data-page>${say("back")}</a></p>` : nothing}
      </form>
      <fieldset class="panel boards"><legend>${say("boards")}</legend>
        ${BOARDS.map(
          (board) =>
            html`<label class="check"><input type="radio" name="board" .checked=${live((preferences.board ?? "paper") === board)}
              @change=${() => prefer({ board })} /><span>${say(board)}</span><i class="swatch" data-board=${board}></i></label>`,
        )}
      </fieldset>
      <div class="panel">
        ${SWITCHES.map(
          (name) =>
            html`<label class="check"><input type="checkbox" .checked=${live(isOn(name))}
              @change=${() => prefer({ [name]: !isOn(name) })} /><span>${say(name)}<small class="muted">${say(
                /** @type {const} */ (`${name}_note`),
              )}</small></span></label>`,
        )}
      </div>
      ${this.documentation && html`<p><a href=${this.documentation}>${say("documentation")}</a></p>`}
    </div>`;
  }
}

/** @param {typeof SWITCHES[number]} name */
function isOn(name) {
  return preferences[name] ?? name === "emotes";
}
