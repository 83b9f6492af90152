/** A player's clock. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { named } from "./standing.js";
import { texts } from "./texts.js";
import "./timer.js";

const say = texts("match", "page");

/**
 * A player's clock: the current one in a live match, else the one at the ply shown.
 * @param {OpenMatch} page @param {MatchView} match @param {Renderer} renderer @param {number} player
 */
export function clock(page, match, renderer, player) {
  const view = match.live ? match.clock : page.shown.clock;
  if (!view) return nothing;
  /** @type {import("./timer.js").Reading} */
  const reading = {
    left: view.left_ms[player] ?? 0,
    at: page.heard,
    runs: match.live && view.running === player,
    warn: (seconds) => page.shell.announce(say("left", { player: named(match, renderer, player), seconds })),
  };
  return html`<game-clock role="timer" aria-label=${say("clock")} .reading=${reading}></game-clock>`;
}
