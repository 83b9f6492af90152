// @ts-check
/** The view of the page of a match. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { say } from "./matchtexts.js";
import { moveList } from "./movelist.js";
import { machineName } from "./players.js";
import { progress, say as sayPreparing } from "./preparing.js";
import { holder, mayCount, side, standing } from "./standing.js";
import { t } from "./texts.js";
import { thinkingPanel } from "./thinking.js";

/** @typedef {import("./match.js").default} MatchPage */
/** @typedef {import("../types/renderer.js").MatchView} MatchView */
/** @typedef {import("../types/renderer.js").Renderer} Renderer */

/** @param {MatchPage} page */
export function matchPage(page) {
  const { match, renderer } = page;
  if (page.preparation) return html`<div class="alone"><p>${sayPreparing("match")}</p>${progress(page.preparation)}</div>`;
  if (!match || !renderer) return html`<p class="alone muted">${t("loading")}</p>`;
  const ctx = page.context();
  return html`
    <div class="match" data-game=${match.game}>
      <div class="stage">
        <div class="board-frame" aria-busy=${page.moves.busy}>${renderer.board(ctx)}</div>
      </div>
      <div class="side">
        ${header(page, match, renderer)} ${actions(page, match)} ${renderer.firstPanels ? renderer.firstPanels(ctx) : nothing} ${thinkingPanel(page)} ${renderer.panels ? renderer.panels(ctx) : nothing} ${moveList(page)}
      </div>
    </div>
    ${page.help?.keyHelp(renderer) ?? nothing}
  `;
}

/** @param {MatchPage} page @param {MatchView} match @param {Renderer} renderer */
function header(page, match, renderer) {
  const status = page.at === null ? renderer.status?.(page.context()) ?? standing(match, renderer) : `${say("looking", { ply: page.shown.ply, plies: match.plies })}`;
  return html`<section class="panel standing ${match.live ? "" : "over"}">
    <h1 class="unseen">${match.title}</h1>
    <p class="status" aria-live="polite">${page.connection === "lost" ? html`<span class="lost">${say("reconnecting")}</span>` : status}</p>
    <ul class="seats ${match.clock ? "clocked" : ""}">
      ${match.seats.map(
        (seat) => html`<li class="seat player-${seat.player} ${match.to_move === seat.player ? (match.thinking && match.waiting === null ? "turn works" : "turn") : ""} ${won(match, seat.player) ? "won" : ""}">
          <span class="dot" aria-hidden="true"></span>
          <span class="who"><span class="name" title=${seat.kind === "machine" ? seat.name : nothing}>${holder(seat)}</span><small class="muted">${side(match, renderer, seat.player)}</small></span>
          ${page.clocks?.clock(page, match, renderer, seat.player) ?? nothing}
          ${seat.open && match.can.delete ? html`<button class="small" @click=${() => page.invite()}>${icon("invite")} ${say("invitation")}</button>` : nothing}
        </li>`,
      )}
    </ul>
    <p class="preset muted">${match.title} · ${match.preset}${match.seats.some((seat) => seat.you) ? nothing : html` · ${say("spectator")}`}</p>
    ${mayCount(match) ? html`<p class="rating" aria-live="polite">${page.rating?.sentence?.() ?? nothing}</p>` : nothing}
    ${match.game_of ? html`<p class="origin"><a href="/tournaments/${match.game_of.tournament}" data-page>${say("game_of", { number: match.game_of.number, name: match.game_of.tournament })}</a>${match.game_of.fault ? html`<span class="lost">${machineName(match.game_of.fault)}</span>` : nothing}</p>` : nothing}
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
          ${sat ? html`<button title=${page.clocks?.whyNoUndo() ?? nothing} ?disabled=${!match.can.undo || page.moves.busy} @click=${() => page.moves.undo()}>${icon("undo")} ${say("undo")}</button>` : nothing}
          <button ?disabled=${!page.analyses.may || page.analyses.ply !== null} @click=${() => page.analyses.hint()}>${icon("hint")} ${say("hint")}</button>
          ${sat ? html`<button class=${page.unconfirmed === "resign" ? "danger" : ""} ?disabled=${!match.can.resign || page.moves.busy} @click=${() => page.moves.resign()}>${icon("flag")} ${page.unconfirmed === "resign" ? say("sure") : say("resign")}</button>` : nothing}
        `
      : html`<button class="primary" @click=${() => page.again()}>${icon("play")} ${say("again")}</button>`}
    ${page.at !== null && match.can.fork ? html`<button @click=${() => page.fork()}>${icon("fork")} ${say("fork")}</button>` : nothing}
    <a class="button" href="/" data-page>${icon("plus")} ${say("new_game")}</a>
    <span class="tools">
      <button class="quiet" title=${say("copy_link")} aria-label=${say("copy_link")} @click=${() => page.copy(location.href, say("copied"))}>${icon("link")}</button>
      ${match.can.download ? html`<a class="button quiet" title=${say("download")} aria-label=${say("download")} href=${api.file(match.id)} download="${match.game}-${match.id}.json">${icon("download")}</a>` : nothing}
      ${match.can.delete ? html`<button class="quiet ${page.unconfirmed === "delete" ? "danger" : ""}" title=${say("delete")} aria-label=${page.unconfirmed === "delete" ? say("sure") : say("delete")} @click=${() => page.remove()}>${icon("trash")}${page.unconfirmed === "delete" ? html` ${say("sure")}` : nothing}</button>` : nothing}
      <button class="quiet" title=${say("keys")} aria-label=${say("keys")} @click=${() => page.showKeys()}>${icon("keys")}</button>
    </span>
  </div>`;
}
