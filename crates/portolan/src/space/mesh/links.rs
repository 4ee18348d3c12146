//! Links: ways between two places of a mesh that are not over ground.
//!
//! To searches, a link is one more polygon without ground, its passage: its two ends are portals of no width between the
//! polygon that they lie on and the passage, and to cross the passage costs what the link costs. Passages are numbered after
//! the polygons and ends after the other portals, so that searches pass links as they pass polygons. Lines and neighbours
//! know nothing of links.
//!
//! Not here: the lists of portals and crossings (`shape.rs`).

pub(crate) mod bound;

use super::line::LineScratch;
use super::parts::{MeshError, MeshLink};
use super::shape::Shape;
use super::{MeshPoint, NavMesh};
use crate::cost::Cost;

/// The most that a link may cost, in steps.
const MOST_COST: f64 = (1_u32 << 30) as f64;

/// The most ends of links that may lie on one polygon: the ways between them are listed.
const MOST_ON_POLYGON: usize = 4096;

/// A link between two points of a mesh.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    pub(crate) ends: [MeshPoint; 2],
    /// What it costs in steps: at least 1, so that searches come further by every portal.
    pub(crate) cost: u32,
    pub(crate) both_ways: bool,
}

impl Shape {
    /// Returns the number of the first portal that is an end of a link. The two ends of a link follow each other.
    #[inline(always)]
    pub(crate) fn first_link_end(&self) -> u32 {
        (self.portals.len() - 2 * self.links.len()) as u32
    }

    #[inline(always)]
    pub(crate) fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    /// Returns whether a portal is an end of a link.
    #[inline(always)]
    pub(crate) fn is_link_end(&self, portal: u32) -> bool {
        portal >= self.first_link_end()
    }

    /// Returns the other end of the link with this end.
    #[inline(always)]
    pub(crate) fn other_end(&self, end: u32) -> u32 {
        let first = self.first_link_end();
        first + ((end - first) ^ 1)
    }

    /// Returns the link with this end.
    #[inline(always)]
    pub(crate) fn link_of_end(&self, end: u32) -> usize {
        (end - self.first_link_end()) as usize / 2
    }

    /// Returns the polygon that an end of a link lies on.
    #[inline(always)]
    pub(crate) fn polygon_of_end(&self, end: u32) -> u32 {
        self.portals[end as usize].polygons[0]
    }

    /// Returns where an end of a link lies.
    pub(crate) fn point_of_end(&self, end: u32) -> MeshPoint {
        MeshPoint::new(self.polygon_of_end(end), self.middles[end as usize])
    }

    /// Returns what the link costs that begins at this end, or `None` if it does not lead from this end to the other.
    #[inline(always)]
    pub(crate) fn cost_from_end(&self, end: u32) -> Option<u32> {
        let link = &self.links[self.link_of_end(end)];
        let is_first = (end - self.first_link_end()).is_multiple_of(2);
        (is_first || link.both_ways).then_some(link.cost)
    }

    /// Returns the ends of links on a polygon.
    pub(crate) fn link_ends(&self, polygon: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let exits = if self.has_links() { self.exits(polygon) } else { &[] };
        exits.iter().rev().copied().take_while(|&exit| self.is_link_end(exit))
    }

    /// Returns the cheapest link that leads from one place to another, and what it costs.
    fn cheapest_link(&self, from: MeshPoint, to: MeshPoint) -> Option<(u32, usize)> {
        let known = |place: MeshPoint| (place.polygon as usize) < self.polygons();
        let ends = self.link_ends(if known(from) { from.polygon } else { return None });
        let leads = |&end: &u32| self.point_of_end(end) == from && self.point_of_end(self.other_end(end)) == to;
        let link = |end: u32| Some((self.cost_from_end(end)?, self.link_of_end(end)));
        ends.filter(leads).filter_map(link).min()
    }
}

/// Checks that no polygon has more ends of links than are supported.
pub(super) fn check_ends(links: &[Link]) -> Result<(), MeshError> {
    let mut polygons: Vec<u32> = links.iter().flat_map(|link| link.ends).map(|end| end.polygon).collect();
    polygons.sort_unstable();
    match polygons.chunk_by(|a, b| a == b).map(<[u32]>::len).max() {
        Some(count) if count > MOST_ON_POLYGON => {
            Err(MeshError::TooMany { what: "ends of links on one polygon", count, most: MOST_ON_POLYGON })
        }
        _ => Ok(()),
    }
}

impl NavMesh {
    /// Finds the places of the links.
    pub(super) fn placed(&self, links: &[MeshLink]) -> Result<Vec<Link>, MeshError> {
        let place = |(link, given): (usize, &MeshLink)| {
            let MeshLink { from, to, cost, both_ways } = *given;
            let fault = MeshError::Link { link };
            if ![from, to].as_flattened().iter().chain([&cost]).all(|number| number.is_finite()) || cost < 0.0 {
                return Err(fault);
            }
            let steps = (cost / self.shape.step).ceil().max(1.0);
            if steps > MOST_COST {
                return Err(fault);
            }
            let end = |at: [f64; 3]| self.point_near(at).ok_or(fault);
            Ok(Link { ends: [end(from)?, end(to)?], cost: steps as u32, both_ways })
        };
        links.iter().enumerate().map(place).collect()
    }

    /// Returns the links of the mesh, with ends and costs as they were rounded.
    pub fn links(&self) -> impl ExactSizeIterator<Item = MeshLink> + '_ {
        self.shape.links.iter().map(|&Link { ends: [from, to], cost, both_ways }| MeshLink {
            from: self.coordinates(from),
            to: self.coordinates(to),
            cost: f64::from(cost) * self.shape.step,
            both_ways,
        })
    }

    /// Returns the places where a link begins and ends.
    ///
    /// # Panics
    /// When there is no such link.
    pub fn link_ends(&self, link: usize) -> [MeshPoint; 2] {
        self.shape.links[link].ends
    }

    /// Returns the number of the cheapest link that leads from one place to another, in the order of
    /// [`MeshParts::links`](crate::MeshParts::links). With it, callers find the parts of a route that are not over ground:
    ///
    /// ```
    /// use portolan::{MeshLink, MeshParts, NavMesh, Outcome, Planner, Query, Scratch, World};
    /// // Two islands, and a jump from the first to the second.
    /// let mut parts = MeshParts::default();
    /// for x in [0., 6.] {
    ///     let first = parts.vertices.len() as u32;
    ///     parts.vertices.extend([[x, 0., 0.], [x + 4., 0., 0.], [x + 4., 4., 0.], [x, 4., 0.]]);
    ///     parts.push(&[first, first + 1, first + 2, first + 3], 1);
    /// }
    /// parts.links.push(MeshLink { from: [3.5, 2., 0.], to: [6.5, 2., 0.], cost: 4., both_ways: false });
    /// let world = World::from(NavMesh::new(&parts)?);
    /// let [left, right] = [[1., 1.], [9., 3.]].map(|at| world.point(at).expect("on an island"));
    /// let planner = Planner::new(&world, "a-star")?;
    /// let outcome = planner.find(&world, Query::new(left, right), &mut Scratch::new())?;
    /// let route = outcome.route().ok_or("there is a jump")?;
    /// let links: Vec<_> = route.cells().windows(2).map(|part| world.link_between(part[0], part[1])).collect();
    /// assert_eq!(links, [None, Some(0), None]);
    /// let back = planner.find(&world, Query::new(right, left), &mut Scratch::new())?;
    /// assert_eq!(back, Outcome::Unreachable);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn link_between(&self, from: MeshPoint, to: MeshPoint) -> Option<usize> {
        self.shape.cheapest_link(from, to).map(|(_, link)| link)
    }

    /// Returns the cost of the cheapest link from one place to another.
    #[inline]
    pub(crate) fn link_cost(&self, from: MeshPoint, to: MeshPoint) -> Option<Cost> {
        if !self.shape.has_links() {
            return None;
        }
        self.shape.cheapest_link(from, to).map(|(cost, _)| Cost(cost))
    }

    /// Returns the cost of a part of a route, which is a straight line or a link: of whichever is cheaper.
    pub(crate) fn line_or_link(&self, from: MeshPoint, to: MeshPoint, scratch: &mut LineScratch) -> Option<Cost> {
        let (line, link) = (self.line(from, to, scratch), self.link_cost(from, to));
        line.into_iter().chain(link).min()
    }

    /// Returns whether a part of a route is a link: whether there is a link that costs less than the straight line.
    pub(super) fn is_by_link(&self, from: MeshPoint, to: MeshPoint) -> bool {
        let line = || self.line(from, to, &mut LineScratch::default());
        self.link_cost(from, to).is_some_and(|link| line().is_none_or(|line| link < line))
    }

    /// How many parts of the weight of plain ground [`NavMesh::estimate_scale`] counts.
    pub(crate) const SCALE: u32 = 256;

    /// Notes the short cuts: the beginnings of links that cost less than the ground between their ends might. Returns how many
    /// 256ths of its length in the plan any way costs at least: by the least weight, or less if there are short cuts.
    pub(super) fn note_short_cuts(&mut self) -> u32 {
        let ground = u32::from(self.least_weight) * NavMesh::SCALE;
        let mut least = ground;
        self.short_cuts.clear();
        for (link, begin) in self.shape.links.iter().zip((self.shape.first_link_end()..).step_by(2)) {
            let apart = link.ends[0].spot().distance(link.ends[1].spot());
            let scale = (f64::from(NavMesh::SCALE) * f64::from(link.cost) / apart) as u32;
            if apart > 0.0 && scale < ground && link.ends.iter().all(|end| self.is_free(end.polygon)) {
                least = least.min(scale);
                self.short_cuts.extend((begin..).take(1 + usize::from(link.both_ways)));
            }
        }
        least
    }

    /// Returns whether some link costs less than the ground between its ends might.
    pub(crate) fn has_short_cuts(&self) -> bool {
        !self.short_cuts.is_empty()
    }
}

#[cfg(test)]
mod tests;
