/** The page of the position editor: a board with tools, its text, what an agent says of it, and a match from there. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ApiError, api, request } from "./api.js";
import { BoardPage } from "./boardpage.js";
import { decision } from "./decision.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { loadRenderer } from "./renderer.js";
import { base64, select, typed } from "./select.js";
import { contextOf } from "./shown.js";
import { t, texts } from "./texts.js";

const say = texts("edit", "page");

/** How long an analysis waits for the next change. */
const PAUSE_MS = 250;
const MOVETIME_MS = 1500;
const LINES = 5;
/** The longest address that keeps the position: servers and chats cut longer ones. */
const LONGEST_ADDRESS = 1800;
const LARGEST_FILE = 24_000;

/** @typedef {Schemas["EditedPosition"]} Edited */
/** @typedef {{ board: string, text: string }} Position */

/** @type {Overlay[]} */
const OVERLAYS = ["heat", "candidates", "none"];

export default class EditPage extends BoardPage {
  static styles = ["match", "edit"];
  /** @type {GameCard | null} */
  card = null;
  /** @type {Edited | null} */
  edited = null;
  /** @type {Position[]} positions before each change */
  past = [];
  /** @type {Schemas["EditChange"][]} changes that wait for the one that is on its way */
  waitingChanges = [];
  tool = "";
  /** What stands in the box of the text while a person types there. @type {string | null} */
  typedText = null;
  /** Why the position cannot be analysed. */
  problem = "";
  /** Why a text or a file cannot be read; the position stays. */
  unread = "";
  /** @type {Analysis | null} */
  analysis = null;
  analysing = false;
  /** Whether the server is busy, and the analysis is requested again by itself. */
  later = false;
  requests = 0;
  pause = 0;
  /** @type {Overlay} */
  overlay = "candidates";
  /** @type {import("./openmatch.js").Intent} */
  intent = { selected: null, hint: null, explained: null, unsure: null, unconfirmed: null, asking: null, retry: null };
  allCandidates = false;
  /** No hint is shown on its own here. */
  advised = null;
  /** @type {string[]} the levels that support the board */
  levels = [];
  level = "";
  /** The seat of the person; the player to move if null. @type {number | null} */
  seat = null;

  title() {
    return this.edited ? say("title", { game: this.edited.names[preferences.language] ?? "" }) : t("loading");
  }

  /** @param {string} rest */
  address(rest = "") {
    return `/api/games/${encodeURIComponent(this.name)}/edit${rest}`;
  }

  async open() {
    const { games } = await api.games();
    this.card = games.find(({ id, editor }) => id === this.name && editor) ?? null;
    if (!this.card) throw new Error(say("none"));
    this.renderer = await loadRenderer(this.card.renderer);
    this.overlay = this.card.information === "hidden" ? "heat" : "candidates";
    addEventListener("paste", this.pasted);
    await this.whenPrepared(() => this.load());
  }

  close() {
    super.close();
    clearTimeout(this.pause);
    removeEventListener("paste", this.pasted);
  }

  /** The position of a match, that of the address, or the first one. */
  async load() {
    const query = new URLSearchParams(location.search);
    const match = query.get("match");
    const ply = query.get("ply");
    const position = match
      ? request("POST", `/api/matches/${encodeURIComponent(match)}/edit`, { ply: ply === null ? null : Number(ply) })
      : request("POST", this.address(), { board: query.get("board"), text: query.get("text") ?? "" });
    this.show(await position);
  }

  /** @param {Edited} edited */
  show(edited) {
    const board = this.edited?.board;
    this.edited = edited;
    this.tool = edited.tools.some(({ name }) => name === this.tool) ? this.tool : (edited.tools[0]?.name ?? "");
    [this.typedText, this.problem, this.unread, this.analysis] = [null, "", "", null];
    this.intent.selected = this.intent.explained = null;
    this.requests += 1;
    this.analysing = this.later = false;
    const position = new URLSearchParams({ board: edited.board, text: edited.text }).toString();
    const address = position.length > LONGEST_ADDRESS ? location.pathname : `${location.pathname}?${position}`;
    history.replaceState(null, "", address);
    if (board !== edited.board) void this.learnLevels(edited.board);
    clearTimeout(this.pause);
    if (this.overlay !== "none") this.pause = window.setTimeout(() => void this.analyse(), PAUSE_MS);
    this.shell.redraw();
  }

  /** The opponents on a board. @param {string} board */
  async learnLevels(board) {
    if (this.card?.players === 1) return;
    const { levels } = await api.board(this.name, board);
    this.levels = levels;
    if (!levels.includes(this.level)) {
      const known = this.card?.default_level ?? "";
      this.level = levels.includes(known) ? known : (levels[0] ?? "");
    }
    this.shell.redraw();
  }

  /** Take another position, which can be undone. @param {Partial<Schemas["EditRequest"]>} wanted */
  async take(wanted) {
    const { edited } = this;
    if (!edited) return;
    const before = { board: edited.board, text: edited.text };
    try {
      const next = /** @type {Edited} */ (await request("POST", this.address(), { ...before, ...wanted }));
      if (this.closed) return;
      if (next.text !== before.text || next.board !== before.board) this.past.push(before);
      this.show(next);
    } catch (error) {
      this.shell.fail(error);
      if (error instanceof Error && wanted.changes === undefined) this.unread = error.message;
    }
  }

  /** Change the position; changes that come meanwhile go together. @param {Schemas["EditChange"]} change */
  async change(change) {
    this.waitingChanges.push(change);
    if (this.busy) return;
    this.busy = true;
    while (this.waitingChanges.length) await this.take({ changes: this.waitingChanges.splice(0) });
    this.busy = false;
    this.shell.redraw();
  }

  async undo() {
    const before = this.past.pop();
    if (!before) return;
    await this.exclusively(async () => this.show(await request("POST", this.address(), before)));
  }

  /** @param {string} text */
  async read(text) {
    await this.exclusively(() => this.take({ text }));
  }

  /** @param {File | undefined} file */
  async readFile(file) {
    if (!file) return;
    if (file.size > LARGEST_FILE) {
      this.shell.say(say("large_file"), "fault");
      return;
    }
    const data = await base64(file);
    await this.exclusively(() => this.take({ text: "", file: { name: file.name, data } }));
  }

  /** What is pasted outside of a field is a position. @param {ClipboardEvent} event */
  pasted = (event) => {
    if (/** @type {Element} */ (event.target).closest?.("input, textarea, select")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) void this.read(text);
  };

  /** @param {DragEvent} event */
  dropped(event) {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const text = event.dataTransfer?.getData("text/plain");
    if (file) void this.readFile(file);
    else if (text) void this.read(text);
  }

  /** The analyst, with several lines where it has them. @returns {string | null} null is the board's own */
  get agent() {
    const analyst = this.card?.agents.find(({ name }) => name === this.card?.analyst);
    const able = analyst && (analyst.presets === null || analyst.presets.includes(this.edited?.board ?? ""));
    const options = /** @type {Record<string, any> | undefined} */ (analyst?.options.properties);
    return able && options && "multipv" in options ? `${analyst.name}:multipv=${LINES}` : null;
  }

  async analyse() {
    const { edited } = this;
    if (!edited || this.closed) return;
    clearTimeout(this.pause);
    const number = ++this.requests;
    [this.analysing, this.later] = [true, false];
    this.shell.redraw();
    try {
      const { board, text } = edited;
      const body = { board, text, agent: this.agent, movetime_ms: MOVETIME_MS };
      const analysis = /** @type {Analysis} */ (await request("POST", this.address("/analysis"), body));
      if (number === this.requests) [this.analysis, this.problem] = [analysis, ""];
    } catch (error) {
      if (number !== this.requests || !(error instanceof Error)) return;
      this.later = error instanceof ApiError && error.status === 429;
      if (error instanceof ApiError && this.later)
        this.pause = window.setTimeout(() => void this.analyse(), 1000 * error.wait);
      else this.problem = error.message;
    } finally {
      if (number === this.requests) this.analysing = this.later;
      this.shell.redraw();
    }
  }

  /** Have the game say why a place is good or bad. @param {string} about */
  async explain(about) {
    const { edited } = this;
    if (!edited) return;
    const { board, text } = edited;
    await this.shell.attempt(async () => {
      const body = { board, text, agent: null, about };
      const explained = /** @type {Analysis} */ (await request("POST", this.address("/analysis"), body));
      if (this.edited !== edited) return;
      this.intent.explained = explained;
      this.shell.announce(explained.explanation[0]?.text[preferences.language] ?? "");
    });
  }

  async play() {
    const { edited, card } = this;
    if (!edited || !card) return;
    const seat = this.seat ?? edited.position.to_move ?? 0;
    const seats = card.players === 1 ? ["you"] : [0, 1].map((player) => (player === seat ? "you" : this.level));
    await this.exclusively(async () => {
      const match = await api.create({ game: edited.game, preset: edited.board, position: edited.text, seats });
      this.shell.go(`/match/${match.id}`);
    });
  }

  /** @returns {Context} */
  context() {
    const { edited } = this;
    const position = /** @type {Edited} */ (edited).position;
    return contextOf(this.name, position, {
      ui: this.ui,
      redraw: this.shell.redraw,
      mayMove: true,
      editing: true,
      overlay: this.overlay,
      analysis: this.analysis,
      selected: this.intent.selected,
      tool: this.tool,
      put: (tool, place) => this.change({ kind: "put", name: tool, value: place }),
      play: (place) => this.change({ kind: "put", name: this.tool, value: place }),
      explain: this.card?.explains && this.overlay !== "none" ? (place) => this.explain(place) : null,
      explained: this.intent.explained,
      judge: async () => ({ legal: true, message: null }),
      announce: this.shell.announce,
    });
  }

  keyContext() {
    return this.edited ? this.context() : null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    const inField = target.closest?.("input:not([type=radio]), select, textarea");
    // On the board a game may read keys as what is put there.
    if (target.closest?.(".board") && this.edited && this.renderer?.key?.(event, this.context())) {
      event.preventDefault();
      return;
    }
    const tool = this.edited?.tools.find(({ key }) => key !== "" && key === event.key);
    if (tool && !inField && !event.altKey && !event.ctrlKey && !event.metaKey) {
      this.tool = tool.name;
      this.shell.announce(tool.title[preferences.language] ?? "");
      event.preventDefault();
    } else super.key(event);
  }

  /** The position as `decision.js` reads it. @returns {MatchView} */
  get shown() {
    return this.context().match;
  }

  draw() {
    const { edited, renderer } = this;
    if (this.preparation) return this.drawPreparation(this.preparation);
    if (!edited || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
    const ctx = this.context();
    return html`<div class="edit" data-game=${this.name} @dragover=${(/** @type {Event} */ event) => event.preventDefault()}
      @drop=${(/** @type {DragEvent} */ event) => this.dropped(event)}>
      <header class="edit-heading"><h1>${this.title()}</h1>
        <p class="muted" data-testid="board">${edited.title[preferences.language]}</p></header>
      <div class="edit-board">
        ${this.tools(edited)} ${this.settings(edited)}
        <div class="board-frame" aria-busy=${this.busy}>${renderer.board(ctx)}</div>
      </div>
      <div class="edit-side">
        ${this.panel()}
        ${renderer.panels ? renderer.panels(ctx) : nothing}
        ${renderer.firstPanels ? renderer.firstPanels(ctx) : nothing}
        ${this.source(edited)} ${this.start(edited)}
      </div>
    </div>`;
  }

  /** @param {Edited} edited */
  tools(edited) {
    const { language } = preferences;
    return html`<div class="edit-bar">
      <fieldset class="edit-tools"><legend class="unseen">${say("tools")}</legend>
        ${edited.tools.map(
          ({ name, title, symbol, key }) => html`<label title=${key ? `${title[language]} (${key})` : title[language]}>
            <input type="radio" name="tool" value=${name} .checked=${name === this.tool}
              aria-label=${title[language]} @change=${() => this.choose(name)} />
            <span data-tool=${name} aria-hidden="true">${symbol || title[language]}</span></label>`,
        )}</fieldset>
      <button class="quiet" ?disabled=${!this.past.length || this.busy} @click=${() => this.undo()}>${icon("undo")}
        ${say("undo")}</button>
      <button class="quiet" ?disabled=${this.busy} @click=${() => this.read("")}>${icon("trash")} ${say("clear")}</button>
    </div>`;
  }

  /** @param {string} name */
  choose(name) {
    this.tool = name;
    this.shell.redraw();
  }

  /** @param {Edited} edited */
  settings(edited) {
    const { language } = preferences;
    const set = (/** @type {string} */ name) => (/** @type {string} */ value) =>
      void this.change({ kind: "set", name, value });
    if (!edited.settings.length) return nothing;
    return html`<div class="edit-settings">${edited.settings.map(({ name, title, value, bounds, choices }) => {
      const label = title[language] ?? name;
      if (bounds)
        return html`<label class="field"><span>${label}</span><input type="number" inputmode="numeric" min=${bounds[0]}
          max=${bounds[1]} .value=${value} @change=${typed(set(name))} /></label>`;
      const names = Object.values(choices).map((choice) => choice[language] ?? "");
      return select(label, Object.keys(choices), value, set(name), { names });
    })}</div>`;
  }

  /** What an agent says of the position, in the words of a match. */
  panel() {
    const { analysis, problem } = this;
    const show = (/** @type {Overlay} */ overlay) => () => {
      this.overlay = overlay;
      if (overlay !== "none" && !analysis) void this.analyse();
      this.shell.redraw();
    };
    return html`<section class="panel analysis" aria-labelledby="analysis-title" aria-busy=${this.analysing}>
      <div class="heading"><h2 id="analysis-title">${say("analysis")}</h2>
        ${this.analysing ? html`<span class="spinner" aria-hidden="true"></span>` : nothing}</div>
      <fieldset class="segments"><legend class="unseen">${say("overlay")}</legend>${OVERLAYS.map(
        (
          overlay,
        ) => html`<label><input type="radio" name="overlay" value=${overlay} .checked=${this.overlay === overlay}
          @change=${show(overlay)} /><span>${say(/** @type {"overlay_heat"} */ (`overlay_${overlay}`))}</span></label>`,
      )}</fieldset>
      <div role="status">${problem ? html`<p class="edit-problem" data-testid="problem">${problem}</p>` : this.later ? html`<p class="muted">${say("later")}</p>` : nothing}</div>
      ${
        analysis
          ? decision(/** @type {this & { renderer: Renderer }} */ (this), analysis, true)
          : problem || this.overlay !== "none"
            ? nothing
            : html`<button @click=${() => this.analyse()}>${icon("hint")} ${say("analyse")}</button>`
      }
    </section>`;
  }

  /** @param {Edited} edited */
  source(edited) {
    const text = this.typedText ?? edited.text;
    const rows = Math.min(14, text.split("\n").length + 1);
    return html`<section class="panel edit-text">
      <h2>${say("text")}</h2>
      <label class="unseen" for="position-text">${say("text")}</label>
      <textarea id="position-text" rows=${rows} spellcheck="false" .value=${text} @input=${typed((value) => {
        this.typedText = value;
        this.shell.redraw();
      })}></textarea>
      <div role="status">${this.unread ? html`<p class="edit-problem" data-testid="unread">${this.unread}</p>` : nothing}</div>
      <p class="muted">${say("drop")}</p>
      <div class="actions">
        <button ?disabled=${this.busy || this.typedText === null} @click=${() => this.read(text)}>${say("read")}</button>
        <label class="button edit-file"><input type="file" class="unseen" aria-label=${say("file")}
          @change=${(/** @type {Event} */ event) => {
            const input = /** @type {HTMLInputElement} */ (event.target);
            void this.readFile(input.files?.[0]).then(() => (input.value = ""));
          }} />${icon("upload")} ${say("file")}</label>
        <button class="quiet" @click=${() => this.shell.copy()}>${icon("link")} ${say("link")}</button>
      </div>
    </section>`;
  }

  /** @param {Edited} edited */
  start(edited) {
    const card = /** @type {GameCard} */ (this.card);
    const { language } = preferences;
    const sides = this.renderer?.sides?.(this.shown) ?? [];
    const name = (/** @type {number} */ player) => sides[player] ?? say("player", { player: player + 1 });
    const levels = this.levels.map((level) => card.levels.find((one) => one.name === level)?.title[language] ?? level);
    const seat = this.seat ?? edited.position.to_move ?? 0;
    return html`<section class="panel edit-play">
      <h2>${say("play_on")}</h2>
      ${
        card.players === 1
          ? nothing
          : html`<div class="pair">
            ${select(say("seat"), ["0", "1"], String(seat), (value) => this.choosePlayer(Number(value)), {
              names: [name(0), name(1)],
            })}
            ${select(
              say("opponent"),
              this.levels,
              this.level,
              (level) => {
                this.level = level;
              },
              { names: levels },
            )}</div>`
      }
      <p class="muted">${say(card.information === "hidden" ? "play_hidden" : "play_about")}</p>
      <button class="primary large" ?disabled=${this.busy || this.problem !== ""} @click=${() => this.play()}>${icon("play")} ${say("play")}</button>
    </section>`;
  }

  /** @param {number} player */
  choosePlayer(player) {
    this.seat = player;
    this.shell.redraw();
  }
}
