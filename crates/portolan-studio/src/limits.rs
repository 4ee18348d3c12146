//! The limits: how much one page may ask for, and how much memory all pages may take together. A page learns of a limit
//! from the catalogue, from an error or from the answer. Not here: checking the limits.

use std::time::Duration;

/// Most bytes that all pages together may take, unless `Config::memory` says otherwise.
pub const MEMORY: usize = 2 << 30;
/// Bytes of memory that are reserved for one study while it runs.
pub const STUDY: usize = 512 << 20;
/// Most cells that a world may have.
pub const CELLS: usize = 4_194_304;
/// Most cells along one side of a world.
pub const SIDE: usize = 8192;
/// Most polygons that a mesh may have.
pub const POLYGONS: usize = 250_000;
/// Most blocks of a city.
pub const BLOCKS: usize = 400;
/// Most cells, seen from above, that level geometry is cut into.
pub const COLUMNS: f64 = 67_108_864.0;
/// Most agents of a crowd.
pub const CROWD: usize = 5_000;
/// Most agents of a crowd of whole numbers.
pub const WHOLE_CROWD: usize = 30_000;
/// Most bytes of a file that a page uploads.
pub const UPLOAD: usize = 16 << 20;
/// Most bytes of one message: an uploaded file, and the head before it.
pub const MESSAGE: usize = UPLOAD + (64 << 10);
/// Most pages that are served at a time.
pub const SOCKETS: usize = 256;
/// Most connections at a time that are not the socket of a page.
pub const CONNECTIONS: usize = 128;
/// Time after which a connection that has not become the socket of a page is closed.
pub const CONNECTION: Duration = Duration::from_mins(1);
/// Time in which a connection must send a request, unless `Config::patience` says otherwise.
pub const REQUEST: Duration = Duration::from_secs(10);
/// Most bytes that are buffered for a request.
pub const HEAD: usize = 64 << 10;
/// Time after which a running command counts as long. A long command gives up its place among the commands that run at
/// a time, so that short commands of other pages need not wait for it.
pub const SHORT: Duration = Duration::from_millis(100);
/// Most agents that walk in lock step.
pub const PANES: usize = 3;
/// Most agents that play a game.
pub const CREW: usize = 8;
/// Most followers of an agent in a game.
pub const FOLLOWERS: usize = 50;
/// Most characters, monsters, keys and doors of a level.
pub const ENTITIES: usize = 10_000;
/// Most minds that walk at a time.
pub const MINDS: usize = 4;
/// Most hexagons that minds walk on.
pub const HEXAGONS: usize = 270_000;
/// Counters that change in the ticks of one command, after which it ends early.
pub const CHANGES: usize = 1_000_000;
/// Most files of results that are read at a time.
pub const RESULT_FILES: usize = 24;
/// Most people that take part in a study on one page.
pub const PARTICIPANTS: usize = 500;
/// Most edits of one command.
pub const EDITS: usize = 65_536;
/// Most cells that the edits of one command change; a cell counts as often as it is changed.
pub const EDITED_CELLS: usize = 2 * CELLS;
/// Most bytes that are kept to undo and redo edits.
pub const HISTORY: usize = 64 << 20;
/// Most edits of a walk that are kept to record it as a case.
pub const RECORD: usize = 1_000_000;
/// Most ticks that one command carries out.
pub const TICKS: u32 = 10_000;
/// Most ticks of a crowd that one command carries out: four seconds of it.
pub const MARCH: u32 = 240;
/// Most bytes of a map file in the folder of maps.
pub const MAP_FILE: u64 = 64 << 20;
/// Most worlds, and most entrants, of a race.
pub const FIELD: usize = 32;
/// Most queries, and most edits, of a race on one world.
pub const TRIALS: usize = 10_000;
/// Most runs of one query, one after the other, in a race.
pub const REPEAT: usize = 100;
/// Most races and studies that run at a time, for all pages together.
pub const LABS: usize = 2;
/// Most planners at a time that are built to their end although their command was cancelled, for all pages together.
pub const STRAYS: usize = 1;
/// Most events of a trace.
pub const EVENTS: usize = 6_000_000;
/// Expansions between two checks of whether a search may go on.
pub const SLICE: u64 = 20_000;
/// Most expansions of a search.
pub const EXPANSIONS: u64 = 100_000_000;
/// Longest time of a search.
pub const SEARCH: Duration = Duration::from_secs(20);
/// Unreadable messages in a row after which a socket is closed.
pub const MALFORMED: u32 = 1000;
