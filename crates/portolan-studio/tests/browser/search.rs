//! The numbers that the page shows for a search are those that the library counts for an equal query.

use crate::bench::browse;
use portolan::probe::Stats;
use portolan::{Planner, Query, Rules, Scratch, Snapshot};
use portolan_lab::worlds::builtin;

#[test]
fn numbers_on_the_page_are_those_of_the_library() {
    browse(async |bench| {
        let page = bench.open("").await;
        let world = Snapshot::from(builtin("harbour").unwrap().grid(Rules::default()));
        let (from, to) = (page.cell("studio.scene.from").await, page.cell("studio.scene.to").await);
        for name in ["a-star", "jump-point", "rhumb", "hpa-star"] {
            page.choose("#algorithm", name).await;
            page.search().await;
            page.until(&format!("document.getElementById('results').dataset.algorithm === '{name}'")).await;
            let planner = Planner::new(&world, name).unwrap();
            let mut stats = Stats::default();
            let outcome = planner.watch(&world, Query::new(from, to), &mut Scratch::new(), &mut stats).unwrap();
            let length = outcome.route().map(|route| route.length(&world)).unwrap();
            assert_eq!(page.data("#results", "outcome").await, outcome.name(), "{name}");
            assert_eq!(page.data("#results", "length").await.parse(), Ok(length), "{name}");
            for (count, value) in [("expanded", stats.expanded), ("pushes", stats.pushes), ("pops", stats.pops)] {
                assert_eq!(page.data("#results", count).await.parse(), Ok(value), "{name}: {count}");
            }
            let cells: usize = page.read("studio.views[0].route.length / 2").await;
            assert_eq!(cells, outcome.route().unwrap().cells().len(), "{name}");
        }
    });
}

#[test]
fn another_algorithm_does_not_wait_for_a_large_planner() {
    browse(async |bench| {
        let page = bench.open("#make=noise+1500x1500+1").await;
        let seen = "studio.on('found', () => window.seen.push(studio.found?.algorithm))";
        page.js(&format!("void (window.seen = [], {seen})")).await;
        // The first planner takes seconds to build, and the page must not wait for it.
        page.js("void (studio.choose('rhumb'), studio.ask(), studio.choose('jump-point'), studio.ask())").await;
        page.until("studio.found?.algorithm === 'jump-point'").await;
        assert_eq!(page.read::<Vec<String>>("window.seen").await, ["jump-point"]);
        assert!(!page.text("#message").await.contains("given up"), "nobody gave anything up");
    });
}
