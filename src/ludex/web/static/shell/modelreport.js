/** What an evaluation of a language model found: the table, its mistakes with the better moves, and its games. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { figure, percent, rating } from "./figures.js";
import { jobs } from "./labapi.js";
import { machineName } from "./names.js";
import { texts } from "./texts.js";

const say = texts("lab", "model");

const ENOUGH = 200;

/** @typedef {{ mean: number, ci95: [number, number], count: number }} Share */
/**
 * @typedef {object} Variant what `ludex eval-llm --json` prints for one kind of names
 * @property {"own" | "relabelled"} names
 * @property {Share | null} legal
 * @property {Share | null} legal_at_once
 * @property {Record<string, number>} refusals
 * @property {Share | null} regret
 * @property {number | null} accuracy
 * @property {{ opponent: string | null, games: number, score: number, forfeits: number }[]} scores
 * @property {number | null} elo
 * @property {[number, number] | null} tokens_per_move
 * @property {number | null} seconds_per_move
 */

export class ModelReport {
  /** @param {import("./page.js").BasePage["shell"]} shell @param {string} id @param {Record<string, any>} result */
  constructor(shell, id, result) {
    this.shell = shell;
    this.id = id;
    /** @type {Variant[]} */
    this.variants = result.variants;
    /** @type {"own" | "relabelled"} */
    this.names = "own";
    /** @type {Schemas["ModelAnswers"] | null} */
    this.answers = null;
  }

  async load() {
    this.answers = await jobs.answers(this.id, this.names);
  }

  /** Show the answers in another kind of names. @param {"own" | "relabelled"} names */
  async choose(names) {
    this.names = names;
    await this.shell.attempt(() => this.load());
    this.shell.redraw();
  }

  draw() {
    const { answers, variants } = this;
    return html`<section class="panel" aria-labelledby="figures-title">
        <h2 id="figures-title">${say("figures")}</h2>
        ${table(variants)}
        ${variants.some((variant) => (variant.regret?.count ?? 0) < ENOUGH) ? html`<p class="muted">${say("few")}</p>` : nothing}
        ${
          variants.length > 1
            ? html`<p class="job-links">${variants.map(
                ({ names }) => html`<button class="quiet" aria-pressed=${names === this.names}
                  @click=${() => this.choose(names)}>${say(names)}</button>`,
              )}</p>`
            : nothing
        }
      </section>
      ${answers ? html`${mistakes(answers)} ${games(answers)}` : nothing}`;
  }
}

/** @param {Variant[]} variants */
function table(variants) {
  const columns = variants.map((variant) => new Map(figures(variant)));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return html`<div class="scrolled" tabindex="0" role="group" aria-label=${say("figures")}><table class="model-figures">
    <thead><tr><td></td>${variants.map(({ names: kind }) => html`<th scope="col">${say(kind)}</th>`)}</tr></thead>
    <tbody>${names.map(
      (name) =>
        html`<tr><th scope="row">${name}</th>${columns.map((column) => html`<td>${column.get(name) ?? "–"}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;
}

/** @param {Variant} variant @returns {[string, string][]} */
function figures(variant) {
  const counts = Object.entries(variant.refusals).map(([kind, count]) => `${refusal(kind)} ${figure(count)}`);
  return [
    [say("legal"), share(variant.legal, percent)],
    [say("legal_at_once"), share(variant.legal_at_once, percent)],
    [say("refusals"), counts.join(", ") || say("none")],
    [say("regret"), share(variant.regret, percent)],
    [say("accuracy"), variant.accuracy === null ? "–" : figure(variant.accuracy, 1)],
    ...variant.scores.map(
      (row) =>
        /** @type {[string, string]} */ ([
          row.opponent ? say("against", { name: machineName(row.opponent) }) : say("alone"),
          say("score", { score: percent(row.score), games: figure(row.games), forfeits: figure(row.forfeits) }),
        ]),
    ),
    [say("elo"), variant.elo === null ? "–" : rating(variant.elo)],
    [say("cost"), variant.tokens_per_move ? variant.tokens_per_move.map((count) => figure(count)).join(" · ") : "–"],
    [say("seconds"), variant.seconds_per_move === null ? "–" : figure(variant.seconds_per_move, 2)],
  ];
}

/** @param {Share | null} value @param {(share: number) => string} write */
function share(value, write) {
  if (!value) return "–";
  const [low, high] = value.ci95;
  return say("interval", { mean: write(value.mean), low: write(low), high: write(high), count: figure(value.count) });
}

/** @param {string} kind of a refusal, or the code of a fault */
const refusal = (kind) => say(/** @type {const} */ (`refused_${/** @type {"prose"} */ (kind)}`));

/** @param {Schemas["ModelAnswers"]} answers */
function mistakes(answers) {
  const listed = answers.mistakes;
  return html`<section class="panel" aria-labelledby="mistakes-title">
    <h2 id="mistakes-title">${say("mistakes")}</h2>
    ${
      listed.length
        ? html`<p class="muted">${say("mistakes_count", { shown: figure(listed.length), all: figure(answers.mistakes_in_all) })}</p>
          ${listed.map(mistake)}`
        : html`<p class="muted">${say("no_mistakes")}</p>`
    }
  </section>`;
}

/** @param {Schemas["ModelMistake"]} answer */
function mistake(answer) {
  const last = answer.said.at(-1);
  const said = answer.move ?? (last === undefined ? "" : last || say("nothing_said"));
  return html`<details class="model-mistake">
    <summary>${say("question", { number: answer.question })} · ${say("said")} <strong>${said}</strong>
      ${answer.better ? html` · ${say("better")} <strong>${answer.better}</strong>` : nothing}
      ${answer.loss === null ? nothing : html` · <span class="muted">${say("lost", { loss: percent(answer.loss) })}</span>`}</summary>
    ${answer.prompt ? html`<pre tabindex="0">${answer.prompt}</pre>` : nothing}
    ${answer.refused ? html`<p class="muted">${refusal(answer.refused)}</p>` : nothing}
  </details>`;
}

/** @param {Schemas["ModelAnswers"]} answers */
function games(answers) {
  return html`<section class="panel" aria-labelledby="model-games-title">
    <h2 id="model-games-title">${say("games")}</h2>
    ${
      answers.games.length
        ? html`<ol class="model-games">${answers.games.map(
            (game) => html`<li><strong>${game.agents.map(machineName).join(" – ")}</strong>
              ${game.scores.map((score) => figure(score)).join(" : ")}
              <span class="muted">${say("plies", { count: figure(game.plies) })}${
                game.fault ? ` · ${refusal(game.fault)}` : nothing
              }</span>
              <a href="/match/${game.match}" data-page>${say("watch")}</a>
              ${game.plies ? html`<a href="/review/${game.match}" data-page>${say("review")}</a>` : nothing}</li>`,
          )}</ol>`
        : html`<p class="muted">${say("no_games")}</p>`
    }
  </section>`;
}
