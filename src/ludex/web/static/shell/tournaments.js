/** Every tournament that was given a name; those that go on are counted again and again. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { figure } from "./figures.js";
import { formatName } from "./formats.js";
import { lab } from "./labapi.js";
import { ago, titled } from "./names.js";
import { BasePage } from "./page.js";
import { Polling } from "./polling.js";
import { preferences } from "./preferences.js";
import { t, texts } from "./texts.js";

const say = texts("arena", "page");

const POLL_MS = 2000;

export default class TournamentsPage extends BasePage {
  static styles = ["arena"];
  /** @type {Schemas["TournamentLine"][]} */
  lines = [];
  administrator = false;
  polling = new Polling(this, POLL_MS, async () => {
    this.lines = (await api.tournaments()).tournaments;
  });

  title() {
    return t("tournaments");
  }

  async open() {
    const [answer, status] = await Promise.all([api.tournaments(), lab.administrator()]);
    this.lines = answer.tournaments;
    this.administrator = status.administrator;
    this.polling.start();
  }

  draw() {
    const whole = this.lines.filter((line) => !line.fault);
    const broken = this.lines.filter((line) => line.fault);
    return html`<div class="arena">
      <div class="heading"><h1>${t("tournaments")}</h1>${
        this.administrator
          ? html`<a class="button"
            href="/lab/tournament" data-page>${say("begin")}</a>`
          : nothing
      }</div>
      ${
        whole.length
          ? html`<ul class="tournaments">${whole.map((line) => this.line(line))}</ul>`
          : html`<section class="panel"><p>${say("none")}</p><p class="muted">${say("none_how")}</p><p>
            <a class="button" href="/lab" data-page>${t("lab")}</a></p></section>`
      }
      ${
        broken.length
          ? html`<section class="panel fault"><h2>${say("damaged")}</h2><ul>${broken.map(
              (line) => html`<li>
                <strong>${line.name}</strong> ${line.fault}</li>`,
            )}</ul></section>`
          : nothing
      }
    </div>`;
  }

  /** @param {Schemas["TournamentLine"]} line */
  line(line) {
    const agents = line.agents.map((name) => titled(name, line.agent_titles)).join(", ");
    return html`<li>
      <a href="/tournaments/${encodeURIComponent(line.name)}" data-page>
        <span class="dot ${line.finished ? "" : "live"}" aria-hidden="true"></span>
        <span class="what"><strong>${line.name}</strong> <span class="muted">${line.names[preferences.language]} ·
          ${line.board[preferences.language]} · ${formatName(line.format)}</span><small class="muted">${agents}</small></span>
        <span class="state">${
          line.finished
            ? html`${figure(line.games)}
              ${say("games").toLowerCase()}`
            : say("games_of", { games: figure(line.games), planned: figure(line.planned) })
        }<small class="muted">${
          line.finished ? say("finished") : say("unfinished")
        } · <time datetime=${line.updated_utc}>${ago(line.updated_utc)}</time></small></span>
      </a>
    </li>`;
  }
}
