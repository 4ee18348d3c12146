//! The options for the world of a command: how agents step in it, and how its file is read.

use super::values;
use clap::Args;
use portolan::{Corners, Directions, Metric, Rules};
use portolan_formats::Strictness;

/// How agents step; part of the world as much as its terrain is.
#[derive(Args, Clone, Default)]
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
    /// See the world as such an agent does: its body (size=2 or radius=1), and what kinds of ground are to it (water=no,
    /// road=1, forest=x1.5); kinds are ground, road, shallow, water, forest,
    /// swamp, sand, snow, rubble, what a drawing names itself, or numbers
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    #[command(flatten)]
    drawing: DrawingArgs,
}

/// How a command that describes or judges worlds prints what it found, and how it reads them.
#[derive(Args, Clone)]
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
    /// Refuses a profile where a command cannot take one, and says why.
    pub(crate) fn refuse_profile(&self, why: &str) -> anyhow::Result<()> {
        if self.profile.is_some() { Err(anyhow::anyhow!("--profile: {why}")) } else { Ok(()) }
    }

    pub(crate) fn rules(&self) -> Rules {
        Rules { directions: self.directions, corners: self.corners, metric: self.metric }
    }

    pub(crate) fn strictness(&self) -> Strictness {
        self.drawing.strictness()
    }
}
