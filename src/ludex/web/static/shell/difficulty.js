// @ts-check
/** The difficulties of a game as the home page offers them: levels of the machine, or boards where one plays alone. */

import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { preferences } from "./preferences.js";

/** @typedef {import("./players.js").GameCard} GameCard */
/** @typedef {{ name: string, title: string, about: string }} Difficulty */

const SHOWN = 3;

/**
 * What a person can choose among, the easiest first.
 * @param {GameCard} card @param {string[]} levels those that play the board @returns {Difficulty[]}
 */
export function difficulties(card, levels) {
  const { language } = preferences;
  if (card.players === 2)
    return card.levels
      .filter(({ name }) => levels.includes(name))
      .map(({ name, title, description }) => ({ name, title: title[language], about: description[language] }));
  return card.presets.map((name) => {
    // A board's title is a word and its size, such as "Beginner · 9×9, 10 mines", or its size alone.
    const [title = "", about = ""] = (card.boards[name]?.[language] ?? name).split(" · ");
    return { name, title, about };
  });
}

/** Three at a time: the chosen one, and its neighbours. @param {Difficulty[]} all @param {string} chosen */
export function around(all, chosen) {
  const at = Math.max(
    0,
    all.findIndex(({ name }) => name === chosen),
  );
  const start = Math.max(0, Math.min(at - 1, all.length - SHOWN));
  return all.slice(start, start + SHOWN).map(({ name }) => name);
}

/**
 * One choice as a row of chips.
 *
 * @param {string} label
 * @param {string} group
 * @param {Difficulty[]} shown
 * @param {string} chosen
 * @param {(name: string) => void} choose
 */
export function chips(label, group, shown, chosen, choose) {
  return html`<fieldset class="chips"><legend class="unseen">${label}</legend>${shown.map(
    ({ name, title }) =>
      html`<label class="chip"><input type="radio" name=${group} value=${name} .checked=${live(name === chosen)}
        @change=${() => choose(name)} /><span>${title}</span></label>`,
  )}</fieldset>`;
}
