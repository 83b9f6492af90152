/** What replaces a game's own board that fails: the generic one, with the reason; loaded on demand. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { loadRenderer } from "./renderer.js";
import { texts } from "./texts.js";

const say = texts("shell", "fallback");

/** Draw a match with the generic board. @param {OpenMatch} page */
export async function fallBack(page) {
  page.renderer = await loadRenderer(null);
  // What was loaded for the game's own board came without pictures.
  page.past.views.clear();
  clearPage();
  page.shell.redraw();
  void pictured(page, page.match);
  void page.moves.list();
}

/** A board that failed while it was drawn left half of a page, which is no base for the next. */
export function clearPage() {
  const root = /** @type {HTMLElement} */ (document.querySelector("#content")?.parentElement);
  root.replaceChildren();
  Reflect.deleteProperty(root, "_$litPart$");
}

/** Load the picture in text that replaces the board, where a state came without it. @param {OpenMatch} page @param {MatchView} match */
export async function pictured(page, match) {
  if (match.picture || page.draws(match)) return;
  await page.shell.attempt(async () => {
    const { picture, version } = await api.match(page.id, undefined, true);
    if (page.match.version !== version) return;
    page.match = { ...page.match, picture };
  });
}

/** Why the board is not the game's own. @param {{ fault: string | null }} page */
export function panel(page) {
  if (page.fault === null) return nothing;
  return html`<section class="panel fault" role="alert"><p>${say("broken_board")}</p><p class="muted">
    <code>${page.fault}</code></p></section>`;
}
