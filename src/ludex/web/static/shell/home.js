// @ts-check
/** The games with a picture each, one button to play, and a person's own matches. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { ApiError, api } from "./api.js";
import { cardOf, introduce } from "./cards.js";
import { CLOCKS, boardName, chosen, wish } from "./choice.js";
import { around, chips, difficulties } from "./difficulty.js";
import { icon } from "./icons.js";
import { ago, lineNames } from "./names.js";
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
/** Trained agents that a card offers besides the difficulties around the chosen one; all of them are under "More". */
const KEPT = 2;

/** The picture of a game that ships none. @param {string} title */
function initial(title) {
  return html`<svg viewBox="0 0 160 120"><text class="initial" x="80" y="82">${title.slice(0, 1)}</text></svg>`;
}

/** Move what follows the cards below the part of one that is open. */
function makeRoom() {
  const cards = /** @type {HTMLElement | null} */ (document.querySelector(".cards"));
  if (!cards) return;
  const open = cards.querySelector("details[open] > .ways")?.getBoundingClientRect().bottom ?? 0;
  cards.style.paddingBottom = "";
  cards.style.paddingBottom = `${Math.max(0, open - cards.getBoundingClientRect().bottom)}px`;
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
    /** Keeps room for what is open below a card, so that it lies over cards alone. */
    this.room = new ResizeObserver(makeRoom);
    /** Toggles do not bubble. */
    this.opening = { handleEvent: (/** @type {Event} */ event) => this.opened(event), capture: true };
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
    /** @type {Map<string, string[]>} by game, the difficulties that are shown: they stay while the page is open */
    this.shown = new Map();
    /** @type {Map<string, Schemas["LevelOffer"]>} by game, where the last results suggest another difficulty */
    this.offers = new Map();
  }

  title() {
    return t("games");
  }

  async open() {
    const [games, recent, { offers }] = await Promise.all([api.games(), api.matches({ yours: true, limit: PAGE }), api.levelOffers(), stylesheet("/static/style/home.css")]);
    await introduce(games.games);
    this.games = games;
    this.matches = recent.matches;
    this.before = recent.before;
    this.offers = new Map(offers.map((offer) => [offer.game, offer]));
    this.prepare(games.games.map((card) => card.preparation));
    for (const card of games.games) void this.loadPicture(card);
    await Promise.all(games.games.map((card) => this.loadBoard(card)));
    if (!calm()) this.timer = window.setInterval(() => this.advance(), TICK_MS);
  }

  close() {
    this.room.disconnect();
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

  /** @param {Event} event */
  opened(event) {
    const ways = /** @type {Element} */ (event.target).closest(".card > details")?.querySelector(".ways");
    if (ways) this.room.observe(ways);
    makeRoom();
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

  /** The levels and agents that support a board; of one with options the server knows. @param {GameCard} card @param {string} board */
  players(card, board) {
    if (!card.presets.includes(board)) return this.boards.get(`${card.id} ${board}`) ?? { levels: [], agents: [] };
    /** @param {{ name: string, presets: string[] | null }[]} all */
    const able = (all) => all.filter(({ presets }) => presets === null || presets.includes(board)).map(({ name }) => name);
    return { levels: able(card.levels), agents: able(card.agents) };
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
        ${this.unfinished()}
        <div class="cards" @toggle=${this.opening}>${this.games.games.map((card) => this.card(card))}</div>
        <p class="elsewhere"><a class="continue" href="/puzzles" data-page><strong>${say("puzzles")}</strong> <span class="muted">${say("puzzles_about")}</span></a>
          <a class="continue" href="/lab" data-page><strong>${say("lab")}</strong> <span class="muted">${say("lab_about")}</span></a>
          <a class="continue" href="/me" data-page><strong>${say("me")}</strong> <span class="muted">${say("me_about")}</span></a></p>
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

  /** The last match of the person that is not over. */
  unfinished() {
    const line = this.matches.find(({ live, agents, fault }) => live && !fault && agents.includes("you"));
    if (!line) return nothing;
    const { language } = preferences;
    return html`<a class="continue" href="/match/${line.id}" data-page>${icon("play")} <strong>${say("continue")}</strong> <span>${line.names[language]} · ${line.board[language]}</span> <span class="muted">${lineNames(line)}</span></a>`;
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
    const { levels } = this.players(card, boardName(choice.preset, choice.options));
    const all = difficulties(card, levels);
    const alone = card.players === 1;
    const picked = alone ? choice.preset : choice.level;
    const shown = this.shownOf(card, all, picked);
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
        ${chips(say("difficulty"), `difficulty-${card.id}`, shown, picked, (name) => this.choose(card, alone ? { preset: name, options: {} } : { level: name }))}
        <div class="level"><p class="muted">${all.find(({ name }) => name === picked)?.about ?? this.machineAbout(card, choice.level)}</p>${this.offer(card, picked, all)}</div>
        <button class="primary large" ?disabled=${busy || awaited} @click=${() => this.begin(card, "machine")}>${awaited ? sayPreparing("starts") : html`${icon("play")} ${say("play")}`}<span class="unseen"> ${text?.title ?? card.title}</span></button>
        <details name="ways">
          <summary>${say("more")}</summary>
          <div class="ways">${this.ways(card, choice, busy)}</div>
        </details>
      </article>
    `;
  }

  /** The difficulties on show: the same while the page is open, unless another one is chosen elsewhere. @param {GameCard} card @param {import("./difficulty.js").Difficulty[]} all @param {string} picked */
  shownOf(card, all, picked) {
    let names = this.shown.get(card.id) ?? [];
    const known = all.some(({ name }) => name === picked);
    if (!names.length || names.some((name) => !all.some((one) => one.name === name)) || (known && !names.includes(picked))) {
      names = around(all, known ? picked : (card.default_level ?? ""));
      this.shown.set(card.id, names);
    }
    const kept = card.levels.filter((level) => level.kept).slice(-KEPT).map(({ name }) => name);
    return all.filter(({ name }) => names.includes(name) || kept.includes(name));
  }

  /** Another difficulty, where the last results suggest one. @param {GameCard} card @param {string} picked @param {import("./difficulty.js").Difficulty[]} all */
  offer(card, picked, all) {
    const offer = this.offers.get(card.id);
    const next = all.find(({ name }) => name === offer?.offer);
    if (!offer || !next || offer.level !== picked) return nothing;
    const take = () => this.choose(card, card.players === 1 ? { preset: next.name, options: {} } : { level: next.name });
    return html`<button class="offer" @click=${take}>${offer.text?.[preferences.language]}</button>`;
  }

  /** What is said of an agent that is no level. @param {GameCard} card @param {string} name */
  machineAbout(card, name) {
    return cardOf(card.id)?.agents?.[name] ?? card.agents.find((agent) => agent.name === name)?.summary ?? nothing;
  }

  /** The names of levels and agents for people. @param {GameCard} card @param {string[]} names */
  machineNames(card, names) {
    const { language } = preferences;
    return names.map((one) => [...card.levels, ...card.agents].find(({ name }) => name === one)?.title[language] ?? one);
  }

  /** Everything that a game in one click does not need. @param {GameCard} card @param {Choice} choice @param {boolean} busy */
  ways(card, choice, busy) {
    const { language } = preferences;
    const board = boardName(choice.preset, choice.options);
    const { levels, agents } = this.players(card, board);
    const boards = card.presets.includes(board) ? card.presets : [...card.presets, board];
    const boardNames = boards.map((one) => card.boards[one]?.[language] ?? this.boards.get(`${card.id} ${one}`)?.title[language] ?? one);
    const machines = [...new Set([...levels, ...agents])];
    const opponents = levels.includes(choice.level) ? levels : [...levels, choice.level];
    /** @param {string} label @param {string[]} names @param {string} value @param {(name: string) => void} change */
    const machine = (label, names, value, change) => select(label, names, value, change, { names: this.machineNames(card, names) });
    const chooseBoard = select(say("board"), boards, board, (preset) => this.choose(card, { preset, options: {} }), { names: boardNames });
    if (card.players === 1) {
      return html`
        ${chooseBoard}
        ${machine(say("machine"), machines, choice.level, (level) => this.choose(card, { level }))}
        <button ?disabled=${busy} @click=${() => this.begin(card, "watch")}>${icon("eye")} ${say("watch_one")}</button>
        ${this.practice(card, choice)} ${this.options(card, choice)} ${this.engine(card, choice, agents)}
      `;
    }
    return html`
      ${chooseBoard}
      <div class="pair">
        ${machine(say("level"), opponents, choice.level, (level) => this.choose(card, { level }))}
        ${select(say("seat"), ["first", "second", "chance"], choice.seat, (seat) => this.choose(card, { seat: /** @type {Choice["seat"]} */ (seat) }), { names: [say("seat_first"), say("seat_second"), say("seat_chance")] })}
      </div>
      ${select(say("clock"), [...CLOCKS.keys()], choice.clock, (clock) => this.choose(card, { clock }), { names: [...CLOCKS.values()].map(clockName) })}
      ${this.practice(card, choice)}
      <button ?disabled=${busy} @click=${() => this.begin(card, "here")}>${icon("people")} ${say("here")}</button>
      <button ?disabled=${busy} @click=${() => this.begin(card, "invite")}>${icon("invite")} ${say("invite")}</button>
      <div class="pair">
        ${machine(say("machine"), machines, choice.level, (level) => this.choose(card, { level }))}
        ${machine(say("versus"), machines, choice.opponent, (opponent) => this.choose(card, { opponent }))}
      </div>
      <button ?disabled=${busy} @click=${() => this.begin(card, "watch")}>${icon("eye")} ${say("watch")}</button>
      ${this.options(card, choice)} ${this.engine(card, choice, agents)}
    `;
  }

  /** @param {GameCard} card @param {Choice} choice */
  practice(card, choice) {
    return html`<label class="check"><input type="checkbox" .checked=${live(choice.practice)} @change=${(/** @type {Event} */ event) => this.choose(card, { practice: /** @type {HTMLInputElement} */ (event.target).checked })} /> ${say("practice")}</label>`;
  }

  /** The agents by the names that commands use, with their options. @param {GameCard} card @param {Choice} choice @param {string[]} agents */
  engine(card, choice, agents) {
    const names = agents.includes(choice.level) ? agents : [choice.level, ...agents];
    const level = card.levels.find(({ name }) => name === choice.level);
    return html`<details class="engine">
      <summary>${say("engine")}</summary>
      <div class="ways">
        ${select(say("agent"), names, choice.level, (name) => this.choose(card, { level: name }))}
        ${level ? html`<p class="muted"><code>${level.agent}</code></p>` : html`<p class="muted">${this.machineAbout(card, choice.level)}</p>`}
        ${this.agentOptions(card, choice)}
      </div>
    </details>`;
  }

  /** What a board can be set to. @param {GameCard} card @param {Choice} choice */
  options(card, choice) {
    const set = (/** @type {string} */ key, /** @type {string} */ value) => this.choose(card, { options: { ...choice.options, [key]: value } });
    const { language } = preferences;
    const valued = (/** @type {string} */ key, /** @type {string} */ value) => card.option_values[key]?.[value]?.[language] ?? value;
    return this.fields(say("options"), card.options, choice.options, (key) => card.option_titles[key]?.[language] ?? key, set, valued);
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
   * @param {(key: string, value: string) => string} [valued] what people call a value
   */
  fields(legend, options, given, title, set, valued = (_, value) => value) {
    const properties = /** @type {Record<string, any>} */ (options.properties ?? {});
    const keys = Object.keys(properties);
    if (!keys.length) return nothing;
    return html`<fieldset class="options"><legend>${legend}</legend>${keys.map((key) => {
      const schema = properties[key];
      const label = title(key);
      const value = given[key] ?? "";
      const values = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
      if (values) return select(label, ["", ...values], value, (one) => set(key, one), { names: [say("as_board"), ...values.map((/** @type {string} */ one) => ({ true: say("yes"), false: say("no") })[one] ?? valued(key, one))] });
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
        <span class="seated">${lineNames(line)}</span>
        <span class="muted standing" title=${line.fault ?? nothing}>${line.result[language]}</span>
        <time class="muted" datetime=${line.updated_utc}>${ago(line.updated_utc)}</time>
      </a>
    </li>`;
  }
}

