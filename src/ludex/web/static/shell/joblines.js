/** A job in a list or on its page: its state, its progress, and what the administrator may do with it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { figure } from "./figures.js";
import { jobs } from "./labapi.js";
import { ago } from "./names.js";
import { preferences } from "./preferences.js";
import { lookUp, texts } from "./texts.js";

const say = texts("lab", "page");

const word = lookUp("lab", "page");
const GOING = new Set(["queued", "running", "interrupted"]);

/** Whether a job goes on or waits for its turn. @param {JobLine} job */
export const isGoing = (job) => GOING.has(job.state);

/** What people call a kind of job. @param {string} kind */
export const kindOf = (kind) => word(`kind_${kind}`) ?? kind;

/** Where a job is watched. @param {JobLine} job */
export const placeOf = (job) => `/lab/jobs/${encodeURIComponent(job.id)}`;

/** What people call a job. @param {JobLine} job */
export const labelOf = (job) => job.label[preferences.language];

/** Its game, kind, state and age, in words. @param {JobLine} job */
export function standing(job) {
  if (!job.kind) return say("damaged");
  return [job.game_title[preferences.language], kindOf(job.kind), say(job.state), ago(job.created_utc)].join(" · ");
}

/** How much of a job is done. @param {JobLine} job */
export function progressBar(job) {
  if (!isGoing(job) && job.state !== "paused") return nothing;
  const known = job.total !== null && job.total > 0;
  const text = known
    ? say("done_of", { done: figure(Math.min(job.done, job.total ?? 0)), total: figure(job.total ?? 0) })
    : figure(job.done);
  // A bar without a value moves to and fro: the amount is unknown.
  return html`<div class="job-progress">${
    known
      ? html`<progress max=${job.total} .value=${job.done}
        aria-label=${labelOf(job)}></progress>`
      : html`<progress aria-label=${labelOf(job)}></progress>`
  }<span class="muted">${text}</span></div>`;
}

/**
 * The buttons of the administrator.
 *
 * @param {JobLine} job
 * @param {Shell} shell
 * @param {(job: JobLine | null) => void} changed called with the job as it is then; null: deleted
 */
export function actions(job, shell, changed) {
  /** @param {() => Promise<JobLine | void>} act */
  const run = (act) => shell.attempt(async () => changed((await act()) ?? null));
  /** @param {"pause" | "resume" | "cancel" | "remove"} name @param {"cancel_sure" | "remove_sure" | null} question */
  const button = (name, question) =>
    html`<button class="small ${question ? "quiet" : ""}"
      @click=${() =>
        (!question || confirm(say(question, { title: labelOf(job) }))) &&
        run(() => jobs[name](job.id))}>${say(name)}<span class="unseen"> ${labelOf(job)}</span></button>`;
  return html`<div class="job-actions">
    ${job.kind && isGoing(job) ? button("pause", null) : nothing}
    ${["paused", "failed"].includes(job.state) && job.kind ? button("resume", null) : nothing}
    ${job.kind && (isGoing(job) || job.state === "paused") ? button("cancel", "cancel_sure") : nothing}
    ${["finished", "failed", "cancelled"].includes(job.state) ? button("remove", "remove_sure") : nothing}
  </div>`;
}

export const visitorNote = () =>
  html`<section class="panel lab-visitor"><p>${say("visitor")}</p><p class="muted">${say("become")}</p><p>
    <a class="button" href="/administrator" data-page>${say("log_in")}</a></p></section>`;
