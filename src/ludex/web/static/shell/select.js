// @ts-check
/** A choice among values, with its label. */

import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";

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
    @change=${(/** @type {Event} */ event) => change(/** @type {HTMLSelectElement} */ (event.target).value)}>${values.map(
      (one, index) => html`<option value=${one} .selected=${live(one === value)}>${names[index]}</option>`,
    )}</select></label>`;
}
