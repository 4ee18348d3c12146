//! Tests of the study HNA* 2020 on a tiny city and a tiny mesh from a file.

use super::*;
use crate::progress::go_on;
use crate::progress::tests::stopped_at;
use crate::study::MapsError;
use portolan_mesh::CityOptions;
use serde_json::Value;

fn tiny_city() -> City {
    City { options: CityOptions::new(3, 3).unwrap(), ..CITIES[0] }
}

/// Runs the study on one tiny city and these files.
fn run(files: &[PathBuf], seed: u64, progress: &mut Progress) -> Result<Ran, StudyError> {
    let cities = [tiny_city()];
    let plan =
        Plan { cities: &cities, most_files: 1, merges: &[3, 5, 20], batches: &[50, 200], device_batches: &[400] };
    let options = Options { queries: Some(20), seed, ..Options::default() };
    measure_by(&plan, files, &options, progress)
}

fn findings(ran: Ran) -> (Findings, crate::study::document::Document) {
    let AnyFindings::Hna2020(found) = ran.measured.findings else { panic!("the wrong study") };
    (found, ran.measured.document)
}

/// Returns numbers without those that are times.
fn timeless(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let lasting = |key: &str| !["_us", "_ms"].iter().any(|end| key.ends_with(end));
            let fields = fields.into_iter().filter(|(key, _)| lasting(key));
            Value::Object(fields.map(|(key, value)| (key, timeless(value))).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(timeless).collect()),
        other => other,
    }
}

#[test]
fn a_small_run_measures_every_configuration() {
    let (found, document) = findings(run(&[], 3, &mut go_on).unwrap());
    assert_eq!((found.maps.len(), found.mismatches), (1, 0), "{:?}", found.faults);
    let map = &found.maps[0];
    assert!(map.polygons > 300 && map.sides > 3.0 && map.frame.len() == 6, "{} polygons", map.polygons);
    for (level, merges) in map.levels.iter().zip([&[3, 5, 20][..], &[3, 5], &[3, 5]]) {
        let found: Vec<usize> = level.configurations.iter().map(|row| row.merge).collect();
        assert_eq!(found, merges, "{} levels", level.levels);
        for row in &level.configurations {
            assert!(row.nodes >= 8 && row.inter_edges > 0.0 && row.inter_edges <= row.most_inter_edges, "{row:?}");
            assert_eq!(row.parallel.is_some(), level.levels == 3);
            for timed in [Some(&row.pccp), Some(&row.original), row.parallel.as_ref()].into_iter().flatten() {
                assert_eq!((timed.row.queries, timed.row.solved), (20, 20), "{timed:?}");
                assert!(timed.connect_us > 0.0 && timed.row.mean_us > 0.0, "{timed:?}");
                assert!(timed.row.ratio_mean == level.a_star.ratio_mean, "all find A*'s corridors: {timed:?}");
            }
            assert!(row.pccp_bytes > 0 && row.pccp_bytes < row.pccp.row.index_bytes, "{row:?}");
        }
    }
    let lengths = &found.lengths;
    assert_eq!((lengths.samples.len(), lengths.near.queries + lengths.far.queries), (20, 20));
    assert!(lengths.samples.is_sorted_by(|a, b| a.distance <= b.distance));
    for sample in &lengths.samples {
        assert!(sample.distance <= sample.shortest + 0.01 && sample.shortest <= sample.points + 0.01, "{sample:?}");
        assert!((sample.points - sample.original).abs() < 1e-9, "{sample:?}");
    }
    assert!(found.batches.iter().all(|row| row.batch_ms > 0.0 && row.batch_ms < 60_000.0 && row.mismatches == 0));
    let device = &found.device;
    assert_eq!(device.name.is_some(), !device.batches.is_empty(), "{:?}", device.name);
    assert!(device.batches.iter().all(|row| row.device_ms > 0.0 && row.whole_ms > 0.0 && row.mismatches == 0));
    assert!(device.batches.iter().filter(|row| row.agents == 200).count() % 3 == 0, "{:?}", device.batches);
    let sizes: Vec<usize> = found.batches.iter().map(|row| row.agents).collect();
    assert!(sizes.is_sorted() && sizes.contains(&50) && sizes.contains(&200));
    let judged: Vec<&str> =
        document.verdicts.iter().filter(|verdict| verdict.met.is_some()).map(|v| &*v.target).collect();
    assert_eq!(judged.len(), 2, "a tiny city tells nothing about times: {judged:?}");
    assert!(document.verdicts.iter().all(|verdict| verdict.met != Some(false)));
}

/// On a mesh of several weights no shortest route is known, and Polyanya takes no part.
#[test]
fn weighted_meshes_are_measured_too() {
    let folder = std::env::temp_dir().join(format!("portolan-hna-weights-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut parts = crate::mesh::tests::holed(12).to_parts();
    parts.weights.iter_mut().step_by(3).for_each(|weight| *weight = 2);
    let file = folder.join("weighted.mesh");
    portolan_formats::write_mesh(&file, &parts, portolan_formats::MeshFormat::NavMesh).unwrap();
    let ran = run(&[file], 3, &mut go_on);
    std::fs::remove_dir_all(&folder).unwrap();
    let (found, _) = findings(ran.unwrap());
    assert_eq!((found.maps[1].frame.len(), found.mismatches), (5, 0), "{:?}", found.faults);
}

#[test]
fn all_but_times_is_the_same_twice() {
    let numbers = |seed| timeless(serde_json::to_value(findings(run(&[], seed, &mut go_on).unwrap()).0).unwrap());
    let first = numbers(3);
    assert_eq!(first, numbers(3));
    assert_ne!(first, numbers(4));
}

#[test]
fn meshes_and_levels_of_a_folder_take_part() {
    let folder = std::env::temp_dir().join(format!("portolan-hna-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let missing = Maps::meshes_in(&folder);
    portolan_formats::replace_file(&folder.join("bad.mesh"), b"no mesh").unwrap();
    let level = portolan_mesh::city(CityOptions::new(1, 1).unwrap(), 5);
    portolan_formats::write_geometry(&folder.join("block.obj"), &level).unwrap();
    let files = Maps::meshes_in(&folder).unwrap().meshes;
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["bad.mesh", "block.obj"]);
    let (bad, good) = (run(&files, 3, &mut go_on).err(), run(&files[1..], 3, &mut go_on));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(missing, Err(MapsError::NoMeshes(_))));
    assert!(bad.is_some_and(|error| error.to_string().contains("bad.mesh")));
    let ran = good.unwrap();
    assert_eq!((ran.worlds, ran.unit), (2, "polygons"));
    let (found, _) = findings(ran);
    assert_eq!((found.maps[1].map.as_str(), found.maps[1].stands_for, found.mismatches), ("block.obj", None, 0));
}

#[test]
fn the_study_stops_in_every_part() {
    let mut calls = 0;
    run(&[], 3, &mut |_, _| {
        calls += 1;
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    // Not the very last call: timed work tells of itself every so many milliseconds, so that a quicker run makes fewer calls.
    for call in [1, 2, calls / 4, calls / 2, calls * 3 / 4, calls * 9 / 10] {
        let (result, told) = stopped_at(call, |progress| run(&[], 3, progress).map(|_| ()));
        assert!(matches!(result, Err(StudyError::Cancelled(_))), "call {call} of {calls}");
        assert_eq!(told.len(), call);
    }
}

#[test]
fn the_page_shows_every_figure() {
    let ran = run(&[], 3, &mut go_on).unwrap();
    let AnyFindings::Hna2020(found) = &ran.measured.findings else { panic!("the wrong study") };
    let (is_measured, is_software) = (found.device.name.is_some(), found.device.is_software);
    let page = STUDY.results_of_all(ran, 3).html();
    crate::report::tests::check_page(&page);
    for words in
        ["Figure 3.18", "Figure 3.19", "Figure 3.12", "Figure 3.14", "Table 4.1", "Figures 4.1 and 4.3", "City Island"]
    {
        assert!(page.contains(words), "no {words}");
    }
    // Two figures for each of three numbers of levels, inter-edges, lengths and one batch.
    // A graphics processor adds times and speed-ups.
    assert_eq!(page.matches("<svg").count(), if is_measured { 11 } else { 9 });
    assert_eq!(page.contains("because there is none here"), !is_measured);
    assert_eq!(page.contains("This is no graphics processor but a program on the CPU"), is_software);
    assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
}
