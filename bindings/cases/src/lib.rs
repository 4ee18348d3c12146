//! Cases that every binding answers, and the answers that Rust gives: bindings are right if theirs are the same bytes.
//!
//! A case is some lines of text, which any language can read: a world, a planner, then queries and edits in turn.
//!
//! | line | what |
//! |---|---|
//! | `case N` | begins case N |
//! | `world DIRECTIONS CORNERS STRAIGHT DIAGONAL WIDTH HEIGHT` | the rules as numbers: 6 directions are hexagons; 0 and 0 let the engine choose costs |
//! | `row WEIGHTS` | the weights of a row of cells, two hexadecimal digits each |
//! | `planner NAME SETTING...` | builds a planner |
//! | `find X Y X Y NEAREST` | asks for a route; `NEAREST` is 0 or 1 |
//! | `plan X Y X Y NEAREST` | the same, leg by leg |
//! | `many COUNT` | answers the next COUNT lines, which are as `find` has them, at once |
//! | `terrain X Y WIDTH HEIGHT WEIGHT KIND` | an edit, which the planner follows; so with the next three |
//! | `border X Y WIDTH HEIGHT SIDE BORDER` | closes borders or opens them |
//! | `link X Y X Y COST BOTH` | makes a link |
//! | `unlink X Y X Y BOTH` | removes it |
//!
//! Each query is answered by one line: the outcome as a number, the cost, the number of cells, and the cells. The numbers are
//! those of [`portolan::AnswerKind`]; a start that is blocked or a place off the map is an answer, too.
//!
//! Not here: any other language.
#![deny(unsafe_code)]

mod answer;
mod draw;

pub use answer::answers;
pub use draw::cases;
