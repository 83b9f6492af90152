// @ts-check
/** The games with a picture each, one button to play, and a person's own matches. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { ApiError, api } from "./api.js";
import { cardOf, introduce } from "./cards.js";
import { CLOCKS, boardName, chosen, wish } from "./choice.js";
import { icon } from "./icons.js";
import { ago, seatName } from "./names.js";
import { POLL_MS, progress, say as sayPreparing } from "./preparing.js";
import { calm, prefer, preferences } from "./preferences.js";
import { loadPreview, stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { dictionary, t } from "./texts.js";
import { learnLink, welcomed } from "./welcome.js";

/** @typedef {import("./players.js").GameCard} GameCard */
/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/renderer.js").Preview} Preview */

const say = dictionary({ en: () => import("./home.en.js"), fr: () => import("./home.fr.js") });

const TICK_MS = 1100;
const PAGE = 8;

/** The picture of a game that ships none. @param {string} title */
function initial(title) {
  return html`<svg viewBox="0 0 160 120"><text class="initial" x="80" y="82">${title.slice(0, 1)}</text></svg>`;
}

/** @param {Schemas["NewClock"] | null} clock */
function clockName(clock) {
  return clock ? say("clock_name", { minutes: clock.seconds / 60, seconds: clock.increment }) : say("no_clock");
}

/** @typedef {import("../types/page.js").Page} Page */

/** @implements {Page} */
export default class HomePage {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Schemas["Games"]} */
    this.games = { games: [], broken: [] };
    /** @type {Schemas["MatchLine"][]} */
    this.matches = [];
    /** @type {string | null} */
    this.before = null;
    /** @type {Map<string, Preview>} */
    this.pictures = new Map();
    this.tick = 0;
    this.timer = 0;
    this.closed = false;
    /** @type {string | null} */
    this.starting = null;
    /** @type {Map<string, Schemas["GamePreparation"]>} by game */
    this.preparations = new Map();
    /** @type {{ card: GameCard, kind: import("./choice.js").Kind } | null} the match that starts when its game is ready */
    this.awaited = null;
    this.poll = 0;
    /** @type {Map<string, Promise<Schemas["BoardCard"] | null>>} by game and board, for boards with options; null: refused */
    this.requested = new Map();
    /** @type {Map<string, Schemas["BoardCard"]>} those that have arrived */
    this.boards = new Map();
  }

  title() {
    return t("games");
  }

  async open() {
    const [games, recent] = await Promise.all([api.games(), api.matches({ yours: true, limit: PAGE }), stylesheet("/static/style/home.css")]);
    await introduce(games.games);
    this.games = games;
    this.matches = recent.matches;
    this.before = recent.before;
    this.prepare(games.games.map((card) => card.preparation));
    for (const card of games.games) void this.loadPicture(card);
    await Promise.all(games.games.map((card) => this.loadBoard(card)));
    if (!calm()) this.timer = window.setInterval(() => this.advance(), TICK_MS);
  }

  close() {
    clearInterval(this.timer);
    clearTimeout(this.poll);
    this.closed = true;
  }

  /** Store how far games are prepared, and poll until all are ready. @param {Schemas["GamePreparation"][]} preparations */
  prepare(preparations) {
    for (const one of preparations) this.preparations.set(one.game, one);
    clearTimeout(this.poll);
    const unsettled = [...this.preparations.values()].some(({ state }) => state === "waiting" || state === "compiling");
    if (unsettled && !this.closed) this.poll = window.setTimeout(() => void this.follow(), POLL_MS);
  }

  async follow() {
    try {
      this.prepare((await api.preparation()).games);
    } catch (error) {
      // A server that does not answer may be starting: retry.
      this.prepare([]);
      this.shell.fail(error);
    }
    const awaited = this.awaited;
    const state = awaited && this.preparations.get(awaited.card.id)?.state;
    if (awaited && state === "ready") void this.begin(awaited.card, awaited.kind);
    if (state === "failed") this.awaited = null;
    this.shell.redraw();
  }

  advance() {
    if (document.hidden) return;
    this.tick += 1;
    this.shell.redraw();
  }

  /** @param {GameCard} card */
  async loadPicture(card) {
    if (!card.pictured && !card.sketch) return;
    this.pictures.set(card.id, await (card.pictured ? loadPreview(card.id) : (await import("../generic/sketch.js")).sketch(card.sketch)));
    this.shell.redraw();
  }

  /** @param {GameCard} card */
  choice(card) {
    return chosen(card, preferences.choices[card.id] ?? {}, (board) => this.players(card, board));
  }

  /** The agents that support a board; of one with options the server knows. @param {GameCard} card @param {string} board */
  players(card, board) {
    if (!card.presets.includes(board)) return this.boards.get(`${card.id} ${board}`)?.agents ?? [];
    return card.agents.filter((agent) => agent.presets === null || agent.presets.includes(board)).map((agent) => agent.name);
  }

  /** The name and the players of a board with options, from the server; null if it refuses the board. @param {GameCard} card */
  async loadBoard(card) {
    const { preset, options } = this.choice(card);
    const board = boardName(preset, options);
    if (card.presets.includes(board)) return null;
    const key = `${card.id} ${board}`;
    let found = this.requested.get(key);
    if (!found) {
      found = api.board(card.id, board).then(
        (loaded) => {
          this.boards.set(key, loaded);
          this.shell.redraw();
          return loaded;
        },
        (error) => {
          this.requested.delete(key);
          this.shell.fail(error);
          return null;
        },
      );
      this.requested.set(key, found);
    }
    return found;
  }

  /** @param {GameCard} card @param {Partial<Choice>} changes */
  choose(card, changes) {
    // Only explicit choices are stored: otherwise each board has its own default opponent.
    prefer({ choices: { ...preferences.choices, [card.id]: { ...preferences.choices[card.id], ...changes } } });
    this.shell.redraw();
    if (changes.options) void this.loadBoard(card);
  }

  /** @param {GameCard} card @param {import("./choice.js").Kind} kind */
  async begin(card, kind) {
    if (this.starting) return;
    this.starting = card.id;
    this.awaited = null;
    this.shell.redraw();
    try {
      await this.loadBoard(card);
      const match = await api.create(wish(card, this.choice(card), kind));
      this.shell.go(`/match/${match.id}`);
    } catch (error) {
      const preparation = error instanceof ApiError ? error.preparation : null;
      if (preparation) this.prepare([preparation]);
      if (preparation?.state === "waiting" || preparation?.state === "compiling") this.wait(card, kind);
      else this.shell.fail(error);
    } finally {
      this.starting = null;
      this.shell.redraw();
    }
  }

  /** Start a match as soon as its game is ready. @param {GameCard} card @param {import("./choice.js").Kind} kind */
  wait(card, kind) {
    this.awaited = { card, kind };
    this.shell.announce(sayPreparing("starts_spoken"));
  }

  async older() {
    try {
      const found = await api.matches({ yours: true, limit: PAGE, before: this.before });
      this.matches = [...this.matches, ...found.matches];
      this.before = found.before;
      this.shell.redraw();
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** @param {Event} event */
  async bring(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (!file) return;
    try {
      const text = await file.text();
      JSON.parse(text);
      this.shell.go(`/match/${(await api.bring(text)).id}`);
    } catch (error) {
      input.value = "";
      if (error instanceof SyntaxError) this.shell.say(say("bad_file", { name: file.name }), "fault");
      else this.shell.fail(error);
    }
  }

  draw() {
    return html`
      <div class="home">
        <h1 class="hero">${say("tagline")}</h1>
        ${welcomed(this.games.games, this.shell.redraw)}
        <div class="cards">${this.games.games.map((card) => this.card(card))}</div>
        ${this.broken()}
        <section class="recent">
          <div class="heading">
            <h2>${say("recent")}</h2>
            <label class="button quiet">${icon("upload")} ${say("import")}<input class="unseen" type="file" accept=".json,.ludex,application/json" @change=${(/** @type {Event} */ event) => this.bring(event)} /></label>
          </div>
          ${this.matches.length ? html`<ul class="matches">${this.matches.map((line) => this.line(line))}</ul>` : html`<p class="muted">${say("none_recent")}</p>`}
          ${this.before ? html`<button class="quiet" @click=${() => this.older()}>${say("more_matches")}</button>` : nothing}
        </section>
      </div>
    `;
  }

  /** The games that cannot be played, and why. */
  broken() {
    const failed = this.games.games.map((card) => this.preparations.get(card.id)?.reason);
    const reasons = [...this.games.broken.map((problem) => problem.message), ...failed.filter(Boolean)];
    if (!reasons.length) return nothing;
    return html`<section class="panel fault"><h2>${say("broken")}</h2><ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul></section>`;
  }

  /** @param {GameCard} card */
  card(card) {
    const choice = this.choice(card);
    const picture = this.pictures.get(card.id);
    const text = cardOf(card.id);
    const busy = this.starting !== null;
    const awaited = this.awaited?.card.id === card.id;
    const board = boardName(choice.preset, choice.options);
    const able = this.players(card, board);
    const own = !card.presets.includes(board);
    const boards = own ? [...card.presets, board] : card.presets;
    const { language } = preferences;
    const boardNames = boards.map((one) => card.boards[one]?.[language] ?? this.boards.get(`${card.id} ${one}`)?.title[language] ?? one);
    const summary = text?.agents?.[choice.level] ?? card.agents.find((agent) => agent.name === choice.level)?.summary;
    return html`
      <article class="card" aria-labelledby="card-${card.id}">
        <div class="view">
          <div class="picture" aria-hidden="true">${picture ? picture(this.tick) : !card.pictured && !card.sketch ? initial(card.title) : nothing}</div>
          ${progress(this.preparations.get(card.id) ?? card.preparation)}
        </div>
        <div class="about">
          <h2 id="card-${card.id}">${text?.title ?? card.title}</h2>
          <p class="muted">${text?.summary ?? card.summary}</p>
          ${learnLink(card)}
        </div>
        <div class="choosers">
          ${select(say("board"), boards, board, (preset) => this.choose(card, { preset, options: {} }), { names: boardNames })}
          ${card.players === 2 ? select(say("level"), able, choice.level, (level) => this.choose(card, { level })) : nothing}
          ${card.players === 2
            ? select(say("seat"), ["first", "second", "chance"], choice.seat, (seat) => this.choose(card, { seat: /** @type {Choice["seat"]} */ (seat) }), { names: [say("seat_first"), say("seat_second"), say("seat_chance")] })
            : nothing}
        </div>
        ${card.players === 2 ? html`<p class="level muted">${summary ?? nothing}</p>` : nothing}
        <button class="primary large" ?disabled=${busy || awaited} @click=${() => this.begin(card, "machine")}>${awaited ? sayPreparing("starts") : html`${icon("play")} ${say("play")}`}<span class="unseen"> ${text?.title ?? card.title}</span></button>
        <details name="ways">
          <summary>${say("more")}</summary>
          <div class="ways">
            ${card.players === 2
              ? html`
                  ${select(say("clock"), [...CLOCKS.keys()], choice.clock, (clock) => this.choose(card, { clock }), { names: [...CLOCKS.values()].map(clockName) })}
                  <button ?disabled=${busy} @click=${() => this.begin(card, "here")}>${icon("people")} ${say("here")}</button>
                  <button ?disabled=${busy} @click=${() => this.begin(card, "invite")}>${icon("invite")} ${say("invite")}</button>
                  <div class="pair">
                    ${select(say("machine"), able, choice.level, (name) => this.choose(card, { level: name }))}
                    ${select(say("versus"), able, choice.rival, (rival) => this.choose(card, { rival }))}
                  </div>
                  <button ?disabled=${busy} @click=${() => this.begin(card, "watch")}>${icon("eye")} ${say("watch")}</button>
                `
              : html`
                  ${select(say("machine"), able, choice.level, (name) => this.choose(card, { level: name }))}
                  <button ?disabled=${busy} @click=${() => this.begin(card, "watch")}>${icon("eye")} ${say("watch_one")}</button>
                `}
            <label class="check"><input type="checkbox" .checked=${live(choice.practice)} @change=${(/** @type {Event} */ event) => this.choose(card, { practice: /** @type {HTMLInputElement} */ (event.target).checked })} /> ${say("practice")}</label>
            ${this.options(card, choice)} ${this.agentOptions(card, choice)}
          </div>
        </details>
      </article>
    `;
  }

  /** What a board can be set to. @param {GameCard} card @param {Choice} choice */
  options(card, choice) {
    const set = (/** @type {string} */ key, /** @type {string} */ value) => this.choose(card, { options: { ...choice.options, [key]: value } });
    return this.fields(say("options"), card.options, choice.options, (key) => card.option_titles[key]?.[preferences.language] ?? key, set);
  }

  /** What the chosen agent can be set to. @param {GameCard} card @param {Choice} choice */
  agentOptions(card, choice) {
    const agent = card.agents.find(({ name }) => name === choice.level);
    if (!agent) return nothing;
    const given = choice.agentOptions[agent.name] ?? {};
    const set = (/** @type {string} */ key, /** @type {string} */ value) => this.choose(card, { agentOptions: { ...choice.agentOptions, [agent.name]: { ...given, [key]: value } } });
    return html`${this.fields(say("agent_options", { agent: agent.name }), agent.options, given, (key) => key.replaceAll("_", " "), set)}
      ${card.rankings ? html`<a href="/rankings" data-page>${say("rankings")}</a>` : nothing}`;
  }

  /**
   * A field per property of a JSON schema.
   *
   * @param {string} legend
   * @param {Record<string, any>} options
   * @param {Record<string, string>} given
   * @param {(key: string) => string} title
   * @param {(key: string, value: string) => void} set
   */
  fields(legend, options, given, title, set) {
    const properties = /** @type {Record<string, any>} */ (options.properties ?? {});
    const keys = Object.keys(properties);
    if (!keys.length) return nothing;
    return html`<fieldset class="options"><legend>${legend}</legend>${keys.map((key) => {
      const schema = properties[key];
      const label = title(key);
      const value = given[key] ?? "";
      const values = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
      if (values) return select(label, ["", ...values], value, (one) => set(key, one), { names: [say("as_board"), ...values.map((/** @type {string} */ one) => ({ true: say("yes"), false: say("no") })[one] ?? one)] });
      const whole = schema.type === "integer" || schema.type === "number";
      return html`<label class="field" ><span>${label}</span><input type=${whole ? "number" : "text"} min=${schema.minimum ?? nothing} max=${schema.maximum ?? nothing} placeholder=${say("as_board")} .value=${value} @change=${(/** @type {Event} */ event) => set(key, /** @type {HTMLInputElement} */ (event.target).value)} /></label>`;
    })}</fieldset>`;
  }

  /** @param {Schemas["MatchLine"]} line */
  line(line) {
    const { language } = preferences;
    return html`<li>
      <a href="/match/${line.id}" data-page>
        <span class="dot ${line.live ? "live" : ""}" aria-hidden="true"></span>
        <strong>${line.names[language]}</strong>
        <span class="preset muted" title=${line.preset}>${line.board[language]}</span>
        <span class="seated">${line.agents.map(seatName).join(" – ")}</span>
        <span class="muted standing">${line.fault ?? (line.live ? say("in_progress") : line.status)}</span>
        <time class="muted" datetime=${line.updated_utc}>${ago(line.updated_utc)}</time>
      </a>
    </li>`;
  }
}

