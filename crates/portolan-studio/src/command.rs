//! The commands of a page, as `page/protocol.d.ts` describes them, and how they are read.
//!
//! Not here: carrying commands out.

mod crowd;
mod minds;
mod place;

use crate::frame::Parts;
use crate::game::Play;
use crate::perception::{Judge, Trials};
use portolan::any::AnySnapshot;
use portolan::{Cell, Corners, Directions, HexShape, Rules};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) use crowd::{MeshAgent, Muster};
pub(crate) use minds::Minds;
pub(crate) use place::Place;

/// A cell as its column and its row.
pub(crate) type Spot = [u16; 2];
/// Settings by name.
pub(crate) type Pairs = BTreeMap<String, String>;

pub(crate) fn cell([x, y]: Spot) -> Cell {
    Cell::new(x, y)
}

pub(crate) fn spot(Cell { x, y }: Cell) -> Spot {
    [x, y]
}

/// Why something that a message has cannot be used.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(pub(crate) &'static str);

/// Where a world comes from.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum WorldRef {
    Builtin {
        name: String,
    },
    Made {
        recipe: String,
        width: usize,
        height: usize,
        seed: u64,
        settings: Pairs,
        #[serde(default, skip_serializing_if = "Grid::is_square")]
        grid: Grid,
    },
    /// The navigation mesh of a city of so many blocks, made from a seed.
    City {
        columns: u16,
        rows: u16,
        seed: u64,
    },
    Map {
        name: String,
    },
    Case {
        name: String,
    },
    File {
        name: String,
    },
}

/// The cells of a world and the shape that they make. Messages about squares need not name it.
#[derive(Copy, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Grid {
    /// Columns and rows of squares.
    #[default]
    Square,
    /// Columns and rows of hexes, with every second row half a cell further to the right.
    Hex,
    /// Hexes in the shape of a hexagon, whose bounds have as many columns as rows.
    Hexagon,
}

impl Grid {
    pub(crate) fn of(world: &AnySnapshot) -> Grid {
        match world.hex().map(|grid| grid.shape()) {
            None => Grid::Square,
            Some(HexShape::Rectangle) => Grid::Hex,
            Some(HexShape::Hexagon) => Grid::Hexagon,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn is_square(&self) -> bool {
        *self == Grid::Square
    }
}

/// A world of a race: the world that the page has open, or another one.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(untagged)]
pub(crate) enum Course {
    Here(Here),
    There(WorldRef),
}

#[derive(Copy, Clone, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Here {
    Here,
}

/// Which diagonal steps past blocked cells are allowed.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CornerRule {
    Strict,
    NoSqueeze,
    Loose,
}

impl From<CornerRule> for Corners {
    fn from(rule: CornerRule) -> Corners {
        match rule {
            CornerRule::Strict => Corners::Strict,
            CornerRule::NoSqueeze => Corners::NoSqueeze,
            CornerRule::Loose => Corners::Loose,
        }
    }
}

impl From<Corners> for CornerRule {
    fn from(rule: Corners) -> CornerRule {
        match rule {
            Corners::Strict => CornerRule::Strict,
            Corners::NoSqueeze => CornerRule::NoSqueeze,
            Corners::Loose => CornerRule::Loose,
        }
    }
}

/// The number of directions in which agents step, which messages write as 4 or 8.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(try_from = "u8", into = "u8")]
pub(crate) struct Ways(pub(crate) Directions);

impl TryFrom<u8> for Ways {
    type Error = WaysError;

    fn try_from(count: u8) -> Result<Ways, WaysError> {
        match count {
            4 => Ok(Ways(Directions::Four)),
            8 => Ok(Ways(Directions::Eight)),
            _ => Err(WaysError(count)),
        }
    }
}

impl From<Ways> for u8 {
    fn from(Ways(directions): Ways) -> u8 {
        match directions {
            Directions::Four => 4,
            Directions::Eight => 8,
        }
    }
}

/// The error for a number of directions that is neither 4 nor 8.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a cell has 4 or 8 directions, not {0}")]
pub(crate) struct WaysError(u8);

/// The rules by which agents step on squares, and the agents for which meshes are built from geometry.
#[derive(Copy, Clone, PartialEq, Deserialize, Debug)]
pub(crate) struct Step {
    pub(crate) corners: CornerRule,
    pub(crate) directions: Ways,
    #[serde(default)]
    pub(crate) agent: MeshAgent,
}

impl Step {
    pub(crate) fn rules(self) -> Rules {
        Rules { directions: self.directions.0, corners: self.corners.into(), metric: None }
    }
}

/// An algorithm and its settings.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct Entrant {
    pub(crate) algorithm: String,
    pub(crate) settings: Pairs,
}

/// The fields of the command `find`.
#[derive(Clone, PartialEq, Deserialize, Debug)]
pub(crate) struct Find {
    #[serde(flatten)]
    pub(crate) with: Entrant,
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) nearest: bool,
    pub(crate) trace: bool,
}

/// When an agent looks for another route.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Replan {
    Touched,
    Any,
}

impl From<Replan> for portolan_sim::Replan {
    fn from(replan: Replan) -> portolan_sim::Replan {
        match replan {
            Replan::Touched => portolan_sim::Replan::Touched,
            Replan::Any => portolan_sim::Replan::Any,
        }
    }
}

impl From<portolan_sim::Replan> for Replan {
    fn from(replan: portolan_sim::Replan) -> Replan {
        match replan {
            portolan_sim::Replan::Touched => Replan::Touched,
            portolan_sim::Replan::Any => Replan::Any,
        }
    }
}

/// The fields of the command `sim`.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub(crate) struct Walk {
    pub(crate) panes: Vec<Entrant>,
    pub(crate) from: Spot,
    pub(crate) to: Spot,
    pub(crate) replan: Replan,
    pub(crate) case: bool,
    pub(crate) trace: bool,
}

/// The fields of the command `race`.
#[derive(Clone, PartialEq, Deserialize, Debug)]
pub(crate) struct Race {
    pub(crate) worlds: Vec<Course>,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) queries: usize,
    pub(crate) seed: u64,
    pub(crate) repeat: usize,
    pub(crate) edits: usize,
}

/// The fields of the command `study`.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub(crate) struct Study {
    pub(crate) name: String,
    pub(crate) maps: Option<String>,
    pub(crate) quick: bool,
    pub(crate) seed: u64,
}

/// The file format in which a world is saved.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SaveAs {
    Map,
    Png,
    Txt,
    Hex,
    Mesh,
}

#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Command {
    Open {
        world: WorldRef,
        #[serde(flatten)]
        step: Step,
    },
    Upload {
        name: String,
        #[serde(flatten)]
        step: Step,
    },
    Restore {
        name: String,
        width: usize,
        height: usize,
        #[serde(default)]
        grid: Grid,
        #[serde(flatten)]
        step: Step,
    },
    Edit {
        stroke: u64,
    },
    /// Shows the world as an agent of a profile sees it.
    Look {
        profile: String,
    },
    Clearance,
    Field {
        to: Spot,
    },
    Undo,
    Redo,
    Find(Find),
    Rest,
    Outline,
    Legs,
    Tree {
        port: Spot,
    },
    Save {
        #[serde(rename = "as")]
        kind: SaveAs,
    },
    Sim(Walk),
    Muster(Muster),
    March {
        count: u32,
    },
    Tick {
        count: u32,
    },
    Minds(Minds),
    Think {
        count: u32,
    },
    Play(Play),
    Turn {
        count: u32,
        /// The agent of whose latest search the answer tells the cells.
        #[serde(default)]
        searched: Option<usize>,
    },
    Steer {
        heading: usize,
        #[serde(default)]
        searched: Option<usize>,
    },
    Aim {
        to: Place,
    },
    End,
    Record {
        about: String,
    },
    Race(Race),
    Study(Study),
    Trials(Trials),
    Judge(Judge),
    Cancel {
        only: Option<Only>,
    },
}

/// The kind of command to which a `cancel` is limited.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Only {
    Find,
}

/// A command with its number and arrays.
pub(crate) struct Request {
    pub(crate) id: u64,
    pub(crate) command: Command,
    pub(crate) parts: Parts,
}

impl Request {
    /// Reads the command from the head of a message. The error comes with the number of the command that it answers,
    /// which is 0 if the head has no number.
    pub(crate) fn read(head: Value, parts: Parts) -> Result<Request, (u64, serde_json::Error)> {
        let number = head.get("id").and_then(Value::as_u64);
        let id = number.unwrap_or(0);
        if number.is_none() {
            return Err((0, serde::de::Error::custom("a command needs a number as its id")));
        }
        let command = Command::deserialize(head).map_err(|error| (id, error))?;
        Ok(Request { id, command, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(head: Value) -> Result<Command, (u64, String)> {
        Request::read(head, Parts::default())
            .map(|request| request.command)
            .map_err(|(id, error)| (id, error.to_string()))
    }

    #[test]
    fn commands_are_read_as_the_protocol_has_them() {
        let open = json!({ "id": 1, "do": "open", "world": { "kind": "builtin", "name": "harbour" }, "corners": "no-squeeze", "directions": 4 });
        let (corners, directions) = (CornerRule::NoSqueeze, Ways(Directions::Four));
        let step = Step { corners, directions, agent: MeshAgent::default() };
        assert_eq!(read(open), Ok(Command::Open { world: WorldRef::Builtin { name: "harbour".into() }, step }));
        assert_eq!(read(json!({ "id": 2, "do": "undo" })), Ok(Command::Undo));
        assert_eq!(read(json!({ "id": 2, "do": "cancel" })), Ok(Command::Cancel { only: None }));
        let only = json!({ "id": 2, "do": "cancel", "only": "find" });
        assert_eq!(read(only), Ok(Command::Cancel { only: Some(Only::Find) }));
        assert_eq!(read(json!({ "id": 2, "do": "save", "as": "png" })), Ok(Command::Save { kind: SaveAs::Png }));
        let race = json!({ "id": 3, "do": "race", "worlds": ["here", { "kind": "map", "name": "a" }], "entrants": [], "queries": 5, "seed": 1, "repeat": 1, "edits": 0 });
        let Ok(Command::Race(race)) = read(race) else { panic!("a race") };
        assert_eq!(race.worlds, [Course::Here(Here::Here), Course::There(WorldRef::Map { name: "a".into() })]);
        let find = json!({ "id": 3, "do": "find", "algorithm": "auto", "settings": {}, "from": [1, 2], "to": [3, 4], "nearest": false, "trace": true });
        assert!(
            matches!(read(find), Ok(Command::Find(find)) if find.to == Place::Cell([3, 4]) && find.with.algorithm == "auto")
        );
    }

    #[test]
    fn a_complaint_bears_the_number_of_what_it_is_about() {
        assert_eq!(read(json!({ "do": "undo" })).unwrap_err().0, 0);
        assert_eq!(read(json!({ "id": -3, "do": "undo" })).unwrap_err().0, 0);
        assert_eq!(read(json!({ "id": 9, "do": "fly" })).unwrap_err().0, 9);
        let ways = json!({ "id": 9, "do": "upload", "name": "", "corners": "loose", "directions": 6 });
        let (id, error) = read(ways).unwrap_err();
        assert!(id == 9 && error.contains("4 or 8"), "{error}");
        assert_eq!(read(json!({ "id": 9, "do": "tree", "port": [70_000, 1] })).unwrap_err().0, 9);
    }
}
