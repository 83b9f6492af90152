// @ts-check
/** The link that gives a free seat to a friend, until somebody has taken it. Loaded where a seat is free. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { icon } from "./icons.js";
import { stylesheet } from "./renderer.js";
import { texts } from "./texts.js";

await stylesheet("/static/style/people.css");

/** @typedef {import("./openmatch.js").OpenMatch} OpenMatch */
/** @typedef {import("../types/renderer.js").MatchView} MatchView */

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

/** @param {OpenMatch} page @param {MatchView} match */
export function panel(page, match) {
  const link = links.get(page.id);
  if (!link || !match.seats.some((seat) => seat.open)) return nothing;
  const nameless = match.seats.some((seat) => seat.you) && !match.seats.some((seat) => seat.you && seat.nickname);
  return html`<section class="panel invitation" aria-labelledby="invitation-title">
    <h2 id="invitation-title">${say("title")}</h2>
    <p class="link"><code>${link}</code></p>
    <p><button class="primary" @click=${() => page.act((actions) => actions.copy(page, link))}>${icon("link")} ${say("copy")}</button></p>
    <p class="muted">${say("first")}${
      nameless
        ? html` ${say("nameless")}
          <a href="/settings?match=${page.id}" data-page>${say("choose")}</a>`
        : nothing
    }</p>
  </section>`;
}
