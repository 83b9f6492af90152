// @ts-check
/** Skirmish's screen: the map, its actions, both forces, and the dice rolls. */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { heading, inspection, orders } from "./battle.js";
import { rosters, tables } from "./forces.js";
import { map, openOnOwnSide } from "./map.js";
import { say } from "./texts.js";

/** @type {typeof import("./keys.js") | null} loaded with the first key that is pressed */
let keys = null;

/** @type {typeof import("./history.js") | null} */
let history = null;

/**
 * A part of the screen that is loaded when it is needed.
 * @param {import("/static/types/renderer.js").Context} ctx @param {"deadlock" | "log" | "replay"} part
 */
function past(ctx, part) {
  if (!history)
    void import("./history.js").then((loaded) => {
      history = loaded;
      ctx.redraw();
    });
  return history ? history[part](ctx) : nothing;
}

/** @type {Record<string, Parameters<typeof say>[0]>} */
const REASONS = {
  annihilation: "annihilation",
  points: "reasonPoints",
  "surviving value": "surviving",
  "equal points and value": "equal",
  deployment_deadlock: "deadlock",
};

/** @type {import("/static/types/renderer.js").Renderer} */
export default {
  board: (ctx) => {
    openOnOwnSide(ctx);
    return html`<div class="skirmish">${heading(ctx)}
      <div class="skirmish-scroll">${map(ctx)}</div>
      ${ctx.scene.deadlock ? past(ctx, "deadlock") : nothing}${orders(ctx)}${inspection(ctx)}</div>`;
  },

  firstPanels: rosters,

  panels: (ctx) =>
    html`${tables(ctx)}${ctx.scene.phases?.length > 1 ? past(ctx, "replay") : nothing}${ctx.match.ply ? past(ctx, "log") : nothing}`,

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

  reason: (reason) => (reason in REASONS ? say(REASONS[reason]) : reason),
};
