//! Worlds that are in no file: made by a recipe, or of weights that a page sends.
//!
//! Not here: reading files.

use super::{OpenError, fits};
use crate::command::{Grid, Pairs};
use portolan::any::AnyWorld;
use portolan::generate::{generate, recipe};
use portolan::{HexGrid, Rules, SquareGrid};

/// Makes a world by a recipe. One of hexes has the columns, rows and weights that one of squares would have.
pub(super) fn made(
    name: &str,
    (width, height): (usize, usize),
    seed: u64,
    settings: &Pairs,
    (grid, rules): (Grid, Rules),
) -> Result<AnyWorld, OpenError> {
    let recipe = recipe(name).ok_or_else(|| OpenError::Unknown { kind: "recipe", name: name.to_owned() })?;
    fits(width, height)?;
    let pairs: Vec<(&String, &String)> = settings.iter().collect();
    let squares = generate(recipe, width, height, seed, &recipe.settings(&pairs)?, rules)?;
    if grid.is_square() {
        return Ok(AnyWorld::from(squares));
    }
    of_weights((width, height), &squares.to_weights(), (grid, rules))
}

/// Makes a world of this size with one weight for each column of each row.
pub(super) fn of_weights(
    (width, height): (usize, usize),
    weights: &[u8],
    (grid, rules): (Grid, Rules),
) -> Result<AnyWorld, OpenError> {
    Ok(match grid {
        Grid::Square => AnyWorld::from(SquareGrid::from_weights(width, height, weights, rules)?),
        Grid::Hex => AnyWorld::from(HexGrid::from_weights(width, height, weights, None)?),
        Grid::Hexagon if width == height && width % 2 == 1 => {
            AnyWorld::from(HexGrid::hexagon_from_weights(width / 2, weights, None)?)
        }
        Grid::Hexagon => return Err(OpenError::NoHexagon { width, height }),
    })
}
