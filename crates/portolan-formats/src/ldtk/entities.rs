//! What the entities of a level say, and in which cells they are.
//!
//! Not here: whether the cells are on free ground.

use super::project::{Entity, Layer, Level, field};
use crate::error::ReadError;
use crate::painted::{End, Extent, Means, PlaceRole, Spot, Spots};
use serde_json::Value;

/// How many pixels away from its level a thing may lie.
const FAR: i64 = 1 << 40;

/// Adds the links and places of a level, and where all of its entities are. Cells have `size` pixels on each side.
pub(super) fn add(spots: &mut Spots, level: &Level, place: Extent, size: i64) -> Result<(), ReadError> {
    for layer in level.layers.iter().flatten() {
        for entity in &layer.entities {
            let at = cell_of(entity, layer, place, size);
            spots.objects.insert(entity.id.clone(), at);
            if layer.is_visible {
                spots.told.extend(spot(entity, at, layer, level, (place, size))?);
            }
        }
    }
    Ok(())
}

/// Returns the column and row of the world in which the middle of an entity is.
fn cell_of(entity: &Entity, layer: &Layer, place: Extent, size: i64) -> (i64, i64) {
    let side = |at: i64, length: i64, pivot: f64, offset: i64, first: i32| {
        // The middle may be between two pixels, so that halves are counted.
        let near = |pixels: i64| pixels.clamp(-FAR, FAR);
        let (at, length, offset) = (near(at), near(length), near(offset));
        let before = (length as f64 * pivot.clamp(0., 1.) * 2.).round() as i64;
        (2 * (at + offset) - before + length).div_euclid(2 * size) + i64::from(first)
    };
    (
        side(entity.at[0], entity.width, entity.pivot[0], layer.x, place.left),
        side(entity.at[1], entity.height, entity.pivot[1], layer.y, place.top),
    )
}

/// Returns the link or place that an entity is, if it is one.
fn spot(
    entity: &Entity,
    at: (i64, i64),
    layer: &Layer,
    level: &Level,
    (place, size): (Extent, i64),
) -> Result<Option<Spot>, ReadError> {
    let what = format!("entity {:?} ({}) of level {:?}", entity.name, entity.id, level.name);
    let means = match &entity.name {
        name if name.eq_ignore_ascii_case("start") => Means::Place(PlaceRole::Start),
        name if name.eq_ignore_ascii_case("goal") => Means::Place(PlaceRole::Goal),
        name if name.eq_ignore_ascii_case("link") => link(entity, layer, place, size)
            .map_err(|fault| ReadError { found: format!("{} in entity {}", fault.found, entity.id), ..fault })?,
        _ => return Ok(None),
    };
    let name = field(&entity.fields, "name").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Some(Spot { line: 0, what, name, at, means }))
}

fn link(entity: &Entity, layer: &Layer, place: Extent, size: i64) -> Result<Means, ReadError> {
    let number = |name: &str| match field(&entity.fields, name) {
        None => Ok(None),
        Some(value) => value
            .as_i64()
            .filter(|number| i32::try_from(*number).is_ok())
            .map(Some)
            .ok_or_else(|| ReadError::of_whole(format!("a whole number in field {name:?}"), value.to_string())),
    };
    let in_world = |column: i64, row: i64| End::Place(column + i64::from(place.left), row + i64::from(place.top));
    let to = match (field(&entity.fields, "to"), number("to_x")?, number("to_y")?) {
        (Some(to), None, None) => referred(to).or_else(|| {
            let middle = |at: i64, offset: i64| {
                let own = i64::from(layer.cell_size);
                (at * own + own / 2 + offset.clamp(-FAR, FAR)).div_euclid(size)
            };
            let (column, row) = point(to)?;
            Some(in_world(middle(column, layer.x), middle(row, layer.y)))
        }),
        (None, Some(column), Some(row)) => Some(in_world(column, row)),
        _ => None,
    };
    let to = to.ok_or_else(|| {
        let expected =
            "where the link leads: an entity or a point in field \"to\", or numbers in \"to_x\" and \"to_y\"";
        ReadError::of_whole(expected, "neither or both")
    })?;
    let cost = number("cost")?
        .map(|cost| u32::try_from(cost).map_err(|_| ReadError::of_whole("a cost of at least 0", cost.to_string())));
    let one_way = match field(&entity.fields, "one_way") {
        None => false,
        Some(&Value::Bool(one_way)) => one_way,
        Some(other) => return Err(ReadError::of_whole("true or false in field \"one_way\"", other.to_string())),
    };
    Ok(Means::Link { to, cost: cost.transpose()?, one_way })
}

/// Returns the entity that a value refers to.
fn referred(value: &Value) -> Option<End> {
    value.get("entityIid").and_then(Value::as_str).map(|id| End::Object(id.to_owned()))
}

/// Returns the column and row that a value of the kind Point has.
fn point(value: &Value) -> Option<(i64, i64)> {
    let side = |name| value.get(name).and_then(Value::as_i64).filter(|side| i32::try_from(*side).is_ok());
    side("cx").zip(side("cy"))
}
