//! The oracle for corridors: a plain Dijkstra search over the edges that free polygons have in common, written for clarity.
//! It joins polygons by the numbers of their vertices, uses none of the engine's tables, and serves only tests.
//!
//! Not here: the shortest routes at any angle (`sight.rs`).

use portolan::{MeshPoint, NavMesh};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) type Point = [f64; 2];

/// A mesh as plain lists.
pub(crate) struct Plain {
    /// The vertices of each polygon; the inside lies to the left of every edge.
    pub(crate) polygons: Vec<Vec<u32>>,
    /// Where each vertex lies in the plan.
    pub(crate) at: Vec<Point>,
    /// For each edge of each polygon, by its first corner, the polygon on the other side if there is one.
    pub(crate) beyond: Vec<Vec<Option<usize>>>,
    pub(crate) weights: Vec<u8>,
    /// The length of a step, in which costs are counted.
    pub(crate) step: f64,
}

impl Plain {
    pub(crate) fn of(mesh: &NavMesh) -> Plain {
        let parts = mesh.to_parts();
        let polygons: Vec<Vec<u32>> = (0..mesh.polygons()).map(|polygon| parts.polygon(polygon).to_vec()).collect();
        let edges = |polygon: &[u32]| -> Vec<(u32, u32)> {
            polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1)).collect()
        };
        let other_side = |polygon: usize, (a, b): (u32, u32)| {
            (0..polygons.len()).find(|&other| other != polygon && edges(&polygons[other]).contains(&(b, a)))
        };
        let beyond = (0..polygons.len())
            .map(|polygon| edges(&polygons[polygon]).into_iter().map(|edge| other_side(polygon, edge)).collect())
            .collect();
        let at = parts.vertices.iter().map(|&[x, y, _]| [x, y]).collect();
        Plain { at, beyond, weights: parts.weights.clone(), step: mesh.step(), polygons }
    }

    /// Returns where the ends of an edge lie.
    pub(crate) fn edge(&self, polygon: usize, edge: usize) -> [Point; 2] {
        let corners = &self.polygons[polygon];
        [corners[edge], corners[(edge + 1) % corners.len()]].map(|vertex| self.at[vertex as usize])
    }

    /// Returns the free polygon on the other side of an edge.
    pub(crate) fn free_beyond(&self, polygon: usize, edge: usize) -> Option<usize> {
        self.beyond[polygon][edge].filter(|&beyond| self.weights[beyond] != 0)
    }

    /// Returns the polygons that can be reached from one.
    pub(crate) fn reached_from(&self, polygon: usize) -> Vec<bool> {
        let mut is_reached = vec![false; self.polygons.len()];
        let mut stack = vec![polygon];
        while let Some(polygon) = stack.pop().filter(|&polygon| self.weights[polygon] != 0) {
            is_reached[polygon] = true;
            let next = (0..self.polygons[polygon].len()).filter_map(|edge| self.free_beyond(polygon, edge));
            stack.extend(next.filter(|&next| !is_reached[next]));
        }
        is_reached
    }

    /// Returns the least cost in steps of a corridor from one point to another, measured by the middles of its portals, or
    /// by the centres of its polygons; `None` if there is none.
    pub(crate) fn corridor(&self, mesh: &NavMesh, from: MeshPoint, to: MeshPoint, by_centres: bool) -> Option<f64> {
        let [start, goal] = [from, to].map(|point| point.polygon as usize);
        if self.weights[start] == 0 || self.weights[goal] == 0 {
            return None;
        }
        let place = |point: MeshPoint| -> Point {
            let [x, y, _] = mesh.coordinates(point);
            [x, y]
        };
        let weight = |polygon: usize| f64::from(self.weights[polygon]);
        // The cost of the way from a place on the rim of a polygon to another one, through it and over to the next.
        let price = |polygon: usize, next: Option<usize>, [a, b]: [Point; 2]| match (by_centres, next) {
            (false, _) => distance(a, b) / self.step * weight(polygon),
            (true, None) => 0.0,
            (true, Some(next)) => {
                let mean = f64::midpoint(weight(polygon), weight(next));
                distance(self.centre(polygon), self.centre(next)) / self.step * mean
            }
        };
        // A state is a polygon that has been entered by an edge, of which it keeps the middle.
        let mut best = vec![vec![f64::INFINITY; 8]; self.polygons.len()];
        let mut queue = BinaryHeap::from([Reverse((0_u64, start, usize::MAX))]);
        let mut least = f64::INFINITY;
        while let Some(Reverse((bits, polygon, entry))) = queue.pop() {
            let cost = f64::from_bits(bits);
            let here = if entry == usize::MAX { place(from) } else { middle(self.edge(polygon, entry)) };
            if entry != usize::MAX && cost > best[polygon][entry] {
                continue;
            }
            if polygon == goal {
                least = least.min(cost + price(polygon, None, [here, place(to)]));
            }
            for edge in 0..self.polygons[polygon].len() {
                let Some(next) = self.free_beyond(polygon, edge) else { continue };
                let sum = cost + price(polygon, Some(next), [here, middle(self.edge(polygon, edge))]);
                let entry = (0..self.polygons[next].len()).find(|&entry| self.beyond[next][entry] == Some(polygon));
                let entry = entry.expect("an edge has two sides");
                if sum < best[next][entry] {
                    best[next][entry] = sum;
                    queue.push(Reverse((sum.to_bits(), next, entry)));
                }
            }
        }
        (least < f64::INFINITY).then_some(least)
    }

    /// Returns the mean of the corners of a polygon.
    fn centre(&self, polygon: usize) -> Point {
        let corners = &self.polygons[polygon];
        let sum = |axis: usize| corners.iter().map(|&vertex| self.at[vertex as usize][axis]).sum::<f64>();
        [0, 1].map(|axis| sum(axis) / corners.len() as f64)
    }
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

fn middle([a, b]: [Point; 2]) -> Point {
    [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])]
}
