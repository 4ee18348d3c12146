//! The hexagonal grid as a [`Space`].
//!
//! Not here: what the methods do, which is in the other files of this folder.

use super::HexGrid;
use crate::cost::Cost;
use crate::id::{Cell, HexCell, NodeId};
use crate::space::grids::grid_as_space;
use crate::space::passages::Extras;
use crate::space::{Area, Change, Edit, Motion, Revision, Space};

/// How far apart the middles of two rows are, in units of the distance between two columns: half of √3.
const ROW: f32 = 0.866_025_4;

impl Space for HexGrid {
    const KIND: &'static str = "hex";

    grid_as_space!(HexCell);

    /// Only steps are legal: no algorithm on hexes goes in straight lines at other angles.
    fn segment(&self, from: HexCell, to: HexCell, motion: Motion) -> Option<Cost> {
        match motion {
            Motion::Steps => self.step_cost(from, to),
            Motion::AnyAngle => None,
        }
    }

    fn steps_below(&self, _: HexCell, to: HexCell, steps: &mut Vec<HexCell>) {
        steps.push(to);
    }

    /// The sum is one of integers, halved once.
    fn length(&self, places: &[HexCell], _: Motion) -> f64 {
        let weight = |cell| u64::from(self.terrain(cell).weight());
        let (mut twice, mut links) = (0, 0);
        for step in places.windows(2) {
            match self.walk_cost(step[0], step[1]) {
                Some(_) => twice += weight(step[0]) + weight(step[1]),
                // A link is as long as ground of weight 1 of its cost.
                None => links += self.ground.link_cost(step[0], step[1]).map_or(0, |cost| u64::from(cost.0)),
            }
        }
        0.5 * twice as f64 + links as f64 / f64::from(self.metric().straight())
    }

    fn position(&self, at: HexCell) -> [f32; 3] {
        let (q, r) = (f32::from(at.q), f32::from(at.r));
        [q + r / 2.0, r * ROW, 0.0]
    }

    fn edit_reaches(edit: &Edit, at: HexCell) -> bool {
        at.cell().is_some_and(|cell: Cell| reach(edit).any(|area| area.contains(cell)))
    }

    fn region_of(places: &[HexCell]) -> Area {
        let area = |at: HexCell| Area::from(at.cell().expect("places of a route lie on the grid"));
        places.iter().fold(area(places[0]), |region, &at| region.with(area(at)))
    }

    fn edit_meets(&self, edit: &Edit, region: Area) -> bool {
        reach(edit).any(|area| area.overlaps(region))
    }
}

/// Returns the cells whose steps an edit changes: a border is crossed by steps to cells beside those of the edit.
fn reach(edit: &Edit) -> impl Iterator<Item = Area> + use<> {
    let has_border = matches!(edit.change, Change::Border(..));
    edit.areas().map(move |area| if has_border { area.with_rim() } else { area })
}
