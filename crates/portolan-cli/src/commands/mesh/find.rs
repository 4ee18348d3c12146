//! `portolan find` on a mesh: finds one route.

use super::{NO_PROFILES, algorithm, open, pairs, save};
use crate::args::{FindArgs, Place};
use crate::commands::find::{NO_ROUTE, check_picture};
use crate::source;
use crate::terminal::{BOLD, DIM, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::auto::AUTO;
use portolan::probe::Stats;
use portolan::{MeshPoint, NavMesh, Outcome, Planner, Query, Route, Scratch, Snapshot};
use portolan_lab::mesh::picture::MeshPicture;
use portolan_lab::table;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The algorithm for a single query unless one is named: it needs nothing to be built.
const FOR_ONE: &str = "a-star";

/// The answer that is printed as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    outcome: &'a str,
    kind: &'a str,
    algorithm: &'a str,
    length: Option<f64>,
    cost: Option<u32>,
    /// The places where the route begins, turns and ends, in the units of the mesh.
    points: Vec<[f64; 3]>,
    polygons: Vec<u32>,
    expanded: u64,
    time_us: f64,
}

pub(crate) fn run(path: &Path, args: &FindArgs, screen: &mut Screen) -> Result<ExitCode> {
    if args.outline {
        bail!("{}: --outline is for grids; `portolan mesh draw --with hna-star` shows nodes", path.display());
    }
    if let Some(picture) = &args.picture {
        check_picture(picture)?;
    }
    args.world.refuse_profile(NO_PROFILES)?;
    let world = open(path)?;
    let [from, to] = [args.from, args.to].map(|place| point(place, &world, args.nearest));
    let mut query = Query::new(from?, to?);
    (query.budget, query.nearest) = (args.budget, args.nearest);
    query.check(&world)?;
    let planner = planner(args, &world)?;
    let algorithm = planner.algorithm();
    let (mut scratch, mut stats) = (Scratch::new(), Stats::default());
    planner.watch(&world, query, &mut scratch, &mut stats)?;
    let begun = Instant::now();
    let outcome = planner.find(&world, query, &mut scratch)?;
    let time_us = begun.elapsed().as_secs_f64() * 1e6;
    let places = outcome.route().map_or(&[][..], Route::cells);
    if let Some(picture) = &args.picture {
        save(&MeshPicture::new(&world).with_route(places), picture)?;
    }
    if args.json {
        let answer = Answer {
            outcome: outcome.name(),
            kind: "mesh",
            algorithm: algorithm.name,
            length: outcome.route().map(|route| route.length(&world)),
            cost: outcome.route().map(|route| route.cost().0),
            points: places.iter().map(|&at| world.coordinates(at)).collect(),
            polygons: places.iter().map(|at| at.polygon).collect(),
            expanded: stats.expanded,
            time_us: (time_us * 1e3).round() / 1e3,
        };
        writeln!(screen, "{}", serde_json::to_string(&answer)?)?;
    } else {
        screen.styled(BOLD, &headline(&outcome, args, &world))?;
        let (expanded, time) = (table::grouped(stats.expanded as f64), table::micros(time_us));
        writeln!(screen, "{}: {expanded} expanded, {time} µs", algorithm.name)?;
        if args.with == AUTO && args.chart.is_none() {
            screen.styled(
                DIM,
                "a-star because it needs nothing to be built; polyanya is exact, hna-star and rhumb are for many queries",
            )?;
        }
    }
    Ok(if outcome.route().is_some() { ExitCode::SUCCESS } else { ExitCode::from(NO_ROUTE) })
}

/// Opens the chart that the arguments name, or builds the planner that they name.
fn planner(args: &FindArgs, world: &Snapshot<NavMesh>) -> Result<Planner<NavMesh>> {
    if let Some(chart) = &args.chart {
        return source::opened_for(Path::new(chart), world);
    }
    let (algorithm, own) = algorithm(if args.with == AUTO { FOR_ONE } else { &args.with })?;
    Ok(Planner::build(world, algorithm, algorithm.settings(&pairs(own, &args.set))?)?)
}

/// Returns the point of the mesh at a place: at its height if it has one, else on the highest polygon there. With `nearest`,
/// a place off the mesh is moved onto it.
fn point(place: Place, mesh: &NavMesh, nearest: bool) -> Result<MeshPoint> {
    let Place { x, y, z } = place;
    let found = match z {
        Some(z) => mesh.point_near([x, y, z]),
        None => mesh.point([x, y]),
    };
    let moved = || mesh.nearest([x, y, z.unwrap_or(0.0)]).filter(|_| nearest);
    found.or_else(moved).ok_or_else(|| anyhow!("{place} lies off the mesh; --nearest goes as near as possible"))
}

fn headline(outcome: &Outcome<Route<NavMesh>>, args: &FindArgs, world: &Snapshot<NavMesh>) -> String {
    let (from, to) = (args.from, args.to);
    match outcome.route() {
        Some(route) => {
            let lines = if route.steps() == 1 { "line" } else { "lines" };
            let end = if matches!(outcome, Outcome::Partial(_)) { ", as near as possible" } else { "" };
            format!("{from} to {to}{end}: length {:.2}, {} straight {lines}", route.length(world), route.steps())
        }
        None => format!("there is no route from {from} to {to}: {}", outcome.name()),
    }
}
