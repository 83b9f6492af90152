/** How far the kernels of a game are compiled, as the pages show it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "./texts.js";

export const say = texts("shell", "preparing");

/** How often a page that waits for a game polls its preparation. */
export const POLL_MS = 1000;

/** Progress in words and as a bar; nothing once the game is ready. @param {GamePreparation} preparation */
export function progress({ state, done, total }) {
  if (state === "ready") return nothing;
  if (state === "failed") return html`<p class="preparing failed">${say("failed")}</p>`;
  const words = state === "waiting" ? say("waiting") : total ? say("preparing", { done, total }) : say("begun");
  return html`<p class="preparing">${words}<progress aria-hidden="true" max=${total || 1} .value=${done}></progress></p>`;
}
