/**
 * Where things are. Columns count from the left, rows from white's side; a person who plays black alone sees the board
 * from black's side. `e2` is a square, `e3h` the wall above e3 and f3, `e3v` the wall right of e3 and e4.
 */

/** @typedef {{ kind: "pawn" | "h" | "v", col: number, row: number }} Place */
/** @typedef {{ size: number, walls: number, goals: number[], columns: string[], rows: string[] }} Stage */

export const SQUARE = 50;
export const GAP = 12;
export const STEP = SQUARE + GAP;
export const EDGE = 26;
/** How far from the middle of a gap a pointer still means the gap: more for a finger than for a mouse. */
const NEAR = { fine: 10, coarse: 15 };

export class Places {
  /** @param {Stage} stage @param {boolean} flipped */
  constructor(stage, flipped) {
    this.stage = stage;
    this.size = stage.size;
    this.flipped = flipped;
    this.extent = 2 * EDGE + this.size * STEP - GAP;
  }

  /** The screen's column or row of a column or row of the board. @param {number} index @param {number} count */
  across(index, count) {
    return this.flipped ? count - 1 - index : index;
  }

  /** @param {number} index @param {number} count */
  down(index, count) {
    return this.flipped ? index : count - 1 - index;
  }

  /** How many squares, or places of walls, stand in a row. @param {Place["kind"]} kind */
  count(kind) {
    return kind === "pawn" ? this.size : this.size - 1;
  }

  /** The top left of a square. @param {number} col @param {number} row */
  corner(col, row) {
    return { x: EDGE + this.across(col, this.size) * STEP, y: EDGE + this.down(row, this.size) * STEP };
  }

  /** @param {number} col @param {number} row */
  middle(col, row) {
    const { x, y } = this.corner(col, row);
    return { x: x + SQUARE / 2, y: y + SQUARE / 2 };
  }

  /** The rectangle of a wall. @param {Place} wall */
  bar({ kind, col, row }) {
    const x = EDGE + this.across(col, this.size - 1) * STEP;
    const y = EDGE + this.down(row, this.size - 1) * STEP;
    return kind === "h"
      ? { x, y: y + SQUARE + 1, width: 2 * SQUARE + GAP, height: GAP - 2 }
      : { x: x + SQUARE + 1, y, width: GAP - 2, height: 2 * SQUARE + GAP };
  }

  /** The middle of a square or of a wall. @param {Place} place */
  centre(place) {
    if (place.kind === "pawn") return this.middle(place.col, place.row);
    const { x, y, width, height } = this.bar(place);
    return { x: x + width / 2, y: y + height / 2 };
  }

  /** @param {Place} place */
  text({ kind, col, row }) {
    return `${this.stage.columns[col]}${this.stage.rows[row]}${kind === "pawn" ? "" : kind}`;
  }

  /** The place a move text names. @param {string} text @returns {Place} */
  of(text) {
    const last = text.slice(-1);
    const kind = last === "h" || last === "v" ? last : "pawn";
    const square = kind === "pawn" ? text : text.slice(0, -1);
    return { kind, col: this.stage.columns.indexOf(square.slice(0, 1)), row: this.stage.rows.indexOf(square.slice(1)) };
  }

  /**
   * What a point of the board means: a square, or the wall whose middle is nearest where it lies in a gap; the wall on its
   * other side where only that one finds room.
   *
   * @param {number} x
   * @param {number} y
   * @param {boolean} coarse
   * @param {"h" | "v"} turned which wall is meant where two gaps cross
   * @param {Place[]} walls that stand
   * @returns {Place | null}
   */
  at(x, y, coarse, turned, walls) {
    const inside = this.size * STEP - GAP;
    const [left, top] = [x - EDGE, y - EDGE];
    if (left < 0 || top < 0 || left > inside || top > inside) return null;
    const near = coarse ? NEAR.coarse : NEAR.fine;
    // Distances from the middle of the nearest gap, which lies GAP / 2 beyond a square.
    const gapX = Math.round((left + GAP / 2) / STEP);
    const gapY = Math.round((top + GAP / 2) / STEP);
    const offX = Math.abs(left + GAP / 2 - gapX * STEP);
    const offY = Math.abs(top + GAP / 2 - gapY * STEP);
    const upright = offX <= near && gapX > 0 && gapX < this.size;
    const level = offY <= near && gapY > 0 && gapY < this.size;
    if (!upright && !level) {
      return this.place(
        "pawn",
        Math.min(this.size - 1, Math.floor(left / STEP)),
        Math.min(this.size - 1, Math.floor(top / STEP)),
      );
    }
    const kind = upright && level ? turned : upright ? "v" : "h";
    const within = (/** @type {number} */ slot) => Math.max(0, Math.min(this.size - 2, slot));
    const [column, row] = [(left + GAP / 2) / STEP - 1, (top + GAP / 2) / STEP - 1];
    const [slotX, slotY] = [within(Math.round(column)), within(Math.round(row))];
    const nearest = this.place(kind, slotX, slotY);
    const other =
      kind === "v"
        ? this.place(kind, slotX, within(slotY + Math.sign(row - slotY)))
        : this.place(kind, within(slotX + Math.sign(column - slotX)), slotY);
    return !fits(nearest, walls) && fits(other, walls) ? other : nearest;
  }

  /** @param {Place["kind"]} kind @param {number} x counted on the screen from the left @param {number} y from the top @returns {Place} */
  place(kind, x, y) {
    const count = this.count(kind);
    return { kind, col: this.across(x, count), row: this.down(y, count) };
  }

  /** A step on the screen. @param {Place} place @param {number} right @param {number} down @returns {Place} */
  step({ kind, col, row }, right, down) {
    const most = this.count(kind) - 1;
    const turn = this.flipped ? -1 : 1;
    return {
      kind,
      col: Math.max(0, Math.min(most, col + turn * right)),
      row: Math.max(0, Math.min(most, row - turn * down)),
    };
  }

  /** The same place as another kind, within the board. @param {Place} place @param {Place["kind"]} kind @returns {Place} */
  as({ col, row }, kind) {
    const most = this.count(kind) - 1;
    return { kind, col: Math.min(most, col), row: Math.min(most, row) };
  }
}

/** Whether no wall overlaps or crosses this one. @param {Place} place @param {Place[]} walls */
function fits({ kind, col, row }, walls) {
  return !walls.some((wall) => {
    const [across, along] = [Math.abs(wall.col - col), Math.abs(wall.row - row)];
    return wall.kind !== kind ? !across && !along : kind === "h" ? across < 2 && !along : along < 2 && !across;
  });
}
