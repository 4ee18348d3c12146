//! The cases, drawn at random from a fixed seed.

use portolan::generate::Random;
use std::fmt::Write as _;

/// How many cases there are.
const CASES: u64 = 500;

/// Planners for worlds of squares. The first [`WITH_LINKS`] run on worlds with borders and links, and the first [`ANYWHERE`] on
/// all others; the rest wants eight directions and one weight.
const ON_SQUARES: [&str; 12] = [
    "a-star",
    "dijkstra",
    "rhumb spacing=8",
    "bidirectional-a-star",
    "rhumb",
    "dhpa-star cluster=7",
    "hpa-star cluster=6 smoothing=none",
    "hpa-star cluster=8 levels=2",
    "pra-star",
    "jump-point",
    "jump-graph",
    "theta-star",
];
const WITH_LINKS: u64 = 7;
const ANYWHERE: u64 = 9;
const ON_HEXES: [&str; 3] = ["a-star", "dijkstra", "lpa-star"];

/// Returns all cases as text.
pub fn cases() -> String {
    let mut text = String::new();
    for number in 0..CASES {
        draw(number, &mut text);
    }
    text
}

/// Appends a line. Writing to a string does not fail.
macro_rules! line {
    ($text:expr, $($words:tt)*) => { writeln!($text, $($words)*).expect("a string takes everything") };
}

fn draw(number: u64, text: &mut String) {
    let mut random = Random::new(9_000 + number);
    let is_hex = number % 5 == 4;
    let is_linked = random.below(3) == 0;
    let (width, height) = (2 + random.below(40), 2 + random.below(30));
    let directions = if is_hex { 6 } else { [8, 8, 4][random.below(3) as usize] };
    let (straight, diagonal) = [(0, 0), (10, 14), (100, 141)][random.below(3) as usize];
    line!(text, "case {number}");
    let corners = if is_hex { 0 } else { random.below(3) };
    line!(text, "world {directions} {corners} {straight} {diagonal} {width} {height}");
    let (blocked, heaviest) = (random.below(40), if random.below(3) == 0 { 9 } else { 1 });
    let is_plain = directions == 8 && heaviest == 1;
    for _ in 0..height {
        let mut row = String::new();
        for _ in 0..width {
            let weight = if random.below(100) < blocked { 0 } else { 1 + random.below(heaviest) };
            write!(row, "{weight:02x}").expect("a string takes everything");
        }
        line!(text, "row {row}");
    }
    let planner = match (is_hex, is_linked) {
        (true, _) => ON_HEXES[random.below(ON_HEXES.len() as u64) as usize],
        (false, true) => ON_SQUARES[random.below(WITH_LINKS) as usize],
        (false, false) => {
            let count = if is_plain { ON_SQUARES.len() as u64 } else { ANYWHERE };
            ON_SQUARES[random.below(count) as usize]
        }
    };
    line!(text, "planner {planner}");
    for _ in 0..3 {
        ask(&mut random, (width, height), text);
        let most = if is_plain { 1 } else { 2 };
        edit(&mut random, (width, height), (is_linked && !is_hex, most), text);
    }
    ask(&mut random, (width, height), text);
}

/// Returns a cell, which once in a while lies off the map.
fn cell(random: &mut Random, (width, height): (u64, u64)) -> String {
    let is_off = random.below(20) == 0;
    format!("{} {}", random.below(width + u64::from(is_off)), random.below(height))
}

fn ask(random: &mut Random, size: (u64, u64), text: &mut String) {
    let count = 1 + random.below(4);
    let question = |random: &mut Random| format!("{} {} {}", cell(random, size), cell(random, size), random.below(2));
    match random.below(3) {
        0 => line!(text, "many {count}"),
        1 => {
            line!(text, "plan {}", question(random));
            return;
        }
        _ => {}
    }
    for _ in 0..count {
        line!(text, "find {}", question(random));
    }
}

fn edit(random: &mut Random, (width, height): (u64, u64), (with_links, heaviest): (bool, u64), text: &mut String) {
    let (x, y) = (random.below(width), random.below(height));
    let (across, down) = (1 + random.below((width - x).min(4)), 1 + random.below((height - y).min(4)));
    match random.below(if with_links { 4 } else { 1 }) {
        0 => line!(text, "terrain {x} {y} {across} {down} {} 0", random.below(heaviest + 1)),
        1 => line!(text, "border {x} {y} {across} {down} {} {}", 2 * random.below(4), random.below(4)),
        _ => {
            let (to_x, to_y) = (random.below(width), random.below(height));
            if (x, y) != (to_x, to_y) {
                line!(text, "link {x} {y} {to_x} {to_y} {} {}", 1 + random.below(300), random.below(2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers;

    #[test]
    fn there_are_many_cases_and_most_have_routes() {
        let (text, told) = (cases(), answers(&cases()));
        assert_eq!(text.lines().filter(|line| line.starts_with("case ")).count(), 500);
        let routes = told.lines().filter(|line| line.starts_with("0 ") || line.starts_with("1 ")).count();
        assert!(routes > 1500 && told.lines().count() > routes, "{routes} routes in {} answers", told.lines().count());
        assert_eq!(told, answers(&text), "the same answers every time");
    }
}
