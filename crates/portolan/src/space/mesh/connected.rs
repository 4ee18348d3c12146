//! Which polygons are connected: the components of a mesh, and what can be reached by links that lead one way.
//!
//! Not here: the search for the nearest place that can be reached (`nearest.rs`).

use super::NavMesh;
use std::collections::{BTreeMap, BTreeSet};

/// The component of a blocked polygon.
const BLOCKED: u32 = u32::MAX;

/// The components of a mesh.
#[derive(Clone, Default)]
pub(super) struct Components {
    /// The number of each polygon's component: the least polygon of it. A blocked polygon is in none.
    by_polygon: Vec<u32>,
    /// The pairs of components of which a link leads from the first to the second, and none back, in order.
    ways: Vec<(u32, u32)>,
}

impl Components {
    /// Finds the components of a mesh.
    pub(super) fn of(mesh: &NavMesh) -> Components {
        let mut components = Components { by_polygon: flooded(mesh), ways: Vec::new() };
        let (shape, by_polygon) = (&*mesh.shape, &mut components.by_polygon);
        let one_way = shape.links.iter().filter(|link| !link.both_ways);
        let ways = |by_polygon: &[u32]| {
            let pairs = one_way.clone().map(|link| link.ends.map(|end| by_polygon[end.polygon as usize]));
            let counts = |&[a, b]: &[u32; 2]| a != b && a != BLOCKED && b != BLOCKED;
            let ways: BTreeSet<(u32, u32)> = pairs.filter(counts).map(|[a, b]| (a, b)).collect();
            ways.into_iter().collect::<Vec<_>>()
        };
        let merged = merged(&ways(by_polygon));
        if !merged.is_empty() {
            for component in by_polygon.iter_mut() {
                *component = merged.get(component).copied().unwrap_or(*component);
            }
        }
        components.ways = ways(&components.by_polygon);
        components
    }

    /// Returns the component of a polygon, `None` if it is blocked.
    #[inline(always)]
    pub(super) fn get(&self, polygon: u32) -> Option<u32> {
        Some(self.by_polygon[polygon as usize]).filter(|&component| component != BLOCKED)
    }

    pub(super) fn count(&self) -> usize {
        (0..).zip(&self.by_polygon).filter(|&(polygon, &component)| polygon == component).count()
    }

    /// Returns whether there is a way from any polygon of one component to any of another.
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        from == to || !self.ways.is_empty() && self.reached(from).contains(&to)
    }

    /// Returns the components to which there is a way from this one.
    pub(super) fn reached(&self, from: u32) -> BTreeSet<u32> {
        let (mut reached, mut stack) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = stack.pop() {
            stack.extend(nexts(&self.ways, at).filter(|&next| reached.insert(next)));
        }
        reached
    }

    pub(super) fn bytes(&self) -> usize {
        crate::memory::held(&self.by_polygon) + crate::memory::held(&self.ways)
    }
}

/// Returns for each polygon the least one to which there is a way over ground and over links that lead both ways.
fn flooded(mesh: &NavMesh) -> Vec<u32> {
    let shape = &*mesh.shape;
    let mut components = vec![BLOCKED; shape.polygons()];
    let mut stack = Vec::new();
    for first in 0..shape.polygons() as u32 {
        if components[first as usize] != BLOCKED || !mesh.is_free(first) {
            continue;
        }
        components[first as usize] = first;
        stack.push(first);
        while let Some(polygon) = stack.pop() {
            for &portal in shape.exits(polygon) {
                let next = if !shape.is_link_end(portal) {
                    shape.beyond(portal, polygon)
                } else if shape.links[shape.link_of_end(portal)].both_ways {
                    shape.polygon_of_end(shape.other_end(portal))
                } else {
                    continue;
                };
                if mesh.is_free(next) && components[next as usize] == BLOCKED {
                    components[next as usize] = first;
                    stack.push(next);
                }
            }
        }
    }
    components
}

/// Returns the second numbers of the pairs that begin with this one. Pairs are in order.
fn nexts(pairs: &[(u32, u32)], from: u32) -> impl Iterator<Item = u32> + '_ {
    let first = pairs.partition_point(|&(a, _)| a < from);
    pairs[first..].iter().take_while(move |&&(a, _)| a == from).map(|&(_, b)| b)
}

/// Returns for each number that lies on a circle of these pairs the least number with which it does. (Kosaraju's algorithm:
/// a walk along the pairs tells the order of a second one against them.)
fn merged(pairs: &[(u32, u32)]) -> BTreeMap<u32, u32> {
    let mut back: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
    back.sort_unstable();
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for &(first, _) in pairs {
        // A number is noted when all that follow from it have been: hence it is on the stack twice.
        let mut stack = vec![(first, false)];
        while let Some((at, is_done)) = stack.pop() {
            if is_done {
                order.push(at);
            } else if seen.insert(at) {
                stack.push((at, true));
                stack.extend(nexts(pairs, at).map(|next| (next, false)));
            }
        }
    }
    let mut merged = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for &first in order.iter().rev() {
        let (mut circle, mut stack) = (Vec::new(), vec![first]);
        while let Some(at) = stack.pop() {
            if taken.insert(at) {
                circle.push(at);
                stack.extend(nexts(&back, at));
            }
        }
        let least = circle.iter().copied().min();
        merged.extend(circle.iter().filter(|_| circle.len() > 1).filter_map(|&at| Some((at, least?))));
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_merged_and_chains_are_not() {
        assert_eq!(merged(&[(1, 2), (2, 3)]), BTreeMap::new());
        assert_eq!(merged(&[(1, 2), (2, 1), (2, 3)]), BTreeMap::from([(1, 1), (2, 1)]));
        let two = [(1, 5), (2, 7), (3, 2), (5, 4), (4, 1), (4, 2), (7, 3)];
        let mut two = two.to_vec();
        two.sort_unstable();
        assert_eq!(merged(&two), BTreeMap::from([(1, 1), (2, 2), (3, 2), (4, 1), (5, 1), (7, 2)]));
    }
}
