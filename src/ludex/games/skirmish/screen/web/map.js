/** The map: ground, what can be reached and seen, objectives and units. */

import { actOn, actsOf, chosenUnit, described, explain } from "./acts.js";
import { effects, sizeOf } from "./effects.js";
import { pictureOf } from "./picture.js";
import { say } from "./texts.js";
import { token } from "./tokens.js";
import { Pinch } from "/static/shell/pinch.js";
import { Directive, directive } from "/static/vendor/lit-html/directive.js";
import { html, noChange, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

const MARGIN = 4;
const POINTED_MS = 90;
/** How far a finger may miss a hex that can be chosen, in pixels. */
const NEAR = 26;
const FIRM = 22;
const ENLARGED = 2.2;

/** The part of the map that is shown. @param {Context} ctx @returns {Pinch} */
export function pinchOf({ stage, ui, redraw }) {
  const [width, height] = [stage.width + 2 * MARGIN, stage.height + 2 * MARGIN];
  return (ui.pinch ??= new Pinch({ x: -MARGIN, y: -MARGIN, width, height }, redraw));
}

/** @param {Context} ctx */
export function map(ctx) {
  const { stage, scene, ui } = ctx;
  const { units } = pictureOf(ctx);
  const deploying = scene.phase === "deployment";
  const on = listeners(ctx);
  const pinch = pinchOf(ctx);
  // What the other player does, or a hint advises, may be anywhere.
  if (ui.byTap && (!ctx.match.seats[ctx.match.to_move ?? -1]?.you || ctx.drawn?.length)) {
    pinch.reset();
    ui.byTap = false;
  }
  const classes = `board skirmish-map by-${scene.player} ${pinch.enlarged ? "enlarged" : ""}`;
  return html`<svg class=${classes} viewBox=${pinch.viewBox} role="application"
    aria-label=${say("map")} aria-activedescendant=${ui.cursor === undefined ? nothing : `hex-${ui.cursor}`} tabindex="0"
    data-testid="map" @click=${on.click} @pointermove=${on.pointermove} @pointerleave=${on.pointerleave}
    @pointerdown=${pinch.down} @pointerup=${pinch.up} @pointercancel=${pinch.up}>
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
    ${effects(ctx)}
    ${
      ui.cursor === undefined
        ? nothing
        : svg`<g id="hex-${ui.cursor}" role="img" aria-label=${described(ctx, ui.cursor)}></g>`
    }
  </svg>`;
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
        <use href="#skirmish-hex" class="goal-hex"/>
        <path class="goal-flag" d="M-6.5 12v-24M-6.5 -12l17 6-17 6"/></g>`;
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
    return svg`<circle class="seen" cx=${here?.x} cy=${here?.y} r="3.4"/>`;
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
 * @param {Context} ctx @param {string} move @returns {import("./units.js").Hex | undefined}
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
  const drawn = ctx.drawn ?? [];
  const shown = pointed && !listed.includes(pointed) ? [...listed, pointed] : listed;
  return [...shown, ...drawn].map((one) => {
    const where = aim(ctx, one.text);
    if (!where) return nothing;
    const seen = "kind" in one || one === pointed;
    const rank =
      "kind" in one ? (one.kind === "played" ? "?" : "★") : seen ? "★" : (analysis?.candidates.indexOf(one) ?? 0) + 1;
    return svg`<g class="suggestion ${seen ? "pointed" : ""} ${"kind" in one ? `drawn-${one.kind}` : ""}"
      transform="translate(${where.x} ${where.y})">
      <use href="#skirmish-hex"/><g class="enlarged-text" transform="translate(9.5 -9.5) scale(${sizeOf(ctx)})">
      <circle r="6"/><text y="2.9">${rank}</text></g></g>`;
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

/** What to expect of each target of the unit that acts: the wounds, and the chance to destroy it or to arrive. @param {Context} ctx */
function badges(ctx) {
  const { hexes } = pictureOf(ctx);
  if (!ctx.mayMove && ctx.overlay !== "legal") return nothing;
  return [...actsOf(ctx)].map(([hex, act]) => {
    const here = hexes.get(hex);
    if (!act.odds || !here) return nothing;
    const tall = act.wounds ? 20 : 12;
    // Beside the unit: units that stand in a column have theirs below each other.
    const [side, left] = here.x > ctx.stage.width - 80 ? [-15, -32] : [15, 0];
    return svg`<g class="badge badge-${act.kind}" transform="translate(${here.x + side} ${here.y})"><g class="enlarged-text"
      transform="scale(${sizeOf(ctx)})"><rect x=${left} y=${-tall / 2} width="32" height=${tall} rx="5"/>
      ${act.wounds ? svg`<text class="badge-wounds" x=${left + 16} y="-1.2">−${act.wounds}</text>` : nothing}
      <text x=${left + 16} y=${act.wounds ? 7.6 : 3.1}>${act.odds}</text></g></g>`;
  });
}

/** @param {Event} event @returns {number | null} */
function hexOf(event) {
  const found = event.target instanceof Element ? event.target.closest("[data-hex]") : null;
  return found ? Number(found.getAttribute("data-hex")) : null;
}

/**
 * The hex that a click means. A finger on one where nothing can be done and nobody stands means the nearest where something
 * can; where several are near and small, it only enlarges the map.
 * @param {Context} ctx @param {MouseEvent} event @returns {number | null}
 */
function near(ctx, event) {
  const hex = hexOf(event);
  const { hexes, at } = pictureOf(ctx);
  const matrix = /** @type {SVGSVGElement} */ (event.currentTarget).getScreenCTM();
  if (!(event instanceof PointerEvent && event.pointerType === "touch") || !ctx.mayMove || !matrix) return hex;
  const tap = { x: (event.clientX - matrix.e) / matrix.a, y: (event.clientY - matrix.f) / matrix.d };
  const away = (/** @type {number} */ there) => {
    const place = hexes.get(there);
    return place ? matrix.a * Math.hypot(place.x - tap.x, place.y - tap.y) : Infinity;
  };
  const acts = actsOf(ctx);
  const close = [...acts.keys()].filter((there) => away(there) < NEAR).sort((one, other) => away(one) - away(other));
  const pinch = pinchOf(ctx);
  if (close.length > 1 && !pinch.enlarged && matrix.a * ctx.stage.size * Math.sqrt(3) < FIRM) {
    ctx.ui.byTap = true;
    pinch.show(ENLARGED, tap);
    ctx.announce(say("enlarged"));
    return null;
  }
  return hex !== null && (acts.has(hex) || at.has(hex)) ? hex : (close[0] ?? hex);
}

/** One set of listeners for all hexes and units. @param {Context} ctx */
function listeners(ctx) {
  const { ui } = ctx;
  return {
    /** @param {MouseEvent} event */
    click(event) {
      ui.keyboard = false;
      const hex = near(ctx, event);
      if (hex !== null && !pinchOf(ctx).dragged) actOn(ctx, hex);
    },
    /** @param {PointerEvent} event */
    pointermove(event) {
      pinchOf(ctx).move(event);
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
