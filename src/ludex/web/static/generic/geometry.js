/** Where the cells and edges of a scene lie, and which one an arrow key leads to. */

/** @typedef {{ x: number, y: number }} Point */

export const SIZE = 100;
/** Between cells, where their look has no gap of its own. */
const GAP = 7;
/** @type {Record<string, number>} */
const GAPS = { checkers: 0, felt: 2 };
/** Of pieces, where their look has no radius of its own. */
const PIECE = 30;
/** @type {Record<string, number>} */
const PIECES = { checkers: 31, felt: 34, wood: 39, rack: 36 };
const MARGIN = 14;
/** Around boards with coordinates or edges on their border. */
const WIDE_MARGIN = 34;
/** A hexagon's corners are so far from its middle. */
const RADIUS = SIZE / Math.sqrt(3);

/** Corners of a hexagon that stands on one, clockwise from the top. @type {Point[]} */
const CORNERS = [-90, -30, 30, 90, 150, 210].map((degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return { x: RADIUS * Math.cos(angle), y: RADIUS * Math.sin(angle) };
});

/** By side, the two corners between which it lies. @type {Record<string, [number, number]>} */
const HEX_SIDES = { ne: [0, 1], e: [1, 2], se: [2, 3], sw: [3, 4], w: [4, 5], nw: [5, 0] };
/** By side, the directions of its two ends from the middle. @type {Record<string, [number, number, number, number]>} */
const SQUARE_SIDES = { n: [-1, -1, 1, -1], e: [1, -1, 1, 1], s: [-1, 1, 1, 1], w: [-1, -1, -1, 1] };

/** Measures of a board: the middles of its cells, and how large it is. */
export class Geometry {
  /** @param {SceneBoard} board @param {boolean} [turned] whether it is seen from the opposite side */
  constructor(board, turned = false) {
    /** Of directions on the screen. */
    this.sign = turned ? -1 : 1;
    this.hex = board.shape === "hex";
    const look = board.look ?? "tiles";
    this.step = SIZE + (GAPS[look] ?? GAP);
    /** The radius of a piece that lies alone on a cell. */
    this.piece = PIECES[look] ?? PIECE;
    const height = this.hex ? this.step * (Math.sqrt(3) / 2) : this.step;
    const raw = board.cells.map(({ row, col }) => ({
      x: (col + (this.hex && row % 2 !== 0 ? 0.5 : 0)) * this.step * this.sign,
      y: row * height * this.sign,
    }));
    const margin = board.edges?.length || !this.hex ? WIDE_MARGIN : MARGIN;
    const [left, top] = [Math.min(...raw.map(({ x }) => x)), Math.min(...raw.map(({ y }) => y))];
    const half = { x: SIZE / 2, y: this.hex ? RADIUS : SIZE / 2 };
    /** @type {Point[]} the middles of the cells */
    this.cells = raw.map(({ x, y }) => ({ x: x - left + margin + half.x, y: y - top + margin + half.y }));
    this.width = Math.max(...this.cells.map(({ x }) => x)) + half.x + margin;
    this.height = Math.max(...this.cells.map(({ y }) => y)) + half.y + margin;
    /** @type {[Point, Point][]} the ends of the edges, in the middle of the gap between cells */
    this.edges = (board.edges ?? []).map(({ cell, side }) => this.ends(cell, side));
  }

  /** @param {number} cell @returns {Point} */
  middle(cell) {
    return this.cells[cell] ?? { x: 0, y: 0 };
  }

  /** @param {number} edge @returns {Point} */
  middleOfEdge(edge) {
    const [from, to] = this.edges[edge] ?? [this.middle(0), this.middle(0)];
    return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  }

  /** @param {number} cell @param {string} side @returns {[Point, Point]} */
  ends(cell, side) {
    const { x, y } = this.middle(cell);
    if (this.hex) {
      const grown = (this.step / SIZE) * this.sign;
      const corner = (/** @type {number} */ index) => ({
        x: x + CORNERS[index].x * grown,
        y: y + CORNERS[index].y * grown,
      });
      const [from, to] = HEX_SIDES[side];
      return [corner(from), corner(to)];
    }
    const [fromX, fromY, toX, toY] = SQUARE_SIDES[side];
    const half = (this.step / 2) * this.sign;
    return [
      { x: x + fromX * half, y: y + fromY * half },
      { x: x + toX * half, y: y + toY * half },
    ];
  }

  /** A cell's outline as points of an SVG polygon. @param {number} cell */
  hexagon(cell) {
    const { x, y } = this.middle(cell);
    return CORNERS.map((corner) => `${(x + corner.x).toFixed(1)},${(y + corner.y).toFixed(1)}`).join(" ");
  }

  /**
   * The nearest place in a direction, or the same one at the border.
   *
   * @param {Point[]} places @param {number} from @param {[number, number]} direction x and y
   */
  neighbour(places, from, [dx, dy]) {
    const start = places[from];
    let [best, cost] = [from, Infinity];
    // The next row of hexagons is half a place aside; along a row of squares a hole is passed over.
    const aside = this.hex ? 1.5 : 3;
    if (!start) return best;
    places.forEach(({ x, y }, index) => {
      const along = (x - start.x) * dx + (y - start.y) * dy;
      const across = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
      // Two places one step on in the next row of hexagons are equally near: the first wins.
      if (along > 1 && across <= along + 1 && along + aside * across < cost - 0.01)
        [best, cost] = [index, along + aside * across];
    });
    return best;
  }
}
