//! Detour, the search of Recast Navigation: `findPath`, then `findStraightPath`.
//!
//! The searches run in a process of their own, the program `detour/search.cpp`, which has the clock: this crate then needs
//! no unsafe code. It gets a whole block of queries before it begins, so that pipes cost nothing while the clock runs.
//!
//! Here: handing over the mesh (`detour/polygons.rs` lays it out) and the queries, and reading answers.

mod polygons;

use super::{MeshAnswer, MeshEngine, MeshEntrant, MeshTrial};
use polygons::Polygons;
use portolan::NavMesh;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::SplitWhitespace;
use std::time::Duration;

/// The program, if the build found Detour.
const PROGRAM: Option<&str> = option_env!("PORTOLAN_DETOUR");

/// Why Detour does not take part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DetourError {
    #[error("its headers, its library (Debian: librecast-dev) or a C++ compiler were missing when this was built")]
    Missing,
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("the mesh has {0}, more than Detour can number in one tile")]
    TooLarge(String),
    #[error("Detour refuses the mesh")]
    Refused,
}

struct Detour {
    child: Child,
    /// `None` once the program has been told to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    polygons: Polygons,
}

/// Returns the entrant, or why there is none.
pub(super) fn entrant(mesh: &NavMesh) -> Result<MeshEntrant, DetourError> {
    let program = PROGRAM.ok_or(DetourError::Missing)?;
    let polygons = Polygons::new(mesh)?;
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let output = BufReader::new(output.expect("it is piped"));
    let mut runner = Detour { child, input, output, polygons };
    runner.send(&runner.polygons.text())?;
    let nanoseconds = runner.line()?.trim().parse().map_err(|_| DetourError::Refused)?;
    let algorithm = "findPath, findStraightPath".to_owned();
    let build = Duration::from_nanos(nanoseconds);
    Ok(MeshEntrant { engine: "detour", algorithm, rival: Some("hna-star"), build, runner: Box::new(runner) })
}

impl Detour {
    fn send(&mut self, text: &str) -> std::io::Result<()> {
        let input = self.input.as_mut().expect("the program has not been told to end");
        input.write_all(text.as_bytes())?;
        input.flush()
    }

    fn line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }

    /// Sends a block of queries and reads the answers.
    fn ask(&mut self, block: &[MeshTrial]) -> std::io::Result<Vec<MeshAnswer>> {
        let mut text = format!("{}\n", block.len());
        for trial in block {
            for (polygon, [x, y, z]) in [(trial.from.polygon, trial.start), (trial.to.polygon, trial.goal)] {
                // Detour has y up.
                let _ = write!(text, "{} {x} {z} {y} ", self.polygons.piece(polygon, [x, y]));
            }
            text.push('\n');
        }
        self.send(&text)?;
        block.iter().map(|_| self.line().map(|line| read_answer(&line))).collect()
    }
}

/// Reads a line with the nanoseconds of a search, the number of points, and the points. A line that is none of that is an
/// answer without a route.
fn read_answer(line: &str) -> MeshAnswer {
    let mut words = line.split_whitespace();
    let took = words.next().and_then(|word| word.parse().ok()).map_or(Duration::ZERO, Duration::from_nanos);
    let count: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let mut place = || {
        let number = |words: &mut SplitWhitespace| words.next()?.parse::<f64>().ok();
        let [x, _, y] = [number(&mut words)?, number(&mut words)?, number(&mut words)?];
        Some([x, y])
    };
    let places: Option<Vec<[f64; 2]>> = (0..count).map(|_| place()).collect();
    MeshAnswer { took, places: places.filter(|places| !places.is_empty()) }
}

impl MeshEngine for Detour {
    fn answer(&mut self, block: &[MeshTrial]) -> Vec<MeshAnswer> {
        self.ask(block).expect("the program answers until its input is closed")
    }
}

impl Drop for Detour {
    fn drop(&mut self) {
        // The end of its input ends the program.
        self.input = None;
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_from_their_lines() {
        let found = read_answer("1500 2 1.5 9 2.5 3 9 4\n");
        assert_eq!(found.took, Duration::from_nanos(1500));
        assert_eq!(found.places, Some(vec![[1.5, 2.5], [3.0, 4.0]]));
        for line in ["1500 0\n", "1500 2 1 2 3\n", "", "x\n"] {
            assert_eq!(read_answer(line).places, None, "{line:?}");
        }
    }
}
