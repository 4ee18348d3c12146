//! How much one page may ask for, and how much memory all pages may take together. A page is told of a limit by the
//! catalogue or by an error; nothing is cut in silence.

use std::time::Duration;

/// Bytes that all pages together may take, unless told otherwise.
pub const MEMORY: usize = 2 << 30;
/// Bytes set aside for a study.
pub const STUDY: usize = 512 << 20;
/// Cells of a world.
pub const CELLS: usize = 4_194_304;
/// Cells along a side of a world.
pub const SIDE: usize = 8192;
/// Bytes of a file that a page brings.
pub const UPLOAD: usize = 16 << 20;
/// Bytes of a message: a file, and a head around it.
pub const MESSAGE: usize = UPLOAD + (64 << 10);
/// Pages at a time.
pub const SOCKETS: usize = 256;
/// Connections at a time besides those of pages.
pub const CONNECTIONS: usize = 128;
/// Time of a connection that does not become a page's.
pub const CONNECTION: Duration = Duration::from_mins(1);
/// Time to send a request in, unless told otherwise.
pub const REQUEST: Duration = Duration::from_secs(10);
/// Bytes of a request.
pub const HEAD: usize = 64 << 10;
/// Time that a command takes before it counts as long, and others need not wait for it.
pub const SHORT: Duration = Duration::from_millis(100);
/// Agents that walk in lock step.
pub const PANES: usize = 3;
/// Edits of one command.
pub const EDITS: usize = 65_536;
/// Cells that the edits of one command change, each counted as often as it is changed.
pub const EDITED_CELLS: usize = 2 * CELLS;
/// Bytes kept to undo and redo edits.
pub const HISTORY: usize = 64 << 20;
/// Edits of a walk that are kept for its record.
pub const RECORD: usize = 1_000_000;
/// Ticks of one command.
pub const TICKS: u32 = 10_000;
/// Bytes of a map file in the folder of maps.
pub const MAP_FILE: u64 = 64 << 20;
/// Worlds, and entrants, of a race.
pub const FIELD: usize = 32;
/// Queries, and edits, of a race on one world.
pub const TRIALS: usize = 10_000;
/// Runs of a query on end.
pub const REPEAT: usize = 100;
/// Races and studies at a time, of all pages.
pub const LABS: usize = 2;
/// Planners at a time that are built to their end although they were cancelled, of all pages.
pub const STRAYS: usize = 1;
/// Events of a trace.
pub const EVENTS: usize = 6_000_000;
/// Expansions between two looks at whether to go on.
pub const SLICE: u64 = 20_000;
/// Expansions of a search.
pub const EXPANSIONS: u64 = 100_000_000;
/// Time of a search.
pub const SEARCH: Duration = Duration::from_secs(20);
/// Messages in a row that cannot be read, after which a socket is closed.
pub const MALFORMED: u32 = 1000;
