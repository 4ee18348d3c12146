//! A rhumb chart as flat arrays ([`FlatRhumb`]), for processors that take no pointers.
//!
//! Not here: computing routes from them, which the crate `portolan-gpu` does.

use super::Rhumb;
use super::bound::open_prices;
use super::chart_cost::ChartCost;
use super::front::Way;
use super::fronts::Fronts;
use super::leaf::Leaf;
use super::regions::{Line, NO_REGION};
use super::widths::{AnyFronts, with};
use crate::cost::Prices;
use crate::flat::{FlatRegion, FlatRhumb, NONE};
use crate::space::Directions;
use crate::space::Extras;
use crate::space::square::SquareGrid;

/// The least cost that flat arrays do not hold, chosen so that the sum of any four is a number of 31 bits.
const TOO_DEAR: u64 = 1 << 28;

/// The rank in a half of a port that is not on its sides.
const NOWHERE: u16 = u16::MAX;

impl Rhumb {
    /// Returns the chart and its grid as flat arrays, with all fronts that repairs have put off. Returns `None` if routes
    /// are smoothed, if there are walls between cells, or if a cost is too great for them.
    pub(super) fn flatten(&self, grid: &SquareGrid) -> Option<FlatRhumb> {
        if self.smoothing.is_some() || grid.extras() != Extras::Nothing {
            return None;
        }
        let chart = self.chart.first_that(grid, |chart| {
            with!(&chart.fronts, fronts => fronts.settle_all());
            chart.fits()
        });
        let mut flat = of_grid(grid);
        flat.is_direct = self.direct && grid.uniform_weight().is_some();
        with!(&chart.fronts, fronts => fronts.flatten(grid, &mut flat)).then_some(flat)
    }
}

/// Returns the arrays of a grid; those of its chart are empty.
fn of_grid(grid: &SquareGrid) -> FlatRhumb {
    let legal = grid.gait().legal();
    let (width, height) = (grid.width() as u16, grid.height() as u16);
    let nodes = (0..height).flat_map(|y| (0..width).map(move |x| grid.node(crate::id::Cell { x, y })));
    let is_free = |node| grid.is_free(grid.cell(node));
    FlatRhumb {
        size: [width.into(), height.into()],
        metric: [grid.metric().straight(), grid.metric().diagonal()],
        has_diagonals: grid.rules().directions == Directions::Eight,
        weight: grid.least_weight(),
        weights: match grid.weights() {
            Some(_) => nodes.clone().map(|node| if is_free(node) { grid.weight(node) } else { 0 }).collect(),
            None => Vec::new(),
        },
        moves: nodes.map(|node| if is_free(node) { legal[usize::from(grid.around(node))] } else { 0 }).collect(),
        ..FlatRhumb::default()
    }
}

impl<T: ChartCost> Fronts<T> {
    /// Fills in the arrays of the chart. Returns whether all costs are small enough for them.
    fn flatten(&self, grid: &SquareGrid, flat: &mut FlatRhumb) -> bool {
        let open = open_prices(grid, self.prices);
        flat.spacing = self.plan.spacing as u32;
        flat.prices = [self.prices.straight, self.prices.diagonal];
        flat.open_prices = [open.straight, open.diagonal];
        let mut fits = self.fits();
        for (number, place) in (0..).zip(&self.regions.all) {
            let side = self.side(number);
            let mut region = FlatRegion {
                bounds: [place.bounds.x, place.bounds.y, place.bounds.width, place.bounds.height],
                parent: if place.parent == NO_REGION { NONE } else { place.parent },
                halves: if place.is_leaf() { [NONE; 2] } else { place.children },
                line: match place.line {
                    Line::Column(x) => (false, x),
                    Line::Row(y) => (true, y),
                },
                first_port: flat.ports.len() as u32,
                line_ports: side.line as u32,
                ports: side.list.len() as u32,
                first_row: flat.rows.len() as u32,
                first_side: flat.sides.len() as u32,
                first_step: NONE,
                first_clear: NONE,
                open_prices: [0; 2],
                number: place.number,
            };
            flat.ports.extend(side.list.iter().map(|port| [port.x, port.y]));
            fits &= kept(&side.costs, &mut flat.sides);
            if place.is_leaf() {
                flatten_leaf(&self.leaves[place.number as usize], &mut region, flat);
                flat.ranks.resize(flat.ports.len(), [NOWHERE; 2]);
            } else {
                let front = self.front(Way::There, number);
                let rank = |half: usize, place: usize| front.in_half(half, place).map_or(NOWHERE, |rank| rank as u16);
                flat.ranks.extend((0..side.list.len()).map(|place| [rank(0, place), rank(1, place)]));
                for port in 0..side.line {
                    fits &= kept(&front.row(port).as_flattened()[..side.list.len()], &mut flat.rows);
                }
            }
            flat.regions.push(region);
        }
        fits
    }
}

fn flatten_leaf<T>(leaf: &Leaf<T>, region: &mut FlatRegion, flat: &mut FlatRhumb) {
    if let Some(Prices { straight, diagonal }) = leaf.open {
        region.open_prices = [straight, diagonal];
        return;
    }
    region.first_step = flat.steps.len() as u32;
    flat.steps.extend(&leaf.steps);
    if !leaf.clear.is_empty() {
        region.first_clear = flat.clear.len() as u32;
        flat.clear.extend(&leaf.clear);
    }
}

/// Appends costs. Returns whether all of them are small enough.
fn kept<T: ChartCost>(costs: &[T], numbers: &mut Vec<u32>) -> bool {
    let mut fits = true;
    numbers.extend(costs.iter().map(|&cost| {
        fits &= cost >= T::NO_WAY || cost.whole() < TOO_DEAR;
        if cost < T::NO_WAY { cost.whole() as u32 } else { NONE }
    }));
    fits
}
