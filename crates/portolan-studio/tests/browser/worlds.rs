//! Worlds that come with the engine, chosen from the list.

use crate::bench::browse;
use portolan::Rules;
use portolan_lab::worlds::BUILTIN;
use serde_json::json;

#[test]
fn every_built_in_world_opens_and_shows_its_size() {
    browse(async |bench| {
        let page = bench.open("").await;
        page.panel("world").await;
        for world in BUILTIN {
            let grid = world.grid(Rules::default());
            page.choose("#worlds", &json!({ "kind": "builtin", "name": world.name }).to_string()).await;
            page.until(&format!("studio.world.name === {:?}", world.name)).await;
            let about = page.text("#world-about").await;
            assert!(about.contains(&format!("{} × {}", grid.width(), grid.height())), "{about}");
            assert!(about.replace(',', "").contains(&format!("{} free cells", grid.free_cells())), "{about}");
            let weights: Vec<u8> = page.read("Array.from(studio.scene.ground.weights)").await;
            assert!(weights == grid.to_weights(), "{}", world.name);
            assert_eq!(page.client.title().await.unwrap(), format!("{} – Portolan studio", world.name));
        }
    });
}
