//! What an agent is: the cells that its body covers, what each kind of ground is to it, and which layers it heeds.
//!
//! Not here: worlds as an agent of a profile sees them (`views.rs`), and how a profile is written (`profile/text.rs`).

mod text;

use super::layers::Layer;
use super::square::GridError;
use std::fmt;

/// What an agent is, as far as its routes depend on it: a body, what each kind of ground is to it, and the layers that it
/// heeds. [`crate::World::view`] returns the world as such an agent sees it.
///
/// ```
/// use portolan::{Edit, Area, Footing, Profile, Rules, SquareGrid, Terrain, World};
/// const WATER: u8 = 3;
/// let mut world = World::from(SquareGrid::open(40, 30, Rules::default())?);
/// world.apply(&[Edit::new(Area { x: 20, y: 0, width: 2, height: 30 }, Terrain::GROUND.with_kind(WATER))])?;
/// let ogre = Profile::square(2)?.with(WATER, Footing::FORBIDDEN);
/// let seen = world.view(&ogre)?;
/// assert!(world.is_free((19, 5).into()) && !seen.is_free((19, 5).into()), "its right half would stand in the water");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Profile {
    body: Body,
    /// What ground is, by kind, for the kinds that are not left as they are; sorted by kind.
    footings: Vec<(u8, Footing)>,
    /// The layers that the agent heeds, in order.
    layers: Vec<Layer>,
}

/// The cells that an agent covers where it stands. All of them must be free for it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Body {
    /// A square of so many cells on each side. The agent's place is its cell of least column and row. On hexes only a
    /// square of 1 is possible.
    Square(u16),
    /// All cells whose middles lie at most so many cells from the middle of the agent's place: `dx² + dy² <= radius²` on
    /// squares. On hexes, all cells at most so many steps away.
    Round(u16),
}

impl Default for Body {
    /// Returns the body that covers one cell.
    fn default() -> Body {
        Body::Square(1)
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Body::Square(size) => write!(f, "size={size}"),
            Body::Round(radius) => write!(f, "radius={radius}"),
        }
    }
}

/// What ground of some kind is to an agent.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Footing {
    /// Ground of its own weight.
    #[default]
    AsItIs,
    /// Ground of this weight, whatever its own; 0 forbids it.
    Weight(u8),
    /// Ground of so many hundredths of its own weight, rounded to the nearest whole number, halves up, but at least 1 and
    /// at most 255.
    Percent(u16),
}

impl Footing {
    /// Ground that the agent may not enter.
    pub const FORBIDDEN: Footing = Footing::Weight(0);

    /// Returns the weight that ground of a weight has for the agent, 0 if it may not enter; what is blocked stays blocked.
    pub fn weight(self, own: u8) -> u8 {
        match self {
            _ if own == 0 => 0,
            Footing::AsItIs => own,
            Footing::Weight(weight) => weight,
            Footing::Percent(percent) => ((u32::from(own) * u32::from(percent) + 50) / 100).clamp(1, 255) as u8,
        }
    }
}

/// Why there is no such profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The size is zero or too large.
    #[error("an agent is 1 to {max} cells on each side, not {0}", max = Profile::MAX_SIZE)]
    Size(u16),
    /// The radius is too large.
    #[error("an agent has a radius of at most {max} cells, not {0}", max = Profile::MAX_RADIUS)]
    Radius(u16),
    /// A text names a kind of ground that there is not.
    #[error("there is no kind of ground {name:?}")]
    UnknownKind {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A word of a text is no setting.
    #[error("expected a setting like size=2 or water=no, found {0:?}")]
    NoSetting(String),
    /// A text says the same thing twice.
    #[error("{0} is said twice")]
    Twice(String),
    /// A size or radius in a text is no number.
    #[error("{name} is a whole number from {least} to {most}, not {value:?}")]
    Number {
        /// The setting.
        name: &'static str,
        /// The value in the text.
        value: String,
        /// The least number it can be.
        least: u16,
        /// The greatest number it can be.
        most: u16,
    },
    /// What a text says of a kind of ground is not understood.
    #[error("{kind} is no, a weight from 1 to 255, or a factor from x0.01 to x255, not {value:?}")]
    Footing {
        /// The kind of ground.
        kind: String,
        /// The value in the text.
        value: String,
    },
}

/// Why a world has no view for a profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A square body of several cells was asked for on hexes.
    #[error("no square of {0} x {0} cells fits on hexes; give the agent a radius in place of a size")]
    SquareOnHexes(u16),
    /// The profile heeds a layer that the world does not have.
    #[error("the profile heeds a layer that this world does not have")]
    NoLayer,
    /// There is no memory for the view.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl Profile {
    /// The most cells that a square agent may have on each side.
    pub const MAX_SIZE: u16 = 255;
    /// The greatest radius that an agent may have.
    pub const MAX_RADIUS: u16 = 127;

    /// Returns the profile of an agent that covers one cell, takes all ground as it is and heeds no layer.
    pub fn new() -> Profile {
        Profile::default()
    }

    /// Returns the profile of an agent that covers a square of so many cells on each side.
    ///
    /// # Errors
    /// When `size` is 0 or greater than [`Profile::MAX_SIZE`].
    pub fn square(size: u16) -> Result<Profile, ProfileError> {
        let body = Body::Square(size);
        let fits = (1..=Self::MAX_SIZE).contains(&size);
        if fits { Ok(Profile { body, ..Profile::default() }) } else { Err(ProfileError::Size(size)) }
    }

    /// Returns the profile of an agent that covers all cells of a radius.
    ///
    /// # Errors
    /// When `radius` is greater than [`Profile::MAX_RADIUS`].
    pub fn round(radius: u16) -> Result<Profile, ProfileError> {
        let body = if radius == 0 { Body::default() } else { Body::Round(radius) };
        let fits = radius <= Self::MAX_RADIUS;
        if fits { Ok(Profile { body, ..Profile::default() }) } else { Err(ProfileError::Radius(radius)) }
    }

    /// Returns the profile with what ground of a kind is to the agent.
    #[must_use]
    pub fn with(mut self, kind: u8, footing: Footing) -> Profile {
        self.footings.retain(|&(other, _)| other != kind);
        if footing != Footing::AsItIs {
            let at = self.footings.partition_point(|&(other, _)| other < kind);
            self.footings.insert(at, (kind, footing));
        }
        self
    }

    /// Returns the profile of an agent that also heeds a layer.
    #[must_use]
    pub fn heeding(mut self, layer: Layer) -> Profile {
        if let Err(at) = self.layers.binary_search(&layer) {
            self.layers.insert(at, layer);
        }
        self
    }

    /// Returns the body.
    pub fn body(&self) -> Body {
        self.body
    }

    /// Returns what ground of a kind is to the agent.
    pub fn footing(&self, kind: u8) -> Footing {
        let found = self.footings.binary_search_by_key(&kind, |&(other, _)| other);
        found.map_or(Footing::AsItIs, |at| self.footings[at].1)
    }

    /// Returns the kinds that the agent does not take as they are, with what they are to it, in order.
    pub fn footings(&self) -> &[(u8, Footing)] {
        &self.footings
    }

    /// Returns the layers that the agent heeds, in order.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns whether the agent sees every world as it is.
    pub fn is_plain(&self) -> bool {
        self == &Profile::default()
    }
}
