/** The games with a picture each and one button to play. `ways.js` draws what else a card offers, `ownmatches.js` the list below. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, ApiError } from "./api.js";
import { around, boardName, check, chips, choiceOf, difficulties, machineAbout, otherBoard, wish } from "./choice.js";
import { hero, learnLink } from "./hero.js";
import { icon } from "./icons.js";
import { OwnMatches } from "./ownmatches.js";
import { BasePage } from "./page.js";
import { calm, chooseFor, preferences } from "./preferences.js";
import { POLL_MS, progress, say as sayPreparing } from "./preparing.js";
import { loadPicture } from "./pictures.js";
import { t, texts } from "./texts.js";

/** @typedef {import("./choice.js").Choice} Choice */

const say = texts("home", "page");

const TICK_MS = 1100;
/** After so long, a match that does not begin says what it waits for. */
const SLOW_MS = 700;
/** Trained agents that a card offers besides the difficulties around the chosen one; all of them are under "More". */
const KEPT = 2;

/** The picture of a game that ships none. @param {string} title */
function initial(title) {
  return html`<svg viewBox="0 0 160 120"><text class="initial" x="80" y="82">${title.slice(0, 1)}</text></svg>`;
}

/** Move what follows the cards below the part of one that is open. */
function makeRoom() {
  for (const cards of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".cards"))) {
    const open = cards.querySelector("details[open] > .ways")?.getBoundingClientRect().bottom ?? 0;
    cards.style.paddingBottom = "";
    cards.style.paddingBottom = `${Math.max(0, open - cards.getBoundingClientRect().bottom)}px`;
  }
}

/** The cards by the title of their row, those without one first. @param {GameCard[]} cards */
function shelves(cards) {
  /** @type {Map<string, GameCard[]>} */
  const rows = new Map([["", []]]);
  for (const card of cards) {
    const title = card.shelf?.[preferences.language] ?? "";
    rows.set(title, [...(rows.get(title) ?? []), card]);
  }
  return rows;
}

export default class HomePage extends BasePage {
  static styles = ["home", "daily"];
  /** @type {Schemas["Games"]} */
  games = { games: [], broken: [] };
  own = new OwnMatches(this.shell);
  /** @type {Map<string, Preview>} */
  pictures = new Map();
  tick = 0;
  timer = 0;
  /** Keeps room for what is open below a card, so that it lies over cards alone. */
  room = new ResizeObserver(makeRoom);
  /** Toggles do not bubble. */
  opening = { handleEvent: (/** @type {Event} */ event) => void this.openMore(event), capture: true };
  /** @type {string | null} */
  starting = null;
  /** Whether its board takes long to make. */
  slow = false;
  /** Counts what was begun or cancelled. */
  begun = 0;
  /** @type {Map<string, Schemas["GamePreparation"]>} by game */
  preparations = new Map();
  /**
   * The match that starts when its game and its agents are ready.
   * @type {{ card: GameCard, kind: import("./choice.js").Kind, kernels: Schemas["GamePreparation"]["kernels"] } | null}
   */
  awaited = null;
  poll = 0;
  /** @type {Map<string, Promise<Schemas["BoardCard"] | null>>} by game and board, for boards with options; null: refused */
  requested = new Map();
  /** @type {Map<string, Schemas["BoardCard"]>} those that have arrived */
  boards = new Map();
  /** @type {Map<string, string[]>} by game, the difficulties that are shown: they stay while the page is open */
  shownLevels = new Map();
  /** @type {Map<string, Schemas["LevelOffer"]>} by game, where the last results suggest another difficulty */
  offers = new Map();
  /** What is under "More", loaded when it is opened. @type {typeof import("./ways.js") | null} */
  more = null;
  /** @type {import("./daily.js").Daily | null | undefined} the puzzle of the day, loaded after the page; undefined until then */
  daily = undefined;

  title() {
    return t("play");
  }

  async open() {
    const [games, { offers }] = await Promise.all([api.games(), api.levelOffers(), this.own.open(), this.own.watch()]);
    this.games = games;
    this.offers = new Map(offers.map((offer) => [offer.game, offer]));
    this.prepare(games.games.map((card) => card.preparation));
    for (const card of games.games) void this.loadPicture(card);
    await Promise.all(games.games.map((card) => this.loadBoard(card)));
    void this.loadDaily();
    if (!calm()) this.timer = window.setInterval(() => document.hidden || this.advance(), TICK_MS);
  }

  close() {
    super.close();
    this.room.disconnect();
    this.begun += 1;
    clearInterval(this.timer);
    clearTimeout(this.poll);
  }

  async loadDaily() {
    const { Daily } = await import("./daily.js");
    await this.shell.attempt(async () => {
      this.daily = await Daily.load(this.shell);
    });
    await this.loadDailyBoard();
  }

  /** Show the board of the puzzle of the day as soon as its game is ready. */
  async loadDailyBoard() {
    const { daily } = this;
    if (daily && !daily.board && this.preparations.get(daily.daily.game)?.state === "ready")
      await daily.loadBoard(this.games.games);
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
      const { games, agents } = await api.preparation();
      const { card, kernels } = this.awaited ?? {};
      const prepared = games.filter(
        (one) => one.state === "ready" && this.preparations.get(one.game)?.state !== "ready",
      );
      void this.loadSketches(prepared.map(({ game }) => game));
      this.prepare([...games, ...agents.filter(({ game }) => kernels === "agents" && game === card?.id)]);
    } catch (error) {
      // A server that does not answer may be starting: retry.
      this.prepare([]);
      this.shell.fail(error);
    }
    void this.loadDailyBoard();
    const awaited = this.awaited;
    const state = awaited && this.preparations.get(awaited.card.id)?.state;
    if (awaited && state === "ready") void this.begin(awaited.card, awaited.kind);
    if (state === "failed") this.awaited = null;
    this.shell.redraw();
  }

  /** @param {Event} event */
  async openMore(event) {
    const ways = /** @type {Element} */ (event.target).closest(".card > details")?.querySelector(".ways");
    if (ways) this.room.observe(ways);
    this.more ??= await import("./ways.js");
    this.shell.redraw();
    makeRoom();
  }

  advance() {
    this.tick += 1;
    this.shell.redraw();
  }

  /** Load the pictures that are drawn by rules which have just been compiled. @param {string[]} games */
  async loadSketches(games) {
    const drawn = (/** @type {GameCard} */ { id, pictured }) => !pictured && games.includes(id);
    if (!this.games.games.some(drawn)) return;
    await this.shell.attempt(async () => {
      const { games: cards } = await api.games();
      await Promise.all(cards.filter(drawn).map((card) => this.loadPicture(card)));
    });
  }

  /** @param {GameCard} card */
  async loadPicture(card) {
    const picture = await loadPicture(card);
    if (picture) this.pictures.set(card.id, picture);
    this.shell.redraw();
  }

  /** @param {GameCard} card */
  choice(card) {
    return choiceOf(card, preferences.choices[card.id] ?? {}, (board) => this.players(card, board));
  }

  /** The levels and agents that support a board; of one with options the server knows. @param {GameCard} card @param {string} board */
  players(card, board) {
    if (!card.presets.includes(board)) return this.boards.get(`${card.id} ${board}`) ?? { levels: [], agents: [] };
    /** @param {{ name: string, presets: string[] | null }[]} all */
    const able = (all) =>
      all.filter(({ presets }) => presets === null || presets.includes(board)).map(({ name }) => name);
    return { levels: able(card.levels), agents: able(card.agents) };
  }

  /** The name and the players of a board with options, from the server; null if it refuses the board. @param {GameCard} card */
  async loadBoard(card) {
    const { preset, options } = this.choice(card);
    const board = boardName(preset, options);
    if (card.presets.includes(board)) return null;
    const key = `${card.id} ${board}`;
    let loading = this.requested.get(key);
    if (!loading) {
      loading = api.board(card.id, board).then(
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
      this.requested.set(key, loading);
    }
    return loading;
  }

  /** @param {GameCard} card @param {Partial<Choice>} changes */
  choose(card, changes) {
    // Only explicit choices are stored: otherwise each board has its own default opponent.
    chooseFor(card.id, changes);
    this.shell.redraw();
    if (changes.options) void this.loadBoard(card);
  }

  /** @param {GameCard} card @param {import("./choice.js").Kind} kind */
  async begin(card, kind) {
    if (this.starting) return;
    const number = ++this.begun;
    this.starting = card.id;
    this.awaited = null;
    const slow = setTimeout(() => {
      this.slow = true;
      this.shell.redraw();
    }, SLOW_MS);
    this.shell.redraw();
    try {
      await this.loadBoard(card);
      const match = await api.create(wish(card, this.choice(card), kind));
      // Who no longer waits for a match wants none.
      if (number === this.begun) this.shell.go(`/match/${match.id}`);
      else await api.remove(match.id);
    } catch (error) {
      if (number !== this.begun) return;
      const preparation = error instanceof ApiError ? error.preparation : null;
      const waits = preparation?.state === "waiting" || preparation?.state === "compiling";
      // A game is not unavailable because some of its agents are.
      if (preparation && (waits || preparation.kernels === "player")) this.prepare([preparation]);
      if (preparation && waits) {
        this.awaited = { card, kind, kernels: preparation.kernels };
        this.shell.announce(sayPreparing("starts_spoken"));
      } else this.shell.fail(error);
    } finally {
      clearTimeout(slow);
      if (number === this.begun) this.rest();
    }
  }

  /** Wait for no match any more. */
  rest() {
    this.begun += 1;
    [this.starting, this.slow] = [null, false];
    this.shell.redraw();
  }

  /** That the board of a game is being made, which may be cancelled; null if that takes no time. @param {GameCard} card */
  making(card) {
    if (!this.slow || this.starting !== card.id) return null;
    return html`<p class="making" role="status"><span class="spinner" aria-hidden="true"></span> ${say("making")}</p>
      <button class="large" @click=${() => this.rest()}>${say("cancel")}</button>`;
  }

  draw() {
    return html`
      <div class="home">
        ${hero(this)}
        ${[...shelves(this.games.games)].map(
          ([title, cards]) => html`${title ? html`<h2 class="shelf">${title}</h2>` : nothing}
            <div class="cards" @toggle=${this.opening}>${cards.map((card) => this.card(card))}</div>`,
        )}
        ${this.broken()}
        ${this.own.section()} ${this.own.watched()}
      </div>
    `;
  }

  /** The games that cannot be played, and why. */
  broken() {
    const failed = this.games.games.map((card) => this.preparations.get(card.id)?.reason);
    const reasons = [...this.games.broken.map((problem) => problem.message), ...failed.filter(Boolean)];
    if (!reasons.length) return nothing;
    return html`<section class="panel fault"><h2>${say("broken")}</h2>
      <ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul></section>`;
  }

  /** @param {GameCard} card */
  card(card) {
    const choice = this.choice(card);
    const picture = this.pictures.get(card.id);
    const title = card.names[preferences.language];
    const busy = this.starting !== null;
    const awaited = this.awaited?.card.id === card.id;
    const { levels } = this.players(card, boardName(choice.preset, choice.options));
    const all = difficulties(card, levels);
    const alone = card.players === 1;
    const choiceName = alone ? choice.preset : choice.level;
    const offered = this.shownOf(card, all, choiceName);
    return html`
      <article class="card" aria-labelledby="card-${card.id}">
        <div class="view">
          <div class="picture" aria-hidden="true">${
            picture ? picture(this.tick) : !card.pictured && !card.sketch ? initial(title) : nothing
          }</div>
          ${progress(this.preparations.get(card.id) ?? card.preparation)}
        </div>
        <div class="about">
          <div class="card-title"><h2 id="card-${card.id}">${title}</h2>${learnLink(card)}</div>
          <p class="muted">${card.summary[preferences.language]}</p>
        </div>
        ${chips(say("difficulty"), `difficulty-${card.id}`, offered, choiceName, (name) =>
          this.choose(card, alone ? otherBoard(choice, name) : { level: name }),
        )}
        <div class="level"><p class="muted">${
          all.find(({ name }) => name === choiceName)?.about ?? machineAbout(card, choice.level)
        }</p>${this.offer(card, choiceName, all)}${alone ? this.switches(card, choice) : nothing}</div>
        <div class="start">${
          this.making(card) ??
          html`<button class="primary large" ?disabled=${busy || awaited}
            @click=${() => this.begin(card, "machine")}>${
              awaited
                ? sayPreparing("starts")
                : html`${icon("play")}
                  ${say("play")}`
            }<span class="unseen"> ${title}</span></button>
          ${
            alone
              ? nothing
              : html`<button class="large" ?disabled=${busy || awaited} title=${say("invite_title")}
                @click=${() => this.begin(card, "invite")}>${icon("invite")}
                ${say("invite")}<span class="unseen"> ${title}</span></button>`
          }`
        }</div>
        <details name="ways">
          <summary>${say("more")}</summary>
          <div class="ways">${this.more?.ways(this, card, choice, busy) ?? nothing}</div>
        </details>
      </article>
    `;
  }

  /** What a person alone switches: the board's main options, and whether the result counts. @param {GameCard} card @param {Choice} choice */
  switches(card, choice) {
    const options = /** @type {Record<string, any>} */ (card.options.properties ?? {});
    const names = Object.keys(options).filter((name) => options[name].main);
    return html`<div class="switches">${names.map((name) =>
      check(card.option_titles[name]?.[preferences.language] ?? name, choice.options[name] === "true", (on) =>
        this.choose(card, { options: { ...choice.options, [name]: on ? "true" : "" } }),
      ),
    )}${check(say("for_record"), choice.rated, (rated) => this.choose(card, { rated }), say("for_record_about"))}</div>`;
  }

  /**
   * The difficulties on show: the same while the page is open, unless another one is chosen elsewhere.
   * @param {GameCard} card @param {import("./choice.js").Difficulty[]} all @param {string} picked
   */
  shownOf(card, all, picked) {
    let names = this.shownLevels.get(card.id) ?? [];
    const known = all.some(({ name }) => name === picked);
    if (
      !names.length ||
      names.some((name) => !all.some((one) => one.name === name)) ||
      (known && !names.includes(picked))
    ) {
      names = around(all, known ? picked : (card.default_level ?? ""));
      this.shownLevels.set(card.id, names);
    }
    const trained = card.levels
      .filter((level) => level.kept)
      .slice(-KEPT)
      .map(({ name }) => name);
    return all.filter(({ name }) => names.includes(name) || trained.includes(name));
  }

  /**
   * Another difficulty, where the last results suggest one.
   * @param {GameCard} card @param {string} picked @param {import("./choice.js").Difficulty[]} all
   */
  offer(card, picked, all) {
    const offer = this.offers.get(card.id);
    const next = all.find(({ name }) => name === offer?.offer);
    if (!offer || !next || offer.level !== picked) return nothing;
    const take = () =>
      this.choose(card, card.players === 1 ? otherBoard(this.choice(card), next.name) : { level: next.name });
    return html`<button class="offer" @click=${take}>${offer.text?.[preferences.language]}</button>`;
  }
}
