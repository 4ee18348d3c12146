//! How many bytes programs move, estimated from counts of what they look at: a floor under the time that they take.
//!
//! Not here: how long they take (`times.rs`).

use super::run::Runner;
use crate::chart::ChartWords;

/// What a batch has looked at.
#[derive(Copy, Clone, Default)]
pub(super) struct Counts {
    pub(super) tasks: u64,
    /// The portals of all corridors, with what is left over where short corridors lie beside long ones.
    pub(super) portals: u64,
    pub(super) corners: u64,
    /// For the search over portals and that over inter-edges: expansions, and the edges or fours of costs looked at.
    pub(super) searched: [[u64; 2]; 2],
}

/// The bytes of a word.
const WORD: u64 = 4;

/// Returns the bytes that each program of the latest batch has moved.
pub(super) fn of(runner: &Runner, words: &ChartWords) -> Vec<(&'static str, u64)> {
    let Counts { tasks, portals, corners, searched } = runner.counts();
    let [[expanded, looked], [borders_expanded, borders_looked]] = searched;
    let names: Vec<&'static str> = {
        let mut names = runner.parts().to_vec();
        names.dedup();
        names
    };
    let fours = mean_fours(words);
    let bytes = |name: &str| match name {
        // Two places and their nodes; what is noted for the task, and a counter.
        "tally" => tasks * (6 + 2 + 4 + 1) * WORD,
        "arrange" | "arrange_ways" => tasks * (4 + 1 + 1) * WORD,
        // The costs of pairs of inter-edges, rows of four portals at each end, and costs from the goal, kept and read for each four
        // of inter-edges of the start: all of them four at a time.
        "price" => tasks * (4 * fours * fours + 8 * fours + fours + fours * fours) * 4 * WORD,
        // An entry of the open list with its bucket, a record, the portal before, polygons and a middle; for each edge a portal, its
        // middle and its record.
        "search" => expanded * (4 + 3 + 3 + 2 + 2) * WORD + looked * (1 + 2 + 2) * WORD,
        // The same of an inter-edge, its nodes and one of these; four costs at a time.
        "search_borders" => borders_expanded * (4 + 5 + 4 + 8) * WORD + borders_looked * 4 * WORD,
        // A step and a portal.
        "count" => portals * 6 + tasks * 6 * WORD,
        // A step, the portal with its polygons, a gate that is written and read, and its ends.
        "walk" => portals * (2 + (4 + 2 + 4) * WORD) + tasks * 10 * WORD,
        "gather" => corners * 2 * WORD + tasks * 4 * WORD,
        // Lengths are read and written twice.
        _ => tasks * 4 * WORD,
    };
    names.into_iter().map(|name| (name, bytes(name))).collect()
}

/// Returns how many fours of inter-edges a node has on average.
fn mean_fours(words: &ChartWords) -> u64 {
    words.fours_by_node().map(u64::from).sum::<u64>() / u64::from(words.nodes.max(1))
}
