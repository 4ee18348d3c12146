//! Reading the lines before the drawing of a hexagonal world: which facts they state, and which facts there must be.
//!
//! Not here: the drawing, and lines for kinds and for what lies between cells (`legend.rs`).

use super::Layout;
use crate::error::ReadError;
use crate::legend::Legend;
use crate::passages::HEX_SIDES;
use crate::text::{Field, Lines, state};
use portolan::{HexGrid, HexShape, Metric};

/// The words that can begin a line, for errors.
const WORDS: &str = "shape, width, height, radius, metric, digits, kind, border, link, floors or map";

/// What the lines before the drawing say.
pub(super) struct Header<'a> {
    pub(super) shape: HexShape,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) metric: Option<Metric>,
    pub(super) layout: Layout,
    pub(super) legend: Legend<'a>,
}

/// The facts read so far. Sizes are kept with their words, because only the shape tells whether they belong to it.
struct Facts<'a> {
    shape: Option<HexShape>,
    width: Option<(usize, Field<'a>)>,
    height: Option<(usize, Field<'a>)>,
    radius: Option<(usize, Field<'a>)>,
    metric: Option<Metric>,
    digits: Option<usize>,
    legend: Legend<'a>,
}

impl<'a> Header<'a> {
    /// Takes all lines up to `map`.
    pub(super) fn read(lines: &mut Lines<'a>) -> Result<Header<'a>, ReadError> {
        lines.words(&["portolan", "hex", "1"])?;
        let mut facts = Facts::new();
        for line in lines.by_ref() {
            let mut fields = line.fields_before_comment();
            let Some(word) = fields.next() else { continue };
            if word.text == b"map" {
                fields.next().map_or(Ok(()), |extra| Err(extra.fault("end of line")))?;
                return facts.header(word);
            }
            if Legend::has_word(word.text) {
                facts.legend.learn(line, &HEX_SIDES)?;
                continue;
            }
            let value = fields.next().unwrap_or(line.end());
            facts.learn(word, value)?;
            fields.next().map_or(Ok(()), |extra| Err(extra.fault("end of line")))?;
        }
        Err(lines.ended("a line `map`"))
    }
}

impl<'a> Facts<'a> {
    fn new() -> Facts<'a> {
        let (shape, width, height, radius, metric, digits) = (None, None, None, None, None, None);
        Facts { shape, width, height, radius, metric, digits, legend: Legend::empty() }
    }

    fn learn(&mut self, word: Field<'a>, value: Field<'a>) -> Result<(), ReadError> {
        match word.text {
            b"shape" => {
                let named = HexShape::NAMED.iter().find(|(name, _)| name.as_bytes() == value.text);
                let &(_, shape) = named.ok_or_else(|| value.fault("rectangle or hexagon"))?;
                state(&mut self.shape, shape, word)
            }
            b"width" => state(&mut self.width, (value.side()?, word), word),
            b"height" => state(&mut self.height, (value.side()?, word), word),
            b"radius" => {
                const { assert!(HexGrid::MAX_RADIUS == 16_382, "the message below says so") };
                let radius =
                    value.parse(|radius| *radius <= HexGrid::MAX_RADIUS, "a number of steps from 0 to 16382")?;
                state(&mut self.radius, (radius, word), word)
            }
            b"metric" => {
                const { assert!(Metric::MAX == 65_535, "the message below says so") };
                let step = value.parse(|_: &u32| true, "a cost from 1 to 65535")?;
                let metric = Metric::new(step, step).map_err(|_| value.fault("a cost from 1 to 65535"))?;
                state(&mut self.metric, metric, word)
            }
            b"digits" => {
                let digits = value.parse(|digits| matches!(digits, 1 | 3), "1 or 3")?;
                state(&mut self.digits, digits, word)
            }
            _ => Err(word.fault(WORDS)),
        }
    }

    /// Returns what was read, if it is complete. `map` is the word after which the drawing begins.
    fn header(self, map: Field) -> Result<Header<'a>, ReadError> {
        let missing = |what: &str| map.fault(format!("a line `{what}` before the map"));
        let shape = self.shape.ok_or_else(|| missing("shape rectangle` or `shape hexagon"))?;
        let surplus = match shape {
            HexShape::Rectangle => self.radius,
            HexShape::Hexagon => self.width.or(self.height),
        };
        if let Some((_, word)) = surplus {
            return Err(word.fault(format!("a size of a {}", shape.name())));
        }
        let (width, height) = match shape {
            HexShape::Rectangle => {
                let (width, _) = self.width.ok_or_else(|| missing("width N"))?;
                let (height, _) = self.height.ok_or_else(|| missing("height N"))?;
                (width, height)
            }
            HexShape::Hexagon => {
                let (radius, _) = self.radius.ok_or_else(|| missing("radius N"))?;
                (2 * radius + 1, 2 * radius + 1)
            }
        };
        let layout = Layout { digits: self.digits.unwrap_or(1) };
        Ok(Header { shape, width, height, metric: self.metric, layout, legend: self.legend })
    }
}
