// @ts-check
/** Around the map: the phase, the score, what to do now, what is pointed at. */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { chosenUnit, described, titled } from "./acts.js";
import { statsOf } from "./forces.js";
import { termed } from "/static/shell/terms.js";
import { pictureOf } from "./picture.js";
import { say } from "./texts.js";

/** @typedef {import("/static/types/renderer.js").Context} Context */

const PHASES = /** @type {const} */ (["deployment", "command", "move", "shoot", "charge", "fight"]);
const ENDED = ["move", "shoot", "charge"];
const WORDS = /** @type {const} */ (["pass", "confirm", "advance", "wait"]);

/** The player to move, the phase and the points. @param {Context} ctx */
export function heading({ stage, scene }) {
  const points = (/** @type {1 | 2} */ player) =>
    html`<span class="points of-${player} ${scene.player === player ? "in-turn" : ""}" data-testid="points-${player}"
      ><span class="unseen">${say("player", { player })}, ${say("points")}: </span>${scene.points[player - 1]}</span>`;
  const mode = /** @type {"player_by_player" | "alternated_p1_start"} */ (stage.deployment_order_mode);
  return html`<div class="skirmish-heading">
    ${points(1)}
    <div class="when">
    <span class="turn">${scene.turn > 0 ? say("turn", { turn: scene.turn, turns: stage.turns }) : say(mode)}</span>
    <ol class="phases" data-testid="phases">${PHASES.map(
      (phase) => html`<li class=${phase === scene.phase ? `now of-${scene.player}` : ""}
        aria-current=${phase === scene.phase ? "step" : "false"}>${say(phase)}</li>`,
    )}</ol></div>
    ${points(2)}
  </div>`;
}

/** What to do now, with the actions that are words. @param {Context} ctx */
export function orders(ctx) {
  const { scene, ui } = ctx;
  const words = ctx.mayMove ? WORDS.filter((word) => scene.legal.words.includes(word)) : [];
  const taken = ctx.mayMove && ui.placed && scene.legal.undeploy.includes(ui.placed) ? ui.placed : null;
  const whole = ctx.mayMove ? wholeOrder(ctx) : null;
  const command = () => {
    ui.placedAt = ctx.match.ply;
    queueMicrotask(() => void ctx.play(/** @type {string} */ (whole)));
  };
  // Where the players place in turn, the machine goes on after each of the other's units.
  if (whole === "place_force" && ui.placedAt < ctx.match.ply) command();
  return html`<div class="orders">
    ${ctx.mayMove && scene.report ? html`<p class="report" role="status" data-testid="report">${scene.report[ctx.language]}</p>` : nothing}
    <p class="order" data-testid="order">${ctx.mayMove ? html`${order(ctx)} ${oddsLegend(scene.legal)}` : nothing}</p>
    <div class="words">
      ${
        taken
          ? html`<button type="button" class="button" data-word="undeploy" @click=${() => ctx.play(`undeploy/${taken}`)}>
            ${say("takeBack", { unit: titled(ctx, taken) })}</button>`
          : nothing
      }
      ${whole ? html`<button type="button" class="button" data-word=${whole} @click=${command}>${say(whole)}</button>` : nothing}
      ${words.map(
        (word) => html`<button type="button" class="button ${word === "confirm" ? "primary" : ""}" data-word=${word}
          @click=${() => ctx.play(word)}>${say(word)}</button>`,
      )}
    </div>
  </div>`;
}

/** What the percentages above the targets are. @param {any} legal */
function oddsLegend({ shoot, fight, charge }) {
  const key = shoot.length || fight.length ? "killLegend" : charge.length ? "chargeLegend" : null;
  return key ? html`<span class="muted odds-legend" data-testid="odds-legend">${say(key)}</span>` : nothing;
}

/** The order that stands for many actions now. @param {Context} ctx @returns {"place_force" | "end_phase" | null} */
function wholeOrder({ scene }) {
  if (Object.keys(scene.legal.deploy).length) return "place_force";
  return ENDED.includes(scene.phase) ? "end_phase" : null;
}

/** @param {Context} ctx */
function order(ctx) {
  const { scene } = ctx;
  const { legal, rolled } = scene;
  const chosen = chosenUnit(ctx);
  if (chosen) return say("placing", { unit: titled(ctx, chosen) });
  if (Object.keys(legal.deploy).length) return say("choose");
  if (legal.words.includes("confirm")) return say("confirmNow");
  if (legal.words.includes("pass")) return say("passNow");
  if (scene.active === null) return say("activate");
  const { id } = pictureOf(ctx).units[scene.active];
  const unit = titled(ctx, id);
  if (scene.doing === "charging") return say("charging", { unit, rolled });
  return scene.doing === "advancing" ? say("advancing", { unit, rolled }) : say("acting", { unit });
}

/** What is on the hex that is pointed at, and why it cannot be chosen. @param {Context} ctx */
export function inspection(ctx) {
  const { ui } = ctx;
  const hex = ui.pointed ?? ui.cursor;
  if (hex === undefined || hex === null)
    return html`<div class="inspection"><p class="muted">${say("pointHere")}</p>
      <ul class="symbols" data-testid="symbols">${symbols(ctx)}</ul></div>`;
  const unit = pictureOf(ctx).at.get(hex);
  const reason = ui.reason?.hex === hex ? ui.reason.message : null;
  return html`<div class="inspection" data-testid="inspection">
    <p>${described(ctx, hex)}</p>
    ${reason ? html`<p class="reason" data-testid="reason">${reason}</p>` : nothing}
    ${unit && !reason ? html`<p class="muted stats">${termed(ctx, statsOf(unit))}</p>` : nothing}
  </div>`;
}

/** The letters on the units, and what they stand for. @param {Context} ctx */
function symbols(ctx) {
  const names = new Map(pictureOf(ctx).units.map((unit) => [unit.symbol, unit.name]));
  return [...names].map(([symbol, name]) => html`<li><b>${symbol}</b> ${name}</li>`);
}
