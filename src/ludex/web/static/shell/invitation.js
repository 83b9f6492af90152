/** A free seat until it is taken: the link that gives it to a friend, or the person who is asked for a rematch. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { icon } from "./icons.js";
import { stylesheet } from "./renderer.js";
import { holder } from "./standing.js";
import { texts } from "./texts.js";

await stylesheet("/static/style/people.css");

const say = texts("people", "invitation");

/** Under this and the id of a rematch, this tab keeps the match that it follows. */
const REMATCH = "ludex.rematch.";

/** By match, the link. @type {Map<string, string>} */
const links = new Map();

/** Keep which match a rematch follows. @param {string} id @param {MatchView} match */
export function follow(id, match) {
  const other = match.seats.find((seat) => !seat.you);
  sessionStorage.setItem(REMATCH + id, JSON.stringify({ id: match.id, name: other ? holder(other) : "" }));
}

/** The match that a rematch follows, and who played it. @param {string} id @returns {{ id: string, name: string } | null} */
export function origin(id) {
  return JSON.parse(sessionStorage.getItem(REMATCH + id) ?? "null");
}

/** Request the link of a match. @param {OpenMatch} page */
export async function request(page) {
  if (origin(page.id)) return page.shell.redraw();
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

/** Who is asked for a rematch, while that person has not answered. @param {OpenMatch} page */
export function status({ id, match }) {
  const finished = match.seats.some((seat) => seat.open) ? origin(id) : null;
  return finished ? say("rematch", { name: finished.name }) : null;
}

/** @param {OpenMatch} page @param {MatchView} match */
export function panel(page, match) {
  const finished = origin(page.id);
  if (finished && status(page))
    return html`<section class="panel invitation"><p>${say("rematch_note", { name: finished.name })}
      <a href="/match/${finished.id}" data-page>${say("back")}</a></p></section>`;
  const link = links.get(page.id);
  if (!link || !match.seats.some((seat) => seat.open)) return nothing;
  const nameless = match.seats.some((seat) => seat.you) && !match.seats.some((seat) => seat.you && seat.nickname);
  return html`<section class="panel invitation" aria-labelledby="invitation-title">
    <h2 id="invitation-title">${say("title")}</h2>
    <div class="invited">${
      isLocal()
        ? html`<div class="local"><p>${say("local")}</p>
          <details><summary>${say("elsewhere")}</summary><p>${say("host")}</p></details></div>`
        : html`<img class="qr" src="/api/qr?link=${encodeURIComponent(link)}" width="132" height="132" alt=${say("qr")} />`
    }
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
