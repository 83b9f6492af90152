/** The page of an invitation: accepting it takes the open seat. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { loadPicture } from "./pictures.js";
import { loadRenderer } from "./renderer.js";
import { side } from "./standing.js";
import { texts, t } from "./texts.js";

const say = texts("me", "join");

export default class JoinPage extends BasePage {
  static styles = ["people"];
  id = this.name;
  /** @type {MatchView | null} */
  match = null;
  /** @type {GameCard | null} */
  card = null;
  /** @type {Renderer | null} */
  renderer = null;
  /** @type {Preview | null} */
  picture = null;
  /** Loaded when they are opened. @type {import("./rules.js").Rules | null} */
  rules = null;
  invitation = new URLSearchParams(location.search).get("invitation") ?? "";

  title() {
    return say("take");
  }

  async open() {
    const [match, { games }] = await Promise.all([api.match(this.id), api.games()]);
    this.match = match;
    // A person who already has a seat needs no invitation.
    if (match.seats.some((seat) => seat.you)) return this.shell.go(`/match/${this.id}`);
    this.card = games.find(({ id }) => id === match.game) ?? null;
    if (!this.card) return;
    this.renderer = await loadRenderer(this.card.renderer);
    this.picture = await loadPicture(this.card);
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

  async showRules() {
    const { match, card } = this;
    if (!match || !card) return;
    await this.shell.attempt(async () => {
      const { Rules } = await import("./rules.js");
      this.rules ??= await Rules.load(match.game, match.preset, card.tutorial);
      this.shell.redraw();
      this.rules.show();
    });
  }

  draw() {
    const { match } = this;
    if (!match) return html`<p class="alone muted">${t("loading")}</p>`;
    const title = match.names[preferences.language];
    const about = html`<p class="muted">${[match.board[preferences.language], ...terms(match)].join(" · ")}</p>`;
    const open = match.seats.find((seat) => seat.open);
    const host = match.seats.find((seat) => seat.nickname)?.nickname;
    if (open)
      return html`<div class="alone joining">
        ${this.picture ? html`<div class="picture" aria-hidden="true">${this.picture(0)}</div>` : nothing}
        <h1>${host ? say("ask_by", { name: host, title }) : say("ask", { title })}</h1>
        ${
          this.renderer
            ? html`<p data-testid="your-side">${say(match.to_move === open.player ? "first" : "second", {
                side: side(match, this.renderer, open.player),
              })}</p>`
            : nothing
        }
        ${about}
        <p><button class="primary large" @click=${() => this.join()}>${say("take")}</button>
          ${this.card?.rules ? html`<button class="large" @click=${() => this.showRules()}>${say("rules")}</button>` : nothing}</p>
        ${this.rules && this.renderer ? this.rules.draw(this.renderer) : nothing}
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
  return [...(clock.length ? clock : [say("no_clock")]), say(match.practice ? "practice" : "no_help")];
}
