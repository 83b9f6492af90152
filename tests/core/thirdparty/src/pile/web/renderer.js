// @ts-check
/** The pile as stones, and a button for each number that can be taken. */

import { textsOf } from "/static/shell/texts.js";
import { html } from "/static/vendor/lit-html/lit-html.js";
import { stones } from "./stones.js";

/** @type {import("/static/types/texts.js").Say<typeof import("./texts.en.json")>} */
const say = textsOf("drawn");

/** @type {import("/static/types/renderer.js").Renderer} */
export default {
  board: (ctx) => html`<div class="board pile">
    <svg viewBox="0 0 160 30" role="img" aria-label=${say("left", { count: ctx.scene.left })}>${stones(ctx.scene.left)}</svg>
    ${[1, 2, 3].map(
      (count) => html`<button ?disabled=${!ctx.mayMove || count > ctx.scene.left}
        @click=${() => ctx.play(`take${count}`)}>${say("take", { count })}</button>`,
    )}
  </div>`,
};
