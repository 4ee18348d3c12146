//! A level of the testbed game: a drawing ([`crate::ascii`]) whose entities make sense together. [`Level::of`] checks
//! that every key has its door, that there is a start, and that from every start the keys and doors can be reached one
//! after the other: a door is closed until its key is taken, and x comes before y and y before z.
//!
//! Not here: what agents and monsters do in a level.

use crate::ascii::{AsciiWorld, Entity, EntityKind};
use crate::error::ReadError;
use portolan::{Cell, Edit, SquareGrid, Terrain, World};

/// A world with starts, keys, doors and monsters.
#[derive(Clone)]
pub struct Level {
    /// The terrain, with all doors open.
    pub grid: SquareGrid,
    /// The start of the player, if the drawing has one.
    pub player: Option<Cell>,
    /// The start of every other character, row by row. `q` is two of them in one cell, and `r` three.
    pub npcs: Vec<Cell>,
    /// The monsters, row by row: the cell and the letter of the kind.
    pub monsters: Vec<(Cell, char)>,
    /// The keys with their doors, in the order in which they are fetched and opened.
    pub pairs: Vec<Pair>,
}

/// A key and the door that it opens.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The letter of the key, `x`, `y` or `z`.
    pub letter: char,
    /// Where the key lies.
    pub key: Cell,
    /// Where the door is.
    pub door: Cell,
}

impl Level {
    /// The letters of keys, in the order in which keys are fetched.
    const KEYS: [char; 3] = ['x', 'y', 'z'];

    /// Returns the level that a drawing shows.
    ///
    /// # Errors
    /// When a key, a door or the player is drawn twice, a key has no door or a door no key, there is no key at all,
    /// there is no start, or a key or door cannot be reached in its turn. The error has the line and column.
    pub fn of(world: AsciiWorld) -> Result<Level, ReadError> {
        let AsciiWorld { grid, entities, .. } = world;
        let mut pairs = Vec::new();
        for letter in Level::KEYS {
            let door_letter = letter.to_ascii_uppercase();
            let key = only(&entities, EntityKind::Key(letter))?;
            let door = only(&entities, EntityKind::Door(door_letter))?;
            match (key, door) {
                (Some(key), Some(door)) => pairs.push(Pair { letter, key, door }),
                (Some(key), None) => return Err(fault(key, &format!("a door {door_letter}"), "a key without it")),
                (None, Some(door)) => return Err(fault(door, &format!("a key {letter}"), "a door without it")),
                (None, None) => {}
            }
        }
        if pairs.is_empty() {
            return Err(ReadError::of_whole("a key x, y or z and its door X, Y or Z", "a world without them"));
        }
        let npcs = entities.iter().flat_map(|entity| match entity.kind {
            EntityKind::Npcs(count) => vec![entity.at; usize::from(count)],
            _ => Vec::new(),
        });
        let monsters = entities.iter().filter_map(|entity| match entity.kind {
            EntityKind::Monster(letter) => Some((entity.at, letter)),
            _ => None,
        });
        let (npcs, monsters) = (npcs.collect(), monsters.collect());
        let level = Level { player: only(&entities, EntityKind::Player)?, npcs, monsters, pairs, grid };
        level.check()?;
        Ok(level)
    }

    /// Returns the cells where agents start: those of the other characters or, if there is none, the player's.
    pub fn starts(&self) -> Vec<Cell> {
        if self.npcs.is_empty() { self.player.into_iter().collect() } else { self.npcs.clone() }
    }

    /// Returns the goals of every agent in their order: each key, then its door.
    pub fn goals(&self) -> Vec<Cell> {
        self.pairs.iter().flat_map(|pair| [pair.key, pair.door]).collect()
    }

    /// Checks that there is a start, and that every goal can be reached from every start in its turn.
    fn check(&self) -> Result<(), ReadError> {
        let mut starts = self.starts();
        if starts.is_empty() {
            return Err(ReadError::of_whole("a start o, p, q or r", "a world without one"));
        }
        starts.extend(self.player);
        let closed: Vec<Edit> = self.pairs.iter().map(|pair| Edit::new(pair.door, Terrain::BLOCKED)).collect();
        let mut world = World::from(self.grid.clone());
        world.apply(&closed).expect("doors lie on the map");
        for Pair { letter, key, door } in &self.pairs {
            for &start in &starts {
                if !world.connected(start, *key) {
                    let wanted = format!("a key {letter} that can be reached from {start} before its door opens");
                    return Err(fault(*key, &wanted, "a key that cannot"));
                }
            }
            world.apply(&[Edit::new(*door, self.grid.terrain(*door))]).expect("doors lie on the map");
            for &start in &starts {
                if !world.connected(start, *door) {
                    let wanted = format!("a door {} that can be reached from {start}", letter.to_ascii_uppercase());
                    return Err(fault(*door, &wanted, "a door that cannot"));
                }
            }
        }
        Ok(())
    }
}

/// Returns the cell of the only entity of this kind, or `None` if there is none.
fn only(entities: &[Entity], kind: EntityKind) -> Result<Option<Cell>, ReadError> {
    let mut cells = entities.iter().filter(|entity| entity.kind == kind).map(|entity| entity.at);
    match (cells.next(), cells.next()) {
        (Some(first), Some(second)) => {
            Err(fault(second, &format!("one {}", kind.letter()), &format!("a second besides that at {first}")))
        }
        (first, _) => Ok(first),
    }
}

/// Returns a fault of the entity in a cell.
fn fault(at: Cell, expected: &str, found: &str) -> ReadError {
    let (line, column) = (usize::from(at.y) + 1, usize::from(at.x) + 1);
    ReadError { line, column, ..ReadError::of_whole(expected, found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ascii;
    use portolan::Rules;

    fn of(text: &str) -> Result<Level, String> {
        Level::of(ascii::read(text.as_bytes(), Rules::default()).unwrap()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn keys_and_doors_come_in_their_order() {
        let level = of("q.xXyY.o\np.a..b..\n").unwrap();
        assert_eq!(level.npcs, [(0, 0), (0, 0), (0, 1)].map(Cell::from));
        assert_eq!(level.player, Some(Cell::new(7, 0)));
        assert_eq!(level.monsters, [(Cell::new(2, 1), 'a'), (Cell::new(5, 1), 'b')]);
        assert_eq!(level.goals(), [(2, 0), (3, 0), (4, 0), (5, 0)].map(Cell::from));
        assert_eq!(of("o.zZ").unwrap().starts(), [Cell::new(0, 0)], "a player alone is a start");
    }

    #[test]
    fn a_door_is_closed_until_its_key_is_taken() {
        assert!(of("pxXyY").is_ok());
        let early = of("pXx").err().unwrap();
        assert_eq!(
            early,
            "1:3: expected a key x that can be reached from 0,0 before its door opens, found a key that cannot"
        );
        let other = of("pxYyX").err().unwrap();
        assert!(other.starts_with("1:5: expected a door X that can be reached from 0,0"), "{other}");
        let start = of("pxXyY\nAAAA.\np...A\n").err().unwrap();
        assert!(start.starts_with("1:2: expected a key x that can be reached from 0,2"), "{start}");
        let player = of("p.xX.\nAAAAA\no....\n").err().unwrap();
        assert!(player.contains("reached from 0,2"), "{player}");
    }

    #[test]
    fn what_is_missing_or_drawn_twice_is_told() {
        for (text, message) in [
            ("p.x", "1:3: expected a door X, found a key without it"),
            ("p.\n.Y", "2:2: expected a key y, found a door without it"),
            ("p..", "expected a key x, y or z and its door X, Y or Z, found a world without them"),
            ("..xX", "expected a start o, p, q or r, found a world without one"),
            ("pxx.X", "1:3: expected one x, found a second besides that at 1,0"),
            ("oxX\no", "2:1: expected one o, found a second besides that at 0,0"),
        ] {
            assert_eq!(of(text).err().as_deref(), Some(message));
        }
    }
}
