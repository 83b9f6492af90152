// @ts-check
/** The one switch of what is shown on the board. */

import { html } from "../vendor/lit-html/lit-html.js";
import { texts } from "./texts.js";

const say = texts("match", "page");

/** @type {import("../types/renderer.js").Overlay[]} */
export const OVERLAYS = ["none", "legal", "candidates", "heat"];

/** @param {import("./openmatch.js").OpenMatch} page */
export function overlaySwitch(page) {
  const shown = page.intent.asking?.overlay ?? page.overlay;
  return html`<fieldset class="segments">
    <legend class="unseen">${say("overlay")}</legend>
    ${OVERLAYS.map(
      (overlay) => html`<label><input type="radio" name="overlay" value=${overlay}
        .checked=${shown === overlay}
        @change=${() => page.show(overlay)} /><span>${say(/** @type {const} */ (`overlay_${overlay}`))}</span></label>`,
    )}
  </fieldset>`;
}
