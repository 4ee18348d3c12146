//! A map of Tiled in memory, whether it was written as XML or as JSON.
//!
//! Not here: reading it, and what it means.

use crate::error::ReadError;
use crate::painted::Named;
use std::collections::BTreeMap;

/// How many parts a pixel has where objects lie: positions are whole numbers of them.
pub(super) const PARTS: i64 = 1000;

/// A map.
pub(super) struct Map {
    pub(super) shape: Shape,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Whether the layers state their places in chunks, so that the size of the map says nothing.
    pub(super) is_infinite: bool,
    pub(super) properties: Properties,
    pub(super) tilesets: Vec<TilesetAt>,
    /// From below.
    pub(super) layers: Vec<Layer>,
}

/// What the cells of a map look like, in pixels.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Squares {
        width: u32,
        height: u32,
    },
    /// Squares that stand on a corner. Their objects have places in pixels of the height along both sides.
    Diamonds {
        height: u32,
    },
    Hexes {
        width: u32,
        height: u32,
        /// The length of the upright sides.
        side: u32,
        /// Whether the even rows lie half a cell further right, and not the odd ones.
        even_are_shifted: bool,
    },
}

/// What a map states about the shape of its cells, in Tiled's words.
pub(super) struct Stated<'a> {
    pub(super) orientation: &'a str,
    pub(super) tile_width: u32,
    pub(super) tile_height: u32,
    pub(super) hex_side: u32,
    pub(super) stagger_axis: &'a str,
    pub(super) stagger_index: &'a str,
}

impl Stated<'_> {
    pub(super) fn shape(&self) -> Result<Shape, ReadError> {
        let (width, height) = (self.tile_width, self.tile_height);
        if width == 0 || height == 0 {
            return Err(ReadError::of_whole("tiles of at least one pixel", format!("{width} x {height}")));
        }
        match self.orientation {
            "orthogonal" => Ok(Shape::Squares { width, height }),
            "isometric" => Ok(Shape::Diamonds { height }),
            "hexagonal" => {
                if self.stagger_axis != "y" {
                    let expected = "hexes that stand on a corner (stagger axis y)";
                    return Err(ReadError::of_whole(expected, format!("stagger axis {:?}", self.stagger_axis)));
                }
                let even_are_shifted = match self.stagger_index {
                    "odd" => false,
                    "even" => true,
                    other => return Err(ReadError::of_whole("stagger index odd or even", format!("{other:?}"))),
                };
                if self.hex_side > height || height < 2 {
                    let expected = "hexes that are at least two pixels and one side high";
                    let found = format!("{height} pixels, with sides of {}", self.hex_side);
                    return Err(ReadError::of_whole(expected, found));
                }
                Ok(Shape::Hexes { width, height, side: self.hex_side, even_are_shifted })
            }
            other => {
                let expected = "an orthogonal, isometric or hexagonal map";
                Err(ReadError::of_whole(expected, format!("orientation {other:?}")))
            }
        }
    }
}

/// A tileset of a map.
pub(super) struct TilesetAt {
    pub(super) line: usize,
    /// The number of its first tile in the layers of the map.
    pub(super) first: u32,
    pub(super) tileset: Tileset,
}

/// What a map says about a tileset.
pub(super) enum Tileset {
    /// It is in this file.
    Beside(String),
    /// It is in the map: the tiles that say something, by number.
    Here(Tiles),
}

/// The tiles of a tileset that say something, by number.
pub(super) type Tiles = BTreeMap<u32, Tile>;

/// A tile that says something.
pub(super) struct Tile {
    pub(super) line: usize,
    pub(super) class: String,
    pub(super) properties: Properties,
}

/// A layer.
pub(super) struct Layer {
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) is_visible: bool,
    pub(super) properties: Properties,
    pub(super) content: Content,
}

impl Layer {
    /// Returns a fault of this layer.
    pub(super) fn fault(&self, fault: ReadError) -> ReadError {
        inside(fault, self.line, &format!("layer {:?}", self.name))
    }
}

/// What a layer holds.
pub(super) enum Content {
    Tiles(Vec<Chunk>),
    Objects(Vec<Object>),
    /// Layers, from below.
    Group(Vec<Layer>),
    /// Something that says nothing about the ground, such as a picture.
    Other,
}

/// A rectangle of tiles. A layer of a map that is not infinite is one chunk.
pub(super) struct Chunk {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: super::data::Data,
}

/// An object. What is `None` is left to its template.
#[derive(Clone, Default)]
pub(super) struct Object {
    pub(super) line: usize,
    pub(super) id: u32,
    pub(super) name: Option<String>,
    pub(super) class: Option<String>,
    /// In parts of pixels, see [`PARTS`].
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: Option<i64>,
    pub(super) height: Option<i64>,
    pub(super) is_visible: Option<bool>,
    /// Whether it is a tile, which stands on its position and does not hang from it.
    pub(super) is_tile: bool,
    /// The file of the object that has what this one does not say.
    pub(super) template: Option<String>,
    pub(super) properties: Properties,
}

impl Object {
    /// Takes over what only the template says.
    pub(super) fn fill(&mut self, template: Object) {
        self.name = self.name.take().or(template.name);
        self.class = self.class.take().or(template.class);
        self.width = self.width.or(template.width);
        self.height = self.height.or(template.height);
        self.is_visible = self.is_visible.or(template.is_visible);
        self.is_tile |= template.is_tile;
        for (name, value) in template.properties.0 {
            self.properties.0.entry(name).or_insert(value);
        }
    }

    /// Returns what the object is called in errors.
    pub(super) fn what(&self) -> String {
        format!("object {}", self.id)
    }
}

/// Returns a number of parts of pixels, or `None` if the pixels are no number that can be a place.
pub(super) fn parts(pixels: f64) -> Option<i64> {
    let parts = (pixels * PARTS as f64).round();
    (parts.abs() < 1e15).then_some(parts as i64)
}

/// A value that a property has.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    /// The number of an object, 0 for none.
    Object(u32),
    /// A value of a kind that no property known here has.
    Other,
}

/// The properties of a map, a layer, a tile or an object.
#[derive(Clone, Default, Debug)]
pub(super) struct Properties(pub(super) BTreeMap<String, Value>);

impl Properties {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ReadError> {
        match self.get(name) {
            None => Ok(None),
            Some(&Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(wrong(name, "a bool", other)),
        }
    }

    /// Returns a whole number in this range.
    pub(super) fn number(&self, name: &str, least: i64, most: i64) -> Result<Option<i64>, ReadError> {
        match self.get(name) {
            None => Ok(None),
            Some(&Value::Int(number)) if (least..=most).contains(&number) => Ok(Some(number)),
            Some(other) => Err(wrong(name, &format!("an int from {least} to {most}"), other)),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, ReadError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(name, "a string", other)),
        }
    }

    /// Returns what the properties say about the ground.
    pub(super) fn meaning(&self) -> Result<Named, ReadError> {
        let weight = self.number("weight", 1, 255)?.map(|weight| weight as u8);
        Ok(Named { blocked: self.flag("blocked")?, weight, kind: self.text("kind")?.map(str::to_owned) })
    }
}

/// Returns the fault of a property with a value of another kind.
fn wrong(name: &str, expected: &str, found: &Value) -> ReadError {
    let found = match found {
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) => format!("the string {text:?}"),
        Value::Object(id) => format!("object {id}"),
        Value::Other => "another value".to_owned(),
    };
    ReadError::of_whole(format!("{expected} in property {name:?}"), found)
}

/// Returns a fault that says in which part of the file it is.
pub(super) fn inside(fault: ReadError, line: usize, part: &str) -> ReadError {
    let line = if fault.line > 0 { fault.line } else { line };
    ReadError { line, found: format!("{} in {part}", fault.found), ..fault }
}
