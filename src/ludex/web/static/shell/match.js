/** The page of one match: it loads the match, waits while its game is being prepared, and then shows it. */

import { html } from "../vendor/lit-html/lit-html.js";
import { ApiError, api } from "./api.js";
import { matchView, overlays } from "./matchview.js";
import { followMoves } from "./movelist.js";
import { firstModules, OpenMatch } from "./openmatch.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { loadRenderer } from "./renderer.js";
import { t } from "./texts.js";

/**
 * What the page shows, and what exists then.
 * @typedef {{ kind: "loading" }
 *   | { kind: "preparing", preparation: GamePreparation | null, panel: typeof import("./preparing.js"), retry: number }
 *   | { kind: "open", open: OpenMatch }
 *   | { kind: "closed" }} State
 */

export default class MatchPage extends BasePage {
  static styles = ["match"];
  id = this.name;
  /** @type {State} */
  state = { kind: "loading" };

  title() {
    return this.state.kind === "open" ? this.state.open.match.names[preferences.language] : t("loading");
  }

  /** Load the match, and as long as its game is being prepared, try again. */
  async open() {
    try {
      await this.load();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "preparing") throw error;
      await this.wait(error.preparation);
    }
    this.shell.redraw();
  }

  /** @param {GamePreparation | null} preparation how far the game is */
  async wait(preparation) {
    const panel = await import("./preparing.js");
    if (this.state.kind === "closed") return;
    const retry = window.setTimeout(() => this.open().catch(this.shell.fail), panel.POLL_MS);
    this.state = { kind: "preparing", preparation, panel, retry };
  }

  async load() {
    const [match, { stage, agents }, { games }] = await Promise.all([
      api.match(this.id),
      api.stage(this.id),
      api.games(),
    ]);
    const card = games.find((game) => game.id === match.game) ?? null;
    const [{ renderer, fault }, modules] = await Promise.all([
      ownRenderer(card?.renderer ?? null),
      firstModules(match),
    ]);
    if (this.state.kind === "closed") return;
    const open = new OpenMatch(this.shell, { id: this.id, match, card, stage, able: agents, renderer, modules });
    this.state = { kind: "open", open };
    await open.begin(fault);
  }

  /** Draw with the generic board; false if that failed. @param {unknown} error */
  recover(error) {
    return this.state.kind === "open" && this.state.open.recover(error);
  }

  close() {
    super.close();
    if (this.state.kind === "preparing") clearTimeout(this.state.retry);
    if (this.state.kind === "open") this.state.open.close();
    this.state = { kind: "closed" };
  }

  draw() {
    const { state } = this;
    if (state.kind === "open") return matchView(state.open);
    if (state.kind !== "preparing" || !state.preparation) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="alone"><p>${state.panel.say("match")}</p>${state.panel.progress(state.preparation)}</div>`;
  }

  entered() {
    followMoves();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.state.kind !== "open" || event.altKey || event.ctrlKey || event.metaKey) return;
    const { open } = this.state;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog[open]")) return;
    const elsewhere = target.closest("button, a, summary, input") && !target.closest(".board");
    // A focused control outside the board keeps Enter, blanks and arrows for itself.
    const own = elsewhere && (event.key === "Enter" || event.key === " " || event.key.startsWith("Arrow"));
    if (own) return;
    if (open.renderer.key?.(event, open.context()) || command(open, event.key)) event.preventDefault();
  }
}

/** Whether a key does something in every match. @param {OpenMatch} open @param {string} key */
function command(open, key) {
  const { ply } = open.shown;
  /** @type {Record<string, () => unknown>} */
  const commands = {
    "?": () => open.showKeys(),
    PageUp: () => open.look(ply - 1),
    PageDown: () => open.look(ply + 1),
    Home: () => open.look(0),
    End: () => open.look(Infinity),
    u: () => open.undo(),
    h: () => open.hint(),
    n: () => open.act((actions) => actions.again(open)),
    o: () => {
      const all = overlays(open);
      open.show(all[(all.indexOf(open.overlay) + 1) % all.length] ?? "none");
    },
  };
  const act = commands[key];
  if (act) void act();
  return Boolean(act);
}

/**
 * A game's own renderer; the generic one, and why, if that fails.
 * @param {string | null} name @returns {Promise<{ renderer: Renderer, fault: unknown }>}
 */
async function ownRenderer(name) {
  try {
    const renderer = await loadRenderer(name);
    if (!renderer) throw new TypeError("renderer.js has no default export");
    return { renderer, fault: null };
  } catch (error) {
    if (name === null) throw error;
    return { renderer: await loadRenderer(null), fault: error };
  }
}
