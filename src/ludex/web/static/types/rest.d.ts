/** The methods of `shell/api.js`, typed by the server's OpenAPI document. */

import type { components } from "./api.js";

export type Schemas = components["schemas"];
type MatchView = Schemas["MatchView"];

export interface Rest {
  games: () => Promise<Schemas["Games"]>;
  /** What people call a board, and who plays it. */
  board: (game: string, preset: string) => Promise<Schemas["BoardCard"]>;
  preparation: () => Promise<Schemas["Preparations"]>;
  matches: (which: {
    limit?: number;
    before?: string | null;
    game?: string;
    yours?: boolean;
  }) => Promise<Schemas["MatchList"]>;
  create: (wish: Partial<Schemas["NewMatch"]> & { game: string; seats: string[] }) => Promise<MatchView>;
  /** `text` is that of a match file. */
  bring: (text: string) => Promise<MatchView>;
  match: (id: string, ply?: number, picture?: true) => Promise<MatchView>;
  remove: (id: string) => Promise<void>;
  facts: (id: string) => Promise<Schemas["MatchFactsView"]>;
  stage: (id: string) => Promise<Schemas["BoardModel"]>;
  legal: (id: string) => Promise<Schemas["LegalMoves"]>;
  move: (id: string, version: number, text: string) => Promise<MatchView>;
  undo: (id: string, version: number) => Promise<MatchView>;
  resign: (id: string, version: number) => Promise<MatchView>;
  judge: (id: string, text: string) => Promise<Schemas["Trial"]>;
  fork: (id: string, ply: number, seats: string[]) => Promise<MatchView>;
  analyse: (
    id: string,
    wish: { agent: string | null; ply: number; movetime_ms: number; kind: "hint" | "analysis"; about?: string },
  ) => Promise<Schemas["Analysis"]>;
  invite: (id: string) => Promise<Schemas["Invitation"]>;
  /** Offer a rematch to the other person, or accept theirs: the new match. */
  rematch: (id: string) => Promise<MatchView>;
  join: (id: string, invitation: string) => Promise<MatchView>;
  /** The address of the match file. */
  file: (id: string) => string;
  tournaments: () => Promise<Schemas["TournamentList"]>;
  tournament: (name: string) => Promise<Schemas["TournamentDetail"]>;
  ladder: (name: string) => Promise<Schemas["LadderState"]>;
  tournamentGames: (
    name: string,
    which: { limit: number; before: number | null; agent: string | null; opponent: string | null },
  ) => Promise<Schemas["GameList"]>;
  leaderboard: () => Promise<Schemas["Leaderboard"]>;
  /** The other people on it. */
  people: () => Promise<Schemas["PeopleOnBoards"]>;
  /** A match that a friend may play too, from a ply on. */
  ghost: (of: { match: string; ply?: number }) => Promise<Schemas["GhostView"]>;
  levelOffers: () => Promise<Schemas["LevelOffers"]>;
  /** With the `id` of a match: whether it counts. */
  ratings: (id?: string) => Promise<Schemas["PersonalRatings"]>;
}

/** The methods of `shell/jobsapi.js`. */
export interface JobsRest {
  all: () => Promise<Schemas["Jobs"]>;
  one: (id: string) => Promise<Schemas["JobDetail"]>;
  /** Put a job into the queue; for the administrator. */
  start: (wish: JobWish) => Promise<Schemas["JobLine"]>;
  pause: (id: string) => Promise<Schemas["JobLine"]>;
  resume: (id: string) => Promise<Schemas["JobLine"]>;
  cancel: (id: string) => Promise<Schemas["JobLine"]>;
  remove: (id: string) => Promise<void>;
  /** What a language model answered. */
  answers: (id: string, names: "own" | "relabelled") => Promise<Schemas["ModelAnswers"]>;
  quickTrainings: () => Promise<Schemas["QuickTrainings"]>;
  /** What can be a job. */
  operations: () => Promise<Schemas["Operations"]>;
  /** The options of an operation, from which a form is made. */
  operation: (name: string) => Promise<Schemas["Description"]>;
  trainings: (game: string) => Promise<Schemas["Trainings"]>;
}

/** The request of a job: the rest has defaults. */
export type JobWish =
  | (Partial<Schemas["TrainRequest"]> & { kind: "train"; game: string })
  | (Partial<Schemas["TournamentRequest"]> & { kind: "tournament"; game: string; agents: string[] });

/** The methods of `shell/labapi.js`. */
export interface LabRest {
  runs: () => Promise<Schemas["Runs"]>;
  run: (name: string) => Promise<Schemas["RunDetail"]>;
  figures: (name: string, row: number | null) => Promise<Schemas["RunFigures"]>;
  metrics: (name: string, after: number) => Promise<Schemas["RunMetrics"]>;
  /** Of runs or experiments by name; null for the metric that matters, and for its own axis. */
  compare: (runs: string[], metric: string | null, axis: string | null) => Promise<Schemas["Comparison"]>;
  /** The address of a comparison's file. */
  comparison: (runs: string[], metric: string | null, axis: string | null, format: "csv" | "svg" | "png") => string;
  note: (name: string) => Promise<Schemas["RunNote"]>;
  writeNote: (name: string, note: string) => Promise<Schemas["RunNote"]>;
  administrator: () => Promise<Schemas["AdministratorStatus"]>;
  /** `token` is that of a login link, or the server's own. */
  logIn: (token: string) => Promise<Schemas["AdministratorStatus"]>;
  logOut: () => Promise<Schemas["AdministratorStatus"]>;
}

/** The methods of `shell/agentapi.js`. */
export interface AgentRest {
  checkpoints: (name: string) => Promise<Schemas["RunCheckpoints"]>;
  /** What was measured of a run. */
  learned: (name: string) => Promise<Schemas["RunLearned"]>;
  /** What a step would do in a position in which the first and the last one differ; `place` is `NUMBER/STEP`. */
  choice: (name: string, place: string) => Promise<Schemas["StepChoice"]>;
  /** The game of every measured step after so many plies. */
  film: (name: string, ply: number) => Promise<Schemas["Film"]>;
  /** The address of the file of an agent of a run. */
  checkpointFile: (name: string, step: number) => string;
  /** Start a tournament as a job of the laboratory. */
  tournament: (game: string, preset: string | null, players: string[], games: number) => Promise<unknown>;
  kept: () => Promise<Schemas["KeptAgents"]>;
  keep: (name: string, step: number, title: string) => Promise<Schemas["KeptAgentLine"]>;
  bring: (wish: Schemas["ImportRequest"]) => Promise<Schemas["KeptAgentLine"]>;
  /** The address of the file of a kept agent. */
  file: (name: string) => string;
  remove: (name: string) => Promise<void>;
}
