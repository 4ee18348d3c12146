//! Reading a case line by line: which facts each line may state, and which facts a case must have. Not here: the
//! reading of a drawn world, which is in [`crate::ascii`].

use super::{Case, CaseWorld, With, Words};
use crate::ascii::{self, Strictness};
use crate::error::ReadError;
use crate::passages::{self, SQUARE_SIDES};
use crate::text::{Field, Fields, Line, Lines, state};
use portolan::auto::AUTO;
use portolan::generate::recipe;
use portolan::{Area, Cell, Change, Corners, Directions, Edit, Metric, Rules, SquareGrid, Terrain};

/// The words that can begin a line, for errors.
const WORDS: &str = "about, world, rules, from, to, with, replan, follow, ticks, at or map";
/// The words for what an edit does.
const VERBS: &str = "block, clear, weight, border, link or unlink";
const EDIT: &str = "a tick and what happens, such as `10 block 20,5 1x30`";

/// The facts read so far. Cells and edits are kept with their fields, because they can be checked only when the world's
/// size is known.
#[derive(Default)]
struct Facts<'a> {
    about: Option<String>,
    world: Option<CaseWorld>,
    rules: Option<Rules>,
    from: Option<(Cell, Field<'a>)>,
    to: Option<(Cell, Field<'a>)>,
    with: Option<With>,
    replan: Option<Words>,
    follow: Option<Words>,
    ticks: Option<u64>,
    edits: Vec<(u64, Edit, Field<'a>)>,
}

pub(super) fn read(bytes: &[u8], strictness: Strictness) -> Result<Case, ReadError> {
    let mut lines = Lines::new(bytes);
    lines.words(&["portolan", "case", "1"])?;
    let mut facts = Facts::default();
    let mut drawing = None;
    while let Some(line) = lines.next() {
        let Some(word) = line.fields_before_comment().next() else { continue };
        if word.text == b"map" {
            let mut fields = line.fields_before_comment().skip(1);
            fields.next().map_or(Ok(()), |extra| Err(extra.fault("end of line")))?;
            if facts.world.is_some() {
                return Err(word.fault("one world, named or drawn"));
            }
            drawing = Some((line.number, lines.rest()));
            break;
        }
        facts.learn(line, word)?;
    }
    if let Some((line, rows)) = drawing {
        let world = ascii::read_with(rows, facts.rules.unwrap_or_default(), strictness);
        // The reader of the drawing counts lines from the drawing's first line.
        let world = world.map_err(|fault| ReadError { line: fault.line + line, ..fault })?;
        facts.world = Some(CaseWorld::Drawn(Box::new(world)));
    }
    facts.case(&lines)
}

impl<'a> Facts<'a> {
    fn learn(&mut self, line: Line<'a>, word: Field<'a>) -> Result<(), ReadError> {
        let mut fields = Fields::after_word(line);
        match word.text {
            b"about" => {
                let about = line.after(word).parse(|_: &String| true, "words in UTF-8")?;
                return state(&mut self.about, about, word);
            }
            b"world" => {
                let world = world(&mut fields)?;
                state(&mut self.world, world, word)?;
            }
            b"rules" => state(&mut self.rules, rules(&mut fields)?, word)?,
            b"from" => state(&mut self.from, fields.cell()?, word)?,
            b"to" => state(&mut self.to, fields.cell()?, word)?,
            b"with" => state(&mut self.with, with(&mut fields)?, word)?,
            b"replan" => state(&mut self.replan, fields.words()?, word)?,
            b"follow" => state(&mut self.follow, fields.words()?, word)?,
            b"ticks" => state(&mut self.ticks, tick(fields.next("a number of ticks")?)?, word)?,
            b"at" => self.edits.push(edit(&mut fields)?),
            _ => return Err(word.fault(WORDS)),
        }
        fields.end()
    }

    /// Returns the case, if it is complete and all its cells and edits lie on its world.
    fn case(mut self, end: &Lines) -> Result<Case, ReadError> {
        let missing = |what: &str| end.ended(format!("a line `{what}`"));
        let (from, from_field) = self.from.ok_or_else(|| missing("from X,Y"))?;
        let (to, to_field) = self.to.ok_or_else(|| missing("to X,Y"))?;
        let world = self.world.ok_or_else(|| missing("world NAME` or `map"))?;
        let size = match &world {
            CaseWorld::Named(_) => None,
            CaseWorld::Made { width, height, .. } => Some((*width, *height)),
            CaseWorld::Drawn(world) => Some((world.grid.width(), world.grid.height())),
        };
        if let Some((width, height)) = size {
            let edits = self.edits.iter().map(|(_, edit, field)| (edit.area, *field));
            for (area, field) in [(from.into(), from_field), (to.into(), to_field)].into_iter().chain(edits) {
                let Area { x, y, width: columns, height: rows } = area;
                let within = |at: u16, cells: u16, side| usize::from(at) + usize::from(cells) <= side;
                if !within(x, columns, width) || !within(y, rows, height) {
                    return Err(field.fault(format!("a place on the {width} x {height} map")));
                }
            }
        }
        self.edits.sort_by_key(|&(tick, ..)| tick);
        Ok(Case {
            about: self.about.unwrap_or_default(),
            world,
            rules: self.rules.unwrap_or_default(),
            from,
            to,
            with: self.with.filter(|(name, _)| name != AUTO),
            replan: self.replan,
            follow: self.follow,
            ticks: self.ticks,
            edits: self.edits.into_iter().map(|(tick, edit, _)| (tick, edit)).collect(),
        })
    }
}

impl Fields<'_> {
    /// Takes all fields that are left as words, which are not looked at.
    fn words(&mut self) -> Result<Words, ReadError> {
        let words = Words::read(self.line, self.rest.as_slice());
        self.rest = Vec::new().into_iter();
        words
    }

    /// Reads all fields that are left as settings. `takes` checks the settings read so far after each of them.
    fn settings<T, E: std::fmt::Display>(
        &mut self,
        takes: impl Fn(&[(String, String)]) -> Result<T, E>,
    ) -> Result<Vec<(String, String)>, ReadError> {
        let mut settings = Vec::new();
        for field in self.rest.by_ref() {
            let text = str::from_utf8(field.text).ok().and_then(|text| text.split_once('='));
            let (key, value) = text.ok_or_else(|| field.fault("KEY=VALUE"))?;
            settings.push((key.to_owned(), value.to_owned()));
            takes(&settings).map_err(|error| field.fault(format!("another setting ({error})")))?;
        }
        Ok(settings)
    }
}

fn tick(field: Field) -> Result<u64, ReadError> {
    const { assert!(Case::MAX_TICK == 10_000_000, "the message below says so") };
    field.parse(|tick| *tick <= Case::MAX_TICK, "a whole number up to 10000000")
}

fn world(fields: &mut Fields) -> Result<CaseWorld, ReadError> {
    let name = fields.next("a world's name")?;
    let Some(size) = fields.optional() else { return Ok(CaseWorld::Named(name.name("a world's name")?)) };
    let maker = str::from_utf8(name.text).ok().and_then(recipe).ok_or_else(|| name.fault("a recipe for worlds"))?;
    let is_side = |side: &usize| (1..=SquareGrid::MAX_SIDE).contains(side);
    let sides = size.two('x').filter(|(width, height)| is_side(width) && is_side(height));
    let (width, height) = sides.ok_or_else(|| size.fault("columns and rows, such as 128x96"))?;
    let mut seed = 1;
    if fields.rest.as_slice().first().is_some_and(|field| field.text == b"seed") {
        fields.next("`seed`")?;
        seed = fields.next("a seed's number")?.parse(|_| true, "a seed's number")?;
    }
    let settings = fields.settings(|pairs| maker.settings(pairs))?;
    Ok(CaseWorld::Made { recipe: maker.name.into(), width, height, seed, settings })
}

fn rules(fields: &mut Fields) -> Result<Rules, ReadError> {
    let mut rules = Rules::default();
    let expected = "strict, no-squeeze, loose, 4, 8 or a metric such as 408/577";
    let mut next = Some(fields.next(expected)?);
    while let Some(field) = next {
        let corners = Corners::NAMED.iter().find(|(name, _)| name.as_bytes() == field.text);
        match (corners, field.text) {
            (Some(&(_, corners)), _) => rules.corners = corners,
            (None, b"4") => rules.directions = Directions::Four,
            (None, b"8") => rules.directions = Directions::Eight,
            (None, _) => {
                let (straight, diagonal) = field.two('/').ok_or_else(|| field.fault(expected))?;
                let metric = Metric::new(straight, diagonal).map_err(|error| field.fault(error.to_string()))?;
                rules.metric = Some(metric);
            }
        }
        next = fields.optional();
    }
    Ok(rules)
}

fn with(fields: &mut Fields) -> Result<With, ReadError> {
    let name = fields.next("an algorithm's name")?;
    if name.text == AUTO.as_bytes() {
        return Ok((AUTO.into(), Vec::new()));
    }
    let known = str::from_utf8(name.text).ok().and_then(portolan::algorithm);
    let algorithm = known.ok_or_else(|| name.fault("an algorithm's name"))?;
    let settings = fields.settings(|pairs| algorithm.settings(pairs))?;
    Ok((algorithm.name.into(), settings))
}

fn edit<'a>(fields: &mut Fields<'a>) -> Result<(u64, Edit, Field<'a>), ReadError> {
    let tick = tick(fields.next(EDIT)?)?;
    let verb = fields.next(VERBS)?;
    let change = match verb.text {
        b"block" => Change::Terrain(Terrain::BLOCKED),
        b"clear" => Change::Terrain(Terrain::GROUND),
        b"weight" => {
            let weight = fields.next("a weight from 1 to 255")?;
            Change::Terrain(Terrain::of_weight(weight.parse(|weight| *weight > 0, "a weight from 1 to 255")?))
        }
        b"border" => passages::border(fields, &SQUARE_SIDES)?,
        b"link" | b"unlink" => return passages::link(fields, verb.text == b"link").map(|(edit, at)| (tick, edit, at)),
        _ => return Err(verb.fault(VERBS)),
    };
    let (area, at) = fields.area()?;
    Ok((tick, Edit { area, change }, at))
}
