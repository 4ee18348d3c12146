//! `portolan` without a command: a race on a built-in world, with a picture and a command to try next.

use super::race;
use crate::args::WorldArgs;
use crate::entrants::entrants;
use crate::source;
use crate::terminal::{BOLD, DIM, Screen};
use anyhow::Result;
use portolan::Query;
use portolan::any::{AnyPick, AnyPlanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::auto::{AUTO, Edits, Use};
use portolan_lab::picture::{Footprint, Picture};
use portolan_lab::queries;
use portolan_lab::worlds::BUILTIN;
use std::io::Write;
use std::process::ExitCode;

/// Start and goal of a route that shows the built-in world well.
const FROM: (u16, u16) = (36, 4);
const TO: (u16, u16) = (52, 33);

const SEED: u64 = 1;
const REPEAT: usize = 5;

pub(crate) fn run(json: bool, screen: &mut Screen) -> Result<ExitCode> {
    let name = BUILTIN[0].name;
    let world = source::world(name, &WorldArgs::default())?;
    let trials = queries::random(&world, race::QUERIES, SEED)?;
    let runners = entrants(&[], &[], None, (&world, Edits::Never))?;
    if json {
        let result = race::held(name, &world, &trials, &runners, REPEAT)?;
        screen.json(&result)?;
        return Ok(race::verdict(&[result]));
    }
    draw(&world, screen)?;
    screen.flush()?;
    let result = race::held(name, &world, &trials, &runners, REPEAT)?;
    race::show(&result, screen)?;
    let next = "portolan map new caves caves.map --size 512x512 && portolan race caves.map --html race.html";
    writeln!(screen, "\nTry next: {BOLD}{next}{BOLD:#}")?;
    Ok(race::verdict(&[result]))
}

fn draw(world: &AnySnapshot, screen: &mut Screen) -> Result<()> {
    let (algorithm, settings, _) = AnyPick::parse(AUTO)?.choose(world, Use::default())?;
    let planner = AnyPlanner::build(world, algorithm, settings)?;
    let mut footprint = Footprint::default();
    let outcome = planner.watch(world, Query::new(FROM, TO), &mut AnyScratch::new(), &mut footprint)?;
    let cells = outcome.route().map_or(&[][..], AnyRoute::cells);
    let picture = Picture::new(world).with_route(cells).with_expanded(&footprint);
    write!(screen, "{}", picture.text(Screen::width(), Screen::has_colours()))?;
    if let Some(route) = outcome.route() {
        let found = format!("{} from S to G: length {:.2}", algorithm.title(), route.length(world));
        screen.styled(DIM, &format!("{found}, {} cells expanded", footprint.expanded()))?;
    }
    writeln!(screen)?;
    Ok(())
}
