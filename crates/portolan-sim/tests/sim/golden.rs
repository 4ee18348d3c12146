//! Golden logs: what happens in every shipped case, line by line, with A*, with HPA* and with the rhumb chart, or with
//! PRA* instead of the rhumb chart if the case names an algorithm. A difference is a change of behaviour. If it is
//! meant, run with `PORTOLAN_BLESS=1` to write the logs anew, and read the difference.

use crate::world_of;
use portolan::Planner;
use portolan_sim::cases::SHIPPED;
use portolan_sim::run;
use std::fmt::Write;
use std::path::Path;

#[test]
fn logs_are_what_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for shipped in SHIPPED {
        let case = shipped.case();
        let mut text = format!("{}\n", case.about);
        let third = if case.with.is_some() { "pra-star" } else { "rhumb" };
        for name in ["a-star", "hpa-star", third] {
            let world = world_of(&case);
            let planner = Planner::new(&world, name).expect("it suits");
            let run = run(&case, world, planner).expect("shipped cases fit their worlds");
            write!(text, "\n{name}\n{}", run.text()).expect("strings take all");
        }
        let path = folder.join(format!("{}.txt", shipped.name));
        if std::env::var_os("PORTOLAN_BLESS").is_some() {
            std::fs::write(&path, &text).expect("a writable folder");
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
        assert!(text == golden, "{} differs; it now says\n{text}", path.display());
    }
}
