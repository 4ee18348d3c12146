//! How the layers of a map become a world: which cells it has, and what each tile says about its cell.
//!
//! Not here: objects.

use super::model::{Chunk, Content, Layer, Map, Shape, Tile, Tiles, Tileset, TilesetAt, inside};
use crate::error::ReadError;
use crate::painted::{Canvas, Extent, Meaning, Named};
use portolan::any::AnySnapshot;
use portolan::{KindNameError, KindNames, Rules};
use std::collections::BTreeMap;

/// The word for walls: a property, a class of tiles, the name of a layer and what empty cells may be.
const BLOCKED: &str = "blocked";

/// The upper bits of a tile's number say how it is flipped and turned.
const NUMBER: u32 = 0x0fff_ffff;

/// Returns the tiles of a tileset in a file.
type LoadTiles<'a> = dyn FnMut(&str) -> Result<Tiles, ReadError> + 'a;

/// Lays the layers of a map over each other. Returns also which part of the map that is. `bytes` is the size of its file.
pub(super) fn world(
    map: &Map,
    bytes: usize,
    rules: Rules,
    kinds: &mut KindNames,
    load: &mut LoadTiles,
) -> Result<(AnySnapshot, Extent), ReadError> {
    let (extent, is_row_added) = extent(map)?;
    extent.check(bytes)?;
    let empty_is_blocked = match map.properties.text("empty")? {
        None | Some("ground") => false,
        Some(BLOCKED) => true,
        Some(other) => {
            let expected = "`ground` or `blocked` in the map's property \"empty\"";
            return Err(ReadError::of_whole(expected, format!("{other:?}")));
        }
    };
    let mut canvas = Canvas::new(extent)?;
    if is_row_added {
        let (left, top) = (i64::from(extent.left), i64::from(extent.top));
        canvas.void(left..left + extent.width as i64, top..top + 1);
    }
    let mut book = Book::new(&map.tilesets, kinds, load)?;
    let size = (!map.is_infinite).then_some((map.width, map.height));
    lay_all(&map.layers, &Group { is_visible: true, ..Group::default() }, size, &mut book, &mut canvas)?;
    let rules = (!matches!(map.shape, Shape::Hexes { .. })).then_some(rules);
    Ok((canvas.finish(empty_is_blocked, rules)?, extent))
}

/// Returns which columns and rows of a map become a world, and whether the first row is one that the map does not have.
pub(super) fn extent(map: &Map) -> Result<(Extent, bool), ReadError> {
    let [mut least, mut end] = [[0; 2], [i64::from(map.width), i64::from(map.height)]];
    if map.is_infinite {
        let mut chunks = Vec::new();
        all_chunks(&map.layers, &mut chunks);
        [least, end] = [[i64::MAX; 2], [i64::MIN; 2]];
        for &Chunk { x, y, width, height, .. } in chunks {
            for (side, (first, length)) in [(x, width), (y, height)].into_iter().enumerate() {
                least[side] = least[side].min(i64::from(first));
                end[side] = end[side].max(i64::from(first) + i64::from(length));
            }
        }
        if least[0] == i64::MAX {
            return Err(ReadError::of_whole("at least one chunk of tiles in an infinite map", "none"));
        }
    }
    let is_row_added = match map.shape {
        Shape::Hexes { even_are_shifted, .. } => is_shifted(least[1], even_are_shifted),
        Shape::Squares { .. } | Shape::Diamonds { .. } => false,
    };
    least[1] -= i64::from(is_row_added);
    let is_far = |&place: &i64| i32::try_from(place).is_err();
    if map.is_infinite && least.iter().chain(&end).any(is_far) {
        return Err(ReadError::of_whole("chunks in columns and rows of 32 bits", "others"));
    }
    Ok((Extent::between(least, end), is_row_added))
}

/// Returns whether a row lies half a cell further right.
pub(super) fn is_shifted(row: i64, even_are_shifted: bool) -> bool {
    (row.rem_euclid(2) == 0) == even_are_shifted
}

fn all_chunks<'a>(layers: &'a [Layer], chunks: &mut Vec<&'a Chunk>) {
    for layer in layers {
        match &layer.content {
            Content::Tiles(own) => chunks.extend(own),
            Content::Group(layers) => all_chunks(layers, chunks),
            Content::Objects(_) | Content::Other => {}
        }
    }
}

/// What a group says about the layers in it.
#[derive(Clone, Default)]
struct Group {
    is_visible: bool,
    meaning: Named,
}

/// Lays layers on the canvas, from below. If the map is not infinite, all of them have its size.
fn lay_all(
    layers: &[Layer],
    group: &Group,
    size: Option<(u32, u32)>,
    book: &mut Book,
    canvas: &mut Canvas,
) -> Result<(), ReadError> {
    for layer in layers {
        let within = |fault| layer.fault(fault);
        let own = layer.properties.meaning().map_err(within)?;
        let by_name = layer.name.eq_ignore_ascii_case(BLOCKED).then_some(true);
        let meaning = Named {
            blocked: own.blocked.or(by_name).or(group.meaning.blocked),
            weight: own.weight.or(group.meaning.weight),
            kind: own.kind.or_else(|| group.meaning.kind.clone()),
        };
        let is_visible = group.is_visible && layer.is_visible;
        match &layer.content {
            Content::Group(layers) => lay_all(layers, &Group { is_visible, meaning }, size, book, canvas)?,
            Content::Tiles(chunks) if is_visible || meaning.blocked == Some(true) => {
                let meaning = book.numbered(&meaning).map_err(within)?;
                for chunk in chunks {
                    lay(chunk, meaning, size, book, canvas).map_err(within)?;
                }
            }
            Content::Tiles(_) | Content::Objects(_) | Content::Other => {}
        }
    }
    Ok(())
}

fn lay(
    chunk: &Chunk,
    of_layer: Meaning,
    size: Option<(u32, u32)>,
    book: &mut Book,
    canvas: &mut Canvas,
) -> Result<(), ReadError> {
    let &Chunk { x, y, width, height, ref data } = chunk;
    if let Some((w, h)) = size.filter(|&size| size != (width, height)) {
        return Err(ReadError::of_whole(format!("{w} x {h} cells, as the map has"), format!("{width} x {height}")));
    }
    let numbers = data.numbers(width as usize * height as usize)?;
    let rows = numbers.chunks_exact(width.max(1) as usize);
    for (row, numbers) in (i64::from(y)..).zip(rows) {
        for (column, &number) in (i64::from(x)..).zip(numbers) {
            if number & NUMBER == 0 {
                continue;
            }
            let of_tile = book.meaning(number & NUMBER).map_err(|fault| ReadError {
                found: format!("{} at column {column}, row {row}", fault.found),
                ..fault
            })?;
            canvas.lay(column, row, of_tile.or(of_layer));
        }
    }
    Ok(())
}

/// What every tile of a map says.
struct Book<'a> {
    kinds: &'a mut KindNames,
    /// The tilesets by the number of their first tile.
    tilesets: BTreeMap<u32, TilesOf<'a>>,
    /// The meanings of tiles that have been looked up, by number.
    known: BTreeMap<u32, Meaning>,
    last: (u32, Meaning),
}

/// The tiles of a tileset, which may have been read from a file.
enum TilesOf<'a> {
    Map(&'a Tiles),
    File(Tiles, &'a str),
}

impl<'a> Book<'a> {
    fn new(tilesets: &'a [TilesetAt], kinds: &'a mut KindNames, load: &mut LoadTiles) -> Result<Book<'a>, ReadError> {
        let mut by_first = BTreeMap::new();
        for TilesetAt { line, first, tileset } in tilesets {
            let tiles = match tileset {
                Tileset::Here(tiles) => TilesOf::Map(tiles),
                Tileset::Beside(name) => {
                    let with_line = |fault: ReadError| match fault.file {
                        None => ReadError { line: *line, ..fault },
                        Some(_) => fault,
                    };
                    TilesOf::File(load(name).map_err(with_line)?, name)
                }
            };
            by_first.insert(*first, tiles);
        }
        Ok(Book { kinds, tilesets: by_first, known: BTreeMap::new(), last: (0, Meaning::default()) })
    }

    fn numbered(&mut self, named: &Named) -> Result<Meaning, ReadError> {
        named.numbered(self.kinds).map_err(|fault| of_kind(&fault))
    }

    /// Returns what the tile of this number says.
    fn meaning(&mut self, number: u32) -> Result<Meaning, ReadError> {
        if self.last.0 != number {
            let known = self.known.get(&number).copied();
            let meaning = known.map_or_else(|| self.look_up(number), Ok)?;
            self.last = (number, meaning);
        }
        Ok(self.last.1)
    }

    fn look_up(&mut self, number: u32) -> Result<Meaning, ReadError> {
        let Some((first, tiles)) = self.tilesets.range(..=number).next_back() else {
            return Err(ReadError::of_whole("a tile of a tileset", format!("tile {number}")));
        };
        let id = number - first;
        let (tiles, file) = match tiles {
            TilesOf::Map(tiles) => (*tiles, None),
            TilesOf::File(tiles, name) => (tiles, Some(*name)),
        };
        let tile = tiles.get(&id);
        let meaning = tile.map_or(Ok(Meaning::default()), |tile| {
            let named =
                tile_meaning(tile).and_then(|named| named.numbered(self.kinds).map_err(|fault| of_kind(&fault)));
            named.map_err(|fault| inside(fault, tile.line, &format!("tile {id}")))
        });
        let meaning = meaning.map_err(|fault| file.map_or(fault.clone(), |name| fault.in_file(name.as_ref())))?;
        self.known.insert(number, meaning);
        Ok(meaning)
    }
}

/// Returns what a tile says by its properties or, where they say nothing, by its class.
fn tile_meaning(tile: &Tile) -> Result<Named, ReadError> {
    let mut named = tile.properties.meaning()?;
    if tile.class.eq_ignore_ascii_case(BLOCKED) {
        named.blocked = named.blocked.or(Some(true));
    } else if named.kind.is_none() && KindNames::default().add(&tile.class).is_ok() {
        named.kind = Some(tile.class.clone());
    }
    Ok(named)
}

fn of_kind(fault: &KindNameError) -> ReadError {
    ReadError::of_whole("the name of a kind of ground", format!("another: {fault}"))
}
