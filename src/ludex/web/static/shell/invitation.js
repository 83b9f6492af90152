/** The link that gives a free seat to a friend, until it is taken. Loaded where a seat is free. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { icon } from "./icons.js";
import { stylesheet } from "./renderer.js";
import { texts } from "./texts.js";

await stylesheet("/static/style/people.css");

const say = texts("match", "invitation");

/** By match, the link. @type {Map<string, string>} */
const links = new Map();

/** Request the link of a match. @param {OpenMatch} page */
export async function request(page) {
  try {
    links.set(page.id, location.origin + (await api.invite(page.id)).path);
    page.shell.redraw();
  } catch (error) {
    // Another user was faster, as with a rematch that is accepted at once; the page shows who has the seat.
    if (!(error instanceof ApiError) || error.code !== "seat_taken") page.shell.fail(error);
  }
}

/** Whether the link names this machine only: no other machine can follow it. */
function isLocal() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

/** @param {OpenMatch} page @param {MatchView} match */
export function panel(page, match) {
  const link = links.get(page.id);
  if (!link || !match.seats.some((seat) => seat.open)) return nothing;
  const nameless = match.seats.some((seat) => seat.you) && !match.seats.some((seat) => seat.you && seat.nickname);
  return html`<section class="panel invitation" aria-labelledby="invitation-title">
    <h2 id="invitation-title">${say("title")}</h2>
    ${isLocal() ? html`<p class="local" role="alert">${say("local")}</p>` : nothing}
    <div class="invited"><img class="qr" src="/api/qr?link=${encodeURIComponent(link)}" width="132" height="132" alt=${say("qr")} />
      <p class="link"><code>${link}</code></p></div>
    <p><button class="primary" @click=${() => page.shell.copy(link)}>${icon("link")} ${say("copy")}</button></p>
    <p class="muted">${say("first")}${
      nameless
        ? html` ${say("nameless")}
          <a href="/settings?match=${page.id}" data-page>${say("choose")}</a>`
        : nothing
    }</p>
  </section>`;
}
