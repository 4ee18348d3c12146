//! Races over many queries and studies, started from the page, and their reports.

use crate::bench::browse;

#[test]
fn a_race_ends_in_a_report_and_a_study_can_be_given_up() {
    browse(async |bench| {
        let page = bench.open("").await;
        page.panel("lab").await;
        page.slide("#lab-queries", 4).await;
        page.slide("#lab-repeat", 1).await;
        page.click("#lab-race").await;
        page.until("document.querySelectorAll('#lab-results [data-report]').length === 1").await;
        page.click("#lab-results .look").await;
        page.until("document.querySelector('dialog.report')?.open === true").await;
        page.client.enter_frame(0).await.unwrap();
        page.until("document.querySelectorAll('table, svg').length > 1 && document.styleSheets.length > 0").await;
        page.client.enter_parent_frame().await.unwrap();
        page.click("dialog.report button").await;
        page.until("document.querySelector('dialog.report') === null").await;

        let wide =
            "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.getElementById('panel-lab'))";
        assert_eq!(page.js(wide).await, false, "reports and their buttons fit into the panel");

        page.click("#study-quick").await;
        page.click("#lab-study").await;
        page.until("!document.getElementById('lab-under').hidden").await;
        page.click("#lab-cancel").await;
        page.until("document.getElementById('lab-under').hidden").await;
        page.finds("and everything goes on").await;
    });
}
