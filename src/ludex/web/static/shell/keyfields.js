// @ts-check
/** The input of one key of a configuration, by the type of its value, with its documentation. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["TrainingKey"]} Key */
/** @typedef {{ knob: boolean, boards: Schemas["Trainings"]["boards"], change: (value: unknown) => void }} How */

const say = texts("lab", "forms");

/** The section of a dotted key; empty at the top. @param {string} name */
export const sectionOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf(".")));

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Read a value from an input; null where it is empty. Returns undefined and marks the input if it is none.
 * @param {Key} key @param {HTMLInputElement | HTMLSelectElement} input
 */
function read(key, input) {
  input.setCustomValidity("");
  const text = input.value.trim();
  if (!text && key.optional) return null;
  if (key.kind === "integer" || key.kind === "number") return input.checkValidity() && text ? Number(text) : undefined;
  if (key.kind !== "json") return text;
  try {
    return JSON.parse(text);
  } catch {
    input.setCustomValidity(say("not_json"));
    input.reportValidity();
    return undefined;
  }
}

/**
 * A knob is labelled by the first words of its documentation, other keys by their name; the rest stands below.
 * @param {Key} key @param {unknown} value @param {How} how
 */
export function keyField(key, value, how) {
  const help = sentence((key.documentation[preferences.language] ?? "").replaceAll("`", ""));
  const name = html`<code>${key.name.slice(key.name.lastIndexOf(".") + 1)}</code>`;
  const first = help.replace(/[;:(.].*/s, "").trim();
  const label = how.knob ? html`<span>${first}</span>` : name;
  const below = html`<small>${
    how.knob
      ? html`<code>${key.name}</code>${
          help.length > first.length + 1
            ? html`
              ${help}`
            : nothing
        }`
      : help
  }</small>`;
  if (key.kind === "boolean") {
    const change = (/** @type {Event} */ event) => how.change(/** @type {HTMLInputElement} */ (event.target).checked);
    return html`<label class="field"><span class="check"><input type="checkbox" .checked=${live(Boolean(value))}
      @change=${change} /> ${label}</span>${below}</label>`;
  }
  return html`<label class="field">${label}${input(key, value, how)}${below}</label>`;
}

/** @param {Key} key @param {unknown} value @param {How} how */
function input(key, value, { boards, change }) {
  /** @param {Event} event */
  const changed = (event) => {
    const found = read(key, /** @type {HTMLInputElement} */ (event.target));
    if (found !== undefined) change(found);
  };
  if (key.kind === "choice" || key.kind === "board") {
    const names = key.kind === "board" ? Object.keys(boards) : key.choices;
    const options = names.map((one) => ({ value: one, text: boards[one]?.[preferences.language] ?? one }));
    if (key.optional) options.unshift({ value: "", text: say("auto") });
    return html`<select @change=${changed}>${options.map(
      (one) => html`<option value=${one.value}
        .selected=${live(one.value === (value ?? ""))}>${one.text}</option>`,
    )}</select>`;
  }
  const text = value === null ? "" : key.kind === "json" ? JSON.stringify(value) : String(value);
  const auto = key.optional ? say("auto") : nothing;
  if (key.kind === "integer" || key.kind === "number") {
    // A larger integer, such as a seed, would be rounded without a word.
    const most = key.kind === "integer" ? Math.min(key.most ?? Infinity, Number.MAX_SAFE_INTEGER) : key.most;
    return html`<input type="number" inputmode="decimal" step=${key.kind === "integer" ? "1" : "any"}
      min=${key.least ?? nothing} max=${most ?? nothing} ?required=${!key.optional} placeholder=${auto} .value=${text}
      @change=${changed} />`;
  }
  return html`<input type="text" maxlength="4000" spellcheck="false" autocomplete="off" placeholder=${auto} .value=${text}
    @change=${changed} />`;
}
