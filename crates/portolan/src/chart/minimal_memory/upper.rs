//! The second level: larger sectors. Each of their regions is made of first-level regions that are connected inside the
//! larger sector.
//!
//! The second level is packed as the first is. A region's centre is the centre of one of the first-level regions that
//! it is made of. So the chart need not keep which second-level region a first-level region belongs to: comparing
//! centres tells it.
//!
//! Not here: how regions are packed, which [`super::sectors`] does.

use super::region_search::Visits;
use super::sectors::{Region, Sectors, Spot};
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::space::square::moves::STEP;
use std::collections::{BTreeMap, BTreeSet};

/// First-level sectors along the side of a second-level sector.
pub(super) const GROUP: u32 = 4;

/// What stands in place of a number for first-level regions that belong to no second-level region yet.
const NOWHERE: u16 = u16::MAX;

/// Redoes the second-level sectors in `due`. It also numbers the regions of the sectors around them, as edges lead
/// there.
pub(super) fn redo(layout: &Layout, lower: &Sectors, upper: &mut Sectors, due: &BTreeSet<u32>) {
    let mut number_by_place = vec![NOWHERE; lower.places()];
    let mut members_by_sector = BTreeMap::new();
    for sector in due.iter().flat_map(|&sector| layout.around(1, sector)) {
        members_by_sector.entry(sector).or_insert_with(|| members(layout, lower, sector, &mut number_by_place));
    }
    upper.pack(layout, |sector| {
        let merge = |members: &Vec<Spot>| merged(layout, lower, sector, members, &number_by_place);
        due.contains(&sector).then(|| members_by_sector[&sector].iter().map(merge).collect())
    });
}

/// Returns, for each region of a second-level sector, the first-level regions that it is made of, and writes its number
/// into `number_by_place` for each of those.
fn members(layout: &Layout, lower: &Sectors, sector: u32, number_by_place: &mut [u16]) -> Vec<Vec<Spot>> {
    let mut members: Vec<Vec<Spot>> = Vec::new();
    for first in layout.children(1, sector).flat_map(|child| lower.of(child)) {
        if number_by_place[first.place as usize] != NOWHERE {
            continue;
        }
        let number = members.len() as u16;
        number_by_place[first.place as usize] = number;
        let mut joined = vec![first];
        let mut next = 0;
        while next < joined.len() {
            lower.for_each_edge(layout, joined[next], |to| {
                let known = &mut number_by_place[to.place as usize];
                if *known == NOWHERE && layout.parent(0, to.sector) == sector {
                    *known = number;
                    joined.push(to);
                }
            });
            next += 1;
        }
        members.push(joined);
    }
    members
}

/// Returns the second-level region that is made of the first-level regions `members`.
fn merged(layout: &Layout, lower: &Sectors, sector: u32, members: &[Spot], number_by_place: &[u16]) -> Region {
    let mut edges = Vec::new();
    let (mut sum, mut weight, count) = ((0, 0), 0, members.len() as i64);
    for &member in members {
        let Cell { x, y } = lower.centre(layout, member);
        sum = (sum.0 + i64::from(x), sum.1 + i64::from(y));
        weight += u64::from(lower.weight(member).unwrap_or(1));
        lower.for_each_edge(layout, member, |to| {
            let beyond = layout.parent(0, to.sector);
            if beyond != sector {
                edges.push((direction(layout, sector, beyond), number_by_place[to.place as usize]));
            }
        });
    }
    edges.sort_unstable();
    edges.dedup();
    let off = |cell: &Cell| {
        let (dx, dy) = (count * i64::from(cell.x) - sum.0, count * i64::from(cell.y) - sum.1);
        (dx * dx + dy * dy, *cell)
    };
    let centres = members.iter().map(|&member| lower.centre(layout, member));
    let centre = centres.min_by_key(off).expect("a region has members");
    Region { centre, weight: weight.div_ceil(members.len() as u64) as u8, edges }
}

/// Returns the direction from a second-level sector to a neighbouring one.
fn direction(layout: &Layout, from: u32, to: u32) -> u8 {
    let [(x, y), (to_x, to_y)] = [from, to].map(|sector| layout.tier(1).place(sector));
    let step = (to_x as i32 - x as i32, to_y as i32 - y as i32);
    STEP.iter().position(|&other| other == step).expect("regions that meet lie in neighbouring sectors") as u8
}

/// Returns the second-level region that the first-level region `spot` belongs to. A breadth-first search inside the
/// second-level sector goes on from `spot` until it comes to a first-level region whose centre is that of a
/// second-level region.
pub(super) fn above(layout: &Layout, lower: &Sectors, upper: &Sectors, spot: Spot, visits: &mut Visits) -> Spot {
    let sector = layout.parent(0, spot.sector);
    if let Some(only) = upper.only(sector) {
        return only;
    }
    visits.begin(lower);
    visits.visit(spot);
    let mut next = 0;
    while let Some(part) = visits.nth(next) {
        let centre = lower.centre(layout, part);
        if let Some(found) = upper.of(sector).find(|&region| upper.centre(layout, region) == centre) {
            return found;
        }
        lower.for_each_edge(layout, part, |to| {
            if layout.parent(0, to.sector) == sector {
                visits.visit(to);
            }
        });
        next += 1;
    }
    unreachable!("a second-level region's centre is that of one of its parts")
}
