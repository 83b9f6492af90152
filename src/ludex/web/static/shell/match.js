// @ts-check
/** The page of one match: what it knows, and what a person can do. How it looks is in `matchview.js`. */

import { ApiError, api } from "./api.js";
import { players } from "./choice.js";
import { Live } from "./live.js";
import { matchPage } from "./matchview.js";
import { OVERLAYS } from "./overlays.js";
import { OwnRating } from "./ownrating.js";
import { Past } from "./past.js";
import { prefer, preferences } from "./preferences.js";
import { loadRenderer } from "./renderer.js";
import { named } from "./standing.js";
import { t } from "./texts.js";

/** @typedef {import("./renderer.js").MatchView} MatchView */
/** @typedef {import("./renderer.js").Context} Context */
/** @typedef {import("./renderer.js").Judgement} Judgement */
/** @typedef {import("./renderer.js").Renderer} Renderer */
/** @typedef {import("./renderer.js").Thought} Thought */
/** @typedef {import("./choice.js").GameCard} GameCard */

const HINT_MS = 1500;
const LINES = 5;

/** The way to a ply, to tell it from another. @param {MatchView["moves"]} moves @param {number} ply */
function line(moves, ply) {
  return moves.slice(0, ply).map((move) => move.action).join();
}

/** @typedef {import("./frame.js").Page} Page */

/** @implements {Page} */
export class MatchPage {
  /** @param {import("./frame.js").Shell} shell @param {string} id */
  constructor(shell, id) {
    this.shell = shell;
    this.id = id;
    /** @type {MatchView | null} the match as it stands */
    this.match = null;
    /** @type {number | null} the ply looked at; null follows the match */
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
    /** @type {Map<string, Promise<Judgement>>} */
    this.judgements = new Map();
    /** @type {{ version: number, moves: import("./renderer.js").LegalMove[] } | null} */
    this.legal = null;
    /** @type {Live | null} */
    this.live = null;
    /** @type {typeof import("./clock.js") | null} loaded where a match has clocks */
    this.clocks = null;
    /** When the server told how the match stands, by `performance.now()`. */
    this.heard = 0;
    /** @type {import("./live.js").Connection} */
    this.connection = "connecting";
    /** @type {number | null} */
    this.selected = null;
    /** @type {number | null} the ply being analysed */
    this.analysing = null;
    this.analyses = 0;
    this.adviser = "";
    this.busy = false;
    /** @type {string | null} */
    this.pending = null;
    this.allCandidates = false;
    /** @type {string | null} an action that waits to be confirmed */
    this.asked = null;
    this.rating = new OwnRating(shell);
  }

  title() {
    return this.match?.title ?? t("loading");
  }

  async open() {
    const [match, stage, games] = await Promise.all([api.match(this.id), api.stage(this.id), api.games()]);
    this.card = games.games.find((card) => card.id === match.game) ?? null;
    this.stage = stage.stage;
    this.renderer = await loadRenderer(this.card?.renderer ?? null);
    if (match.clock) this.clocks = await import("./clock.js");
    const able = this.advisers();
    this.adviser = able.find((agent) => agent.name === this.card?.analyst)?.name ?? able[0]?.name ?? "";
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
    this.live?.close();
  }

  draw() {
    return matchPage(this);
  }

  advisers() {
    return this.card && this.match ? players(this.card, this.match.preset) : (this.card?.agents ?? []);
  }

  /** The adviser, asked for several lines where it can give them. */
  adviserReference() {
    const options = this.advisers().find((agent) => agent.name === this.adviser)?.options.properties;
    return options && Object.hasOwn(options, "multipv") ? `${this.adviser}:multipv=${LINES}` : this.adviser;
  }

  /** @param {import("./live.js").Message} message */
  hear(message) {
    if (message.type === "state") this.accept(message.match);
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
    if (before?.version !== match.version) {
      this.judgements.clear();
      this.selected = null;
      this.asked = null;
    }
    this.match = match;
    this.heard = performance.now();
    this.past.follow(match);
    if (this.at !== null && this.at >= match.plies) this.at = null;
    if (before && match.plies > before.plies) this.tell(match);
    void this.rating.follow(match);
    this.shell.redraw();
    void this.loadLegal();
    void this.overlayThought();
  }

  /** Read out the last move of somebody else. @param {MatchView} match */
  tell(match) {
    const move = match.moves[match.moves.length - 1];
    if (!move || !this.renderer || match.seats[move.player]?.you) return;
    this.shell.announce(t("announce_move", { who: named(match, this.renderer, move.player), move: move.text }));
  }

  /** A game without a renderer is played from its list of legal moves. */
  async loadLegal() {
    const match = this.match;
    if (!match || this.card?.renderer || !match.can.move || this.legal?.version === match.version) return;
    try {
      this.legal = await api.legal(this.id);
      this.shell.redraw();
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** The match at the ply looked at. @returns {MatchView} */
  get shown() {
    const match = /** @type {MatchView} */ (this.match);
    return this.at === null ? match : (this.past.views.get(this.at) ?? match);
  }

  /** What is thought of the position shown. @returns {Thought | null} */
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
      mayMove: this.at === null && match.can.move && !this.busy,
      overlay: preferences.overlay,
      thought: this.thought,
      selected: this.selected,
      pending: this.pending,
      last: shown.moves[shown.ply - 1] ?? null,
      moves: this.legal && this.legal.version === match.version && this.at === null ? this.legal.moves : null,
      ui: this.ui,
      language: preferences.language,
      redraw: this.shell.redraw,
      play: (text) => this.play(text),
      judge: (text) => this.judge(text),
      announce: this.shell.announce,
      goto: (ply) => void this.look(ply),
    };
  }

  /** @param {string} text */
  async play(text) {
    const match = this.match;
    if (!match || this.busy || this.at !== null || !match.can.move) return;
    this.pending = text;
    await this.change(() => api.move(this.id, match.version, text));
  }

  async undo() {
    const match = this.match;
    if (match?.can.undo) await this.change(() => api.undo(this.id, match.version));
  }

  async resign() {
    const match = this.match;
    if (match?.can.resign && this.sure("resign")) await this.change(() => api.resign(this.id, match.version));
  }

  /** One change at a time; a match that has changed meanwhile is shown as it is now. @param {() => Promise<MatchView>} change */
  async change(change) {
    if (this.busy) return;
    this.busy = true;
    this.shell.redraw();
    try {
      const changed = await change();
      this.busy = false;
      this.pending = null;
      this.at = null;
      this.accept(changed);
    } catch (error) {
      this.busy = false;
      this.pending = null;
      this.shell.fail(error);
      if (error instanceof ApiError && error.status === 409) await this.reload();
    } finally {
      this.shell.redraw();
    }
  }

  async reload() {
    try {
      this.accept(await api.match(this.id));
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** @param {string} text @returns {Promise<Judgement>} */
  judge(text) {
    let found = this.judgements.get(text);
    if (!found) {
      found = api.judge(this.id, text).catch((error) => {
        this.judgements.delete(text);
        if (!(error instanceof ApiError)) throw error;
        return { legal: false, message: error.message };
      });
      this.judgements.set(text, found);
    }
    return found;
  }

  /** Ask twice before what cannot be undone. @param {string} action */
  sure(action) {
    if (this.asked === action) {
      this.asked = null;
      return true;
    }
    this.asked = action;
    setTimeout(() => {
      if (this.asked !== action) return;
      this.asked = null;
      this.shell.redraw();
    }, 3500);
    this.shell.redraw();
    return false;
  }

  /** Look at a ply. @param {number} ply */
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
    void this.overlayThought();
  }

  /** @param {import("./renderer.js").Overlay} overlay */
  show(overlay) {
    prefer({ overlay });
    this.shell.redraw();
    void this.overlayThought();
  }

  /** @param {string} name */
  advise(name) {
    this.adviser = name;
    void this.analyse();
  }

  /** An overlay of thoughts needs one of the position shown. */
  async overlayThought() {
    const wanted = preferences.overlay === "candidates" || preferences.overlay === "heat";
    if (wanted && !this.thought && this.mayAnalyse() && this.analysing === null) await this.analyse();
  }

  /** Whether an adviser may look at the position shown: not where a machine is at work on it, nor after the end. */
  mayAnalyse() {
    const shown = this.shown;
    const match = /** @type {MatchView} */ (this.match);
    const over = shown.ply === match.plies && !match.live;
    return match.can.analyse && this.adviser !== "" && !over && !(this.at === null && match.thinking);
  }

  async hint() {
    if (!this.mayAnalyse()) return;
    if (preferences.overlay === "none" || preferences.overlay === "legal") prefer({ overlay: "candidates" });
    await this.analyse();
    this.selected = this.thought ? 0 : null;
    this.shell.redraw();
    if (this.thought) this.shell.announce(this.thought.note || this.thought.text);
  }

  async analyse() {
    if (!this.mayAnalyse()) return;
    const ply = this.shown.ply;
    const moves = line(this.past.moves, ply);
    const asked = ++this.analyses;
    this.analysing = ply;
    this.shell.redraw();
    try {
      const thought = await api.analyse(this.id, { agent: this.adviserReference(), ply, movetime_ms: HINT_MS });
      // Another adviser may have been asked meanwhile, or another way taken to this ply.
      if (asked === this.analyses && line(this.past.moves, ply) === moves) this.past.learn(thought);
    } catch (error) {
      this.shell.fail(error);
    } finally {
      if (asked === this.analyses) this.analysing = null;
      this.shell.redraw();
    }
  }

  /** Let a machine that thinks move at once. */
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
      await this.copy(location.origin + (await api.invite(this.id)).path, t("invitation_copied"));
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
      this.shell.say(t("copy_by_hand", { link }));
    }
  }

  async remove() {
    if (!this.sure("delete")) return;
    try {
      await api.remove(this.id);
      this.shell.go("/");
      this.shell.say(t("deleted"));
    } catch (error) {
      this.shell.fail(error);
    }
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
      "?": () => /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.keys"))?.showModal(),
      PageUp: () => this.look(ply - 1),
      PageDown: () => this.look(ply + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
      u: () => this.undo(),
      h: () => this.hint(),
      n: () => this.again(),
      o: () => this.show(OVERLAYS[(OVERLAYS.indexOf(preferences.overlay) + 1) % OVERLAYS.length] ?? "none"),
    };
    const command = commands[key];
    if (command) void command();
    return Boolean(command);
  }
}
