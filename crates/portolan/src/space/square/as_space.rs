//! The square grid as a [`Space`].
//!
//! Not here: what the methods do, which is in the other files of this folder.

use super::SquareGrid;
use crate::cost::Cost;
use crate::id::{Cell, NodeId};
use crate::route::straight::straighten;
use crate::space::grids::grid_as_space;
use crate::space::passages::Extras;
use crate::space::{Area, Directions, Edit, Motion, Revision, Space};
use std::f64::consts::SQRT_2;

impl Space for SquareGrid {
    const KIND: &'static str = "square";

    grid_as_space!(Cell);

    fn segment(&self, from: Cell, to: Cell, motion: Motion) -> Option<Cost> {
        match motion {
            Motion::Steps => self.step_cost(from, to),
            Motion::AnyAngle => self.line_cost(from, to),
        }
    }

    /// With four directions, a step across a corner becomes two.
    fn steps_below(&self, from: Cell, to: Cell, steps: &mut Vec<Cell>) {
        let mut last = from;
        self.crosses(from, to, |cell, _| {
            if last.x != cell.x && last.y != cell.y && self.rules().directions == Directions::Four {
                steps.push(Cell { x: cell.x, y: last.y });
            }
            if cell != from {
                steps.push(cell);
            }
            last = cell;
            true
        });
    }

    fn straighten(&self, places: &mut Vec<Cell>, cost: Cost) -> Option<Cost> {
        // The places may come from the goal to the start, but a line over one-way borders leads one way.
        (self.extras() <= Extras::Walls).then(|| straighten(self, places, cost.0).map(Cost))?
    }

    /// Steps are added up in integers, and √2 is applied once to the sum.
    fn length(&self, places: &[Cell], motion: Motion) -> f64 {
        if motion == Motion::AnyAngle {
            return places.windows(2).filter_map(|line| self.line_length(line[0], line[1])).sum();
        }
        let weight = |cell| u64::from(self.terrain(cell).weight());
        let (mut straight, mut diagonal, mut links) = (0, 0, 0);
        for step in places.windows(2) {
            if self.walk_cost(step[0], step[1]).is_none() {
                // A link is as long as ground of weight 1 of its cost.
                links += self.ground.link_cost(step[0], step[1]).map_or(0, |cost| u64::from(cost.0));
                continue;
            }
            let both = weight(step[0]) + weight(step[1]);
            if step[0].x == step[1].x || step[0].y == step[1].y { straight += both } else { diagonal += both }
        }
        0.5 * (straight as f64 + diagonal as f64 * SQRT_2) + links as f64 / f64::from(self.metric().straight())
    }

    fn position(&self, at: Cell) -> [f32; 3] {
        [f32::from(at.x), f32::from(at.y), 0.0]
    }

    fn edit_reaches(edit: &Edit, at: Cell) -> bool {
        edit.areas().any(|area| area.with_rim().contains(at))
    }

    fn region_of(places: &[Cell]) -> Area {
        places.iter().fold(Area::from(places[0]), |area, &cell| area.with(Area::from(cell)))
    }

    fn edit_meets(&self, edit: &Edit, region: Area) -> bool {
        edit.areas().any(|area| area.with_rim().overlaps(region))
    }
}
