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

/** What people call a job: its game and what is done there. @param {JobLine} job */
export const labelOf = ({ game_title, label }) =>
  [...new Set([game_title[preferences.language], label[preferences.language]])].filter(Boolean).join(" · ");

/** Its kind, state and age, in words. @param {JobLine} job */
export function standing(job) {
  if (!job.kind) return say("damaged");
  return [kindOf(job.kind), say(job.state), ago(job.created_utc)].join(" · ");
}

/** By job, how much was done when this page saw it first. @type {Map<string, { done: number, at: number }>} */
const firstProgress = new Map();
/** So long and for such a part of it a job is watched before its speed is known: the first steps are the slowest. */
const WATCHED_MS = 8000;
const WATCHED_PART = 0.1;

/** How long a job will take at the speed that was seen; empty until then. @param {JobLine} job @param {number} total */
function remaining({ id, state, done }, total) {
  const first = firstProgress.get(id);
  const spent = first ? performance.now() - first.at : 0;
  if (!first || state !== "running" || done < first.done) firstProgress.set(id, { done, at: performance.now() });
  if (!first || state !== "running" || done >= total || spent < WATCHED_MS) return "";
  if (done - first.done < WATCHED_PART * total) return "";
  return inMinutes((((total - done) / (done - first.done)) * spent) / 60_000);
}

/** @param {number} minutes */
const inMinutes = (minutes) => (minutes < 1 ? say("soon") : say("left", { count: Math.round(minutes) }));

/**
 * How much of a job is done, and how long the rest will take.
 * @param {JobLine} job @param {{ done: number, total: number } | null} [minutes] of one that ends by the clock
 * @param {{ done: number, total: number } | null} [steps] measured after the training, while that goes on
 */
export function progressBar(job, minutes = null, steps = null) {
  if (!isGoing(job) && job.state !== "paused") return nothing;
  if (steps)
    return html`<div class="job-progress"><progress max=${steps.total} .value=${steps.done}
      aria-label=${labelOf(job)}></progress><span class="muted">${say("measuring_steps", steps)}</span></div>`;
  const { done, total } = minutes ?? job;
  const known = total !== null && total > 0;
  const text = [
    // Minutes are said by what is left of them.
    minutes || !(known || done)
      ? ""
      : known
        ? say("done_of", { done: figure(Math.min(done, total)), total: figure(total) })
        : figure(done),
    !known
      ? ""
      : done < total
        ? minutes
          ? inMinutes(total - done)
          : remaining(job, total)
        : job.kind === "train"
          ? say("measuring")
          : "",
  ];
  // A bar without a value moves to and fro: the amount is unknown.
  return html`<div class="job-progress">${
    known
      ? html`<progress max=${total} .value=${done}
        aria-label=${labelOf(job)}></progress>`
      : html`<progress aria-label=${labelOf(job)}></progress>`
  }<span class="muted">${text.filter(Boolean).join(" · ")}</span></div>`;
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

/** What to install before something can start. @param {string[]} packages */
export const lacking = (packages) =>
  packages.length ? html`<p class="job-reason">${say("missing", { packages: packages.join(", ") })}</p>` : nothing;

export const visitorNote = () =>
  html`<section class="panel lab-visitor"><p>${say("visitor")}</p><p class="muted">${say("become")}</p><p>
    <a class="button" href="/administrator" data-page>${say("log_in")}</a></p></section>`;
