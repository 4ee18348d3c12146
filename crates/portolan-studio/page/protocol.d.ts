/**
 * The messages that page and server exchange over `/socket`. This is the only place that describes them.
 *
 * In both directions, a message is a head of JSON, which may come with arrays of numbers. Without arrays it is a text
 * message: the JSON alone. With arrays it is a binary message, little-endian: the length of the JSON in bytes (u32),
 * the JSON, then the arrays one after the other, each starting at a multiple of four bytes from the start of the
 * message. `parts` in the head lists them in that order as [name, kind, count of numbers].
 *
 * Every command has an `id`, which its answer repeats. A command has one answer, except that `race` and `study` send
 * their progress first. Commands are carried out one after the other; a `cancel` does not wait for its turn.
 *
 * On a mesh, the polygons are cells in rows of 256: polygon 257 is in column 1 of row 1. The portals follow as further
 * cells, numbered polygon by polygon and corner by corner as they are met first. So weights, edits, events and labels have
 * the form that they have on grids; start, goal and route are points. Of the commands only `open`, `upload`, `edit`, `undo`,
 * `redo`, `find`, `rest`, `outline`, `save` and those of a crowd and of minds are possible there.
 *
 * In lists, cells are x, y; areas x, y, width, height; pairs x, y, x, y; edits x, y, width, height, and a weight (0 blocks) with 256 times the
 * kind of ground added. Sides count clockwise from 0, north, over 1, north-east; borders are 0 open, 1 closed, 2 crossed only on the way out of
 * the cell, 3 only on the way in. The borders of a world are x, y, side, border; its links x, y, x, y, cost, one for each direction.
 */

export type Kind = "u8" | "u16" | "u32" | "f32";
export type Part = [name: string, kind: Kind, count: number];
export type Spot = [x: number, y: number];
/** A point of a polygon of a mesh, in the units of the mesh from its `origin`. */
export type MeshSpot = [polygon: number, x: number, y: number];
export type AnySpot = Spot | MeshSpot;
export type Corners = "strict" | "no-squeeze" | "loose";
/**
 * The cells of a world that are not squares: hexes in columns and rows, of which odd rows lie half a cell further to the
 * right; or those of them that make a hexagon, the others being no cells. On all grids a place is named by its column and
 * row.
 */
export type HexGrid = "hex" | "hexagon";

export interface Head { id: number; parts?: Part[] }

// ---- Commands of the page ----

export type WorldRef =
  | { kind: "builtin"; name: string }
  | { kind: "made"; recipe: string; width: number; height: number; seed: number; settings: Record<string, string>; grid?: HexGrid }
  /** The mesh of a city. */
  | { kind: "city"; columns: number; rows: number; seed: number }
  | { kind: "map"; name: string }
  | { kind: "case"; name: string }
  /** A file that the page uploaded; it cannot be opened by its name. */
  | { kind: "file"; name: string };

/** The agents for which a mesh is built from geometry: lengths in its units, the slope in degrees, and the side of the cells that it is cut into. */
export interface MeshAgent { radius: number; height: number; climb: number; slope: number; cell: number }

export interface Entrant { algorithm: string; settings: Record<string, string> }

export interface PlayOptions {
  agents: Entrant[];
  /** The most traps at once, in percent of the free cells. */
  traps: number;
  /** Ticks between two updates of the traps. */
  every: number;
  seed: number;
  monsters: boolean;
  /** Whether monsters send those that they catch back to their start. */
  catching: boolean;
  influence: boolean;
  /** The followers of each agent. */
  followers: number;
  formation: "file" | "flock";
  /** What an agent does whose goal is cut off: it walks on until its old way is blocked, or stops at once. */
  obstructed: "walk-on" | "stop";
}

/** The answers of one who took part in a perceptual study, from 0 to 3. */
export interface Taken { participant: string; experiment: 1 | 2; seed: number; answers: number[] }

export type Command = Head & (
  | { do: "open"; world: WorldRef; corners: Corners; directions: 4 | 8; agent?: MeshAgent }
  /** Opens the file in part `bytes` (u8): a map, a picture, a drawing, hexes, a case, a mesh, or geometry to build one from. */
  | { do: "upload"; name: string; corners: Corners; directions: 4 | 8; agent?: MeshAgent }
  /**
   * Opens a world by its weights, for one without a usable name. Parts: `weights` (u8): row by row, 0 where blocked; and
   * `entities` (u16) as in `World`, if there are any; `kinds` (u8), `borders` and `links` as in `edit`, if there are any.
   */
  | { do: "restore"; name: string; width: number; height: number; grid?: HexGrid; corners: Corners; directions: 4 | 8 }
  /**
   * Applies the edits in parts `edits` (u16), `borders` (u16: x, y, width, height, side, border) and `links` (u32: x, y, x, y, cost or 0 to remove it,
   * 1 for both ways), of which there is at least one. Those of one stroke are undone together.
   */
  | { do: "edit"; stroke: number }
  | { do: "undo" }
  | { do: "redo" }
  /** Searches for a route. The search is repeated after every edit; its answer then comes with `Edited`. */
  | { do: "find"; algorithm: string; settings: Record<string, string>; from: AnySpot; to: AnySpot; nearest: boolean; trace: boolean }
  /** Forgets the latest `find`, which is then no longer repeated. */
  | { do: "rest" }
  /** Asks for what the planner of the latest `find` keeps for the world. */
  | { do: "outline" }
  /** Plans the route of the latest `find` once more, leg by leg. */
  | { do: "legs" }
  /** Asks for the tree that is kept for a port. */
  | { do: "tree"; port: Spot }
  /** Shows the world as an agent of a profile sees it, in words such as `size=2,water=no`: routes and fields are found there from now on. */
  | { do: "look"; profile: string }
  /** Asks how large a body fits in each cell. */
  | { do: "clearance" }
  /** Asks what it costs from every cell to a goal. */
  | { do: "field"; to: Spot }
  /** Asks for the world as a file: `hex` for hexes, `mesh` for meshes, the others for squares. */
  | { do: "save"; as: "map" | "png" | "txt" | "hex" | "mesh" }
  /**
   * Sends a crowd off, with random starts and goals. Radius and speed are in cells or in the units of the mesh. The crowd
   * walks in the world as it is now, and ends when the world is edited or agents or a game are sent off. With `whole`, agents
   * walk in whole numbers, on a graphics processor if the server has one, and there may be more of them.
   */
  | { do: "muster"; algorithm: string; settings: Record<string, string>; agents: number; radius: number; speed: number; seed: number; whole: boolean }
  /** Lets so many ticks of the crowd pass. */
  | { do: "march"; count: number }
  /**
   * Sends one to three agents off, in lock step, each with a planner of its own. Edits happen to all agents, and with
   * `case` so do the edits of the open case.
   */
  | { do: "sim"; panes: Entrant[]; from: Spot; to: Spot; replan: "touched" | "any"; case: boolean; trace: boolean }
  | { do: "tick"; count: number }
  /**
   * Sends one to four minds off, which walk on hexagons, each with settings of its own, and learn of edits when they see them. What
   * they are to know at first they learn before. All are made with one seed.
   */
  | { do: "minds"; minds: Record<string, string>[]; from: AnySpot; to: AnySpot; seed: number }
  /** Lets so many ticks of the minds pass. */
  | { do: "think"; count: number }
  /** Gives the agents or minds another goal; they walk towards it from the next tick on. */
  | { do: "aim"; to: AnySpot }
  /** Ends a walk, a crowd, a game, or the way of minds. */
  | { do: "end" }
  /** Begins a game of keys and doors on a copy of the world, if the world is a level. */
  | { do: "play" } & PlayOptions
  /** Lets so many ticks of the game pass. */
  | { do: "turn"; count: number; /** The agent of whose latest search the answer tells the cells. */ searched: number | null }
  /** Moves the player of the game one step; 0 is up, and directions go on clockwise to 7. */
  | { do: "steer"; heading: number; searched: number | null }
  /** Asks for what happened since `sim`, as a case file. */
  | { do: "record"; about: string }
  | { do: "race"; worlds: (WorldRef | "here")[]; entrants: Entrant[]; queries: number; seed: number; repeat: number; edits: number }
  | { do: "study"; name: string; maps: string | null; quick: boolean; seed: number }
  /** Asks for the 32 walks of a perceptual study, in the order that a seed draws. It needs no world. */
  | { do: "trials"; experiment: 1 | 2; seed: number }
  /**
   * Asks for what follows from answers to the walks: those in CSV files, in parts `file0`, `file1` … (u8), and those that were given on
   * the page, each list in the order of its seed.
   */
  | { do: "judge"; files: string[]; taken: Taken[] }
  /**
   * Cancels what is under way: a search gives up; a race or study, or a `find` whose planner is not built yet, ends
   * with a `Fault`. With `only`, no other command is cancelled. It has no answer.
   */
  | { do: "cancel"; only?: "find" }
);

// ---- Answers of the server ----

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
  mesh_algorithms: Algorithm[];
  /** The agents for which meshes are built unless others are asked for. */
  agent: MeshAgent;
  /** What can be set about a mind. */
  mind_params: Param[];
  recipes: { name: string; summary: string; params: Param[] }[];
  builtin: { name: string; width: number; height: number }[];
  /** The folder of map files, as text for people; null if there is none. */
  folder: string | null;
  maps: { name: string; width: number | null; height: number | null; /** Whether it is a mesh, or geometry to build one from. */ mesh?: true }[];
  cases: { name: string; about: string }[];
  studies: { name: string; title: string; summary: string; takes_maps: boolean }[];
  limits: { cells: number; upload: number; side: number; panes: number; /** Agents of a game. */ crew: number; /** Agents of a crowd. */ crowd: number; /** Agents of a crowd of whole numbers. */ whole_crowd: number; minds: number; /** Blocks of a city. */ blocks: number; /** Bytes of all tabs together. */ memory: number };
}

/**
 * Answers `open`, `upload` and `restore`. Parts: weights u8, row by row, 0 where blocked; entities u16, if there are any:
 * column, row and the character of the drawing for each key, door, character and monster; kinds u8, borders u16 and links u32, if there are any.
 *
 * Of a mesh, parts also: vertices f32 (x, y and height, from `origin`), corners u32 (vertices, polygon by polygon),
 * first-corners u32 (where the corners of each polygon begin, and at last their count), and beyond u32 (for each corner the
 * polygon beyond the edge that begins there, 4294967295 for a wall).
 */
export interface World extends Head {
  re: "world";
  name: string;
  ref: WorldRef;
  width: number;
  height: number;
  /** Squares have none. */
  grid?: HexGrid;
  /** How agents step on squares; hexes need no rules. */
  corners?: Corners;
  directions?: 4 | 8;
  straight: number;
  diagonal?: number;
  /** The least weight of a free cell. */
  least: number;
  free: number;
  bytes: number;
  mesh?: { polygons: number; portals: number; components: number; origin: [number, number, number]; /** Null if it was not built. */ agent: MeshAgent | null };
  /** The start and the goal to show first. */
  from: AnySpot;
  to: AnySpot;
  /** What each algorithm promises in this world, or what it would need to run there. */
  promises: Record<string, { promise: string } | { needs: string }>;
  /** The algorithms that run in this world, those first that are worth a race. */
  racers: string[];
  case: CaseInfo | null;
  /** Whether a game can be played, and why not; null if only terrain is drawn. */
  level: { fault: string | null } | null;
  /** The names of kinds of ground. */
  kinds: [kind: number, name: string][];
  floors?: [count: number, width: number, height: number];
}

export interface CaseInfo { name: string; about: string; replan: "touched" | "any"; ticks: number | null; with: Entrant | null; edits: number; last: number }

export type Outcome = "reached" | "partial" | "unreachable" | "out-of-budget" | "too-far";

export interface Stats {
  expanded: number; connecting: number; refining: number; generated: number; pushes: number; pops: number;
  decreases: number; reopened: number; open_max: number; open_mean: number;
}

export interface Census { clusters: number; nodes: number; inter_edges: number; intra_edges: number }

export interface Finding {
  /** The algorithm that searched. If `auto` chose it, `why` has the reason. */
  algorithm: string;
  settings: Record<string, string>;
  why: string | null;
  promise: string;
  outcome: Outcome;
  length: number | null;
  cost: number | null;
  steps: number | null;
  /** The length of the shortest route; null if there is none, or if finding it would take too long. */
  optimum: number | null;
  stats: Stats;
  /** Whether the planner was built for this answer. */
  built: boolean;
  build_us: number;
  /** The time of one search without a trace; the least of a few runs if they are short. */
  find_us: number;
  bytes: number;
  census: Census[];
  in_legs: boolean;
  /** Whether the trace was cut off because it grew too long. */
  cut: boolean;
}

/**
 * Answers `find`. Parts: route u16 (cells); with a trace, events u32 and costs u32, one of each for every event. An
 * event is its kind (see `Kinds` in trace.js) in the upper four bits and a cell's y * width + x in the others. Its cost
 * is that of the cell from the start (expand, push), that of the route (goal), or the limit (deepen).
 *
 * On a mesh, the route is f32 (x, y and height, from `origin`: where it begins, turns and ends), and corridor u32 has the
 * polygons that it passes.
 */
export interface Found extends Head, Finding { re: "found" }

export interface Repair {
  us: number;
  clusters: number;
  /** Whether the planner could not be repaired and was built anew. */
  rebuilt: boolean;
}

/**
 * Answers `edit`, `undo` and `redo`. Parts: patch u16 (edits), areas u16 (which were repaired); those of `Found`; borders u16 and links u32, all
 * that the world has now, if some have changed; seen u8 as in `Looked`, if an agent sees the world.
 */
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

/** Answers `look`. Parts: seen u8, the weights that the agent sees, row by row; empty for the agent that goes anywhere. */
export interface Looked extends Head { re: "looked"; free: number }

/** Answers `clearance`. Parts: sizes u8, the side of the largest square that fits with its upper left corner in each cell; of hexes, the radius and one. */
export interface Clearance extends Head { re: "clearance"; us: number; most: number }

/** Answers `field`. Parts: costs u32 and next u32 (y * width + x of the next cell), 4294967295 where there is none. */
export interface Field extends Head { re: "field"; us: number; dearest: number; bytes: number }

export interface Rested extends Head { re: "rested" }

/**
 * Answers `outline`. Parts: regions u16 (area, depth), lines u16 (areas), and for layer N, 0 being the lowest, portsN
 * u16 (cells), crossingsN u16 (pairs), waysN u16 (pairs), labelsN u32 (a region's number for every cell, or an empty
 * list).
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
  /** Why the agent has stopped; null if it has not. */
  why: string | null;
  /** Steps left. */
  left: number;
  /** The length of the route that the agent walks at present, from where that route began. */
  length: number;
  work: Work;
  /** Times: `repairs_us` and `finds_us` are totals, the others are those of the latest build, repair and search. */
  build_us: number;
  repair_us: number;
  repairs_us: number;
  find_us: number;
  finds_us: number;
  bytes: number;
  /** What happened since the last answer. */
  log: { tick: number; text: string; kind: string }[];
  /** Whether the parts hold a new route. */
  rerouted: boolean;
}

/**
 * Answers `sim`, `tick` and `aim`. Agents are told of an edit at once and act on it with the next tick. Parts: patch
 * u16 (edits of the case), and for pane N walkedN u16 (cells since the last answer) and, if it was rerouted, routeN u16
 * (what is left of the route), eventsN u32 and costsN u32 (the search that found the route, if traces are wanted).
 */
export interface Ticked extends Head { re: "ticked"; tick: number; done: boolean; panes: Pane[]; undo: number; redo: number }

/** The work of an agent for one goal. */
export interface Effort { inserts: number; removes: number; expanded: number; searches: number; steps: number; cost: number; ticks: number; caught: number; us: number }

/**
 * Answers `play`, `turn` and `steer`: how the game stands. Parts: traps u16 (cells); routes u16 (cells, what is left of each
 * agent's route) and route-ends u32 (after how many numbers each ends); sights u16 (cells that monsters see) and sight-ends
 * u32; heat u16 (column, row and influence of each free cell that has any).
 */
export interface Played extends Head {
  re: "played";
  tick: number;
  done: boolean;
  /** Whether the step of a `steer` was possible. */
  moved: boolean;
  /** The goals are numbered: 0 is the first key, 1 its door. An agent whose goal is one past the last has finished. */
  agents: { name: string; at: Spot; state: "walking" | "obstructed" | "waiting" | "finished"; goal: number; keys: number; goals: Effort[] }[];
  monsters: { at: Spot; letter: string; facing: [dx: number, dy: number]; mood: string }[];
  player: { at: Spot; keys: number; opened: number; steps: number; caught: number } | null;
  pairs: { letter: string; key: Spot; door: Spot }[];
  bytes: number;
}

/**
 * Answers `muster` and `march`. Parts: places f32 (x, y and height of each agent: on grids from the middle of the first cell,
 * on a mesh from `origin`), states u8 (for each agent the number of its state in `states`; in a crowd of whole numbers, as it
 * was up to 30 ticks ago).
 */
export interface Marched extends Head {
  re: "marched";
  tick: number;
  per_second: number;
  /** The mean time of a tick; 0 if none has passed. */
  tick_us: number;
  radius: number;
  /** The processor that computes a crowd of whole numbers; `null` for other crowds. */
  device: string | null;
  states: { name: string; why: string; /** How many agents are in it. */ count: number }[];
}

/** How a mind stands. */
export interface MindTold {
  state: "resting" | "walking" | "arrived" | "gave up";
  /** The steps of its present walk: exploring, walking back, following what it knows, going to the goal that it sees. */
  steps: [number, number, number, number];
  /** The steps of the shortest way, as the world is now; null if there is none. */
  least: number | null;
  /** How many hexagons it knows. */
  known: number;
  /** The greatest counter of a hexagon. */
  most: number;
  bytes: number;
}

/**
 * Answers `minds`, `think`, and `aim` while minds are under way. Places are cells (u16), and on a mesh x, y and height (f32, from `origin`), as
 * in routes. Parts: places (of the hexagons by number that the page has not been told of), and for mind N: walkedN (where it was after
 * each tick since the last answer; the first answer has where it begins), modesN u8 (how it chose the step of each, as in `steps`),
 * changedN u32 (hexagons whose counters changed), countersN u16 (their new counters), endsN u32 (how many of these there are after each
 * tick), plannedN (the route that it follows, if it follows one), and shortestN (the shortest way of its walk, if another has to be told).
 */
export interface Minded extends Head {
  re: "minded";
  tick: number;
  done: boolean;
  hexagons: number;
  /** How far the middles of hexagons are apart. */
  size: number;
  bytes: number;
  minds: MindTold[];
}

/**
 * Answers `trials`. Parts: weights0 and weights1 u8 (the environments, which are hexes), walks u16 (cells, in the order of the trials), and
 * walk-ends u32 (after how many numbers each walk ends).
 */
export interface Staged extends Head {
  re: "staged";
  experiment: 1 | 2;
  answers: [string, string, string, string];
  environments: { name: string; width: number; height: number }[];
  trials: { environment: number; pair: number; configuration: number; steps: number }[];
}

/** Answers `judge`, with both studies. Parts: csv u8 (all answers). */
export interface Judged extends Head { re: "judged"; experiments: Figures[] }

export interface Figures {
  experiment: 1 | 2;
  participants: number;
  judgements: number;
  configurations: [knowledge: number, delta: number, stretch: number][];
  /** How often each answer was given, by configuration. */
  counts: number[][];
  independence: { chi_squared: number; degrees: number; p: number; least_expected: number } | null;
  correlation: { rho: number; p: number } | null;
}

export interface Ended extends Head { re: "ended" }

export interface Progress extends Head { re: "progress"; done: number; total: number; what: string }

/** Answers `race` and `study`. Parts: html, json, tsv, csv u8: reports and tables; tsv and csv only for a race. */
export interface Result extends Head { re: "result"; name: string }

export interface Fault extends Head { re: "error"; message: string }

export type Answer =
  | Catalogue | World | Found | Edited | Rested | Looked | Clearance | Field | Outline | Legs | Tree | File | Ticked | Played | Marched | Minded | Staged | Judged | Ended | Progress | Result | Fault;
