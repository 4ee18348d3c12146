//! A rhumb chart in one number type ([`Fronts`]): its lines, ports, leaves and fronts, how they are built and how they
//! are repaired after edits.
//!
//! A front that an edit may have changed is put aside. When it is next needed, the ids of its halves' sides are
//! compared with those it was made from. If they are equal, the old front is put back as it was. If not, a new front is
//! made; if its own side has the ports and costs of the old one, it takes over the id of that side, so that the fronts
//! above can be put back in turn.
//!
//! Not here: how one front is worked out (`front.rs`), one leaf (`leaf.rs`), and the choice of the number type
//! (`widths.rs`).

mod repair;

use super::chart_cost::ChartCost;
use super::front::{Front, FrontScratch, Joints, Side, Way};
use super::leaf::{Leaf, LeafScratch};
use super::links::LinkEnds;
use super::ports::{Rule, list};
use super::regions::{NO_REGION, ROOT, Regions};
use super::walks::StepTables;
use crate::cost::Prices;
use crate::id::Cell;
use crate::memory::{held, in_arc};
use crate::outline::Census;
use crate::space::Area;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The settings that a chart is built with.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(in crate::chart) struct Plan {
    /// Cells from line to line, about.
    pub(super) spacing: usize,
    /// Whether each line is moved to where it needs few ports.
    pub(super) placed: bool,
    pub(super) rule: Rule,
    /// The greatest number of cells of a region whose front is repaired together with an edit. The fronts of larger
    /// regions are repaired when they are next needed.
    pub(super) eager: usize,
    /// Threads to build with.
    pub(super) threads: usize,
}

/// A chart whose costs are of type `T`.
#[derive(Clone)]
pub(in crate::chart) struct Fronts<T> {
    pub(super) plan: Plan,
    pub(super) prices: Prices,
    pub(super) tables: StepTables,
    pub(super) regions: Arc<Regions>,
    /// By cell: whether it is a port.
    pub(super) ports: BitPlane,
    pub(super) links: LinkEnds,
    pub(super) leaves: Vec<Arc<Leaf<T>>>,
    /// By number of a region that is not a leaf: its front.
    slots: Vec<Slot<T>>,
    /// The leaves and fronts for the way back, if some steps or links lead one way only.
    back: Option<WayBack<T>>,
    /// Set once some cost does not fit the number type. The costs of the chart cannot be trusted from then on.
    too_dear: OnceLock<()>,
}

/// The leaves and fronts of a chart for the way back. Those whose costs do not depend on the direction are the ones for the
/// way there.
#[derive(Clone)]
struct WayBack<T> {
    leaves: Vec<Arc<Leaf<T>>>,
    slots: Vec<Slot<T>>,
}

/// The front of a region, as of now and as it was before edits.
#[derive(Clone)]
struct Slot<T> {
    /// The valid front; empty from an edit that may have changed it until it is next needed.
    now: OnceLock<Arc<Front<T>>>,
    /// The front that was last put aside.
    before: Option<Arc<Front<T>>>,
}

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot { now: OnceLock::new(), before: None }
    }
}

impl<T> Slot<T> {
    /// Returns the fronts that the slot holds, each once.
    fn fronts(&self) -> impl Iterator<Item = &Arc<Front<T>>> {
        let now = self.now.get();
        let is_other = |before: &&Arc<Front<T>>| now.is_none_or(|now| !Arc::ptr_eq(now, before));
        now.into_iter().chain(self.before.as_ref().filter(is_other))
    }
}

impl<T: ChartCost> Fronts<T> {
    pub(super) fn build(grid: &SquareGrid, regions: Arc<Regions>, plan: Plan, prices: Prices) -> Fronts<T> {
        let links = LinkEnds::of(grid, &regions);
        let ports = lay_ports(grid, &regions, plan, &links);
        let leaves = every_leaf(&regions, &ports, &links, plan.threads, |_, bounds, cells, room| {
            Arc::new(Leaf::grow(grid, bounds, cells, prices, Way::There, room))
        });
        let mut chart = Self::of_leaves(regions, plan, prices, (ports, links), leaves);
        if grid.has_one_ways() {
            let back =
                every_leaf(&chart.regions, &chart.ports, &chart.links, plan.threads, |number, bounds, cells, room| {
                    room.cutout.cut(grid, bounds);
                    let there = &chart.leaves[number];
                    if !room.cutout.is_one_way() {
                        return Arc::clone(there);
                    }
                    let mut back = Leaf::grow(grid, bounds, cells, prices, Way::Back, room);
                    back.side.is_same_as(&there.side);
                    Arc::new(back)
                });
            let slots = (0..chart.regions.inner).map(|_| Slot::default()).collect();
            chart.back = Some(WayBack { leaves: back, slots });
        }
        chart.settle_all();
        chart
    }

    /// Makes the chart of these leaves, with all fronts, for a world without links and one-way borders.
    pub(super) fn of(
        regions: Arc<Regions>,
        plan: Plan,
        prices: Prices,
        ports: BitPlane,
        leaves: Vec<Arc<Leaf<T>>>,
    ) -> Fronts<T> {
        let chart = Self::of_leaves(regions, plan, prices, (ports, LinkEnds::default()), leaves);
        chart.settle_all();
        chart
    }

    /// Makes the chart of these leaves, without fronts.
    fn of_leaves(
        regions: Arc<Regions>,
        plan: Plan,
        prices: Prices,
        (ports, links): (BitPlane, LinkEnds),
        leaves: Vec<Arc<Leaf<T>>>,
    ) -> Fronts<T> {
        let slots = (0..regions.inner).map(|_| Slot::default()).collect();
        let widest = leaves.iter().map(|leaf| leaf.bounds.width).max().unwrap_or(0);
        let tables = StepTables::new(prices, widest);
        let too_dear = OnceLock::new();
        let chart = Fronts { plan, prices, tables, regions, ports, links, leaves, slots, back: None, too_dear };
        chart.leaves.iter().for_each(|leaf| chart.note(leaf.side.fits()));
        chart
    }

    /// Returns whether links lead nowhere in this chart, because its world is one leaf. Routes need another search then.
    pub(super) fn has_no_place_for_links(&self, grid: &SquareGrid) -> bool {
        self.regions.of(ROOT).is_leaf() && grid.has_links()
    }

    /// Returns whether all costs worked out so far fit the number type.
    pub(super) fn fits(&self) -> bool {
        self.too_dear.get().is_none()
    }

    /// Marks the chart as one with a cost that does not fit, unless `fits`.
    fn note(&self, fits: bool) {
        if !fits {
            self.too_dear.get_or_init(|| ());
        }
    }

    /// Makes all fronts that are missing. Several threads work at the same time, each on other parts of the world.
    pub(super) fn settle_all(&self) {
        let mut tops = vec![ROOT];
        while self.plan.threads > 1 && tops.len() < 16 * self.plan.threads {
            let halves: Vec<u32> = tops.iter().flat_map(|&top| self.regions.of(top).children).collect();
            if halves.contains(&NO_REGION) {
                break;
            }
            tops = halves;
        }
        let next = AtomicUsize::new(0);
        on_threads(self.plan.threads, || {
            let mut room = FrontScratch::default();
            while let Some(&top) = tops.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.settle_ways(top, &mut room);
            }
        });
        self.settle_ways(ROOT, &mut FrontScratch::default());
    }

    /// Makes the missing fronts of a region and of the regions inside it, for both ways.
    fn settle_ways(&self, region: u32, room: &mut FrontScratch<T>) {
        for way in Way::BOTH {
            self.settle(way, region, room);
        }
    }

    /// Makes the missing fronts of a region and of the regions inside it, and returns whether all costs worked out so
    /// far fit.
    pub(super) fn fits_below(&self, region: u32) -> bool {
        self.settle_ways(region, &mut FrontScratch::default());
        self.fits()
    }

    /// Returns the leaf of this number.
    #[inline(always)]
    pub(super) fn leaf(&self, way: Way, number: u32) -> &Leaf<T> {
        match &self.back {
            Some(back) if way == Way::Back => &back.leaves[number as usize],
            _ => &self.leaves[number as usize],
        }
    }

    #[inline(always)]
    fn slot(&self, way: Way, number: u32) -> &Slot<T> {
        match &self.back {
            Some(back) if way == Way::Back => &back.slots[number as usize],
            _ => &self.slots[number as usize],
        }
    }

    /// Returns the ports on the sides of a region and the costs between them.
    #[inline(always)]
    pub(super) fn side(&self, region: u32) -> &Side<T> {
        let place = self.regions.of(region);
        if place.is_leaf() { &self.leaves[place.number as usize].side } else { &self.front(Way::There, region).side }
    }

    /// Returns the front of a region that is not a leaf. Makes it first if it is missing.
    #[inline(always)]
    pub(super) fn front(&self, way: Way, region: u32) -> &Front<T> {
        match self.slot(way, self.regions.of(region).number).now.get() {
            Some(front) => front,
            None => self.front_late(way, region),
        }
    }

    /// Returns the front of a region for the way back, where `there` is the one for the way there.
    #[inline(always)]
    pub(super) fn back_of<'a>(&'a self, region: u32, there: &'a Front<T>) -> &'a Front<T> {
        if self.back.is_some() { self.front(Way::Back, region) } else { there }
    }

    /// Makes the front of a region that is missing, and returns it.
    #[cold]
    fn front_late(&self, way: Way, region: u32) -> &Front<T> {
        self.settle(way, region, &mut FrontScratch::default());
        self.slot(way, self.regions.of(region).number).now.get().expect("settled just now")
    }

    /// Makes the front of a region if it is missing, after those of the regions inside it, and returns the region's
    /// side.
    fn settle(&self, way: Way, region: u32, room: &mut FrontScratch<T>) -> &Side<T> {
        let place = self.regions.of(region);
        if place.is_leaf() {
            return &self.leaf(way, place.number).side;
        }
        let slot = self.slot(way, place.number);
        if let Some(front) = slot.now.get() {
            return &front.side;
        }
        let halves = place.children.map(|half| self.settle(way, half, room));
        &slot.now.get_or_init(|| self.make(way, region, halves, room)).side
    }

    /// Returns the front of a region with these halves: the one put aside, if it was made from the same sides, or the one for
    /// the way there, if costs do not depend on the direction, else a new one.
    fn make(&self, way: Way, region: u32, halves: [&Side<T>; 2], room: &mut FrontScratch<T>) -> Arc<Front<T>> {
        let way = if self.back.is_some() { way } else { Way::There };
        let place = self.regions.of(region);
        let before = self.slot(way, place.number).before.as_ref();
        let holds = |front: &&Arc<Front<T>>| front.from == halves.map(|half| half.id);
        if let Some(front) = before.filter(holds) {
            return Arc::clone(front);
        }
        let known = self.links.of_region(region);
        let directed = self.back.is_some() && {
            let there_and_back = place.children.map(|half| Way::BOTH.map(|way| self.settle(way, half, room).id));
            there_and_back.iter().any(|ids| ids[0] != ids[1]) || known.is_some_and(|known| !known.lead_both_ways())
        };
        let there = || {
            self.settle(Way::There, region, &mut FrontScratch::default());
            self.slots[place.number as usize].now.get().expect("settled just now")
        };
        if way == Way::Back && !directed {
            return Arc::clone(there());
        }
        let (line, stops) = self.list_ports(region, &mut room.list);
        let links = known.map_or(&[][..], |known| &known.links);
        let (mut front, fits) = room.make(Joints { line, stops, links, way, directed }, halves);
        self.note(fits);
        if let Some(before) = before {
            front.side.is_same_as(&before.side);
        }
        if way == Way::Back {
            front.side.is_same_as(&there().side);
        }
        Arc::new(front)
    }

    /// Lists the ports of a region that is not a leaf. Returns how many lie on its line alone, and how many are stopovers.
    fn list_ports(&self, region: u32, ports: &mut Vec<Cell>) -> (usize, usize) {
        let place = self.regions.of(region);
        ports.clear();
        if let Some((first, last)) = self.regions.inner_line(place) {
            list(&self.ports, first, last, ports);
        }
        let Some(known) = self.links.of_region(region) else {
            let line = ports.len();
            self.list_sides(place.bounds, ports);
            return (line, line);
        };
        ports.extend(&known.inner);
        let is_open = |port: &Cell| known.open.binary_search(port).is_ok();
        // Ports that open ends lie at come after those of the line alone. The sort keeps their order otherwise.
        ports.sort_by_key(is_open);
        let (line, stops) = (ports.iter().filter(|port| !is_open(port)).count(), ports.len());
        list_sides(&self.regions, &self.ports, place.bounds, ports);
        let rest = known.open.iter().filter(|end| !ports[line..stops].contains(end));
        let rest: Vec<Cell> = rest.copied().collect();
        ports.extend(rest);
        (line, stops)
    }

    /// Lists the ports of a leaf, given by its region.
    fn list_leaf(&self, leaf: u32, ports: &mut Vec<Cell>) {
        list_leaf(&self.regions, &self.ports, &self.links, leaf, ports);
    }

    fn list_sides(&self, bounds: Area, ports: &mut Vec<Cell>) {
        list_sides(&self.regions, &self.ports, bounds, ports);
    }

    /// Calls `visit` with the bounds of every leaf that contains `cell`.
    pub(super) fn leaves_of(&self, cell: Cell, visit: &mut impl FnMut(Area)) {
        self.regions.touched(cell.into(), &mut |leaf| visit(self.leaves[leaf as usize].bounds));
    }

    /// Returns the size of the chart in two levels: all leaves, then all other regions. The nodes of leaves are the
    /// ports on their sides, those of other regions the ports on their lines. The edges are pairs of ports on the sides
    /// of one region with a way between them inside it.
    pub(super) fn census(&self) -> Vec<Census> {
        let ways = |side: &Side<T>| {
            side.costs.iter().filter(|&&chart_cost| chart_cost > T::ZERO && chart_cost < T::NO_WAY).count() / 2
        };
        let mut leaves = Census { clusters: self.leaves.len(), ..Census::default() };
        let mut inner = Census { clusters: self.regions.inner, ..Census::default() };
        for leaf in &self.leaves {
            leaves.nodes += leaf.side.list.len();
            leaves.intra_edges += ways(&leaf.side);
        }
        for (region, _) in self.regions.all.iter().enumerate().filter(|(_, region)| !region.is_leaf()) {
            let front = self.front(Way::There, region as u32);
            inner.nodes += front.side.line;
            inner.intra_edges += ways(&front.side);
        }
        vec![leaves, inner]
    }

    /// Converts a cost in the chart's prices to the world's metric; `None` if it is too great for `u32`. The result is
    /// exact where the chart has the world's [prices](super::prices). Elsewhere it is off by about as much as the
    /// proportion of the chart's prices is.
    pub(super) fn world_cost(&self, grid: &SquareGrid, cost: u64) -> Option<u32> {
        // Where the world has one weight for all cells, costs in the chart are those of weight 1.
        let weight = if grid.weights().is_none() { grid.least_weight() } else { 1 };
        let whole = cost.checked_mul(u64::from(grid.metric().straight()) * u64::from(weight))?;
        let price = u64::from(self.prices.straight);
        u32::try_from((whole + price / 2) / price).ok()
    }

    pub(super) fn bytes(&self) -> usize {
        let leaves: usize = self.leaves.iter().map(|leaf| in_arc(leaf) + leaf.bytes()).sum();
        let fronts: usize = self.slots.iter().flat_map(Slot::fronts).map(|front| in_arc(front) + front.bytes()).sum();
        let lists = self.tables.bytes() + held(&self.leaves) + held(&self.slots) + self.links.bytes();
        let back = self.back.as_ref().map_or(0, |back| self.bytes_of(back));
        leaves + fronts + lists + back + in_arc(&self.regions) + self.regions.bytes() + self.ports.bytes()
    }

    /// Returns the memory of the way back, without what it shares with the way there.
    fn bytes_of(&self, back: &WayBack<T>) -> usize {
        let pairs = back.leaves.iter().zip(&self.leaves).filter(|(back, there)| !Arc::ptr_eq(back, there));
        let leaves: usize = pairs.map(|(leaf, _)| in_arc(leaf) + leaf.bytes()).sum();
        let own = back.slots.iter().zip(&self.slots).flat_map(|(slot, there)| {
            slot.fronts().filter(|front| !there.fronts().any(|other| Arc::ptr_eq(front, other)))
        });
        leaves + own.map(|front| in_arc(front) + front.bytes()).sum::<usize>() + held(&back.leaves) + held(&back.slots)
    }
}

/// Lays the ports on all lines of a world, and at the ends of links.
pub(super) fn lay_ports(grid: &SquareGrid, regions: &Regions, plan: Plan, links: &LinkEnds) -> BitPlane {
    let mut ports = BitPlane::new(grid.width(), grid.height());
    for &leaf in &regions.leaves {
        for (first, last) in regions.whole_sides(regions.of(leaf).bounds) {
            let rule = plan.rule.across(regions.reach(leaf, first, last), plan.spacing);
            rule.lay(grid, regions, first, last, &mut ports);
        }
    }
    links.cells.iter().for_each(|end| ports.set(usize::from(end.x), usize::from(end.y), true));
    ports
}

/// Appends the ports of a leaf, given by its region: those on its sides, then the ends of links inside.
fn list_leaf(regions: &Regions, ports: &BitPlane, links: &LinkEnds, leaf: u32, cells: &mut Vec<Cell>) {
    list_sides(regions, ports, regions.of(leaf).bounds, cells);
    cells.extend(links.of_region(leaf).map_or(&[][..], |known| &known.open));
}

/// Appends the ports on the sides of a rectangle: top, bottom, left, right. A port on a corner of the rectangle is
/// listed once, with its row.
pub(super) fn list_sides(regions: &Regions, ports: &BitPlane, bounds: Area, cells: &mut Vec<Cell>) {
    for (first, last) in regions.sides(bounds) {
        list(ports, first, last, cells);
    }
}

/// Calls `make` with the number, the bounds and the ports of every leaf, on several threads, and returns what it made,
/// in the order of the leaves.
pub(super) fn every_leaf<L: Send + Sync>(
    regions: &Regions,
    ports: &BitPlane,
    links: &LinkEnds,
    threads: usize,
    make: impl Fn(usize, Area, &[Cell], &mut LeafScratch) -> L + Sync,
) -> Vec<L> {
    /// How many leaves a thread takes at a time.
    const BATCH: usize = 16;
    let made: Vec<OnceLock<L>> = regions.leaves.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut room, mut cells) = (LeafScratch::default(), Vec::new());
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = made.get(first..(first + BATCH).min(made.len())).filter(|batch| !batch.is_empty()) else {
                return;
            };
            for (number, slot) in batch.iter().enumerate().map(|(rank, slot)| (first + rank, slot)) {
                let region = regions.leaves[number];
                let bounds = regions.of(region).bounds;
                cells.clear();
                list_leaf(regions, ports, links, region, &mut cells);
                slot.get_or_init(|| make(number, bounds, &cells, &mut room));
            }
        }
    };
    on_threads(threads, work);
    made.into_iter().map(|slot| slot.into_inner().expect("every leaf was some thread's")).collect()
}

/// Runs `work` once on each of so many threads, of which the calling thread is one. If a thread cannot be started,
/// `work` runs on fewer; it has to divide the work so that any number of threads gets all of it done.
fn on_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::thread::{ThreadId, current};

    fn workers(threads: usize) -> Vec<ThreadId> {
        let workers = Mutex::new(Vec::new());
        on_threads(threads, || workers.lock().expect("nothing here panics").push(current().id()));
        workers.into_inner().expect("nothing here panics")
    }

    #[test]
    fn one_thread_is_the_one_that_asks() {
        assert_eq!(workers(1), [current().id()]);
        assert_eq!(workers(0), [current().id()]);
        let three = workers(3);
        assert_eq!((three.len(), three.contains(&current().id())), (3, true));
    }
}
