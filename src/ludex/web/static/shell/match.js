// @ts-check
/** The page of one match: its state and actions. `matchview.js` draws it. */

import { nothing } from "../vendor/lit-html/lit-html.js";
import { Analyser } from "./analyser.js";
import { ApiError, api } from "./api.js";
import { Live } from "./live.js";
import { matchPage } from "./matchview.js";
import { followMoves, moveText } from "./movelist.js";
import { Moves } from "./moves.js";
import { OVERLAYS } from "./overlays.js";
import { Past } from "./past.js";
import { prefer, preferences } from "./preferences.js";
import { loadRenderer, stylesheet } from "./renderer.js";
import { mayCount, named } from "./standing.js";
import { t, texts } from "./texts.js";

/** @typedef {import("../types/renderer.js").MatchView} MatchView */
/** @typedef {import("../types/renderer.js").Context} Context */
/** @typedef {import("../types/renderer.js").Renderer} Renderer */
/** @typedef {import("../types/renderer.js").Analysis} Analysis */
/** @typedef {import("./players.js").GameCard} GameCard */

/** @typedef {import("../types/page.js").Page} Page */
/** @typedef {import("./matchactions.js").Asking} Asking */

const say = texts("match", "page");

/** The codes of refusals that have a sentence of their own. */
const WHY = new Set(["clocked", "game_over", "no_help", "not_your_seat", "nothing_to_undo", "out_of_turn", "secret"]);

/** Whether two states draw the same page: running clocks are drawn by themselves. @param {MatchView} one @param {MatchView} other */
function looksLike(one, other) {
  const text = (/** @type {MatchView} */ match) =>
    JSON.stringify({ ...match, clock: match.clock && { ...match.clock, left_ms: null } });
  return text(one) === text(other);
}

/** Whether this person plays another one. @param {MatchView} match */
function facesAnother(match) {
  return (
    match.seats.length > 1 &&
    match.seats.every((seat) => seat.kind === "person" && !seat.open) &&
    match.seats.filter((seat) => seat.you).length === 1
  );
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
    /** @type {string | null} why the generic board replaces the game's own */
    this.fault = null;
    /** @type {typeof import("./fallback.js") | null} loaded with the first fault */
    this.fallback = null;
    /** @type {GameCard | null} */
    this.card = null;
    /** @type {any} */
    this.stage = null;
    /** @type {string[]} the agents that support the board */
    this.able = [];
    this.past = new Past();
    /** @type {Record<string, any>} */
    this.ui = {};
    /** @type {Live | null} */
    this.live = null;
    /** @type {typeof import("./clock.js") | null} loaded where a match has clocks */
    this.clocks = null;
    /** @type {typeof import("./pace.js") | null} loaded where the person may pause machines */
    this.paces = null;
    /** @type {typeof import("./people.js") | null} loaded where two people play */
    this.people = null;
    /** @type {typeof import("./invitation.js") | null} loaded where a seat is open */
    this.invitation = null;
    /** @type {typeof import("./comfort.js") | null} loaded where sounds or taps to confirm are wanted, and for the end */
    this.comfort = null;
    /** @type {string | null} a move that waits for its second tap */
    this.unsure = null;
    /** When the last state of the match was received, by `performance.now()`. */
    this.heard = 0;
    /** @type {import("./live.js").Connection} */
    this.connection = "connecting";
    /** @type {number | null} */
    this.selected = null;
    this.allCandidates = false;
    /** @type {string | null} an action that waits to be confirmed */
    this.unconfirmed = null;
    /** @type {import("./rules.js").Rules | null} loaded on demand */
    this.rules = null;
    /** @type {typeof import("./coach.js") | null} loaded for players */
    this.coach = null;
    /** @type {typeof import("./keyhelp.js") | null} loaded on demand */
    this.keys = null;
    /** @type {import("../types/renderer.js").Overlay} of this match; a rated one begins without an engine's help */
    this.overlay = "none";
    /** @type {Asking | null} help that waits until the person agrees to an unrated match */
    this.asking = null;
    /** @type {typeof import("./matchactions.js") | null} loaded on demand */
    this.actions = null;
    /** @type {typeof import("./decision.js") | null} loaded with the first decision */
    this.decisions = null;
    this.moves = new Moves(this);
    this.analyser = new Analyser(this);
    /** @type {import("./ownrating.js").OwnRating | null} loaded once a match that may count is over */
    this.rating = null;
    /** @type {typeof import("./preparing.js") | null} */
    this.preparing = null;
    /** @type {import("./preparing.js").GamePreparation | null} how far the game is while it cannot be shown */
    this.preparation = null;
    this.retry = 0;
    this.closed = false;
    /** @type {any} what the server computed of the finished match */
    this.facts = null;
    this.factsOf = 0;
  }

  title() {
    return this.match?.names[preferences.language] ?? t("loading");
  }

  /** Load the match, and as long as its game is being prepared, try again. */
  async open() {
    try {
      await this.load();
      this.preparation = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "preparing") throw error;
      this.preparing ??= await import("./preparing.js");
      this.preparation = error.preparation;
      if (!this.closed)
        this.retry = window.setTimeout(() => this.open().catch(this.shell.fail), this.preparing.POLL_MS);
    }
    this.shell.redraw();
  }

  async load() {
    const [match, stage, games] = await Promise.all([
      api.match(this.id),
      api.stage(this.id),
      api.games(),
      stylesheet("/static/style/match.css"),
    ]);
    if (this.closed) return;
    this.card = games.games.find((card) => card.id === match.game) ?? null;
    this.stage = stage.stage;
    this.able = stage.agents;
    const plays = match.live && match.seats.some((seat) => seat.you);
    [this.renderer, this.clocks, this.paces, this.coach] = await Promise.all([
      this.ownRenderer(),
      match.clock ? import("./clock.js") : null,
      match.can.pace ? import("./pace.js") : null,
      plays ? import("./coach.js") : null,
    ]);
    if (preferences.sound || preferences.confirm) this.comfort = await import("./comfort.js");
    this.analyser.begin();
    const engine = preferences.overlay === "candidates" || preferences.overlay === "heat";
    this.overlay = engine && match.rated ? "none" : preferences.overlay;
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

  /** @returns {Promise<Renderer>} */
  async ownRenderer() {
    try {
      const renderer = await loadRenderer(this.card?.renderer ?? null);
      if (!renderer) throw new TypeError("renderer.js has no default export");
      return renderer;
    } catch (error) {
      if (!this.recover(error)) throw error;
      return loadRenderer(null);
    }
  }

  /** Draw with the generic board; false if that failed. @param {unknown} error */
  recover(error) {
    this.fault ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    void import("./fallback.js").then((loaded) => (this.fallback = loaded).fallBack(this));
    return Boolean(this.card?.renderer);
  }

  /** Whether it is drawn, not played from a list of moves. @param {MatchView} match */
  drawn(match) {
    return match.scene !== null && ((this.card?.renderer !== null && this.fault === null) || match.scene.format);
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    this.live?.close();
  }

  draw() {
    return matchPage(this);
  }

  entered() {
    followMoves();
  }

  /** @param {import("./live.js").Message} message */
  hear(message) {
    if (message.type === "state" && !this.moves.holds(message.match)) this.accept(message.match);
    if (message.type === "analysis") {
      this.past.learn(message.analysis);
      this.shell.redraw();
    }
    if (message.type === "emote") this.people?.receive(this, message);
    if (message.type === "fault") {
      this.shell.say(message.problem.text?.[preferences.language] ?? message.problem.message, "fault");
      // The match in which the person waited is no more.
      if (message.problem.code === "rematch_declined") this.shell.go("/");
    }
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
      this.asking = null;
      this.unsure = null;
    }
    // What the machine considered is open from here on.
    if (before?.rated && !match.rated) this.past.views.clear();
    this.match = match;
    this.heard = performance.now();
    if (match.scene_fault !== null) this.recover(match.scene_fault);
    void this.fallback?.pictured(this, match);
    this.past.follow(match);
    if (this.at !== null && this.at >= match.plies) this.at = null;
    if (before && match.plies > before.plies) this.announceMove(match);
    if (before && (this.comfort || (before.live && !match.live))) void this.attend(before, match);
    if (this.rating || (!match.live && mayCount(match))) void this.rate(match);
    if (!match.live && this.renderer?.facts) void this.learnFacts(match);
    if (!this.people && facesAnother(match))
      void import("./people.js").then((loaded) => {
        this.people = loaded;
        this.shell.redraw();
      });
    if (before) this.people?.follow(this, before, match);
    if (!this.invitation && match.can.delete && match.seats.some((seat) => seat.open)) void this.invite();
    this.shell.redraw();
    if (before?.plies !== match.plies) followMoves();
    void this.moves.list();
    void this.analyser.follow();
  }

  /** Show the link to the open seat. */
  async invite() {
    this.invitation = await import("./invitation.js");
    await this.invitation.request(this);
  }

  /** Sound and celebrate. @param {MatchView} before @param {MatchView} match */
  async attend(before, match) {
    this.comfort ??= await import("./comfort.js");
    this.comfort.follow(before, match);
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
    this.shell.announce(
      say("announce_move", { player: named(match, this.renderer, move.player), move: moveText(move) }),
    );
  }

  /** The match at the ply shown. @returns {MatchView} */
  get shown() {
    const match = /** @type {MatchView} */ (this.match);
    return this.at === null ? match : (this.past.views.get(this.at) ?? match);
  }

  /** The analysis of the position shown. @returns {Analysis | null} */
  get analysis() {
    return this.past.analyses.get(this.shown.ply) ?? null;
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
      overlay: this.overlay,
      analysis: this.analysis,
      selected: this.selected,
      pending: this.moves.pending ?? this.unsure,
      last: shown.moves[shown.ply - 1] ?? null,
      moves: this.moves.listed,
      ui: this.ui,
      language: preferences.language,
      redraw: this.shell.redraw,
      play: async (text, sure) =>
        void (sure || !this.comfort || this.comfort.confirmed(this, text)
          ? await this.moves.play(text)
          : this.shell.redraw()),
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

  /** Show a ply. @param {number} ply */
  async look(ply) {
    const match = this.match;
    if (!match) return;
    const wanted = Math.max(0, Math.min(match.plies, ply));
    if (wanted < match.plies && !this.past.views.has(wanted)) {
      try {
        const view = await api.match(this.id, wanted, this.fault === null ? undefined : true);
        this.past.views.set(wanted, view);
        if (view.analysis) this.past.learn(view.analysis);
      } catch (error) {
        this.shell.fail(error);
        return;
      }
    }
    this.at = wanted < match.plies ? wanted : null;
    this.selected = null;
    history.replaceState(null, "", this.at === null ? location.pathname : `?ply=${this.at}`);
    this.shell.redraw();
    followMoves();
    void this.analyser.follow();
  }

  /** @param {import("../types/renderer.js").Overlay} overlay */
  show(overlay) {
    const choose = () => {
      prefer({ overlay });
      this.overlay = overlay;
      this.shell.redraw();
      return this.analyser.follow();
    };
    if (overlay === "candidates" || overlay === "heat") this.help("overlay", choose, overlay);
    else void choose();
  }

  /**
   * Give help that makes a match unrated, if the person agrees.
   * @param {Asking["kind"]} kind @param {Asking["give"]} give @param {Asking["overlay"]} [overlay]
   */
  help(kind, give, overlay = null) {
    if (this.match?.rated) void this.act((actions) => actions.ask(this, { kind, give, overlay }));
    else void give();
  }

  /** Why an action is refused, in a sentence. @param {keyof MatchView["can"]} action */
  why(action) {
    const code = this.match?.why[action];
    if (!code) return "";
    const key = /** @type {"no_other"} */ (`no_${code}`);
    return say(WHY.has(code) ? key : "no_other");
  }

  /** @param {Analysis} analysis @param {boolean} current whether it is of the position shown */
  decision(analysis, current) {
    if (!this.decisions)
      void import("./decision.js").then((loaded) => {
        this.decisions = loaded;
        this.shell.redraw();
      });
    return this.decisions?.decision(this, analysis, current) ?? nothing;
  }

  /** Do something rarely done, whose module is loaded on demand. @param {(actions: typeof import("./matchactions.js")) => unknown} act */
  async act(act) {
    this.actions ??= await import("./matchactions.js");
    await act(this.actions);
  }

  undo() {
    const why = this.why("undo");
    if (why) this.shell.say(why);
    else this.help("undo", () => this.moves.undo());
  }

  hint() {
    const why = this.analyser.whyNot;
    if (why) this.shell.say(why);
    else this.help("hint", () => this.analyser.hint());
  }

  /** Have a searching agent move at once. */
  hurry() {
    this.live?.send("cancel");
  }

  async showKeys() {
    this.keys ??= await import("./keyhelp.js");
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
      u: () => this.undo(),
      h: () => this.hint(),
      n: () => this.act((actions) => actions.again(this)),
      o: () => this.show(OVERLAYS[(OVERLAYS.indexOf(this.overlay) + 1) % OVERLAYS.length] ?? "none"),
    };
    const command = commands[key];
    if (command) void command();
    return Boolean(command);
  }
}
