//! `portolan map`: makes, describes, draws and converts maps.

use super::find::save;
use crate::args::{ConvertArgs, DrawArgs, InfoArgs, NewArgs, Setting};
use crate::entrants::algorithm;
use crate::mistake;
use crate::source;
use crate::terminal::{BOLD, Screen};
use anyhow::{Result, anyhow};
use portolan::any::AnySnapshot;
use portolan::generate::{RECIPES, generate, recipe};
use portolan::{Outline, Planner, Rules, Snapshot, SquareGrid};
use portolan_formats::{Kind, write_world};
use portolan_lab::picture::Picture;
use portolan_lab::survey::{Survey, WeightCount, survey};
use portolan_lab::table;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn new(args: &NewArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Made<'a> {
        recipe: &'a str,
        width: usize,
        height: usize,
        seed: u64,
        free_cells: usize,
        file: Option<&'a Path>,
    }
    let recipe = recipe(&args.recipe).ok_or_else(|| {
        let names: Vec<&str> = RECIPES.iter().map(|recipe| recipe.name).collect();
        let hint = mistake::hint(&args.recipe, names.iter().copied());
        anyhow!("there is no recipe {:?}{hint} (recipes: {})", args.recipe, names.join(", "))
    })?;
    let pairs: Vec<_> = args.set.iter().map(|setting| (&setting.key, &setting.value)).collect();
    let settings = recipe.settings(&pairs)?;
    let (width, height) = (args.size.width, args.size.height);
    let grid = generate(recipe, width, height, args.seed, &settings, Rules::default())?;
    if let Some(file) = &args.file {
        write(file, &grid)?;
    }
    if args.json {
        let (seed, free_cells, file) = (args.seed, grid.free_cells(), args.file.as_deref());
        screen.json(&Made { recipe: recipe.name, width, height, seed, free_cells, file })?;
    } else if let Some(file) = &args.file {
        writeln!(screen, "{}: {width} x {height}, {}", file.display(), freedom(&survey(&grid)))?;
    } else {
        write!(screen, "{}", Picture::new(&grid).text(Screen::width(), Screen::has_colours()))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn info(args: &InfoArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Info<'a> {
        map: &'a str,
        #[serde(flatten)]
        survey: Survey,
    }
    let mut infos = Vec::new();
    for map in &args.maps {
        let survey = survey(&source::world(map, &args.world)?);
        if args.json {
            infos.push(Info { map, survey });
        } else {
            describe(map, &survey, screen)?;
        }
    }
    match &infos[..] {
        [] => {}
        [one] => screen.json(one)?,
        many => screen.json(&many)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(map: &str, survey: &Survey, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, map)?;
    let mut line = |name: &str, text: &str| writeln!(screen, "  {name:<11} {text}");
    line("size", &format!("{} x {}", survey.width, survey.height))?;
    line("free", &freedom(survey))?;
    line("weights", &weights(&survey.weights))?;
    let largest = table::grouped(survey.largest_component as f64);
    line("components", &format!("{}, the largest of {largest} cells", survey.components))?;
    let (directions, corners, metric) = (survey.directions, survey.corners, &survey.metric);
    line("steps", &format!("{directions} directions, {corners} corners, costs {metric}"))?;
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
        width: usize,
        height: usize,
        picture: Option<&'a Path>,
        text: Option<String>,
    }
    let grid = source::world(&args.map, &args.drawing.into())?;
    let (width, height) = (grid.width(), grid.height());
    let world = Snapshot::from(grid);
    let outline = args.with.as_ref().map(|name| outline(&world, name, &args.set)).transpose()?;
    let mut picture = Picture::new(&world);
    if let Some(outline) = &outline {
        picture = picture.with_outline(outline);
    }
    if let Some(file) = &args.file {
        save(&picture, file)?;
    }
    let columns = args.width.map_or_else(Screen::width, usize::from);
    let text = |colours| args.file.is_none().then(|| picture.text(columns, colours));
    if args.json {
        screen.json(&Drawn { map: &args.map, width, height, picture: args.file.as_deref(), text: text(false) })?;
    } else if let Some(text) = text(Screen::has_colours()) {
        write!(screen, "{text}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the drawing of what an algorithm with these settings keeps of a world, such as ports or a graph.
fn outline(world: &Snapshot, name: &str, set: &[Setting]) -> Result<Outline> {
    let algorithm = algorithm(name)?;
    let pairs: Vec<_> = set.iter().map(|setting| (&setting.key, &setting.value)).collect();
    outline_of(&Planner::build(world, algorithm, algorithm.settings(&pairs)?)?, world)
}

/// Returns the drawing of what a planner keeps of a world, or an error if there is nothing to draw.
pub(crate) fn outline_of(planner: &Planner, world: &Snapshot) -> Result<Outline> {
    let name = planner.algorithm().name;
    planner.outline(world).ok_or_else(|| anyhow!("{name} keeps nothing of a map that could be drawn; rhumb does"))
}

pub(crate) fn convert(args: &ConvertArgs, screen: &mut Screen) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Converted<'a> {
        from: &'a str,
        to: &'a Path,
        width: usize,
        height: usize,
    }
    let grid = source::world(&args.map, &args.drawing.into())?;
    write(&args.file, &grid)?;
    if args.json {
        screen.json(&Converted { from: &args.map, to: &args.file, width: grid.width(), height: grid.height() })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a map in the format that the file's name says, with a note on standard error if weights are lost.
fn write(path: &Path, grid: &SquareGrid) -> Result<()> {
    write_world(path, &AnySnapshot::from(grid.clone()))?;
    if Kind::of(path) == Some(Kind::Map) && grid.uniform_weight() != Some(1) {
        // If the note cannot be printed, the command still succeeds.
        let _ = writeln!(anstream::stderr(), "note: {}: a .map has no weights; they are lost", path.display());
    }
    Ok(())
}
