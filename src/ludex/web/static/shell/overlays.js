// @ts-check
/** The one switch of what is shown on the board. */

import { html } from "../vendor/lit-html/lit-html.js";
import { say } from "./matchtexts.js";
import { preferences } from "./preferences.js";

/** @type {import("../types/renderer.js").Overlay[]} */
export const OVERLAYS = ["none", "legal", "candidates", "heat"];

/** @param {(overlay: import("../types/renderer.js").Overlay) => void} show */
export function overlaySwitch(show) {
  return html`<fieldset class="segments">
    <legend class="unseen">${say("overlay")}</legend>
    ${OVERLAYS.map((overlay) => html`<label><input type="radio" name="overlay" value=${overlay} .checked=${preferences.overlay === overlay} @change=${() => show(overlay)} /><span>${say(/** @type {const} */ (`overlay_${overlay}`))}</span></label>`)}
  </fieldset>`;
}
