//! Maps, tilesets and templates of Tiled in JSON: `.tmj`, `.tsj` and `.tj`.
//!
//! Not here: what a map means.

use super::data::Data;
use super::model::{
    Chunk, Content, Layer, Map, Object, Properties, Stated, Tile, Tiles, Tileset, TilesetAt, Value, inside, parts,
};
use crate::error::ReadError;
use crate::text::without_mark;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct MapFile {
    orientation: String,
    width: u32,
    height: u32,
    tilewidth: u32,
    tileheight: u32,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    hexsidelength: Option<u32>,
    #[serde(default)]
    staggeraxis: String,
    #[serde(default)]
    staggerindex: String,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    tilesets: Vec<TilesetPart>,
    layers: Vec<LayerPart>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct TilesetPart {
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<TilePart>,
}

#[derive(Deserialize)]
struct TilesetFile {
    tilewidth: u32,
    #[serde(default)]
    tiles: Vec<TilePart>,
}

#[derive(Deserialize)]
struct TilePart {
    id: u32,
    #[serde(rename = "type")]
    kind: Option<String>,
    class: Option<String>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct LayerPart {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    visible: Option<bool>,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    encoding: Option<String>,
    #[serde(default)]
    compression: String,
    data: Option<DataPart>,
    #[serde(default)]
    chunks: Vec<ChunkPart>,
    #[serde(default)]
    objects: Vec<ObjectPart>,
    #[serde(default)]
    layers: Vec<LayerPart>,
}

#[derive(Deserialize)]
struct ChunkPart {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    data: DataPart,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum DataPart {
    Numbers(Vec<u32>),
    Text(String),
}

#[derive(Deserialize)]
struct ObjectPart {
    #[serde(default)]
    id: u32,
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    class: Option<String>,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    width: Option<f64>,
    height: Option<f64>,
    visible: Option<bool>,
    gid: Option<u32>,
    template: Option<String>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct TemplateFile {
    object: ObjectPart,
}

/// Reads a value from a whole file.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T, ReadError> {
    serde_json::from_slice(without_mark(bytes)).map_err(|fault| {
        let whole = ReadError::of_whole(what, fault.to_string());
        ReadError { line: fault.line(), column: fault.column(), ..whole }
    })
}

/// Reads a map.
pub(super) fn map(bytes: &[u8]) -> Result<Map, ReadError> {
    let file: MapFile = from_bytes(bytes, "a map of Tiled in JSON")?;
    let stated = Stated {
        orientation: &file.orientation,
        tile_width: file.tilewidth,
        tile_height: file.tileheight,
        hex_side: file.hexsidelength.unwrap_or(0),
        stagger_axis: &file.staggeraxis,
        stagger_index: &file.staggerindex,
    };
    Ok(Map {
        shape: stated.shape()?,
        width: file.width,
        height: file.height,
        is_infinite: file.infinite,
        properties: properties(file.properties, "the map")?,
        tilesets: file.tilesets.into_iter().map(tileset_of).collect::<Result<_, _>>()?,
        layers: layers(file.layers, file.infinite)?,
    })
}

/// Reads the tiles of a tileset that is a file of its own.
pub(super) fn tileset(bytes: &[u8]) -> Result<Tiles, ReadError> {
    let file: TilesetFile = from_bytes(bytes, "a tileset of Tiled in JSON")?;
    if file.tilewidth == 0 {
        return Err(ReadError::of_whole("tiles of at least one pixel", "tiles without a width"));
    }
    tiles(file.tiles)
}

/// Reads the object in a template.
pub(super) fn template(bytes: &[u8]) -> Result<Object, ReadError> {
    object(from_bytes::<TemplateFile>(bytes, "a template of Tiled in JSON")?.object)
}

fn tileset_of(part: TilesetPart) -> Result<TilesetAt, ReadError> {
    let tileset = part.source.map_or_else(|| tiles(part.tiles).map(Tileset::Here), |name| Ok(Tileset::Beside(name)));
    Ok(TilesetAt { line: 0, first: part.firstgid, tileset: tileset? })
}

fn tiles(parts: Vec<TilePart>) -> Result<Tiles, ReadError> {
    let tile = |part: TilePart| {
        let class = part.class.or(part.kind).unwrap_or_default();
        let properties = properties(part.properties, &format!("tile {}", part.id))?;
        Ok((part.id, Tile { line: 0, class, properties }))
    };
    parts.into_iter().map(tile).collect()
}

fn properties(parts: Vec<Property>, owner: &str) -> Result<Properties, ReadError> {
    let value = |Property { name, kind, value }: Property| {
        let wrong = |kind: &str| ReadError::of_whole(format!("{kind} in property {name:?}"), value.to_string());
        let value = match kind.as_deref().unwrap_or("string") {
            "bool" => Value::Bool(value.as_bool().ok_or_else(|| wrong("true or false"))?),
            "int" => Value::Int(value.as_i64().ok_or_else(|| wrong("a whole number"))?),
            "object" => {
                let id = value.as_u64().and_then(|id| u32::try_from(id).ok());
                Value::Object(id.ok_or_else(|| wrong("the number of an object"))?)
            }
            "string" => Value::Text(value.as_str().ok_or_else(|| wrong("a string"))?.to_owned()),
            _ => Value::Other,
        };
        Ok((name, value))
    };
    let values = parts.into_iter().map(value).collect::<Result<_, _>>();
    values.map(Properties).map_err(|fault| inside(fault, 0, owner))
}

fn layers(parts: Vec<LayerPart>, is_infinite: bool) -> Result<Vec<Layer>, ReadError> {
    parts.into_iter().map(|part| layer(part, is_infinite)).collect()
}

fn layer(part: LayerPart, is_infinite: bool) -> Result<Layer, ReadError> {
    let (encoding, compression) = (part.encoding.as_deref().unwrap_or("csv"), part.compression.as_str());
    let data = |data: DataPart| match data {
        DataPart::Numbers(numbers) => Ok(Data::Numbers(numbers)),
        DataPart::Text(text) => Data::of(encoding, compression, text),
    };
    let chunk = |part: ChunkPart| {
        let ChunkPart { x, y, width, height, .. } = part;
        Ok(Chunk { x, y, width, height, data: data(part.data)? })
    };
    let content = match part.kind.as_str() {
        "tilelayer" if is_infinite => Content::Tiles(part.chunks.into_iter().map(chunk).collect::<Result<_, _>>()?),
        "tilelayer" => {
            let (width, height, data) = (part.width, part.height, part.data.map(data).transpose()?);
            Content::Tiles(data.map(|data| Chunk { x: 0, y: 0, width, height, data }).into_iter().collect())
        }
        "objectgroup" => Content::Objects(part.objects.into_iter().map(object).collect::<Result<_, _>>()?),
        "group" => Content::Group(layers(part.layers, is_infinite)?),
        _ => Content::Other,
    };
    let properties = properties(part.properties, &format!("layer {:?}", part.name))?;
    Ok(Layer { line: 0, name: part.name, is_visible: part.visible.unwrap_or(true), properties, content })
}

fn object(part: ObjectPart) -> Result<Object, ReadError> {
    let pixels = |pixels: f64| {
        parts(pixels)
            .ok_or_else(|| ReadError::of_whole("a number of pixels", format!("{pixels} in object {}", part.id)))
    };
    Ok(Object {
        line: 0,
        id: part.id,
        x: pixels(part.x)?,
        y: pixels(part.y)?,
        width: part.width.map(pixels).transpose()?,
        height: part.height.map(pixels).transpose()?,
        is_visible: part.visible,
        is_tile: part.gid.is_some(),
        name: part.name,
        class: part.class.or(part.kind),
        template: part.template,
        properties: properties(part.properties, &format!("object {}", part.id))?,
    })
}
