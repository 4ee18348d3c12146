//! What the objects of a map say, and in which cells they are.
//!
//! Not here: whether the cells are on free ground.

use super::lay::is_shifted;
use super::model::{Content, Layer, Object, PARTS, Shape, Value, inside};
use crate::error::ReadError;
use crate::painted::{End, Means, PlaceRole, Spot, Spots};

/// Returns the object of a template in a file.
type LoadTemplate<'a> = dyn FnMut(&str) -> Result<Object, ReadError> + 'a;

/// Returns the links and places of a map, and where all objects are. The objects take over what their templates say.
pub(super) fn spots(layers: &mut [Layer], shape: Shape, load: &mut LoadTemplate) -> Result<Spots, ReadError> {
    let mut spots = Spots::default();
    add(&mut spots, layers, shape, true, load)?;
    Ok(spots)
}

fn add(
    spots: &mut Spots,
    layers: &mut [Layer],
    shape: Shape,
    is_visible: bool,
    load: &mut LoadTemplate,
) -> Result<(), ReadError> {
    for layer in layers {
        let is_visible = is_visible && layer.is_visible;
        match &mut layer.content {
            Content::Group(layers) => add(spots, layers, shape, is_visible, load)?,
            Content::Objects(objects) => {
                for object in objects {
                    if let Some(name) = object.template.take() {
                        let template = load(&name).map_err(|fault| match fault.file {
                            None => inside(fault, object.line, &object.what()),
                            Some(_) => fault,
                        })?;
                        object.fill(template);
                    }
                    let at = shape.cell_of(object);
                    spots.objects.insert(object.id.to_string(), at);
                    if is_visible && object.is_visible.unwrap_or(true) {
                        spots.told.extend(spot(object, at)?);
                    }
                }
            }
            Content::Tiles(_) | Content::Other => {}
        }
    }
    Ok(())
}

/// Returns the link or place that an object is, if it is one.
fn spot(object: &Object, at: (i64, i64)) -> Result<Option<Spot>, ReadError> {
    let class = object.class.as_deref().unwrap_or_default();
    let means = match class {
        _ if class.eq_ignore_ascii_case("start") => Means::Place(PlaceRole::Start),
        _ if class.eq_ignore_ascii_case("goal") => Means::Place(PlaceRole::Goal),
        _ if class.eq_ignore_ascii_case("link") => {
            link(object).map_err(|fault| inside(fault, object.line, &object.what()))?
        }
        _ => return Ok(None),
    };
    let name = object.name.clone().unwrap_or_default();
    Ok(Some(Spot { line: object.line, what: object.what(), name, at, means }))
}

fn link(object: &Object) -> Result<Means, ReadError> {
    let properties = &object.properties;
    let place = |name| properties.number(name, i64::from(i32::MIN), i64::from(i32::MAX));
    let to = match (properties.get("to"), place("to_x")?, place("to_y")?) {
        (Some(&Value::Object(id)), None, None) => End::Object(id.to_string()),
        (None, Some(column), Some(row)) => End::Place(column, row),
        _ => {
            let expected = "where the link leads: an object in property \"to\", or ints in \"to_x\" and \"to_y\"";
            return Err(ReadError::of_whole(expected, "neither or both"));
        }
    };
    let cost = properties.number("cost", 0, i64::from(i32::MAX))?.map(|cost| cost as u32);
    Ok(Means::Link { to, cost, one_way: properties.flag("one_way")?.unwrap_or(false) })
}

impl Shape {
    /// Returns the column and row of the cell in which the middle of an object is.
    fn cell_of(self, object: &Object) -> (i64, i64) {
        let [width, height] = [object.width, object.height].map(|side| side.unwrap_or(0));
        let (x, y) = match self {
            // A tile stands on the middle of its lower edge. That is the lowest corner of a cell if the tile lies on one.
            Shape::Diamonds { height } if object.is_tile => {
                let half = i64::from(height) * PARTS / 2;
                (object.x - half, object.y - half)
            }
            // A tile stands on its lower left corner, and other objects hang from their upper left one.
            _ if object.is_tile => (object.x + width / 2, object.y - height / 2),
            _ => (object.x + width / 2, object.y + height / 2),
        };
        self.cell_at(x, y)
    }

    /// Returns the column and row of the cell that has this place, in parts of pixels.
    fn cell_at(self, x: i64, y: i64) -> (i64, i64) {
        match self {
            Shape::Squares { width, height } => {
                (x.div_euclid(i64::from(width) * PARTS), y.div_euclid(i64::from(height) * PARTS))
            }
            Shape::Diamonds { height } => {
                let side = i64::from(height) * PARTS;
                (x.div_euclid(side), y.div_euclid(side))
            }
            Shape::Hexes { width, height, side, even_are_shifted } => {
                let [width, height] = [width, height].map(|side| i64::from(side) * PARTS);
                let row_height = i64::midpoint(height, i64::from(side) * PARTS);
                let lower = y.div_euclid(row_height);
                // The place is in the row whose upper edge is above it or in the row before, whose corners reach down.
                let nearest = [lower - 1, lower].map(|row| {
                    let left = if is_shifted(row, even_are_shifted) { width / 2 } else { 0 };
                    let column = (x - left).div_euclid(width);
                    let across = i128::from(x - left - column * width - width / 2);
                    let down = i128::from(y - row * row_height - height / 2);
                    (across * across + down * down, (column, row))
                });
                nearest.into_iter().min().map_or((0, 0), |(_, cell)| cell)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEXES: Shape = Shape::Hexes { width: 20, height: 24, side: 12, even_are_shifted: false };

    #[test]
    fn places_are_in_the_cells_whose_middles_are_nearest() {
        let at = |shape: Shape, x: i64, y: i64| shape.cell_at(x * PARTS, y * PARTS);
        let squares = Shape::Squares { width: 16, height: 8 };
        assert_eq!([at(squares, 15, 7), at(squares, 16, 8), at(squares, -1, -1)], [(0, 0), (1, 1), (-1, -1)]);
        assert_eq!(at(Shape::Diamonds { height: 8 }, 17, 15), (2, 1));
        assert_eq!([at(HEXES, 10, 12), at(HEXES, 20, 30), at(HEXES, 39, 30)], [(0, 0), (0, 1), (1, 1)]);
        assert_eq!(at(HEXES, 10, 23), (0, 0), "the lower corner reaches into the next row");
        assert_eq!(at(HEXES, 1, 23), (-1, 1), "which begins further right");
        let even = Shape::Hexes { width: 20, height: 24, side: 12, even_are_shifted: true };
        assert_eq!([at(even, 20, 12), at(even, 10, 30)], [(0, 0), (0, 1)]);
    }

    #[test]
    fn every_middle_is_in_its_own_cell() {
        for (row, column) in (-5..5).flat_map(|row| (-5..5).map(move |column| (row, column))) {
            let x = column * 20 + 10 + if is_shifted(row, false) { 10 } else { 0 };
            assert_eq!(HEXES.cell_at(x * PARTS, (row * 18 + 12) * PARTS), (column, row));
        }
    }
}
