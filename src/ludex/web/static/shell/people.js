/** Between two people: draws and rematches are offered and answered, and each can give the other a quiet sign. Loaded on demand. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { request } from "./api.js";
import { icon } from "./icons.js";
import { prefer, preferences } from "./preferences.js";
import { named } from "./standing.js";
import { t, texts } from "./texts.js";
import { stylesheet } from "./renderer.js";

await stylesheet("/static/style/people.css");

const say = texts("people", "page");

/** @type {EmoteMessage["emote"][]} */
const EMOTES = ["hello", "nice", "oops", "thanks"];

/** The version of the match in which this person withdrew an offer of a draw. */
let withdrawn = 0;

/** Announce what the other person has offered or declined. @param {OpenMatch} page @param {MatchView} before @param {MatchView} match */
export function follow(page, before, match) {
  if (!before.rematch && match.rematch && !match.rematch.yours) {
    page.shell.redraw();
    // A user who has scrolled past the offer does not see it.
    const offer = document.querySelector(".people .offer");
    if (offer && offer.getBoundingClientRect().bottom <= 0) page.shell.say(say("rematch_theirs"));
  }
  // A move ends an offer too, and is seen on the board.
  const declined = before.draw?.yours && !match.draw && match.live && match.plies === before.plies;
  if (declined && before.version !== withdrawn) page.shell.say(say("draw_declined"));
  const stays = before.takeback?.yours && !match.takeback && match.live && match.plies === before.plies;
  if (stays && before.version !== withdrawn) page.shell.say(say("takeback_declined"));
}

/** @param {OpenMatch} page @param {MatchView} match @param {Renderer} renderer */
export function peoplePanel(page, match, renderer) {
  const emotes = preferences.emotes !== false;
  const offer = Boolean(match.draw ?? match.takeback ?? (match.rematch && !match.rematch.yours));
  return html`<section class="panel people ${offer ? "asked" : ""}" aria-label=${say("label")}>
    ${match.draw ? answer(page, match, renderer, "draw", match.draw) : nothing}
    ${match.takeback ? answer(page, match, renderer, "takeback", match.takeback) : nothing}
    ${
      match.rematch && !match.rematch.yours
        ? html`<div class="offer" role="status"><p>${say("rematch_theirs")}</p>
          <p class="row"><button class="primary"
              @click=${() => page.act((actions) => actions.again(page))}>${icon("play")} ${say("rematch_accept")}</button>
            <button @click=${() => send(page, "rematch/decline")}>${say("draw_decline")}</button></p></div>`
        : nothing
    }
    <div class="row">
      ${
        match.live && !match.draw && !match.takeback
          ? html`<button class="small" aria-disabled=${match.can.draw ? nothing : "true"}
            title=${match.can.draw ? nothing : say("draw_later")}
              @click=${() => (match.can.draw ? send(page, "draw") : page.shell.say(say("draw_later")))}>${say("draw")}</button>`
          : nothing
      }
      ${
        emotes
          ? html`<span class="emotes" role="group"
            aria-label=${say("signs")}>${EMOTES.map(
              (name) => html`<button class="quiet small"
            @click=${() => give(page, name)}>${say(name)}</button>`,
            )}</span>`
          : nothing
      }
      <label class="check switch"><input type="checkbox" .checked=${live(emotes)} @change=${() => {
        prefer({ emotes: !emotes });
        page.shell.say(say(emotes ? "signs_off" : "signs_on"));
      }} /> ${say("signs_switch")}</label>
    </div>
  </section>`;
}

/**
 * An offer, with what can be done about it.
 * @param {OpenMatch} page @param {MatchView} match @param {Renderer} renderer @param {"draw" | "takeback"} kind
 * @param {Schemas["StandingOffer"]} offer
 */
function answer(page, match, renderer, kind, { player, yours: own }) {
  return html`<div class="offer" role="status">
    <p>${own ? say(`${kind}_yours`) : say(`${kind}_theirs`, { player: named(match, renderer, player) })}</p>
    <p class="row">
      ${
        own
          ? nothing
          : html`<button class="primary" @click=${() => send(page, kind === "draw" ? "draw" : "undo")}>${icon("people")}
        ${say(`${kind}_accept`)}</button>`
      }
      <button @click=${() => send(page, "draw/decline")}>${say(own ? `${kind}_withdraw` : "draw_decline")}</button>
    </p>
  </div>`;
}

/** @param {OpenMatch} page @param {string} what */
function send(page, what) {
  const { version, draw, takeback } = page.match;
  if (what === "draw/decline" && (draw ?? takeback)?.yours) withdrawn = version;
  void page.moves.change(() =>
    request("POST", `/api/matches/${page.id}/${what}`, what.startsWith("rematch") ? undefined : { version }),
  );
}

/** @param {OpenMatch} page @param {EmoteMessage["emote"]} emote */
async function give(page, emote) {
  await page.shell.attempt(() => request("POST", `/api/matches/${page.id}/emotes`, { emote }));
}

/** Show a sign where it is seen on every screen. @param {OpenMatch} page @param {EmoteMessage} message */
export function receive(page, { player, emote }) {
  if (preferences.emotes === false) return;
  const name = page.match.seats[player]?.you ? t("you") : named(page.match, page.renderer, player);
  page.shell.say(say("given", { player: name, sign: say(emote) }));
}
