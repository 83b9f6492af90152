/** A person's own page: games, ratings over time, weak themes, what to try next; their data, to take away or delete. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { api, request } from "./api.js";
import { ago, lineNames } from "./names.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { ownTimes } from "./times.js";
import { numeral, texts, t } from "./texts.js";

const say = texts("me", "page");

const WIDTH = 320;
const HEIGHT = 90;
const RECENT = 12;
const CONFIRM = "delete everything";

/**
 * A line through points, with its first and last value and their times in words.
 * @param {string} name @param {Schemas["TimedValue"][]} points @param {(value: number) => string} [shown]
 */
function curve(name, points, shown = (value) => String(Math.round(value))) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const place = (/** @type {number} */ value, /** @type {number} */ index) => {
    const x = points.length > 1 ? (index * (WIDTH - 12)) / (points.length - 1) + 6 : WIDTH / 2;
    const y = high > low ? HEIGHT - 8 - ((value - low) * (HEIGHT - 16)) / (high - low) : HEIGHT / 2;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const first = shown(values[0] ?? 0);
  const last = shown(values[values.length - 1] ?? 0);
  const label = say("curve_label", { name, first, last, count: points.length });
  const end = place(values[values.length - 1] ?? 0, points.length - 1).split(",");
  return html`<figure class="curve">
    <figcaption><span>${name}</span> <strong>${last}</strong></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
      aria-label=${label}>${svg`<polyline points=${values.map(place).join(" ")} /><circle cx=${end[0]} cy=${end[1]} r="4" />`}</svg>
    ${
      points.length > 1
        ? html`<p class="span muted"><span>${first} · ${ago(points[0]?.at_utc ?? "")}</span>
          <span>${ago(points[points.length - 1]?.at_utc ?? "")}</span></p>`
        : nothing
    }
  </figure>`;
}

export default class MePage extends BasePage {
  static styles = ["me"];
  /** @type {Schemas["PersonalPage"] | null} */
  personal = null;
  /** @type {Schemas["MatchLine"][]} finished matches, of which a friend may play one */
  finished = [];
  confirming = false;

  title() {
    return say("title");
  }

  async open() {
    const [personal, { matches }] = await Promise.all([
      /** @type {Promise<Schemas["PersonalPage"]>} */ (request("GET", "/api/me/page")),
      api.matches({ yours: true, limit: RECENT }),
    ]);
    this.personal = personal;
    this.finished = matches.filter(
      ({ live, fault, agents }) => !live && !fault && agents.filter((name) => name === "you").length === 1,
    );
  }

  /** Make the ghost of a match, and show its link. @param {string} match */
  async challenge(match) {
    await this.shell.attempt(async () => {
      this.shell.go((await api.ghost({ match })).path);
    });
  }

  async erase() {
    await this.shell.attempt(async () => {
      /** @type {Schemas["DeletedPerson"]} */
      const done = await request("POST", "/api/me/delete", { confirm: CONFIRM });
      this.confirming = false;
      await this.open();
      this.shell.say(
        say(done.left ? "deleted_left" : "deleted", {
          matches: done.matches,
          left: done.left,
          attempts: done.attempts,
        }),
      );
    });
    document.getElementById("data")?.focus();
  }

  /** @param {boolean} asked */
  ask(asked) {
    this.confirming = asked;
    this.shell.redraw();
    document.getElementById(asked ? "erase-no" : "erase")?.focus();
  }

  draw() {
    const { personal } = this;
    if (!personal) return html`<p class="alone muted">${t("loading")}</p>`;
    return html`<div class="me">
      <h1>${say("title")}</h1>
      <p class="muted">${say("about")}</p>
      ${this.next(personal.next)} ${this.games(personal.games)} ${this.curves(personal)} ${this.accuracy(personal.accuracies)}
        ${this.times(personal.times)} ${this.rounds(personal.rounds)} ${this.weak(personal.weak)} ${this.ghosts()} ${this.data()}
    </div>`;
  }

  /** @param {Schemas["Suggestion"][]} suggestions */
  next(suggestions) {
    if (!suggestions.length) return nothing;
    return html`<section class="panel"><h2>${say("next")}</h2><ul>${suggestions.map(
      ({ href, text }) => html`<li><a href=${href} data-page>${text[preferences.language]}</a></li>`,
    )}</ul></section>`;
  }

  /** @param {Schemas["PlayedGame"][]} games */
  games(games) {
    const { language } = preferences;
    return html`<section class="panel"><h2>${say("games")}</h2>
      ${
        games.length
          ? html`<div class="scroll"><table><thead><tr><th scope="col">${say("game")}</th>
            <th scope="col">${say("matches")}</th><th scope="col">${say("won")}</th><th scope="col">${say("drawn")}</th>
            <th scope="col">${say("lost")}</th><th scope="col">${say("last")}</th></tr></thead>
            <tbody>${games.map(
              (game) => html`<tr><th scope="row">${game.names[language]}</th><td>${game.matches}</td>
                <td>${game.wins}</td><td>${game.draws}</td><td>${game.losses}</td>
                <td>${ago(game.last_utc)}</td></tr>`,
            )}</tbody></table></div>`
          : html`<p class="muted">${say("no_games")}</p>`
      }
    </section>`;
  }

  /** @param {Schemas["PersonalPage"]} personal */
  curves(personal) {
    const { language } = preferences;
    const puzzles = personal.puzzle_ratings;
    if (!personal.ratings.length && !puzzles.length) return nothing;
    return html`<section class="panel"><h2>${say("ratings")}</h2><div class="curves">
      ${personal.ratings.map((board) => curve(`${board.names[language]} · ${board.board?.[language] ?? ""}`, board.points))}
      ${puzzles.length ? curve(say("puzzles"), puzzles) : nothing}
      </div></section>`;
  }

  /** @param {Schemas["PersonalCurve"][]} accuracies */
  accuracy(accuracies) {
    if (!accuracies.length) return nothing;
    return html`<section class="panel"><h2>${say("accuracy")}</h2><div class="curves">
      ${accuracies.map((game) => curve(game.names[preferences.language] ?? "", game.points, (value) => numeral(value / 100, { style: "percent" })))}
      </div></section>`;
  }

  /** @param {Schemas["TimedBoard"][]} boards */
  times(boards) {
    if (!boards.length) return nothing;
    return html`<section class="panel" data-testid="times"><h2>${say("times")}</h2>${ownTimes(boards)}</section>`;
  }

  /** @param {Schemas["RoundResult"][]} rounds */
  rounds(rounds) {
    const { language } = preferences;
    if (!rounds.length) return nothing;
    return html`<section class="panel rounds"><h2>${say("rounds")}</h2>
      <div class="scroll"><table><thead><tr><th scope="col">${say("game")}</th><th scope="col">${say("round")}</th>
        <th scope="col">${say("solved")}</th><th scope="col">${say("day")}</th></tr></thead>
        <tbody>${rounds.map(
          ({ game, names, mode, solved, day }) => html`<tr><th scope="row"><a
              href="/puzzles/round/${game}/${mode}" data-page>${names[language]}</a></th>
            <td>${say(mode)}</td><td>${solved}</td>
            <td>${new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day))}</td>
          </tr>`,
        )}</tbody></table></div></section>`;
  }

  /** @param {Schemas["WeakTheme"][]} weak */
  weak(weak) {
    const { language } = preferences;
    if (!weak.length) return nothing;
    return html`<section class="panel"><h2>${say("weak")}</h2><ul>
      ${weak.map(
        (theme) => html`<li><a href="/puzzles/${theme.game}/${theme.theme}" data-page>${theme.names[language]} ·
          ${theme.title[language]}</a>
          <span class="muted">${say("solved_of", { solved: theme.solved, tried: theme.attempts })}</span></li>`,
      )}
      </ul></section>`;
  }

  ghosts() {
    const { language } = preferences;
    if (!this.finished.length) return nothing;
    return html`<section class="panel"><h2>${say("ghosts")}</h2><p class="muted">${say("ghosts_about")}</p><ul class="ghosts">
      ${this.finished.map(
        (line) => html`<li><a href="/match/${line.id}" data-page>${line.names[language]} ·
          ${line.board[language]}</a> <span class="muted">${lineNames(line)} · ${ago(line.updated_utc)}</span>
          <button class="small" @click=${() => this.challenge(line.id)}>${say("challenge")}<span class="unseen">
            ${line.names[language]}, ${ago(line.updated_utc)}</span></button></li>`,
      )}
      </ul></section>`;
  }

  data() {
    return html`<section class="panel"><h2 id="data" tabindex="-1">${say("data")}</h2>
      <p class="muted">${say("data_about")}</p>
      <p class="actions"><a class="button" href="/api/me/export" download="ludex.json">${say("export")}</a>
        ${
          this.confirming
            ? html`<span role="alert">${say("sure")}</span><button class="danger"
              @click=${() => this.erase()}>${say("yes")}</button><button id="erase-no"
                @click=${() => this.ask(false)}>${say("no")}</button>`
            : html`<button id="erase" @click=${() => this.ask(true)}>${say("erase")}</button>`
        }
      </p>
    </section>`;
  }
}
