// @ts-check
/** The page of one match: its state and actions. `matchview.js` draws it. */

import { Analyses } from "./analyses.js";
import { ApiError, api } from "./api.js";
import { Live } from "./live.js";
import { say } from "./matchtexts.js";
import { matchPage } from "./matchview.js";
import { Moves } from "./moves.js";
import { OVERLAYS } from "./overlays.js";
import { Past } from "./past.js";
import { POLL_MS } from "./preparing.js";
import { prefer, preferences } from "./preferences.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { mayCount, named } from "./standing.js";
import { t, worded } from "./texts.js";

/** @typedef {import("../types/renderer.js").MatchView} MatchView */
/** @typedef {import("../types/renderer.js").Context} Context */
/** @typedef {import("../types/renderer.js").Renderer} Renderer */
/** @typedef {import("../types/renderer.js").Thought} Thought */
/** @typedef {import("./players.js").GameCard} GameCard */

/** @typedef {import("../types/page.js").Page} Page */

/** Whether two states draw the same page: running clocks are drawn by themselves. @param {MatchView} one @param {MatchView} other */
function looksLike(one, other) {
  const text = (/** @type {MatchView} */ match) => JSON.stringify({ ...match, clock: match.clock && { ...match.clock, left_ms: null } });
  return text(one) === text(other);
}

/** @implements {Page} */
export default class MatchPage {
  /** @param {import("../types/page.js").Shell} shell @param {string} id */
  constructor(shell, id) {
    this.shell = shell;
    this.id = id;
    /** @type {MatchView | null} the match as it stands */
    this.match = null;
    /** @type {number | null} the ply shown; null follows the match */
    this.at = null;
    /** @type {Renderer | null} */
    this.renderer = null;
    /** @type {GameCard | null} */
    this.card = null;
    /** @type {any} */
    this.stage = null;
    this.past = new Past();
    /** @type {Record<string, any>} */
    this.ui = {};
    /** @type {Live | null} */
    this.live = null;
    /** @type {typeof import("./clock.js") | null} loaded where a match has clocks */
    this.clocks = null;
    /** When the last state of the match was received, by `performance.now()`. */
    this.heard = 0;
    /** @type {import("./live.js").Connection} */
    this.connection = "connecting";
    /** @type {number | null} */
    this.selected = null;
    this.allCandidates = false;
    /** @type {string | null} an action that waits to be confirmed */
    this.unconfirmed = null;
    /** @type {typeof import("./keyhelp.js") | null} loaded on demand */
    this.help = null;
    this.moves = new Moves(this);
    this.analyses = new Analyses(this);
    /** @type {import("./ownrating.js").OwnRating | null} loaded once a match that may count is over */
    this.rating = null;
    /** @type {import("./preparing.js").GamePreparation | null} how far the game is while it cannot be shown */
    this.preparation = null;
    this.retry = 0;
    this.closed = false;
    /** @type {any} what the server computed of the finished match */
    this.facts = null;
    this.factsOf = 0;
  }

  title() {
    return this.match?.title ?? t("loading");
  }

  /** Load the match, and as long as its game is being prepared, try again. */
  async open() {
    try {
      await this.load();
      this.preparation = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "preparing") throw error;
      this.preparation = error.preparation;
      if (!this.closed) this.retry = window.setTimeout(() => this.open().catch(this.shell.fail), POLL_MS);
    }
    this.shell.redraw();
  }

  async load() {
    const [match, stage, games] = await Promise.all([api.match(this.id), api.stage(this.id), api.games(), stylesheet("/static/style/match.css")]);
    if (this.closed) return;
    this.card = games.games.find((card) => card.id === match.game) ?? null;
    this.stage = stage.stage;
    [this.renderer, this.clocks] = await Promise.all([loadRenderer(this.card?.renderer ?? null), match.clock ? import("./clock.js") : null]);
    this.analyses.begin();
    this.accept(match);
    this.live = new Live(
      this.id,
      (message) => this.hear(message),
      (connection) => {
        this.connection = connection;
        this.shell.redraw();
      },
    );
    const ply = Number(new URLSearchParams(location.search).get("ply") ?? NaN);
    if (Number.isInteger(ply) && ply >= 0 && ply < match.plies) await this.look(ply);
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    this.live?.close();
  }

  draw() {
    return matchPage(this);
  }

  /** @param {import("./live.js").Message} message */
  hear(message) {
    if (message.type === "state" && !this.moves.holds(message.match)) this.accept(message.match);
    if (message.type === "thinking") {
      this.past.learn(message.thought);
      this.shell.redraw();
    }
    if (message.type === "fault") this.shell.say(message.problem.message, "fault");
  }

  /** Take a newer state of the match. @param {MatchView} match at its last ply */
  accept(match) {
    const before = this.match;
    if (before && match.version < before.version) return;
    if (before && this.at === null && looksLike(before, match)) {
      this.match = match;
      this.heard = performance.now();
      return;
    }
    if (before?.version !== match.version) {
      this.moves.judgements.clear();
      this.selected = null;
      this.unconfirmed = null;
    }
    this.match = match;
    this.heard = performance.now();
    this.past.follow(match);
    if (this.at !== null && this.at >= match.plies) this.at = null;
    if (before && match.plies > before.plies) this.announceMove(match);
    if (this.rating || (!match.live && mayCount(match))) void this.rate(match);
    if (!match.live && this.renderer?.facts) void this.learnFacts(match);
    this.shell.redraw();
    void this.moves.list();
    void this.analyses.follow();
  }

  /** Request what takes the server time to compute, once per end of the match. @param {MatchView} match */
  async learnFacts(match) {
    if (this.factsOf === match.version) return;
    this.factsOf = match.version;
    this.facts = null;
    try {
      this.facts = (await api.facts(this.id)).facts;
    } catch (error) {
      // A busy server is no reason for a message: the page is complete without these facts.
      if (!(error instanceof ApiError)) throw error;
    }
    this.shell.redraw();
  }

  /** Show the match's effect on the person's rating. @param {MatchView} match */
  async rate(match) {
    const { OwnRating } = await import("./ownrating.js");
    this.rating ??= new OwnRating(this.shell);
    await this.rating.follow(match);
  }

  /** Announce another player's last move to screen readers. @param {MatchView} match */
  announceMove(match) {
    const move = match.moves[match.moves.length - 1];
    if (!move || !this.renderer || match.seats[move.player]?.you) return;
    this.shell.announce(say("announce_move", { player: named(match, this.renderer, move.player), move: move.text }));
  }

  /** The match at the ply shown. @returns {MatchView} */
  get shown() {
    const match = /** @type {MatchView} */ (this.match);
    return this.at === null ? match : (this.past.views.get(this.at) ?? match);
  }

  /** The analysis of the position shown. @returns {Thought | null} */
  get thought() {
    return this.past.thoughts.get(this.shown.ply) ?? null;
  }

  /** @returns {Context} */
  context() {
    const shown = this.shown;
    const match = /** @type {MatchView} */ (this.match);
    return {
      match: shown,
      stage: this.stage,
      scene: shown.scene,
      facts: this.at === null ? this.facts : null,
      mayMove: this.at === null && match.can.move && !this.moves.busy,
      overlay: preferences.overlay,
      thought: this.thought,
      selected: this.selected,
      pending: this.moves.pending,
      last: shown.moves[shown.ply - 1] ?? null,
      moves: this.moves.listed,
      ui: this.ui,
      language: preferences.language,
      redraw: this.shell.redraw,
      play: (text) => this.moves.play(text),
      judge: (text) => this.moves.judge(text),
      announce: this.shell.announce,
      goto: (ply) => void this.look(ply),
    };
  }

  async reload() {
    try {
      this.accept(await api.match(this.id));
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** Whether an irreversible action is confirmed by a second click. @param {string} action */
  sure(action) {
    if (this.unconfirmed === action) {
      this.unconfirmed = null;
      return true;
    }
    this.unconfirmed = action;
    setTimeout(() => {
      if (this.unconfirmed !== action) return;
      this.unconfirmed = null;
      this.shell.redraw();
    }, 3500);
    this.shell.redraw();
    return false;
  }

  /** Show a ply. @param {number} ply */
  async look(ply) {
    const match = this.match;
    if (!match) return;
    const wanted = Math.max(0, Math.min(match.plies, ply));
    if (wanted < match.plies && !this.past.views.has(wanted)) {
      try {
        this.past.views.set(wanted, await api.match(this.id, wanted));
      } catch (error) {
        this.shell.fail(error);
        return;
      }
    }
    this.at = wanted < match.plies ? wanted : null;
    this.selected = null;
    history.replaceState(null, "", this.at === null ? location.pathname : `?ply=${this.at}`);
    this.shell.redraw();
    void this.analyses.follow();
  }

  /** @param {import("../types/renderer.js").Overlay} overlay */
  show(overlay) {
    prefer({ overlay });
    this.shell.redraw();
    void this.analyses.follow();
  }

  /** Have a searching agent move at once. */
  hurry() {
    this.live?.send("cancel");
  }

  /** The same match anew. */
  async again() {
    const match = this.match;
    if (!match) return;
    const seats = match.seats.map((seat) => (seat.kind === "machine" ? seat.name : seat.you ? "you" : "open"));
    const clock = match.clock && { seconds: match.clock.seconds, increment: match.clock.increment };
    await this.leave(() => api.create({ game: match.game, preset: match.preset, seats, practice: match.practice, clock }));
  }

  /** Play on from the ply shown, where this person sits or against the game's own opponent. */
  async fork() {
    const match = this.match;
    if (!match) return;
    const seats = match.seats.map((seat) => (seat.kind === "machine" ? seat.name : "you"));
    if (!seats.includes("you")) seats[0] = "you";
    await this.leave(() => api.fork(this.id, this.shown.ply, seats));
  }

  /** @param {() => Promise<MatchView>} begin */
  async leave(begin) {
    try {
      this.shell.go(`/match/${(await begin()).id}`);
    } catch (error) {
      this.shell.fail(error);
    }
  }

  async invite() {
    try {
      await this.copy(location.origin + (await api.invite(this.id)).path, say("invitation_copied"));
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** @param {string} link @param {string} done */
  async copy(link, done) {
    try {
      await navigator.clipboard.writeText(link);
      this.shell.say(done);
    } catch {
      // Browsers give the clipboard to secure pages only.
      this.shell.say(say("copy_by_hand", { link }));
    }
  }

  async remove() {
    if (!this.sure("delete")) return;
    try {
      await api.remove(this.id);
      this.shell.go("/");
      this.shell.say(say("deleted"));
    } catch (error) {
      this.shell.fail(error);
    }
  }

  async showKeys() {
    this.help ??= await worded(import("./keyhelp.js"));
    this.shell.redraw();
    /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.keys"))?.showModal();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.match || !this.renderer || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea, dialog[open]")) return;
    const elsewhere = target.closest("button, a, summary") && !target.closest(".board");
    // A focused control outside the board keeps Enter, blanks and arrows for itself.
    const own = elsewhere && (event.key === "Enter" || event.key === " " || event.key.startsWith("Arrow"));
    if (own) return;
    if (this.renderer.key?.(event, this.context()) || this.command(event.key)) event.preventDefault();
  }

  /** @param {string} key @returns {boolean} */
  command(key) {
    const ply = this.shown.ply;
    /** @type {Record<string, () => unknown>} */
    const commands = {
      "?": () => this.showKeys(),
      PageUp: () => this.look(ply - 1),
      PageDown: () => this.look(ply + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
      u: () => this.moves.undo(),
      h: () => this.analyses.hint(),
      n: () => this.again(),
      o: () => this.show(OVERLAYS[(OVERLAYS.indexOf(preferences.overlay) + 1) % OVERLAYS.length] ?? "none"),
    };
    const command = commands[key];
    if (command) void command();
    return Boolean(command);
  }
}
