// @ts-check
/** The page of an invitation: accepting it takes the open seat. */

import { html } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { t } from "./texts.js";

/** @typedef {import("../types/page.js").Page} Page */

/** @implements {Page} */
export default class JoinPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} id */
  constructor(shell, id) {
    this.shell = shell;
    this.id = id;
    this.name = "";
    this.invitation = new URLSearchParams(location.search).get("invitation") ?? "";
  }

  title() {
    return t("join");
  }

  async open() {
    const match = await api.match(this.id);
    this.name = match.title;
    // A person who already has a seat needs no invitation.
    if (match.seats.some((seat) => seat.you)) this.shell.go(`/match/${this.id}`);
  }

  close() {}

  async join() {
    try {
      await api.join(this.id, this.invitation);
      this.shell.go(`/match/${this.id}`);
    } catch (error) {
      this.shell.fail(error);
    }
  }

  draw() {
    return html`<div class="alone">
      <h1>${t("join_ask", { title: this.name })}</h1>
      <p><button class="primary large" @click=${() => this.join()}>${t("join")}</button></p>
    </div>`;
  }
}
