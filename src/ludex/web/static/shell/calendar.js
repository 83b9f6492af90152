/** The calendar of the puzzles of the day: a month, with what was solved of it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { BasePage } from "./page.js";
import { preferences } from "./preferences.js";
import { t, texts } from "./texts.js";

const say = texts("calendar", "calendar");
const puzzles = texts("learn", "puzzles");

/** A Monday: the names of the days of a week are those from it on. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** @param {number} time @param {Intl.DateTimeFormatOptions} how */
const formatDate = (time, how) =>
  new Intl.DateTimeFormat(preferences.language, { ...how, timeZone: "UTC" }).format(new Date(time));

export default class CalendarPage extends BasePage {
  static styles = ["puzzles"];
  /** @type {Schemas["PuzzleCalendar"] | null} */
  calendar = null;

  /** @param {Shell} shell @param {string} address of a month, such as 2026-11; empty: this one */
  constructor(shell, address) {
    super(shell, address);
    this.month = address;
  }

  title() {
    return say("calendar_title");
  }

  async open() {
    const month = this.month ? `?${new URLSearchParams({ month: this.month })}` : "";
    this.calendar = await request("GET", `/api/puzzles/calendar${month}`);
  }

  draw() {
    const { calendar } = this;
    if (!calendar) return html`<p class="alone muted">${t("loading")}</p>`;
    const { days, before, after, month } = calendar;
    const solved = days.filter((day) => day.solved).length;
    const first = Date.parse(`${month}-01`);
    // Weeks begin on Monday.
    const skipped = (new Date(first).getUTCDay() + 6) % 7;
    return html`<div class="puzzles calendar">
      <header><h1>${this.title()}</h1></header>
      <p class="muted">${say("calendar_about", { solved, count: days.length })}</p>
      <section class="panel" aria-labelledby="month">
        <div class="months">${this.turn(before, "‹", "month_before")}
          <h2 id="month">${formatDate(first, { month: "long", year: "numeric" })}</h2>${this.turn(after, "›", "month_after")}</div>
        <div class="weekdays muted" aria-hidden="true">${Array.from(
          { length: 7 },
          (_, day) => html`<span>${formatDate(MONDAY + day * DAY_MS, { weekday: "short" })}</span>`,
        )}</div>
        <ol class="days">${Array.from({ length: skipped }, () => html`<li aria-hidden="true"></li>`)}
          ${days.map((day) => this.day(day))}</ol>
        <p class="muted">${say("legend")}</p>
      </section>
      <p><a class="button quiet" href="/puzzles" data-page>${puzzles("all")}</a></p>
    </div>`;
  }

  /** @param {string | null} month @param {string} sign @param {"month_before" | "month_after"} name */
  turn(month, sign, name) {
    if (!month) return html`<span class="button quiet" aria-hidden="true"></span>`;
    return html`<a class="button quiet" href="/puzzles/calendar/${month}" data-page title=${say(name)}><span
      aria-hidden="true">${sign}</span><span class="unseen">${say(name)}</span></a>`;
  }

  /** @param {Schemas["DailyPuzzle"]} day */
  day({ day, game, id, names, title, solved, tried }) {
    const { language } = preferences;
    const state = solved ? "solved" : tried ? "tried" : "open";
    const about = `${names[language]} · ${title[language]}`;
    return html`<li class=${state}><a href="/puzzles/${game}/${id}" data-page title=${about}>
      <span class="unseen">${formatDate(Date.parse(day), { dateStyle: "long" })}, ${about}, ${say(`day_${state}`)}</span>
      <span aria-hidden="true">${Number(day.slice(-2))}</span>
      <span class="mark" aria-hidden="true">${solved ? "✓" : tried ? "○" : nothing}</span>
      <small aria-hidden="true">${names[language]}</small></a></li>`;
  }
}
