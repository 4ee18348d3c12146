//! `portolan find`: finds one route.

use super::map::outline_of;
use super::mesh;
use crate::args::FindArgs;
use crate::entrants::{own_settings, pick};
use crate::source;
use crate::terminal::{BOLD, DIM, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::any::{AnyAlgorithm, AnyPlanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::auto::{Queries, Use};
use portolan::{Cell, Motion, Outcome, Query, QueryError};
use portolan_lab::picture::{Footprint, Picture};
use portolan_lab::table;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The exit code when there is no route.
pub(crate) const NO_ROUTE: u8 = 3;

/// The answer that is printed as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    outcome: &'a str,
    /// The kind of the world, if it is not one of squares.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    algorithm: &'a str,
    /// Why the rules chose the algorithm, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    length: Option<f64>,
    cost: Option<u32>,
    /// How many times the least cost the route costs at most, if the budget ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    steps: Vec<[u16; 2]>,
    expanded: u64,
    time_us: f64,
}

pub(crate) fn run(args: &FindArgs, screen: &mut Screen) -> Result<ExitCode> {
    if let Some(path) = &args.picture {
        PictureKind::of(path)?;
    }
    let map = args.map.as_ref().or(args.chart.as_ref()).ok_or_else(|| anyhow!("name a map or a --chart"))?;
    if mesh::is_named(map) {
        return mesh::find::run(Path::new(map), args, screen);
    }
    let world = source::world(map, &args.world)?;
    let (from, to) = (args.from.on(&world)?, args.to.on(&world)?);
    let mut query = Query::new(from, to);
    (query.budget, query.nearest) = (args.budget, args.nearest);
    // A planner can take minutes to build, so faults of the query are reported before.
    world.check(query).map_err(|error| match (&error, &args.world.profile) {
        (QueryError::StartBlocked(cell), Some(profile)) => {
            anyhow!("an agent of {profile} cannot stand on {cell}: its body does not fit there, or the ground is forbidden to it")
        }
        _ => error.into(),
    })?;
    let (algorithm, planner, why) = planner(args, &world, query)?;
    let mut footprint = Footprint::default();
    let (outcome, time_us) = match &planner {
        Some(planner) => found(planner, &world, query, &mut footprint)?,
        None => (Outcome::Unreachable, 0.0),
    };

    let cells = outcome.route().map_or(&[][..], AnyRoute::cells);
    let outline = planner.filter(|_| args.outline).map(|planner| outline_of(&planner, &world)).transpose()?;
    let picture = || {
        let picture = Picture::new(&world).with_route(cells).with_expanded(&footprint);
        if let Some(outline) = &outline { picture.with_outline(outline) } else { picture }
    };
    if let Some(path) = &args.picture {
        save(&picture(), path)?;
    }
    if args.json {
        let answer = Answer {
            outcome: outcome.name(),
            kind: world.kind_if_not_square(),
            algorithm: algorithm.name(),
            why: why.as_deref(),
            length: outcome.route().map(|route| route.length(&world)),
            cost: outcome.route().map(|route| route.cost().0),
            bound: outcome.route().and_then(AnyRoute::bound),
            steps: cells.iter().map(|cell| [cell.x, cell.y]).collect(),
            expanded: footprint.expanded(),
            time_us: (time_us * 1e3).round() / 1e3,
        };
        writeln!(screen, "{}", serde_json::to_string(&answer)?)?;
    } else {
        screen.styled(BOLD, &headline(&outcome, from, to, &world))?;
        if let Some(bound) = outcome.route().and_then(AnyRoute::bound) {
            writeln!(screen, "{}", bound_in_words(bound))?;
        }
        let (expanded, time) = (table::grouped(footprint.expanded() as f64), table::micros(time_us));
        writeln!(screen, "{}: {expanded} expanded, {time} µs", algorithm.name())?;
        if let Some(why) = &why {
            screen.styled(DIM, &format!("{} for {why}", algorithm.name()))?;
        }
        if world.hex().is_some() {
            screen.styled(DIM, "hexes are named by column and row")?;
        }
        if Screen::is_watched() && args.picture.is_none() {
            write!(screen, "{}", picture().text(Screen::width(), Screen::has_colours()))?;
        }
    }
    Ok(if outcome.route().is_some() { ExitCode::SUCCESS } else { ExitCode::from(NO_ROUTE) })
}

/// Says how much more than a cheapest route a route costs at most, rounded up, so that what is said stays true.
fn bound_in_words(bound: f64) -> String {
    let percent = ((bound - 1.0) * 1000.0).ceil() / 10.0;
    format!("the budget ended the search: the route costs at most {percent:.1} % more than a cheapest one")
}

/// Returns the algorithm that the arguments name or that the rules choose for one query, its planner, and why it was
/// chosen. If it is already known that there is no route and nothing else needs the planner, it is not built.
fn planner(
    args: &FindArgs,
    world: &AnySnapshot,
    query: Query,
) -> Result<(AnyAlgorithm, Option<AnyPlanner>, Option<String>)> {
    if let Some(chart) = &args.chart {
        let planner = AnyPlanner::from(source::opened(Path::new(chart), world)?);
        return Ok((planner.algorithm(), Some(planner), None));
    }
    let usage = Use { queries: Queries::One, ..Use::default() };
    let (algorithm, settings, why) = pick(&args.with)?.choose(world, usage)?;
    let given = args.set.iter().map(|setting| (setting.key.clone(), setting.value.clone()));
    let pairs: Vec<_> = own_settings(&args.with).into_iter().chain(given).collect();
    let settings = if pairs.is_empty() { settings } else { algorithm.settings(&pairs)? };
    algorithm.suits(world)?;
    let is_needed = query.nearest || args.outline || world.connected(query.from, query.to);
    let planner = is_needed.then(|| AnyPlanner::build(world, algorithm, settings)).transpose()?;
    Ok((algorithm, planner, why))
}

/// Answers the query. Returns the outcome and how many microseconds it took; `footprint` receives what was expanded.
fn found(
    planner: &AnyPlanner,
    world: &AnySnapshot,
    query: Query,
    footprint: &mut Footprint,
) -> Result<(Outcome<AnyRoute>, f64)> {
    // The first search is watched, which also makes the scratch ready for the second, which is timed.
    let mut scratch = AnyScratch::new();
    planner.watch(world, query, &mut scratch, footprint)?;
    let (outcome, [begun, ended]) = planner.find_clocked(world, query, &mut scratch, Instant::now)?;
    Ok((outcome, (ended - begun).as_secs_f64() * 1e6))
}

fn headline(outcome: &Outcome<AnyRoute>, from: Cell, to: Cell, world: &AnySnapshot) -> String {
    let measures = |route: &AnyRoute| {
        let (length, count, cost) = (route.length(world), route.steps(), route.cost());
        let parts = if route.motion() == Motion::AnyAngle { "straight lines" } else { "steps" };
        format!("length {length:.2}, {count} {parts}, cost {cost} at {}", world.step_costs())
    };
    match outcome {
        Outcome::Reached(route) => format!("{from} to {to}: {}", measures(route)),
        Outcome::Partial(route) => {
            let end = route.cells().last().copied().unwrap_or(from);
            format!("{to} cannot be reached from {from}; {end} is nearest: {}", measures(route))
        }
        Outcome::Unreachable => format!("there is no route from {from} to {to}; --nearest goes as near as possible"),
        Outcome::OutOfBudget => format!("the budget ran out before a route from {from} to {to} was found"),
        Outcome::TooFar => {
            format!(
                "every route from {from} to {to} costs too much to count at {}; try a coarser --metric",
                world.step_costs()
            )
        }
        other => format!("there is no route from {from} to {to}: {}", other.name()),
    }
}

/// The format of a picture.
#[derive(Copy, Clone, PartialEq, Eq)]
enum PictureKind {
    Png,
    Svg,
}

impl PictureKind {
    fn of(path: &Path) -> Result<PictureKind> {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("png") => Ok(PictureKind::Png),
            Some("svg") => Ok(PictureKind::Svg),
            _ => bail!("{}: expected a picture's name ending in .png or .svg", path.display()),
        }
    }
}

/// Checks that a file has the name of a picture.
pub(crate) fn check_picture(path: &Path) -> Result<()> {
    PictureKind::of(path).map(|_| ())
}

/// Writes a picture in the format that the file's name says.
pub(crate) fn save(picture: &Picture, path: &Path) -> Result<()> {
    let bytes = match PictureKind::of(path)? {
        PictureKind::Png => picture.png(),
        PictureKind::Svg => picture.svg().into_bytes(),
    };
    source::write(path, &bytes)
}
