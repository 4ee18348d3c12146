//! How a profile is written: settings with commas between them, such as `size=2,water=no,forest=x1.5,road=1`.
//!
//! Not here: what a profile means.

use super::{Footing, Profile, ProfileError};
use crate::space::kinds::KindNames;

impl Profile {
    /// Reads a profile. `size=N` is a square body and `radius=N` a round one. Every other setting begins with the name or the
    /// number of a kind of ground and says what it is to the agent: `no` forbids it, a number from 1 to 255 is its weight,
    /// and `x` with a factor, such as `x1.5`, multiplies its own weight. An empty text is the profile of [`Profile::new`].
    ///
    /// ```
    /// use portolan::{Body, Footing, KindNames, Profile};
    /// let names = KindNames::default();
    /// let profile = Profile::parse("size=2,water=no,forest=x1.5", &names)?;
    /// assert_eq!((profile.body(), profile.footing(3), profile.footing(4)), (Body::Square(2), Footing::FORBIDDEN, Footing::Percent(150)));
    /// assert_eq!(profile.text(&names), "size=2,water=no,forest=x1.5");
    /// # Ok::<(), portolan::ProfileError>(())
    /// ```
    ///
    /// # Errors
    /// When a word is no setting, names no kind of ground, has a value that it cannot have, or comes twice.
    pub fn parse(text: &str, names: &KindNames) -> Result<Profile, ProfileError> {
        let mut profile = Profile::new();
        let (mut has_body, mut kinds) = (false, Vec::new());
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, value) = word.split_once('=').ok_or_else(|| ProfileError::NoSetting(word.to_owned()))?;
            let body = match name {
                "size" => Some(Profile::square(number("size", value, 1, Self::MAX_SIZE)?)?.body),
                "radius" => Some(Profile::round(number("radius", value, 0, Self::MAX_RADIUS)?)?.body),
                _ => None,
            };
            if let Some(body) = body {
                if std::mem::replace(&mut has_body, true) {
                    return Err(ProfileError::Twice("the body".to_owned()));
                }
                profile.body = body;
                continue;
            }
            let known = || KindNames::RESERVED.into_iter().chain(names.names()).map(str::to_owned).collect();
            let kind =
                names.kind(name).ok_or_else(|| ProfileError::UnknownKind { name: name.to_owned(), known: known() })?;
            if kinds.contains(&kind) {
                return Err(ProfileError::Twice(names.name(kind)));
            }
            kinds.push(kind);
            let fault = || ProfileError::Footing { kind: names.name(kind), value: value.to_owned() };
            profile = profile.with(kind, footing(value).ok_or_else(fault)?);
        }
        Ok(profile)
    }

    /// Returns the profile as it is written. Layers are not written, since they belong to one world.
    pub fn text(&self, names: &KindNames) -> String {
        let footing = |footing: &Footing| match footing {
            Footing::AsItIs => "x1".to_owned(),
            Footing::Weight(0) => "no".to_owned(),
            Footing::Weight(weight) => weight.to_string(),
            Footing::Percent(percent) => {
                let fraction = format!("x{}.{:02}", percent / 100, percent % 100);
                fraction.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        };
        let kinds = self.footings.iter().map(|(kind, what)| format!("{}={}", names.name(*kind), footing(what)));
        let body = (self.body != super::Body::default()).then(|| self.body.to_string());
        body.into_iter().chain(kinds).collect::<Vec<_>>().join(",")
    }
}

/// Reads a number within a range.
fn number(name: &'static str, value: &str, least: u16, most: u16) -> Result<u16, ProfileError> {
    let fault = || ProfileError::Number { name, value: value.to_owned(), least, most };
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(fault)
}

/// Reads what ground is to an agent, or returns `None` if the text says nothing of the kind.
fn footing(value: &str) -> Option<Footing> {
    if value == "no" {
        return Some(Footing::FORBIDDEN);
    }
    let Some(factor) = value.strip_prefix('x') else {
        return value.parse().ok().filter(|&weight| weight > 0).map(Footing::Weight);
    };
    // Hundredths are read as integers, so that every machine reads the same factor.
    let (whole, fraction) = factor.split_once('.').unwrap_or((factor, "0"));
    let is_plain =
        |digits: &str, most| (1..=most).contains(&digits.len()) && digits.bytes().all(|d| d.is_ascii_digit());
    if !is_plain(whole, 3) || !is_plain(fraction, 2) {
        return None;
    }
    let tenth_or_more = if fraction.len() == 1 { 10 } else { 1 };
    let percent = whole.parse::<u16>().ok()?.checked_mul(100)?;
    let percent = percent.checked_add(fraction.parse::<u16>().ok()? * tenth_or_more)?;
    match percent {
        100 => Some(Footing::AsItIs),
        1..=25_500 => Some(Footing::Percent(percent)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Body;
    use super::*;

    fn read(text: &str) -> Result<Profile, String> {
        Profile::parse(text, &KindNames::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_profile_is_read_and_written() {
        let profile = read("radius=3, water=no,forest=x2.5,road=1,40=x0.07").unwrap();
        assert_eq!(profile.body(), Body::Round(3));
        let expected =
            [(1, Footing::Weight(1)), (3, Footing::FORBIDDEN), (4, Footing::Percent(250)), (40, Footing::Percent(7))];
        assert_eq!(profile.footings(), expected);
        let text = profile.text(&KindNames::default());
        assert_eq!(text, "radius=3,road=1,water=no,forest=x2.5,40=x0.07");
        assert_eq!(read(&text), Ok(profile));
        for plain in ["", "size=1", "radius=0", "water=x1", " , "] {
            assert!(read(plain).unwrap().is_plain(), "{plain:?}");
        }
    }

    #[test]
    fn faults_say_what_was_expected() {
        let kinds =
            |value| format!("water is no, a weight from 1 to 255, or a factor from x0.01 to x255, not {value:?}");
        for (text, fault) in [
            ("size=0", "size is a whole number from 1 to 255, not \"0\"".to_owned()),
            ("size=256", "size is a whole number from 1 to 255, not \"256\"".to_owned()),
            ("radius=128", "radius is a whole number from 0 to 127, not \"128\"".to_owned()),
            ("radius=-1", "radius is a whole number from 0 to 127, not \"-1\"".to_owned()),
            ("size=2,radius=1", "the body is said twice".to_owned()),
            ("water=2,3=no", "water is said twice".to_owned()),
            ("watr=no", "there is no kind of ground \"watr\"".to_owned()),
            ("256=no", "there is no kind of ground \"256\"".to_owned()),
            ("big", "expected a setting like size=2 or water=no, found \"big\"".to_owned()),
            ("water=0", kinds("0")),
            ("water=256", kinds("256")),
            ("water=x0", kinds("x0")),
            ("water=x256", kinds("x256")),
            ("water=x1.234", kinds("x1.234")),
            ("water=x+1", kinds("x+1")),
            ("water=x999", kinds("x999")),
            ("water=", kinds("")),
        ] {
            assert_eq!(read(text), Err(fault), "{text}");
        }
        assert_eq!(Profile::square(0), Err(ProfileError::Size(0)));
        assert_eq!(Profile::square(256).unwrap_err().to_string(), "an agent is 1 to 255 cells on each side, not 256");
        assert_eq!(Profile::round(128).unwrap_err().to_string(), "an agent has a radius of at most 127 cells, not 128");
    }

    #[test]
    fn weights_stay_weights() {
        assert_eq!(Footing::Percent(1).weight(1), 1);
        assert_eq!(Footing::Percent(150).weight(3), 5, "a half is rounded up");
        assert_eq!(Footing::Percent(25_500).weight(9), 255);
        assert_eq!([Footing::AsItIs, Footing::Weight(9), Footing::Percent(900)].map(|what| what.weight(0)), [0; 3]);
    }
}
