//! The options for the world of a command: how agents step in it, and how its file is read.

use super::values;
use clap::Args;
use portolan::{Corners, Directions, Metric, Rules};
use portolan_formats::Strictness;

/// How agents step; part of the world as much as its terrain is.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = "World")]
pub(crate) struct WorldArgs {
    /// What a diagonal step needs of the two cells beside it: both free, not both blocked, or nothing
    #[arg(long, value_name = "RULE", value_parser = values::corners(), default_value = "strict")]
    corners: Corners,
    /// How many neighbours a cell has
    #[arg(long, value_name = "N", value_parser = values::directions(), default_value = "8")]
    directions: Directions,
    /// Cost of a straight and of a diagonal step, such as 408/577, 100/142 or 10/14 [default: whatever fits best]
    #[arg(long, value_name = "A/B", value_parser = values::metric)]
    metric: Option<Metric>,
    #[command(flatten)]
    drawing: DrawingArgs,
}

/// How a command that describes or judges worlds prints what it found, and how it reads them.
#[derive(Args, Clone, Copy)]
pub(crate) struct ReportArgs {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

/// How drawings are read.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = "World")]
pub(crate) struct DrawingArgs {
    /// Read every character that a drawing (.txt, .world, under map in a .case) cannot have as ground instead of refusing
    /// the file, as the testbed dstar-2008 did
    #[arg(long)]
    lenient: bool,
}

impl DrawingArgs {
    pub(crate) fn strictness(self) -> Strictness {
        if self.lenient { Strictness::Lenient } else { Strictness::Strict }
    }
}

impl From<DrawingArgs> for WorldArgs {
    /// Returns the options for a world with the default rules whose file is read as `drawing` says.
    fn from(drawing: DrawingArgs) -> WorldArgs {
        WorldArgs { drawing, ..WorldArgs::default() }
    }
}

impl WorldArgs {
    pub(crate) fn rules(self) -> Rules {
        Rules { directions: self.directions, corners: self.corners, metric: self.metric }
    }

    pub(crate) fn strictness(self) -> Strictness {
        self.drawing.strictness()
    }
}
