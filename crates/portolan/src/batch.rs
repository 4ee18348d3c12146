//! Many queries at once on the CPU: [`Planner::find_many`] shares them between threads and returns all answers in flat
//! arrays ([`Answers`]).
//!
//! The queries are divided into chunks of neighbouring queries. Each thread takes the next chunk from a counter, answers
//! its queries in a scratch of its own, and appends the answers to the result when all chunks before it are there. So the
//! result does not depend on the number of threads, and copying it overlaps with searching.
//!
//! Not here: how a single query is answered (`planner/searching.rs`), the result (`batch/answers.rs`), batches on other
//! processors (`batch/elsewhere.rs`), and queries that share a start when only their costs are wanted (`many.rs`).

pub(crate) mod answers;
pub(crate) mod elsewhere;
mod joined;

use crate::memory::held;
use crate::planner::Planner;
use crate::query::{Query, Stale};
use crate::scratch::Scratch;
use crate::space::square::SquareGrid;
use crate::space::{Snapshot, Space};
use answers::Answers;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{mem, thread};

/// The working memory of [`Planner::find_many`]: a [`Scratch`] and a small buffer for each thread. Keep it from batch to
/// batch, so that a batch allocates little more than its answers.
pub struct BatchScratch<S: Space = SquareGrid> {
    workers: Vec<Worker<S>>,
    /// The first of all equal queries, by query.
    firsts: FirstByQuery,
    /// Buffers for answers of chunks that wait for an earlier chunk.
    spare: Vec<Answers<S::Place>>,
}

/// The memory of one thread.
struct Worker<S: Space> {
    scratch: Scratch<S>,
    /// The answers to the queries of one chunk.
    part: Answers<S::Place>,
}

impl<S: Space> BatchScratch<S> {
    /// Returns a scratch for batches that are answered by this many threads, the calling one included; 0 means one for
    /// each core of the machine. The answers do not depend on the number.
    pub fn new(threads: usize) -> BatchScratch<S> {
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            given => given,
        };
        let worker = || Worker { scratch: Scratch::new(), part: Answers::new() };
        let workers = (0..threads).map(|_| worker()).collect();
        BatchScratch { workers, firsts: FirstByQuery::default(), spare: Vec::new() }
    }

    /// Returns how many threads answer a batch.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Returns the bytes that the scratch holds.
    pub fn bytes(&self) -> usize {
        let workers: usize = self.workers.iter().map(|worker| worker.scratch.bytes() + worker.part.bytes()).sum();
        workers
            + held(&self.firsts.table)
            + held(&self.firsts.first)
            + self.spare.iter().map(Answers::bytes).sum::<usize>()
    }
}

/// For each query of a batch, the first query that is equal to it.
#[derive(Default)]
struct FirstByQuery {
    /// Numbers of queries, each in a place near that of its hash; [`EMPTY`] elsewhere. There are at least twice as many
    /// places as queries.
    table: Vec<u32>,
    /// The number of the first equal query by query; empty if no two queries are equal.
    first: Vec<u32>,
}

/// A place of the table that has no query.
const EMPTY: u32 = u32::MAX;

/// The most queries of a batch among which equal ones are looked for: their numbers fit four bytes.
const MOST_COMPARED: usize = 1 << 30;

impl FirstByQuery {
    /// Fills the table for these queries.
    fn fill<P: Copy + Eq + Hash>(&mut self, queries: &[Query<P>]) {
        self.first.clear();
        if queries.len() > MOST_COMPARED {
            return;
        }
        let places = (2 * queries.len()).next_power_of_two();
        self.table.clear();
        self.table.resize(places, EMPTY);
        self.first.reserve(queries.len());
        let mut has_equal = false;
        for (number, query) in queries.iter().enumerate() {
            let mut hasher = Mixer(0);
            query.hash(&mut hasher);
            let mut place = hasher.finish() as usize & (places - 1);
            loop {
                let known = self.table[place];
                if known == EMPTY {
                    self.table[place] = number as u32;
                    self.first.push(number as u32);
                    break;
                }
                if queries[known as usize] == *query {
                    self.first.push(known);
                    has_equal = true;
                    break;
                }
                place = (place + 1) & (places - 1);
            }
        }
        if !has_equal {
            self.first.clear();
        }
    }

    /// Returns the number of the first query that is equal to this one.
    fn of(&self, query: usize) -> usize {
        self.first.get(query).map_or(query, |&first| first as usize)
    }
}

/// A quick hash for queries: every number is mixed in by a multiplication. Batches are not chosen to collide, and if one
/// is, it is only slow.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(29) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// The most queries of a chunk. The cells of their routes fit into the cache of a core, from which they are copied.
const MOST_PER_CHUNK: usize = 64;

/// How many chunks there are for each thread at least, so that all threads end at about the same time.
const CHUNKS_PER_THREAD: usize = 16;

/// A batch that threads work on.
struct Batch<'a, S: Space> {
    planner: &'a Planner<S>,
    world: &'a Snapshot<S>,
    queries: &'a [Query<S::Place>],
    firsts: &'a FirstByQuery,
    per_chunk: usize,
    /// The number of the next chunk that no thread has taken.
    next: AtomicUsize,
    assembly: Mutex<Assembly<'a, S>>,
}

/// The result while it is put together, chunk by chunk in their order.
struct Assembly<'a, S: Space> {
    answers: &'a mut Answers<S::Place>,
    /// How many chunks have been appended.
    chunks: usize,
    /// The answers of later chunks, by chunk.
    waiting: BTreeMap<usize, Answers<S::Place>>,
    spare: &'a mut Vec<Answers<S::Place>>,
}

impl<S: Space> Planner<S> {
    /// Answers many queries, shared between the threads of the scratch. Each answer is the one that [`Planner::find`]
    /// gives, and the arrays are equal for any number of threads. A query that is itself an error is told in its place
    /// ([`AnswerKind::is_error`](crate::AnswerKind::is_error)) and does not end the batch. Equal queries are answered
    /// once.
    ///
    /// ```
    /// use portolan::{AnswerKind, BatchScratch, Cell, Planner, Query, Rules, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// let planner = Planner::new(&world, "rhumb")?;
    /// let queries = [Query::new((1, 1), (60, 33)), Query::new((5, 9), (5, 900)), Query::new((4, 4), (7, 4))];
    /// let answers = planner.find_many(&world, &queries, &mut BatchScratch::new(2))?;
    /// assert_eq!(answers.kinds(), [AnswerKind::Reached, AnswerKind::OffMap, AnswerKind::Reached]);
    /// assert_eq!(answers.offsets(), [0, 60, 60, 64]);
    /// assert_eq!(answers.route(2), [4, 5, 6, 7].map(|x| Cell::new(x, 4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn find_many(
        &self,
        world: &Snapshot<S>,
        queries: &[Query<S::Place>],
        scratch: &mut BatchScratch<S>,
    ) -> Result<Answers<S::Place>, Stale> {
        let mut answers = Answers::new();
        self.find_many_into(world, queries, scratch, &mut answers)?;
        Ok(answers)
    }

    /// Answers many queries as [`Planner::find_many`] does, and writes the answers over those of an earlier batch, whose
    /// memory is used again.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world; `answers` is then unchanged.
    pub fn find_many_into(
        &self,
        world: &Snapshot<S>,
        queries: &[Query<S::Place>],
        scratch: &mut BatchScratch<S>,
        answers: &mut Answers<S::Place>,
    ) -> Result<(), Stale> {
        self.check_knows(world)?;
        answers.clear();
        answers.reserve(queries.len());
        let BatchScratch { workers, firsts, spare } = scratch;
        firsts.fill(queries);
        let per_chunk = (queries.len() / (workers.len() * CHUNKS_PER_THREAD)).clamp(1, MOST_PER_CHUNK);
        let batch = Batch {
            planner: self,
            world,
            queries,
            firsts,
            per_chunk,
            next: AtomicUsize::new(0),
            assembly: Mutex::new(Assembly { answers, chunks: 0, waiting: BTreeMap::new(), spare }),
        };
        let needed = queries.len().div_ceil(per_chunk).max(1);
        let (own, others) = workers.split_first_mut().expect("a batch has at least one thread");
        thread::scope(|scope| {
            for worker in others.iter_mut().take(needed - 1) {
                scope.spawn(|| batch.work(worker));
            }
            batch.work(own);
        });
        Ok(())
    }
}

impl<S: Space> Batch<'_, S> {
    /// Answers chunk after chunk until no chunk is left.
    fn work(&self, worker: &mut Worker<S>) {
        loop {
            // The counter hands out numbers and nothing else; the lock orders what the threads write.
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            let queries = self.queries_of(chunk);
            if queries.is_empty() {
                return;
            }
            worker.part.clear();
            for query in queries.filter(|&query| self.firsts.of(query) == query) {
                worker.part.push(self.planner.find(self.world, self.queries[query], &mut worker.scratch));
            }
            // If a search panics, its thread does not hold the lock.
            let mut assembly = self.assembly.lock().unwrap_or_else(PoisonError::into_inner);
            assembly.take(self, chunk, &mut worker.part);
        }
    }

    /// Returns the numbers of the queries of a chunk; none if there is no such chunk.
    fn queries_of(&self, chunk: usize) -> Range<usize> {
        let end = |chunk: usize| chunk.saturating_mul(self.per_chunk).min(self.queries.len());
        end(chunk)..end(chunk + 1)
    }
}

impl<S: Space> Assembly<'_, S> {
    /// Appends the answers of a chunk, and of the chunks after it that have waited for it. If an earlier chunk is
    /// missing, the answers wait, and `part` becomes another buffer.
    fn take(&mut self, batch: &Batch<S>, chunk: usize, part: &mut Answers<S::Place>) {
        if chunk != self.chunks {
            let other = self.spare.pop().unwrap_or_default();
            self.waiting.insert(chunk, mem::replace(part, other));
            return;
        }
        self.append(batch, part);
        while let Some(part) = self.waiting.remove(&self.chunks) {
            self.append(batch, &part);
            self.spare.push(part);
        }
    }

    /// Appends the answers of the next chunk, which has one answer for each query without an equal one before it.
    fn append(&mut self, batch: &Batch<S>, part: &Answers<S::Place>) {
        let queries = batch.queries_of(self.chunks);
        self.chunks += 1;
        if part.len() == queries.len() {
            self.answers.append(part);
            return;
        }
        let mut own = 0..part.len();
        for query in queries {
            let first = batch.firsts.of(query);
            if first < query {
                self.answers.repeat(first);
            } else {
                self.answers.append_one(part, own.next().expect("each first query has an answer"));
            }
        }
    }
}
