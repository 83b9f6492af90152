/** The input of one key of a configuration or one option of an operation, by the type of its value, with its help. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

/**
 * A key as an input shows it: `titles` are what people call choices, `offers` are values beside which others are allowed.
 *
 * @typedef {Pick<Schemas["TrainingKey"], "name" | "kind" | "optional" | "choices" | "least" | "most" | "documentation"> &
 *   { many?: boolean, required?: boolean, titles?: Record<string, Record<string, string>>, offers?: string[] }} Key
 */
/** @typedef {{ label: "name" | "help" | "both", change: (value: unknown) => void }} How */

const say = texts("lab", "forms");

/** The section of a dotted key; empty at the top. @param {string} name */
export const sectionOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf(".")));

/** @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The lines of a text that hold anything. @param {string} text */
export const linesOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/**
 * Read a value from an input; null where it is empty. Returns undefined and marks the input if it is none.
 * @param {Key} key @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input
 */
function read(key, input) {
  input.setCustomValidity("");
  const text = input.value.trim();
  if (key.many) return linesOf(text);
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

/** The first words of a key's help, which are its label, and the rest. @param {Pick<Key, "documentation">} key */
export function helpOf(key) {
  const help = sentence((key.documentation[preferences.language] ?? "").replaceAll("`", ""));
  const first = help.replace(/([;:(]|\.(\s|$)).*/s, "").trim();
  return { help, first, rest: sentence(help.slice(first.length).replace(/^[\s;:.]+/, "")) };
}

/**
 * The field of a key: its label is its name, or the first words of its help, below which the rest stands.
 * @param {Key} key @param {unknown} value @param {How} how
 */
export function keyField(key, value, how) {
  const { help, first, rest } = helpOf(key);
  const name = html`<code>${how.label === "both" ? key.name : key.name.slice(key.name.lastIndexOf(".") + 1)}</code>`;
  const label =
    how.label === "name"
      ? name
      : html`<span>${first}${key.many ? html` <small>(${say("one_per_line")})</small>` : nothing}</span>`;
  const words = how.label === "name" ? help : rest;
  const below = html`<small>${how.label === "both" ? html`${name} ` : nothing}${words}</small>`;
  if (key.kind === "boolean") {
    const change = (/** @type {Event} */ event) => how.change(/** @type {HTMLInputElement} */ (event.target).checked);
    return html`<label class="field"><span class="check"><input type="checkbox" .checked=${live(Boolean(value))}
      @change=${change} /> ${label}</span>${below}</label>`;
  }
  return html`<label class="field">${label}${input(key, value, how)}${below}</label>`;
}

/** @param {Key} key @param {unknown} value @param {How} how */
function input(key, value, { change }) {
  /** @param {Event} event */
  const changed = (event) => {
    const typed = read(key, /** @type {HTMLInputElement} */ (event.target));
    if (typed !== undefined) change(typed);
  };
  const auto = key.optional ? say("auto") : nothing;
  const required = key.required || (!key.optional && ["integer", "number"].includes(key.kind));
  if (key.many)
    return html`<textarea maxlength="4000" spellcheck="false" ?required=${key.required}
      .value=${/** @type {string[]} */ (value ?? []).join("\n")} @change=${changed}></textarea>`;
  if (key.kind === "choice" || key.kind === "board") {
    const options = key.choices.map((choice) => ({
      choice,
      text: sentence(key.titles?.[choice]?.[preferences.language] ?? choice),
    }));
    if (key.optional) options.unshift({ choice: "", text: sentence(say("auto")) });
    return html`<select @change=${changed}>${options.map(
      ({ choice, text }) => html`<option value=${choice} .selected=${live(choice === (value ?? ""))}>${text}</option>`,
    )}</select>`;
  }
  const text = value === null || value === undefined ? "" : key.kind === "json" ? JSON.stringify(value) : String(value);
  if (key.kind === "integer" || key.kind === "number") {
    // A larger integer, such as a seed, would be rounded without a word.
    const most = key.kind === "integer" ? Math.min(key.most ?? Infinity, Number.MAX_SAFE_INTEGER) : key.most;
    return html`<input type="number" inputmode="decimal" step=${key.kind === "integer" ? "1" : "any"}
      min=${key.least ?? nothing} max=${most ?? nothing} ?required=${required} placeholder=${auto} .value=${text}
      @change=${changed} />`;
  }
  const list = key.offers ? `offers-${key.name}` : nothing;
  return html`<input type="text" maxlength="4000" spellcheck="false" autocomplete="off" list=${list}
    ?required=${required} placeholder=${auto} .value=${text} @change=${changed} />${
      key.offers
        ? html`<datalist id=${list}>${key.offers.map((offer) => html`<option value=${offer}></option>`)}</datalist>`
        : nothing
    }`;
}
