//! Algorithms side by side, in lock step.

use crate::bench::{browse, say};
use fantoccini::key::Key;
use portolan::{Cell, Planner, Rules, World};
use portolan_lab::worlds::builtin;
use portolan_sim::{Replan, Sim};

const RACERS: [&str; 3] = ["a-star", "jump-point", "hpa-star"];

#[test]
fn three_race_to_the_end() {
    browse(async |bench| {
        let page = bench.open("").await;
        page.panel("race").await;
        page.choose("#race-panes", "3").await;
        for (i, name) in RACERS.iter().enumerate() {
            page.choose(&format!("#racer-{i}"), name).await;
        }
        page.click("#race").await;
        page.until("walk.isOn && walk.tick > 0 && walk.panes.length === 3").await;
        assert_eq!(page.js("document.querySelectorAll('#panes canvas').length").await, 3);

        // The focus is on a button, which the space key would press: a click on the world takes the focus away.
        page.drag(&[Cell::new(0, 0)]).await;
        page.press([' ']).await;
        page.until("!walk.isRunning").await;
        page.press(['.']).await;
        for (key, what) in [('g', "route"), ('t', "tree"), ('s', "states")] {
            let before: bool = page.read(&format!("studio.scene.show.{what}")).await;
            page.press([key]).await;
            page.until(&format!("studio.scene.show.{what} === {}", !before)).await;
            page.press([key]).await;
            page.until(&format!("studio.scene.show.{what} === {before}")).await;
        }
        page.press(['?']).await;
        page.until("document.getElementById('help').open").await;
        page.press([Key::Escape]).await;
        page.until("!document.getElementById('help').open").await;

        page.slide("#race-pace", 100).await;
        page.press([' ']).await;
        page.until("walk.isDone && !walk.isRunning").await;
        assert_eq!(page.data("#race-table table", "done").await, "true");
        assert!(page.read::<bool>("walk.panes.every(({ state }) => state === 'arrived')").await);

        let world = World::from(builtin("harbour").unwrap().grid(Rules::default()));
        let (from, to) = (page.cell("studio.scene.from").await, page.cell("studio.scene.to").await);
        let planners = RACERS.map(|name| Planner::new(&world, name).unwrap());
        let mut sim = Sim::new(world);
        for planner in planners {
            sim.add(planner, from, to, Replan::Touched).unwrap();
        }
        while sim.tick() {}
        assert_eq!(page.data("#race-table table", "tick").await.parse(), Ok(sim.tick_count()));
        let works: Vec<_> = sim.walkers().iter().map(portolan_sim::Walker::work).collect();
        let operations: Vec<String> =
            works.iter().map(|work| (work.pushes + work.pops + work.decreases).to_string()).collect();
        assert_eq!(page.data("#race-table table", "operations").await, operations.join(" "));
        let walked: Vec<f64> = page.read("walk.panes.map(({ work }) => work.walked)").await;
        assert_eq!(walked, works.iter().map(|work| work.length).collect::<Vec<_>>());
        let table = page.text("#race-table").await;
        for word in ["Total operations", "Mean heap size", "Inserts", "Removes"] {
            assert!(table.contains(word), "{word} is not in {table}");
        }
        for work in &works {
            assert!(table.contains(&format!("{:.2}", work.length)), "{table}");
        }
        assert!(page.read::<bool>("document.querySelector('#race-plot svg') !== null").await);

        for kind in ["tsv", "csv", "json"] {
            page.click(&format!("#race-{kind}")).await;
            let text = std::fs::read_to_string(bench.downloaded(&format!("race.{kind}")).await).unwrap();
            assert!(RACERS.iter().all(|name| text.contains(name)) && text.contains("operations"), "{text}");
            assert!(operations.iter().all(|count| text.contains(count)), "{text}");
        }
        // Running a search ends the walk.
        page.panel("search").await;
        page.click("#run").await;
        page.until("!walk.isOn && studio.views.length === 1 && studio.found !== null && player.trace.at > 0").await;
        say(format_args!("a race of three: {} operations", operations.join(", ")));
    });
}

#[test]
fn panes_go_when_a_race_is_over() {
    browse(async |bench| {
        let page = bench.open("").await;
        let panes = |count| format!("document.querySelectorAll('#panes canvas').length === {count}");
        let whole = "studio.views.every(({ canvas }) => canvas.getBoundingClientRect().width >= studio.world.width * studio.camera.scale)";
        for round in 0..3 {
            page.panel("race").await;
            page.click("#race").await;
            page.until(&format!("walk.isOn && walk.tick > 0 && {}", panes(3))).await;
            page.until(whole).await;
            if round == 0 {
                page.click("#race-end").await;
            } else if round == 1 {
                page.panel("world").await;
                page.choose("#worlds", r#"{"kind":"builtin","name":"keep"}"#).await;
                page.until("studio.world.name === 'keep'").await;
            } else {
                page.js("studio.link.drop()").await;
            }
            page.until(&format!("!walk.isOn && {} && document.body.dataset.line === 'open'", panes(1))).await;
            page.until(whole).await;
        }
    });
}
