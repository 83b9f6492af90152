// @ts-check
/** A cache of a match's plies: positions and analyses, dropped where the moves have changed. */

/** @typedef {import("../types/renderer.js").MatchView} MatchView */
/** @typedef {import("../types/renderer.js").Analysis} Analysis */

export class Past {
  constructor() {
    /** @type {Map<number, MatchView>} */
    this.views = new Map();
    /** @type {Map<number, Analysis>} */
    this.analyses = new Map();
    /** @type {MatchView["moves"]} */
    this.moves = [];
  }

  /** The match has changed: keep what lies before the first move that differs. @param {MatchView} match */
  follow(match) {
    const same = shared(this.moves, match.moves);
    for (const known of [this.views, this.analyses]) for (const ply of known.keys()) if (ply > same) known.delete(ply);
    this.moves = match.moves;
    if (match.analysis) this.learn(match.analysis);
  }

  /** An analysis replaces an earlier one, and only a final one replaces a final one. @param {Analysis} analysis */
  learn(analysis) {
    const known = this.analyses.get(analysis.ply);
    if (!known?.final || analysis.final) this.analyses.set(analysis.ply, analysis);
  }
}

/** @param {MatchView["moves"]} before @param {MatchView["moves"]} after @returns {number} */
function shared(before, after) {
  let ply = 0;
  while (ply < before.length && ply < after.length && before[ply]?.action === after[ply]?.action) ply += 1;
  return ply;
}
