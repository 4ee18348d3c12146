//! The rules by which an agent steps on a square grid: directions, corners and the cost of steps.
//!
//! Not here: the tables of steps that follow from them (`moves.rs`).

use crate::cost::Metric;

/// How an agent may step from cell to cell.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Rules {
    /// How many neighbours a cell has: four or eight.
    pub directions: Directions,
    /// Which of the two cells beside a diagonal step must be free.
    pub corners: Corners,
    /// The cost of straight and diagonal steps; [`Metric::fitting`] chooses it where this is `None`.
    pub metric: Option<Metric>,
}

/// How many neighbours a cell has.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Directions {
    /// North, east, south and west.
    Four,
    /// North, east, south and west, and the four diagonals between them.
    #[default]
    Eight,
}

/// Which of the two cells beside a diagonal step must be free. Beside a step to the north-east, for example, lie the
/// cell to the north and the cell to the east.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Corners {
    /// Both must be free: the rule of the `MovingAI` benchmarks and the Grid-Based Path Planning Competition.
    #[default]
    Strict,
    /// At least one must be free: the rule of HPA* 2004.
    NoSqueeze,
    /// Both may be blocked.
    Loose,
}

impl Corners {
    /// Every corner rule with its command-line name.
    pub const NAMED: [(&'static str, Corners); 3] =
        [("strict", Corners::Strict), ("no-squeeze", Corners::NoSqueeze), ("loose", Corners::Loose)];
}
