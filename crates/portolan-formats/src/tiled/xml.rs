//! Maps, tilesets and templates of Tiled in XML: `.tmx`, `.tsx` and `.tx`.
//!
//! Crate `roxmltree` reads the XML, with the places of everything in it. The crate `tiled`, which was made for these maps, is
//! not used: a map of two hundred bytes makes it reserve memory for four thousand million tiles, others make it panic, and it
//! does not say in which line a fault is.
//!
//! Not here: what a map means.

use super::data::Data;
use super::model::{
    Chunk, Content, Layer, Map, Object, Properties, Stated, Tile, Tiles, Tileset, TilesetAt, Value, parts,
};
use crate::error::ReadError;
use crate::text::without_mark;
use roxmltree::{Document, Node};
use std::cell::Cell;
use std::str::FromStr;

/// The most groups of layers that may lie in each other.
const DEEPEST: usize = 64;

/// A file, to be read from its beginning to its end.
struct File<'a> {
    text: &'a str,
    /// A place in the text and its line, from which on lines are counted.
    counted: Cell<(usize, usize)>,
}

/// Reads a map.
pub(super) fn map(bytes: &[u8]) -> Result<Map, ReadError> {
    with_root(bytes, "map", File::map)
}

/// Reads the tiles of a tileset that is a file of its own.
pub(super) fn tileset(bytes: &[u8]) -> Result<Tiles, ReadError> {
    with_root(bytes, "tileset", File::tiles)
}

/// Reads the object in a template.
pub(super) fn template(bytes: &[u8]) -> Result<Object, ReadError> {
    with_root(bytes, "template", |file, template| {
        let object = template.children().find(|node| node.has_tag_name("object"));
        file.object(object.ok_or_else(|| file.fault(template, "an <object> in the template", "none"))?)
    })
}

/// Reads a file whose outermost element has this name.
fn with_root<'a, T>(
    bytes: &'a [u8],
    name: &str,
    read: impl FnOnce(&File<'a>, Node) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let bytes = without_mark(bytes);
    let text = str::from_utf8(bytes).map_err(|fault| {
        let line = bytes[..fault.valid_up_to()].split(|&byte| byte == b'\n').count();
        ReadError { line, ..ReadError::of_whole("text in UTF-8", "other bytes") }
    })?;
    let document = Document::parse(text).map_err(|fault| {
        let at = fault.pos();
        let (line, column) = (at.row as usize, at.col as usize);
        ReadError { line, column, ..ReadError::of_whole("sound XML", fault.to_string()) }
    })?;
    let (root, file) = (document.root_element(), File { text, counted: Cell::new((0, 1)) });
    if !root.has_tag_name(name) {
        return Err(file.fault(root, format!("<{name}>"), format!("<{}>", root.tag_name().name())));
    }
    read(&file, root)
}

impl File<'_> {
    fn line(&self, node: Node) -> usize {
        let place = node.range().start;
        let (from, line) = match self.counted.get() {
            (from, line) if from <= place => (from, line),
            _ => (0, 1),
        };
        let line = line + self.text[from..place].matches('\n').count();
        self.counted.set((place, line));
        line
    }

    fn fault(&self, node: Node, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        ReadError { line: self.line(node), ..ReadError::of_whole(expected, found) }
    }

    /// Returns a fault that has a line; it is that of the element if the fault has none.
    fn at(&self, node: Node) -> impl Fn(ReadError) -> ReadError {
        let line = self.line(node);
        move |fault| if fault.line > 0 { fault } else { ReadError { line, ..fault } }
    }

    /// Returns the value of an attribute, if there is one.
    fn maybe<T: FromStr>(&self, node: Node, name: &str) -> Result<Option<T>, ReadError> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let wrong = |_| {
            let expected = format!("a number in {name:?} of <{}>", node.tag_name().name());
            self.fault(node, expected, format!("{text:?}"))
        };
        text.trim().parse().map(Some).map_err(wrong)
    }

    fn must<T: FromStr>(&self, node: Node, name: &str) -> Result<T, ReadError> {
        let none = || self.fault(node, format!("{name:?} in <{}>", node.tag_name().name()), "none");
        self.maybe(node, name)?.ok_or_else(none)
    }

    /// Returns an attribute that is a number of pixels, in their parts.
    fn pixels(&self, node: Node, name: &str) -> Result<Option<i64>, ReadError> {
        let Some(pixels) = self.maybe::<f64>(node, name)? else { return Ok(None) };
        let wrong = || self.fault(node, format!("a number of pixels in {name:?}"), pixels.to_string());
        parts(pixels).map(Some).ok_or_else(wrong)
    }

    fn map(&self, map: Node) -> Result<Map, ReadError> {
        let stated = Stated {
            orientation: map.attribute("orientation").unwrap_or_default(),
            tile_width: self.must(map, "tilewidth")?,
            tile_height: self.must(map, "tileheight")?,
            hex_side: self.maybe(map, "hexsidelength")?.unwrap_or(0),
            stagger_axis: map.attribute("staggeraxis").unwrap_or_default(),
            stagger_index: map.attribute("staggerindex").unwrap_or_default(),
        };
        let is_infinite = map.attribute("infinite") == Some("1");
        let tilesets = elements(map).filter(|node| node.has_tag_name("tileset"));
        Ok(Map {
            shape: stated.shape().map_err(self.at(map))?,
            width: self.must(map, "width")?,
            height: self.must(map, "height")?,
            is_infinite,
            properties: self.properties(map)?,
            tilesets: tilesets.map(|node| self.tileset(node)).collect::<Result<_, _>>()?,
            layers: self.layers(map, is_infinite, 0)?,
        })
    }

    fn tileset(&self, node: Node) -> Result<TilesetAt, ReadError> {
        let tileset = match node.attribute("source") {
            Some(name) => Tileset::Beside(name.to_owned()),
            None => Tileset::Here(self.tiles(node)?),
        };
        Ok(TilesetAt { line: self.line(node), first: self.must(node, "firstgid")?, tileset })
    }

    fn tiles(&self, tileset: Node) -> Result<Tiles, ReadError> {
        let tiles = elements(tileset).filter(|node| node.has_tag_name("tile"));
        tiles
            .map(|node| {
                let (line, properties) = (self.line(node), self.properties(node)?);
                let class = class(node).unwrap_or_default();
                Ok((self.must(node, "id")?, Tile { line, class, properties }))
            })
            .collect()
    }

    fn properties(&self, owner: Node) -> Result<Properties, ReadError> {
        let Some(list) = elements(owner).find(|node| node.has_tag_name("properties")) else {
            return Ok(Properties::default());
        };
        let properties = elements(list).filter(|node| node.has_tag_name("property"));
        let values = properties.map(|node| {
            let name = node.attribute("name").unwrap_or_default();
            let text = node.attribute("value").map_or_else(|| text(node), str::to_owned);
            let wrong = |kind: &str| self.fault(node, format!("{kind} in property {name:?}"), format!("{text:?}"));
            let value = match node.attribute("type").unwrap_or("string") {
                "bool" => Value::Bool(text.parse().map_err(|_| wrong("true or false"))?),
                "int" => Value::Int(text.parse().map_err(|_| wrong("a whole number"))?),
                "object" => Value::Object(text.parse().map_err(|_| wrong("the number of an object"))?),
                "string" => Value::Text(text),
                _ => Value::Other,
            };
            Ok((name.to_owned(), value))
        });
        values.collect::<Result<_, _>>().map(Properties)
    }

    fn layers(&self, owner: Node, is_infinite: bool, depth: usize) -> Result<Vec<Layer>, ReadError> {
        if depth > DEEPEST {
            return Err(self.fault(owner, format!("at most {DEEPEST} groups in each other"), "more"));
        }
        let mut layers = Vec::new();
        for node in elements(owner) {
            let content = match node.tag_name().name() {
                "layer" => Content::Tiles(self.chunks(node, is_infinite)?),
                "objectgroup" => {
                    let objects = elements(node).filter(|node| node.has_tag_name("object"));
                    Content::Objects(objects.map(|object| self.object(object)).collect::<Result<_, _>>()?)
                }
                "group" => Content::Group(self.layers(node, is_infinite, depth + 1)?),
                _ => continue,
            };
            layers.push(Layer {
                line: self.line(node),
                name: node.attribute("name").unwrap_or_default().to_owned(),
                is_visible: node.attribute("visible") != Some("0"),
                properties: self.properties(node)?,
                content,
            });
        }
        Ok(layers)
    }

    fn chunks(&self, layer: Node, is_infinite: bool) -> Result<Vec<Chunk>, ReadError> {
        let Some(data) = elements(layer).find(|node| node.has_tag_name("data")) else { return Ok(Vec::new()) };
        if !is_infinite {
            let (width, height) = (self.must(layer, "width")?, self.must(layer, "height")?);
            return Ok(vec![Chunk { x: 0, y: 0, width, height, data: self.data(data, data)? }]);
        }
        let chunks = elements(data).filter(|node| node.has_tag_name("chunk"));
        chunks
            .map(|chunk| {
                Ok(Chunk {
                    x: self.must(chunk, "x")?,
                    y: self.must(chunk, "y")?,
                    width: self.must(chunk, "width")?,
                    height: self.must(chunk, "height")?,
                    data: self.data(data, chunk)?,
                })
            })
            .collect()
    }

    /// Returns the tiles in an element, written as another says.
    fn data(&self, how: Node, node: Node) -> Result<Data, ReadError> {
        let Some(encoding) = how.attribute("encoding") else {
            let tiles = elements(node).filter(|node| node.has_tag_name("tile"));
            let numbers = tiles.map(|tile| Ok(self.maybe(tile, "gid")?.unwrap_or(0)));
            return numbers.collect::<Result<_, _>>().map(Data::Numbers);
        };
        Data::of(encoding, how.attribute("compression").unwrap_or_default(), text(node)).map_err(self.at(how))
    }

    fn object(&self, node: Node) -> Result<Object, ReadError> {
        Ok(Object {
            line: self.line(node),
            id: self.maybe(node, "id")?.unwrap_or(0),
            name: node.attribute("name").map(str::to_owned),
            class: class(node),
            x: self.pixels(node, "x")?.unwrap_or(0),
            y: self.pixels(node, "y")?.unwrap_or(0),
            width: self.pixels(node, "width")?,
            height: self.pixels(node, "height")?,
            is_visible: node.attribute("visible").map(|visible| visible != "0"),
            is_tile: node.has_attribute("gid"),
            template: node.attribute("template").map(str::to_owned),
            properties: self.properties(node)?,
        })
    }
}

fn elements<'a, 'input>(owner: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    owner.children().filter(Node::is_element)
}

/// Returns all text in an element, which comments may divide.
fn text(node: Node) -> String {
    node.children().filter(Node::is_text).filter_map(|part| part.text()).collect()
}

/// Returns the class of an element, which versions of Tiled write in two ways.
fn class(node: Node) -> Option<String> {
    node.attribute("class").or_else(|| node.attribute("type")).map(str::to_owned)
}
