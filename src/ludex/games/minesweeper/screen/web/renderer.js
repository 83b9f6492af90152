/** Minesweeper's board: numbers, flags, probabilities and proofs, drawn from the server's scene. */

import { GUTTER, SIDE, cellTemplate, percent } from "./cells.js";
import { ZOOMS, key, leastZoom, listeners, zoom } from "./input.js";
import { say } from "./texts.js";
import { termed } from "/static/shell/terms.js";
import { numeral } from "/static/shell/texts.js";
import { html, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

/** @typedef {import("./cells.js").Marks} Marks */

/** The overlay that holds exact mine probabilities; any other one is a second opinion, such as a network's. */
const EXACT = "mine";

const CANDIDATES_SHOWN = 9;

/** @type {Renderer} */
export default {
  facts: true,
  board(ctx) {
    const { stage, scene, ui } = ctx;
    if (scene.start !== null) beginAt(ctx);
    ui.cursor ??= Math.floor(stage.rows / 2) * stage.cols + Math.floor(stage.cols / 2);
    const marks = marksOf(ctx);
    const on = listeners(ctx);
    const width = GUTTER + stage.cols * SIDE + 1;
    const height = GUTTER + stage.rows * SIDE + 1;
    // A position that is only looked at has no time, and a picture no coordinates.
    const drawsBar = ctx.editing || ctx.mayMove || ctx.asked !== undefined || ctx.match.id !== "";
    const edge = ctx.thumbnail ? GUTTER - 1 : 0;
    return html`<div class="mines ${sizeOf(stage.cols)} zoom-${ui.zoom ?? 1}">
      ${drawsBar ? bar(ctx) : nothing}
      <div class="mines-scroll" tabindex="-1" @touchstart=${on.touchstart} @touchmove=${on.touchmove}>
        <svg class="board mines-board" viewBox="${edge} ${edge} ${width - edge} ${height - edge}" role="grid"
          aria-label=${say("board", stage)}
          aria-rowcount=${stage.rows} aria-colcount=${stage.cols}
          @click=${on.click} @contextmenu=${on.contextmenu} @pointerdown=${on.pointerdown} @pointerup=${on.pointerend}
          @pointercancel=${on.pointerend} @pointerleave=${on.pointerend} @pointerover=${on.pointerover}
          @focusin=${on.focusin}>
          ${FACE}${ctx.thumbnail ? nothing : names(stage)}
          ${Array.from({ length: stage.rows }, (_, row) => svg`<g role="row">${rowOf(ctx, row, marks)}</g>`)}
        </svg>
      </div>
      <p class="mines-notice" aria-hidden="true">${ui.notice ?? ctx.explained?.explanation[0]?.text[ctx.language] ?? (drawsBar && !ctx.editing ? hint(ctx) : nothing)}</p>
    </div>`;
  },

  panels(ctx) {
    return html`${explanation(ctx)}${legend(ctx)}${ending(ctx)}`;
  },

  status(ctx) {
    const { match, scene, stage } = ctx;
    if (match.live || match.ply < match.plies) return null;
    if (scene.exploded !== null) return say("boom", { name: stage.names[scene.exploded] });
    const { begun, ended } = times(ctx);
    if (scene.safe_left !== 0 || begun === null || ended === null) return null;
    return say("cleared", { time: duration(ended - begun) });
  },

  key,

  help: () => [
    [say("keyArrows"), say("arrows")],
    ["Enter", say("enter")],
    ["f", say("f")],
    ["c", say("c")],
    ["w", say("w")],
    [say("keyPress"), say("press")],
  ],
};

/** The cursor begins at a given start cell, and a board that is wider than its screen shows it. @param {Context} ctx */
function beginAt({ scene, ui }) {
  if (ui.cursor !== undefined) return;
  ui.cursor = scene.start;
  requestAnimationFrame(() =>
    document
      .querySelector(`.mines [data-cell="${scene.start}"]`)
      ?.scrollIntoView({ block: "nearest", inline: "center" }),
  );
}

/** A light falls on hidden cells from above. */
const FACE = svg`<defs><linearGradient id="mines-face" x1="0" y1="0" x2="0" y2="1">
  <stop class="face-top" offset="0"/><stop class="face-bottom" offset="1"/></linearGradient></defs>`;

/**
 * The class of a board's width: cells stay large enough for a finger, and small boards do not fill a whole screen.
 *
 * @param {number} cols
 */
const sizeOf = (cols) => (cols <= 10 ? "narrow" : cols <= 18 ? "middling" : cols <= 32 ? "wide" : "vast");

/** @param {Context} ctx @param {number} row @param {Marks} marks */
function rowOf(ctx, row, marks) {
  const { cols } = ctx.stage;
  return Array.from({ length: cols }, (_, col) => cellTemplate(ctx, row * cols + col, marks));
}

/** @param {any} stage */
function names({ rows, cols, names }) {
  const letters = Array.from({ length: cols }, (_, col) => names[col].replace(/\d+$/, ""));
  return svg`<g class="coordinates" aria-hidden="true">
    ${letters.map((letter, col) => svg`<text x=${GUTTER + (col + 0.5) * SIDE} y="8.4">${letter}</text>`)}
    ${Array.from({ length: rows }, (_, row) => svg`<text x="6" y=${GUTTER + (row + 0.5) * SIDE + 2.4}>${row + 1}</text>`)}
  </g>`;
}

/** @param {Context} ctx @returns {Marks} */
function marksOf(ctx) {
  const { stage, scene, overlay, analysis, match, selected } = ctx;
  const numbered = (/** @type {string} */ name) => stage.names.indexOf(name);
  const chances = overlay === "heat" ? analysis?.overlay : undefined;
  const second = chances && Object.keys(chances).find((name) => name !== EXACT);
  const candidates = overlay === "candidates" ? (analysis?.candidates ?? []).slice(0, CANDIDATES_SHOWN) : [];
  const ranks = new Map(candidates.map((one, place) => [one.action, String(place + 1)]));
  const pointed = selected === null ? undefined : analysis?.candidates[selected];
  // Numbers are the board's own: a hint is a star.
  if (pointed) ranks.set(pointed.action, "★");
  const drawn = new Map((ctx.drawn ?? []).map(({ text, kind }) => [numbered(text.replace(stage.flag_mark, "")), kind]));
  for (const [cell, kind] of drawn) ranks.set(cell, kind === "played" ? "?" : "★");
  const silent = overlay === "none" && selected === null && !drawn.size && stepOf(ctx) === 0;
  const why = silent ? undefined : reasonsOf(ctx)[stepOf(ctx)];
  const cells = why?.cells ?? [];
  return {
    mines: new Set(scene.mines ?? []),
    chords: new Set(overlay === "legal" || ctx.mayMove ? scene.chord : []),
    exact: chances?.[EXACT] ?? null,
    other: second ? chances[second] : null,
    ranks,
    drawn,
    proof: new Set(cells.filter((cell) => scene.numbers[cell] >= 0)),
    proven: new Set(cells.filter((cell) => scene.numbers[cell] < 0)),
    opened: openedOf(ctx),
    provenMines: MINED.test(why?.id ?? ""),
    risky: RISKY.test(why?.id ?? ""),
    over: !match.live,
    pending: ctx.pending === null ? -1 : numbered(ctx.pending.replace("chord:", "").replace(stage.flag_mark, "")),
  };
}

/**
 * A flood opens outward from the cell of its move. What stood open when the board was first seen, or is only looked back at,
 * stays still.
 * @param {Context} ctx @returns {Map<number, number>}
 */
function openedOf({ stage, scene, ui, last, match }) {
  // The same position may come twice, while the flood still opens.
  if (ui.shown?.ply === match.ply) return ui.opened;
  const before = ui.shown?.numbers;
  const own = stage.names.indexOf(last?.text.replace("chord:", "") ?? "");
  const far = (/** @type {number} */ cell) =>
    Math.max(
      Math.abs((cell % stage.cols) - (own % stage.cols)),
      Math.abs(Math.floor(cell / stage.cols) - Math.floor(own / stage.cols)),
    );
  ui.shown = { ply: match.ply, numbers: scene.numbers };
  ui.opened = new Map();
  if (!before || own < 0) return ui.opened;
  for (const [cell, number] of scene.numbers.entries())
    if (number >= 0 && before[cell] < 0) ui.opened.set(cell, far(cell));
  return ui.opened;
}

/**
 * The proof of a machine's move: the sentence that names every number, then the steps where there are several.
 *
 * @param {Analysis | null} analysis
 */
const proofOf = (analysis) => (analysis?.stats.how === "rule" ? analysis.explanation : []);

/** What proves mines, and what speaks of cells that are not certain. */
const MINED = /^minesweeper\.(step_mines|proof_mine_|mine_always)/;
const RISKY = /^minesweeper\.(risk_|step_share)/;

/** Why the cell that was asked about is as it is, else the proof of a machine's move. @param {Context} ctx */
const reasonsOf = ({ analysis, explained }) => explained?.explanation ?? proofOf(analysis);

/** The step of the reasons that the board shows; 0 is the whole. @param {Context} ctx */
const stepOf = ({ ui, analysis, explained }) => (ui.step?.of === (explained ?? analysis) ? Number(ui.step.index) : 0);

/** @param {Context} ctx */
function bar(ctx) {
  const { scene, ui } = ctx;
  const { begun, ended } = times(ctx);
  const toggle = (/** @type {"flagging" | "asking"} */ mode) => () => {
    [ui.flagging, ui.asking] = [mode === "flagging" && !ui.flagging, mode === "asking" && !ui.asking];
    ctx.redraw();
  };
  // A puzzle that is solved keeps its place, so that the board does.
  const flags = !ctx.editing && (ctx.match.can.move || ctx.mayMove || ctx.asked === false);
  return html`<div class="mines-bar">
    ${
      ctx.editing
        ? nothing
        : html`<dl class="mines-figures">
      <div><dt>${say("mines")}</dt><dd data-testid="mines-left">${scene.mines_left}</dd></div>
      <div><dt>${say("time")}</dt><dd><ludex-clock begun=${begun ?? ""} ended=${ended ?? ""}></ludex-clock></dd></div>
      <div><dt>${say("safe")}</dt><dd data-testid="safe-left">${scene.safe_left}</dd></div>
    </dl>`
    }
    <div class="mines-modes">
    ${
      flags
        ? html`<button type="button" class="mines-mode" ?disabled=${ctx.asked === false} aria-pressed=${ui.flagging ? "true" : "false"}
          title=${say("flagsHint")} @click=${toggle("flagging")}>
          <svg viewBox="0 0 20 20" aria-hidden="true"><path class="flag-pole" d="M8 3.6v12.8M5.6 16.4h6.2"/><path
            class="flag" d="M8 3.4l7 3.4-7 3.4z"/></svg>${say("flags")}</button>`
        : nothing
    }
    ${
      ctx.explain
        ? html`<button type="button" class="mines-mode" aria-pressed=${ui.asking ? "true" : "false"}
          title=${say("askHint")} data-testid="ask-why" @click=${toggle("asking")}>${say("ask")}</button>`
        : nothing
    }
    <span class="mines-zoom">
      <button type="button" class="mines-mode" aria-label=${say("smaller")} ?disabled=${(ui.zoom ?? 1) === leastZoom(ctx)}
        @click=${() => zoom(ctx, (ui.zoom ?? 1) - 1)}>−</button>
      <button type="button" class="mines-mode" aria-label=${say("larger")} ?disabled=${(ui.zoom ?? 1) === ZOOMS.length - 1}
        @click=${() => zoom(ctx, (ui.zoom ?? 1) + 1)}>+</button>
    </span>
    </div>
  </div>`;
}

const START = /** @type {const} */ ({ zero: "zero", safe: "safeStart", none: "none", given: "given" });

/** Instructions before the first move. @param {Context} ctx */
function hint({ match, stage, scene }) {
  if (match.plies > 0 || scene.numbers.some((/** @type {number} */ number) => number >= 0)) return nothing;
  return say(START[/** @type {keyof typeof START} */ (stage.start)]);
}

/** Why the move that a machine would make is safe, or what is known of the cell that was asked about. @param {Context} ctx */
function explanation(ctx) {
  const { analysis, explained, language, ui } = ctx;
  const [whole, ...steps] = reasonsOf(ctx);
  const of = explained ?? analysis;
  if (!of || !whole) return nothing;
  const stepNow = stepOf(ctx);
  const show = (/** @type {number} */ index) => () => {
    ui.step = { of, index: index === stepNow ? 0 : index };
    ctx.redraw();
  };
  return html`<section class="panel mines-why" data-testid="why">
    <h2>${say(explained ? "about" : "why", { name: of.text })}</h2>
    <p>${whole.text[language]}.</p>
    ${
      steps.length
        ? html`<ol class="mines-steps">${steps.map(
            (step, index) => html`<li>
              <button type="button" class="quiet small" aria-pressed=${stepNow === index + 1 ? "true" : "false"}
              @click=${show(index + 1)}>${step.text[language]}</button></li>`,
          )}</ol>`
        : nothing
    }
    ${
      whole.cells.some((cell) => ctx.scene.numbers[cell] >= 0)
        ? html`<p class="muted"><span class="ring" aria-hidden="true"></span>${say(
            RISKY.test(whole.id) ? "odds" : steps.length ? "steps" : "proof",
          )}</p>`
        : nothing
    }
  </section>`;
}

/** @param {Context} ctx */
function legend({ overlay, analysis }) {
  if (overlay !== "heat" || !analysis?.overlay[EXACT]) return nothing;
  const second = Object.keys(analysis.overlay).find((name) => name !== EXACT);
  return html`<section class="panel mines-legend">
    <h2>${say("heat")}</h2>
    <svg class="scale" viewBox="0 0 220 26" role="img" aria-label=${say("heat")}>
      ${Array.from(
        { length: 11 },
        (_, step) => svg`<g class="cell heat h${step}" transform="translate(${step * 20} 0)">
          <rect class="face" x=".5" y=".5" width="19" height="14" rx="3"/></g>`,
      )}
      <text x="1" y="24">${say("certain")}</text><text x="110" y="24" text-anchor="middle">${numeral(0.5, { style: "percent" })}</text>
      <text x="219" y="24" text-anchor="end">${say("lost")}</text>
    </svg>
    ${second ? html`<p class="muted"><b>12</b> ${say("exact")} · <i>12</i> ${second}</p>` : nothing}
  </section>`;
}

/** Facts that are shown once the game is over. @param {Context} ctx */
function ending(ctx) {
  const { match, scene } = ctx;
  if (match.live || (scene.bbbv === null && match.seed === null)) return nothing;
  const luck = ctx.facts?.luck;
  return html`<section class="panel mines-end" data-testid="ending">
    <h2>${say("end")}</h2>
    <dl>
      ${scene.bbbv === null ? nothing : html`<dt>${termed(ctx, `[${say("bbbv")}|bbbv]`)}</dt><dd>${scene.bbbv}</dd>`}
      ${luck ? luckOf(ctx, luck) : nothing}
      ${match.seed === null ? nothing : html`<dt>${say("seed")}</dt><dd><code>${match.seed}</code></dd>`}
    </dl>
  </section>`;
}

/** How much luck the game took; nothing but that where it took none. @param {Context} ctx @param {any} luck */
function luckOf(ctx, { spent, guesses, needless }) {
  if (!guesses) return html`<dt>${say("guesses")}</dt><dd>${say("unneeded")}</dd>`;
  return html`<dt>${termed(ctx, `[${say("luck")}|luck]`)}</dt><dd>${percent(spent)}</dd>
    <dt>${say("guesses")}</dt>
    <dd>${guesses}${needless ? html` <span class="muted">(${say("needless", { count: needless })})</span>` : nothing}</dd>`;
}

/**
 * When a match began and ended by the server's clock, in milliseconds.
 * @param {Context} ctx @returns {{ begun: number | null, ended: number | null }}
 */
function times({ match }) {
  if (match.begun_utc === null) return { begun: null, ended: null };
  return { begun: Date.parse(match.begun_utc), ended: match.live ? null : Date.parse(match.updated_utc) };
}

/** @param {number} ms @returns {string} minutes and seconds, while they run */
function running(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {number} ms @returns {string} with tenths of a second, such as 12.3 s or 1:05.2 */
function duration(ms) {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const [minutes, seconds] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  const text = numeral(seconds, { minimumFractionDigits: 1, minimumIntegerDigits: minutes ? 2 : 1 });
  return minutes ? `${minutes}:${text}` : `${text}\u00a0s`;
}

class Clock extends HTMLElement {
  static observedAttributes = ["begun", "ended"];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticks;

  connectedCallback() {
    this.#ticks = setInterval(() => this.#show(), 250);
    this.#show();
  }

  disconnectedCallback() {
    clearInterval(this.#ticks);
  }

  attributeChangedCallback() {
    this.#show();
  }

  #show() {
    const begun = this.getAttribute("begun");
    const ended = this.getAttribute("ended");
    const text = !begun
      ? "0:00"
      : ended
        ? duration(Number(ended) - Number(begun))
        : running(Date.now() - Number(begun));
    if (this.textContent !== text) this.textContent = text;
  }
}

customElements.define("ludex-clock", Clock);
