//! Golden traces: the events of every algorithm on a tiny map. A difference is a change of behaviour. If it is
//! intended, run the test with `PORTOLAN_BLESS=1`, which writes the new traces, and read what changed in the files.

use crate::worlds::draw;
use portolan::probe::{Event, Trace};
use portolan::{Planner, Query, Rules, Scratch, Snapshot, Space};
use std::fmt::Write;
use std::path::Path;

const WORLD: &str = "\
    ......#...
    ..##..#...
    ..##......
    ......##..";

fn line<S: Space>(world: &S, event: Event) -> String {
    match event {
        Event::Expand { node, g } => format!("expand {} g {g}", world.place(node)),
        Event::Generate { node } => format!("generate {}", world.place(node)),
        Event::Push { node, g, key } => format!("push {} g {g} key {key}", world.place(node)),
        Event::Pop { node } => format!("pop {}", world.place(node)),
        Event::Decrease { node } => format!("decrease {}", world.place(node)),
        Event::Reopen { node } => format!("reopen {}", world.place(node)),
        Event::Goal { cost } => format!("goal {cost}"),
        Event::Deepen { limit } => format!("deepen {limit}"),
        Event::Round { cost, least } => format!("round cost {cost} least {least}"),
        Event::Phase { phase } => format!("{phase:?}").to_lowercase(),
        other => panic!("a new event, {other:?}"),
    }
}

/// Compares what every algorithm does with the traces in a folder, which lies in `tests`.
pub(crate) fn compare<S: Space>(folder: &str, world: &Snapshot<S>, query: Query<S::Place>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    for algorithm in S::algorithms() {
        let planner = Planner::new(world, algorithm.name).expect("it suits");
        let mut trace = Trace::default();
        let outcome = planner.watch(world, query, &mut Scratch::new(), &mut trace);
        let route = outcome.expect("a sound query").route().expect("there is a way").clone();
        let mut text = String::new();
        for &event in &trace.events {
            writeln!(text, "{}", line::<S>(world, event)).expect("strings take all");
        }
        let cells: Vec<String> = route.cells().iter().map(ToString::to_string).collect();
        writeln!(text, "route {} cost {}", cells.join(" "), route.cost()).expect("strings take all");
        let path = folder.join(format!("{}.txt", algorithm.name));
        if std::env::var_os("PORTOLAN_BLESS").is_some() {
            std::fs::write(&path, &text).expect("a writable folder");
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
        assert!(text == golden, "{} differs; it now does\n{text}", path.display());
    }
}

#[test]
fn traces_are_what_they_were() {
    compare("golden", &draw(WORLD, Rules::default()), Query::new((1, 0), (9, 1)));
}
