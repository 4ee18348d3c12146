//! `portolan map`: makes, describes, draws and converts maps.

use super::find::save;
use crate::args::{ConvertArgs, DrawArgs, GEOMETRY, InfoArgs, NewArgs, Place, Setting, Size};
use crate::entrants::algorithm_on;
use crate::mistake;
use crate::source;
use crate::terminal::{BOLD, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::any::{AnyField, AnyPlanner, AnyScratch, AnySnapshot};
use portolan::generate::{RECIPES, generate, recipe};
use portolan::outline::Outline;
use portolan::{Cell, Floors, HexGrid, KindNames, Rules, Space, SquareGrid};
use portolan_formats::{Kind, NamedWorld, write_geometry, write_named};
use portolan_lab::picture::{GOAL, Mark, Picture};
use portolan_lab::survey::{KindCount, Survey, WeightCount, survey};
use portolan_lab::table;
use portolan_mesh::{CityOptions, city};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn new(args: &NewArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Made<'a> {
        recipe: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a str>,
        width: usize,
        height: usize,
        seed: u64,
        free_cells: usize,
        file: Option<&'a Path>,
    }
    if args.kind == Some(GEOMETRY) {
        return new_geometry(args, screen);
    }
    let recipe = recipe(&args.recipe).ok_or_else(|| {
        let names: Vec<&str> = RECIPES.iter().map(|recipe| recipe.name).collect();
        let hint = mistake::hint(&args.recipe, names.iter().copied());
        anyhow!("there is no recipe {:?}{hint} (recipes: {})", args.recipe, names.join(", "))
    })?;
    let pairs: Vec<_> = args.set.iter().map(|setting| (&setting.key, &setting.value)).collect();
    let settings = recipe.settings(&pairs)?;
    let Size { width, height } = args.size.unwrap_or(Size { width: 64, height: 64 });
    let grid = generate(recipe, width, height, args.seed, &settings, Rules::default())?;
    let world = of_kind(grid, args)?;
    if let Some(file) = &args.file {
        write(file, &world.clone().into())?;
    }
    if args.json {
        let (kind, seed, free_cells) = (world.kind_if_not_square(), args.seed, world.free_cells());
        let file = args.file.as_deref();
        screen.json(&Made { recipe: recipe.name, kind, width, height, seed, free_cells, file })?;
    } else if let Some(file) = &args.file {
        writeln!(screen, "{}: {width} x {height}, {}", file.display(), freedom(&survey(&world)))?;
    } else {
        write!(screen, "{}", Picture::new(&world).text(Screen::width(), Screen::has_colours()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the geometry of a city and writes it.
fn new_geometry(args: &NewArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Made<'a> {
        recipe: &'a str,
        kind: &'a str,
        width: usize,
        height: usize,
        seed: u64,
        vertices: usize,
        triangles: usize,
        file: &'a Path,
    }
    if args.recipe != "city" || !args.set.is_empty() {
        bail!("geometry is made of a city, without settings: portolan map new city city.obj --kind geometry");
    }
    let file = args.file.as_deref().ok_or_else(|| anyhow!("name an .obj file for the geometry"))?;
    if !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("obj")) {
        bail!("{}: geometry is written as .obj", file.display());
    }
    let Size { width, height } = args.size.unwrap_or(Size { width: 8, height: 8 });
    let blocks = |side: usize| u16::try_from(side).unwrap_or(u16::MAX);
    let geometry = city(CityOptions::new(blocks(width), blocks(height))?, args.seed);
    write_geometry(file, &geometry)?;
    let (vertices, triangles) = (geometry.vertices.len(), geometry.triangles.len());
    if args.json {
        let (kind, seed) = (GEOMETRY, args.seed);
        screen.json(&Made { recipe: "city", kind, width, height, seed, vertices, triangles, file })?;
    } else {
        let count = table::grouped(triangles as f64);
        writeln!(screen, "{}: {width} x {height} blocks, {count} triangles", file.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the generated world as the kind that the arguments or the name of the file say. Each hex has the terrain of
/// the square in its column and row. Squares that share a side become neighbours, so that what is connected stays so.
fn of_kind(grid: SquareGrid, args: &NewArgs) -> Result<AnySnapshot> {
    let has_hexes = args.file.as_deref().and_then(Kind::of) == Some(Kind::Hex);
    let kind = args.kind.unwrap_or(if has_hexes { HexGrid::KIND } else { SquareGrid::KIND });
    if kind == SquareGrid::KIND {
        return Ok(AnySnapshot::from(grid));
    }
    Ok(AnySnapshot::from(HexGrid::from_weights(grid.width(), grid.height(), &grid.to_weights(), None)?))
}

pub(crate) fn info(args: &InfoArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Info<'a> {
        map: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        floors: Option<usize>,
        #[serde(flatten)]
        survey: Survey,
    }
    let mut infos = Vec::new();
    for map in &args.maps {
        let NamedWorld { world, kinds, floors } = source::named(map, &args.report.world)?;
        let survey = survey(&world);
        if args.report.json {
            infos.push(Info { map, floors: floors.map(Floors::count), survey });
        } else {
            describe(map, &survey, (&kinds, floors), screen)?;
        }
    }
    match &infos[..] {
        [] => {}
        [one] => screen.json(one)?,
        many => screen.json(&many)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(
    map: &str,
    survey: &Survey,
    (kinds, floors): (&KindNames, Option<Floors>),
    screen: &mut Screen,
) -> Result<()> {
    screen.styled(BOLD, map)?;
    let mut line = |name: &str, text: &str| writeln!(screen, "  {name:<11} {text}");
    if let (Some(kind), Some(shape)) = (survey.kind, survey.shape) {
        line("kind", kind)?;
        line("outline", shape)?;
    }
    line("size", &format!("{} x {}", survey.width, survey.height))?;
    line("free", &freedom(survey))?;
    line("weights", &weights(&survey.weights))?;
    if !survey.kinds.is_empty() {
        let share = |count: &KindCount| {
            format!("{} on {:.1} %", kinds.name(count.kind), 100.0 * f64::from(count.cells) / survey.free_cells as f64)
        };
        line("kinds", &survey.kinds.iter().map(share).collect::<Vec<_>>().join(", "))?;
    }
    if let Some(floors) = floors {
        let (width, height) = floors.size();
        line("floors", &format!("{} of {width} x {height}", floors.count()))?;
    }
    if let Some(borders) = survey.borders {
        line("borders", &format!("{} closed, {} one way", borders.closed, borders.one_way))?;
    }
    if let Some(links) = survey.links {
        line("links", &format!("{} both ways, {} one way", links.both_ways, links.one_way))?;
    }
    let largest = table::grouped(survey.largest_component as f64);
    line("components", &format!("{}, the largest of {largest} cells", survey.components))?;
    let corners = survey.corners.map_or_else(String::new, |corners| format!(", {corners} corners"));
    line("steps", &format!("{} directions{corners}, costs {}", survey.directions, survey.metric))?;
    line("memory", &table::bytes(survey.bytes))?;
    line("suits", &survey.suits.join(", "))?;
    for unsuited in &survey.unsuited {
        line("", unsuited)?;
    }
    Ok(())
}

fn freedom(survey: &Survey) -> String {
    format!("{} cells free ({:.1} %)", table::grouped(survey.free_cells as f64), survey.free_percent)
}

/// Returns the weights in one line: each with its share of the free cells, or their range and mean if there are many.
fn weights(counts: &[WeightCount]) -> String {
    let total: f64 = counts.iter().map(|count| f64::from(count.cells)).sum();
    match counts {
        [] => "nothing is free".to_owned(),
        [one] => format!("all {}", one.weight),
        [first, .., last] if counts.len() > 9 => {
            let sum: f64 = counts.iter().map(|count| f64::from(count.weight) * f64::from(count.cells)).sum();
            let (least, most) = (first.weight, last.weight);
            format!("{} different ones from {least} to {most}, mean {:.1}", counts.len(), sum / total)
        }
        few => {
            let share =
                |count: &WeightCount| format!("{} on {:.1} %", count.weight, 100.0 * f64::from(count.cells) / total);
            few.iter().map(share).collect::<Vec<_>>().join(", ")
        }
    }
}

pub(crate) fn draw(args: &DrawArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Drawn<'a> {
        map: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a str>,
        width: usize,
        height: usize,
        picture: Option<&'a Path>,
        text: Option<String>,
    }
    let world = source::world(&args.map, &args.drawing.into())?;
    let (kind, width, height) = (world.kind_if_not_square(), world.width(), world.height());
    let outline = args.with.as_ref().map(|name| outline(&world, name, &args.set)).transpose()?;
    let field = field(&world, &args.field)?;
    let mut picture = Picture::new(&world);
    if let Some((field, goals)) = &field {
        let dot = |&cell: &Cell| Mark::Dot { cell, colour: GOAL, radius: 0.4 };
        picture = picture.with_field(|at| field.cost(&world, at).ok().flatten());
        picture = picture.with_marks(goals.iter().map(dot).collect());
    }
    if let Some(outline) = &outline {
        picture = picture.with_outline(outline);
    }
    if let Some(file) = &args.file {
        save(&picture, file)?;
    }
    let columns = args.width.map_or_else(Screen::width, usize::from);
    let text = |colours| args.file.is_none().then(|| picture.text(columns, colours));
    if args.json {
        let (map, picture) = (args.map.as_str(), args.file.as_deref());
        screen.json(&Drawn { map, kind, width, height, picture, text: text(false) })?;
    } else if let Some(text) = text(Screen::has_colours()) {
        write!(screen, "{text}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the field of these goals with their cells, or `None` if there are no goals.
fn field(world: &AnySnapshot, goals: &[Place]) -> Result<Option<(AnyField, Vec<Cell>)>> {
    if goals.is_empty() {
        return Ok(None);
    }
    let goals = goals.iter().map(|goal| goal.on(world)).collect::<Result<Vec<Cell>>>()?;
    Ok(Some((AnyField::new(world, &goals, None, &mut AnyScratch::new())?, goals)))
}

/// Returns the drawing of what an algorithm with these settings keeps of a world, such as ports or a graph.
fn outline(world: &AnySnapshot, name: &str, set: &[Setting]) -> Result<Outline> {
    let algorithm = algorithm_on(world, name)?;
    let pairs: Vec<_> = set.iter().map(|setting| (&setting.key, &setting.value)).collect();
    outline_of(&AnyPlanner::build(world, algorithm, algorithm.settings(&pairs)?)?, world)
}

/// Returns the drawing of what a planner keeps of a world, or an error if there is nothing to draw.
pub(crate) fn outline_of(planner: &AnyPlanner, world: &AnySnapshot) -> Result<Outline> {
    let name = planner.algorithm().name();
    planner.outline(world)?.ok_or_else(|| anyhow!("{name} keeps nothing of a map that could be drawn"))
}

pub(crate) fn convert(args: &ConvertArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Converted<'a> {
        from: &'a str,
        to: &'a Path,
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a str>,
        width: usize,
        height: usize,
    }
    let named = source::named(&args.map, &args.drawing.into())?;
    let named = match (named.world.square(), Kind::of(&args.file)) {
        (Some(squares), Some(Kind::Hex)) => {
            let hexes = HexGrid::from_square(squares, args.cell_size.unwrap_or(1.0), None)?;
            note(&args.file, "hexes laid over squares have", &named.between());
            NamedWorld::from(AnySnapshot::from(hexes))
        }
        _ if args.cell_size.is_some() => bail!("--cell-size goes with hexes that are laid over squares"),
        _ => named,
    };
    write(&args.file, &named)?;
    let world = named.world;
    if args.json {
        let (kind, width, height) = (world.kind_if_not_square(), world.width(), world.height());
        screen.json(&Converted { from: &args.map, to: &args.file, kind, width, height })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a map in the format that the file's name says, with a note on standard error of what the format cannot hold.
fn write(path: &Path, world: &NamedWorld) -> Result<()> {
    write_named(path, world)?;
    let (kind, ending) = (Kind::of(path), path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase());
    note(path, &format!("a .{ending} has"), &kind.map_or_else(Vec::new, |kind| world.lost_in(kind)));
    Ok(())
}

/// Prints on standard error what is lost, if anything is. `has` says what does not have it.
fn note(path: &Path, has: &str, lost: &[&str]) {
    let words = match lost {
        [] => return,
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    };
    // If the note cannot be printed, the command still succeeds.
    let _ = writeln!(anstream::stderr(), "note: {}: {has} no {words}; they are lost", path.display());
}
