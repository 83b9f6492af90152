/** Inputs: what is typed or chosen in one, a choice among values with its label, and the bytes of a file. */

import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";

/** A listener that passes on what was typed or chosen in an input. @param {(value: string) => unknown} change */
export const typed = (change) => (/** @type {Event} */ event) =>
  change(/** @type {HTMLInputElement} */ (event.target).value);

/**
 * Each option says whether it is selected: a value of the select would be set before the new options exist.
 *
 * @param {string} label
 * @param {string[]} values
 * @param {string} value
 * @param {(value: string) => unknown} change
 * @param {{ names?: string[], disabled?: boolean }} [how] `names` are shown for the values
 */
export function select(label, values, value, change, { names = values, disabled = false } = {}) {
  return html`<label class="field"><span>${label}</span><select ?disabled=${disabled}
    @change=${typed(change)}>${values.map(
      (choice, index) => html`<option value=${choice} .selected=${live(choice === value)}>${names[index]}</option>`,
    )}</select></label>`;
}

/** The bytes of a file in Base64. @param {File} file */
export async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
