//! Mistyped names: finds the name that was probably meant.

/// Returns the known name that is most similar to this one, if any is similar enough.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Hyphens and the like are left out before names are compared: `astar` equals `a-star`.
    let bare = |text: &str| text.to_lowercase().replace(['-', '_', '*', ' '], "");
    let likeness = |other: &str| strsim::jaro_winkler(&bare(name), &bare(other));
    known
        .map(|other| (likeness(other), other))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, other)| other)
}

/// Returns `; did you mean NAME?`, or an empty text if no name is similar.
pub(crate) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |meant| format!("; did you mean {meant}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let known = || ["dijkstra", "a-star", "weighted-a-star", "ida-star", "jump-point"].into_iter();
        assert_eq!(hint("astar", known()), "; did you mean a-star?");
        assert_eq!(hint("A*", known()), "; did you mean a-star?");
        assert_eq!(nearest("djikstra", known()), Some("dijkstra"));
        assert_eq!(nearest("jumppoints", known()), Some("jump-point"));
        assert_eq!(nearest("zzz", known()), None);
    }
}
