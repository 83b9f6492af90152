/** The page of an invitation: accepting it takes the open seat. */

import { html } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { texts, t } from "./texts.js";

const say = texts("me", "join");

export default class JoinPage extends BasePage {
  id = this.name;
  /** @type {MatchView | null} */
  match = null;
  invitation = new URLSearchParams(location.search).get("invitation") ?? "";

  title() {
    return say("take");
  }

  async open() {
    this.match = await api.match(this.id);
    // A person who already has a seat needs no invitation.
    if (this.match.seats.some((seat) => seat.you)) this.shell.go(`/match/${this.id}`);
  }

  async join() {
    try {
      await api.join(this.id, this.invitation);
      this.shell.go(`/match/${this.id}`);
    } catch (error) {
      this.shell.fail(error);
      if (error instanceof ApiError && error.status === 409) await this.open();
      this.shell.redraw();
    }
  }

  draw() {
    const { match } = this;
    if (!match) return html`<p class="alone muted">${t("loading")}</p>`;
    const title = match.names[preferences.language];
    const about = html`<p class="muted">${[match.board[preferences.language], ...terms(match)].join(" · ")}</p>`;
    const host = match.seats.find((seat) => seat.nickname)?.nickname;
    if (match.seats.some((seat) => seat.open))
      return html`<div class="alone">
        <h1>${host ? say("ask_by", { name: host, title }) : say("ask", { title })}</h1>
        ${about}
        <p><button class="primary large" @click=${() => this.join()}>${say("take")}</button></p>
      </div>`;
    const names = match.seats.map((seat) =>
      seat.kind === "machine" ? seat.name : (seat.nickname ?? say("person", { number: seat.player + 1 })),
    );
    return html`<div class="alone">
      <h1>${say("used")}</h1>
      <p>${say("who", { title, names: names.join(say("and")) })}</p>
      ${about}
      <p><a class="button primary large" href="/match/${this.id}" data-page>${say(match.live ? "watch" : "look")}</a></p>
    </div>`;
  }
}

/** What both people agree on when the match begins. @param {MatchView} match */
function terms(match) {
  const clock = match.clock
    ? [say("clock", { minutes: match.clock.seconds / 60, seconds: match.clock.increment })]
    : [];
  return [...clock, say(match.practice ? "practice" : "no_help")];
}
