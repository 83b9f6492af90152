/** What a person chooses before a match begins, the difficulties among which they choose, and the request that follows. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { preferences } from "./preferences.js";

/**
 * @typedef {object} Choice
 * @property {string} preset
 * @property {Record<string, string>} options of the board, as typed
 * @property {string} level a level or an agent
 * @property {Record<string, Record<string, string>>} agentOptions by agent, as typed
 * @property {string} opponent the second machine where two play
 * @property {"first" | "second" | "chance"} seat
 * @property {boolean} rated against a machine; else hints, undo and its thoughts are open
 * @property {boolean} practice with a friend: hints and undo are open to both
 * @property {string} clock one of `CLOCKS`
 */

/** @typedef {"machine" | "watch" | "here" | "invite"} Kind */

/**
 * Time for a whole game, by the name people give it: minutes, and seconds that each move gives back.
 * @type {Map<string, Schemas["NewClock"] | null>}
 */
export const CLOCKS = new Map([
  ["", null],
  ["1+1", { seconds: 60, increment: 1 }],
  ["3+2", { seconds: 180, increment: 2 }],
  ["10+5", { seconds: 600, increment: 5 }],
]);

/**
 * A choice that the game still offers, from what was chosen before.
 *
 * @param {GameCard} card
 * @param {Partial<Choice>} before
 * @param {(board: string) => { levels: string[], agents: string[] }} players the levels and agents that support a board
 * @returns {Choice}
 */
export function choiceOf(card, before, players) {
  const preset = before.preset && card.presets.includes(before.preset) ? before.preset : (card.presets[0] ?? "");
  const options = before.options ?? {};
  const { levels, agents } = players(boardName(preset, options));
  const able = card.players === 1 ? [...agents, ...levels] : [...levels, ...agents];
  // A level for beginners; alone, the best adviser.
  const first =
    card.players === 2 && card.default_level !== null && levels.includes(card.default_level)
      ? card.default_level
      : able[0];
  /** @param {string | undefined} name */
  const offered = (name) => (name !== undefined && able.includes(name) ? name : (first ?? ""));
  return {
    preset,
    options,
    level: offered(before.level),
    agentOptions: before.agentOptions ?? {},
    opponent: offered(before.opponent),
    seat: before.seat ?? "first",
    rated: before.rated ?? false,
    practice: before.practice ?? false,
    clock: before.clock !== undefined && CLOCKS.has(before.clock) ? before.clock : "",
  };
}

/**
 * A board or an agent with options as the server names it, such as `expert:mines=80`.
 * @param {string} preset @param {Record<string, string>} options
 */
export function boardName(preset, options) {
  const set = Object.entries(options).filter(([, value]) => value !== "");
  return [preset, ...set.map(([key, value]) => `${key}=${value}`)].join(":");
}

/** Another board with the same switches: sizes are the board's own. @param {Choice} choice @param {string} preset */
export function otherBoard({ options }, preset) {
  const switches = Object.entries(options).filter(([, value]) => value === "true" || value === "false");
  return { preset, options: Object.fromEntries(switches) };
}

/** The match to ask for. @param {GameCard} card @param {Choice} choice @param {Kind} kind */
export function wish(card, choice, kind) {
  return {
    game: card.id,
    preset: boardName(choice.preset, choice.options),
    seats: seats(card, choice, kind),
    practice: kind === "invite" ? choice.practice : !choice.rated,
    clock: card.players === 2 ? (CLOCKS.get(choice.clock) ?? null) : null,
  };
}

/** @param {GameCard} card @param {Choice} choice @param {Kind} kind @returns {string[]} */
function seats(card, choice, kind) {
  /** @param {string} agent */
  const reference = (agent) => boardName(agent, choice.agentOptions[agent] ?? {});
  if (card.players === 1) return [kind === "watch" ? reference(choice.level) : "you"];
  if (kind === "watch") return [reference(choice.level), reference(choice.opponent)];
  const other = { machine: reference(choice.level), here: "you", invite: "open" }[kind];
  const second = choice.seat === "second" || (choice.seat === "chance" && Math.random() < 0.5);
  return second ? [other, "you"] : ["you", other];
}

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

/** What is said of an agent that is no level. @param {GameCard} card @param {string} name */
export function machineAbout(card, name) {
  return card.agents.find((agent) => agent.name === name)?.summary[preferences.language] ?? "";
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

/** A switch. @param {string} label @param {boolean} on @param {(on: boolean) => void} set @param {string} [title] */
export function check(label, on, set, title = "") {
  return html`<label class="check" title=${title}><input type="checkbox" .checked=${live(on)}
    @change=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked)} /> ${label}</label>`;
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
