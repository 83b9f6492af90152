/** Quoridor on a board of any size. */

import { bar, drawMoves, overlays, paths, pending, preview } from "./overlay.js";
import { PAWN } from "./pawn.js";
import { EDGE, Places, SQUARE } from "./places.js";
import { isTurned } from "/static/shell/standing.js";
import { textsOf } from "/static/shell/texts.js";
import { html, nothing, svg } from "/static/vendor/lit-html/lit-html.js";

/** @typedef {import("./places.js").Place} Place */

/** @param {Context} ctx */
function placesOf(ctx) {
  return new Places(ctx.stage, isTurned(ctx.match));
}

/** @param {Context} ctx @param {string} text */
function isLegal(ctx, text) {
  return ctx.scene.legal.some((/** @type {{ text: string }} */ move) => move.text === text);
}

/** @param {Context} ctx */
function board(ctx) {
  const places = placesOf(ctx);
  const { extent } = places;
  // A picture has no coordinates.
  const edge = ctx.thumbnail ? EDGE - 6 : 0;
  const side = extent - 2 * edge;
  const player = ctx.match.to_move ?? 0;
  const target = ctx.ui.hover ?? (ctx.ui.keyed ? cursor(ctx) : null);
  const legal = target ? isLegal(ctx, places.text(target)) : false;
  return html`
    <svg class="board quoridor ${ctx.mayMove ? "open" : ""}" viewBox="${edge} ${edge} ${side} ${side}" role="application"
      tabindex="0" aria-label="${t("board", { size: places.size })} ${described(ctx)}"
      @pointermove=${(/** @type {PointerEvent} */ event) => hover(event, ctx)} @pointerleave=${() => leave(ctx)}
        @click=${(/** @type {PointerEvent} */ event) => press(event, ctx)}>
      ${svg`<rect class="ground" width=${extent} height=${extent} />
        ${squares(ctx, places)}
        ${ctx.thumbnail ? nothing : coordinates(places)}
        ${walls(ctx, places)}
        ${paths(ctx, places)}
        ${ctx.scene.pawns.map((/** @type {{ col: number, row: number }} */ pawn, /** @type {number} */ index) => {
          const { x, y } = places.middle(pawn.col, pawn.row);
          return svg`<g class="pawn-stand player-${index}" transform="translate(${x} ${y}) scale(1.15)">
            <ellipse class="foot" cy="16" rx="16" ry="5" />
            <path class="pawn" d=${PAWN} /><path class="shine" d="M-4-12.5a5 5 0 0 1 4-3.5M-9.5 13c.5-5 2.5-8 4.5-11" /></g>`;
        })}
        ${overlays(ctx, places)}
        ${drawMoves(ctx, places, player)}
        ${preview(ctx, places, target, legal, player)}
        ${pending(ctx, places, player)}
        ${ctx.ui.keyed ? ring(places, cursor(ctx)) : nothing}`}
    </svg>
    <p class="quoridor-reason ${ctx.ui.tapped ? "" : "illegal"}" role="status">${ctx.ui.reason ?? nothing}</p>
  `;
}

/** @param {Context} ctx */
function described(ctx) {
  const places = placesOf(ctx);
  const [blue, orange] = ctx.scene.pawns.map((/** @type {{ col: number, row: number }} */ pawn) =>
    places.text({ kind: "pawn", ...pawn }),
  );
  const stand = ctx.scene.walls.map((/** @type {{ text: string }} */ wall) => wall.text).join(", ");
  return t("position", { blue, orange, walls: stand || t("none") });
}

/** @param {Context} ctx @param {Places} places */
function squares(ctx, places) {
  const reach = new Set(
    ctx.mayMove && !ctx.editing
      ? ctx.scene.legal
          .filter((/** @type {Place} */ move) => move.kind === "pawn")
          .map((/** @type {{ text: string }} */ move) => move.text)
      : [],
  );
  const indices = Array.from({ length: places.size }, (_, index) => index);
  return indices.map((row) =>
    indices.map((col) => {
      const { x, y } = places.corner(col, row);
      const text = places.text({ kind: "pawn", col, row });
      const goal = ctx.stage.goals.indexOf(row);
      const classes = [
        "square",
        goal < 0 ? "" : `goal-${goal}`,
        ctx.last?.text === text ? "last" : "",
        reach.has(text) ? "reach" : "",
        // Beside drawn moves the frames of a path would be noise.
        !ctx.drawn?.length && ctx.marked?.includes(row * places.size + col) ? "marked" : "",
      ].join(" ");
      return svg`<rect class=${classes} data-square=${text} x=${x} y=${y} width=${SQUARE} height=${SQUARE}
        rx="7" />${reach.has(text) ? svg`<circle class="dot" cx=${x + SQUARE / 2} cy=${y + SQUARE / 2} r="6" />` : nothing}`;
    }),
  );
}

/** @param {Places} places */
function coordinates(places) {
  return [
    places.stage.columns.map(
      (name, col) => svg`<text class="coordinate" x=${places.middle(col, 0).x} y=${places.extent - 8}>${name}</text>`,
    ),
    places.stage.rows.map(
      (name, row) => svg`<text class="coordinate" x=${EDGE / 2} y=${places.middle(0, row).y + 4}>${name}</text>`,
    ),
  ];
}

/**
 * Walls in the colour of their player: of who played them, or of the only one whose walls can be those that stood before;
 * neither's where the position does not say.
 * @param {Context} ctx @param {Places} places
 */
function walls(ctx, places) {
  /** @type {{ text: string }[]} */
  const standing = ctx.scene.walls;
  const owners = new Map(ctx.match.moves.map((move) => [move.text, move.player]));
  const unknown = ctx.scene.left.map((/** @type {number} */ left, /** @type {number} */ player) => {
    const played = standing.filter(({ text }) => owners.get(text) === player);
    return ctx.stage.walls - left - played.length;
  });
  const rest = unknown[1] <= 0 ? 0 : unknown[0] <= 0 ? 1 : "unknown";
  return ctx.scene.walls.map((/** @type {Place & { text: string }} */ wall) =>
    bar(
      places,
      wall,
      `wall along-${wall.kind} player-${owners.get(wall.text) ?? rest} ${ctx.last?.text === wall.text ? "last" : ""}`,
    ),
  );
}

/** @param {Places} places @param {Place} place */
function ring(places, place) {
  const at =
    place.kind === "pawn"
      ? { ...places.corner(place.col, place.row), width: SQUARE, height: SQUARE }
      : places.bar(place);
  return svg`<rect class="cursor" x=${at.x - 3} y=${at.y - 3} width=${at.width + 6} height=${at.height + 6} rx="8" />`;
}

/** Where the keyboard is: on the mover's pawn until it was moved. @param {Context} ctx @returns {Place} */
function cursor(ctx) {
  return ctx.ui.cursor ?? { kind: "pawn", ...ctx.scene.pawns[ctx.match.to_move ?? 0] };
}

/** @param {PointerEvent | MouseEvent} event @param {Context} ctx @param {boolean} coarse @returns {Place | null} */
function pointed(event, ctx, coarse) {
  const element = /** @type {SVGSVGElement} */ (event.currentTarget);
  const matrix = element.getScreenCTM();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return placesOf(ctx).at(x, y, coarse, ctx.ui.turned ?? "h", ctx.scene.walls);
}

/** @param {PointerEvent} event @param {Context} ctx */
function hover(event, ctx) {
  if (event.pointerType === "touch" || !ctx.mayMove) return;
  const place = pointed(event, ctx, false);
  if (same(place, ctx.ui.hover ?? null)) return;
  ctx.ui.hover = place;
  ctx.ui.keyed = false;
  consider(ctx, place?.kind === "pawn" ? null : place);
}

/** @param {Context} ctx */
function leave(ctx) {
  if (!ctx.ui.hover || ctx.ui.tapped) return;
  ctx.ui.hover = null;
  consider(ctx, null);
}

/** @param {Place | null} one @param {Place | null} two */
function same(one, two) {
  return (
    one === two || (one !== null && two !== null && one.kind === two.kind && one.col === two.col && one.row === two.row)
  );
}

/** Show why a place cannot be played, once the server has answered. @param {Context} ctx @param {Place | null} place */
function consider(ctx, place) {
  const text = place ? placesOf(ctx).text(place) : null;
  ctx.ui.considered = text;
  ctx.ui.reason = null;
  ctx.redraw();
  if (text === null || !ctx.mayMove || isLegal(ctx, text)) return;
  void ctx.judge(text).then(({ message }) => {
    if (ctx.ui.considered !== text) return;
    ctx.ui.reason = message ?? t("may_not", { move: text });
    ctx.redraw();
  });
}

/** A mouse plays at once; a finger shows a wall first and places it when it taps again. @param {PointerEvent} event @param {Context} ctx */
function press(event, ctx) {
  if (!ctx.mayMove) return;
  const touch = event.pointerType === "touch";
  const place = pointed(event, ctx, touch);
  ctx.ui.keyed = false;
  if (!place) return;
  const text = placesOf(ctx).text(place);
  if (!isLegal(ctx, text)) {
    ctx.ui.hover = place;
    ctx.ui.tapped = null;
    consider(ctx, place);
    return;
  }
  if (touch && place.kind !== "pawn" && ctx.ui.tapped !== text) {
    ctx.ui.hover = place;
    ctx.ui.tapped = ctx.ui.considered = text;
    ctx.ui.reason = t("tap", { move: text });
    ctx.redraw();
    return;
  }
  play(ctx, text, place.kind !== "pawn");
}

/** @param {Context} ctx @param {string} text @param {boolean} [sure] */
function play(ctx, text, sure = false) {
  ctx.ui.hover = ctx.ui.tapped = ctx.ui.reason = ctx.ui.considered = ctx.ui.cursor = null;
  ctx.ui.keyed = false;
  void ctx.play(text, sure);
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Record<Place["kind"], Place["kind"]>} */
const TURNS = { pawn: "h", h: "v", v: "pawn" };

/** @param {KeyboardEvent} event @param {Context} ctx */
function key(event, ctx) {
  const places = placesOf(ctx);
  const step = STEPS[event.key];
  if (step) move(ctx, places.step(cursor(ctx), ...step));
  else if (event.key === "w") turn(ctx, places);
  else if (event.key === "Escape") {
    ctx.ui.cursor = null;
    ctx.ui.keyed = false;
    ctx.ui.hover = ctx.ui.tapped = null;
    consider(ctx, null);
  } else if (event.key === "Enter" || event.key === " ") enter(ctx, places);
  else if (event.key === "p") {
    ctx.ui.paths = !ctx.ui.paths;
    ctx.redraw();
  } else return false;
  return true;
}

/**
 * Under a mouse, the wall it is on turns; else the cursor becomes a level wall, an upright one, the pawn again.
 * @param {Context} ctx @param {Places} places
 */
function turn(ctx, places) {
  const hovered = ctx.ui.hover;
  if (hovered && hovered.kind !== "pawn") {
    ctx.ui.turned = hovered.kind === "h" ? "v" : "h";
    ctx.ui.hover = places.as(hovered, ctx.ui.turned);
    consider(ctx, ctx.ui.hover);
    return;
  }
  const now = cursor(ctx);
  move(ctx, places.as(now, TURNS[now.kind]));
}

/** @param {Context} ctx @param {Place} place */
function move(ctx, place) {
  ctx.ui.cursor = place;
  ctx.ui.keyed = true;
  ctx.ui.hover = null;
  consider(ctx, place.kind === "pawn" ? null : place);
  const text = placesOf(ctx).text(place);
  ctx.announce(ctx.mayMove ? t(isLegal(ctx, text) ? "may" : "may_not", { move: text }) : text);
}

/** @param {Context} ctx @param {Places} places */
function enter(ctx, places) {
  if (!ctx.mayMove) return;
  const place = ctx.ui.hover ?? cursor(ctx);
  const text = places.text(place);
  if (isLegal(ctx, text)) play(ctx, text);
  else consider(ctx, place);
}

/** @param {Context} ctx */
function stock(ctx) {
  const names = [t("blue"), t("orange")];
  return html`<section class="panel quoridor-stock">
    <div class="heading">
      <h2>${t("walls")}</h2>
      <label class="check"><input type="checkbox" .checked=${Boolean(ctx.ui.paths)} @change=${(
        /** @type {Event} */ event,
      ) => {
        ctx.ui.paths = /** @type {HTMLInputElement} */ (event.target).checked;
        ctx.redraw();
      }} /> ${t("paths")}</label>
    </div>
    ${names.map((name, player) => {
      const left = ctx.scene.left[player];
      const steps = ctx.scene.distances[player];
      return html`<div class="stock player-${player}">
        <span class="name">${name}</span>
        <svg viewBox="0 0 ${ctx.stage.walls * 7 + 1} 20" role="img"
          aria-label=${t("left", { count: left })}>${Array.from(
            { length: ctx.stage.walls },
            (_, index) =>
              svg`<rect class=${index < left ? "stick" : "stick used"} x=${index * 7 + 1} y="1" width="4" height="18" rx="1.5" />`,
          )}</svg>
        <span class="count">${left}</span>
        <span class="muted">${t("steps", { count: steps })}</span>
      </div>`;
    })}
  </section>`;
}

/** @type {Renderer} */
export default {
  board,
  firstPanels: stock,
  key,
  help: () => [
    [t("key_arrows"), t("arrows")],
    ["w", t("turn")],
    ["Enter", t("enter")],
    ["Escape", t("escape")],
    ["p", t("path_key")],
  ],
  sides: () => [t("blue"), t("orange")],
  reason: (reason) =>
    ({ "goal reached": t("goal"), "third repetition": t("repetition"), "move limit": t("limit") })[reason] ?? reason,
};

/** @type {import("/static/types/texts.js").Say<typeof import("./texts.en.json")>} */
const t = textsOf("quoridor");
