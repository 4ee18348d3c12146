//! The perceptual test as someone takes it: by keys, by clicks, on a narrow screen, and with results from files.

use crate::bench::{Bench, browse};
use crate::page::Page;
use fantoccini::key::Key;
use serde_json::json;

const READY: &str = "document.body.dataset.stage === 'intro' && !!window.perception";

async fn open(bench: &Bench) -> Page {
    let page = bench.launch().await;
    page.visit("perception", READY).await;
    page
}

/// Answers all walks by keys, each with the number of its configuration.
async fn answer_all(page: &Page) {
    page.until("document.body.dataset.stage === 'trial'").await;
    let wanted: Vec<u8> = page.read("perception.sitting.head.trials.map(({ configuration }) => configuration)").await;
    page.press(wanted.iter().map(|configuration| char::from(b'1' + configuration))).await;
    page.until("document.body.dataset.stage === 'results' && document.querySelectorAll('.figures').length > 0").await;
}

/// Waits until the results of one experiment stand below a heading. They are drawn anew whenever answers are added.
async fn headed(page: &Page, heading: &str) {
    page.until(&format!("document.querySelector('.figures h3')?.textContent.includes('{heading}') ?? false")).await;
}

#[test]
fn a_study_is_taken_by_keys_saved_and_added_again() {
    browse(async |bench| {
        let page = open(bench).await;
        assert!(page.text("#intro").await.contains("nothing leaves this machine"));
        page.choose("#experiment", "2").await;
        page.click("#start").await;
        answer_all(&page).await;
        assert_eq!(page.data(".figures", "experiment").await, "2");
        assert_eq!(page.data(".figures", "degrees").await, "9");
        let chi: f64 = page.data(".figures", "chi").await.parse().unwrap();
        let rho: f64 = page.data(".figures", "rho").await.parse().unwrap();
        assert!((chi - 96.0).abs() < 1e-9 && rho > 0.999, "{chi} {rho}");
        let counts =
            "Array.from(document.querySelectorAll('.figures td[data-count]'), ({ dataset }) => Number(dataset.count))";
        assert_eq!(page.js(counts).await, json!([8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 8]));
        page.click("#save").await;
        let saved = bench.downloaded("perception.csv").await;
        let text = std::fs::read_to_string(&saved).unwrap();
        assert_eq!(text.lines().count(), 33, "{text}");

        // The next participant has another number, and is added to the first.
        page.click("#next").await;
        assert_eq!(page.js("document.getElementById('participant').value").await, "2");
        page.click("#start").await;
        answer_all(&page).await;
        headed(&page, "2 participants, 64 answers").await;
        page.click("#save").await;

        // Elsewhere the file is read; a broken one is told with its line and column and changes nothing.
        let other = open(bench).await;
        other.click("#to-results").await;
        other.give("#files", &saved).await;
        other.until("document.querySelectorAll('.figures').length === 1").await;
        headed(&other, "1 participant, 32 answers").await;
        let broken = bench.file("broken.csv", text.replacen(",2,1,", ",9,1,", 1));
        other.give("#files", &broken).await;
        other.until("!document.getElementById('message').hidden").await;
        let why = other.text("#message").await;
        assert!(why.contains("broken.csv, line 2, column 2 (experiment)"), "{why}");
        headed(&other, "1 participant, 32 answers").await;
        assert_eq!(other.js("perception.files.length").await, 1);
    });
}

#[test]
fn answers_are_clicked_and_taken_back() {
    browse(async |bench| {
        let page = open(bench).await;
        page.resize(390, 800).await;
        page.click("#start").await;
        page.until("document.body.dataset.stage === 'trial'").await;
        let wide = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(page.js(wide).await, json!(true));
        assert_eq!(page.text("#number").await, "Path 1 of 32");
        let drawn = "(() => { const { width, height } = document.getElementById('picture'); \
            return document.getElementById('picture').getContext('2d').getImageData(0, 0, width, height).data.join(); })()";
        let first: String = page.read(drawn).await;
        page.click("[data-answer='2']").await;
        page.until("document.getElementById('number').textContent === 'Path 2 of 32'").await;
        assert_ne!(page.read::<String>(drawn).await, first, "another path is shown");
        page.press([Key::Backspace]).await;
        page.until("document.getElementById('number').textContent === 'Path 1 of 32'").await;
        assert_eq!(page.read::<String>(drawn).await, first);
        page.press(['4', '1', '3']).await;
        page.click("#stop").await;
        page.until("document.querySelectorAll('.figures').length === 1").await;
        headed(&page, "1 participant, 3 answers").await;
        assert_eq!(page.js(wide).await, json!(true));
        // A participant takes part once.
        page.click("#save").await;
        page.click("#next").await;
        page.js("void (document.getElementById('participant').value = '1')").await;
        page.click("#start").await;
        page.until("document.getElementById('message').textContent.includes('already')").await;
    });
}
