//! Regions that cannot become polygons, and cutting them into ones that can.
//!
//! A region is a connected piece of ground. The stages after it need its outline to be one simple loop. A region around an
//! obstacle has a second loop, a hole; and where an outline is simplified too far, it may cross itself. Such regions, and those
//! with very long outlines, are cut along straight lines of cells: through all holes if there are any, else through the middle.
//!
//! Not here: Recast's stages.

use glam::U16Vec3;
use rerecast::{CompactHeightfield, Contour, ContourSet, PolygonNavmesh, RegionId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is to be done with a region.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fault {
    /// The region has holes. Each is given by the columns and rows that it covers.
    Holes(Vec<[Range<u16>; 2]>),
    /// The outline is too long.
    Long,
    /// The outline cannot be divided into polygons.
    Tangled,
}

/// Regions at fault, by number.
pub(crate) type Faults = BTreeMap<u16, Fault>;

/// How many points of an outline the port walks before it gives up without a word.
const LONGEST_OUTLINE: usize = 40_000;

/// The most vertices of a simplified outline. The port merges triangles into polygons in a time that grows with the third
/// power of this number.
const MOST_VERTICES: usize = 100;

/// Returns the regions whose outlines are not one loop each, or too long.
pub(crate) fn faults_of_contours(contours: &ContourSet) -> Faults {
    let mut by_region: BTreeMap<u16, Vec<&Contour>> = BTreeMap::new();
    for contour in &contours.contours {
        by_region.entry(contour.region.bits()).or_default().push(contour);
    }
    let mut faults = Faults::new();
    for (region, contours) in by_region {
        let is_long = |contour: &&Contour| {
            contour.raw_vertices.len() >= LONGEST_OUTLINE || contour.vertices.len() > MOST_VERTICES
        };
        if contours.iter().any(is_long) {
            faults.insert(region, Fault::Long);
        } else if contours.len() > 1 || winding(contours[0]) >= 0 {
            let holes: Vec<_> =
                contours.iter().filter(|contour| winding(contour) >= 0).map(|hole| extent(hole)).collect();
            faults.insert(region, if holes.is_empty() { Fault::Tangled } else { Fault::Holes(holes) });
        }
    }
    faults
}

/// Returns the regions of polygons that are not convex or have no area.
pub(crate) fn faults_of_polygons(mesh: &PolygonNavmesh) -> Faults {
    let mut faults = Faults::new();
    for (polygon, region) in mesh.polygons().zip(&mesh.regions) {
        let corners: Vec<[i64; 2]> = polygon
            .map(|vertex| mesh.vertices[usize::from(vertex)])
            .map(|vertex| [i64::from(vertex.x), i64::from(vertex.z)])
            .collect();
        let count = corners.len();
        let left = |i: usize| turn(corners[i], corners[(i + 1) % count], corners[(i + 2) % count]) < 0;
        if count < 3 || !(0..count).all(left) {
            faults.insert(region.bits(), Fault::Tangled);
        }
    }
    faults
}

/// Returns the regions that cannot become polygons even when they are alone.
pub(crate) fn faults_by_trial(contours: &ContourSet, sound: impl Fn(&ContourSet) -> bool) -> Faults {
    let ContourSet { aabb, cell_size, cell_height, width, height, border_size, max_error, .. } = *contours;
    let mut faults = Faults::new();
    for contour in &contours.contours {
        let alone = vec![contour.clone()];
        let alone = ContourSet { contours: alone, aabb, cell_size, cell_height, width, height, border_size, max_error };
        if !sound(&alone) {
            faults.insert(contour.region.bits(), Fault::Tangled);
        }
    }
    faults
}

/// Returns twice the area that a contour winds around; negative if it is an outer one.
fn winding(contour: &Contour) -> i64 {
    let at = |i: usize| contour.vertices[i % contour.vertices.len()].0;
    let cross = |i: usize| {
        let (a, b) = (at(i), at(i + 1));
        i64::from(a.x) * i64::from(b.z) - i64::from(b.x) * i64::from(a.z)
    };
    (0..contour.vertices.len()).map(cross).sum()
}

/// Returns more than 0 if the way from `a` over `b` to `c` turns one way, less than 0 if the other, and 0 if it is straight.
fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Returns the columns and rows that a contour covers, without the border of the tile.
fn extent(contour: &Contour) -> [Range<u16>; 2] {
    let range = |axis: fn(&U16Vec3) -> u16| {
        let values = || contour.raw_vertices.iter().map(|(at, _)| axis(at));
        values().min().unwrap_or(0)..values().max().unwrap_or(0)
    };
    [range(|at| at.x), range(|at| at.z)]
}

/// Cuts the regions at fault into smaller ones, each connected.
///
/// # Errors
/// When there are more regions than can be numbered, or a region at fault cannot be cut.
pub(crate) fn cut(field: &mut CompactHeightfield, faults: &Faults) -> Result<(), String> {
    let mut cells: BTreeMap<u16, Vec<Ground>> = faults.keys().map(|&region| (region, Vec::new())).collect();
    for z in 0..field.height {
        for x in 0..field.width {
            for span in field.cell_at(x, z).index_range() {
                if let Some(ground) = cells.get_mut(&field.spans[span].region.bits()) {
                    ground.push(Ground { x, z, span });
                }
            }
        }
    }
    for (region, fault) in faults {
        let ground = &cells[region];
        let lines = match fault {
            Fault::Holes(holes) => lines_through(holes, field.border_size),
            Fault::Long | Fault::Tangled => vec![middle(ground)],
        };
        if ground.len() < 2 {
            return Err("a region of one cell has no sound outline".into());
        }
        separate(field, ground, &lines)?;
    }
    Ok(())
}

/// A place where an agent can stand.
#[derive(Copy, Clone)]
struct Ground {
    x: u16,
    z: u16,
    span: usize,
}

/// A line between two columns (axis 0) or two rows (axis 1): the first column or row beyond it.
#[derive(Copy, Clone, PartialEq, Debug)]
struct CutLine {
    axis: usize,
    at: u16,
}

/// Returns the fewest lines along one axis that meet or touch all holes.
fn lines_through(holes: &[[Range<u16>; 2]], border: u16) -> Vec<CutLine> {
    let along = |axis: usize| {
        let mut ranges: Vec<Range<u16>> = holes.iter().map(|hole| hole[axis].clone()).collect();
        ranges.sort_by_key(|range| (range.end, range.start));
        let mut lines: Vec<CutLine> = Vec::new();
        for range in ranges {
            let is_met = lines.last().is_some_and(|line| (range.start..=range.end).contains(&(line.at - border)));
            if !is_met {
                let is_wide = range.end - range.start > 1;
                lines.push(CutLine { axis, at: range.end - u16::from(is_wide) + border });
            }
        }
        lines
    };
    let [columns, rows] = [along(0), along(1)];
    if rows.len() < columns.len() { rows } else { columns }
}

/// Returns the line through the middle of the longer side of some ground.
fn middle(ground: &[Ground]) -> CutLine {
    let range = |axis: fn(&Ground) -> u16| {
        let values = || ground.iter().map(axis);
        (values().min().unwrap_or(0), values().max().unwrap_or(0))
    };
    let [columns, rows] = [range(|ground| ground.x), range(|ground| ground.z)];
    let axis = usize::from(rows.1 - rows.0 > columns.1 - columns.0);
    let (low, high) = [columns, rows][axis];
    CutLine { axis, at: low + (high - low).div_ceil(2) }
}

/// Gives every connected piece of the ground between the lines a region of its own. The first piece keeps its number.
fn separate(field: &mut CompactHeightfield, ground: &[Ground], lines: &[CutLine]) -> Result<(), String> {
    let old = field.spans[ground[0].span].region;
    let strip = |x: u16, z: u16| lines.iter().filter(|line| [x, z][line.axis] >= line.at).count();
    let mut open: Vec<(i32, i32, usize)> = Vec::new();
    let mut is_done = BTreeSet::new();
    let mut region = old;
    for start in ground {
        if !is_done.insert(start.span) {
            continue;
        }
        if start.span != ground[0].span {
            let free = field.max_region.bits() + 1;
            if free >= RegionId::BORDER_REGION.bits() {
                return Err("it has more than 32,767 regions".into());
            }
            region = RegionId::from(free);
            field.max_region = region;
        }
        open.push((i32::from(start.x), i32::from(start.z), start.span));
        while let Some((x, z, span)) = open.pop() {
            field.spans[span].region = region;
            for direction in 0..4 {
                let Some(layer) = field.spans[span].con(direction) else { continue };
                let (next_x, next_z, next) = field.con_indices(x, z, direction, layer);
                let is_joined = strip(x as u16, z as u16) == strip(next_x as u16, next_z as u16);
                if field.spans[next].region == old && is_joined && is_done.insert(next) {
                    open.push((next_x, next_z, next));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_lines_meet_all_holes() {
        let holes = [[2..5, 0..3], [4..9, 10..14], [3..6, 20..30], [20..21, 2..4]];
        let lines = lines_through(&holes, 4);
        assert_eq!(lines, [CutLine { axis: 0, at: 8 }, CutLine { axis: 0, at: 25 }]);
        let holes = [[0..3, 2..5], [10..14, 4..9]];
        assert_eq!(lines_through(&holes, 0), [CutLine { axis: 1, at: 4 }]);
    }

    #[test]
    fn ground_is_cut_across_its_longer_side() {
        let ground: Vec<Ground> = (3..9).map(|x| Ground { x, z: 5, span: 0 }).collect();
        assert_eq!(middle(&ground), CutLine { axis: 0, at: 6 });
        let ground = [Ground { x: 1, z: 5, span: 0 }, Ground { x: 1, z: 6, span: 0 }];
        assert_eq!(middle(&ground), CutLine { axis: 1, at: 6 });
    }
}
