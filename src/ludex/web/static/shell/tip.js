/** The tooltip of a term: what it means, from the rules of the match's board. Loaded with the first one. */

import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { rules } from "./teaching.js";

/** @type {Map<string, Promise<Schemas["RulesView"]>>} by game and board */
const books = new Map();
const MARGIN = 8;

/** @type {HTMLElement | null} what the tooltip stands at */
let owner = null;
const box = document.createElement("div");
box.id = "tip";
box.className = "tip";
box.popover = "manual";
box.setAttribute("role", "tooltip");
document.body.append(box);

/** @param {{ game: string, preset: string }} match */
function book({ game, preset }) {
  const key = `${game} ${preset}`;
  let loading = books.get(key);
  if (!loading) {
    loading = rules(game, preset);
    loading.catch(() => books.delete(key));
    books.set(key, loading);
  }
  return loading;
}

function hide() {
  owner?.removeAttribute("aria-describedby");
  owner = null;
  if (box.matches(":popover-open")) box.hidePopover();
}

/**
 * Show what a term means, until its word is left.
 * @param {Event} event @param {{ game: string, preset: string }} match @param {string} name
 */
export async function tip(event, match, name) {
  const word = /** @type {HTMLElement} */ (event.target);
  if (owner === word) return;
  hide();
  owner = word;
  for (const left of ["pointerleave", "blur"])
    word.addEventListener(left, () => owner === word && hide(), { once: true });
  word.addEventListener("keydown", (key) => key.key === "Escape" && hide(), { once: true });
  const [{ terms }] = await Promise.all([book(match), stylesheet("/static/style/rules.css")]);
  const term = terms.find((entry) => entry.name === name);
  if (owner !== word || !term) return;
  const title = document.createElement("strong");
  title.textContent = term.title[preferences.language];
  box.replaceChildren(title, ` ${term.meaning[preferences.language]}`);
  word.setAttribute("aria-describedby", box.id);
  box.showPopover();
  const at = word.getBoundingClientRect();
  box.style.left = `${Math.max(MARGIN, Math.min(at.left, innerWidth - box.offsetWidth - MARGIN))}px`;
  box.style.top = `${at.top > box.offsetHeight + 2 * MARGIN ? at.top - box.offsetHeight - MARGIN : at.bottom + MARGIN}px`;
}
