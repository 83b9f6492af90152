/** What a puzzle and a round of puzzles share: the moves that were made, what became of the last one, and its words. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { BoardPage } from "./boardpage.js";
import { preferences } from "./preferences.js";
import { say } from "./puzzleapi.js";

/** @typedef {Schemas["PuzzleVerdict"] | Schemas["RoundVerdict"]} Verdict */

export class PuzzleBoardPage extends BoardPage {
  /** @type {Schemas["ShownPosition"] | null} */
  position = null;
  /** @type {Verdict | null} on the last move */
  verdict = null;
  /** @type {string[]} moves that only mark the board */
  notes = [];
  /** @type {string[]} the right moves of earlier turns */
  earlierMoves = [];

  /** Show a position on which nothing was done yet. @param {Schemas["ShownPosition"] | null} position */
  lay(position) {
    [this.position, this.notes, this.earlierMoves, this.ui] = [position, [], [], {}];
  }

  /** Show what became of a move: a note marks the board, and after a part the next turn begins. @param {string} text @param {Verdict} verdict */
  take(text, verdict) {
    if (verdict.kind === "note") {
      this.notes = [...this.notes, text];
      this.position = verdict.position;
      return;
    }
    this.verdict = verdict;
    if (verdict.kind === "part") [this.earlierMoves, this.notes] = [[...this.earlierMoves, text], []];
    if (verdict.position) [this.position, this.ui] = [verdict.position, {}];
  }

  /** @param {string} game @param {Schemas["ShownPosition"]} position @param {Partial<Context>} [more] what else is so */
  puzzleContext(game, position, more) {
    return this.boardContext(game, position, {
      asked: true,
      mayMove: !this.busy,
      // Whether a move is legal is the server's to say once it is made: a trial would be an attempt.
      judge: async () => ({ legal: true, message: null }),
      ...more,
    });
  }

  /** The turn of several, or how many moves solve the puzzle. @param {{ turns: number, solutions: number | null }} puzzle */
  extent({ turns, solutions }) {
    if (solutions === null) return nothing;
    const number = Math.min(turns, this.earlierMoves.length + 1);
    return html`<p class="muted">${
      turns > 1 ? say("moves_of", { number, count: turns }) : say("solutions_count", { count: solutions })
    }</p>`;
  }

  /**
   * What became of the last move.
   * @param {string} right what is said of one that solves the puzzle @param {string} wrong of another
   * @param {unknown} [change] of the rating
   */
  answer(right, wrong, change = nothing) {
    const { verdict } = this;
    if (!verdict) return nothing;
    if (verdict.solved) return html`<p class="right"><strong>${right}</strong>${change}</p>`;
    if (verdict.kind === "part") return html`<p class="right">${say("part", { reply: verdict.reply ?? "" })}</p>`;
    const text = verdict.text?.[preferences.language] ?? "";
    return html`<p class="wrong"><strong>${verdict.legal ? wrong : say("not_allowed")}</strong> ${text}${change}</p>`;
  }
}
