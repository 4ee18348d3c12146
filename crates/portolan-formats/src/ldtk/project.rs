//! A project of `LDtk` in memory: of what the file has, the part that says something about the world.
//!
//! Not here: what it means for the ground.

use super::Levels;
use crate::error::ReadError;
use crate::painted::Extent;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
pub(super) struct Project {
    defs: Definitions,
    #[serde(default)]
    levels: Vec<Level>,
    #[serde(default)]
    worlds: Vec<World>,
    #[serde(rename = "defaultGridSize", default)]
    default_cell_size: Option<u32>,
}

/// A part of a project that has several worlds.
#[derive(Deserialize)]
struct World {
    #[serde(default)]
    levels: Vec<Level>,
}

#[derive(Deserialize)]
struct Definitions {
    layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
struct LayerDefinition {
    uid: i64,
    #[serde(rename = "__type", default)]
    kind: String,
    #[serde(rename = "gridSize")]
    cell_size: u32,
    #[serde(rename = "intGridValues", default)]
    values: Vec<ValueDefinition>,
}

#[derive(Deserialize)]
struct ValueDefinition {
    value: i64,
    identifier: Option<String>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Level {
    #[serde(rename = "identifier")]
    pub(super) name: String,
    /// In pixels.
    #[serde(rename = "worldX", default)]
    x: i64,
    #[serde(rename = "worldY", default)]
    y: i64,
    #[serde(rename = "worldDepth", default)]
    depth: i64,
    #[serde(rename = "pxWid")]
    pub(super) width: u32,
    #[serde(rename = "pxHei")]
    pub(super) height: u32,
    #[serde(rename = "externalRelPath")]
    pub(super) file: Option<String>,
    #[serde(rename = "fieldInstances", default)]
    pub(super) fields: Vec<Field>,
    /// From above. There are none here if they are in a file.
    #[serde(rename = "layerInstances")]
    pub(super) layers: Option<Vec<Layer>>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Layer {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__cWid")]
    pub(super) columns: u32,
    #[serde(rename = "__cHei")]
    pub(super) rows: u32,
    /// In pixels.
    #[serde(rename = "__gridSize")]
    pub(super) cell_size: u32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub(super) x: i64,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub(super) y: i64,
    #[serde(rename = "visible", default = "yes")]
    pub(super) is_visible: bool,
    #[serde(rename = "layerDefUid")]
    pub(super) definition: i64,
    #[serde(rename = "intGridCsv", default)]
    pub(super) values: Vec<i64>,
    #[serde(rename = "entityInstances", default)]
    pub(super) entities: Vec<Entity>,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Deserialize)]
pub(super) struct Entity {
    #[serde(rename = "__identifier")]
    pub(super) name: String,
    #[serde(rename = "iid")]
    pub(super) id: String,
    /// Where its pivot is in the layer, in pixels.
    #[serde(rename = "px")]
    pub(super) at: [i64; 2],
    #[serde(default)]
    pub(super) width: i64,
    #[serde(default)]
    pub(super) height: i64,
    /// Where the pivot is in the entity: 0 is left and top, 1 is right and bottom.
    #[serde(rename = "__pivot", default)]
    pub(super) pivot: [f64; 2],
    #[serde(rename = "fieldInstances", default)]
    pub(super) fields: Vec<Field>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Field {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__value", default)]
    value: Value,
}

/// Returns the value of the field of this name, if it has one.
pub(super) fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Value> {
    let field = fields.iter().find(|field| field.name.eq_ignore_ascii_case(name))?;
    (!field.value.is_null()).then_some(&field.value)
}

impl Project {
    /// Returns how many pixels the least cells of layers of integers have on each side, or the cells of a new layer.
    pub(super) fn cell_size(&self) -> Result<i64, ReadError> {
        let of_integers = self.defs.layers.iter().filter(|layer| layer.kind == "IntGrid");
        let size = of_integers.map(|layer| layer.cell_size).min().or(self.default_cell_size).unwrap_or(0);
        let none = || ReadError::of_whole("cells of at least one pixel", "none");
        (size > 0).then_some(i64::from(size)).ok_or_else(none)
    }

    /// Returns the levels that are to be read, at least one.
    pub(super) fn chosen(&self, levels: &Levels) -> Result<Vec<&Level>, ReadError> {
        let first_world = if self.levels.is_empty() { self.worlds.first().map(|world| &world.levels) } else { None };
        let of_one = first_world.unwrap_or(&self.levels);
        let none = || ReadError::of_whole("at least one level", "none");
        let first = of_one.first().ok_or_else(none)?;
        match levels {
            Levels::First => Ok(vec![first]),
            Levels::All => Ok(of_one.iter().filter(|level| level.depth == first.depth).collect()),
            Levels::Named(name) => {
                let all = || self.levels.iter().chain(self.worlds.iter().flat_map(|world| &world.levels));
                let level = all().find(|level| level.name.eq_ignore_ascii_case(name)).map(|level| vec![level]);
                level.ok_or_else(|| {
                    let names: Vec<&str> = all().map(|level| level.name.as_str()).collect();
                    ReadError::of_whole(format!("one of the levels {}", names.join(", ")), format!("{name:?}"))
                })
            }
        }
    }

    /// Returns the name of a value in layers of this definition.
    pub(super) fn name_of(&self, definition: i64, value: i64) -> Option<&str> {
        let layer = self.defs.layers.iter().find(|layer| layer.uid == definition)?;
        layer.values.iter().find(|defined| defined.value == value)?.identifier.as_deref()
    }
}

impl Level {
    /// Returns the columns and rows of the level, in its world or else from 0,0 on.
    pub(super) fn place(&self, size: i64, is_in_world: bool) -> Result<Extent, ReadError> {
        let (x, y) = if is_in_world { (self.x, self.y) } else { (0, 0) };
        let is_near = |at: i64| i32::try_from(at / size).is_ok_and(|at| at.abs() < i32::MAX / 2);
        if x % size != 0 || y % size != 0 || !is_near(x) || !is_near(y) {
            let expected = format!("a level at a whole number of cells of {size} pixels in a free or grid-like world");
            return Err(self.fault(ReadError::of_whole(expected, format!("{x},{y}"))));
        }
        let cells = |pixels: u32| (i64::from(pixels) + size - 1) / size;
        let (left, top) = (x / size, y / size);
        Ok(Extent::between([left, top], [left + cells(self.width), top + cells(self.height)]))
    }

    /// Returns a fault of this level.
    pub(super) fn fault(&self, fault: ReadError) -> ReadError {
        ReadError { found: format!("{} in level {:?}", fault.found, self.name), ..fault }
    }
}

impl Layer {
    pub(super) fn is_of_integers(&self) -> bool {
        self.kind == "IntGrid"
    }

    /// Returns how many cells of the world a cell of the layer has on each side, and in which column and row of its level the
    /// layer begins.
    pub(super) fn fit(&self, size: i64) -> Result<(i64, [i64; 2]), ReadError> {
        let own = i64::from(self.cell_size);
        let is_wrong = |pixels: &i64| pixels % size != 0 || i32::try_from(*pixels / size).is_err();
        if own == 0 || [own, self.x, self.y].iter().any(is_wrong) {
            let expected = format!("cells of a multiple of {size} pixels that lie on those of {size} pixels");
            return Err(ReadError::of_whole(expected, format!("cells of {own} pixels at {},{}", self.x, self.y)));
        }
        Ok((own / size, [self.x / size, self.y / size]))
    }

    /// Returns a fault of this layer.
    pub(super) fn fault(&self, fault: ReadError) -> ReadError {
        ReadError { found: format!("{} in layer {:?}", fault.found, self.name), ..fault }
    }
}
