//! The choice of the number type of a chart: the narrowest that its costs fit in, and wider ones when costs turn out
//! not to fit.
//!
//! A cost is the same whole number in every type, so that answers do not depend on the type. A chart is built with the
//! narrowest type that all costs fit in. That can change later: after an edit some fronts are made only when they are
//! needed, and may then have a cost that does not fit; and a sum within one query may not fit although all fronts do.
//! In both cases the chart is built with a wider type, along the lines of the narrow one, and kept beside it.
//!
//! Not here: the number types (`chart_cost.rs`).

use super::chart_cost::{ChartCost, Cost16};
use super::fronts::{Fronts, Plan};
use super::prices;
use super::regions::Regions;
use crate::space::square::SquareGrid;
use std::sync::{Arc, OnceLock};

/// A chart, and the chart with a wider number type if one was needed.
#[derive(Clone)]
pub(super) struct Chart {
    pub(super) fronts: AnyFronts,
    /// The chart of the same lines with a wider number type, once a query has needed it.
    wider: OnceLock<Box<Chart>>,
}

/// The fronts of a chart, with costs of any number type.
#[derive(Clone)]
pub(super) enum AnyFronts {
    Narrow(Fronts<Cost16>),
    Wide(Fronts<f32>),
    Widest(Fronts<f64>),
}

/// Evaluates an expression on fronts of any number type.
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
    /// Builds the chart of a world along these lines, with the narrowest number type that its costs fit in. Two bytes
    /// are not tried where weights differ: prices are multiplied by weights there, so that costs would seldom fit.
    pub(super) fn build(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Chart {
        let narrow = grid.uniform_weight().and_then(|_| fitting(grid, regions, plan));
        narrow.map_or_else(|| Self::build_wide(grid, regions, plan), |fronts| AnyFronts::Narrow(fronts).into())
    }

    /// Builds the chart with four bytes for a cost, or with eight if its costs do not fit.
    fn build_wide(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Chart {
        let wide = fitting(grid, regions, plan);
        wide.map_or_else(|| Self::build_widest(grid, regions, plan), |fronts| AnyFronts::Wide(fronts).into())
    }

    /// Builds the chart with eight bytes for a cost.
    fn build_widest(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Chart {
        AnyFronts::Widest(Fronts::build(grid, Arc::clone(regions), plan, prices(grid))).into()
    }

    /// Builds the chart with a wider number type; `None` if there is no wider one.
    fn build_wider(&self, grid: &SquareGrid) -> Option<Chart> {
        match &self.fronts {
            AnyFronts::Narrow(fronts) => Some(Self::build_wide(grid, &fronts.regions, fronts.plan)),
            AnyFronts::Wide(fronts) => Some(Self::build_widest(grid, &fronts.regions, fronts.plan)),
            AnyFronts::Widest(_) => None,
        }
    }

    /// Returns the chart with a wider number type, which is built by the first call; `None` if there is no wider type.
    pub(super) fn wider(&self, grid: &SquareGrid) -> Option<&Chart> {
        if let AnyFronts::Widest(_) = self.fronts {
            return None;
        }
        let build = || Box::new(self.build_wider(grid).expect("only the widest numbers have no wider ones"));
        Some(self.wider.get_or_init(build))
    }

    /// Returns this chart or a wider one: the first whose number type fits all costs worked out so far.
    pub(super) fn fitting(&self, grid: &SquareGrid) -> &Chart {
        self.first_that(grid, Chart::fits)
    }

    /// Returns the first of this chart and the wider ones that passes a test, or the widest if none does.
    pub(super) fn first_that(&self, grid: &SquareGrid, passes: impl Fn(&Chart) -> bool) -> &Chart {
        let mut chart = self;
        while !passes(chart) {
            let Some(wider) = chart.wider(grid) else { return chart };
            chart = wider;
        }
        chart
    }

    /// Returns whether all costs worked out so far fit the number type.
    pub(super) fn fits(&self) -> bool {
        with!(&self.fronts, fronts => fronts.fits())
    }

    /// Replaces this chart by the widest one that was built beside it, if any.
    pub(super) fn keep_widest(&mut self) {
        while let Some(wider) = self.wider.take() {
            *self = *wider;
        }
    }

    /// Builds the chart anew with wider number types until all costs fit. Returns whether that was needed.
    pub(super) fn widen(&mut self, grid: &SquareGrid) -> bool {
        let fits = self.fits();
        while !self.fits()
            && let Some(wider) = self.build_wider(grid)
        {
            *self = wider;
        }
        !fits
    }

    /// Returns the regions of the chart, which its lines cut the world into.
    pub(super) fn regions(&self) -> &Arc<Regions> {
        with!(&self.fronts, fronts => &fronts.regions)
    }

    pub(super) fn bytes(&self) -> usize {
        let wider = self.wider.get().map_or(0, |wider| size_of_val(&**wider) + wider.bytes());
        wider + with!(&self.fronts, fronts => fronts.bytes())
    }
}

/// Builds the fronts of a world with costs of type `T`; `None` if a cost does not fit.
fn fitting<T: ChartCost>(grid: &SquareGrid, regions: &Arc<Regions>, plan: Plan) -> Option<Fronts<T>> {
    Some(Fronts::build(grid, Arc::clone(regions), plan, prices(grid))).filter(Fronts::fits)
}
