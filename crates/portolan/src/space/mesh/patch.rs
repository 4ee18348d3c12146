//! Replacing a part of a mesh: some polygons go and others come, and all the rest stays as it is.
//!
//! Polygons that stay keep their order, and with it their portals and links keep theirs. So data kept for a set of polygons
//! that are not beside the change fits the new mesh as soon as their new numbers are known.
//!
//! Not here: what planners make of a patch.

use super::links::Link;
use super::locate::MeshArea;
use super::parts::{MeshError, MeshParts};
use super::plan::Spot;
use super::rounded::{self, Polygons};
use super::shape::{Given, Shape, WALL};
use super::{MeshPoint, NavMesh};
use crate::space::Revision;

/// The number of a polygon that was removed.
const REMOVED: u32 = u32::MAX;

/// What [`NavMesh::patched`] has done to a mesh: which number each of its polygons has in the new mesh. It is plain data that
/// refers to both meshes by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeshPatch {
    /// For each polygon of the old mesh its number in the new one, or [`REMOVED`].
    numbers: Vec<u32>,
    kept: usize,
    /// The polygons that stayed and have gained or lost a portal or an end of a link, by their new numbers in order.
    changed: Vec<u32>,
    /// The state of the old mesh.
    from: Revision,
    /// The serial number of the new shape.
    shape: u64,
    /// The weights of the new mesh when it was made.
    weights: Vec<u8>,
}

impl MeshPatch {
    /// Returns the number in the new mesh of a polygon of the old one, or `None` if it was removed or there was none.
    pub fn number_of(&self, polygon: u32) -> Option<u32> {
        self.numbers.get(polygon as usize).copied().filter(|&number| number != REMOVED)
    }

    /// Returns for each polygon of the old mesh its number in the new one, `u32::MAX` if it was removed.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns how many polygons were kept. They come first in the new mesh, and added ones follow.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Returns the polygons that were kept and have gained or lost a neighbour or an end of a link, by their numbers in the
    /// new mesh, in order.
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Returns the state of the mesh that was patched.
    pub fn from(&self) -> Revision {
        self.from
    }

    /// Returns whether the patch led to the shape of this mesh.
    pub(crate) fn leads_to(&self, mesh: &NavMesh) -> bool {
        mesh.shape.serial == self.shape
    }

    /// Returns whether a polygon of the new mesh has another weight than when the mesh was made.
    pub(crate) fn is_reweighted(&self, mesh: &NavMesh, polygon: u32) -> bool {
        self.weights[polygon as usize] != mesh.weights[polygon as usize]
    }
}

impl NavMesh {
    /// Returns the mesh without some of its polygons and with others added, and what has become of its polygons. Those that
    /// are kept come first, in their order and with their weights.
    ///
    /// The new mesh has the steps of the old one. An added vertex that in steps lies on a vertex of a kept polygon, and at most
    /// one step above or below it, is that vertex. So added polygons join kept ones along whole common edges. Vertices
    /// without polygons go.
    ///
    /// Links between kept polygons stay. An end of a link on a removed polygon moves to an added polygon if one lies there and
    /// no kept one is nearer in height; else the link goes. The links in `added` follow.
    ///
    /// ```
    /// use portolan::{MeshParts, NavMesh, Planner, World};
    /// // Two squares side by side; a wall falls, and the right one grows to twice its width.
    /// let mut parts = MeshParts {
    ///     vertices: vec![[0., 0., 0.], [4., 0., 0.], [8., 0., 0.], [8., 4., 0.], [4., 4., 0.], [0., 4., 0.]],
    ///     ..MeshParts::default()
    /// };
    /// parts.push(&[0, 1, 4, 5], 1);
    /// parts.push(&[1, 2, 3, 4], 1);
    /// let world = World::from(NavMesh::new(&parts)?);
    /// let planner = Planner::new(&world, "hna-star")?;
    ///
    /// let mut tile = MeshParts {
    ///     vertices: vec![[4., 0., 0.], [7.5, 0., 0.], [7.5, 4., 0.], [4., 4., 0.]],
    ///     ..MeshParts::default()
    /// };
    /// tile.push(&[0, 1, 2, 3], 3);
    /// let (mesh, patch) = world.patched(&[1], &tile)?;
    /// assert_eq!((patch.number_of(0), patch.number_of(1)), (Some(0), None));
    /// assert_eq!((mesh.portals(), mesh.terrain(1).weight()), (1, 3));
    ///
    /// let world = World::from(mesh);
    /// let planner = planner.patched(&world, &patch)?;
    /// assert_eq!(planner.revision(), world.revision());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such polygon to remove, none is left, the new mesh would be none, or an added vertex lies beyond the
    /// steps of the mesh. Errors number polygons, vertices and links as `added` does.
    pub fn patched(&self, removed: &[u32], added: &MeshParts) -> Result<(NavMesh, MeshPatch), MeshError> {
        let (numbers, kept) = self.numbers_without(removed)?;
        if kept + added.polygons() == 0 {
            return Err(MeshError::Empty);
        }
        rounded::check_lists(added)?;
        let frame = self.shape.frame();
        let (new, turned) = Polygons::new(added, frame)?;
        let polygons = joined(&self.shape, &numbers, &new);
        rounded::check_counts(polygons.spots.len(), polygons.polygons(), polygons.corners.len())?;
        let shape = Shape::of(frame, polygons, Given { first: kept, turned })?;
        let of_kept = numbers.iter().zip(&self.weights).filter(|&(&number, _)| number != REMOVED);
        let weights = of_kept.map(|(_, &weight)| weight).chain(added.weights.iter().copied()).collect();
        let mut mesh = NavMesh::unlinked(shape, weights);
        let mut changed = self.changed_edges(&mesh.shape, &numbers);
        let mut links = self.moved_links(&mesh, (&numbers, kept), &mut changed);
        let new_links = mesh.placed(&added.links)?;
        changed.extend(new_links.iter().flat_map(|link| link.ends).map(|end| end.polygon));
        links.extend(new_links);
        mesh.take_links(links)?;
        mesh.derive();
        changed.retain(|&polygon| (polygon as usize) < kept);
        changed.sort_unstable();
        changed.dedup();
        let (from, shape, weights) = (self.revision, mesh.shape.serial, mesh.weights.clone());
        Ok((mesh, MeshPatch { numbers, kept, changed, from, shape, weights }))
    }

    /// Returns the number of every polygon after these are removed, and how many are kept.
    fn numbers_without(&self, removed: &[u32]) -> Result<(Vec<u32>, usize), MeshError> {
        let polygons = self.polygons();
        let mut numbers = vec![0; polygons];
        for &polygon in removed {
            *numbers.get_mut(polygon as usize).ok_or(MeshError::NoPolygon { polygon, polygons })? = REMOVED;
        }
        let mut kept = 0;
        for number in numbers.iter_mut().filter(|number| **number != REMOVED) {
            *number = kept;
            kept += 1;
        }
        Ok((numbers, kept as usize))
    }

    /// Returns the kept polygons, by their new numbers, that have another polygon, or another wall, across an edge.
    fn changed_edges(&self, new: &Shape, numbers: &[u32]) -> Vec<u32> {
        let old = &*self.shape;
        let beyond = |shape: &Shape, corner: usize, polygon: u32| {
            let portal = shape.portal_by_corner[corner];
            (portal != WALL).then(|| shape.beyond(portal, polygon))
        };
        let differs = |&(polygon, &number): &(u32, &u32)| {
            let mut corners = old.corner_range(polygon as usize).zip(new.corner_range(number as usize));
            corners.any(|(corner, now)| {
                let before = beyond(old, corner, polygon).map(|other| numbers[other as usize]);
                before != beyond(new, now, number)
            })
        };
        let kept = (0..).zip(numbers).filter(|&(_, &number)| number != REMOVED);
        kept.filter(differs).map(|(_, &number)| number).collect()
    }

    /// Returns the links that stay after the first `kept` polygons of `new` were kept. Appends the polygons to `changed` that
    /// lost a link or an end of whose links moved.
    fn moved_links(&self, new: &NavMesh, (numbers, kept): (&[u32], usize), changed: &mut Vec<u32>) -> Vec<Link> {
        let mut links = Vec::new();
        for link in &self.shape.links {
            let stays = link.ends.map(|end| numbers[end.polygon as usize] != REMOVED);
            if stays != [true; 2] {
                let ends = link.ends.map(|end| numbers[end.polygon as usize]);
                changed.extend(ends.into_iter().filter(|&number| number != REMOVED));
            }
            let moved = |end: MeshPoint| match numbers[end.polygon as usize] {
                REMOVED => {
                    let there = new.nearest_by_height(end.spot(), self.height(end));
                    there.filter(|at| at.polygon as usize >= kept)
                }
                number => Some(MeshPoint::new(number, end.spot())),
            };
            if let [Some(from), Some(to)] = link.ends.map(moved) {
                links.push(Link { ends: [from, to], ..*link });
            }
        }
        links
    }
}

/// A vertex of a kept polygon.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    spot: Spot,
    height: i32,
    /// Whether no removed polygon had it too.
    is_inner: bool,
    number: u32,
}

/// Returns the kept polygons of a shape, then the added ones, with those vertices as one that lie on each other.
fn joined(old: &Shape, numbers: &[u32], added: &Polygons) -> Polygons {
    let mut joined = Polygons { first_corner: vec![0], ..Polygons::default() };
    let [used_by_kept, used_by_removed] = [true, false].map(|kept| {
        let mut is_used = vec![false; old.spots.len()];
        for (polygon, _) in numbers.iter().enumerate().filter(|&(_, &number)| (number != REMOVED) == kept) {
            for &vertex in &old.corners[old.corner_range(polygon)] {
                is_used[vertex as usize] = true;
            }
        }
        is_used
    });
    let mut number_by_vertex = vec![0; old.spots.len()];
    let mut known = Vec::new();
    // Only vertices where some are added can be theirs.
    let around = (!added.spots.is_empty()).then(|| MeshArea::around(added.spots.iter().copied()));
    for vertex in (0..old.spots.len()).filter(|&vertex| used_by_kept[vertex]) {
        let (spot, height, number) = (old.spots[vertex], old.heights[vertex], joined.spots.len() as u32);
        number_by_vertex[vertex] = number;
        joined.spots.push(spot);
        joined.heights.push(height);
        if around.is_some_and(|area| area.overlaps(MeshArea { least: spot, greatest: spot })) {
            known.push(Known { spot, height, is_inner: !used_by_removed[vertex], number });
        }
    }
    known.sort_unstable();
    for polygon in (0..numbers.len()).filter(|&polygon| numbers[polygon] != REMOVED) {
        let corners = &old.corners[old.corner_range(polygon)];
        joined.corners.extend(corners.iter().map(|&vertex| number_by_vertex[vertex as usize]));
        joined.first_corner.push(joined.corners.len() as u32);
    }
    let number_by_added = number_added(added, &known, &mut joined);
    for polygon in 0..added.polygons() {
        joined.corners.extend(added.polygon(polygon).iter().map(|&vertex| number_by_added[vertex as usize]));
        joined.first_corner.push(joined.corners.len() as u32);
    }
    joined
}

/// Adds the vertices of added polygons that are not known, and returns the numbers of all of them. Of several known ones at
/// most a step above or below, the nearest is taken, and of these rather one at the edge of what was removed.
fn number_added(added: &Polygons, known: &[Known], joined: &mut Polygons) -> Vec<u32> {
    let mut is_used = vec![false; added.spots.len()];
    for &vertex in &added.corners {
        is_used[vertex as usize] = true;
    }
    let mut number = |vertex: usize| {
        let (spot, height) = (added.spots[vertex], added.heights[vertex]);
        let off = |known: &&Known| known.height.abs_diff(height);
        let first = known.partition_point(|known| known.spot < spot);
        let there = known[first..].iter().take_while(|known| known.spot == spot).filter(|known| off(known) <= 1);
        if let Some(known) = there.min_by_key(|known| (off(known), known.is_inner, known.number)) {
            return known.number;
        }
        joined.spots.push(spot);
        joined.heights.push(height);
        joined.spots.len() as u32 - 1
    };
    (0..added.spots.len()).map(|vertex| if is_used[vertex] { number(vertex) } else { 0 }).collect()
}

#[cfg(test)]
mod tests;
