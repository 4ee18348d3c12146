//! Many pages at once, and the memory that is in use after they have closed.

use crate::client::{Server, find, made, passes_alone, with_server};
use portolan_studio::frame::Parts;
use serde_json::json;

const PAGES: u16 = 200;

#[test]
fn two_hundred_pages_work_side_by_side_and_leave_nothing_behind() {
    passes_alone("crowd::rounds");
}

#[test]
#[ignore = "its memory can be told only in a process of its own, which the test above gives it"]
fn rounds() {
    with_server(async |server| {
        let after = [crowd(server).await, crowd(server).await, crowd(server).await, crowd(server).await];
        println!("resident bytes after each round: {after:?}");
        // The first round fills pools and caches, which later rounds use.
        assert!(after[3].saturating_sub(after[1]) < 8 << 20);
    });
}

/// Has all pages edit and search at once, and returns how much memory is in use after they have closed.
async fn crowd(server: &Server) -> usize {
    let mut pages = Vec::new();
    for _ in 0..PAGES {
        pages.push(server.page().await);
    }
    assert_eq!(server.sessions.count(), usize::from(PAGES));
    let mut visits = Vec::new();
    for (mut page, number) in pages.into_iter().zip(0..PAGES) {
        visits.push(tokio::spawn(async move {
            let opened = page.open(made("rooms", 96, 96, u64::from(number))).await;
            let [from, to] = opened.ends();
            let algorithm = ["hpa-star", "rhumb", "a-star", "jump-point"][usize::from(number % 4)];
            let found = page.find(algorithm, from, to, true).await;
            assert_eq!(found["outcome"], "reached", "{}", found.head);
            for stroke in 0..8 {
                let edited = page.edit(stroke, &[[number % 90, 3 * stroke as u16, 4, 3, stroke as u16 % 2]]).await;
                assert_eq!((&edited["re"], &edited["undo"]), (&json!("edited"), &json!(stroke + 1)), "{}", edited.head);
            }
            for left in (0..8).rev() {
                assert_eq!(page.ask(json!({ "do": "undo" })).await["undo"], left);
            }
            let again = page.find(algorithm, from, to, false).await;
            assert_eq!((&again["cost"], &again["built"]), (&found["cost"], &json!(false)), "{algorithm}");
        }));
    }
    for visit in visits {
        visit.await.unwrap();
    }
    server.empties().await;
    resident()
}

/// Returns the bytes of this process in memory, or 0 where that cannot be read.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).map_or(0, |pages| pages * 4096)
}

#[test]
fn a_page_that_does_not_listen_holds_up_nobody_else() {
    with_server(async |server| {
        let mut deaf = server.page().await;
        deaf.open(made("open", 600, 600, 1)).await;
        // More traces than sockets and queues have room for, none of which is ever read.
        for _ in 0..60 {
            deaf.send(find("dijkstra", [1, 1], [598, 590], true), &Parts::default()).await;
        }
        let mut page = server.page().await;
        page.builtin("harbour").await;
        for _ in 0..20 {
            assert_eq!(page.find("a-star", [36, 4], [52, 33], true).await["outcome"], "reached");
        }
        drop((deaf, page));
        server.empties().await;
    });
}
