/**
 * What page and server say to each other over `/socket`, and the only place where it is written down.
 *
 * Both ways a message is a head of JSON, which may bring arrays of numbers along. Without arrays it is a text message: the
 * JSON alone. With arrays it is a binary one, little-endian: the length of the JSON in bytes (u32), the JSON, then the
 * arrays one after the other, each starting at a multiple of four bytes from the start of the message. `parts` in the head
 * lists them in that order as [name, kind, count of numbers].
 *
 * Every command has an `id`, and what answers it has the same; a command has one answer, except that `race` and `study`
 * tell their progress first. Commands are carried out one after the other; `cancel` overtakes them.
 *
 * In lists, cells are x, y; areas x, y, width, height; pairs x, y, x, y; edits x, y, width, height, weight (0 blocks).
 */

export type Kind = "u8" | "u16" | "u32" | "f32";
export type Part = [name: string, kind: Kind, count: number];
export type Spot = [x: number, y: number];
export type Corners = "strict" | "no-squeeze" | "loose";

export interface Head { id: number; parts?: Part[] }

// ---- What the page asks ----

export type WorldRef =
  | { kind: "builtin"; name: string }
  | { kind: "made"; recipe: string; width: number; height: number; seed: number; settings: Record<string, string> }
  | { kind: "map"; name: string }
  | { kind: "case"; name: string }
  /** Brought by the page as a file; cannot be asked for by name. */
  | { kind: "file"; name: string };

export interface Entrant { algorithm: string; settings: Record<string, string> }

export type Command = Head & (
  | { do: "open"; world: WorldRef; corners: Corners; directions: 4 | 8 }
  /** A file in part `bytes` (u8): a map, a picture, a drawing, or a case. */
  | { do: "upload"; name: string; corners: Corners; directions: 4 | 8 }
  /** The world as the page has it, in part `weights` (u8), row by row, 0 where blocked: what cannot be opened by its name. */
  | { do: "restore"; name: string; width: number; height: number; corners: Corners; directions: 4 | 8 }
  /** Edits in part `edits` (u16). Those of one stroke are undone together. */
  | { do: "edit"; stroke: number }
  | { do: "undo" }
  | { do: "redo" }
  /** What is asked here is asked again after every edit; its answer then comes with `Edited`. */
  | { do: "find"; algorithm: string; settings: Record<string, string>; from: Spot; to: Spot; nearest: boolean; trace: boolean }
  /** Forgets what `find` asked for. */
  | { do: "rest" }
  /** What the planner of the latest `find` has drawn over the world. */
  | { do: "outline" }
  /** The route of the latest `find` once more, leg by leg. */
  | { do: "legs" }
  /** The tree kept for a port. */
  | { do: "tree"; port: Spot }
  | { do: "save"; as: "map" | "png" | "txt" }
  /** Sends one to three agents off, in lock step, each with a planner of its own. Edits and, with `case`, those of the case that is open happen to all. */
  | { do: "sim"; panes: Entrant[]; from: Spot; to: Spot; replan: "touched" | "any"; case: boolean; trace: boolean }
  | { do: "tick"; count: number }
  /** Sends the agents somewhere else; they set out with the next tick. */
  | { do: "aim"; to: Spot }
  | { do: "end" }
  /** What happened since `sim`, as a case file. */
  | { do: "record"; about: string }
  | { do: "race"; worlds: (WorldRef | "here")[]; entrants: Entrant[]; queries: number; seed: number; repeat: number; edits: number }
  | { do: "study"; name: string; maps: string | null; quick: boolean; seed: number }
  /**
   * Ends what is under way: a search gives up; a race or study, or a `find` whose planner is not built yet, ends with an
   * `Error`. With `only`, no other command is ended. Not answered.
   */
  | { do: "cancel"; only?: "find" }
);

// ---- What the server answers ----

export interface Param {
  name: string;
  help: string;
  default: string;
  range: { kind: "choice"; words: string[] } | { kind: "number" | "count"; least: number; most: number };
}

export interface Algorithm { name: string; title: string; summary: string; paper: string; params: Param[] }

/** Sent once, as soon as the socket is open, with id 0. */
export interface Catalogue extends Head {
  re: "catalogue";
  version: string;
  /** The first is `auto`, which has no settings. */
  algorithms: Algorithm[];
  recipes: { name: string; summary: string; params: Param[] }[];
  builtin: { name: string; width: number; height: number }[];
  /** Where map files were found, for people; null where nowhere. */
  folder: string | null;
  maps: { name: string; width: number | null; height: number | null }[];
  cases: { name: string; about: string }[];
  studies: { name: string; title: string; summary: string; takes_maps: boolean }[];
  limits: { cells: number; upload: number; side: number; panes: number; /** Bytes of all tabs together. */ memory: number };
}

/** Answers `open`, `upload` and `restore`. Parts: weights u8, row by row, 0 where blocked. */
export interface World extends Head {
  re: "world";
  name: string;
  ref: WorldRef;
  width: number;
  height: number;
  corners: Corners;
  directions: 4 | 8;
  straight: number;
  diagonal: number;
  /** The least weight of any ground: what no step can undercut. */
  least: number;
  free: number;
  bytes: number;
  /** Two cells worth a search. */
  from: Spot;
  to: Spot;
  /** What each algorithm promises here, or what it would need. */
  promises: Record<string, { promise: string } | { needs: string }>;
  case: CaseInfo | null;
}

export interface CaseInfo { name: string; about: string; replan: "touched" | "any"; ticks: number | null; with: Entrant | null; edits: number; last: number }

export type Outcome = "reached" | "partial" | "unreachable" | "out-of-budget" | "too-far";

export interface Stats {
  expanded: number; connecting: number; refining: number; generated: number; pushes: number; pops: number;
  decreases: number; reopened: number; open_max: number; open_mean: number;
}

export interface Census { clusters: number; nodes: number; inter_edges: number; intra_edges: number }

export interface Finding {
  /** The algorithm that searched: `auto` chooses one and says why. */
  algorithm: string;
  settings: Record<string, string>;
  why: string | null;
  promise: string;
  outcome: Outcome;
  length: number | null;
  cost: number | null;
  steps: number | null;
  /** The length of the shortest route; null where there is none, or where finding it would take too long. */
  optimum: number | null;
  stats: Stats;
  /** Whether the planner was built for this answer. */
  built: boolean;
  build_us: number;
  /** One search, unwatched; the least of a few where they are short. */
  find_us: number;
  bytes: number;
  census: Census[];
  in_legs: boolean;
  /** Whether the trace was cut off because it grew too long. */
  cut: boolean;
}

/**
 * Answers `find`. Parts: route u16 (cells); with a trace, events u32 and costs u32, as many each.
 * An event is its kind (see `Kinds` in trace.js) in the upper four bits and a cell's y * width + x in the others; its cost
 * is the cell's from the start (expand, push), that of the route (goal), or the limit (deepen).
 */
export interface Found extends Head, Finding { re: "found" }

export interface Repair {
  us: number;
  clusters: number;
  /** Whether the planner could not follow and was built anew. */
  rebuilt: boolean;
}

/** Answers `edit`, `undo` and `redo`. Parts: patch u16 (edits), areas u16 (what the repair redid), and those of `Found`. */
export interface Edited extends Head {
  re: "edited";
  undo: number;
  redo: number;
  least: number;
  free: number;
  apply_us: number;
  repair: Repair | null;
  found: Finding | { error: string } | null;
}

export interface Rested extends Head { re: "rested" }

/**
 * Answers `outline`. Parts: regions u16 (area, depth), lines u16 (areas), and for layer N, 0 being the lowest, portsN u16
 * (cells), crossingsN u16 (pairs), waysN u16 (pairs), labelsN u32 (a region's number for every cell, or nothing).
 */
export interface Outline extends Head { re: "outline"; algorithm: string; layers: number; bytes: number; census: Census[] }

/** Answers `legs`. Parts: waypoints u16 (cells), cells u16, ends u32 (after how many cells each leg ends). */
export interface Legs extends Head { re: "legs"; plan_us: number; refine_us: number[] }

/** Answers `tree`. Parts: steps u16 (pairs). */
export interface Tree extends Head { re: "tree"; port: Spot }

/** Answers `save` and `record`. Parts: bytes u8. */
export interface File extends Head { re: "file"; name: string }

export interface Work {
  searches: number; expanded: number; pushes: number; pops: number; decreases: number; open_mean: number; operations: number;
  repaired: number; walked: number;
}

export interface Pane {
  algorithm: string;
  title: string;
  at: Spot;
  to: Spot;
  state: "walking" | "arrived" | "stopped";
  /** Why it stands still. */
  why: string | null;
  /** Steps left. */
  left: number;
  /** Lengths walked, and of the route it walks at present, from where it began. */
  length: number;
  work: Work;
  /** The latest and all together. */
  build_us: number;
  repair_us: number;
  repairs_us: number;
  find_us: number;
  finds_us: number;
  bytes: number;
  /** What happened since the last answer. */
  log: { tick: number; text: string; kind: string }[];
  /** Whether there is a new route in the parts. */
  rerouted: boolean;
}

/**
 * Answers `sim`, `tick` and `aim`; agents hear of an edit at once and act on it with the next tick. Parts: patch
 * u16 (edits of the case), and for pane N walkedN u16 (cells since the last answer), and, where it was rerouted, routeN u16
 * (what is left), eventsN u32 and costsN u32 (the search that found it, where traces are wanted).
 */
export interface Ticked extends Head { re: "ticked"; tick: number; done: boolean; panes: Pane[]; undo: number; redo: number }

export interface Ended extends Head { re: "ended" }

export interface Progress extends Head { re: "progress"; done: number; total: number; what: string }

/** Answers `race` and `study`. Parts: html, json, tsv, csv u8: pages and tables to look at and to save; tsv and csv of a race only. */
export interface Result extends Head { re: "result"; name: string }

export interface Fault extends Head { re: "error"; message: string }

export type Answer =
  | Catalogue | World | Found | Edited | Rested | Outline | Legs | Tree | File | Ticked | Ended | Progress | Result | Fault;
