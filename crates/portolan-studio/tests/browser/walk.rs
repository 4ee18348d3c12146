//! Agents on their way: test cases end as they do without a page, and agents walk around walls that are drawn in their
//! way.

use crate::bench::{Bench, browse};
use crate::page::Page;
use portolan::{Cell, Planner, World};
use portolan_lab::worlds::of_case;
use portolan_sim::cases::SHIPPED;
use std::collections::BTreeMap;

/// Sets the walk to its highest speed.
async fn hurry(page: &Page) {
    page.panel("walk").await;
    page.slide("#pace", 100).await;
}

async fn ended(page: &Page) {
    page.until("walk.isOn && walk.isDone && !walk.isRunning").await;
}

#[test]
fn every_case_ends_as_it_does_without_a_page() {
    browse(async |bench| {
        let page = bench.open("").await;
        hurry(&page).await;
        for shipped in SHIPPED {
            let (name, case) = (shipped.name, shipped.case());
            page.click(&format!("#cases [data-case={name}]")).await;
            page.until(&format!("studio.world.ref.name === {name:?} && walk.isOn")).await;
            ended(&page).await;

            let world = World::from(of_case(&case.world, None, case.rules).unwrap());
            let (algorithm, settings): (String, BTreeMap<String, String>) =
                page.read("[studio.algorithm, studio.entrant.settings]").await;
            if let Some((wanted, _)) = &case.with {
                assert_eq!(&algorithm, wanted, "{name}");
            }
            let settings: Vec<(String, String)> = settings.into_iter().collect();
            let algorithm = portolan::algorithm(&algorithm).unwrap();
            let planner = Planner::build(&world, algorithm, algorithm.settings(&settings).unwrap()).unwrap();
            let run = portolan_sim::run(&case, world, planner).unwrap();

            let (walker, work) = (run.walker(), run.walker().work());
            let shown = "#walk-state table";
            assert_eq!(page.data(shown, "state").await, walker.state().name(), "{name}");
            assert_eq!(page.data(shown, "tick").await.parse(), Ok(run.ticks()), "{name}");
            assert_eq!(page.data(shown, "searches").await.parse(), Ok(work.searches), "{name}");
            let walked = format!("Walked {:.2}", work.length);
            let text = page.text(shown).await;
            assert!(text.contains(&walked), "{name}: {walked:?} is not in {text:?}");
            assert_eq!(page.cell("walk.panes[0].at").await, walker.at(), "{name}");
            let log: Vec<(u64, String)> = page.read("walk.log.map(({ tick, text }) => [tick, text])").await;
            let expected: Vec<(u64, String)> =
                walker.log().iter().map(|entry| (entry.tick, entry.happening.to_string())).collect();
            assert!(expected.ends_with(&log) && !log.is_empty(), "{name}: {log:#?} is not {expected:#?}");
            let weights: Vec<u8> = page.read("Array.from(studio.scene.ground.weights)").await;
            assert!(weights == run.sim().world().to_weights(), "{name}: the page has seen every edit");
        }
    });
}

/// Opens an open field, ready to walk across it from left to right.
async fn on_a_field(bench: &Bench, algorithm: &str) -> Page {
    let page = bench.open(&format!("#make=open+64x48+1&from=5,24&to=58,24&with={algorithm}")).await;
    page.until("studio.scene.from[0] === 5 && studio.scene.to[0] === 58").await;
    page.panel("walk").await;
    page
}

#[test]
fn what_happened_can_be_recorded_and_played_again() {
    browse(async |bench| {
        let page = on_a_field(bench, "rhumb").await;
        page.click("#walk-step").await;
        page.click("#walk").await;
        page.until("walk.isOn && walk.tick > 2").await;
        page.js("void (studio.newStroke(), studio.edit([40, 10, 1, 28, 0]))").await;
        page.slide("#pace", 100).await;
        ended(&page).await;
        let shown = "#walk-state table";
        let end = (page.data(shown, "state").await, page.data(shown, "tick").await, page.data(shown, "searches").await);
        page.slide("#record-about", "A wall from nowhere").await;
        page.click("#record").await;
        let file = bench.downloaded(".case").await;
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("about A wall from nowhere") && text.contains("block 40,10 1x28"), "{text}");

        page.give("#file", &file).await;
        page.until("studio.world.case !== null && studio.world.ref.kind === 'file'").await;
        page.click("#play-open-case").await;
        page.until("walk.isOn").await;
        ended(&page).await;
        let again =
            (page.data(shown, "state").await, page.data(shown, "tick").await, page.data(shown, "searches").await);
        assert_eq!(again, end);
    });
}

#[test]
fn a_wall_drawn_in_the_way_is_walked_around() {
    browse(async |bench| {
        let page = on_a_field(bench, "hpa-star").await;
        page.click("#walk").await;
        page.until("walk.isOn && walk.tick > 2").await;
        page.click("#walk").await;
        page.until("!walk.isRunning && document.getElementById('walk').textContent === 'Go on'").await;
        page.click("#tool-brush").await;
        page.drag(&[Cell::new(45, 10), Cell::new(45, 24), Cell::new(45, 38)]).await;
        page.until("studio.undo === 1").await;
        page.slide("#pace", 100).await;
        page.click("#walk").await;
        ended(&page).await;
        assert_eq!(page.data("#walk-state table", "state").await, "arrived");
        let searches: u32 = page.data("#walk-state table", "searches").await.parse().unwrap();
        assert!(searches > 1, "it thought again");
        assert!(page.text("#log").await.contains("takes another way"));

        page.click("#walk-end").await;
        page.until("!walk.isOn && studio.views[0].agent === null").await;
        page.finds("searches go on where walks ended").await;
    });
}
