/** The line under the board that says what can be done now, until a person has finished a few matches. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { prefer, preferences } from "./preferences.js";
import { t } from "./texts.js";

const MATCHES = 3;

/** Count a match as finished with the coach. @param {string} game @param {string[]} matches */
function count(game, matches) {
  const known = preferences.coached?.[game] ?? [];
  const all = [...new Set([...known, ...matches])];
  if (known.length < MATCHES && all.length > known.length) prefer({ coached: { ...preferences.coached, [game]: all } });
}

/** @param {OpenMatch} page */
export function coach(page) {
  const { match, shell } = page;
  if (!match.seats.some((seat) => seat.you)) return nothing;
  if (match.outcome && match.plies) count(match.game, [match.id]);
  const open = page.ui.coach !== undefined;
  if (!open && (!match.live || (preferences.coached?.[match.game]?.length ?? 0) >= MATCHES)) return nothing;
  const text = page.shown === match ? match.coach?.[preferences.language] : null;
  // The last sentence keeps the room of the line, also after the end: the board must not change its size.
  page.ui.coach = text ?? page.ui.coach;
  // A game without a coach has nothing to say in this match.
  if (page.ui.coach === undefined || page.ui.left) return nothing;
  const leave = () => {
    page.ui.left = true;
    // As many as if they had been played.
    count(
      match.game,
      Array.from({ length: MATCHES }, (_, place) => String(place)),
    );
    shell.redraw();
  };
  return html`<p class="coach ${match.live ? "" : "over"}" ?data-silent=${!text}>
    <span>${page.ui.coach}</span><button class="quiet" aria-label=${t("close")} @click=${leave}>×</button></p>`;
}
