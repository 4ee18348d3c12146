//! Tasks and routes as the programs know them, and as callers do: by several threads of the CPU, because on a fast processor this
//! takes longer than finding the routes.
//!
//! Not here: moving them to the processor and back (`run.rs`).

use super::TASK;
use super::run::{UNKNOWN, Written};
use portolan::{Cost, MeshPoint, Motion, NavMesh, Routed, Snapshot, Space};
use std::thread;

/// A thread is given at least so many tasks: fewer are done before it has begun.
const LEAST_PER_THREAD: usize = 2048;

fn per_thread(tasks: usize, threads: usize) -> usize {
    tasks.div_ceil(threads).max(LEAST_PER_THREAD)
}

/// Returns the words of tasks.
pub(super) fn task_words(tasks: &[(MeshPoint, MeshPoint)], threads: usize) -> Vec<u32> {
    let mut words = vec![0; TASK * tasks.len()];
    let size = per_thread(tasks.len(), threads);
    let write = |tasks: &[(MeshPoint, MeshPoint)], words: &mut [u32]| {
        for (&(from, to), words) in tasks.iter().zip(words.chunks_exact_mut(TASK)) {
            for (at, words) in [from, to].into_iter().zip(words.chunks_exact_mut(TASK / 2)) {
                words.copy_from_slice(&[at.polygon, at.x.cast_unsigned(), at.y.cast_unsigned()]);
            }
        }
    };
    let mut parts = tasks.chunks(size).zip(words.chunks_mut(TASK * size));
    let own = parts.next();
    thread::scope(|scope| {
        for (tasks, words) in parts {
            scope.spawn(move || write(tasks, words));
        }
        if let Some((tasks, words)) = own {
            write(tasks, words);
        }
    });
    words
}

/// What corners are read with: the polygons of each portal, and where its ends lie.
pub(super) struct Corners {
    pub(super) polygons: Vec<[u32; 2]>,
    pub(super) spans: Vec<[[i32; 2]; 2]>,
}

impl Corners {
    /// Returns the place of a corner: an end of a portal, on the polygon behind it.
    fn place(&self, corner: u32) -> MeshPoint {
        let (portal, leaves_first, is_left) = ((corner >> 2) as usize, corner >> 1 & 1, corner & 1);
        let [x, y] = self.spans[portal][usize::from(leaves_first != 1 - is_left)];
        MeshPoint { polygon: self.polygons[portal][leaves_first as usize], x, y }
    }
}

/// What routes are read with.
pub(super) struct Reader<'a> {
    pub(super) world: &'a Snapshot<NavMesh>,
    pub(super) corners: &'a Corners,
    pub(super) threads: usize,
}

/// Some tasks, and where their routes go.
struct Part<'a> {
    first: usize,
    tasks: &'a [(MeshPoint, MeshPoint)],
    costs: &'a mut [Option<Cost>],
    places: &'a mut [MeshPoint],
}

impl Reader<'_> {
    /// Appends the routes of tasks.
    pub(super) fn append(&self, tasks: &[(MeshPoint, MeshPoint)], written: &Written, routed: &mut Routed<MeshPoint>) {
        let Some(&(filler, _)) = tasks.first() else { return };
        let (task, begin) = (routed.costs.len(), routed.places.len());
        let mut end = begin as u64;
        routed.offsets.extend((0..tasks.len()).map(|task| {
            end += written.length(task) as u64;
            end
        }));
        routed.costs.resize(task + tasks.len(), None);
        routed.places.resize(end as usize, filler);
        let size = per_thread(tasks.len(), self.threads);
        let (mut costs, mut places) = (&mut routed.costs[task..], &mut routed.places[begin..]);
        let mut parts = Vec::new();
        for (part, tasks) in tasks.chunks(size).enumerate() {
            let ends = [part * size, part * size + tasks.len()].map(|number| routed.offsets[task + number]);
            let (own_costs, other_costs) = costs.split_at_mut(tasks.len());
            let (own_places, other_places) = places.split_at_mut((ends[1] - ends[0]) as usize);
            parts.push(Part { first: part * size, tasks, costs: own_costs, places: own_places });
            (costs, places) = (other_costs, other_places);
        }
        thread::scope(|scope| {
            let own = parts.pop();
            for part in parts {
                scope.spawn(|| self.fill(part, written));
            }
            if let Some(part) = own {
                self.fill(part, written);
            }
        });
    }

    fn fill(&self, part: Part, written: &Written) {
        let counts_unit_weight = self.world.uniform_weight() == Some(1);
        let Part { first, tasks, costs, mut places } = part;
        for (number, (&(from, to), cost)) in tasks.iter().zip(costs).enumerate() {
            let (route, rest) = places.split_at_mut(written.length(first + number));
            places = rest;
            let [begin, inner @ .., end] = route else { continue };
            (*begin, *end) = (from, to);
            for (place, &corner) in inner.iter_mut().zip(written.corners_of(first + number)) {
                *place = self.corners.place(corner);
            }
            *cost =
                if counts_unit_weight { Some(Cost(written.choice(first + number)[1])) } else { self.cost_of(route) };
        }
    }

    /// Returns what the lines of a route cost where weights count.
    fn cost_of(&self, places: &[MeshPoint]) -> Option<Cost> {
        let sum = places.windows(2).try_fold(0_u64, |sum, pair| {
            let line = self.world.segment(pair[0], pair[1], Motion::AnyAngle)?;
            Some(sum + u64::from(line.0))
        });
        u32::try_from(sum?).ok().map(Cost)
    }
}

impl Written<'_> {
    /// Returns the four numbers in which a program has noted how a task ended: how the route leads, what it costs,
    /// and how many corners it has.
    fn choice(&self, task: usize) -> &[u32] {
        &self.choices[4 * task..4 * task + 4]
    }

    /// Returns how many places the route of a task has, 0 if it is not known here.
    fn length(&self, task: usize) -> usize {
        if self.choice(task)[0] == UNKNOWN { 0 } else { self.corners_of(task).len() + 2 }
    }

    fn corners_of(&self, task: usize) -> &[u32] {
        &self.corners[4 * self.offsets[task] as usize..][..self.choice(task)[2] as usize]
    }
}
