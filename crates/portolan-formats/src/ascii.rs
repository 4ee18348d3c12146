//! The ASCII world: a drawing in a text file, with one character for each cell and one line for each row.
//!
//! | characters | meaning | terrain |
//! |---|---|---|
//! | `A` to `T` | walls of twenty looks | blocked |
//! | `#` `@` `W` | walls as other drawings and maps have them; written back as `A` | blocked |
//! | `.`, a space, `1` | ground; written back as `.` | weight 1 |
//! | `2` to `9` | heavy ground | its weight |
//! | `a` to `j` | monsters of ten kinds | weight 1 |
//! | `o` | the player | weight 1 |
//! | `p` `q` `r` | one, two or three NPCs | weight 1 |
//! | `x` `y` `z` | keys | weight 1 |
//! | `X` `Y` `Z` | the doors these keys open | weight 1 |
//!
//! Doors are ground, because the terrain says where an agent can walk at all; a program that has rules about keys may
//! close them. Shorter rows are filled up with ground on the right. A byte order mark and empty lines at the end are
//! not part of the world. Lines end in `\n` or `\r\n`.
//!
//! A character that is not in the table is an error, so that no other text is taken for a world. The format is that of
//! Moori's testbed for D* algorithms (2008), in which every other character is ground: [`Strictness::Lenient`] reads a
//! drawing by that rule. Then every character is one cell, however many bytes it has, and so is each sequence of bytes
//! that is not UTF-8.
//!
//! Lines such as `kind ~ water 3` before the first row let other characters stand for kinds of ground, and lines such as
//! `border east closed 3,4 1x5`, `link 3,4 20,7 10 both` and `floors 4 64x63` say what lies between cells and how floors lie
//! on the drawing: `legend.rs` and `passages.rs` have their words. No first row begins with one of these words and a blank.
//!
//! Not here: what monsters, keys and doors do.

use crate::error::{ReadError, room_for_weights};
use crate::legend::{Legend, Written};
use crate::passages::{self, SQUARE_SIDES};
use crate::text::{Lines, without_mark};
use portolan::any::AnySnapshot;
use portolan::{Cell, Extras, Floors, KindNames, Rules, SquareGrid};

/// The most cells of a world that may consist mostly of filled-up rows.
const PADDED_CELLS: usize = 1 << 22;
/// The most cells that a larger world may have for each byte of its file.
const CELLS_PER_BYTE: usize = 16;

/// The characters of the table, for errors.
const NAMED: &str =
    "a wall (A to T, # @ W), ground (. 1 or a space), a weight (2 to 9) or one of a to j, o to r, x to z, X to Z";

/// A terrain and the entities on it.
#[derive(Clone)]
pub struct AsciiWorld {
    /// The terrain.
    pub grid: SquareGrid,
    /// The entities that the drawing shows, row by row.
    pub entities: Vec<Entity>,
    /// The names of the kinds of ground.
    pub kinds: KindNames,
    /// How floors lie on the grid, if the file says that it shows floors.
    pub floors: Option<Floors>,
}

impl AsciiWorld {
    /// Returns a world without entities, whose kinds of ground have their built-in names.
    pub fn of(grid: SquareGrid) -> AsciiWorld {
        AsciiWorld { grid, entities: Vec::new(), kinds: KindNames::default(), floors: None }
    }
}

/// An entity in a cell.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entity {
    /// The cell.
    pub at: Cell,
    /// The kind of entity.
    pub kind: EntityKind,
}

/// The kinds of entities.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum EntityKind {
    /// A monster of the kind `a` to `j`.
    Monster(char),
    /// The player.
    Player,
    /// One, two or three non-player characters.
    Npcs(u8),
    /// The key `x`, `y` or `z`.
    Key(char),
    /// The door `X`, `Y` or `Z`, which the key of the same letter opens.
    Door(char),
    /// The look of a wall, `B` to `T`. A wall without an entity looks like `A`, so that plain worlds have none.
    Wall(char),
}

impl EntityKind {
    /// Returns the entity that a character of the drawing stands for, or `None` if it stands for terrain only.
    pub fn of(letter: char) -> Option<EntityKind> {
        Some(match letter {
            'a'..='j' => EntityKind::Monster(letter),
            'o' => EntityKind::Player,
            'p' => EntityKind::Npcs(1),
            'q' => EntityKind::Npcs(2),
            'r' => EntityKind::Npcs(3),
            'x'..='z' => EntityKind::Key(letter),
            'X'..='Z' => EntityKind::Door(letter),
            'B'..='T' => EntityKind::Wall(letter),
            _ => return None,
        })
    }

    /// Returns the character that stands for this entity.
    pub fn letter(self) -> char {
        match self {
            EntityKind::Monster(letter)
            | EntityKind::Key(letter)
            | EntityKind::Door(letter)
            | EntityKind::Wall(letter) => letter,
            EntityKind::Player => 'o',
            EntityKind::Npcs(0 | 1) => 'p',
            EntityKind::Npcs(2) => 'q',
            EntityKind::Npcs(_) => 'r',
        }
    }
}

/// How a character that is not in the table is read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Strictness {
    /// The drawing is refused, with the line and column of the character.
    #[default]
    Strict,
    /// The character is ground, as in the testbed that the format comes from.
    Lenient,
}

/// Why a world cannot be drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// There is no digit for a weight.
    #[error("a text world has weights up to 9, not the {weight} at {at}")]
    Weight {
        /// The weight.
        weight: u8,
        /// The first cell that has such a weight.
        at: Cell,
    },
    /// There are more kinds of ground, counted with their weights, than characters for them.
    #[error("a text world has characters for {most} kinds and weights of ground, and none for the one at {at}")]
    Kinds {
        /// How many characters there are.
        most: usize,
        /// The first cell that there is no character for.
        at: Cell,
    },
}

/// Reads a world with its entities, strictly.
///
/// # Errors
/// As [`read_with`].
pub fn read(bytes: &[u8], rules: Rules) -> Result<AsciiWorld, ReadError> {
    read_with(bytes, rules, Strictness::Strict)
}

/// Reads a world with its entities.
///
/// # Errors
/// When a line before the drawing is at fault, a character is not in the table and `strictness` is strict, there is no cell, a side is longer than
/// [`SquareGrid::MAX_SIDE`], there is no memory for the world, or a few long rows would make a large world of mostly
/// filled-up cells (more than four million cells and more than sixteen for each byte).
pub fn read_with(bytes: &[u8], rules: Rules, strictness: Strictness) -> Result<AsciiWorld, ReadError> {
    let (legend, drawing, lines) = Legend::read(bytes, &SQUARE_SIDES)?;
    // The rest counts lines from the drawing's first row.
    let (grid, entities) = read_drawing(&legend, drawing, rules, strictness)
        .map_err(|fault| ReadError { line: fault.line + lines, ..fault })?;
    let world = AsciiWorld { grid, entities, kinds: legend.names, floors: None };
    if legend.passages.is_empty() {
        return Ok(world);
    }
    let (laid, floors) = legend.passages.lay_on(AnySnapshot::from(world.grid))?;
    let grid = laid.square().map(|grid| SquareGrid::clone(grid)).expect("squares stay squares");
    Ok(AsciiWorld { grid, floors, ..world })
}

/// Returns the names of the kinds of ground in a drawing.
///
/// # Errors
/// When a line of the legend is not one.
pub fn kind_names(bytes: &[u8]) -> Result<KindNames, ReadError> {
    Legend::read(bytes, &SQUARE_SIDES).map(|(legend, ..)| legend.names)
}

fn read_drawing(
    legend: &Legend,
    bytes: &[u8],
    rules: Rules,
    strictness: Strictness,
) -> Result<(SquareGrid, Vec<Entity>), ReadError> {
    if strictness == Strictness::Strict {
        refuse_unnamed(bytes, legend)?;
    }
    let text = String::from_utf8_lossy(without_mark(bytes));
    let Extent { width, height, longest } = Extent::of(&text);
    let fault = |line, column, expected: &str, found: String| {
        Err(ReadError { line, column, ..ReadError::of_whole(expected, found) })
    };
    let most = SquareGrid::MAX_SIDE;
    if height == 0 {
        return fault(1, 1, "a row of cells", if bytes.is_empty() { "end of file" } else { "end of line" }.into());
    }
    if width > most {
        return fault(longest + 1, most + 1, &format!("at most {most} cells in a row"), format!("{width} cells"));
    }
    if height > most {
        return fault(most + 1, 1, &format!("at most {most} rows"), format!("{height} rows"));
    }
    if width * height > PADDED_CELLS.max(CELLS_PER_BYTE.saturating_mul(bytes.len())) {
        let found = format!("one of {width} cells among {height} mostly shorter ones");
        return fault(longest + 1, 1, "rows of about the same length", found);
    }

    let mut weights = room_for_weights(width, height, usize::MAX)?;
    weights.resize(width * height, 1);
    let mut entities = Vec::new();
    let mut kinds = Vec::new();
    for (y, (row, weights)) in rows(&text).zip(weights.chunks_exact_mut(width)).enumerate() {
        for (x, (letter, weight)) in row.chars().zip(weights).enumerate() {
            *weight = match letter {
                'A'..='T' | '#' | '@' | 'W' => 0,
                '2'..='9' => letter as u8 - b'0',
                _ => 1,
            };
            if let Some(terrain) = legend.terrain(letter) {
                *weight = terrain.weight();
                kinds.resize(width * height, 0);
                kinds[y * width + x] = terrain.kind();
            }
            let at = Cell::new(x as u16, y as u16);
            entities.extend(EntityKind::of(letter).map(|kind| Entity { at, kind }));
        }
    }
    let mut grid = SquareGrid::from_weights(width, height, &weights, rules).map_err(ReadError::of_grid)?;
    if !kinds.is_empty() {
        grid = grid.with_kinds(&kinds).map_err(ReadError::of_grid)?;
    }
    Ok((grid, entities))
}

/// Returns width and height. All rows are measured, but no world is built. They may be more than [`read`] takes. `None`
/// if there is no cell.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let Extent { width, height, .. } = Extent::of(&String::from_utf8_lossy(Legend::skip(bytes)));
    (height > 0).then_some((width, height))
}

/// Returns the rows of a drawing, without their `\n` or `\r\n`.
fn rows(drawing: &str) -> impl Iterator<Item = &str> {
    drawing.split_terminator('\n').map(|row| row.strip_suffix('\r').unwrap_or(row))
}

/// Returns whether a byte is a character of the table.
fn is_named(letter: u8) -> bool {
    matches!(letter, b'A'..=b'T' | b'W'..=b'Z' | b'#' | b'@' | b'.' | b' ' | b'1'..=b'9')
        || matches!(letter, b'a'..=b'j' | b'o'..=b'r' | b'x'..=b'z')
}

/// Returns an error for the first character that is neither in the table nor in the legend.
fn refuse_unnamed(bytes: &[u8], legend: &Legend) -> Result<(), ReadError> {
    let unnamed = Lines::new(bytes).find_map(|line| {
        let index =
            line.text.iter().position(|&letter| !is_named(letter) && legend.terrain(char::from(letter)).is_none())?;
        Some(line.character(index))
    });
    match unnamed {
        None => Ok(()),
        Some(found) => Err(ReadError { is_ground_if_lenient: true, ..found.fault(NAMED) }),
    }
}

/// The size of a drawing.
#[derive(Default)]
struct Extent {
    width: usize,
    height: usize,
    /// The longest row, counted from 0; the last one if several are equally long.
    longest: usize,
}

impl Extent {
    fn of(drawing: &str) -> Extent {
        let mut extent = Extent::default();
        for (y, row) in rows(drawing).enumerate().filter(|(_, row)| !row.is_empty()) {
            extent.height = y + 1;
            let length = row.chars().count();
            if length >= extent.width {
                (extent.width, extent.longest) = (length, y);
            }
        }
        extent
    }
}

/// Draws a world with its entities. To read it back gives the same world and entities. The characters may differ from
/// those that were read: all ground of weight 1 becomes `.`, and a wall that is no letter from `A` to `T` becomes `A`.
///
/// Where terrain and entities disagree, the terrain is drawn: a blocked cell shows only a wall, and a free cell never
/// does. Entities for which there is no character are left out. Weights over 9 are drawn as 9; [`write_grid`] refuses
/// them instead.
pub fn write(world: &AsciiWorld) -> String {
    let AsciiWorld { grid, entities, kinds, floors } = world;
    let legend = legend_of(grid, kinds);
    let mut drawing = draw(grid, &legend);
    for &Entity { at, kind } in entities {
        let fits = grid.contains(at) && grid.is_free(at) != matches!(kind, EntityKind::Wall(_));
        if fits && EntityKind::of(kind.letter()) == Some(kind) {
            drawing[usize::from(at.y) * (grid.width() + 1) + usize::from(at.x)] = kind.letter() as u8;
        }
    }
    legend.lines + &between(grid, *floors) + &into_text(drawing)
}

/// Draws a terrain without entities: `A`, `.` and digits, and the characters of a legend for kinds of ground, with the built-in
/// names or numbers for names.
///
/// # Errors
/// As [`write_named`].
pub fn write_grid(grid: &SquareGrid) -> Result<String, DrawError> {
    write_named(grid, &KindNames::default(), None)
}

/// Draws a terrain as [`write_grid`] does, with these names of kinds and these floors.
///
/// # Errors
/// When a cell weighs more than 9 and is of kind 0, or there are more kinds and weights of ground than characters.
pub fn write_named(grid: &SquareGrid, kinds: &KindNames, floors: Option<Floors>) -> Result<String, DrawError> {
    let legend = legend_of(grid, kinds);
    check(grid, &legend)?;
    Ok(legend.lines.clone() + &between(grid, floors) + &into_text(draw(grid, &legend)))
}

fn legend_of(grid: &SquareGrid, kinds: &KindNames) -> Written {
    let kinded = grid.cells().take_while(|_| grid.has_kinds());
    Written::of(kinded.map(|cell| grid.terrain(cell)), kinds)
}

/// Returns the lines for what lies between cells.
fn between(grid: &SquareGrid, floors: Option<Floors>) -> String {
    if grid.extras() == Extras::Nothing && floors.is_none() {
        return String::new();
    }
    passages::write(&AnySnapshot::from(grid.clone()), floors)
}

/// Checks that there is a character for every cell.
fn check(grid: &SquareGrid, legend: &Written) -> Result<(), DrawError> {
    if !grid.has_kinds() && grid.cells_by_weight()[10..].iter().all(|&cells| cells == 0) {
        return Ok(());
    }
    for at in grid.cells() {
        let terrain = grid.terrain(at);
        if terrain.kind() != 0 && legend.letter(terrain).is_none() {
            return Err(DrawError::Kinds { most: legend.count(), at });
        }
        if terrain.kind() == 0 && terrain.weight() > 9 {
            return Err(DrawError::Weight { weight: terrain.weight(), at });
        }
    }
    Ok(())
}

/// Returns the characters of the terrain, row by row, with `\n` after each row. Ground of a kind that the legend lacks is drawn
/// by its weight.
fn draw(grid: &SquareGrid, legend: &Written) -> Vec<u8> {
    let mut drawing = Vec::with_capacity((grid.width() + 1) * grid.height());
    for y in 0..grid.height() as u16 {
        drawing.extend((0..grid.width() as u16).map(|x| {
            let terrain = grid.terrain(Cell::new(x, y));
            legend.letter(terrain).unwrap_or(match terrain.weight() {
                0 => b'A',
                1 => b'.',
                weight => b'0' + weight.min(9),
            })
        }));
        drawing.push(b'\n');
    }
    drawing
}

fn into_text(drawing: Vec<u8>) -> String {
    String::from_utf8(drawing).expect("only ASCII was drawn")
}

#[cfg(test)]
mod tests {
    use super::EntityKind::{Door, Key, Monster, Npcs, Player, Wall};
    use super::*;

    fn of(text: &[u8]) -> AsciiWorld {
        read(text, Rules::default()).ok().unwrap()
    }

    fn fault(text: &[u8]) -> String {
        read(text, Rules::default()).err().unwrap().to_string()
    }

    fn weights(world: &AsciiWorld) -> Vec<u8> {
        world.grid.cells().map(|cell| world.grid.terrain(cell).weight()).collect()
    }

    #[test]
    fn every_letter_is_terrain_and_perhaps_an_entity() {
        let text = "ABT29.aj\nopqrxyz1\nXYZ  ..1\n#@W.....\n";
        let world = of(text.as_bytes());
        assert_eq!(weights(&world)[..8], [0, 0, 0, 2, 9, 1, 1, 1]);
        assert_eq!(weights(&world)[8..24], [1; 16]);
        assert_eq!(weights(&world)[24..], [0, 0, 0, 1, 1, 1, 1, 1]);
        let kinds: Vec<EntityKind> = world.entities.iter().map(|entity| entity.kind).collect();
        let walls_and_monsters = [Wall('B'), Wall('T'), Monster('a'), Monster('j')];
        let players = [Player, Npcs(1), Npcs(2), Npcs(3)];
        let keys_and_doors = [Key('x'), Key('y'), Key('z'), Door('X'), Door('Y'), Door('Z')];
        assert_eq!(kinds, [&walls_and_monsters[..], &players, &keys_and_doors].concat());
        assert_eq!(world.entities[1].at, Cell::new(2, 0));
        assert_eq!(world.entities[9].at, Cell::new(5, 1));
        assert_eq!(write(&world), "ABT29.aj\nopqrxyz.\nXYZ.....\nAAA.....\n");
    }

    #[test]
    fn ragged_rows_are_filled_up_with_ground() {
        let world = of(b"\xef\xbb\xbfA\r\n\r\nAAA\r\nA\n\n\n");
        assert_eq!((world.grid.width(), world.grid.height()), (3, 4));
        assert_eq!(write(&world), "A..\n...\nAAA\nA..\n");
    }

    #[test]
    fn what_the_format_does_not_name_is_told_by_line_and_column() {
        let unnamed = |line, column, found: &str| {
            format!("{line}:{column}: expected {NAMED}, found '{found}'; a lenient reading takes it for ground")
        };
        for (text, line, column, found) in [
            (&b"Hello, world\n"[..], 1, 3, "l"),
            (b"\xef\xbb\xbf..\r\n.?.\r\n", 2, 2, "?"),
            (b"A\tA", 1, 2, r"\t"),
            (b"A.\rA", 1, 3, r"\r"),
            ("..é".as_bytes(), 1, 3, "é"),
            (b"...\n\n.\xff\xfe", 3, 2, r"\xff"),
            (b"..0", 1, 3, "0"),
            (b"..\0", 1, 3, r"\x00"),
            (b"type octile\n", 1, 1, "t"),
            (b"\xef\xbb\xbf\xef\xbb\xbfA", 1, 1, r"\u{feff}"),
        ] {
            assert_eq!(fault(text), unnamed(line, column, found));
            assert!(read_with(text, Rules::default(), Strictness::Lenient).is_ok());
        }
        let is_refused = |letter: &u8| !b"\r\n".contains(letter) && read(&[*letter], Rules::default()).is_err();
        let refused: String = (0..=127_u8).filter(is_refused).map(char::from).collect();
        let letters: String = refused.chars().filter(|letter| !letter.is_control()).collect();
        assert_eq!(letters, r#"!"$%&'()*+,-/0:;<=>?UV[\]^_`klmnstuvw{|}~"#);
        assert_eq!(refused.len() - letters.len(), 31, "and every control character");
    }

    #[test]
    fn a_lenient_reading_takes_any_other_character_for_a_cell_of_ground() {
        let lenient = |text: &[u8]| write(&read_with(text, Rules::default(), Strictness::Lenient).ok().unwrap());
        assert_eq!(lenient("A█é\tA".as_bytes()), "A...A\n");
        assert_eq!(lenient(b"A\xff\xfe\x80A\0A"), "A...A.A\n");
        assert_eq!(lenient(b"#@WUVk0-5o"), "AAA.....5o\n", "the table holds all the same");
    }

    #[test]
    fn terrain_wins_over_entities() {
        let mut world = of(b"A.2");
        let kinds = [Player, Wall('B'), Npcs(3), Key('x')];
        let places = [(0, 0), (1, 0), (2, 0), (9, 9)].map(Cell::from);
        world.entities = places.into_iter().zip(kinds).map(|(at, kind)| Entity { at, kind }).collect();
        assert_eq!(write(&world), "A.r\n");
        for kind in [Npcs(0), Monster('\n'), Key('é'), Door('A')] {
            world.entities = vec![Entity { at: Cell::new(1, 0), kind }];
            assert_eq!(write(&world), "A.2\n", "{kind:?}");
        }
    }

    #[test]
    fn worlds_of_no_or_too_many_cells_are_refused() {
        assert_eq!(fault(b""), "1:1: expected a row of cells, found end of file");
        assert_eq!(fault(b"\r\n\n"), "1:1: expected a row of cells, found end of line");
        assert_eq!(
            fault(format!("A\n{}", "A".repeat(40_000)).as_bytes()),
            "2:32767: expected at most 32766 cells in a row, found 40000 cells"
        );
        assert_eq!(fault("A\n".repeat(40_000).as_bytes()), "32767:1: expected at most 32766 rows, found 40000 rows");
        assert_eq!(
            fault((".".repeat(30_000) + &"\nA".repeat(29_999)).as_bytes()),
            "1:1: expected rows of about the same length, found one of 30000 cells among 30000 mostly shorter ones"
        );
    }

    #[test]
    fn a_terrain_is_drawn_if_its_weights_have_digits() {
        let grid = |weights: &[u8]| SquareGrid::from_weights(3, 2, weights, Rules::default()).ok().unwrap();
        assert_eq!(write_grid(&grid(&[0, 1, 2, 9, 0, 1])).unwrap(), "A.2\n9A.\n");
        let heavy = grid(&[0, 1, 2, 9, 10, 1]);
        let fault = write_grid(&heavy).unwrap_err();
        assert_eq!(fault, DrawError::Weight { weight: 10, at: Cell::new(1, 1) });
        assert_eq!(fault.to_string(), "a text world has weights up to 9, not the 10 at 1,1");
        assert_eq!(write(&AsciiWorld::of(heavy)), "A.2\n99.\n");
    }
}
