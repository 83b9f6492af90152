// @ts-check
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

/** @param {import("./match.js").default} page */
export function coach(page) {
  const { match, shell } = page;
  if (!match?.seats.some((seat) => seat.you)) return nothing;
  if (match.outcome && match.plies) count(match.game, [match.id]);
  if (!match.live || (preferences.coached?.[match.game]?.length ?? 0) >= MATCHES) return nothing;
  // A game without a coach has nothing to say in this match.
  page.ui.coached ||= Boolean(match.coach);
  if (!page.ui.coached) return nothing;
  const leave = () => {
    // As many as if they had been played.
    count(match.game, Array.from({ length: MATCHES }, (_, place) => String(place)));
    shell.redraw();
  };
  const text = page.at === null ? match.coach?.[preferences.language] : null;
  // Without a text it keeps its room: the board must not change its size with every turn.
  return html`<p class="coach" ?data-silent=${!text}><span>${text ?? nothing}</span><button class="quiet" aria-label=${t("close")} @click=${leave}>×</button></p>`;
}
