//! A chart in numbers of some width: the narrowest that its costs fit in, and wider ones once they turn out not to.
//!
//! Costs are the same numbers in every width, and so are the answers. A chart is built in the narrowest numbers that fit.
//! After an edit some fronts are made only when they are asked for, and may then hold a cost that does not fit; and the
//! sums of one query may not fit although all fronts do. Then the chart is built in wider numbers, along the same lines,
//! and kept beside the narrow one.

use super::chart_cost::{ChartCost, Cost16};
use super::fronts::{Fronts, Plan};
use super::prices;
use super::regions::Regions;
use crate::world::square::SquareGrid;
use std::sync::{Arc, OnceLock};

/// A chart, and the wider one that took over from it.
#[derive(Clone)]
pub(super) struct Chart {
    pub(super) fronts: AnyFronts,
    wider: OnceLock<Box<Chart>>,
}

/// The fronts of a chart in numbers of any width.
#[derive(Clone)]
pub(super) enum AnyFronts {
    Narrow(Fronts<Cost16>),
    Wide(Fronts<f32>),
    Widest(Fronts<f64>),
}

/// Runs the same code on fronts of any width.
macro_rules! with {
    ($chart:expr, $fronts:ident => $body:expr) => {
        match $chart {
            AnyFronts::Narrow($fronts) => $body,
            AnyFronts::Wide($fronts) => $body,
            AnyFronts::Widest($fronts) => $body,
        }
    };
}
pub(super) use with;

impl From<AnyFronts> for Chart {
    fn from(fronts: AnyFronts) -> Chart {
        Chart { fronts, wider: OnceLock::new() }
    }
}

impl Chart {
    /// Builds the chart of a world along these lines, in the narrowest numbers that its costs fit in. Weights are halved
    /// and multiplied: two bytes would seldom do.
    pub(super) fn build(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Chart {
        let narrow = grid.uniform_weight().and_then(|_| fitting(grid, regions, plan));
        narrow.map_or_else(|| Self::build_wide(grid, regions, plan), |fronts| AnyFronts::Narrow(fronts).into())
    }

    fn build_wide(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Chart {
        let wide = fitting(grid, regions, plan);
        wide.map_or_else(|| Self::build_widest(grid, regions, plan), |fronts| AnyFronts::Wide(fronts).into())
    }

    fn build_widest(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Chart {
        AnyFronts::Widest(Fronts::build(grid, Arc::clone(regions), plan, prices(grid))).into()
    }

    /// Builds the chart in wider numbers; `None` if there are none.
    fn build_wider(&self, grid: &SquareGrid) -> Option<Chart> {
        match &self.fronts {
            AnyFronts::Narrow(fronts) => Some(Self::build_wide(grid, &fronts.regions, fronts.plan)),
            AnyFronts::Wide(fronts) => Some(Self::build_widest(grid, &fronts.regions, fronts.plan)),
            AnyFronts::Widest(_) => None,
        }
    }

    /// The chart in wider numbers, built when it is first asked for; `None` if there are none.
    pub(super) fn wider(&self, grid: &SquareGrid) -> Option<&Chart> {
        if let AnyFronts::Widest(_) = self.fronts {
            return None;
        }
        let build = || Box::new(self.build_wider(grid).expect("only the widest numbers have no wider ones"));
        Some(self.wider.get_or_init(build))
    }

    /// This chart or a wider one, in numbers that all costs known so far fit in.
    pub(super) fn fitting(&self, grid: &SquareGrid) -> &Chart {
        self.first_that(grid, Chart::fits)
    }

    /// The first of this chart and wider ones that passes a test, which the widest always does.
    pub(super) fn first_that(&self, grid: &SquareGrid, passes: impl Fn(&Chart) -> bool) -> &Chart {
        let mut chart = self;
        while !passes(chart) {
            let Some(wider) = chart.wider(grid) else { return chart };
            chart = wider;
        }
        chart
    }

    /// Whether all costs known so far fit.
    pub(super) fn fits(&self) -> bool {
        with!(&self.fronts, fronts => fronts.fits())
    }

    /// Leaves only the widest chart that there is.
    pub(super) fn keep_widest(&mut self) {
        while let Some(wider) = self.wider.take() {
            *self = *wider;
        }
    }

    /// Builds the chart anew in wider numbers until all costs fit; says whether it had to.
    pub(super) fn widen(&mut self, grid: &SquareGrid) -> bool {
        let fits = self.fits();
        while !self.fits()
            && let Some(wider) = self.build_wider(grid)
        {
            *self = wider;
        }
        !fits
    }

    /// The lines it is drawn along.
    pub(super) fn regions(&self) -> &Arc<Regions> {
        with!(&self.fronts, fronts => &fronts.regions)
    }

    pub(super) fn bytes(&self) -> usize {
        let wider = self.wider.get().map_or(0, |wider| wider.bytes());
        wider + with!(&self.fronts, fronts => fronts.bytes())
    }
}

/// The fronts of a world in numbers of type `T`, if all costs fit.
fn fitting<T: ChartCost>(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Option<Fronts<T>> {
    Some(Fronts::build(grid, Arc::clone(regions), plan, prices(grid))).filter(Fronts::fits)
}
