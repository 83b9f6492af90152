/** A scene as a board that is played on: by mouse, touch and keyboard. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { texts } from "../shell/texts.js";
import { arrow, badge } from "../shell/drawnmoves.js";
import { isTurned } from "../shell/standing.js";
import { base, dots, drawPiece, edges, ground, lines, picture, rack, shade, stack, words } from "./board.js";
import { Geometry, SIZE } from "./geometry.js";
import { planned, rankOf, signed, worths, formatWorth } from "./overlay.js";

/** @typedef {Omit<Context, "scene"> & { scene: Scene }} SceneContext */

const FORMAT = "ludex-scene-1";
/** The largest board whose cells show their names. */
const MOST_NAMED = 100;
/** The name of a cell by column and row, which are written along the border of a board of squares. */
const PLACE = /^([a-z]+)(\d+)$/;

const say = texts("generic", "board");

/** Whether the page can draw a scene: that of a game's own renderer is in another format. @param {any} scene @returns {scene is Scene} */
export function isScene(scene) {
  return scene?.format === FORMAT;
}

/** The moves that go on from the cells chosen so far. @param {SceneContext} ctx @returns {SceneMove[]} */
function going(ctx) {
  return reached(ctx.scene.moves ?? [], chosenCells(ctx));
}

/** The moves that begin with the cells of a path. @param {SceneMove[]} moves @param {number[]} path */
const reached = (moves, path) => moves.filter((move) => path.every((cell, index) => move.cells?.[index] === cell));

/** The cells chosen so far for a move of several. @param {SceneContext} ctx @returns {number[]} */
function chosenCells(ctx) {
  return ctx.ui.version === ctx.match.version && ctx.mayMove ? (ctx.ui.path ?? []) : [];
}

/** @param {SceneContext} ctx @param {number[]} path @param {string | null} refused */
function choosePath(ctx, path, refused = null) {
  ctx.ui.version = ctx.match.version;
  ctx.ui.path = path;
  ctx.ui.refused = refused;
  ctx.redraw();
}

/** Choose a cell: play its move, or go on to the next cell of one. @param {SceneContext} ctx @param {number} cell */
function choose(ctx, cell) {
  ctx.ui.cursor = cell;
  if (!ctx.mayMove) return;
  const { scene } = ctx;
  const all = (scene.moves ?? []).filter((move) => move.cells?.length);
  const before = chosenCells(ctx);
  if (before[before.length - 1] === cell) return choosePath(ctx, []);
  const path = reached(all, [...before, cell]).length ? [...before, cell] : [cell];
  const moves = reached(all, path);
  const name = scene.board.cells[cell]?.name ?? "";
  if (!moves.length) {
    choosePath(ctx, [], say("nothing_here", { name }));
    ctx.announce(ctx.ui.refused);
    return;
  }
  const texts = new Set(moves.map((move) => move.text));
  const [first] = moves;
  if (first && texts.size === 1 && first.cells?.length === path.length) {
    ctx.ui.path = [];
    void ctx.play(first.text);
    return;
  }
  choosePath(ctx, path);
  ctx.announce(say("go_on", { name }));
}

/** @param {SceneContext} ctx */
const geometryOf = ({ scene, match }) => new Geometry(scene.board, Boolean(scene.opposite) && isTurned(match));

/** @param {SceneContext} ctx */
export function board(ctx) {
  const { scene } = ctx;
  const geometry = geometryOf(ctx);
  const path = chosenCells(ctx);
  const marksMoves = ctx.mayMove || ctx.overlay === "legal";
  const open = new Set(marksMoves ? going(ctx).map((move) => move.cells?.[path.length]) : []);
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  scene.board.cells.forEach(({ row }, index) => rows.set(row, [...(rows.get(row) ?? []), index]));
  const [first, second] = scene.colours ?? [];
  return html`<div class="generic-scene" data-first=${first ?? nothing} data-second=${second ?? nothing}>
    <svg class="board" data-look=${scene.board.look ?? "tiles"} viewBox="0 0 ${geometry.width} ${geometry.height}" role="group"
      aria-label=${words(scene.board.label)} @pointerleave=${() => point(ctx, null)}>
      ${svg`${base(geometry)}
        <g role="grid" aria-label=${words(scene.board.label)}>
        ${[...rows]
          .sort(([one], [other]) => one - other)
          .map(([, cells]) => svg`<g role="row">${cells.map((cell) => cellOf(ctx, geometry, cell, open))}</g>`)}
        </g>
        <g class="writing" aria-hidden="true">
          ${lines(scene.board, geometry, true)}
          ${scene.board.cells.map((_, cell) => lying(ctx, geometry, cell, open))}
          ${rack(scene.board, geometry, (cell) => stateOf(ctx, cell, open))}
          ${scene.board.cells.map((_, cell) => writing(ctx, geometry, cell, open))}
          ${geometry.hex || ctx.thumbnail ? nothing : coordinates(scene.board, geometry)}
        </g>
        ${edges(scene.board, geometry)}${playableEdges(ctx, geometry)}${dots(scene.board, geometry)}
        ${lines(scene.board, geometry)}${plan(ctx, geometry)}
        ${(ctx.drawn ?? []).map((move) => drawnMove(ctx, geometry, move))}`}
    </svg>
    ${refused(ctx)}
    ${buttons(ctx)}
  </div>`;
}

/** Where nothing can be played, over the lower edge of the board, until the next choice. @param {SceneContext} ctx */
function refused(ctx) {
  if (!ctx.ui.refused || ctx.ui.version !== ctx.match.version) return nothing;
  // A screen reader has heard it already.
  return html`<p class="refusal" aria-hidden="true">${ctx.ui.refused}</p>`;
}

/** @param {SceneContext} ctx @param {Geometry} geometry @param {number} index @param {Set<number | undefined>} open */
function cellOf(ctx, geometry, index, open) {
  const { scene } = ctx;
  const cell = scene.board.cells[index];
  if (!cell) return nothing;
  const path = chosenCells(ctx);
  const [worth] = worths(ctx, index);
  return svg`<g class="cell ${stateOf(ctx, index, open)}" role="gridcell" data-cell=${index} tabindex=${Number(ctx.ui.cursor ?? 0) === index ? 0 : -1}
      aria-label=${spoken(ctx, index)} aria-selected=${path.length ? String(path.includes(index)) : nothing}
      @click=${() => choose(ctx, index)} @focus=${() => point(ctx, index, true)} @pointerenter=${() => point(ctx, index)}>
    ${cell.hover ? svg`<title>${words(cell.hover)}</title>` : nothing}
    ${ground(geometry, index, `square ${shade(scene.board, cell)}`)}
    ${worth ? ground(geometry, index, worth.value >= 0 ? "fill-good" : "fill-p2", 0.1 + 0.5 * Math.min(1, Math.abs(worth.value))) : nothing}
  </g>`;
}

/** The classes of a cell. @param {SceneContext} ctx @param {number} index @param {Set<number | undefined>} open */
function stateOf(ctx, index, open) {
  const { scene } = ctx;
  return [
    ctx.mayMove && open.has(index) ? "open" : "",
    chosenCells(ctx).includes(index) ? "chosen" : "",
    scene.last.includes(index) ? "last" : "",
    scene.effects?.includes(index) ? "effect" : "",
    ctx.marked?.includes(index) ? "marked" : "",
    ctx.ui.cursor === index ? "cursor" : "",
  ].join(" ");
}

/**
 * What lies on a cell; the labels of the cells say the same to screen readers.
 * @param {SceneContext} ctx @param {Geometry} geometry @param {number} index @param {Set<number | undefined>} open
 */
function lying(ctx, geometry, index, open) {
  const cell = ctx.scene.board.cells[index];
  const pieces = cell?.pieces ?? [];
  const { x, y } = geometry.middle(index);
  const preview = ghost(ctx, index, open);
  return svg`${cell?.text ? svg`<text class="cell-text" x=${x} y=${y + 12}>${cell.text}</text>` : nothing}
    ${pieces.length ? svg`<g class="piece">${stack(pieces, geometry, index)}</g>` : nothing}
    ${preview ? svg`<g class="ghost ${ctx.pending === null ? "" : "pending"}">${drawPiece(preview, x, y, geometry.piece)}</g>` : nothing}`;
}

/**
 * The piece that the move under the pointer, or the one on its way, puts on a cell.
 * @param {SceneContext} ctx @param {number} index @param {Set<number | undefined>} open
 */
function ghost(ctx, index, open) {
  const { scene } = ctx;
  const piece = scene.placed?.[mover(ctx)];
  if (!piece || (scene.board.cells[index]?.pieces ?? []).length) return null;
  const pointed = ctx.ui.pointed ?? null;
  const texts =
    ctx.pending !== null
      ? [ctx.pending]
      : ctx.mayMove && open.has(pointed)
        ? going(ctx)
            .filter((move) => move.cells?.[chosenCells(ctx).length] === pointed)
            .map((move) => move.text)
        : [];
  const move = (scene.moves ?? []).find((one) => one.text === texts[0]);
  return move && (move.at ?? move.cells?.[move.cells.length - 1]) === index ? piece : null;
}

/** Who moves in the position shown. @param {SceneContext} ctx */
function mover(ctx) {
  return ctx.match.moves[ctx.match.ply]?.player ?? ctx.match.to_move ?? 0;
}

/** @param {SceneContext} ctx @param {number | null} cell @param {boolean} [cursor] */
function point(ctx, cell, cursor = false) {
  const moved = cursor && ctx.ui.cursor !== cell;
  const changed = ctx.ui.pointed !== cell && Boolean(ctx.scene.placed?.length);
  if (cursor) ctx.ui.cursor = cell;
  ctx.ui.pointed = cell;
  if (moved || changed) ctx.redraw();
}

/** What screen readers say of a cell. @param {SceneContext} ctx @param {number} index */
function spoken(ctx, index) {
  const cell = ctx.scene.board.cells[index];
  if (!cell) return "";
  const lying = (cell.pieces ?? []).map((piece) => [words(piece.label), piece.text].filter(Boolean).join(" "));
  const parts = [
    cell.name,
    cell.text,
    words(cell.label),
    words(cell.hover),
    ...lying,
    ...worths(ctx, index).map((worth) => formatWorth(worth, say)),
  ].filter(Boolean);
  return parts.length > 1 ? parts.join(", ") : say("free", { name: cell.name });
}

/**
 * Names, hints and numbers, also for the eye only.
 * @param {SceneContext} ctx @param {Geometry} geometry @param {number} index @param {Set<number | undefined>} open
 */
function writing(ctx, geometry, index, open) {
  const { cells } = ctx.scene.board;
  const cell = cells[index];
  const { x, y } = geometry.middle(index);
  const values = worths(ctx, index);
  const ranked = rankOf(ctx, index);
  const [first, second] = values;
  const free = !cell?.pieces?.length;
  const selective = free ? isSelective(ctx, open) : going(ctx).every((move) => move.cells?.length === 1);
  const marked = open.has(index) && (ctx.overlay === "legal" || chosenCells(ctx).length || selective);
  return svg`${
    free && cells.length <= MOST_NAMED && !ctx.thumbnail && (geometry.hex || !PLACE.test(cell?.name ?? ""))
      ? svg`<text class="name" x=${x} y=${y - 32} font-size=${Math.min(17, geometry.width / 32)} text-anchor="middle">${cell?.name}</text>`
      : nothing
  }
    ${marked ? svg`<circle class="hint ${free ? "" : "around"}" cx=${x} cy=${y} r=${free ? 9 : 46} />` : nothing}
    ${
      first
        ? svg`<text class=${first.format === "outcome" ? "outcome" : "value"} x=${x}
          y=${y + (second ? 1 : 7)}>${formatWorth(first, say)}</text>`
        : nothing
    }
    ${second ? svg`<text class="outcome" x=${x} y=${y + 24}>${formatWorth(second, say)}</text>` : nothing}
    ${
      ranked
        ? svg`<circle class="rank ${ranked.rank === 0 ? "best" : ""}" cx=${x} cy=${y - 6} r="17" />
          <text class="rank-number ${ranked.rank === 0 ? "best" : ""}" x=${x} y=${y + 0.5}>${ranked.rank + 1}</text>
          ${ranked.score === null ? nothing : svg`<text class="outcome" x=${x} y=${y + 30}>${signed(ranked.score)}</text>`}`
        : nothing
    }`;
}

/** Whether so few of the free cells can be played that they are marked. @param {SceneContext} ctx @param {Set<number | undefined>} open */
function isSelective(ctx, open) {
  const free = ctx.scene.board.cells.flatMap((cell, index) => (cell.pieces?.length ? [] : [index]));
  return 2 * free.filter((cell) => open.has(cell)).length < free.length;
}

/** Letters and numbers along the border. @param {SceneBoard} board @param {Geometry} geometry */
function coordinates(board, geometry) {
  /** @type {Map<string, [number, number]>} */
  const places = new Map();
  board.cells.forEach(({ name }, index) => {
    const [, column = "", row = ""] = PLACE.exec(name) ?? [];
    const { x, y } = geometry.middle(index);
    if (column) places.set(column, [x, geometry.height - 9]).set(row, [18, y + 7]);
  });
  const size = Math.min(21, geometry.width / 32);
  return [...places].map(
    ([text, [x, y]]) => svg`<text class="name" x=${x} y=${y} font-size=${size} text-anchor="middle">${text}</text>`,
  );
}

/** The line of the selected candidate: pieces in the order they would be played. @param {SceneContext} ctx @param {Geometry} geometry */
function plan(ctx, geometry) {
  const { scene } = ctx;
  return planned(ctx).map((cell, index) => {
    const { x, y } = geometry.middle(cell);
    const piece = scene.placed?.[(mover(ctx) + index) % ctx.match.seats.length];
    return svg`<g class="planned">${
      piece ? svg`<g class="faint">${drawPiece(piece, x, y, geometry.piece)}</g>` : nothing
    }<circle class="order-ground" cx=${x} cy=${y} r="14" /><text class="order" x=${x} y=${y + 6}>${index ? index + 1 : "★"}</text></g>`;
  });
}

/**
 * A move that the page wants seen: its cells as an arrow, its target with the piece it brings, or its edge.
 * @param {SceneContext} ctx @param {Geometry} geometry @param {DrawnMove} drawnMove
 */
function drawnMove(ctx, geometry, { text, kind }) {
  const { scene } = ctx;
  const move = scene.moves?.find((one) => one.text === text);
  if (!move) return nothing;
  const [from, to] = move.edge === undefined ? [] : (geometry.edges[move.edge] ?? []);
  if (from && to)
    return svg`<g class="drawn drawn-${kind}" data-drawn=${text}><line class="drawn-edge" x1=${from.x} y1=${from.y}
      x2=${to.x} y2=${to.y} />${badge(geometry.middleOfEdge(move.edge ?? 0), kind, SIZE)}</g>`;
  const cells = [...new Set([...(move.cells ?? []), ...(move.at === undefined ? [] : [move.at])])];
  const target = cells.at(-1);
  if (target === undefined) return nothing;
  const points = cells.map((cell) => geometry.middle(cell));
  const end = geometry.middle(target);
  const piece = scene.board.cells[target]?.pieces?.length ? undefined : scene.placed?.[mover(ctx)];
  return svg`<g class="drawn drawn-${kind}" data-drawn=${text}>${ground(geometry, target, "drawn-square")}
    ${piece ? svg`<g class="faint">${drawPiece(piece, end.x, end.y, geometry.piece)}</g>` : nothing}
    ${points.slice(1).map((point, index) => arrow(points[index] ?? point, point, SIZE))}
    ${badge({ x: end.x + SIZE * 0.36, y: end.y - SIZE * 0.36 }, kind, SIZE)}</g>`;
}

/** Edges that a move is played on. @param {SceneContext} ctx @param {Geometry} geometry */
function playableEdges(ctx, geometry) {
  const moves = ctx.mayMove ? going(ctx).filter((move) => move.edge !== undefined) : [];
  if (!moves.length) return nothing;
  return svg`<g role="group" aria-label=${say("edges")}>${moves.map((move) => {
    const edge = ctx.scene.board.edges?.[/** @type {number} */ (move.edge)];
    const [from, to] = geometry.edges[/** @type {number} */ (move.edge)] ?? [];
    if (!edge || !from || !to) return nothing;
    return svg`<g class="open-edge" role="button" tabindex="-1" data-edge=${move.edge}
      aria-label=${words(move.label) || edge.name || move.text} @click=${() => ctx.play(move.text)}>
      ${edge.hover ? svg`<title>${words(edge.hover)}</title>` : nothing}
      <line class="reach" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} />
        <line class="faint-edge" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} /></g>`;
  })}</g>`;
}

/** Moves that are not played on the board, and those among which the chosen cells leave a choice. @param {SceneContext} ctx */
function buttons(ctx) {
  const path = chosenCells(ctx);
  const here = path.length
    ? going(ctx).filter((move) => move.cells?.length === path.length)
    : going(ctx).filter((move) => !move.cells && move.edge === undefined);
  const moves = ctx.mayMove ? here : [];
  // The row stays between turns: the board must not change its size.
  ctx.ui.buttons ||= moves.length > 0;
  if (!ctx.ui.buttons) return nothing;
  return html`<div class="generic-moves board-actions">${moves.map(
    (move) => html`<button class=${advised(ctx, move.text)}
      @click=${() => ctx.play(move.text)}>${words(move.label) || move.text}</button>`,
  )}</div>`;
}

/** The class of a button whose move the page wants seen. @param {SceneContext} ctx @param {string} text */
function advised(ctx, text) {
  const move = ctx.drawn?.find((one) => one.text === text);
  return move ? `drawn-button drawn-${move.kind}` : "";
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @param {KeyboardEvent} event @param {SceneContext} ctx */
export function key(event, ctx) {
  const { scene } = ctx;
  const onEdge = /** @type {Element} */ (event.target).closest?.("[data-edge]");
  if (ARROWS[event.key]) {
    step(ctx, ARROWS[event.key] ?? [0, 0], onEdge);
    return true;
  }
  if (event.key === "Escape" && chosenCells(ctx).length) {
    choosePath(ctx, []);
    return true;
  }
  if (event.key === "Enter" || event.key === " ") {
    if (onEdge) /** @type {SVGElement} */ (onEdge).dispatchEvent(new MouseEvent("click"));
    else choose(ctx, Number(ctx.ui.cursor ?? 0));
    return true;
  }
  const cell = keypadCell(scene, event.key);
  if (cell === null) return false;
  focus(`[data-cell="${cell}"]`);
  choose(ctx, cell);
  return true;
}

/**
 * Move the cursor to the nearest cell or playable edge.
 * @param {SceneContext} ctx @param {[number, number]} direction
 * @param {Element | null | undefined} edge the one with the focus
 */
function step(ctx, direction, edge) {
  const { scene } = ctx;
  const geometry = geometryOf(ctx);
  const edges = [
    ...new Set((ctx.mayMove ? going(ctx) : []).flatMap((move) => (move.edge === undefined ? [] : [move.edge]))),
  ];
  const places = [...geometry.cells, ...edges.map((one) => geometry.middleOfEdge(one))];
  const count = scene.board.cells.length;
  const from = edge ? count + edges.indexOf(Number(edge.getAttribute("data-edge"))) : Number(ctx.ui.cursor ?? 0);
  const to = geometry.neighbour(places, from, direction);
  focus(to < count ? `[data-cell="${to}"]` : `[data-edge="${edges[to - count]}"]`);
}

/** @param {string} place */
function focus(place) {
  /** @type {SVGElement | null} */ (document.querySelector(`.generic-scene ${place}`))?.focus();
}

/** On a small board, the cell of a digit as they lie on a keypad. @param {Scene} scene @param {string} digit @returns {number | null} */
function keypadCell(scene, digit) {
  if (!/^[1-9]$/.test(digit) || !hasKeypad(scene)) return null;
  const rows = Math.max(...scene.board.cells.map(({ row }) => row)) + 1;
  const [row, col] = [rows - 1 - Math.floor((Number(digit) - 1) / 3), (Number(digit) - 1) % 3];
  const index = scene.board.cells.findIndex((cell) => cell.row === row && cell.col === col);
  return index < 0 ? null : index;
}

/** @param {Scene} scene */
function hasKeypad(scene) {
  return (
    scene.board.shape !== "hex" && scene.board.cells.every(({ row, col }) => row >= 0 && row < 3 && col >= 0 && col < 3)
  );
}

/** @param {Scene} scene @returns {[string, string][]} */
export function help(scene) {
  return [
    ...(hasKeypad(scene) ? [/** @type {[string, string]} */ (["7, 8, 9, 4, 5, 6, 1, 2, 3", say("keypad")])] : []),
    [say("key_arrows"), say("arrows")],
    ["Enter", say("enter")],
    ["Escape", say("escape")],
  ];
}

/** @param {SceneContext} ctx */
export function panels(ctx) {
  const { scene } = ctx;
  return html`${(scene.panels ?? []).map((panel) =>
    panel.details
      ? html`<details class="panel scene-panel"><summary>${words(panel.title)}</summary>${content(panel)}</details>`
      : html`<section class="panel scene-panel"><h2>${words(panel.title)}</h2>${content(panel)}</section>`,
  )}`;
}

/** @param {import("../types/scene.js").ScenePanel} panel */
function content(panel) {
  return html`<div class=${panel.board ? "with-board" : ""}>
    ${panel.board ? picture(panel.board, words(panel.board.label)) : nothing}
    <div>${
      panel.code
        ? html`<p>
          <code>${panel.code}</code></p>`
        : nothing
    }${(panel.lines ?? []).map((line) => html`<p>${words(line)}</p>`)}</div>
  </div>`;
}
