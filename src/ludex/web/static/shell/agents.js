// @ts-check
/** The page of trained agents that are kept as levels: to play, export, import and remove. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { agents } from "./agentapi.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { lab } from "./labapi.js";
import { ago } from "./names.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { select } from "./select.js";
import { texts, t } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("../types/page.js").Page} Page */

const say = texts("lab", "agents");

/** The bytes of a file in Base64. @param {File} file @returns {Promise<string>} */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** @implements {Page} */
export default class AgentsPage {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Schemas["KeptAgents"]} */
    this.found = { agents: [], broken: [] };
    /** @type {Schemas["GameCard"][]} */
    this.games = [];
    this.administrator = false;
    this.busy = false;
    this.game = "";
    this.preset = "";
    this.title_ = "";
    /** @type {File | null} */
    this.file = null;
  }

  title() {
    return say("title");
  }

  async open() {
    const [, { administrator }, { games }] = await Promise.all([
      this.load(),
      lab.administrator(),
      api.games(),
      stylesheet("/static/style/checkpoints.css"),
      stylesheet("/static/style/arena.css"),
    ]);
    this.administrator = administrator;
    this.games = games;
    this.chooseGame(games[0]?.id ?? "");
  }

  close() {}

  async load() {
    this.found = await agents.kept();
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
    if (this.busy) return;
    this.busy = true;
    this.shell.redraw();
    try {
      this.shell.say(await request());
      await this.load();
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.busy = false;
      this.shell.redraw();
    }
  }

  /** @param {Event} event */
  async bring(event) {
    event.preventDefault();
    const { file } = this;
    if (!file) return;
    await this.change(async () => {
      const kept = await agents.bring({
        game: this.game,
        preset: this.preset,
        title: this.title_,
        file_name: file.name,
        content: await base64(file),
      });
      this.title_ = "";
      return say("imported", { title: kept.title });
    });
  }

  /** @param {Schemas["KeptAgentLine"]} one */
  async remove(one) {
    if (!confirm(say("confirm", { title: one.title }))) return;
    await this.change(async () => {
      await agents.remove(one.name);
      return say("removed", { title: one.title });
    });
  }

  /** @param {Schemas["KeptAgentLine"]} one */
  async play(one) {
    try {
      const seats = one.players === 1 ? [one.agent] : ["you", one.agent];
      this.shell.go(`/match/${(await api.create({ game: one.game, preset: one.preset, seats })).id}`);
    } catch (error) {
      this.shell.fail(error);
    }
  }

  draw() {
    const { agents: kept, broken } = this.found;
    return html`<div class="arena">
      <h1>${say("title")}</h1>
      <p class="muted intro">${say("about")}</p>
      <section class="panel">
        ${kept.length ? html`<ul class="kept-list">${kept.map((one) => this.line(one))}</ul>` : html`<p class="muted">${say("none")}</p>`}
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

  /** @param {Schemas["KeptAgentLine"]} one */
  line(one) {
    const { language } = preferences;
    return html`<li>
      <div><strong>${one.title}</strong> <span class="muted">${one.names[language]} · ${one.board[language]} ·
        ${ago(one.created_utc)}</span><small class="muted">${one.origin}</small></div>
      <button @click=${() => this.play(one)}>${icon(one.players === 1 ? "eye" : "play")}
        ${say(one.players === 1 ? "watch" : "play")}<span class="unseen"> ${one.title}</span></button>
      <a class="button quiet" href=${agents.file(one.name)} download>${say("export")}<span class="unseen"> ${one.title}</span></a>
      ${
        this.administrator
          ? html`<button class="quiet" ?disabled=${this.busy}
            @click=${() => this.remove(one)}>${say("remove")}<span class="unseen"> ${one.title}</span></button>`
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
          { names: this.games.map(({ title }) => title) },
        )}
        ${select(say("board"), presets, this.preset, (preset) => (this.preset = preset), {
          names: presets.map((preset) => card?.boards[preset]?.[language] ?? preset),
        })}
        <label class="field"><span>${say("name")}</span><input type="text" required maxlength="40"
          .value=${live(this.title_)}
            @input=${(/** @type {Event} */ event) => (this.title_ = /** @type {HTMLInputElement} */ (event.target).value)} /></label>
        <button class="primary" ?disabled=${this.busy}>${this.busy ? say("checking") : say("import")}</button>
      </form>
    </section>`;
  }
}
