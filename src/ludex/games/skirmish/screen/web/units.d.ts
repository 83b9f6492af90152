/** What the map and the lists are drawn from. */

export interface Hex {
  /** Its number. */
  hex: number;
  col: number;
  row: number;
  x: number;
  y: number;
  name: string;
}

export interface Weapon {
  name: string;
  range: number;
  attacks: number;
  skill: number;
  strength: number;
  ap: number;
  damage: number;
  keywords: string[];
}

/** A unit with what changes of it. */
export interface Unit {
  unit: number;
  id: string;
  name: string;
  symbol: string;
  player: 1 | 2;
  move: number;
  toughness: number;
  save: number;
  invulnerable_save: number | null;
  /** When it is whole. */
  wounds: number;
  value: number;
  weapons: Weapon[];
  /** Wounds it still has. */
  left: number;
  hex: number | null;
  /** -1 and -1 while it stands nowhere. */
  col: number;
  row: number;
  deployed: boolean;
  ready: boolean;
  advanced: boolean;
  fled: boolean;
  charged: boolean;
  alive: boolean;
}

export interface Picture {
  /** By number. */
  hexes: Map<number, Hex>;
  units: Unit[];
  /** The unit on a hex. */
  at: Map<number, Unit>;
  byId: Map<string, Unit>;
}

/** Something that the last action did. */
export interface Effect {
  kind: "move" | "charge" | "attack";
  /** By number. */
  unit: number;
  target?: number;
  from?: number | null;
  at: number | null;
  /** Kind, die, and whether it succeeded. */
  rolls?: ["hit" | "wound" | "save" | "charge", number, boolean][];
  lost?: number;
  destroyed?: boolean;
  failed?: boolean;
}
