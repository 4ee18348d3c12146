//! Tests of the study of minds on a small building.

use super::*;
use crate::progress::go_on;
use crate::progress::tests::stopped_at;
use crate::study::MapsError;
use crate::study::document::Document;
use portolan::generate::Kind;

/// Runs the study with few pairs on small worlds.
fn run(maps: Option<&Maps>, queries: usize, seed: u64, progress: &mut Progress) -> Result<Ran, StudyError> {
    let options = Options { queries: Some(queries), seed, ..Options::default() };
    measure_by(&QUICK, maps, &options, progress)
}

fn findings(ran: Ran) -> (Findings, Document) {
    let AnyFindings::Minds2020(found) = ran.measured.findings else { panic!("the wrong study") };
    (found, ran.measured.document)
}

#[test]
fn walks_shorten_as_knowledge_grows_and_full_knowledge_walks_as_a_star_does() {
    let (found, document) = findings(run(None, 120, 3, &mut go_on).unwrap());
    assert_eq!((found.maps.len(), found.lost), (1, 0));
    let levels = &found.maps[0].levels;
    assert_eq!(levels.len(), KNOWLEDGE.len() + 1);
    for level in levels {
        let walked = &level.walked;
        assert_eq!(
            (walked.walks, walked.modes.0.iter().sum::<usize>()),
            (120, (walked.length * 120.0).round() as usize)
        );
        assert!(walked.ratio >= 1.0 && walked.ratio <= walked.ratio_max, "{level:?}");
        assert!((walked.shortest - levels[0].walked.shortest).abs() < 1e-9, "all walk between the same pairs");
        // To learn ends in a hexagon of the last walk, which can be some percent of so small a world later.
        let beyond = walked.known_percent - level.knowledge;
        assert!((-0.1..12.0).contains(&beyond), "{level:?}");
    }
    let full = levels.last().unwrap();
    assert!(full.full && full.walked.ratio_max < 1.0 + 1e-12, "{full:?}");
    let judged = levels.iter().filter(|level| level.knowledge < 100.0 || level.full).map(|level| level.walked.ratio);
    assert!(judged.is_sorted_by(|a, b| a > b), "{levels:?}");
    assert_eq!(
        found.exploring.len() + found.experiment.len() + found.recall.len() + found.fading.len(),
        sweeps::count()
    );
    let judged = document.verdicts.iter().filter(|verdict| verdict.met.is_some()).count();
    assert_eq!(judged, 5, "so many walks are judged: {:?}", document.verdicts);
}

#[test]
fn memory_that_fades_is_lost_and_landmarks_last() {
    let (found, _) = findings(run(None, 10, 3, &mut go_on).unwrap());
    let known = |landmarks: bool| -> Vec<f64> {
        let own = found.fading.iter().filter(|row| row.landmarks == landmarks);
        own.map(|row| row.walked.known_percent).collect()
    };
    let [with, without] = [true, false].map(known);
    assert!(with.is_sorted_by(|a, b| a >= b) && without.is_sorted_by(|a, b| a >= b), "{with:?} {without:?}");
    assert!(without[0] > 70.0 && without.last() == Some(&0.0), "{without:?}");
    assert!(with.iter().zip(&without).all(|(with, without)| with >= without) && with[4] > without[4]);
}

#[test]
fn few_walks_are_not_judged() {
    let (_, document) = findings(run(None, 5, 3, &mut go_on).unwrap());
    let judged: Vec<&str> =
        document.verdicts.iter().filter(|verdict| verdict.met.is_some()).map(|verdict| &*verdict.target).collect();
    assert_eq!(judged.len(), 2, "arriving and full knowledge need no means: {judged:?}");
    assert!(document.verdicts.iter().all(|verdict| verdict.met != Some(false)));
}

#[test]
fn equal_seeds_give_equal_findings() {
    let numbers = |seed| serde_json::to_value(findings(run(None, 4, seed, &mut go_on).unwrap()).0).unwrap();
    let first = numbers(3);
    assert_eq!(first, numbers(3));
    assert_ne!(first, numbers(4));
}

#[test]
fn published_maps_take_part_and_those_without_ground_are_refused() {
    let folder = std::env::temp_dir().join(format!("portolan-minds-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("dao")).unwrap();
    let file = folder.join("dao/arena2.map");
    let grid = Kind::Caves.recipe();
    let settings = grid.settings::<&str, &str>(&[]).unwrap();
    let grid = portolan::generate::generate(grid, 40, 30, 1, &settings, portolan::Rules::default()).unwrap();
    portolan_formats::write_world(&file, &portolan::any::AnySnapshot::from(grid)).unwrap();
    let good = run(Some(&courses::published(&folder).unwrap()), 4, 3, &mut go_on);
    portolan_formats::replace_file(&file, b"type octile\nheight 2\nwidth 3\nmap\n@@@\n@.@\n").unwrap();
    let bad = run(Some(&courses::published(&folder).unwrap()), 4, 3, &mut go_on).err();
    std::fs::remove_dir_all(&folder).unwrap();
    let ran = good.unwrap();
    assert_eq!((ran.worlds, ran.unit), (2, "hexagons"));
    assert_eq!(findings(ran).0.maps[1].map, "arena2");
    assert!(matches!(&bad, Some(StudyError::Maps(MapsError::OneHexagon(map))) if map == "arena2"), "{bad:?}");
}

#[test]
fn the_study_stops_in_every_part() {
    let mut calls = 0;
    run(None, 4, 3, &mut |_, _| {
        calls += 1;
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    for call in [1, 2, calls / 4, calls / 2, calls * 3 / 4, calls] {
        let (result, told) = stopped_at(call, |progress| run(None, 4, 3, progress).map(|_| ()));
        assert!(matches!(result, Err(StudyError::Cancelled(_))), "call {call} of {calls}");
        assert_eq!(told.len(), call);
    }
}

#[test]
fn the_page_shows_every_figure() {
    let page = STUDY.results_of_all(run(None, 4, 3, &mut go_on).unwrap(), 3).html();
    crate::report::tests::check_page(&page);
    for figure in ["Figure 5.4", "Figure 5.6", "Figure 5.8", "Figure 5.9", "Figure 5.10", "Figure 5.11", "δ", "fades"]
    {
        assert!(page.contains(figure), "no {figure}");
    }
    // Figures 5.8, 5.9, C and fading, and the pictures.
    assert_eq!(page.matches("<svg").count(), 4 + pictures::COUNT);
    assert_eq!(page.matches("<figcaption>").count(), pictures::COUNT);
    assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
}
