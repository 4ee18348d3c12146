//! Hierarchies: what a planner keeps, the abstract route and its legs, and the tree of a port.

use crate::bench::browse;
use crate::page::Page;
use portolan::{Cell, Planner, Rules, Snapshot};
use portolan_lab::worlds::builtin;

fn harbour() -> Snapshot {
    Snapshot::from(builtin("harbour").unwrap().grid(Rules::default()))
}

/// Searches with an algorithm and opens the panel that shows its chart.
async fn charted(page: &Page, algorithm: &str) {
    page.choose("#algorithm", algorithm).await;
    page.search().await;
    page.panel("chart").await;
    page.click("#show-chart").await;
    page.until("studio.chart.layers.length > 0 && document.getElementById('show-chart').checked").await;
}

#[test]
fn the_census_is_the_planners() {
    browse(async |bench| {
        let page = bench.open("").await;
        let world = harbour();
        charted(&page, "hpa-star").await;
        let census = Planner::new(&world, "hpa-star").unwrap().census(&world).unwrap();
        let expected: Vec<Vec<usize>> = (1..)
            .zip(&census)
            .map(|(level, one)| vec![level, one.clusters, one.nodes, one.inter_edges, one.intra_edges])
            .collect();
        let shown = "Array.from(document.querySelectorAll('#census tbody tr'), \
                     (row) => Array.from(row.cells, (cell) => Number(cell.textContent.replaceAll(',', ''))))";
        assert_eq!(page.read::<Vec<Vec<usize>>>(shown).await, expected);
        let ports: usize = page.read("studio.chart.layers[0].ports.length / 2").await;
        assert_eq!(ports, census[0].nodes, "every node is drawn");
    });
}

#[test]
fn a_route_is_refined_leg_by_leg() {
    browse(async |bench| {
        let page = bench.open("").await;
        page.choose("#algorithm", "hpa-star").await;
        page.choose("#params [data-param=direct]", "no").await;
        page.search().await;
        page.panel("chart").await;
        page.click("#legs").await;
        page.until("studio.chart.legs !== null").await;
        let legs: usize = page.read("studio.chart.legs.ends.length").await;
        assert!(legs > 1, "{legs}");
        for refined in 0..=legs {
            assert!(page.text("#legs-about").await.starts_with(&format!("{refined} of {legs} legs")));
            if refined < legs {
                page.click("#refine").await;
            }
        }
        let ends: [[u16; 2]; 2] =
            page.read("(({ cells }) => [[cells[0], cells[1]], [cells.at(-2), cells.at(-1)]])(studio.chart.legs)").await;
        assert_eq!(ends, page.read::<[[u16; 2]; 2]>("[studio.scene.from, studio.scene.to]").await);
    });
}

#[test]
fn the_tree_of_a_port_is_shown() {
    browse(async |bench| {
        let page = bench.open("").await;
        let world = harbour();
        charted(&page, "dhpa-star").await;
        let planner = Planner::new(&world, "dhpa-star").unwrap();
        let ports: Vec<[u16; 2]> = page
            .read("Array.from({ length: studio.chart.layers[0].ports.length / 2 }, (_, i) => Array.from(studio.chart.layers[0].ports.subarray(2 * i, 2 * i + 2)))")
            .await;
        let (port, steps) = ports
            .into_iter()
            .map(|[x, y]| Cell::new(x, y))
            .map(|port| (port, planner.tree(&world, port).unwrap().len()))
            .max_by_key(|(_, steps)| *steps)
            .unwrap();
        assert!(steps > 0);
        page.click("#tool-tree").await;
        page.drag(&[port]).await;
        page.until("studio.chart.tree.length > 0").await;
        assert_eq!(page.read::<usize>("studio.chart.tree.length / 4").await, steps);
    });
}
