//! Many pages at once, and what is left of them when they are gone.

use crate::client::{Server, made, with_server};
use serde_json::json;

const PAGES: u16 = 200;

#[test]
fn two_hundred_pages_work_side_by_side_and_leave_nothing_behind() {
    with_server(async |server| {
        let pages = [crowd(server).await, crowd(server).await, crowd(server).await];
        // The first round fills pools and caches; later ones find them there.
        let grown = pages[2].saturating_sub(pages[1]);
        assert!(grown < 32 << 20, "resident bytes after each round: {pages:?}");
    });
}

/// Has all pages edit and search at once, and says how much memory is in use after they have gone.
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
            let ends = |key: &str| [0, 1].map(|index| opened[key][index].as_u64().unwrap() as u16);
            let algorithm = ["hpa-star", "rhumb", "a-star", "jump-point"][usize::from(number % 4)];
            let found = page.find(algorithm, ends("from"), ends("to"), true).await;
            assert_eq!(found["outcome"], "reached", "{}", found.head);
            for stroke in 0..8 {
                let edited = page.edit(stroke, &[[number % 90, 3 * stroke as u16, 4, 3, stroke as u16 % 2]]).await;
                assert_eq!((&edited["re"], &edited["undo"]), (&json!("edited"), &json!(stroke + 1)), "{}", edited.head);
            }
            for left in (0..8).rev() {
                assert_eq!(page.ask(json!({ "do": "undo" })).await["undo"], left);
            }
            let again = page.find(algorithm, ends("from"), ends("to"), false).await;
            assert_eq!((&again["cost"], &again["built"]), (&found["cost"], &json!(false)), "{algorithm}");
        }));
    }
    for visit in visits {
        visit.await.unwrap();
    }
    server.empties().await;
    resident()
}

/// Bytes of this process in memory; 0 where that cannot be told.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).map_or(0, |pages| pages * 4096)
}
