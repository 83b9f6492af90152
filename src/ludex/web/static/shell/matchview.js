/** The view of the page of a match. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { icon } from "./icons.js";
import { moveList } from "./movelist.js";
import { machineName } from "./names.js";
import { preferences } from "./preferences.js";
import { holder, mayCount, named, side, standing } from "./standing.js";
import { texts } from "./texts.js";

const say = texts("match", "page");

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

/** @param {OpenMatch} page */
export function matchView(page) {
  const { match, renderer, modules } = page;
  const ctx = page.context();
  return html`
    <div class="match" data-game=${match.game}>
      <div class="stage">
        <div class="board-frame" aria-busy=${page.moves.busy || Boolean(page.playback?.view)}>${renderer.board(ctx)}</div>
        ${page.playback?.draw() ?? nothing}
        ${lineBelow(page)}
      </div>
      <div class="side">
        ${modules.fallback?.panel(page) ?? nothing} ${header(page, match, renderer)}
        ${modules.invitation?.panel(page, match) ?? nothing}
        ${modules.people?.peoplePanel(page, match, renderer) ?? nothing}
        ${modules.pace?.paceBar(page, match) ?? nothing} ${actions(page, match)}
        ${renderer.firstPanels ? renderer.firstPanels(ctx) : nothing} ${analysisPanel(page)}
        ${renderer.panels ? renderer.panels(ctx) : nothing} ${moveList(page)} ${helped(match, renderer)}
      </div>
    </div>
    ${modules.keyhelp?.keyHelp(renderer, page.shown) ?? nothing} ${page.rules?.draw(renderer) ?? nothing}
  `;
}

/** The line under the board: the hint in a sentence, else what the coach says, else its room. @param {OpenMatch} page */
function lineBelow(page) {
  const advice = page.modules.advice?.advice(page) ?? nothing;
  if (advice !== nothing) return advice;
  const coached = page.modules.coach?.coach(page) ?? nothing;
  if (coached !== nothing) return coached;
  // A line that comes later must not change the size of the board.
  page.ui.room ||= page.match.live && page.match.seats.some((seat) => seat.you);
  return page.ui.room ? html`<p class="coach ${page.match.live ? "" : "over"}" data-silent></p>` : nothing;
}

/** @param {OpenMatch} page @param {MatchView} match @param {Renderer} renderer */
function header(page, match, renderer) {
  const now = page.playback?.view ?? match;
  const status =
    page.at === null
      ? (page.modules.invitation?.status(page) ?? renderer.status?.(page.context()) ?? standing(now, renderer))
      : `${say("looking", { ply: page.shown.ply, plies: match.plies })}`;
  return html`<section class="panel standing ${match.live ? "" : "over"}">
    <div class="playing">
    <h1 class="unseen">${match.names[preferences.language]}</h1>
    <p class="status" aria-live="polite">${page.connection === "lost" ? html`<span class="lost">${say("reconnecting")}</span>` : status}</p>
    <ul class="seats ${match.clock ? "clocked" : ""} ${match.seats.length === 1 && match.seats[0]?.you ? "single" : ""}">
      ${match.seats.map(
        (seat) => html`<li class="seat player-${seat.player} ${
          now.to_move === seat.player ? (match.searching && match.waiting === null ? "turn works" : "turn") : ""
        } ${won(match, seat.player) ? "won" : ""}">
          <span class="dot" aria-hidden="true"></span>
          <span class="who"><span class="name"
            title=${
              seat.kind === "machine" ? seat.name : nothing
            }>${holder(seat)}</span><small class="muted">${side(match, renderer, seat.player)}</small></span>
          ${page.modules.clock?.clock(page, match, renderer, seat.player) ?? nothing}
        </li>`,
      )}
    </ul></div>
    <div class="facts">
    <p class="preset muted" title=${match.preset}>${match.names[preferences.language]} ·
      ${match.board[preferences.language]}${match.seats.some((seat) => seat.you) ? nothing : html` · ${say("spectator")}`}</p>
    ${
      mayCount(match)
        ? html`<p class="rating"
          aria-live="polite">${
            match.live
              ? say(match.rated ? "rated" : page.card?.timed && !match.help.length ? "timed" : "unrated")
              : (page.rating?.sentence?.() ?? nothing)
          }</p>`
        : nothing
    }
    ${page.rating?.below() ?? nothing}
    ${
      match.game_of
        ? html`<p class="origin"><a href=${match.game_of.page}
          data-page>${say("game_of", { number: match.game_of.number, name: match.game_of.tournament })}</a>${
            match.game_of.fault ? html`<span class="lost">${machineName(match.game_of.fault)}</span>` : nothing
          }</p>`
        : nothing
    }
    </div>
  </section>`;
}

/** Who was helped, below what it would push away. @param {MatchView} match @param {Renderer} renderer */
function helped(match, renderer) {
  if (!match.help.length) return nothing;
  /** @param {MatchView["help"][0]} one @param {MatchView["help"][0]} other */
  const same = (one, other) => one.kind === other.kind && one.player === other.player;
  const firsts = match.help.filter((used, index) => match.help.findIndex((other) => same(used, other)) === index);
  const list = firsts.map((used) => {
    const { kind, player, ply } = used;
    const count = match.help.filter((other) => same(used, other)).length;
    const values = { player: named(match, renderer, player), ply: ply + 1, count };
    return say(/** @type {"helped_hint"} */ (count > 1 ? `helped_${kind}_many` : `helped_${kind}`), values);
  });
  return html`<p class="helped muted">${say("helped", { list: list.join("; ") })}</p>`;
}

/** @param {MatchView} match @param {number} player */
function won(match, player) {
  return (match.outcome?.scores[player] ?? 0) > 0;
}

/** @param {OpenMatch} page @param {MatchView} match */
function actions(page, match) {
  const sat = match.seats.some((seat) => seat.you);
  const open = Boolean(page.ui.more);
  const show = (/** @type {boolean} */ more) => {
    page.ui.more = more;
    page.shell.redraw();
  };
  const word = (/** @type {"copy_link" | "download" | "delete"} */ name) =>
    html`<span class="word">${say(name)}</span>`;
  // On a phone, what is done now and then is a menu, which Escape and whatever leaves it close.
  const left = (/** @type {FocusEvent} */ event) => {
    const [menu, next] = [
      /** @type {Element} */ (event.currentTarget),
      /** @type {Node | null} */ (event.relatedTarget),
    ];
    if (open && !menu.contains(next)) setTimeout(() => show(false));
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (!open || event.key !== "Escape") return;
    event.stopPropagation();
    show(false);
    /** @type {HTMLElement | null} */ (document.querySelector(".actions > .more"))?.focus();
  };
  return html`<div class="actions" @focusout=${left} @keydown=${key}>
    ${
      match.live
        ? html`
          ${sat ? button(page, page.why("undo"), () => page.undo(), html`${icon("undo")} ${say("undo")}`) : nothing}
          ${page.analyser.helps ? button(page, page.analyser.whyNot, () => page.hint(), html`${page.analyser.hinting ? spinner : icon("hint")} ${say("hint")}`) : nothing}
          ${
            sat
              ? button(
                  page,
                  page.why("resign"),
                  () => page.act((actions) => actions.resign(page)),
                  html`${icon("flag")}
                    ${page.intent.unconfirmed === "resign" ? say("sure") : say("resign")}`,
                  page.intent.unconfirmed === "resign" ? "danger" : "",
                )
              : nothing
          }
        `
        : html`${
            (match.rematch && !match.rematch.yours) || (!sat && match.seats.some((seat) => seat.kind === "person"))
              ? nothing
              : html`<button class="primary" @click=${() => page.act((actions) => actions.again(page))}>${icon("play")}
          ${say(match.rematch ? "rematch_open" : match.can.rematch ? "rematch" : "again")}</button>`
          }${
            match.practice && !match.positioned && page.card?.timed && match.seats[0]?.you
              ? html`<button @click=${() => page.act((actions) => actions.again(page, false))}>${say("again_rated")}</button>`
              : nothing
          }${
            match.plies
              ? html`<a class="button" href="/review/${match.id}" data-page>${icon("eye")}
                ${say("review")}</a>`
              : nothing
          }${page.rating?.offer?.() ?? nothing}`
    }
    ${
      page.at !== null && match.can.fork
        ? html`<button @click=${() => page.help("fork", () => page.act((actions) => actions.fork(page)))}>${icon("fork")}
          ${say("fork")}</button>`
        : nothing
    }
    <button class="more" aria-expanded=${open} aria-controls="more-actions" @click=${() => show(!open)}>${icon("more")}
      <span class="unseen">${say("more")}</span></button>
    <div id="more-actions" class="secondary ${open ? "open" : ""}">
    ${
      !match.live && sat && match.plies && match.seats.filter((seat) => seat.kind !== "machine").length === 1
        ? html`<button @click=${() => page.act((actions) => actions.challenge(page))}>${icon("people")} ${say("challenge")}</button>`
        : nothing
    }
    ${
      page.card?.editor && match.can.analyse && !page.analyser.over
        ? html`<button @click=${() => page.help("analysis", () => page.act((actions) => actions.edit(page)))}>
          ${icon("fork")} ${say("edit")}</button>`
        : nothing
    }
    <a class="button" href="/" data-page>${icon("plus")} ${say("new_game")}</a>
    ${
      page.card?.rules
        ? html`<button @click=${() => page.act((actions) => actions.rules(page))}>
          ${say("rules")}</button>`
        : nothing
    }
    <span class="tools">
      <button class="quiet" title=${say("copy_link")} aria-label=${say("copy_link")}
        @click=${() => page.shell.copy()}>${icon("link")}${word("copy_link")}</button>
      ${
        match.can.download
          ? html`<a class="button quiet" title=${say("download")} aria-label=${say("download")}
            href=${api.file(match.id)} download="${match.game}-${match.id}.json">${icon("download")}${word("download")}</a>`
          : nothing
      }
      ${
        match.can.delete
          ? html`<button class="quiet ${page.intent.unconfirmed === "delete" ? "danger" : ""}"
            title=${say("delete")} aria-label=${page.intent.unconfirmed === "delete" ? say("sure") : say("delete")}
            @click=${() => page.act((actions) => actions.remove(page))}>${icon("trash")}${
              page.intent.unconfirmed === "delete" ? html` ${say("sure")}` : word("delete")
            }</button>`
          : nothing
      }
      <button class="quiet keyboard" title=${say("keys")} aria-label=${say("keys")} @click=${() => page.showKeys()}>${icon("keys")}</button>
    </span>
    </div>
    </div>
    ${page.intent.asking ? page.modules.matchactions?.question(page, page.intent.asking) : nothing}`;
}

/**
 * A button that says `why` it does nothing.
 * @param {OpenMatch} page @param {string} why @param {() => unknown} act @param {unknown} label @param {string} [kind]
 */
function button(page, why, act, label, kind = "") {
  const reason = why || (page.moves.busy ? say("no_busy") : "");
  return html`<button class=${kind} aria-disabled=${reason ? "true" : nothing} title=${reason || nothing}
    @click=${() => (reason ? page.shell.say(reason) : act())}>${label}</button>`;
}

/** @param {OpenMatch} page */
function analysisPanel(page) {
  const match = page.shown;
  const now = page.analysis;
  const analysis = now ?? page.past.analyses.get(match.ply - 1) ?? null;
  const working = page.analyser.ply !== null || (page.at === null && match.searching && match.waiting === null);
  const over = page.analyser.over;
  const advisers = over ? [] : page.analyser.advisers();
  return html`<section class="panel analysis" aria-labelledby="analysis-title" aria-busy=${working}>
    <div class="heading">
      <h2 id="analysis-title">${say("analysis")}</h2>
      ${
        working
          ? html`<span class="working muted">${spinner}<span class="unseen">${say("analysing")}</span></span>`
          : nothing
      }
      ${
        page.at === null && match.searching && match.can.delete
          ? html`<button class="quiet small"
            title=${say("move_now")} aria-label=${say("move_now")} @click=${() => page.live.send("cancel")}>${icon("stop")}</button>`
          : nothing
      }
      ${
        advisers.length > 1 && page.match.can.analyse
          ? html`<label class="field adviser"><span>${say("analyse_with")}</span><select .value=${page.analyser.adviser}
            @change=${(/** @type {Event} */ event) =>
              page.analyser.advise(/** @type {HTMLSelectElement} */ (event.target).value)}>${advisers.map(
              (agent) =>
                html`<option value=${agent.name}
                  ?selected=${agent.name === page.analyser.adviser}>${agent.title[preferences.language]}</option>`,
            )}</select></label>`
          : nothing
      }
    </div>
    ${over ? nothing : overlaySwitch(page)}
    ${over && !analysis ? html`<p class="muted idle">${say("analysis_over")}</p>` : nothing}
    ${
      analysis
        ? page.decision(analysis, analysis === now)
        : over
          ? nothing
          : html`<p class="muted idle">${
              page.match.can.analyse === false
                ? page.why("analyse")
                : page.analyser.ply !== null
                  ? say("analysing")
                  : say(match.rated && match.seats.length > 1 ? "analysis_rated" : "analysis_none")
            }</p>`
    }
  </section>`;
}

/** What may be drawn over the board. @param {OpenMatch} page @returns {Overlay[]} */
export const overlays = (page) => (page.analyser.helps ? ["none", "legal", "candidates", "heat"] : ["none", "legal"]);

/** @param {OpenMatch} page */
export function overlaySwitch(page) {
  const current = page.intent.asking?.overlay ?? page.overlay;
  return html`<fieldset class="segments">
    <legend class="unseen">${say("overlay")}</legend>
    ${overlays(page).map(
      (overlay) => html`<label><input type="radio" name="overlay" value=${overlay}
        .checked=${current === overlay}
        @change=${() => page.show(overlay)} /><span>${say(/** @type {const} */ (`overlay_${overlay}`))}</span></label>`,
    )}
  </fieldset>`;
}
