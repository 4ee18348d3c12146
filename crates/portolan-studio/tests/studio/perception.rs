//! The perceptual studies: the page, the walks that a page is given, and what follows from answers.

use crate::client::{Page, Reply, with_server};
use portolan_studio::frame::Parts;
use serde_json::{Value, json};

async fn trials(page: &mut Page, experiment: u8, seed: u64) -> Reply {
    page.ask(json!({ "do": "trials", "experiment": experiment, "seed": seed })).await
}

/// Returns the answers of a participant that follow from configurations.
async fn taken(page: &mut Page, name: &str, seed: u64, answer: impl Fn(u64) -> u64) -> Value {
    let staged = trials(page, 2, seed).await;
    let answers: Vec<u64> =
        staged["trials"].as_array().unwrap().iter().map(|one| answer(one["configuration"].as_u64().unwrap())).collect();
    json!({ "participant": name, "experiment": 2, "seed": seed, "answers": answers })
}

#[test]
fn the_page_is_served_under_its_name() {
    with_server(async |server| {
        let host = format!("host: localhost:{}\r\n", server.address.port());
        let page = server.get("/perception", &host).await;
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Perceptual test"), "{page}");
        assert!(page.contains("content-security-policy: default-src 'none'") && page.contains("text/html"), "{page}");
    });
}

#[test]
fn everyone_sees_the_same_walks_in_another_order() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut walks = Vec::new();
        for seed in [1, 2] {
            let staged = trials(&mut page, 1, seed).await;
            assert_eq!(staged["answers"], json!(["very little", "a bit", "quite well", "extremely well"]));
            let (cells, ends) = (staged.u16s("walks"), staged.u32s("walk-ends"));
            let shown = staged["trials"].as_array().unwrap();
            assert_eq!((shown.len(), ends.len()), (32, 32));
            let begins = std::iter::once(0).chain(ends.iter().copied());
            let mut listed: Vec<(String, Vec<u16>)> = Vec::new();
            for ((trial, from), &to) in shown.iter().zip(begins).zip(ends) {
                let walk = cells[from as usize..to as usize].to_vec();
                assert_eq!(walk.len() as u64, 2 * (trial["steps"].as_u64().unwrap() + 1));
                let environment = trial["environment"].as_u64().unwrap() as usize;
                let width = staged["environments"][environment]["width"].as_u64().unwrap() as usize;
                let weights = staged.bytes(&format!("weights{environment}"));
                assert!(walk.chunks(2).all(|at| weights[usize::from(at[1]) * width + usize::from(at[0])] == 1));
                listed.push((trial.to_string(), walk));
            }
            walks.push(listed);
        }
        assert_ne!(walks[0], walks[1]);
        for listed in &mut walks {
            listed.sort();
        }
        assert_eq!(walks[0], walks[1]);
        assert_eq!(trials(&mut page, 3, 1).await.fault(), "there are the experiments 1 and 2, not 3");
    });
}

#[test]
fn answers_are_summed_up_with_those_of_files() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut all = Vec::new();
        for seed in 0..3 {
            all.push(taken(&mut page, &format!("person {seed}"), seed, |configuration| configuration).await);
        }
        let judged = page.ask(json!({ "do": "judge", "files": [], "taken": all })).await;
        let [first, second] = [&judged["experiments"][0], &judged["experiments"][1]];
        assert_eq!((&first["judgements"], &first["independence"]), (&json!(0), &Value::Null));
        assert_eq!((&second["participants"], &second["judgements"]), (&json!(3), &json!(96)));
        assert_eq!(second["counts"], json!([[24, 0, 0, 0], [0, 24, 0, 0], [0, 0, 24, 0], [0, 0, 0, 24]]));
        assert_eq!(second["configurations"][1], json!([35, -0.8, 8]));
        let independence = &second["independence"];
        assert!(
            (independence["chi_squared"].as_f64().unwrap() - 288.0).abs() < 1e-9 && independence["degrees"] == 9,
            "{second}"
        );
        assert!(independence["p"].as_f64().unwrap() < 1e-50 && independence["least_expected"] == 6.0, "{second}");
        assert!((second["correlation"]["rho"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{second}");

        // What was saved is added again, beside a participant that is always wrong.
        let csv = judged.bytes("csv").to_vec();
        let mut parts = Parts::default();
        parts.push("file0", csv.clone());
        let wrong = taken(&mut page, "other", 9, |configuration| 3 - configuration).await;
        let more = page.ask_with(json!({ "do": "judge", "files": ["earlier.csv"], "taken": [wrong] }), &parts).await;
        assert_eq!(more["experiments"][1]["counts"][0], json!([24, 0, 0, 8]));
        assert_eq!(more["experiments"][1]["participants"], 4);
        assert!(more.bytes("csv").starts_with(&csv));
        let rho = more["experiments"][1]["correlation"]["rho"].as_f64().unwrap();
        assert!((rho - 0.5).abs() < 1e-9, "three of four agree: {rho}");
    });
}

#[test]
fn what_is_wrong_with_results_is_told_with_line_and_column() {
    with_server(async |server| {
        let mut page = server.page().await;
        let one = taken(&mut page, "Ada", 1, |_| 2).await;
        let judged = page.ask(json!({ "do": "judge", "files": [], "taken": [one] })).await;
        let text = String::from_utf8(judged.bytes("csv").to_vec()).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[4] = lines[4].rsplit_once(',').unwrap().0.to_owned() + ",7";
        let mut parts = Parts::default();
        parts.push("file0", text.clone().into_bytes());
        parts.push("file1", lines.join("\n").into_bytes());
        let fault = page.ask_with(json!({ "do": "judge", "files": ["a.csv", "b.csv"], "taken": [] }), &parts).await;
        assert!(
            fault.fault().starts_with("b.csv, line 5, column 7 (answer): \"7\", expected an answer"),
            "{}",
            fault.head
        );
        let mut parts = Parts::default();
        parts.push("file0", text.into_bytes());
        let twice = page.ask_with(json!({ "do": "judge", "files": ["a.csv"], "taken": [one] }), &parts).await;
        assert!(twice.fault().contains("\"Ada\" has answered this walk already in a.csv, line 2"), "{}", twice.head);

        let fault = page.ask(json!({ "do": "judge", "files": ["a.csv"], "taken": [] })).await;
        assert!(fault.fault().contains("file0"), "{}", fault.head);
        let many = page.ask(json!({ "do": "judge", "files": vec!["a.csv"; 25], "taken": [] })).await;
        assert!(many.fault().contains("at most 24 files"), "{}", many.head);
        let mut bad = one.clone();
        bad["participant"] = json!("  ");
        assert!(
            page.ask(json!({ "do": "judge", "files": [], "taken": [bad] })).await.fault().contains("who takes part")
        );
        let mut bad = one.clone();
        bad["answers"] = json!(vec![1; 33]);
        assert!(page.ask(json!({ "do": "judge", "files": [], "taken": [bad] })).await.fault().contains("answer 33"));
        let mut bad = one;
        bad["answers"] = json!([4]);
        assert!(
            page.ask(json!({ "do": "judge", "files": [], "taken": [bad] }))
                .await
                .fault()
                .contains("answer 1 of \"Ada\" is 4")
        );
    });
}
