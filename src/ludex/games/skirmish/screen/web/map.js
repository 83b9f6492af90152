/** The map: ground, what can be reached and seen, objectives and units. */

import { actOn, actsOf, aim, chosenUnit, described, explain } from "./acts.js";
import { goals, ground, shapes, spot } from "./ground.js";
import { part } from "./parts.js";
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
/** Below this width of a screen a puzzle begins with the part of the map that it is about. */
const NARROW = 600;

/** The part of the map that is shown. @param {Context} ctx @returns {Pinch} */
export function pinchOf(ctx) {
  const { stage, ui, redraw } = ctx;
  const [width, height] = [stage.width + 2 * MARGIN, stage.height + 2 * MARGIN];
  ui.pinch ??= new Pinch({ x: -MARGIN, y: -MARGIN, width, height }, redraw);
  const framing = ctx.asked && !ui.framed && innerWidth < NARROW ? part(ctx, "framing") : null;
  if (framing) {
    ui.framed = true;
    framing.frame(ctx, ui.pinch);
  }
  return ui.pinch;
}

/** A hint chooses its unit. @param {Context} ctx */
export function heed(ctx) {
  const { drawn, ui } = ctx;
  const text = drawn?.[0]?.text;
  if (text && text !== ui.hint) {
    ui.unit = text.split("/")[1];
    pinchOf(ctx).reset();
  }
  ui.hint = text;
}

/** @param {Context} ctx */
export function map(ctx) {
  const { stage, scene, ui } = ctx;
  const { units } = pictureOf(ctx);
  const deploying = scene.phase === "deployment";
  const on = listeners(ctx);
  const pinch = pinchOf(ctx);
  // What the other player does may be anywhere.
  if (ui.byTap && !ctx.match.seats[ctx.match.to_move ?? -1]?.you) {
    pinch.reset();
    ui.byTap = false;
  }
  const classes = `board skirmish-map by-${scene.player} ${pinch.enlarged ? "enlarged" : ""}`;
  return html`<svg class=${classes} viewBox=${pinch.viewBox} role="application"
    aria-label=${say("map")} aria-activedescendant=${ui.cursor === undefined ? nothing : `hex-${ui.cursor}`} tabindex="0"
    data-testid="map" @click=${on.click} @pointermove=${on.pointermove} @pointerleave=${on.pointerleave}
    @pointerdown=${pinch.down} @pointerup=${pinch.up} @pointercancel=${pinch.up}>
    ${shapes(stage)}
    ${still([stage, deploying], () => ground(stage, deploying))}
    ${goals(ctx)}
    <g class="layer" aria-hidden="true">${sight(ctx)}${acts(ctx)}${overlay(ctx)}${cursor(ctx)}${(ctx.marked ?? []).map(
      (hex) => svg`<use href="#skirmish-inner" class="marked" x=${spot(stage, hex).x} y=${spot(stage, hex).y}/>`,
    )}</g>
    <g class="tokens" aria-hidden="true">${units.map((unit) => (unit.hex === null ? nothing : token(ctx, unit)))}</g>
    <g class="layer badges" aria-hidden="true">${badges(ctx, pinch)}</g>
    ${scene.effects?.length ? part(ctx, "effects")?.effects(ctx) : nothing}
    ${
      ui.cursor === undefined
        ? nothing
        : svg`<g id="hex-${ui.cursor}" role="img" aria-label=${described(ctx, ui.cursor)}></g>`
    }
  </svg>`;
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

/** @param {Context} ctx @param {Pinch} pinch */
function badges(ctx, pinch) {
  const marksMoves = ctx.mayMove || ctx.overlay === "legal";
  return marksMoves && [...actsOf(ctx).values()].some(({ odds }) => odds)
    ? part(ctx, "overlays")?.badges(ctx, pinch.part)
    : nothing;
}

/** What a search knows, and the moves that the page wants seen. @param {Context} ctx */
function overlay(ctx) {
  return ctx.analysis || ctx.drawn?.length ? part(ctx, "overlays")?.overlay(ctx) : nothing;
}

/** @param {Event} event @returns {number | null} */
function hexOf(event) {
  const hex = event.target instanceof Element ? event.target.closest("[data-hex]") : null;
  return hex ? Number(hex.getAttribute("data-hex")) : null;
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
  #last = [];

  /** @param {unknown[]} of @param {() => unknown} draw */
  render(of, draw) {
    if (of.length === this.#last.length && of.every((one, place) => one === this.#last[place])) return noChange;
    this.#last = of;
    return draw();
  }
}

const still = directive(Still);
