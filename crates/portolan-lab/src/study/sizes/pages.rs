//! The findings of the study of sizes for people: a table and two figures for each kind of world, exponents, verdicts.

use super::{Findings, SizeRow, by_algorithm};
use crate::report::figure::{Figure, Shape};
use crate::report::{Scale, Series};
use crate::study::document::{Document, Section, Verdict};
use crate::table::{Table, bytes, grouped, micros};

pub(super) fn document(found: &Findings) -> Document {
    let mut recipes: Vec<&'static str> = found.rows.iter().map(|row| row.recipe).collect();
    recipes.dedup();
    let sections = recipes.into_iter().map(|recipe| world(found, recipe)).chain([growth(found)]).collect();
    Document { sections, verdicts: verdicts(found) }
}

fn world(found: &Findings, recipe: &str) -> Section {
    let heading = ["side", "algorithm", "build ms", "index", "mean µs", "first step", "too long %", "worst %"];
    let mut table = Table::new(&heading).left(1);
    for row in found.rows.iter().filter(|row| row.recipe == recipe) {
        table.push(vec![
            row.side.to_string(),
            row.algorithm.to_owned(),
            if row.build_ms < 1000.0 { format!("{:.1}", row.build_ms) } else { grouped(row.build_ms) },
            bytes(row.bytes),
            micros(row.mean_us),
            micros(row.first_step_us),
            format!("{:.3}", row.error_percent),
            format!("{:.2}", row.worst_percent),
        ]);
    }
    let figure = |title: String, value: fn(&SizeRow) -> f64| {
        let of_recipe = by_algorithm(&found.rows).into_iter().filter(|group| group[0].recipe == recipe);
        let series = of_recipe.map(|group| Series {
            name: group[0].algorithm.to_owned(),
            points: group.iter().map(|row| (row.side as f64, value(row).max(0.01))).collect(),
        });
        let series = series.collect();
        Figure {
            title,
            across: "cells along a side",
            up: "microseconds",
            scale: Scale::BothLogarithmic,
            shape: Shape::Lines,
            series,
        }
    };
    Section::new(&format!("Growing {recipe}"))
        .text(
            "Random queries, one pass: none is repeated and no two neighbours are alike. Microseconds are means; errors are \
             against the shortest routes.",
        )
        .table(table)
        .figure(figure(format!("A query, {recipe}"), |row| row.mean_us))
        .figure(figure(format!("The first step, {recipe}"), |row| row.first_step_us))
}

fn growth(found: &Findings) -> Section {
    let mut table = Table::new(&["world", "algorithm", "query", "first step", "build", "index"]).left(1);
    for growth in &found.growths {
        let slopes = [growth.query_slope, growth.first_step_slope, growth.build_slope, growth.bytes_slope];
        let words = [growth.recipe, growth.algorithm].map(str::to_owned);
        table.push([words.to_vec(), slopes.map(power).to_vec()].concat());
    }
    Section::new("How it grows")
        .text(
            "Exponents of the side, by least squares through the logarithms: 2 grows as the world's cells do, 1 as the length \
             of its routes, which is the least that a whole route can take.",
        )
        .table(table)
}

fn power(slope: Option<f64>) -> String {
    slope.map_or("-".to_owned(), |slope| format!("side^{slope:.2}"))
}

fn verdicts(found: &Findings) -> Vec<Verdict> {
    let wrong = Verdict::new(
        "every answer keeps its algorithm's promise",
        format!("{} wrong, {} given up", found.mismatches, found.unanswered),
        found.mismatches == 0,
    );
    let mut verdicts = vec![wrong];
    let mut algorithms: Vec<&'static str> = Vec::new();
    for growth in &found.growths {
        if !algorithms.contains(&growth.algorithm) {
            algorithms.push(growth.algorithm);
        }
    }
    for algorithm in algorithms {
        let own = found.growths.iter().filter(|growth| growth.algorithm == algorithm && growth.query_slope.is_some());
        let words: Vec<String> =
            own.map(|growth| format!("{} in {}", power(growth.query_slope), growth.recipe)).collect();
        if !words.is_empty() {
            verdicts.push(Verdict::new(&format!("a query of {algorithm} grows as"), words.join(", "), None));
        }
    }
    verdicts
}
