//! The memory that all pages share: how much it is, and which error a page gets that asks for more.

use crate::client::{Page, config, find, made, passes_alone, with_config};
use portolan_studio::Config;
use portolan_studio::frame::Parts;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

/// Opens a world of a million cells and returns its start and its goal.
async fn large(page: &mut Page, recipe: &str) -> [[u16; 2]; 2] {
    let opened = page.open(made(recipe, 1000, 1000, 1)).await;
    opened.ends()
}

#[test]
fn who_asks_for_too_much_is_told_and_keeps_what_there_is() {
    with_config(Config { memory: 128 * MIB, ..config() }, async |server| {
        let (mut first, catalogue) = server.greeted().await;
        assert_eq!(catalogue["limits"]["memory"], 128 * MIB);
        let [from, to] = large(&mut first, "noise").await;
        assert_eq!(first.find("rhumb", from, to, false).await["outcome"], "reached");

        let mut second = server.page().await;
        let [from, to] = large(&mut second, "noise").await;
        let refused = second.find("rhumb", from, to, false).await;
        assert!(refused.fault().contains("close another page"), "{}", refused.head);
        let panes = json!([{ "algorithm": "dhpa-star", "settings": {} }]);
        let sim = json!({ "do": "sim", "panes": panes, "from": from, "to": to, "replan": "any", "case": false, "trace": true });
        assert!(second.ask(sim).await.fault().contains("close another page"));
        let race = json!({ "do": "race", "worlds": ["here"], "entrants": panes, "queries": 1, "seed": 1, "repeat": 1, "edits": 0 });
        assert!(second.ask(race).await.fault().contains("close another page"));
        let world = made("open", 2048, 2048, 1);
        let open = json!({ "do": "open", "world": world, "corners": "strict", "directions": 8 });
        assert!(second.ask(open).await.fault().contains("choose a smaller world"));
        // The page still has its world, and smaller requests succeed.
        assert_eq!(second.edit(1, &[[1, 1, 5, 5, 0]]).await["undo"], 1);
        assert_eq!(second.find("a-star", from, to, false).await["outcome"], "reached");

        drop(first);
        wait(async || server.sessions.count() == 1).await;
        assert_eq!(second.find("rhumb", from, to, false).await["outcome"], "reached");
        assert_eq!(second.ask(json!({ "do": "undo" })).await["undo"], 0);
        // A planner that replaces another needs no memory beside it.
        assert_eq!(second.find("jump-graph", from, to, false).await["outcome"], "reached");
        assert_eq!(second.find("rhumb", from, to, false).await["outcome"], "reached");
    });
}

/// Waits until `is_true` returns true.
async fn wait(is_true: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !is_true().await {
        assert!(start.elapsed() < Duration::from_mins(1), "it takes too long");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn pages_that_take_all_they_can_stay_within_the_memory_there_is() {
    passes_alone("memory::greed");
}

/// The memory that pages may take, and how much more the whole process may take: the program, threads, sockets, and
/// what the allocator keeps.
const MEMORY: usize = 192 * MIB;
const MARGIN: usize = 96 * MIB;

#[test]
#[ignore = "its memory can be told only in a process of its own, which the test above gives it"]
fn greed() {
    with_config(Config { memory: MEMORY, ..config() }, async |server| {
        let mut last = server.page().await;
        let [from, to] = large(&mut last, "open").await;
        let asked = find("dijkstra", from, to, true);
        let mut deaf = Vec::new();
        for _ in 0..8 {
            let mut page = server.page().await;
            page.open(made("open", 1000, 1000, 1)).await;
            deaf.push(page);
        }
        // Traces of millions of events that no page reads, more of them than may wait to be sent.
        for page in &mut deaf {
            for _ in 0..6 {
                page.send(asked.clone(), &Parts::default()).await;
            }
        }
        let start = Instant::now();
        let refused = loop {
            let answer = last.ask(asked.clone()).await;
            if answer["re"] == "error" {
                break answer;
            }
            assert!(start.elapsed() < Duration::from_mins(1), "there is room for everything");
        };
        assert!(refused.fault().contains("close another page"), "{}", refused.head);
        drop(deaf);
        wait(async || server.sessions.count() == 1).await;
        let answer: Value = last.ask(asked).await.head;
        assert_eq!(answer["outcome"], "reached", "{answer}");
    });
    println!("{} MiB at most", peak() / MIB);
    assert!(peak() < MEMORY + MARGIN);
}

/// Returns the most bytes that this process has had in memory, or 0 where that cannot be read.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).map_or(0, |kib| kib << 10)
}
