//! `portolan sim WORLD --watch`: a game on the screen, tick by tick.

use crate::terminal::{BOLD, DIM, Screen};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use portolan::Cell;
use portolan_formats::Level;
use portolan_lab::game::{Game, goal_names};
use portolan_sim::testbed::{Agent, GoalWork, Layer, Monster, Testbed};
use std::io::Write;
use std::time::Duration;

const TRAP: Style = AnsiColor::Yellow.on_default();
const KEY: Style = AnsiColor::BrightYellow.on_default().bold();
const MONSTER: Style = AnsiColor::Red.on_default().bold();
const SEEN: Style = AnsiColor::Red.on_default();
const ROUTE: Style = AnsiColor::Green.on_default();
const AGENT: Style = AnsiColor::BrightCyan.on_default().bold();
const HEAVY: Style = AnsiColor::Magenta.on_default();

/// Plays the first game, and waits so many milliseconds after each tick. On a terminal, each picture replaces the one
/// before; elsewhere they follow each other without a pause.
pub(super) fn play(game: &Game, pause: u64, screen: &mut Screen) -> Result<()> {
    let mut bed = game.begin(0)?;
    let most = game.ticks.unwrap_or_else(|| game.default_ticks());
    let is_watched = Screen::is_watched();
    if is_watched {
        write!(screen, "\x1b[2J")?;
    }
    loop {
        if is_watched {
            write!(screen, "\x1b[H")?;
        }
        draw(&bed, screen)?;
        screen.flush()?;
        if is_watched {
            std::thread::sleep(Duration::from_millis(pause));
        }
        if bed.tick_count() >= most || !bed.tick() {
            draw(&bed, screen)?;
            return Ok(());
        }
    }
}

/// Prints the map with all that is on it, then a line for each agent.
fn draw(bed: &Testbed, screen: &mut Screen) -> Result<()> {
    let Level { grid, .. } = bed.level();
    let (width, height) = (grid.width(), grid.height());
    let index = |cell: Cell| usize::from(cell.y) * width + usize::from(cell.x);
    let mut signs: Vec<(char, Style)> = grid.cells().map(|cell| ground(bed, cell, index(cell))).collect();
    for cell in bed.monsters().iter().flat_map(Monster::seen) {
        signs[index(*cell)].1 = SEEN;
    }
    for cell in bed.agents().iter().flat_map(Agent::route) {
        signs[index(*cell)] = ('•', ROUTE);
    }
    for trap in bed.traps() {
        signs[index(trap.at)] = ('○', TRAP);
    }
    for pair in &bed.level().pairs {
        signs[index(pair.key)] = (pair.letter, KEY);
        signs[index(pair.door)] = (pair.letter.to_ascii_uppercase(), KEY);
    }
    for monster in bed.monsters() {
        signs[index(monster.at())] = (monster.letter(), MONSTER);
    }
    for (number, agent) in bed.agents().iter().enumerate().rev() {
        signs[index(agent.at())] = (char::from_digit(number as u32 % 9 + 1, 10).unwrap_or('+'), AGENT);
    }
    if let Some(player) = bed.player() {
        signs[index(player.at())] = ('o', BOLD);
    }
    for row in signs.chunks(width).take(height) {
        for (sign, style) in row {
            write!(screen, "{style}{sign}{style:#}")?;
        }
        writeln!(screen)?;
    }
    let goals = goal_names(bed.level());
    screen.styled(DIM, &format!("tick {:<6} traps {:<5}", bed.tick_count(), bed.traps().len()))?;
    for (number, agent) in bed.agents().iter().enumerate() {
        let goal = goals.get(agent.goal_index()).map_or("", String::as_str);
        let operations: u64 = bed.work(number).iter().map(GoalWork::operations).sum();
        let state = agent.state().name();
        writeln!(screen, "{} {:<28} {state:<10} {goal:<2} {operations:>9} operations", number % 9 + 1, agent.name())?;
    }
    Ok(())
}

/// Returns the sign of the terrain in a cell. Where influence lies, ground is shown in another style.
fn ground(bed: &Testbed, cell: Cell, index: usize) -> (char, Style) {
    let weight = bed.level().grid.terrain(cell).weight();
    let is_influenced = Layer::NAMED.iter().any(|&(_, layer)| bed.influence(layer)[index] > 0);
    match weight {
        0 => ('█', DIM),
        1 => ('.', if is_influenced { HEAVY } else { DIM }),
        weight => (char::from_digit(u32::from(weight), 10).unwrap_or('9'), if is_influenced { HEAVY } else { DIM }),
    }
}
