//! The answers that Rust gives to cases.

use portolan::any::{AnyBatchScratch, AnyPick, AnyPlanner, AnyScratch, AnyWorld};
use portolan::auto::Use;
use portolan::{
    AnswerKind, Area, Border, Cell, Corners, Cost, Directions, Edit, HexGrid, Metric, Outcome, Query, QueryError,
    Rules, Side, SquareGrid, Terrain,
};
use std::fmt::Write as _;

/// Returns a line for each query of some cases.
///
/// # Panics
/// When the text has no cases as this crate draws them.
pub fn answers(cases: &str) -> String {
    let mut told = String::new();
    let mut lines = cases.lines().peekable();
    while let Some(line) = lines.next() {
        let number = line.strip_prefix("case ").expect("a case begins here");
        let mut own = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("case ")) {
            own.push(line);
        }
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let own: Vec<Vec<String>> = own.into_iter().map(words).collect();
        let mut replay = Replay::begin(&own).unwrap_or_else(|fault| panic!("case {number}: {fault}"));
        replay.run(&own, &mut told);
    }
    told
}

/// A world and a planner between two lines of a case.
struct Replay {
    world: AnyWorld,
    planner: AnyPlanner,
    scratch: AnyScratch,
}

fn numbers(line: &[String]) -> Vec<u16> {
    line[1..].iter().map(|word| word.parse().expect("a number")).collect()
}

fn query(line: &[String]) -> Query {
    let [x, y, to_x, to_y, nearest] = numbers(line)[..] else { panic!("five numbers: {line:?}") };
    let query = Query::new((x, y), (to_x, to_y));
    if nearest == 1 { query.nearest() } else { query }
}

impl Replay {
    /// Makes the world and the planner.
    fn begin(lines: &[Vec<String>]) -> Result<Replay, Box<dyn std::error::Error>> {
        let [directions, corners, straight, diagonal, width, height] = numbers(&lines[0])[..] else {
            return Err("six numbers of a world".into());
        };
        let metric = if straight == 0 { None } else { Some(Metric::new(straight.into(), diagonal.into())?) };
        let rows = lines.iter().filter(|line| line[0] == "row");
        let weight = |row: &[String], x: usize| u8::from_str_radix(&row[1][2 * x..2 * x + 2], 16);
        let (width, height) = (usize::from(width), usize::from(height));
        let weights: Result<Vec<u8>, _> = rows.flat_map(|row| (0..width).map(move |x| weight(row, x))).collect();
        let world = if directions == 6 {
            AnyWorld::from(HexGrid::from_weights(width, height, &weights?, metric)?)
        } else {
            let directions = if directions == 4 { Directions::Four } else { Directions::Eight };
            let rules = Rules { directions, corners: Corners::NAMED[usize::from(corners)].1, metric };
            AnyWorld::from(SquareGrid::from_weights(width, height, &weights?, rules)?)
        };
        let planner = lines.iter().find(|line| line[0] == "planner").ok_or("a planner")?;
        let snapshot = world.snapshot();
        let (algorithm, settings, _) = AnyPick::parse(&planner[1..].join(" "))?.choose(&snapshot, Use::default())?;
        let planner = AnyPlanner::build(&snapshot, algorithm, settings)?;
        Ok(Replay { world, planner, scratch: AnyScratch::new() })
    }

    /// Answers the queries of a case, in turn with its edits.
    fn run(&mut self, lines: &[Vec<String>], told: &mut String) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at += 1;
            match line[0].as_str() {
                "find" => self.find(query(line), told),
                "plan" => self.plan(query(line), told),
                "many" => {
                    let count = usize::from(numbers(line)[0]);
                    let queries: Vec<Query> = lines[at..at + count].iter().map(|line| query(line)).collect();
                    at += count;
                    self.find_many(&queries, told);
                }
                "terrain" | "border" | "link" | "unlink" => {
                    self.world.apply(&[edit(line)]).expect("a sound edit");
                    self.planner.sync(&self.world).expect("it follows");
                }
                _ => {}
            }
        }
    }

    fn find(&mut self, query: Query, told: &mut String) {
        match self.planner.find(&self.world.snapshot(), query, &mut self.scratch) {
            Ok(outcome) => {
                let (cost, cells) = outcome.route().map_or((Cost(0), &[][..]), |route| (route.cost(), route.cells()));
                tell(kind(&outcome), cost, cells, told);
            }
            Err(error) => tell(of_error(&error), Cost(0), &[], told),
        }
    }

    fn plan(&mut self, query: Query, told: &mut String) {
        let world = self.world.snapshot();
        match self.planner.plan(&world, query, &mut self.scratch) {
            Ok(outcome) => {
                let (kind, mut cells) = (kind(&outcome), Vec::new());
                let mut route = outcome.into_route();
                let cost = route.as_ref().and_then(portolan::any::AnyLazyRoute::cost).unwrap_or(Cost(0));
                while let Some(leg) = route.as_mut().and_then(|route| {
                    route.next_leg(&self.planner, &world, &mut self.scratch).expect("it knows the world")
                }) {
                    cells.extend(leg);
                }
                tell(kind, cost, &cells, told);
            }
            Err(error) => tell(of_error(&error), Cost(0), &[], told),
        }
    }

    fn find_many(&mut self, queries: &[Query], told: &mut String) {
        let mut scratch = AnyBatchScratch::new(2);
        let answers =
            self.planner.find_many(&self.world.snapshot(), queries, &mut scratch).expect("it knows the world");
        for query in 0..queries.len() {
            let cells = answers.route(query);
            let cost = if cells.is_empty() { Cost(0) } else { answers.costs()[query] };
            tell(answers.kinds()[query], cost, cells, told);
        }
    }
}

fn edit(line: &[String]) -> Edit {
    let (of, area) = (numbers(line), |of: &[u16]| Area { x: of[0], y: of[1], width: of[2], height: of[3] });
    match line[0].as_str() {
        "terrain" => Edit::new(area(&of), Terrain::of_weight(of[4] as u8).with_kind(of[5] as u8)),
        "border" => {
            let border: Border = Border::NAMED[usize::from(of[5])].1;
            Edit::border(area(&of), Side::ALL[usize::from(of[4])], border)
        }
        "link" => Edit::link((of[0], of[1]), (of[2], of[3]), Cost(of[4].into()), of[5] == 1),
        _ => Edit::unlink((of[0], of[1]), (of[2], of[3]), of[4] == 1),
    }
}

fn kind<R>(outcome: &Outcome<R>) -> AnswerKind {
    match outcome {
        Outcome::Reached(_) => AnswerKind::Reached,
        Outcome::Partial(_) => AnswerKind::Partial,
        Outcome::OutOfBudget => AnswerKind::OutOfBudget,
        Outcome::TooFar => AnswerKind::TooFar,
        _ => AnswerKind::Unreachable,
    }
}

fn of_error(error: &QueryError) -> AnswerKind {
    match error {
        QueryError::OffMap { .. } => AnswerKind::OffMap,
        QueryError::StartBlocked(_) => AnswerKind::StartBlocked,
        other => panic!("{other}"),
    }
}

fn tell(kind: AnswerKind, Cost(cost): Cost, cells: &[Cell], told: &mut String) {
    write!(told, "{} {cost} {}", kind as u8, cells.len()).expect("a string takes everything");
    for cell in cells {
        write!(told, " {},{}", cell.x, cell.y).expect("a string takes everything");
    }
    told.push('\n');
}
