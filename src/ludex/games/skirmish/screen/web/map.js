// @ts-check
/** The map: ground, what can be reached and seen, objectives and units. */

import { actOn, actsOf, chosenUnit, described, explain } from "./acts.js";
import { pictureOf } from "./picture.js";
import { say } from "./texts.js";
import { token } from "./tokens.js";
import { Directive, directive } from "/static/vendor/lit-html/directive.js";
import { html, noChange, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

/** @typedef {import("/static/types/renderer.js").Context} Context */

const MARGIN = 4;
const POINTED_MS = 90;

/** @param {Context} ctx */
export function map(ctx) {
  const { stage, scene, ui } = ctx;
  const { units } = pictureOf(ctx);
  const deploying = scene.phase === "deployment";
  const on = listeners(ctx);
  const box = `${-MARGIN} ${-MARGIN} ${stage.width + 2 * MARGIN} ${stage.height + 2 * MARGIN}`;
  return html`<svg class="board skirmish-map by-${scene.player}" viewBox=${box} role="application"
    aria-label=${say("map")} aria-activedescendant=${ui.cursor === undefined ? nothing : `hex-${ui.cursor}`} tabindex="0"
    data-testid="map" @click=${on.click} @pointermove=${on.pointermove} @pointerleave=${on.pointerleave}>
    <defs>
      <polygon id="skirmish-hex" points=${points(stage, 0.965)}></polygon>
      <polygon id="skirmish-inner" points=${points(stage, 0.8)}></polygon>
      <pattern id="skirmish-bars" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="bars" d="M0 0v7"/></pattern>
    </defs>
    ${still([stage, deploying], () => ground(stage, deploying))}
    ${goals(ctx)}
    <g class="layer" aria-hidden="true">${heat(ctx)}${sight(ctx)}${acts(ctx)}${candidates(ctx)}${cursor(ctx)}${(
      ctx.marked ?? []
    ).map(
      (hex) => svg`<use href="#skirmish-inner" class="marked" x=${spot(stage, hex).x} y=${spot(stage, hex).y}/>`,
    )}</g>
    <g class="tokens" aria-hidden="true">${units.map((unit) => (unit.hex === null ? nothing : token(ctx, unit)))}</g>
    <g class="layer badges" aria-hidden="true">${badges(ctx)}</g>
    ${
      ui.cursor === undefined
        ? nothing
        : svg`<g id="hex-${ui.cursor}" role="img" aria-label=${described(ctx, ui.cursor)}></g>`
    }
  </svg>`;
}

/**
 * Scroll a map that is larger than its screen to where this person can act: at first, and after the other player's
 * turn.
 * @param {Context} ctx
 */
export function openOnOwnSide(ctx) {
  const { stage, ui, match } = ctx;
  // A picture in the rules leaves the map of the match as it is.
  if (
    !(match.id || ctx.mayMove) ||
    (ui.opened !== undefined && !(ctx.mayMove && ctx.scene.report && ui.opened < match.ply))
  )
    return;
  ui.opened = match.ply;
  const own = match.seats.find((seat) => seat.you)?.player ?? 0;
  const acts = ctx.mayMove ? [...actsOf(ctx).keys()] : [];
  const acting = pictureOf(ctx).units[ctx.scene.active]?.hex;
  const hexes = ctx.marked?.length ? ctx.marked : acting ? [acting] : acts.length ? acts : stage.zones[own];
  requestAnimationFrame(() => {
    const scroll = document.querySelector(".skirmish-scroll");
    if (!scroll) return;
    const middle = (/** @type {"x" | "y"} */ axis) => {
      const places = hexes.map((/** @type {number} */ hex) => spot(stage, hex)[axis]);
      return (Math.min(...places) + Math.max(...places)) / 2;
    };
    scroll.scrollLeft = (middle("x") / stage.width) * scroll.scrollWidth - scroll.clientWidth / 2;
    scroll.scrollTop = (middle("y") / stage.height) * scroll.scrollHeight - scroll.clientHeight / 2;
  });
}

/** @param {any} stage @param {number} scale */
const points = (stage, scale) =>
  stage.corners
    .map((/** @type {number[]} */ corner) => corner.map((way) => (way * scale).toFixed(2)).join(","))
    .join(" ");

/** What never changes, but for the zones, which are shown while units are placed. @param {any} stage @param {boolean} deploying */
function ground(stage, deploying) {
  const walls = new Set(stage.walls);
  const forbidden = new Set(stage.forbidden);
  const zones = stage.zones.map((/** @type {number[]} */ zone) => new Set(zone));
  return svg`<g class="ground">${stage.hexes.map((/** @type {import("./units.js").Hex} */ one) => {
    let kind = walls.has(one.hex) ? "wall" : "open";
    if (deploying && kind === "open") {
      if (zones[0].has(one.hex)) kind += " zone-1";
      if (zones[1].has(one.hex)) kind += " zone-2";
      if (forbidden.has(one.hex)) kind += " forbidden";
    }
    return svg`<use href="#skirmish-hex" class=${kind} x=${one.x} y=${one.y} data-hex=${one.hex} />`;
  })}</g>
    <g class="layer">${stage.walls.map((/** @type {number} */ hex) => wall(stage, hex))}
    ${deploying ? stage.forbidden.map((/** @type {number} */ hex) => barred(stage, hex)) : nothing}</g>`;
}

/** @param {any} stage @param {number} hex */
function spot(stage, hex) {
  const found = stage.hexes.find((/** @type {any} */ one) => one.hex === hex);
  return { x: found.x, y: found.y };
}

/** @param {any} stage @param {number} hex */
function wall(stage, hex) {
  const { x, y } = spot(stage, hex);
  return svg`<g transform="translate(${x} ${y})"><use href="#skirmish-inner" class="wall-top" y="-2"/>
    <path class="wall-bricks" d="M-9 -5h18M-10 3h20M-3 -10v5M4 -5v8M-5 3v6"/></g>`;
}

/** @param {any} stage @param {number} hex */
const barred = (stage, hex) => {
  const { x, y } = spot(stage, hex);
  return svg`<path class="barred" d="M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12"/>`;
};

/** @param {Context} ctx */
function goals({ stage, scene }) {
  return svg`<g class="layer goals" aria-hidden="true">${stage.objectives.map(
    (/** @type {any} */ goal, /** @type {number} */ place) => {
      const { x, y } = spot(stage, goal.hex);
      const holder = scene.held[place];
      return svg`<g class="goal ${holder ? `held-${holder}` : ""}" transform="translate(${x} ${y})">
        <circle class="goal-reach" r=${(stage.objective_radius + 0.5) * stage.size * Math.sqrt(3)}/>
        <use href="#skirmish-inner" class="goal-hex"/>
        <path class="goal-flag" d="M-5 9v-19M-5 -10l13 4.6-13 4.6"/></g>`;
    },
  )}</g>`;
}

/** A policy's preferences, where it gives them: one number per hex. @param {Context} ctx */
function heat({ stage, overlay, analysis }) {
  if (overlay !== "heat" || !analysis) return nothing;
  const layer = Object.values(analysis.overlay).find((one) => one.length === stage.numbers);
  if (!layer) return nothing;
  const most = Math.max(...layer.map((one) => one ?? 0)) || 1;
  return stage.hexes.map((/** @type {any} */ one) => {
    const share = (layer[one.hex] ?? 0) / most;
    return share > 0.01
      ? svg`<use href="#skirmish-hex" class="heat" x=${one.x} y=${one.y} opacity=${(0.08 + 0.8 * share).toFixed(2)}/>`
      : nothing;
  });
}

/** The hexes that the active unit could shoot at, in the phases in which that matters. @param {Context} ctx */
function sight(ctx) {
  const { hexes } = pictureOf(ctx);
  if (ctx.scene.phase !== "move" && ctx.scene.phase !== "shoot") return nothing;
  return ctx.scene.sight.map((/** @type {number} */ hex) => {
    const here = hexes.get(hex);
    return svg`<circle class="seen" cx=${here?.x} cy=${here?.y} r="2.4"/>`;
  });
}

/** @param {Context} ctx */
function acts(ctx) {
  const { hexes, at } = pictureOf(ctx);
  // A spectator sees legal actions only with the overlay.
  if (!ctx.mayMove && ctx.overlay !== "legal") return nothing;
  return [...actsOf(ctx)].map(([hex, act]) => {
    const here = hexes.get(hex);
    return at.has(hex)
      ? nothing
      : svg`<use href="#skirmish-hex" class="act act-${act.kind}" x=${here?.x} y=${here?.y}/>`;
  });
}

/**
 * The hex that a move is about: the one it names, or that of the unit it names.
 *
 * @param {Context} ctx
 * @param {string} move
 * @returns {import("./units.js").Hex | undefined}
 */
function aim(ctx, move) {
  const { hexes, byId } = pictureOf(ctx);
  const last = move.split("/").at(-1) ?? "";
  return last.includes(".")
    ? ctx.stage.hexes.find((/** @type {import("./units.js").Hex} */ hex) => hex.name === last)
    : hexes.get(byId.get(last)?.hex ?? -1);
}

/** @param {Context} ctx */
function candidates(ctx) {
  const { analysis, overlay, selected } = ctx;
  const listed = overlay === "candidates" ? (analysis?.candidates ?? []).slice(0, 5) : [];
  const pointed = selected === null ? undefined : analysis?.candidates[selected];
  const shown = pointed && !listed.includes(pointed) ? [...listed, pointed] : listed;
  return shown.map((one) => {
    const where = aim(ctx, one.text);
    if (!where) return nothing;
    const rank = one === pointed ? "★" : (analysis?.candidates.indexOf(one) ?? 0) + 1;
    return svg`<g class="suggestion ${one === pointed ? "pointed" : ""}" transform="translate(${where.x} ${where.y})">
      <use href="#skirmish-hex"/><circle cx="9.5" cy="-9.5" r="6"/><text x="9.5" y="-6.6">${rank}</text></g>`;
  });
}

/** @param {Context} ctx */
function cursor(ctx) {
  const { hexes } = pictureOf(ctx);
  const { cursor, pointed, keyboard } = ctx.ui;
  const ring = (/** @type {number | undefined | null} */ hex, /** @type {string} */ kind) => {
    const here = hexes.get(hex ?? -1);
    return here ? svg`<use href="#skirmish-hex" class=${kind} x=${here.x} y=${here.y}/>` : nothing;
  };
  const pending = ctx.pending === null ? undefined : aim(ctx, ctx.pending)?.hex;
  return svg`${ring(pending, "pending-hex")}${ring(pointed, "pointed-hex")}${keyboard ? ring(cursor, "cursor") : nothing}`;
}

/** Chances on the targets of the unit that acts. @param {Context} ctx */
function badges(ctx) {
  const { hexes } = pictureOf(ctx);
  return [...actsOf(ctx)].map(([hex, act]) => {
    const here = hexes.get(hex);
    if (!act.odds || !here) return nothing;
    return svg`<g class="badge badge-${act.kind}" transform="translate(${here.x} ${here.y - 19})">
      <rect x="-15" y="-6.5" width="30" height="13" rx="6.5"/><text y="3.2">${act.odds}</text></g>`;
  });
}

/** @param {Event} event @returns {number | null} */
function hexOf(event) {
  const found = event.target instanceof Element ? event.target.closest("[data-hex]") : null;
  return found ? Number(found.getAttribute("data-hex")) : null;
}

/** One set of listeners for all hexes and units. @param {Context} ctx */
function listeners(ctx) {
  const { ui } = ctx;
  return {
    /** @param {MouseEvent} event */
    click(event) {
      const hex = hexOf(event);
      ui.keyboard = false;
      if (hex !== null) actOn(ctx, hex);
    },
    /** @param {PointerEvent} event */
    pointermove(event) {
      const hex = hexOf(event);
      if (event.pointerType !== "mouse" || hex === null || hex === ui.pointed) return;
      ui.pointed = hex;
      ui.reason = null;
      ctx.redraw();
      clearTimeout(ui.pointing);
      if (chosenUnit(ctx) !== null) ui.pointing = setTimeout(() => explain(ctx, hex), POINTED_MS);
    },
    pointerleave() {
      clearTimeout(ui.pointing);
      ui.pointed = null;
      ui.reason = null;
      ctx.redraw();
    },
  };
}

class Still extends Directive {
  /** @type {unknown[]} */
  #drawn = [];

  /** @param {unknown[]} of @param {() => unknown} draw */
  render(of, draw) {
    if (of.length === this.#drawn.length && of.every((one, place) => one === this.#drawn[place])) return noChange;
    this.#drawn = of;
    return draw();
  }
}

const still = directive(Still);
