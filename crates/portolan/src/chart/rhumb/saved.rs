//! Turns rhumb charts into sections of plain data and back.
//!
//! | section | what |
//! |---|---|
//! | `lines` | the type of the chart's costs, then the column or row of the line of every region that is not a leaf |
//! | `trees` | for every leaf that is not open, the trees of its ports one after another, two steps in a byte |
//!
//! The type of the costs is 0 for integers of two bytes, 1 for floating-point numbers of four bytes, 2 for those of
//! eight. Regions and leaves are ordered so that a region comes before its halves, and all of the half on the low side
//! of its line before the other half.
//!
//! Lines are saved because edits do not move them: where they lie does not follow from an edited world. Where ports lie
//! follows from the lines and the world. The trees do too, but checking saved trees is faster than growing them. A
//! chart that is opened therefore equals the one that building along these lines would give. Fronts are not saved but
//! made anew: they would take more bytes than all trees, and checking their sums is as much work as adding them up.

use super::chart_cost::ChartCost;
use super::fronts::{Fronts, Plan, every_leaf, lay_ports, list_sides};
use super::leaf::{Leaf, LeafScratch};
use super::links::LinkEnds;
use super::regions::Regions;
use super::widths::{AnyFronts, Chart, with};
use super::{Rhumb, plan, prices};
use crate::method::Method;
use crate::saved::{OpenError, Reader, SectionStream, Sections};
use crate::settings::Settings;
use crate::space::square::SquareGrid;
use std::sync::Arc;

pub(super) fn sections(chart: &Chart) -> Vec<SectionStream<'_>> {
    let unit = match &chart.fronts {
        AnyFronts::Narrow(_) => 0,
        AnyFronts::Wide(_) => 1,
        AnyFronts::Widest(_) => 2,
    };
    with!(&chart.fronts, fronts => sections_of(fronts, unit))
}

fn sections_of<T: ChartCost>(fronts: &Fronts<T>, unit: u32) -> Vec<SectionStream<'_>> {
    let lines = [unit].into_iter().chain(fronts.regions.places());
    let trees = fronts.leaves.iter().map(|leaf| &*leaf.steps);
    vec![SectionStream::of_words("lines", lines), SectionStream::of_pieces("trees", trees)]
}

/// Opens a chart of a world from the lines and trees that were saved.
pub(crate) fn open(grid: &SquareGrid, settings: &Settings, sections: &Sections) -> Result<Box<dyn Method>, OpenError> {
    let plan = plan(settings, grid.uniform_weight().is_some());
    let mut lines = sections.take("lines")?;
    let mut words = Vec::new();
    lines.words((lines.len() / 4).max(1), &mut words)?;
    lines.end()?;
    let regions = Regions::again(grid, plan.spacing, plan.placed, &words[1..]);
    let regions = regions.ok_or_else(|| {
        let near = format!("lines that cut this world about every {} cells", plan.spacing);
        lines.fault(near, "others")
    })?;

    let mut trees = sections.take("trees")?;
    let fronts = match words[0] {
        0 if grid.uniform_weight().is_some() => AnyFronts::Narrow(replant(grid, regions, plan, &mut trees)?),
        1 => AnyFronts::Wide(replant(grid, regions, plan, &mut trees)?),
        2 => AnyFronts::Widest(replant(grid, regions, plan, &mut trees)?),
        other => return Err(lines.fault("a way to count costs on this world", other.to_string())),
    };
    // An edited chart may have been saved before all of its fronts were made. Only now that they are made is it known
    // whether all costs fit its type.
    let mut chart = Chart::from(fronts);
    chart.widen(grid);
    Ok(Box::new(Rhumb::of(grid, settings, chart)))
}

fn replant<T: ChartCost>(
    grid: &SquareGrid,
    regions: Regions,
    plan: Plan,
    trees: &mut Reader,
) -> Result<Fronts<T>, OpenError> {
    let (ports, prices) = (lay_ports(grid, &regions, plan, &LinkEnds::default()), prices(grid));
    let mut saved_by_leaf = Vec::with_capacity(regions.leaves.len());
    let (mut cells, mut room) = (Vec::new(), LeafScratch::default());
    for &leaf in &regions.leaves {
        let bounds = regions.of(leaf).bounds;
        cells.clear();
        list_sides(&regions, &ports, bounds, &mut cells);
        saved_by_leaf.push(trees.bytes(Leaf::<T>::saved_bytes(grid, bounds, cells.len(), &mut room))?);
    }
    trees.end()?;
    let leaves = every_leaf(&regions, &ports, &LinkEnds::default(), plan.threads, |number, bounds, ports, room| {
        let leaf = Leaf::replant(grid, bounds, ports, prices, saved_by_leaf[number], room);
        leaf.map(Arc::new).ok_or(bounds)
    });
    let leaves: Result<Vec<_>, _> = leaves.into_iter().collect();
    let leaves = leaves.map_err(|bounds| {
        trees.fault(format!("the cheapest steps to the ports of the leaf at {}, {}", bounds.x, bounds.y), "others")
    })?;
    Ok(Fronts::of(Arc::new(regions), plan, prices, ports, leaves))
}
