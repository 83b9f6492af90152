/** The page of trained agents that are kept as levels: to play, export, import and remove. */

import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { agents, lab } from "./labapi.js";
import { ago } from "./names.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { base64, select, typed } from "./select.js";
import { t, texts } from "./texts.js";

const say = texts("lab", "agents");

export default class AgentsPage extends BasePage {
  static styles = ["checkpoints", "arena"];
  /** @type {Schemas["KeptAgents"]} */
  listing = { agents: [], broken: [] };
  /** @type {Schemas["GameCard"][]} */
  games = [];
  administrator = false;
  game = "";
  preset = "";
  title_ = "";
  /** @type {File | null} */
  file = null;

  title() {
    return say("title");
  }

  async open() {
    const [, { administrator }, { games }] = await Promise.all([this.load(), lab.administrator(), api.games()]);
    this.administrator = administrator;
    this.games = games;
    this.chooseGame(games[0]?.id ?? "");
  }

  async load() {
    this.listing = await agents.kept();
  }

  /** @param {string} game */
  chooseGame(game) {
    this.game = game;
    this.preset = this.games.find(({ id }) => id === game)?.presets[0] ?? "";
    this.shell.redraw();
  }

  /** A file that was exported here says in its name what it plays. @param {File | null} file */
  chooseFile(file) {
    this.file = file;
    const game = this.games.find(({ id }) => file?.name.startsWith(`${id}-`));
    if (file && game) {
      this.chooseGame(game.id);
      const board = game.presets.filter((preset) => file.name.startsWith(`${game.id}-${preset}-`)).at(-1);
      if (board) this.preset = board;
    }
    this.shell.redraw();
  }

  /** Carry out a change, and show what is there then. @param {() => Promise<string>} request says what was done */
  async change(request) {
    await this.exclusively(async () => {
      this.shell.say(await request());
      await this.load();
    });
  }

  /** @param {Event} event */
  async bring(event) {
    event.preventDefault();
    const { file } = this;
    if (!file) return;
    await this.change(async () => {
      const agent = await agents.bring({
        game: this.game,
        preset: this.preset,
        title: this.title_,
        file_name: file.name,
        content: await base64(file),
      });
      this.title_ = "";
      return say("imported", { title: agent.title });
    });
  }

  /** @param {Schemas["KeptAgentLine"]} agent */
  async remove(agent) {
    if (!confirm(say("confirm", { title: agent.title }))) return;
    await this.change(async () => {
      await agents.remove(agent.name);
      return say("removed", { title: agent.title });
    });
  }

  /** @param {Schemas["KeptAgentLine"]} agent */
  async play(agent) {
    const seats = agent.players === 1 ? [agent.agent] : ["you", agent.agent];
    await this.shell.enter(() => api.create({ game: agent.game, preset: agent.preset, seats }));
  }

  draw() {
    const { agents: lines, broken } = this.listing;
    return html`<div class="arena">
      <h1>${say("title")}</h1>
      <p class="muted intro">${say("about")}</p>
      <section class="panel">
        ${lines.length ? nothing : html`<p class="muted">${say("none")}</p>`}
        <ul class="kept-list">${lines.map((agent) => this.line(agent))}</ul>
        ${broken.length ? html`<ul class="faults">${broken.map((fault) => html`<li>${fault}</li>`)}</ul>` : nothing}
        <p><a href="/runs" data-page>${t("runs")}</a></p>
      </section>
      ${
        this.administrator
          ? this.form()
          : html`<p class="muted">${say("visitors")}
            <a href="/administrator" data-page>${t("administrator")}</a></p>`
      }
    </div>`;
  }

  /** @param {Schemas["KeptAgentLine"]} agent */
  line(agent) {
    const { language } = preferences;
    return html`<li>
      <div><strong>${agent.title}</strong> <span class="muted">${agent.names[language]} · ${agent.board[language]} ·
        ${ago(agent.created_utc)}</span><small class="muted">${agent.origin}</small></div>
      <button @click=${() => this.play(agent)}>${icon(agent.players === 1 ? "eye" : "play")}
        ${say(agent.players === 1 ? "watch" : "play")}<span class="unseen"> ${agent.title}</span></button>
      <a class="button quiet" href=${agents.file(agent.name)} download>${say("export")}<span class="unseen"> ${agent.title}</span></a>
      ${
        this.administrator
          ? html`<button class="quiet" ?disabled=${this.busy}
            @click=${() => this.remove(agent)}>${say("remove")}<span class="unseen"> ${agent.title}</span></button>`
          : nothing
      }
    </li>`;
  }

  form() {
    const { language } = preferences;
    const card = this.games.find(({ id }) => id === this.game);
    const presets = card?.presets ?? [];
    return html`<section class="panel checkpoints">
      <h2>${say("import_title")}</h2>
      <p class="muted">${say("import_about")}</p>
      <form class="actions" @submit=${(/** @type {Event} */ event) => this.bring(event)}>
        <label class="field"><span>${say("file")}</span><input type="file" required accept=".onnx,.safetensors,.json"
        @change=${(/** @type {Event} */ event) =>
          this.chooseFile(/** @type {HTMLInputElement} */ (event.target).files?.[0] ?? null)} /></label>
        ${select(
          say("game"),
          this.games.map(({ id }) => id),
          this.game,
          (game) => this.chooseGame(game),
          { names: this.games.map(({ names }) => names[preferences.language]) },
        )}
        ${select(say("board"), presets, this.preset, (preset) => (this.preset = preset), {
          names: presets.map((preset) => card?.boards[preset]?.[language] ?? preset),
        })}
        <label class="field"><span>${say("name")}</span><input type="text" required maxlength="40"
          .value=${live(this.title_)}
            @input=${typed((title) => (this.title_ = title))} /></label>
        <button class="primary" ?disabled=${this.busy}>${this.busy ? say("checking") : say("import")}</button>
      </form>
    </section>`;
  }
}
