// @ts-check
/** The panel of analyses: the adviser, the overlays, and the decision, whose module is loaded with the first one. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { overlaySwitch } from "./overlays.js";
import { preferences } from "./preferences.js";
import { texts } from "./texts.js";

/** @typedef {import("./openmatch.js").OpenMatch} OpenMatch */

const say = texts("match", "page");

/** @param {OpenMatch} page */
export function analysisPanel(page) {
  const match = page.shown;
  const now = page.analysis;
  const analysis = now ?? page.past.analyses.get(match.ply - 1) ?? null;
  const working = page.analyser.ply !== null || (page.at === null && match.searching && match.waiting === null);
  const over = page.analyser.over;
  const advisers = over ? [] : page.analyser.advisers();
  return html`<section class="panel analysis" aria-labelledby="analysis-title" aria-busy=${working}>
    <div class="heading">
      <h2 id="analysis-title">${say("analysis")}</h2>
      ${
        working
          ? html`<span class="working muted"><span class="spinner"
            aria-hidden="true"></span><span class="unseen">${say("analysing")}</span></span>`
          : nothing
      }
      ${
        page.at === null && match.searching && match.can.delete
          ? html`<button class="quiet small"
            title=${say("move_now")} aria-label=${say("move_now")} @click=${() => page.hurry()}>${icon("stop")}</button>`
          : nothing
      }
      ${
        advisers.length > 1 && page.match.can.analyse
          ? html`<label class="field adviser"><span>${say("analyse_with")}</span><select .value=${page.analyser.adviser}
            @change=${(/** @type {Event} */ event) =>
              page.analyser.advise(/** @type {HTMLSelectElement} */ (event.target).value)}>${advisers.map(
              (agent) =>
                html`<option value=${agent.name}
                  ?selected=${agent.name === page.analyser.adviser}>${agent.title[preferences.language]}</option>`,
            )}</select></label>`
          : nothing
      }
    </div>
    ${over ? nothing : overlaySwitch(page)}
    ${over ? html`<p class="muted idle">${say("analysis_over")}</p>` : nothing}
    ${
      analysis
        ? page.decision(analysis, analysis === now)
        : over
          ? nothing
          : html`<p class="muted idle">${
              page.match.can.analyse === false
                ? page.why("analyse")
                : say(match.rated && match.seats.length > 1 ? "analysis_rated" : "analysis_none")
            }</p>`
    }
  </section>`;
}
