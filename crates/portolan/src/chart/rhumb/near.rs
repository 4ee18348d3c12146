//! Routes between cells that are close to each other. A route by ports may be a detour there, so that the cells around
//! both ends are searched as well.

use super::bound::OpenDistance;
use super::chart_cost::ChartCost;
use super::fronts::Fronts;
use super::leaf::LeafScratch;
use super::scratch::RhumbScratch;
use crate::chart::shared::sight::report;
use crate::id::Cell;
use crate::method::Task;
use crate::probe::{Event, Phase, Probe};
use crate::space::Area;
use crate::space::square::moves::STEP;

impl<T: ChartCost> Fronts<T> {
    /// Searches around start and goal if they are close to each other. If the route found is cheaper than the one by
    /// ports, whose cost is `by_ports`, appends its cells to `trail`, the goal first, and returns `true`. Adds the
    /// number of expanded cells to `owed`.
    pub(super) fn search_near(
        &self,
        task: Task,
        by_ports: u32,
        rhumb: &mut RhumbScratch,
        trail: &mut Vec<Cell>,
        owed: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        let Some((cost, bounds)) = self.cost_near(task, by_ports, rhumb, probe) else { return false };
        let tree = &rhumb.room.tree;
        *owed += tree.expanded;
        if cost >= by_ports {
            return false;
        }
        let mut cell = task.to;
        trail.push(cell);
        while let Some(direction) = tree.step_back(bounds.index(cell)) {
            cell = cell.shifted(STEP[usize::from(direction)]);
            trail.push(cell);
        }
        true
    }

    /// Searches around start and goal if they are close to each other. Returns the cost of the cheapest route inside
    /// the searched rectangle, and that rectangle; the route itself is left in `rhumb.room.tree`. Returns `None`,
    /// without a search, if they are not close or the route by ports cannot be improved.
    pub(super) fn cost_near(
        &self,
        task: Task,
        by_ports: u32,
        rhumb: &mut RhumbScratch,
        probe: &mut impl Probe,
    ) -> Option<(u32, Area)> {
        let bounds = self.around(task)?;
        if by_ports <= OpenDistance::new(task.grid, self.prices, task.to).from(task.from) {
            // The route by ports costs no more than a walk without any obstacle would: none is cheaper.
            return None;
        }
        probe.event(Event::Phase { phase: Phase::Connect });
        let LeafScratch { cutout, tree, ring, .. } = &mut rhumb.room;
        cutout.cut(task.grid, bounds);
        cutout.reprice(task.grid, self.prices);
        let cost = cutout.reach(bounds.index(task.from), bounds.index(task.to), tree, ring);
        if probe.is_watching() {
            report(task.grid, bounds, tree, probe);
        }
        Some((cost, bounds))
    }

    /// Returns the rectangle to search in: the one around start and goal, half a spacing wider on every side, and wide
    /// enough for every leaf that holds both. Returns `None` if they are farther apart than one spacing and in no leaf
    /// together.
    fn around(&self, task: Task) -> Option<Area> {
        let (from, to) = (task.from, task.to);
        let apart = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
        let spacing = self.plan.spacing as u16;
        if apart > 2 * spacing {
            return None;
        }
        let margin = spacing / 2;
        let mut low = [from.x.min(to.x).saturating_sub(margin), from.y.min(to.y).saturating_sub(margin)];
        let mut high = [
            (from.x.max(to.x) + margin).min(task.grid.width() as u16 - 1),
            (from.y.max(to.y) + margin).min(task.grid.height() as u16 - 1),
        ];
        let leaf = self.leaf_with(from, to);
        if apart > spacing && leaf.is_none() {
            return None;
        }
        if let Some(leaf) = leaf {
            low = [low[0].min(leaf.x), low[1].min(leaf.y)];
            high = [high[0].max(leaf.x + leaf.width - 1), high[1].max(leaf.y + leaf.height - 1)];
        }
        Some(Area { x: low[0], y: low[1], width: high[0] - low[0] + 1, height: high[1] - low[1] + 1 })
    }

    /// Returns the least rectangle around all leaves that hold both cells, or `None` if no leaf does.
    fn leaf_with(&self, a: Cell, b: Cell) -> Option<Area> {
        let mut held: Option<Area> = None;
        self.leaves_of(a, &mut |bounds: Area| {
            if bounds.contains(b) {
                held = Some(held.map_or(bounds, |held| held.with(bounds)));
            }
        });
        held
    }
}
