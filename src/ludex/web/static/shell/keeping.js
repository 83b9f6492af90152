// @ts-check
/** What the administrator does with the agents of a run: keep one as a level, or let two play a tournament. */

import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { agents } from "./agentapi.js";
import { prefer, preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("lab", "keeping");

/** Games of a tournament between two steps. */
const GAMES = 20;

export class Keeping {
  /** @param {import("./checkpoints.js").Checkpoints} panel */
  constructor(panel) {
    this.panel = panel;
    this.title = "";
  }

  /** A button that lets two of the agents play a tournament. @param {string[]} players */
  tournament(players) {
    const { panel } = this;
    return html`<button class="quiet" ?disabled=${panel.busy || players[0] === players[1]}
      @click=${() => this.compete(players)}>${say("tournament", { games: GAMES })}</button>`;
  }

  /** @param {string[]} players */
  async compete(players) {
    await this.panel.doing(async () => {
      const { game, preset } = this.panel.found;
      await agents.tournament(game, preset, players, GAMES);
      this.panel.shell.go("/lab");
    });
  }

  async keep() {
    const { panel } = this;
    await panel.doing(async () => {
      const kept = await agents.keep(panel.found.name, panel.shown.step, this.title);
      this.title = "";
      // So that the home page shows it chosen.
      prefer({
        choices: {
          ...preferences.choices,
          [kept.game]: { ...preferences.choices[kept.game], preset: kept.preset, options: {}, level: kept.agent },
        },
      });
      panel.shell.say(say("kept", { title: kept.title }));
    });
  }

  /** The form that keeps the agent which is shown. */
  draw() {
    return html`<form class="actions" @submit=${(/** @type {Event} */ event) => this.submit(event)}>
      <label class="field"><span>${say("name")}</span><input type="text" required maxlength="40"
      .value=${live(this.title)}
          @input=${(/** @type {Event} */ event) => (this.title = /** @type {HTMLInputElement} */ (event.target).value)} /></label>
      <button ?disabled=${this.panel.busy}>${say("keep")}</button>
    </form>`;
  }

  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    void this.keep();
  }
}
