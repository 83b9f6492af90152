/** A person's own matches on the home page: the one to continue, the newest, and a match from a file. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, request } from "./api.js";
import { icon } from "./icons.js";
import { ago, lineNames } from "./names.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("home", "page");

const PAGE = 8;

/** The list, page by page. */
export class OwnMatches {
  /** @param {Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Schemas["MatchLine"][]} */
    this.matches = [];
    /** @type {string | null} where the next page begins */
    this.before = null;
    /** @type {Schemas["MatchLine"][]} what others play now */
    this.live = [];
  }

  async open() {
    const page = await api.matches({ yours: true, limit: PAGE, before: this.before });
    this.matches = [...this.matches, ...page.matches];
    this.before = page.before;
  }

  /** Load what others play now; the page is complete without it. */
  async watch() {
    /** @type {Schemas["MatchList"]} */
    const { matches } = await request("GET", "/api/matches/live");
    this.live = matches;
  }

  async older() {
    await this.shell.attempt(() => this.open());
  }

  /** @param {Event} event */
  async bring(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (!file) return;
    try {
      const text = await file.text();
      JSON.parse(text);
      this.shell.go(`/match/${(await api.bring(text)).id}`);
    } catch (error) {
      input.value = "";
      if (error instanceof SyntaxError) this.shell.say(say("bad_file", { name: file.name }), "fault");
      else this.shell.fail(error);
    }
  }

  /** The last match of the person that is not over. */
  unfinished() {
    const line = this.matches.find(({ live, agents, fault }) => live && !fault && agents.includes("you"));
    if (!line) return nothing;
    const { language } = preferences;
    return html`<a class="continue" href="/match/${line.id}" data-page>${icon("play")} <strong>${say("continue")}</strong>
      <span>${line.names[language]} · ${line.board[language]}</span> <span class="muted">${lineNames(line)}</span></a>`;
  }

  /** What others play now, to watch. */
  watched() {
    if (!this.live.length) return nothing;
    return html`<section class="recent live"><div class="heading"><h2>${say("live")}</h2></div>
      <ul class="matches">${this.live.map((line) => this.line(line))}</ul></section>`;
  }

  /** The newest matches, with a way to open one from a file. */
  section() {
    return html`<section class="recent">
      <div class="heading">
        <h2>${say("recent")}</h2>
        <label class="button quiet">${icon("upload")}
          ${say("import")}<input class="unseen" type="file" accept=".json,.ludex,application/json"
            @change=${(/** @type {Event} */ event) => this.bring(event)} /></label>
      </div>
      ${
        this.matches.length
          ? html`<ul class="matches">${this.matches.map((line) => this.line(line))}</ul>`
          : html`<p class="muted">${say("none_recent")}</p>`
      }
      ${this.before ? html`<button class="quiet" @click=${() => this.older()}>${say("more_matches")}</button>` : nothing}
    </section>`;
  }

  /** @param {Schemas["MatchLine"]} line */
  line(line) {
    const { language } = preferences;
    return html`<li>
      <a href="/match/${line.id}" data-page>
        <span class="dot ${line.live ? "live" : ""}" aria-hidden="true"></span>
        <strong>${line.names[language]}</strong>
        <span class="preset muted" title=${line.preset}>${line.board[language]}</span>
        <span class="seated">${lineNames(line)}</span>
        <span class="muted standing" title=${line.fault ?? nothing}>${line.result[language]}</span>
        <time class="muted" datetime=${line.updated_utc}>${ago(line.updated_utc)}</time>
      </a>
    </li>`;
  }
}
