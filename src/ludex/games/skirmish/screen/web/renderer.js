/** Skirmish's screen: the map, its actions, both forces, and the dice rolls. */

import { actsOf, chosenUnit, described, titled } from "./acts.js";
import { rosters, statsOf, tables } from "./forces.js";
import { heed, map, pinchOf } from "./map.js";
import { part } from "./parts.js";
import { pictureOf } from "./picture.js";
import { say } from "./texts.js";
import { badge } from "./tokens.js";
import { termed } from "/static/shell/terms.js";
import { html, nothing } from "/static/vendor/lit-html/lit-html.js";

/** @type {typeof import("./keys.js") | null} loaded with the first key that is pressed */
let keys = null;

/** @type {Record<string, Parameters<typeof say>[0]>} */
const REASONS = {
  annihilation: "annihilation",
  points: "reasonPoints",
  "surviving value": "surviving",
  "equal points and value": "equal",
  deployment_deadlock: "deadlock",
};

/** @type {Renderer} */
export default {
  board: (ctx) => {
    heed(ctx);
    return html`<div class="skirmish">${heading(ctx)}${instruction(ctx)}
      <div class="skirmish-ground">${map(ctx)}</div>
      <div class="skirmish-beside">
        ${ctx.scene.deadlock ? part(ctx, "history")?.deadlock(ctx) : nothing}${orders(ctx)}${inspection(ctx)}</div></div>`;
  },

  // What has happened stands beside the board.
  firstPanels: (ctx) =>
    ctx.scene.phase === "deployment"
      ? rosters(ctx)
      : ctx.match.ply
        ? (part(ctx, "history")?.log(ctx) ?? nothing)
        : nothing,

  panels: (ctx) =>
    html`${tables(ctx)}${ctx.scene.phases?.length > 1 ? part(ctx, "history")?.replay(ctx) : nothing}${
      ctx.scene.phase === "deployment" && ctx.match.ply ? part(ctx, "history")?.log(ctx) : nothing
    }`,

  key: (event, ctx) => {
    if (keys) return keys.key(event, ctx);
    // What a browser does with a key is decided now: Tab is ours on the map, and an arrow scrolls nothing.
    const own = event.key !== "Tab" || document.activeElement?.closest(".skirmish-map") != null;
    void import("./keys.js").then((loaded) => {
      keys = loaded;
      if (own) loaded.key(event, ctx);
    });
    return own && (event.key === "Tab" || event.key.startsWith("Arrow"));
  },

  help: () => [
    [say("keyArrows"), say("arrows")],
    ["Enter", say("enter")],
    ["Tab", say("tab")],
    ["Escape", say("escape")],
    ["w", say("w")],
    ["a", say("a")],
  ],

  sides: () => [say("player", { player: 1 }), say("player", { player: 2 })],

  reason: (reason, match) => (reason in REASONS ? say(REASONS[reason], score(match)) : reason),
};

/** The points of the person who looks, or else of the winner, before the others'. @param {MatchView} match */
function score({ scene, outcome, seats }) {
  const own = seats.filter((seat) => seat.you);
  const winner = outcome?.scores.findIndex((value) => value > 0) ?? 0;
  const player = own.length === 1 ? (own[0]?.player ?? 0) : winner;
  const points = /** @type {number[]} */ (scene?.["points"] ?? []);
  return { first: points[player] ?? 0, second: points[1 - player] ?? 0 };
}

const PHASES = /** @type {const} */ (["deployment", "command", "move", "shoot", "charge", "fight"]);
/** @type {Record<string, Parameters<typeof say>[0]>} */
const ACTING = { move: "actingMove", shoot: "actingShoot", charge: "actingCharge", fight: "actingFight" };
/** @type {Record<string, Parameters<typeof say>[0]>} */
const END = { move: "end_move", shoot: "end_shoot", charge: "end_charge", fight: "end_fight" };
const WORDS = /** @type {const} */ (["pass", "confirm", "advance", "wait"]);

/** The player to move, the phase and the points. @param {Context} ctx */
function heading({ stage, scene, match, asked }) {
  // Who acts, which in a fight is not always the player whose turn it is.
  const mover = match.to_move === null ? scene.player : match.to_move + 1;
  const points = (/** @type {1 | 2} */ player) =>
    html`<span class="points of-${player} ${mover === player ? "in-turn" : ""}" data-testid="points-${player}"
      ><span class="unseen">${say("points", { player: say("player", { player }) })} </span>${scene.points[player - 1]}</span>`;
  const mode = /** @type {"player_by_player" | "alternated_p1_start"} */ (stage.deployment_order_mode);
  return html`<div class="skirmish-heading">
    ${points(1)}
    <div class="when">
    ${asked ? html`<span>${say(mover === 1 ? "you1" : "you2")}</span>` : nothing}
    <span class="turn ${scene.turn > 0 ? "" : "mode"}"
      >${scene.turn > 0 ? say("turn", { turn: scene.turn, turns: stage.turns }) : say(mode)}</span>
    <ol class="phases" data-testid="phases">${PHASES.map(
      (phase) => html`<li class=${phase === scene.phase ? `now of-${mover}` : ""}
        aria-current=${phase === scene.phase ? "step" : "false"}>${say(phase)}</li>`,
    )}</ol></div>
    ${points(2)}
  </div>`;
}

/** One line: what to do now, why something cannot be done, or what the other player has just done. @param {Context} ctx */
function instruction(ctx) {
  const { refused } = ctx.ui;
  const reason = refused?.ply === ctx.match.ply ? refused.text : null;
  const text =
    reason ??
    (ctx.mayMove ? order(ctx) : ctx.scene.effects?.length ? (part(ctx, "effects")?.lastEffect(ctx) ?? "") : "");
  return html`<p class="order ${reason ? "refused" : ""}" data-testid="order" title=${text}><span>${text}</span></p>`;
}

/** Buttons beside the pinch of two fingers. @param {Context} ctx */
function zoom(ctx) {
  const pinch = pinchOf(ctx);
  return html`<div class="zoom">
    <button type="button" aria-label=${say("closer")} title=${say("closer")} @click=${() => pinch.step(true)}>+</button>
    <button type="button" aria-label=${say("farther")} title=${say("farther")} ?disabled=${!pinch.enlarged}
      @click=${() => pinch.step(false)}>−</button></div>`;
}

/** The actions that are words, in the bar of actions. @param {Context} ctx */
function orders(ctx) {
  const { scene, ui } = ctx;
  const words = ctx.mayMove ? WORDS.filter((word) => scene.legal.words.includes(word)) : [];
  const unit = ctx.mayMove && ui.placed && scene.legal.undeploy.includes(ui.placed) ? ui.placed : null;
  const whole = ctx.mayMove ? wholeOrder(ctx) : null;
  const ending = whole === "end_phase";
  const why = ending ? scene.end_phase?.[ctx.language] : undefined;
  const name = ending ? (ui.asking === ctx.match.ply ? "end_anyway" : END[scene.phase]) : whole;
  const place = () => {
    ui.placedAt = ctx.match.ply;
    queueMicrotask(() => void ctx.play("place_force"));
  };
  const command = (/** @type {MouseEvent} */ { detail }) =>
    ending ? void import("./ending.js").then(({ end }) => end(ctx, detail)) : place();
  // Where the players place in turn, the machine goes on after each of the other's units.
  if (whole === "place_force" && ui.placedAt < ctx.match.ply) place();
  return html`<div class="orders board-actions">
      ${
        unit
          ? html`<button type="button" class="button" data-word="undeploy" @click=${() => ctx.play(`undeploy/${unit}`)}>
            ${say("takeBack", { unit: titled(ctx, unit) })}</button>`
          : nothing
      }
      ${words.map(
        (word) => html`<button type="button" class="button ${word === "confirm" ? "primary" : ""}" data-word=${word}
          @click=${() => ctx.play(word)}>${say(word)}</button>`,
      )}
      ${
        whole && name
          ? html`<button type="button" class="button" data-word=${whole} aria-disabled=${why ? "true" : "false"}
            title=${why ?? nothing} @click=${command}>${say(name)}</button>`
          : nothing
      }
  </div>`;
}

/** What the numbers beside the targets are, or the dots on the map. @param {Context} ctx */
function legend({ mayMove, asked, scene }) {
  if (!mayMove || asked) return nothing;
  const { shoot, fight, charge } = scene.legal;
  const aims = scene.phase === "move" && scene.sight.length;
  const key =
    shoot.length || fight.length ? "killLegend" : charge.length ? "chargeLegend" : aims ? "sightLegend" : null;
  return key ? html`<p class="odds-legend" data-testid="odds-legend">${say(key)}</p>` : nothing;
}

/** The order that stands for many actions now. @param {Context} ctx @returns {"place_force" | "end_phase" | null} */
function wholeOrder({ scene }) {
  if (Object.keys(scene.legal.deploy).length) return "place_force";
  return scene.phase === "deployment" || scene.phase === "over" ? null : "end_phase";
}

/** @param {Context} ctx */
function order(ctx) {
  const { scene } = ctx;
  const { legal, rolled } = scene;
  const unitId = chosenUnit(ctx);
  if (unitId) return say("placing", { unit: titled(ctx, unitId) });
  if (Object.keys(legal.deploy).length) return say("choose");
  if (legal.words.includes("confirm")) return say("confirmNow");
  if (legal.words.includes("pass")) return say("passNow");
  if (scene.active === null) return say(scene.phase === "fight" ? "activateFight" : "activate");
  const { id } = pictureOf(ctx).units[scene.active];
  const unit = titled(ctx, id);
  if (scene.doing === "charging") return say("charging", { unit, rolled });
  return scene.doing === "advancing" ? say("advancing", { unit, rolled }) : say(ACTING[scene.phase], { unit });
}

/** What is on the hex that is pointed at, and why it cannot be chosen. @param {Context} ctx */
function inspection(ctx) {
  const { ui } = ctx;
  const hex = ui.pointed ?? ui.cursor;
  if (hex === undefined || hex === null)
    return html`<div class="inspection">${zoom(ctx)}${legend(ctx)}
      <p class="muted">${say("pointHere")}</p>
      <ul class="symbols" data-testid="symbols">${symbols(ctx)}</ul></div>`;
  const unit = pictureOf(ctx).at.get(hex);
  const reason = ui.reason?.hex === hex ? ui.reason.message : null;
  const act = unit && ctx.mayMove ? actsOf(ctx).get(hex)?.label : null;
  const left = unit && `${unit.name} ${unit.id} · ${say("wounds")} ${unit.left}/${unit.wounds}`;
  return html`<div class="inspection" data-testid="inspection">
    ${zoom(ctx)}${legend(ctx)}<p>${left ? [left, act].filter(Boolean).join(" · ") : described(ctx, hex)}</p>
    ${reason ? html`<p class="reason" data-testid="reason">${reason}</p>` : nothing}
    ${unit && !reason ? html`<p class="muted stats">${termed(ctx, statsOf(unit))}</p>` : nothing}
  </div>`;
}

/** The drawings on the units, and what they stand for. @param {Context} ctx */
function symbols(ctx) {
  const kinds = new Map(pictureOf(ctx).units.map((unit) => [`${unit.symbol} ${unit.player}`, unit]));
  const names = new Set([...kinds.values()].map(({ name }) => name));
  return [...names].map(
    (name) => html`<li>${[...kinds.values()].filter((unit) => unit.name === name).map(badge)} ${name}</li>`,
  );
}
