//! `portolan walk`: lets a mind walk from one place to another, and prints how it went.
//!
//! Not here: how minds walk (`portolan-sim`), and pictures of walks (`portolan-lab`).

use super::find::{NO_ROUTE, check_picture, save};
use super::mesh;
use crate::args::{Place, WalkArgs};
use crate::source;
use crate::terminal::{BOLD, DIM, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::any::AnySnapshot;
use portolan::{Cell, HexGrid, NavMesh, Space, SquareGrid};
use portolan_lab::mesh::picture::MeshPicture;
use portolan_lab::mind::draw::{Celled, Knowledge, on_cells, on_mesh};
use portolan_lab::mind::{MindWalk, StepsByMode};
use portolan_lab::picture::{Mark, Picture};
use portolan_lab::table::{self, Table};
use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings, Tiled};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// How walks end, as JSON says it.
const ARRIVED: &str = "arrived";
const GAVE_UP: &str = "gave-up";

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    world: &'a str,
    /// The kind of the world, if it is not one of squares.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// All settings of the minds.
    mind: String,
    size: f64,
    /// How many hexagons can be reached from the start.
    hexagons: usize,
    shortest: Option<usize>,
    /// The mean of the minds that arrived.
    ratio: Option<f64>,
    lattice_bytes: usize,
    minds: Vec<Told>,
}

/// What is told of one mind.
#[derive(Serialize)]
struct Told {
    seed: u64,
    outcome: &'static str,
    walked: usize,
    ratio: Option<f64>,
    modes: StepsByMode,
    known_before: usize,
    known_after: usize,
    bytes: usize,
    walk_bytes: usize,
    steps: Vec<Vec<f64>>,
}

pub(crate) fn run(args: &WalkArgs, screen: &mut Screen) -> Result<ExitCode> {
    if let Some(picture) = &args.picture {
        check_picture(picture)?;
    }
    let settings: MindSettings = args.mind.parse()?;
    let report =
        if mesh::is_named(&args.map) { walk_on_mesh(args, &settings)? } else { walk_on_grid(args, &settings)? };
    if args.json {
        screen.json(&report)?;
    } else {
        print(&report, args, screen)?;
    }
    let all_arrived = report.minds.iter().all(|told| told.outcome == ARRIVED);
    Ok(if all_arrived { ExitCode::SUCCESS } else { ExitCode::from(NO_ROUTE) })
}

/// Walks over squares or hexes, and draws the picture if one is wanted.
fn walk_on_grid<'a>(args: &'a WalkArgs, settings: &MindSettings) -> Result<Report<'a>> {
    let world = source::world(&args.map, &args.world)?;
    let cells = [args.from.on(&world)?, args.to.on(&world)?];
    if let Some(blocked) = cells.into_iter().find(|&cell| !world.is_free(cell)) {
        bail!("{blocked} is blocked: expected a free cell");
    }
    let (report, marks) = match &world {
        AnySnapshot::Square(grid) => walk_over_cells::<SquareGrid>(grid, cells, args, settings)?,
        AnySnapshot::Hex(grid) => walk_over_cells::<HexGrid>(grid, cells, args, settings)?,
    };
    if let Some(path) = &args.picture {
        save(&Picture::new(&world).with_marks(marks), path)?;
    }
    Ok(Report { kind: world.kind_if_not_square(), ..report })
}

/// Walks over squares or hexes. Returns what is told, and the marks of the picture if one is wanted.
fn walk_over_cells<'a, S: Celled>(
    world: &S,
    cells: [Cell; 2],
    args: &'a WalkArgs,
    settings: &MindSettings,
) -> Result<(Report<'a>, Vec<Mark>)> {
    let lattice = Lattice::new(world, args.size)?;
    let nodes = nodes(world, &lattice, cells.map(S::place_of), args)?;
    let position = |node| {
        let Cell { x, y } = S::cell_of(lattice.place(node));
        vec![f64::from(x), f64::from(y)]
    };
    let (report, knowledge, walk) = walk(&lattice, nodes, position, args, settings);
    let marks = args.picture.as_ref().map(|_| on_cells(world, &lattice, &knowledge, &walk));
    Ok((report, marks.unwrap_or_default()))
}

/// Walks over a mesh, and draws the picture if one is wanted.
fn walk_on_mesh<'a>(args: &'a WalkArgs, settings: &MindSettings) -> Result<Report<'a>> {
    let world = mesh::open(Path::new(&args.map))?;
    let point = |place: Place| {
        let Place { x, y, z } = place;
        let found = z.map_or_else(|| world.point([x, y]), |z| world.point_near([x, y, z]));
        let found =
            found.ok_or_else(|| anyhow!("{place} lies off the mesh: expected a point on one of its polygons"))?;
        match world.component(found) {
            Some(_) => Ok(found),
            None => Err(anyhow!("{place} is blocked: expected a point on a free polygon")),
        }
    };
    let points = [point(args.from)?, point(args.to)?];
    let lattice = Lattice::<NavMesh>::new(&world, args.size)?;
    let nodes = nodes::<NavMesh>(&world, &lattice, points, args)?;
    let position = |node| world.coordinates(lattice.place(node)).to_vec();
    let (report, knowledge, walk) = walk(&lattice, nodes, position, args, settings);
    if let Some(path) = &args.picture {
        let marks = on_mesh(&world, &lattice, &knowledge, &walk);
        mesh::save(&MeshPicture::new(&world).with_marks(&marks), path)?;
    }
    Ok(Report { kind: Some(NavMesh::KIND), ..report })
}

/// Returns the nodes of the lattice at both ends.
fn nodes<S: Tiled>(world: &S, lattice: &Lattice<S>, places: [S::Place; 2], args: &WalkArgs) -> Result<[u32; 2]> {
    let node = |place, typed| {
        let size = lattice.tiling().size;
        lattice.node(world, place).ok_or_else(|| {
            anyhow!(
                "no hexagon of size {size:.3} is joined to {typed} by a straight line: expected smaller ones, by --size"
            )
        })
    };
    Ok([node(places[0], args.from)?, node(places[1], args.to)?])
}

/// Lets all minds walk. Returns what is told of them, what the first knew at first, and its walk.
fn walk<'a, S: Tiled>(
    lattice: &Lattice<S>,
    ends: [u32; 2],
    position: impl Fn(u32) -> Vec<f64>,
    args: &'a WalkArgs,
    settings: &MindSettings,
) -> (Report<'a>, Knowledge, MindWalk) {
    let mut scratch = MindScratch::new();
    let mut first = None;
    let mut minds = Vec::new();
    for seed in (0..u64::from(args.minds)).map(|number| args.seed.wrapping_add(number)) {
        let mut mind = Mind::new(settings, seed);
        mind.learn(lattice, ends[0], &mut scratch);
        let known_before = mind.known(lattice).count();
        let knowledge = first.is_none().then(|| Knowledge::of(&mind, lattice));
        let walk = MindWalk::of(&mut mind, lattice, ends, &mut scratch);
        minds.push(Told {
            seed,
            outcome: if walk.has_arrived() { ARRIVED } else { GAVE_UP },
            walked: walk.steps.len(),
            ratio: walk.ratio(),
            modes: walk.steps_by_mode(),
            known_before,
            known_after: mind.known(lattice).count(),
            bytes: mind.bytes(),
            walk_bytes: mind.walk_bytes(),
            steps: walk.steps.iter().map(|step| position(step.node)).collect(),
        });
        first = first.or_else(|| Some((knowledge?, walk)));
    }
    let (knowledge, walk) = first.expect("there is a mind at least");
    let ratios: Vec<f64> = minds.iter().filter_map(|told| told.ratio).collect();
    let report = Report {
        world: &args.map,
        kind: None,
        mind: settings.to_string(),
        size: lattice.tiling().size,
        hexagons: lattice.reachable(ends[0]).len(),
        shortest: walk.least(),
        ratio: mean(&ratios),
        lattice_bytes: lattice.bytes(),
        minds,
    };
    (report, knowledge, walk)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn print(report: &Report, args: &WalkArgs, screen: &mut Screen) -> Result<()> {
    let (from, to) = (args.from, args.to);
    match &report.minds[..] {
        [one] => {
            screen.styled(BOLD, &format!("{from} to {to}: {}", headline(report, one)))?;
            screen.styled(DIM, &report.mind)?;
            print_one(report, one, screen)?;
        }
        many => {
            let arrived = many.iter().filter(|told| told.outcome == ARRIVED).count();
            let least = report.shortest.map_or_else(String::new, |least| format!(" the {} of A*", grouped(least)));
            let ratio = report.ratio.map_or_else(String::new, |ratio| format!("; on average {ratio:.2} times{least}"));
            screen.styled(BOLD, &format!("{from} to {to}: {arrived} of {} minds arrived{ratio}", many.len()))?;
            screen.styled(DIM, &report.mind)?;
            screen.table(&table_of(many))?;
        }
    }
    let (hexagons, bytes) = (grouped(report.hexagons), table::bytes(report.lattice_bytes));
    let lattice = format!("{hexagons} hexagons of size {:.3} can be reached; their lattice takes {bytes}", report.size);
    screen.styled(DIM, &lattice)?;
    Ok(())
}

fn headline(report: &Report, told: &Told) -> String {
    let walked = format!("{} hexagons walked", grouped(told.walked));
    match (told.ratio, report.shortest) {
        (Some(ratio), Some(least)) => format!("{walked}, {ratio:.2} times the {} of A*", grouped(least)),
        (None, Some(least)) if told.outcome != ARRIVED => {
            format!("gave up after {walked}; A* has a way of {}", grouped(least))
        }
        (None, Some(_)) => "it is there already".to_owned(),
        (_, None) => format!("gave up after {walked}; there is no way"),
    }
}

fn print_one(report: &Report, told: &Told, screen: &mut Screen) -> Result<()> {
    let modes: Vec<String> =
        told.modes.iter().map(|(name, steps)| format!("{} {}", in_words(name), grouped(steps))).collect();
    writeln!(screen, "{}", modes.join(", "))?;
    let share = |known: usize| 100.0 * known as f64 / report.hexagons as f64;
    let [before, after] = [told.known_before, told.known_after];
    writeln!(
        screen,
        "knew {} of {} hexagons before ({:.1} %), knows {} now ({:.1} %)",
        grouped(before),
        grouped(report.hexagons),
        share(before),
        grouped(after),
        share(after)
    )?;
    let [memory, walk] = [told.bytes, told.walk_bytes].map(table::bytes);
    writeln!(screen, "memory {memory}, and {walk} while it walks")?;
    Ok(())
}

/// Returns a table with a row for each mind.
fn table_of(minds: &[Told]) -> Table {
    let modes: Vec<&str> = minds[0].modes.iter().map(|(name, _)| in_words(name)).collect();
    let heading = [&["seed", "walked", "times A*"][..], &modes, &["knew", "knows", "memory"]].concat();
    let mut table = Table::new(&heading);
    for told in minds {
        let ratio = told.ratio.map_or_else(|| told.outcome.to_owned(), |ratio| format!("{ratio:.2}"));
        let mut row = vec![told.seed.to_string(), grouped(told.walked), ratio];
        row.extend(told.modes.iter().map(|(_, steps)| grouped(steps)));
        row.extend([grouped(told.known_before), grouped(told.known_after), table::bytes(told.bytes)]);
        table.push(row);
    }
    table
}

/// Returns the name of a mode as it stands in a sentence.
fn in_words(mode: &str) -> &str {
    match mode {
        "walking-back" => "walking back",
        "following-known" => "following what is known",
        "sees-goal" => "seeing the goal",
        other => other,
    }
}

fn grouped(number: usize) -> String {
    table::grouped(number as f64)
}
