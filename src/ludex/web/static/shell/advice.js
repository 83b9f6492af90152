/** The line under the board about help: that it is searched, the hint in a sentence, or that there was no answer. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { moveText } from "./movelist.js";
import { preferences } from "./preferences.js";
import { t, texts } from "./texts.js";

const say = texts("help", "advice");

/** @param {OpenMatch} page */
export function advice(page) {
  const { analyser, advised, intent } = page;
  if (analyser.hinting)
    return html`<p class="coach advice" role="status"><span class="spinner" aria-hidden="true"></span>
      <span>${say("searching")}</span></p>`;
  if (intent.retry)
    return html`<p class="coach advice" role="alert"><span>${say("failed")}</span>
      <button @click=${intent.retry}>${say("retry")}</button></p>`;
  return advised ? sentence(page, advised) : nothing;
}

/** @param {OpenMatch} page @param {Analysis} hint */
function sentence(page, hint) {
  const close = () => {
    page.intent.hint = null;
    page.shell.redraw();
  };
  const move = hint.candidates.find(({ action }) => action === hint.action) ?? hint;
  const reason = hint.explanation[0]?.text[preferences.language] ?? "";
  // A letter alone names a column, and is part of many words.
  const said = moveText(move).length > 1 && reason.includes(moveText(move));
  const name = said ? nothing : html`<strong>${moveText(move)}</strong>${reason ? " · " : ""}`;
  return html`<p class="coach advice" role="status" data-testid="advice"><span class="drawn-hint" aria-hidden="true">★</span>
    <span>${name}${reason}</span><button class="quiet" aria-label=${t("close")} @click=${close}>×</button></p>`;
}
