//! Many queries at once on a world of any kind.
//!
//! Not here: how they are answered ([`Planner::find_many`](crate::Planner::find_many)).

use super::planner::hex_query;
use super::{AnyPlanner, AnySnapshot, as_asked, cell};
use crate::batch::BatchScratch;
use crate::batch::answers::Answers;
use crate::id::HexCell;
use crate::query::{Query, Stale};
use crate::space::hex::HexGrid;

/// The working memory of [`AnyPlanner::find_many`]: see [`BatchScratch`].
pub struct AnyBatchScratch {
    square: BatchScratch,
    hex: BatchScratch<HexGrid>,
    /// The queries of a batch on hexes.
    hex_queries: Vec<Query<HexCell>>,
}

impl AnyBatchScratch {
    /// Returns a scratch for batches that are answered by this many threads: see [`BatchScratch::new`].
    pub fn new(threads: usize) -> AnyBatchScratch {
        let (square, hex) = (BatchScratch::new(threads), BatchScratch::new(threads));
        AnyBatchScratch { square, hex, hex_queries: Vec::new() }
    }

    /// Returns how many threads answer a batch.
    pub fn threads(&self) -> usize {
        self.square.threads()
    }
}

impl AnyPlanner {
    /// Answers many queries, shared between the threads of the scratch: see
    /// [`Planner::find_many`](crate::Planner::find_many).
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn find_many(
        &self,
        world: &AnySnapshot,
        queries: &[Query],
        scratch: &mut AnyBatchScratch,
    ) -> Result<Answers, Stale> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                planner.find_many(world, queries, &mut scratch.square)
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                scratch.hex_queries.clear();
                scratch.hex_queries.extend(queries.iter().map(|&query| hex_query(query)));
                let answers = planner.find_many(world, &scratch.hex_queries, &mut scratch.hex)?;
                Ok(answers.map(cell, |query, error| as_asked(error, &[queries[query].from, queries[query].to])))
            }
            _ => Err(self.stale(world)),
        }
    }
}
