// @ts-check
/** The one switch of what is shown on the board. */

import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { preferences } from "./preferences.js";
import { t } from "./texts.js";

/** @type {import("./renderer.js").Overlay[]} */
export const OVERLAYS = ["none", "legal", "candidates", "heat"];

/** @param {(overlay: import("./renderer.js").Overlay) => void} show */
export function overlaySwitch(show) {
  return html`<fieldset class="segments">
    <legend class="unseen">${t("overlay")}</legend>
    ${OVERLAYS.map((overlay) => html`<label><input type="radio" name="overlay" value=${overlay} .checked=${live(preferences.overlay === overlay)} @change=${() => show(overlay)} /><span>${t(/** @type {const} */ (`overlay_${overlay}`))}</span></label>`)}
  </fieldset>`;
}
