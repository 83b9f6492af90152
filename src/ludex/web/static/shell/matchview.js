// @ts-check
/** How the page of a match looks. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { moveList } from "./movelist.js";
import { mayCount } from "./ownrating.js";
import { holder, machineName, side, standing } from "./standing.js";
import { t } from "./texts.js";
import { thinkingPanel } from "./thinking.js";

/** @typedef {import("./match.js").MatchPage} MatchPage */
/** @typedef {import("./renderer.js").MatchView} MatchView */
/** @typedef {import("./renderer.js").Renderer} Renderer */

/** @param {MatchPage} page */
export function matchPage(page) {
  const { match, renderer } = page;
  if (!match || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
  const ctx = page.context();
  return html`
    <div class="match" data-game=${match.game}>
      <div class="stage">
        <div class="board-frame" aria-busy=${page.busy}>${renderer.board(ctx)}</div>
      </div>
      <div class="side">
        ${header(page, match, renderer)} ${actions(page, match)} ${thinkingPanel(page)} ${renderer.panels ? renderer.panels(ctx) : nothing} ${moveList(page)}
      </div>
    </div>
    ${keys(renderer)}
  `;
}

/** @param {MatchPage} page @param {MatchView} match @param {Renderer} renderer */
function header(page, match, renderer) {
  const told = page.at === null ? renderer.status?.(page.context()) ?? standing(match, renderer) : `${t("looking", { ply: page.shown.ply, plies: match.plies })}`;
  return html`<section class="panel standing ${match.live ? "" : "over"}">
    <h1 class="unseen">${match.title}</h1>
    <p class="status" aria-live="polite">${page.connection === "lost" ? html`<span class="lost">${t("reconnecting")}</span>` : told}</p>
    <ul class="seats ${match.clock ? "clocked" : ""}">
      ${match.seats.map(
        (seat) => html`<li class="seat player-${seat.player} ${match.to_move === seat.player ? (match.thinking ? "turn works" : "turn") : ""} ${won(match, seat.player) ? "won" : ""}">
          <span class="dot" aria-hidden="true"></span>
          <span class="who"><span class="name" title=${seat.kind === "machine" ? seat.name : nothing}>${holder(seat)}</span><small class="muted">${side(match, renderer, seat.player)}</small></span>
          ${page.clocks?.clock(page, match, renderer, seat.player) ?? nothing}
          ${seat.open && match.can.delete ? html`<button class="small" @click=${() => page.invite()}>${icon("invite")} ${t("invitation")}</button>` : nothing}
        </li>`,
      )}
    </ul>
    <p class="preset muted">${match.title} · ${match.preset}${match.seats.some((seat) => seat.you) ? nothing : html` · ${t("spectator")}`}</p>
    ${mayCount(match) ? html`<p class="rating" aria-live="polite">${page.rating.sentence?.() ?? nothing}</p>` : nothing}
    ${match.game_of ? html`<p class="origin"><a href="/tournaments/${match.game_of.tournament}" data-page>${t("game_of", { number: match.game_of.number, name: match.game_of.tournament })}</a>${match.game_of.fault ? html`<span class="lost">${machineName(match.game_of.fault)}</span>` : nothing}</p>` : nothing}
  </section>`;
}

/** @param {MatchView} match @param {number} player */
function won(match, player) {
  return (match.outcome?.scores[player] ?? 0) > 0;
}

/** @param {MatchPage} page @param {MatchView} match */
function actions(page, match) {
  const sat = match.seats.some((seat) => seat.you);
  return html`<div class="actions">
    ${match.live
      ? html`
          ${sat ? html`<button title=${page.clocks?.whyNoUndo() ?? nothing} ?disabled=${!match.can.undo || page.busy} @click=${() => page.undo()}>${icon("undo")} ${t("undo")}</button>` : nothing}
          <button ?disabled=${!page.mayAnalyse() || page.analysing !== null} @click=${() => page.hint()}>${icon("hint")} ${t("hint")}</button>
          ${sat ? html`<button class=${page.asked === "resign" ? "danger" : ""} ?disabled=${!match.can.resign || page.busy} @click=${() => page.resign()}>${icon("flag")} ${page.asked === "resign" ? t("sure") : t("resign")}</button>` : nothing}
        `
      : html`<button class="primary" @click=${() => page.again()}>${icon("play")} ${t("again")}</button>`}
    ${page.at !== null && match.can.fork ? html`<button @click=${() => page.fork()}>${icon("fork")} ${t("fork")}</button>` : nothing}
    <a class="button" href="/" data-page>${icon("plus")} ${t("new_game")}</a>
    <span class="tools">
      <button class="quiet" title=${t("copy_link")} aria-label=${t("copy_link")} @click=${() => page.copy(location.href, t("copied"))}>${icon("link")}</button>
      ${match.can.download ? html`<a class="button quiet" title=${t("download")} aria-label=${t("download")} href=${api.file(match.id)} download="${match.game}-${match.id}.json">${icon("download")}</a>` : nothing}
      ${match.can.delete ? html`<button class="quiet ${page.asked === "delete" ? "danger" : ""}" title=${t("delete")} aria-label=${page.asked === "delete" ? t("sure") : t("delete")} @click=${() => page.remove()}>${icon("trash")}${page.asked === "delete" ? html` ${t("sure")}` : nothing}</button>` : nothing}
      <button class="quiet" title=${t("keys")} aria-label=${t("keys")} @click=${() => page.command("?")}>${icon("keys")}</button>
    </span>
  </div>`;
}

/** @param {Renderer} renderer */
function keys(renderer) {
  /** @type {[string, string][]} */
  const rows = [
    ...(renderer.help?.() ?? []),
    ["Home, Page Up, Page Down, End", t("key_history")],
    ["u", t("key_undo")],
    ["h", t("key_hint")],
    ["o", t("key_overlay")],
    ["n", t("key_new")],
    ["?", t("key_help")],
  ];
  return html`<dialog class="keys" aria-labelledby="keys-title">
    <form method="dialog">
      <div class="heading"><h2 id="keys-title">${t("keys_title")}</h2><button class="quiet small" aria-label=${t("close")}>×</button></div>
      <dl>${rows.map(([name, does]) => html`<div><dt>${name.split(", ").map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${does}</dd></div>`)}</dl>
    </form>
  </dialog>`;
}
