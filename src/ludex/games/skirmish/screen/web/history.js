/** What has happened: every roll, jumps to the phases of a match, and why a deployment could not be finished. Loaded on demand. */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { titled } from "./acts.js";
import { say } from "./texts.js";

/** By why the other player cannot help: what is said. */
const CAUSES = /** @type {const} */ ({
  finished: "deadlockFinished",
  stuck: "deadlockStuck",
  order: "deadlockOrder",
});

/** Why a deployment could not be finished, once it has ended the match. @param {Context} ctx */
export function deadlock(ctx) {
  const stuck = ctx.scene.deadlock;
  if (!stuck) return nothing;
  const player = (/** @type {1 | 2} */ number) => {
    const units = stuck.units_left[number].map((/** @type {string} */ id) => titled(ctx, id)).join(", ");
    return html`<li>${say("deadlockPlayer", {
      player: number,
      units: units || say("deadlockNone"),
      pool: stuck.pool_sizes[number],
      free: stuck.free_hexes[number],
    })}</li>`;
  };
  return html`<div class="deadlock" role="status" data-testid="deadlock">
    <p>${say(CAUSES[/** @type {keyof CAUSES} */ (stuck.cause)], { player: stuck.player, other: 3 - stuck.player })}</p>
    <ul>${player(1)}${player(2)}</ul>
    <p>${say("deadlockOccupied", { count: stuck.occupied_hexes })}</p>
  </div>`;
}

/** Jumps to where phases began. @param {Context} ctx */
export function replay(ctx) {
  const { match, scene } = ctx;
  /**
   * @type {{
   *   ply: number,
   *   phase: "deployment" | "command" | "move" | "shoot" | "charge" | "fight" | "over",
   *   turn: number,
   *   player: number | null,
   * }[]}
   */
  const phases = scene.phases ?? [];
  if (phases.length < 2 || !ctx.goto) return nothing;
  const now = phases.findLastIndex((one) => one.ply <= match.ply);
  const before = phases.findLast((one) => one.ply < match.ply);
  const after = phases[now + 1];
  const jump = (/** @type {{ ply: number } | undefined} */ to) => () => to && ctx.goto(to.ply);
  const named = (/** @type {typeof phases[number]} */ one) =>
    one.player ? say("phaseOf", { turn: one.turn, player: one.player, phase: say(one.phase) }) : say(one.phase);
  return html`<section class="panel skirmish-replay" data-testid="replay">
    <h2>${say("replay")}</h2>
    <div class="jumps">
      <button type="button" class="button" ?disabled=${!before} @click=${jump(before)} aria-label=${say("previous")}>◀</button>
      <select aria-label=${say("replay")} @change=${(/** @type {Event} */ event) =>
        ctx.goto(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
        ${phases.map(
          (one, place) => html`<option value=${one.ply} ?selected=${place === now}
            .selected=${place === now}>${named(one)}</option>`,
        )}
      </select>
      <button type="button" class="button" ?disabled=${!after} @click=${jump(after)} aria-label=${say("next")}>▶</button>
    </div>
  </section>`;
}

/**
 * A part of a line of the log: a sentence, or a roll with its die.
 *
 * @typedef {{ text: Record<"en" | "fr", string>, roll?: "hit" | "wound" | "save", die?: number, needed?: number, good?: boolean }} Part
 */

/** Of a turn: the words for the one person whose turn it was, or those for everybody else. @param {any} report @param {MatchView} match */
function reportOf({ player, own, text }, { seats }) {
  const yours = seats.filter(({ you }) => you);
  return yours.length === 1 && yours[0]?.player === player ? own : text;
}

/** Every roll and every wound, the newest first. @param {Context} ctx */
export function log({ scene, match, language }) {
  /** @type {{ ply: number, events: { parts: Part[] }[] }[]} */
  const entries = scene.log ?? (scene.events.length ? [{ ply: match.ply, events: scene.events }] : []);
  return html`<section class="panel skirmish-log" data-testid="log">
    <h2>${say("log")}</h2>
    ${scene.report ? html`<p class="report" data-testid="report">${reportOf(scene.report, match)[language]}</p>` : nothing}
    ${entries.length === 0 ? html`<p class="muted">${say("noLog")}</p>` : nothing}
    <ol tabindex="0" aria-label=${say("log")}>${entries.map(
      ({ ply, events }) => html`<li><span class="muted at-ply">${ply}</span>
        <ul>${events.map(
          ({ parts }) =>
            html`<li>${parts.map(
              (part, place) =>
                html`${place ? " · " : ""}<span class=${part.roll ? `roll ${part.roll} ${part.good ? "" : "fails"}` : ""}>${part.text[language]}</span>`,
            )}</li>`,
        )}</ul></li>`,
    )}</ol>
  </section>`;
}
