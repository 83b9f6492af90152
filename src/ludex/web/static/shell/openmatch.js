/** A match that is shown: its state and actions. `matchview.js` draws it. */

import { nothing } from "../vendor/lit-html/lit-html.js";
import { Analyser } from "./analyser.js";
import { ApiError, api } from "./api.js";
import { Live } from "./live.js";
import { followMoves, moveText } from "./movelist.js";
import { Moves, Past } from "./moves.js";
import { prefer, preferences } from "./preferences.js";
import { facesAnother, facesMachines, mayCount, named } from "./standing.js";
import { loadParts, texts } from "./texts.js";

/** @typedef {import("./matchactions.js").Asking} Asking */

/**
 * What a match consists of besides its moves.
 * @typedef {object} Parts
 * @property {string} id
 * @property {MatchView} match as it stands
 * @property {GameCard | null} card
 * @property {any} stage
 * @property {string[]} able the agents that support the board
 * @property {Renderer} renderer
 * @property {Loaded} modules
 */

/** The module of a pair, whose other half is that its texts are loaded. @template T @param {[T, void]} pair */
const moduleOf = ([module]) => module;

/** What is loaded only in matches that need it. */
const MODULES = {
  /** Where a match has clocks. */
  clock: () => import("./clock.js"),
  /** Where the person may pause machines. */
  pace: () => import("./pace.js"),
  /** Where the actions of others are watched one by one. */
  playback: () => import("./playback.js"),
  /** Where two people play. */
  people: () => Promise.all([import("./people.js"), loadParts(["people"])]).then(moduleOf),
  /** Where a seat is open. */
  invitation: () => Promise.all([import("./invitation.js"), loadParts(["people"])]).then(moduleOf),
  /** Where sounds or taps to confirm are wanted, and for the end. */
  comfort: () => import("./comfort.js"),
  /** For players. */
  coach: () => import("./coach.js"),
  /** With the first hint, and where help fails. */
  advice: () => Promise.all([import("./advice.js"), loadParts(["help"])]).then(moduleOf),
  /** With the first decision. */
  decision: () => import("./decision.js"),
  /** With the first fault. */
  fallback: () => import("./fallback.js"),
  keyhelp: () => Promise.all([import("./keyhelp.js"), loadParts(["help"])]).then(moduleOf),
  matchactions: () => Promise.all([import("./matchactions.js"), loadParts(["help"])]).then(moduleOf),
};

/** @typedef {{ [K in keyof typeof MODULES]: Awaited<ReturnType<(typeof MODULES)[K]>> }} Modules */
/** @typedef {Partial<Modules>} Loaded */

/**
 * What a person is about to do in the position shown; the next position ends it.
 * @typedef {object} Intent
 * @property {number | null} selected the candidate whose line is drawn
 * @property {Analysis | null} hint the analysis whose move is advised
 * @property {Analysis | null} explained what the game says of the place that was asked about last
 * @property {string | null} unsure a move that waits for its second tap
 * @property {string | null} unconfirmed an action that waits to be confirmed
 * @property {Asking | null} asking help that waits until the person agrees to an unrated match
 * @property {(() => unknown) | null} retry requests the help again that failed
 */

/** @returns {Intent} */
const noIntent = () => ({
  selected: null,
  hint: null,
  explained: null,
  unsure: null,
  unconfirmed: null,
  asking: null,
  retry: null,
});

const say = texts("match", "page");

/** The codes of refusals that have a sentence of their own. */
const WHY = new Set(["clocked", "game_over", "no_help", "not_your_seat", "nothing_to_undo", "out_of_turn", "secret"]);

/** Whether two states draw the same page: running clocks are drawn by themselves. @param {MatchView} one @param {MatchView} other */
function looksLike(one, other) {
  const text = (/** @type {MatchView} */ match) =>
    JSON.stringify({ ...match, clock: match.clock && { ...match.clock, left_ms: null } });
  return text(one) === text(other);
}

/** The modules that a match needs from the start. @param {MatchView} match @returns {Promise<Loaded>} */
export async function firstModules(match) {
  const plays = match.live && match.seats.some((seat) => seat.you);
  const [clock, pace, coach, comfort, playback] = await Promise.all([
    match.clock ? MODULES.clock() : undefined,
    match.can.pace ? MODULES.pace() : undefined,
    plays ? MODULES.coach() : undefined,
    preferences.sound || preferences.confirm ? MODULES.comfort() : undefined,
    plays && match.scene?.pace_ms !== undefined && !match.clock ? MODULES.playback() : undefined,
  ]);
  return { clock, pace, coach, comfort, playback };
}

export class OpenMatch {
  /** @param {Shell} shell @param {Parts} parts */
  constructor(shell, { id, match, card, stage, able, renderer, modules }) {
    this.shell = shell;
    this.id = id;
    this.match = match;
    this.card = card;
    this.stage = stage;
    this.able = able;
    this.renderer = renderer;
    this.modules = modules;
    /** @type {number | null} the ply shown; null follows the match */
    this.at = null;
    /** @type {string | null} why the generic board replaces the game's own */
    this.fault = null;
    this.past = new Past();
    /** @type {Record<string, any>} */
    this.ui = {};
    this.intent = noIntent();
    this.allCandidates = false;
    /** When the last state of the match was received, by `performance.now()`. */
    this.heard = performance.now();
    /** @type {import("./rules.js").Rules | null} loaded on demand */
    this.rules = null;
    /** @type {import("./ownrating.js").OwnRating | null} loaded once a match against machines is over */
    this.rating = null;
    /** @type {any} what the server computed of the finished match */
    this.facts = null;
    this.factsOf = 0;
    const engine = preferences.overlay === "candidates" || preferences.overlay === "heat";
    const counts = match.live && mayCount(match) && !match.positioned && !match.help.length;
    /** Of this match; without an engine's help where there is none, or where it counts for a rating or a best time. */
    this.overlay = engine && (counts || match.why.analyse === "no_help") ? "none" : preferences.overlay;
    /** @type {import("./playback.js").Playback | null} shows what others do action by action */
    this.playback = modules.playback ? new modules.playback.Playback(this) : null;
    this.moves = new Moves(this);
    this.analyser = new Analyser(this);
    /** @type {import("./live.js").Connection} */
    this.connection = "connecting";
    this.live = new Live(
      id,
      (message) => this.hear(message),
      (connection) => {
        this.connection = connection;
        this.shell.redraw();
      },
    );
  }

  /** Show the match for the first time, at the ply that the address names. @param {unknown} fault why its own board failed */
  async begin(fault) {
    if (fault !== null) this.recover(fault);
    this.enter(null, this.match);
    const ply = Number(new URLSearchParams(location.search).get("ply") ?? NaN);
    if (Number.isInteger(ply) && ply >= 0 && ply < this.match.plies) await this.look(ply);
  }

  close() {
    this.live.close();
  }

  /** A module, loaded when it is first needed. @template {keyof Modules} K @param {K} name @returns {Promise<Modules[K]>} */
  async use(name) {
    const loaded = /** @type {Modules[K]} */ (this.modules[name] ?? (await MODULES[name]()));
    this.modules[name] = loaded;
    return loaded;
  }

  /** Draw with the generic board; false if that failed. @param {unknown} error */
  recover(error) {
    this.fault ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    void this.use("fallback").then((fallback) => fallback.fallBack(this));
    return Boolean(this.card?.renderer);
  }

  /** Whether it is drawn, not played from a list of moves. @param {MatchView} match */
  draws(match) {
    return match.scene !== null && ((this.card?.renderer !== null && this.fault === null) || match.scene.format);
  }

  /** @param {import("./live.js").Message} message */
  hear(message) {
    if (message.type === "state" && !this.moves.holds(message.match)) this.accept(message.match);
    if (message.type === "analysis") {
      this.past.learn(message.analysis);
      this.shell.redraw();
    }
    if (message.type === "emote") this.modules.people?.receive(this, message);
    if (message.type === "fault") {
      this.shell.say(message.problem.text?.[preferences.language] ?? message.problem.message, "fault");
      // The match in which the person waited is no more.
      if (message.problem.code === "rematch_declined") void this.act((actions) => actions.leaveDeclined(this));
    }
  }

  /** Take a newer state of the match. @param {MatchView} match at its last ply */
  accept(match) {
    const before = this.match;
    if (match.version < before.version) return;
    this.match = match;
    this.heard = performance.now();
    if (this.at === null && looksLike(before, match)) return;
    if (before.version !== match.version) {
      this.moves.judgements.clear();
      this.intent = noIntent();
    }
    // What the machine considered is open from here on.
    if (before.rated && !match.rated) this.past.views.clear();
    this.enter(before, match);
  }

  /** Show a state. @param {MatchView | null} before null: it is the first @param {MatchView} match */
  enter(before, match) {
    if (match.scene_fault !== null) this.recover(match.scene_fault);
    void this.modules.fallback?.pictured(this, match);
    this.past.follow(match);
    this.playback?.follow(match);
    if (this.at !== null && this.at >= match.plies) this.at = null;
    if (before && match.plies > before.plies) this.announceMove(match);
    if (before && (this.modules.comfort || (before.live && !match.live)))
      void this.use("comfort").then((comfort) => comfort.follow(before, match));
    if (this.rating || (!match.live && facesMachines(match))) void this.rate(match);
    if (!match.live && this.renderer.facts) void this.learnFacts(match);
    if (!this.modules.people && facesAnother(match)) void this.use("people").then(this.shell.redraw);
    if (before) this.modules.people?.follow(this, before, match);
    if (!this.modules.invitation && match.can.delete && match.seats.some((seat) => seat.open))
      void this.use("invitation").then((invitation) => invitation.request(this));
    this.shell.redraw();
    if (before?.plies !== match.plies) followMoves();
    void this.moves.list();
    void this.analyser.follow();
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
    if (!move || match.seats[move.player]?.you) return;
    this.shell.announce(
      say("announce_move", { player: named(match, this.renderer, move.player), move: moveText(move) }),
    );
  }

  /** The match at the ply shown. @returns {MatchView} */
  get shown() {
    if (this.at === null) return this.playback?.view ?? this.match;
    return this.past.views.get(this.at) ?? this.match;
  }

  /** The analysis of the position shown. @returns {Analysis | null} */
  get analysis() {
    return this.past.analyses.get(this.shown.ply) ?? null;
  }

  /** The analysis whose move is advised in the position shown. @returns {Analysis | null} */
  get advised() {
    return this.intent.hint?.ply === this.shown.ply ? this.intent.hint : null;
  }

  /** @returns {Context} */
  context() {
    const { shown, match, advised } = this;
    const { comfort } = this.modules;
    return {
      match: shown,
      stage: this.stage,
      scene: shown.scene,
      facts: this.at === null ? this.facts : null,
      mayMove: this.at === null && !this.playback?.view && match.can.move && !this.moves.busy,
      // A hint is one move: nothing else is drawn beside it.
      overlay: advised ? "none" : this.overlay,
      drawn: advised ? [{ text: advised.text, kind: "hint" }] : [],
      analysis: this.analysis,
      selected: this.intent.selected,
      pending: this.moves.pending ?? this.intent.unsure,
      last: shown.moves[shown.ply - 1] ?? null,
      moves: this.moves.listed,
      ui: this.ui,
      language: preferences.language,
      redraw: this.shell.redraw,
      play: async (text, sure) =>
        void (sure || !comfort || comfort.confirmed(this, text) ? await this.moves.play(text) : this.shell.redraw()),
      judge: (text) => this.moves.judge(text),
      explain: this.analyser.mayExplain
        ? (text) => import("./explain.js").then(({ explain }) => explain(this, text))
        : null,
      explained: this.intent.explained?.ply === shown.ply ? this.intent.explained : null,
      announce: this.shell.announce,
      goto: (ply) => void this.look(ply),
    };
  }

  async reload() {
    await this.shell.attempt(async () => {
      this.accept(await api.match(this.id));
    });
  }

  /** Show a ply. @param {number} ply */
  async look(ply) {
    const { match } = this;
    const next = Math.max(0, Math.min(match.plies, ply));
    if (next < match.plies && !this.past.views.has(next)) {
      const done = await this.shell.attempt(async () => {
        const view = await api.match(this.id, next, this.fault === null ? undefined : true);
        this.past.views.set(next, view);
        if (view.analysis) this.past.learn(view.analysis);
      });
      if (!done) return;
    }
    this.at = next < match.plies ? next : null;
    this.playback?.skip();
    this.intent.selected = this.intent.hint = this.intent.retry = null;
    history.replaceState(null, "", this.at === null ? location.pathname : `?ply=${this.at}`);
    this.shell.redraw();
    followMoves();
    void this.analyser.follow();
  }

  /** @param {Overlay} overlay */
  show(overlay) {
    const choose = () => {
      prefer({ overlay });
      this.overlay = overlay;
      this.intent.hint = null;
      this.shell.redraw();
      return this.analyser.follow();
    };
    if (overlay === "candidates" || overlay === "heat") this.help("overlay", choose, overlay);
    else void choose();
  }

  /**
   * Give help after which a match counts no longer, for a rating or a best time, if the person agrees.
   * @param {Asking["kind"]} kind @param {Asking["give"]} give @param {Asking["overlay"]} [overlay]
   */
  help(kind, give, overlay = null) {
    const { match } = this;
    const timed = this.card?.timed && match.live && mayCount(match) && !match.positioned && !match.help.length;
    if (match.rated || timed) void this.act((actions) => actions.ask(this, { kind, give, overlay }));
    else void give();
  }

  /** Show why help failed, and offer to request it again. @param {unknown} error @param {() => unknown} retry */
  async failHelp(error, retry) {
    this.shell.fail(error);
    await this.use("advice");
    this.intent.retry = retry;
  }

  /** Why an action is refused, in a sentence. @param {keyof MatchView["can"]} action */
  why(action) {
    const code = this.match.why[action];
    if (!code) return "";
    const key = /** @type {"no_other"} */ (`no_${code}`);
    return say(WHY.has(code) ? key : "no_other");
  }

  /** @param {Analysis} analysis @param {boolean} current whether it is of the position shown */
  decision(analysis, current) {
    if (!this.modules.decision) void this.use("decision").then(this.shell.redraw);
    return this.modules.decision?.decision(this, analysis, current) ?? nothing;
  }

  /** Do something rarely done, whose module is loaded on demand. @param {(actions: Modules["matchactions"]) => unknown} act */
  async act(act) {
    await act(await this.use("matchactions"));
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

  async showKeys() {
    await this.use("keyhelp");
    this.shell.redraw();
    /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.keys"))?.showModal();
  }
}
