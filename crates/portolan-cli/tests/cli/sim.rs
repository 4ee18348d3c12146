//! Test cases through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};

#[test]
fn without_a_name_the_cases_are_listed() {
    let output = portolan(&["sim"]);
    assert_eq!(output.status.code(), Some(0));
    let entries = json(&portolan(&["sim", "--json"]));
    let entries = entries.as_array().unwrap();
    assert!(entries.len() >= 8);
    for entry in entries {
        let text = stdout(&output);
        assert!(text.contains(entry["name"].as_str().unwrap()) && text.contains(entry["about"].as_str().unwrap()));
    }
    assert_eq!(portolan(&["sim", "--quiet"]).status.code(), Some(2), "there is nothing to be quiet about");
}

#[test]
fn a_case_is_told_tick_by_tick_and_the_same_every_time() {
    let tell = || portolan(&["sim", "wall-across", "--with", "hpa-star", "--no-times"]);
    let output = tell();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let golden = include_str!("../../../portolan-sim/tests/golden/wall-across.txt").replace('\r', "");
    let section = golden.split("\n\n").find(|section| section.starts_with("hpa-star\n")).unwrap();
    let about = golden.lines().next().unwrap();
    assert_eq!(text.trim_end(), format!("{about}\n{}", section.trim_end()));
    assert_eq!(text, stdout(&tell()));
}

#[test]
fn times_are_told_unless_unwanted() {
    assert!(stdout(&portolan(&["sim", "mud-ahead"])).contains(" µs of searching, "));
    let quiet = stdout(&portolan(&["sim", "mud-ahead", "--quiet", "--no-times"]));
    assert!(quiet.starts_with("arrived; tick ") && quiet.lines().count() == 1, "{quiet}");
    let timed = json(&portolan(&["sim", "mud-ahead", "--json"]));
    assert!(timed["find_us"].is_number() && timed["log"][0]["time_us"].is_number());
    let untimed = json(&portolan(&["sim", "mud-ahead", "--json", "--no-times"]));
    assert!(untimed.get("find_us").is_none() && untimed["log"][0].get("time_us").is_none());
}

#[test]
fn how_it_ends_is_the_exit_code() {
    let stopped = portolan(&["sim", "last-bridge", "--json"]);
    assert_eq!(stopped.status.code(), Some(3));
    let answer = json(&stopped);
    assert_eq!((&answer["state"], &answer["reason"]), (&"stopped".into(), &"unreachable".into()));
    assert_eq!(answer["log"].as_array().unwrap().last().unwrap()["kind"], "stopped");

    let arrived = json(&portolan(&["sim", "landslide", "--with", "auto", "--json"]));
    assert_eq!((&arrived["state"], &arrived["algorithm"]), (&"arrived".into(), &"a-star".into()));
    assert!(arrived["why"].is_string() && arrived["steps"].as_u64() > Some(50));
}

#[test]
fn a_chart_can_be_made_in_the_background() {
    let kinds = |args: &[&str]| {
        let answer = json(&portolan(&[&["sim"], args, &["--json"]].concat()));
        let log = answer["log"].as_array().unwrap();
        let kinds: Vec<String> = log.iter().map(|line| line["kind"].as_str().unwrap().to_owned()).collect();
        (kinds, answer["rebuild_us"].is_number(), answer["state"].clone())
    };
    let own = kinds(&["faster-than-rebuild"]);
    assert!(own.1 && own.0.iter().any(|kind| kind == "waits"), "{own:?}");
    let repaired = kinds(&["faster-than-rebuild", "--follow", "repair"]);
    assert!(
        !repaired.1 && repaired.0.iter().all(|kind| !["begun", "ready", "waits"].contains(&&**kind)),
        "{repaired:?}"
    );
    assert_eq!((&own.2, &repaired.2), (&"arrived".into(), &"arrived".into()));

    let tell =
        || stdout(&portolan(&["sim", "wall-across", "--with", "pra-star", "--follow", "rebuild:5", "--no-times"]));
    let text = tell();
    assert!(text.contains("   20  the next chart is begun, to be ready in 5 ticks\n"), "{text}");
    assert!(text.contains("   25  the next chart is ready: ") && text == tell(), "{text}");
    let timed = stdout(&portolan(&["sim", "wall-across", "--follow", "rebuild:5"]));
    assert!(timed.contains(" µs of making charts on other threads"), "{timed}");

    for (wrong, found) in [("rebuild", "rebuild"), ("rebuild:soon", "soon"), ("rebuild:10000001", "10000001")] {
        let output = portolan(&["sim", "wall-across", "--follow", wrong]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(said.contains(found) && said.contains("expected repair or rebuild:N"), "{said}");
    }
}

#[test]
fn cases_of_ones_own_find_the_worlds_beside_them() {
    let folder = Folder::new("sim-own");
    let (case, slow) = (folder.file("own.case"), folder.file("slow.case"));
    std::fs::write(folder.file("small.txt"), "......\n......\n......\n").unwrap();
    let text = "portolan case 1\nworld small.txt\nfrom 0,1\nto 5,1\nwith rhumb spacing=8\nat 1 block 3,1\n";
    std::fs::write(&case, text).unwrap();
    std::fs::write(&slow, text.replace("to 5,1", "to 5,1\nticks 2")).unwrap();
    let own = json(&portolan(&["sim", &case, "--json"]));
    assert_eq!((&own["algorithm"], &own["state"], &own["searches"]), (&"rhumb".into(), &"arrived".into(), &2.into()));
    let other = json(&portolan(&["sim", &case, "--with", "a-star", "--set", "landmarks=2", "--json"]));
    assert_eq!(other["algorithm"], "a-star");
    let output = portolan(&["sim", &slow, "--json"]);
    assert_eq!((output.status.code(), &json(&output)["state"]), (Some(3), &"walking".into()));
}

#[test]
fn what_cannot_be_played_is_one_clear_line() {
    let folder = Folder::new("sim-errors");
    let write = |name: &str, lines: &str| {
        let path = folder.file(name);
        std::fs::write(&path, format!("portolan case 1\n{lines}\n")).unwrap();
        path
    };
    let broken = write("broken.case", "world harbour\nfrom 1,1\nto 2;2");
    let lost = write("lost.case", "world atlantis\nfrom 1,1\nto 2,2");
    let far = write("far.case", "world harbour\nfrom 36,4\nto 99,99");
    let unsuited = write("unsuited.case", "world island\nfrom 6,16\nto 99,99\nwith jump-point");
    let wide = write("wide.case", "world harbour\nfrom 36,4\nto 52,33\nat 3 block 70,1 9x9");
    let cases: &[(&[&str], &str)] = &[
        (&["wall-acros"], "did you mean wall-across?"),
        (&["qqq"], "`portolan sim` lists them"),
        (&[&broken], "broken.case:4:4: expected a cell, such as 12,34, found '2;2'"),
        (&[&lost], "there is no built-in world \"atlantis\", and no such file beside the case"),
        (&[&far], "99,99 lies off the map, which is 72 x 36"),
        (&[&unsuited], "99,99 lies off the map, which is 66 x 30"),
        (&[&wide], "at 3: an edit of 9 x 9 cells at 70,1 does not lie on a 72 x 36 grid"),
        (&["wall-across", "--with", "astar"], "did you mean a-star?"),
        (&["wall-across", "--with", "a-star", "--set", "x=1"], "a-star has no setting \"x\""),
        (&["wall-across", "--set", "x=1"], "jump-point has no setting \"x\""),
        (&["bridge-blown", "--with", "jump-point"], "jump-point needs"),
    ];
    for (args, words) in cases {
        let output = portolan(&[&["sim"], *args].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said.starts_with("error: ") && said.contains(words), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
