/** A new tournament: the form of its operation, with how many games there will be. */

import { html } from "../vendor/lit-html/lit-html.js";
import { figure } from "./figures.js";
import JobFormPage from "./jobform.js";
import { texts } from "./texts.js";

const say = texts("lab", "forms");

/**
 * The games of a tournament in all.
 * @param {string} format @param {number} agents @param {number} games per meeting @param {number | null} rounds
 */
export function planned(format, agents, games, rounds) {
  if (format === "league") return agents * games;
  if (format === "gauntlet") return (agents - 1) * games;
  if (format === "swiss") return (rounds ?? Math.ceil(Math.log2(Math.max(2, agents)))) * Math.floor(agents / 2) * games;
  return ((agents * (agents - 1)) / 2) * games;
}

export default class TournamentFormPage extends JobFormPage {
  /** @param {Shell} shell */
  constructor(shell) {
    super(shell, "tournament");
  }

  title() {
    return say("new_tournament");
  }

  about() {
    return say("compete_about");
  }

  summary() {
    const { agents, format, games, rounds } = Object.fromEntries(
      this.operation.fields.map((field) => [field.name, this.value(field)]),
    );
    const pairing = format ?? (this.card.players === 1 ? "league" : "round-robin");
    const count = planned(pairing, agents.length, games, rounds);
    return html`<p class="muted">${say("planned", { games: figure(count) })}</p>`;
  }

  action() {
    return say("start_tournament");
  }
}
