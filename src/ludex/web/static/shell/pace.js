/** Watching two machines: pause, one move at a time, and the speed. Loaded where the person may set them. */

import { html, svg } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";
import { stylesheet } from "./renderer.js";

await stylesheet("/static/style/people.css");

const say = texts("match", "pace");

const PAUSE = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d="M8 5v14M16 5v14" />`}</svg>`;

/** Milliseconds between two moves; the fastest is the server's own. */
const SPEEDS = /** @type {const} */ ([
  ["slow", 2500],
  ["medium", 1000],
  ["fast", 0],
]);

/** The last change of the pace: one that is asked for while it is on its way comes after it, and is not lost. */
let last = Promise.resolve();

/** Change the pace as it is then. @param {OpenMatch} page @param {{ paused?: boolean, ms?: number }} change */
function set(page, change) {
  last = last.then(() =>
    page.moves.change(() => {
      const { paused = false, ms = 0 } = { ...page.match.pace, ...change };
      return request("PUT", `/api/matches/${page.id}/pace`, { paused, ms });
    }),
  );
}

/** @param {OpenMatch} page @param {MatchView} match */
export function paceBar(page, match) {
  const pace = match.pace;
  if (!pace) return "";
  const speeds = SPEEDS.filter(([, ms]) => ms === 0 || ms > pace.least_ms);
  return html`<section class="panel pace" aria-label=${say("label")}>
    <div class="pace-buttons">
      <button class="primary" @click=${() => set(page, { paused: !pace.paused })}>${pace.paused ? icon("play") : PAUSE}
        ${say(pace.paused ? "go_on" : "pause")}</button>
      <button aria-disabled=${!pace.paused || match.searching ? "true" : "false"}
        title=${pace.paused ? say("step_title") : say("step_paused")} @click=${() => step(page, match)}>${icon("next")}
          ${say("step")}</button>
    </div>
    <fieldset class="segments">
      <legend class="unseen">${say("speed")}</legend>
      ${speeds.map(
        ([name, ms]) => html`<label><input type="radio" name="pace"
          .checked=${pace.ms === Math.max(ms, pace.least_ms)}
          @change=${() => set(page, { ms: Math.max(ms, pace.least_ms) })} /><span>${say(name)}</span></label>`,
      )}
    </fieldset>
  </section>`;
}

/** @param {OpenMatch} page @param {MatchView} match */
function step(page, match) {
  if (!match.pace?.paused) page.shell.say(say("step_paused"));
  else if (!match.searching) void page.moves.change(() => request("POST", `/api/matches/${page.id}/step`));
}
