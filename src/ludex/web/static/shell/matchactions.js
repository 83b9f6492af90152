/** What is done now and then in a match: begin another, resign, copy, delete, and agree to help that ends its rating. */

import { html } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { follow, origin } from "./invitation.js";
import { texts } from "./texts.js";

/**
 * @typedef {object} Asking
 * @property {"hint" | "analysis" | "overlay" | "undo" | "fork"} kind
 * @property {() => Promise<unknown>} give
 * @property {Overlay | null} overlay the one that was chosen
 */

/** How long a first click waits for the second. */
const CONFIRM_MS = 3500;

const say = texts("help", "actions");

/** Ask whether the match may become unrated. @param {OpenMatch} page @param {Asking} asking */
export function ask(page, asking) {
  page.intent.asking = asking;
  page.shell.redraw();
  /** @type {HTMLElement | null} */ (document.querySelector(".asking button"))?.focus();
}

/** The question, with both answers. @param {OpenMatch} page @param {Asking} asking */
export function question(page, asking) {
  const answer = (/** @type {boolean} */ agreed) => {
    page.intent.asking = null;
    page.shell.redraw();
    if (agreed) void asking.give();
  };
  return html`<div class="panel asking" role="alertdialog" aria-label=${say("unrated")} aria-describedby="asking-text">
    <p id="asking-text">${say(asking.kind)} ${say("practice")}</p>
    <p><button class="primary" @click=${() => answer(true)}>${say("agree")}</button>
      <button @click=${() => answer(false)}>${say("keep")}</button></p>
  </div>`;
}

/** Whether an irreversible action is confirmed by a second click. @param {OpenMatch} page @param {string} action */
function sure(page, action) {
  if (page.intent.unconfirmed === action) {
    page.intent.unconfirmed = null;
    return true;
  }
  page.intent.unconfirmed = action;
  setTimeout(() => {
    if (page.intent.unconfirmed !== action) return;
    page.intent.unconfirmed = null;
    page.shell.redraw();
  }, CONFIRM_MS);
  page.shell.redraw();
  return false;
}

/** @param {OpenMatch} page */
export async function resign(page) {
  const { id, match, moves } = page;
  if (match.can.resign && sure(page, "resign")) await moves.change(() => api.resign(id, match.version));
}

/**
 * The same match again: with the other person where there is one, else at once. A live match is left after a second
 * request.
 * @param {OpenMatch} page @param {boolean} practice
 */
export async function again(page, practice = page.match.practice) {
  const { match } = page;
  if (match.live && !sure(page, "leave")) {
    page.shell.say(say("leave"));
    return;
  }
  if (match.can.rematch) {
    await page.shell.enter(async () => {
      const next = await api.rematch(page.id);
      follow(next.id, match);
      return next;
    });
    return;
  }
  const seats = match.seats.map((seat) => (seat.kind === "machine" ? seat.name : seat.you ? "you" : "open"));
  if (match.positioned) {
    await page.shell.enter(() => api.fork(page.id, 0, seats));
    return;
  }
  const clock = match.clock && { seconds: match.clock.seconds, increment: match.clock.increment };
  await page.shell.enter(() => api.create({ game: match.game, preset: match.preset, seats, practice, clock }));
}

/** Return to the match whose rematch was declined. @param {OpenMatch} page */
export function leaveDeclined(page) {
  const finished = origin(page.id);
  page.shell.go(finished ? `/match/${finished.id}` : "/");
}

/** Open the position shown in the editor. @param {OpenMatch} page */
export function edit({ shell, match, shown }) {
  shell.go(`/edit/${match.game}?${new URLSearchParams({ match: match.id, ply: String(shown.ply) })}`);
}

/** Play on from the ply shown, where this person sits or against the game's own opponent. @param {OpenMatch} page */
export async function fork(page) {
  const { match } = page;
  const seats = match.seats.map((seat) => (seat.kind === "machine" ? seat.name : "you"));
  if (!seats.includes("you")) seats[0] = "you";
  await page.shell.enter(() => api.fork(page.id, page.shown.ply, seats));
}

/** Give a friend this match. @param {OpenMatch} page */
export async function challenge(page) {
  await page.shell.attempt(async () => {
    page.shell.go((await api.ghost({ match: page.id })).path);
  });
}

/** @param {OpenMatch} page */
export async function remove(page) {
  if (!sure(page, "delete")) return;
  await page.shell.attempt(async () => {
    await api.remove(page.id);
    page.shell.go("/");
    page.shell.say(say("deleted"));
  });
}

/** Show the rules of the match's board. @param {OpenMatch} page */
export async function rules(page) {
  const { match, card } = page;
  const done = await page.shell.attempt(async () => {
    const { Rules } = await import("./rules.js");
    page.rules ??= await Rules.load(match.game, match.preset, card?.tutorial ?? 0);
  });
  if (done) page.rules?.show();
}
