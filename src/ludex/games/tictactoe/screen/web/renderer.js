// @ts-check
/** Tic-tac-toe on any (m,n,k) board. Cells are numbered row by row from the top left. */

import { html, nothing, svg } from "/static/vendor/lit-html/lit-html.js";
import { dictionary } from "/static/shell/texts.js";

/** @typedef {import("/static/types/renderer.js").Context} Context */
/** @typedef {"X" | "O"} Mark */
/** @typedef {{ rows: number, cols: number, k: number, names: string[] }} Stage */
/** @typedef {{ cells: (Mark | null)[], lines: number[][], legal: number[], canonical: { key: string, transform: string, cells: (Mark | null)[] } }} Scene */

const SIZE = 100;
const GAP = 7;
const EDGE = 14;

const t = dictionary({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });

/** @param {Stage} stage @param {number} cell */
function place(stage, cell) {
  const step = SIZE + GAP;
  return { x: EDGE + (cell % stage.cols) * step, y: EDGE + Math.floor(cell / stage.cols) * step };
}

/** @param {Stage} stage @param {number} cell */
function middle(stage, cell) {
  const { x, y } = place(stage, cell);
  return { x: x + SIZE / 2, y: y + SIZE / 2 };
}

/** @param {Stage} stage */
function extent(stage) {
  return {
    width: 2 * EDGE + stage.cols * (SIZE + GAP) - GAP,
    height: 2 * EDGE + stage.rows * (SIZE + GAP) - GAP,
  };
}

/** @param {Context} ctx */
function board(ctx) {
  /** @type {Stage} */
  const stage = ctx.stage;
  const { width, height } = extent(stage);
  const rows = Array.from({ length: stage.rows }, (_, row) => row);
  return html`<svg class="board tictactoe" viewBox="0 0 ${width} ${height}" role="grid" aria-label=${t("board", { rows: stage.rows, cols: stage.cols, k: stage.k })}>
    ${svg`<rect class="ground" width=${width} height=${height} rx="18" />
    ${rows.map((row) => svg`<g role="row">${Array.from({ length: stage.cols }, (_, col) => cellOf(ctx, row * stage.cols + col))}</g>`)}
    <g class="writing" aria-hidden="true">${ctx.scene.cells.map((/** @type {Mark | null} */ mark, /** @type {number} */ cell) => (mark ? nothing : writing(ctx, cell)))}</g>
    ${ctx.scene.lines.map((/** @type {number[]} */ line) => winning(ctx, line))}
    ${line(ctx)}`}
  </svg>`;
}

/** @param {Context} ctx @param {number} cell */
function cellOf(ctx, cell) {
  /** @type {Stage} */
  const stage = ctx.stage;
  /** @type {Scene} */
  const scene = ctx.scene;
  const { x, y } = place(stage, cell);
  const name = stage.names[cell] ?? "";
  const mark = scene.cells[cell] ?? null;
  const open = ctx.mayMove && scene.legal.includes(cell);
  const pending = ctx.pending === name;
  const classes = ["cell", open ? "open" : "", pending ? "pending" : "", ctx.last?.text === name ? "last" : "", ctx.marked?.includes(cell) ? "marked" : ""].join(" ");
  const next = ctx.match.moves.length % 2 === 0 ? "X" : "O";
  return svg`<g class=${classes} role="gridcell" data-cell=${cell} tabindex=${(ctx.ui.cursor ?? 0) === cell ? 0 : -1}
      aria-label=${`${mark ? t("marked", { name, mark }) : t("free", { name })}${spoken(ctx, cell)}`}
      @click=${() => choose(ctx, cell)} @focus=${() => (ctx.ui.cursor = cell)}>
    <rect class="square" x=${x} y=${y} width=${SIZE} height=${SIZE} rx="10" />
    ${heat(ctx, cell, x, y)}
    ${mark ? svg`<g class="mark">${drawn(mark, x + SIZE / 2, y + SIZE / 2, 27)}</g>` : open || pending ? svg`<g class="ghost">${drawn(next, x + SIZE / 2, y + SIZE / 2, 27)}</g>` : nothing}
  </g>`;
}

/** What is written on a free cell; its label says the same to screen readers. @param {Context} ctx @param {number} cell */
function writing(ctx, cell) {
  const { x, y } = place(ctx.stage, cell);
  return svg`<text class="name" x=${x + 9} y=${y + 18}>${ctx.stage.names[cell]}</text>${overlay(ctx, cell, x, y)}`;
}

/** @param {Mark} mark @param {number} x @param {number} y @param {number} r */
function drawn(mark, x, y, r) {
  return mark === "X"
    ? svg`<path class="x" d="M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}" />`
    : svg`<circle class="o" cx=${x} cy=${y} r=${r + 1} />`;
}

/** What is known of a cell's worth, by the layers of the thought. @param {Context} ctx @param {number} cell */
function worth(ctx, cell) {
  const layers = ctx.thought?.overlay ?? {};
  return { q: layers.q?.[cell] ?? null, exact: layers.exact?.[cell] ?? null };
}

/** @param {number} exact */
function verdict(exact) {
  return t(exact > 0 ? "win" : exact < 0 ? "loss" : "draw");
}

/** @param {number} value */
function signed(value) {
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);
}

/** @param {Context} ctx @param {number} cell */
function spoken(ctx, cell) {
  if (ctx.overlay !== "heat") return "";
  const { q, exact } = worth(ctx, cell);
  return [q === null ? "" : `, Q ${signed(q)}`, exact === null ? "" : `, ${verdict(exact)}`].join("");
}

/** @param {Context} ctx @param {number} cell @param {number} x @param {number} y */
function heat(ctx, cell, x, y) {
  if (ctx.overlay !== "heat") return nothing;
  const { q, exact } = worth(ctx, cell);
  const value = q ?? exact;
  if (value === null) return nothing;
  const strength = 0.1 + 0.5 * Math.min(1, Math.abs(value));
  return svg`<rect class=${value >= 0 ? "fill-good" : "fill-p2"} x=${x} y=${y} width=${SIZE} height=${SIZE} rx="10" opacity=${strength.toFixed(2)} />`;
}

/** @param {Context} ctx @param {number} cell @param {number} x @param {number} y */
function overlay(ctx, cell, x, y) {
  const middleX = x + SIZE / 2;
  if (ctx.overlay === "legal" && ctx.scene.legal.includes(cell)) return svg`<circle class="hint" cx=${middleX} cy=${y + SIZE / 2} r="9" />`;
  if (ctx.overlay === "heat") {
    const { q, exact } = worth(ctx, cell);
    return svg`${q === null ? nothing : svg`<text class="q" x=${middleX} y=${y + (exact === null ? 57 : 51)}>${signed(q)}</text>`}
      ${exact === null ? nothing : svg`<text class="exact" x=${middleX} y=${y + (q === null ? 57 : 74)}>${verdict(exact)}</text>`}`;
  }
  const rank = ctx.overlay === "candidates" && ctx.thought ? ctx.thought.candidates.findIndex((candidate) => candidate.action === cell) : -1;
  const candidate = ctx.thought?.candidates[rank];
  if (!candidate || ctx.selected !== null) return nothing;
  const score = candidate.score ?? candidate.prob;
  return svg`<circle class="rank ${rank === 0 ? "best" : ""}" cx=${middleX} cy=${y + 46} r="15" /><text class="rank-number ${rank === 0 ? "best" : ""}" x=${middleX} y=${y + 51.5}>${rank + 1}</text>
    ${score === null ? nothing : svg`<text class="exact" x=${middleX} y=${y + 82}>${signed(score)}</text>`}`;
}

/** The line of the selected candidate: marks in the order they would be made. @param {Context} ctx */
function line(ctx) {
  const candidate = ctx.selected === null ? null : ctx.thought?.candidates[ctx.selected];
  if (!candidate) return nothing;
  const first = ctx.match.ply % 2;
  return candidate.line.map((cell, index) => {
    const { x, y } = middle(ctx.stage, cell);
    return svg`<g class="planned">${drawn((first + index) % 2 === 0 ? "X" : "O", x, y, 27)}<circle class="order-ground" cx=${x} cy=${y} r="14" /><text class="order" x=${x} y=${y + 6}>${index + 1}</text></g>`;
  });
}

/** @param {Context} ctx @param {number[]} cells */
function winning(ctx, cells) {
  const from = middle(ctx.stage, cells[0] ?? 0);
  const to = middle(ctx.stage, cells[cells.length - 1] ?? 0);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [((to.x - from.x) / length) * 36, ((to.y - from.y) / length) * 36];
  return svg`<line class="winning" pathLength="1" x1=${from.x - dx} y1=${from.y - dy} x2=${to.x + dx} y2=${to.y + dy} />`;
}

/** @param {Context} ctx @param {number} cell */
function choose(ctx, cell) {
  ctx.ui.cursor = cell;
  if (!ctx.mayMove) return;
  const name = ctx.stage.names[cell];
  if (ctx.scene.legal.includes(cell)) void ctx.play(name);
  else ctx.announce(t("taken", { name }));
}

/** @param {Context} ctx @param {number} cell */
function focus(ctx, cell) {
  ctx.ui.cursor = cell;
  ctx.redraw();
  /** @type {SVGElement | null} */ (document.querySelector(`.tictactoe [data-cell="${cell}"]`))?.focus();
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @param {KeyboardEvent} event @param {Context} ctx */
function key(event, ctx) {
  /** @type {Stage} */
  const stage = ctx.stage;
  const cursor = Number(ctx.ui.cursor ?? 0);
  const step = STEPS[event.key];
  if (step) {
    const row = Math.max(0, Math.min(stage.rows - 1, Math.floor(cursor / stage.cols) + step[0]));
    const col = Math.max(0, Math.min(stage.cols - 1, (cursor % stage.cols) + step[1]));
    focus(ctx, row * stage.cols + col);
    return true;
  }
  if (event.key === "Enter" || event.key === " ") {
    choose(ctx, cursor);
    return true;
  }
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
  const row = stage.rows - 1 - Math.floor(digit / 3);
  if (digit < 0 || stage.rows > 3 || stage.cols > 3 || row < 0 || digit % 3 >= stage.cols) return false;
  focus(ctx, row * stage.cols + (digit % 3));
  choose(ctx, row * stage.cols + (digit % 3));
  return true;
}

/** @param {Context} ctx */
function panels(ctx) {
  /** @type {Scene} */
  const scene = ctx.scene;
  /** @type {Stage} */
  const stage = ctx.stage;
  const { canonical } = scene;
  const { width, height } = extent(stage);
  return html`<section class="panel canonical">
    <h2>${t("canonical")}</h2>
    <div>
      <svg class="small-board" viewBox="0 0 ${width} ${height}" role="img" aria-label=${canonical.key}>
        ${svg`<rect class="ground" width=${width} height=${height} rx="18" />
        ${canonical.cells.map((mark, cell) => {
          const { x, y } = place(stage, cell);
          return svg`<rect class="square" x=${x} y=${y} width=${SIZE} height=${SIZE} rx="10" />${mark ? drawn(mark, x + SIZE / 2, y + SIZE / 2, 27) : nothing}`;
        })}`}
      </svg>
      <div>
        <p><code>${canonical.key}</code></p>
        <p>${t("transform", { name: t(/** @type {"Identity"} */ (canonical.transform)) })} <span class="muted">(${canonical.transform})</span></p>
        <p class="muted">${t("canonical_why")}</p>
      </div>
    </div>
  </section>`;
}

/** @type {import("/static/types/renderer.js").Renderer} */
export default {
  board,
  panels,
  key,
  help: () => [
    ["7, 8, 9, 4, 5, 6, 1, 2, 3", t("keypad")],
    [t("key_arrows"), t("arrows")],
    ["Enter", t("enter")],
  ],
  sides: () => ["X", "O"],
  reason: (reason) => ({ line: t("line"), "board full": t("full") })[reason] ?? reason,
};
