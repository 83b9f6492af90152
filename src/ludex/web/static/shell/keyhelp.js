/** The keys of a match and what they do, loaded on demand. */

import { html } from "../vendor/lit-html/lit-html.js";
import { texts, t } from "./texts.js";
import { stylesheet } from "./renderer.js";

await stylesheet("/static/style/keyhelp.css");

const say = texts("help", "keys");

/** The keys that have a name of their own in each language. */
const NAMED = new Set(["Enter", "Escape", "Home", "End", "Page Up", "Page Down"]);

/** @param {Renderer} renderer @param {MatchView} match */
export function keyHelp(renderer, match) {
  /** @type {[string, string][]} */
  const rows = [
    ...(renderer.help?.(match) ?? []),
    ["Home, Page Up, Page Down, End", say("history")],
    ["u", say("undo")],
    ["h", say("hint")],
    ["o", say("overlay")],
    ["n", say("new")],
    ["?", say("help")],
  ];
  return html`<dialog class="keys" aria-labelledby="keys-title">
    <form method="dialog">
      <div class="heading"><h2 id="keys-title">${say("title")}</h2><button class="quiet small" aria-label=${t("close")}>×</button></div>
      <dl>${rows.map(
        ([name, does]) => html`<div>
          <dt>${name.split(", ").map(
            (key) => html`<kbd>${NAMED.has(key) ? say(/** @type {"Enter"} */ (key)) : key}</kbd>
          `,
          )}</dt><dd>${does}</dd></div>`,
      )}</dl>
    </form>
  </dialog>`;
}
