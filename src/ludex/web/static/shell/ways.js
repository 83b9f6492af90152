/** What is under "More" on the card of a game: boards, seats, clocks, friends, two machines, options, engine details. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { boardName, check, CLOCKS, machineAbout, otherBoard } from "./choice.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { select, typed } from "./select.js";
import { texts } from "./texts.js";

/** @typedef {import("./home.js").default} HomePage */
/** @typedef {import("./choice.js").Choice} Choice */

const say = texts("home", "page");

/** @param {Schemas["NewClock"] | null} clock */
function clockName(clock) {
  return clock ? say("clock_name", { minutes: clock.seconds / 60, seconds: clock.increment }) : say("no_clock");
}

/** The names of levels and agents for people. @param {GameCard} card @param {string[]} names */
function machineNames(card, names) {
  const { language } = preferences;
  return names.map((one) => [...card.levels, ...card.agents].find(({ name }) => name === one)?.title[language] ?? one);
}

/**
 * Everything that a game in one click does not need.
 * @param {HomePage} page @param {GameCard} card @param {Choice} choice @param {boolean} busy
 */
export function ways(page, card, choice, busy) {
  const { language } = preferences;
  const board = boardName(choice.preset, choice.options);
  const { levels, agents } = page.players(card, board);
  const boards = card.presets.includes(board) ? card.presets : [...card.presets, board];
  const boardNames = boards.map(
    (one) => card.boards[one]?.[language] ?? page.boards.get(`${card.id} ${one}`)?.title[language] ?? one,
  );
  const machines = [...new Set([...levels, ...agents])];
  const edit = card.editor
    ? html`<a class="button" href="/edit/${card.id}?board=${board}" data-page>${say("edit")}</a>`
    : nothing;
  const opponents = levels.includes(choice.level) ? levels : [...levels, choice.level];
  /** @param {string} label @param {string[]} names @param {string} value @param {(name: string) => void} change */
  const machine = (label, names, value, change) =>
    select(label, names, value, change, { names: machineNames(card, names) });
  const chooseBoard = select(say("board"), boards, board, (preset) => page.choose(card, otherBoard(choice, preset)), {
    names: boardNames,
  });
  if (card.players === 1) {
    return html`
      ${chooseBoard}
      ${machine(say("machine"), machines, choice.level, (level) => page.choose(card, { level }))}
      <button ?disabled=${busy} @click=${() => page.begin(card, "watch")}>${icon("eye")} ${say("watch_one")}</button>
      ${edit}
      ${boardOptions(page, card, choice)} ${engine(page, card, choice, agents)}
    `;
  }
  return html`
    ${chooseBoard}
    <div class="pair">
      ${machine(say("level"), opponents, choice.level, (level) => page.choose(card, { level }))}
      ${select(
        say("seat"),
        ["first", "second", "chance"],
        choice.seat,
        (seat) => page.choose(card, { seat: /** @type {Choice["seat"]} */ (seat) }),
        { names: [say("seat_first"), say("seat_second"), say("seat_chance")] },
      )}
    </div>
    ${select(say("clock"), [...CLOCKS.keys()], choice.clock, (clock) => page.choose(card, { clock }), {
      names: [...CLOCKS.values()].map(clockName),
    })}
    ${toggle(page, card, choice, "rated")} ${toggle(page, card, choice, "practice")}
    <button ?disabled=${busy} @click=${() => page.begin(card, "here")}>${icon("people")} ${say("here")}</button>
    <div class="pair">
      ${machine(say("machine"), machines, choice.level, (level) => page.choose(card, { level }))}
      ${machine(say("versus"), machines, choice.opponent, (opponent) => page.choose(card, { opponent }))}
    </div>
    <button ?disabled=${busy} @click=${() => page.begin(card, "watch")}>${icon("eye")} ${say("watch")}</button>
    ${edit}
    ${boardOptions(page, card, choice)} ${engine(page, card, choice, agents)}
  `;
}

/** @param {HomePage} page @param {GameCard} card @param {Choice} choice @param {"rated" | "practice"} name */
function toggle(page, card, choice, name) {
  return check(say(name), choice[name], (on) => page.choose(card, { [name]: on }));
}

/**
 * The agents by the names that commands use, with their options.
 * @param {HomePage} page @param {GameCard} card @param {Choice} choice @param {string[]} agents
 */
function engine(page, card, choice, agents) {
  const names = agents.includes(choice.level) ? agents : [choice.level, ...agents];
  const level = card.levels.find(({ name }) => name === choice.level);
  return html`<details class="engine">
    <summary>${say("engine")}</summary>
    <div class="ways">
      ${select(say("agent"), names, choice.level, (name) => page.choose(card, { level: name }))}
      ${level ? html`<p class="muted"><code>${level.agent}</code></p>` : html`<p class="muted">${machineAbout(card, choice.level)}</p>`}
      ${agentOptions(page, card, choice)}
    </div>
  </details>`;
}

/** What a board can be set to. @param {HomePage} page @param {GameCard} card @param {Choice} choice */
function boardOptions(page, card, choice) {
  const set = (/** @type {string} */ key, /** @type {string} */ value) =>
    page.choose(card, { options: { ...choice.options, [key]: value } });
  const { language } = preferences;
  const valued = (/** @type {string} */ key, /** @type {string} */ value) =>
    card.option_values[key]?.[value]?.[language] ?? value;
  return fields(
    say("options"),
    card.options,
    choice.options,
    (key) => card.option_titles[key]?.[language] ?? key,
    set,
    valued,
  );
}

/** What the chosen agent can be set to. @param {HomePage} page @param {GameCard} card @param {Choice} choice */
function agentOptions(page, card, choice) {
  const agent = card.agents.find(({ name }) => name === choice.level);
  if (!agent) return nothing;
  const options = choice.agentOptions[agent.name] ?? {};
  const set = (/** @type {string} */ key, /** @type {string} */ value) =>
    page.choose(card, { agentOptions: { ...choice.agentOptions, [agent.name]: { ...options, [key]: value } } });
  return html`${fields(say("agent_options", { agent: agent.name }), agent.options, options, (key) => key.replaceAll("_", " "), set)}`;
}

/**
 * A field per property of a JSON schema.
 *
 * @param {string} legend
 * @param {Record<string, any>} options
 * @param {Record<string, string>} chosen
 * @param {(key: string) => string} title
 * @param {(key: string, value: string) => void} set
 * @param {(key: string, value: string) => string} [valued] what people call a value
 */
function fields(legend, options, chosen, title, set, valued = (_, value) => value) {
  const properties = /** @type {Record<string, any>} */ (options.properties ?? {});
  const keys = Object.keys(properties);
  if (!keys.length) return nothing;
  return html`<fieldset class="options"><legend>${legend}</legend>${keys.map((key) => {
    const schema = properties[key];
    const label = title(key);
    const value = chosen[key] ?? "";
    const values = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
    if (values)
      return select(label, ["", ...values], value, (one) => set(key, one), {
        names: [
          say("as_board"),
          ...values.map(
            (/** @type {string} */ one) => ({ true: say("yes"), false: say("no") })[one] ?? valued(key, one),
          ),
        ],
      });
    const whole = schema.type === "integer" || schema.type === "number";
    return html`<label class="field" ><span>${label}</span><input type=${whole ? "number" : "text"}
      min=${schema.minimum ?? nothing} max=${schema.maximum ?? nothing} placeholder=${say("as_board")} .value=${value}
      @change=${typed((text) => set(key, text))} /></label>`;
  })}</fieldset>`;
}
