//! The lines before the rows of a drawing: which characters stand for which kinds of ground, and what lies between the cells
//! ([`crate::passages`]).
//!
//! ```text
//! kind ~ water
//! kind t forest 3
//! border east closed 1,0
//! ..~~tt
//! ```
//!
//! A line for a kind has the word `kind`, a character that means nothing else in a drawing, the name or the number of the kind, and
//! a weight, which is 1 where it is left out. Names that are built in ([`KindNames::BUILTIN`]) keep their kinds, others get the
//! next ones. Lines come in any order.
//!
//! Not here: the rows of a drawing.

use crate::error::ReadError;
use crate::passages::{self, Passages};
use crate::text::{Field, Line, Lines};
use portolan::{KindNames, Side, Terrain};
use std::collections::BTreeSet;

/// The characters that a written drawing uses for kinds, in this order.
const LETTERS: &[u8] = b"~tlmnsuvw\"^=_,;:+*%&$!?/|-<>(){}[]'`V0U\\";

/// What the lines before a drawing say.
pub(crate) struct Legend<'a> {
    /// The terrain of each character that stands for a kind.
    terrain_by_letter: [Option<Terrain>; 128],
    pub(crate) names: KindNames,
    pub(crate) passages: Passages<'a>,
}

/// Returns whether a line of text begins with one of the words of a legend and a blank.
fn is_told(text: &[u8]) -> bool {
    let words = passages::WORDS.iter().chain(&["kind"]);
    words.into_iter().any(|word| text.strip_prefix(word.as_bytes()).is_some_and(|rest| rest.starts_with(b" ")))
}

impl<'a> Legend<'a> {
    /// Returns a legend that says nothing.
    pub(crate) fn empty() -> Legend<'a> {
        Legend { terrain_by_letter: [None; 128], names: KindNames::default(), passages: Passages::default() }
    }

    /// Reads the legend at the beginning of a drawing of cells with these sides. Returns it with the rows that follow it, and how
    /// many lines it has.
    pub(crate) fn read(bytes: &'a [u8], sides: &[Side]) -> Result<(Legend<'a>, &'a [u8], usize), ReadError> {
        let mut legend = Legend::empty();
        let mut lines = Lines::new(bytes);
        let mut count = 0;
        while is_told(lines.rest()) {
            let Some(line) = lines.next() else { break };
            count += 1;
            legend.learn(line, sides)?;
        }
        // Without a legend, a byte order mark is left to the reader of the rows.
        Ok((legend, if count == 0 { bytes } else { lines.rest() }, count))
    }

    /// Returns the rows of a drawing, whatever its legend says.
    pub(crate) fn skip(bytes: &[u8]) -> &[u8] {
        let mut lines = Lines::new(bytes);
        while is_told(lines.rest()) {
            lines.next();
        }
        lines.rest()
    }

    /// Returns whether a line may begin with this word.
    pub(crate) fn has_word(word: &[u8]) -> bool {
        word == b"kind" || passages::WORDS.iter().any(|known| known.as_bytes() == word)
    }

    /// Reads a line.
    pub(crate) fn learn(&mut self, line: Line<'a>, sides: &[Side]) -> Result<(), ReadError> {
        if line.fields().next().is_some_and(|word| word.text != b"kind") {
            return self.passages.learn(line, sides);
        }
        let mut fields = line.fields().skip(1);
        let mut field = || fields.next().unwrap_or(line.end());
        let (letter, name, weight) = (field(), field(), field());
        if !field().text.is_empty() {
            return Err(line.after(weight).fault("end of line"));
        }
        self.learn_kind(letter, name, weight)
    }

    fn learn_kind(&mut self, letter: Field, name: Field, weight: Field) -> Result<(), ReadError> {
        let sole = match letter.text {
            &[sole] if LETTERS.contains(&sole) && self.terrain_by_letter[usize::from(sole)].is_none() => sole,
            _ => return Err(letter.fault("a character such as ~ or t that means nothing else in the drawing")),
        };
        let word = str::from_utf8(name.text).unwrap_or_default();
        let kind = match self.names.kind(word) {
            Some(kind) => kind,
            None => self.names.add(word).map_err(|error| name.fault(format!("the name of a kind ({error})")))?,
        };
        let weight = if weight.text.is_empty() {
            1
        } else {
            weight.parse(|weight: &u8| *weight > 0, "a weight from 1 to 255")?
        };
        self.terrain_by_letter[usize::from(sole)] = Some(Terrain::of_weight(weight).with_kind(kind));
        Ok(())
    }

    /// Returns the terrain of a character that the legend names.
    pub(crate) fn terrain(&self, letter: char) -> Option<Terrain> {
        self.terrain_by_letter.get(letter as usize).copied().flatten()
    }
}

/// The characters for the kinds of ground of a world, and the lines that say so.
pub(crate) struct Written {
    letters: Vec<(Terrain, u8)>,
    pub(crate) lines: String,
}

impl Written {
    /// Gives each kind and weight of ground in a world a character, as long as there are some. `terrain` is that of the cells.
    pub(crate) fn of(terrain: impl Iterator<Item = Terrain>, names: &KindNames) -> Written {
        let mut written = Written { letters: Vec::new(), lines: String::new() };
        let kinded = terrain.filter(|terrain| terrain.kind() != 0);
        let all: BTreeSet<(u8, u8)> = kinded.map(|terrain| (terrain.kind(), terrain.weight())).collect();
        for ((kind, weight), &letter) in all.into_iter().zip(LETTERS) {
            let weighs = if weight == 1 { String::new() } else { format!(" {weight}") };
            written.lines.extend(["kind ", &char::from(letter).to_string(), " ", &names.name(kind), &weighs, "\n"]);
            written.letters.push((Terrain::of_weight(weight).with_kind(kind), letter));
        }
        written
    }

    /// Returns how many characters there are.
    pub(crate) fn count(&self) -> usize {
        self.letters.len()
    }

    /// Returns the character for a terrain, `None` if there is none.
    pub(crate) fn letter(&self, terrain: Terrain) -> Option<u8> {
        let found = self
            .letters
            .binary_search_by_key(&(terrain.kind(), terrain.weight()), |(other, _)| (other.kind(), other.weight()));
        found.ok().map(|at| self.letters[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ascii::{AsciiWorld, DrawError, Strictness, kind_names, read, read_with, size, write, write_grid};
    use portolan::{Cell, Rules, SquareGrid};

    fn of(text: &str) -> Result<AsciiWorld, String> {
        read(text.as_bytes(), Rules::default()).map_err(|fault| fault.to_string())
    }

    fn kinds(world: &AsciiWorld) -> Vec<(u8, u8)> {
        let terrain = world.grid.cells().map(|cell| world.grid.terrain(cell));
        terrain.map(|terrain| (terrain.kind(), terrain.weight())).collect()
    }

    #[test]
    fn a_legend_names_kinds_and_comes_back() {
        let text = "kind ~ water\nkind t forest 3\nkind s lava 12\nkind : 77\n.~t2\nAs:o\n";
        let world = of(text).unwrap();
        assert_eq!(kinds(&world), [(0, 1), (3, 1), (4, 3), (0, 2), (0, 0), (9, 12), (77, 1), (0, 1)]);
        assert_eq!((world.kinds.kind("lava"), world.entities.len()), (Some(9), 1));
        assert_eq!(size(text.as_bytes()), Some((4, 2)));
        assert_eq!(kind_names(text.as_bytes()).unwrap(), world.kinds);
        let written = write(&world);
        assert!(written.starts_with("kind ~ water\nkind t forest 3\nkind l lava 12\nkind m 77\n"), "{written}");
        let again = of(&written).unwrap();
        assert_eq!((kinds(&again), &again.entities), (kinds(&world), &world.entities));
        let lenient = read_with(text.as_bytes(), Rules::default(), Strictness::Lenient).ok().unwrap();
        assert_eq!(kinds(&lenient), kinds(&world));
    }

    #[test]
    fn faults_of_a_legend_and_of_rows_after_it_are_told_by_line_and_column() {
        let letter = "a character such as ~ or t that means nothing else in the drawing";
        for (text, fault) in [
            ("kind A water\n.", format!("1:6: expected {letter}, found 'A'")),
            ("kind ~~ water\n.", format!("1:6: expected {letter}, found '~~'")),
            ("kind ~ water\nkind ~ sand\n.", format!("2:6: expected {letter}, found '~'")),
            ("kind ~ water 0\n.", "1:14: expected a weight from 1 to 255, found '0'".to_owned()),
            ("kind ~ water 3 4\n.", "1:16: expected end of line, found '4'".to_owned()),
            ("kind ~ water\n..\n.t\n", "3:2: expected".to_owned()),
            ("kind ~ water\n", "2:1: expected a row of cells, found end of file".to_owned()),
        ] {
            let found = of(text).err().unwrap();
            assert!(found.starts_with(&fault), "{text:?}: {found}");
        }
        assert!(of("kind ~ a=b\n.").err().unwrap().starts_with("1:8: expected the name of a kind"));
        assert!(of("kind ~\n.").err().unwrap().starts_with("1:7: expected the name of a kind"));
    }

    #[test]
    fn more_kinds_than_characters_are_refused_in_writing() {
        let kinds: Vec<u8> = (0..60).collect();
        let grid = SquareGrid::open(60, 1, Rules::default()).unwrap().with_kinds(&kinds).unwrap();
        let most = LETTERS.len() as u16;
        assert_eq!(write_grid(&grid), Err(DrawError::Kinds { most: LETTERS.len(), at: Cell::new(most + 1, 0) }));
    }
}
