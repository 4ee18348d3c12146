//! What can be set about a mind: [`MindSettings`], their names, ranges and defaults ([`MIND_PARAMS`]).
//!
//! Not here: what the settings do to a walk, which is in the files that read them.

use portolan::settings::{Param, SettingError, Settings, Value};
use std::fmt;
use std::str::FromStr;

/// All settings of a mind, with their ranges and defaults.
pub const MIND_PARAMS: &[Param] = &[
    Param::number("knowledge", "percent of the hexagons that it knows before its first walk", 0.0, 0.0, 100.0),
    Param::number(
        "delta",
        "the least cosine between a direction and that of the goal, while exploring",
        0.5,
        -1.0,
        0.8,
    ),
    Param::count("stretch", "hexagons that it explores in one direction before it chooses another", 5, 1, 1_000),
    Param::count("most", "the greatest counter of a hexagon, which is then known in full", 4, 1, 256),
    Param::count("fade", "ticks after which every counter falls by 1; 0 keeps them", 0, 0, 1_000_000_000),
    Param::count("sight", "hexagons that it sees in each direction", 16, 0, 64),
    Param::choice("landmarks", "whether doorways, junctions and corners fade more slowly", &["yes", "no"]),
    Param::choice("recall", "where familiarity counts: added to the estimate, or as the cost of steps", RECALLS),
    Param::choice(
        "plan",
        "what is searched in known ground: hexagons, or clusters of them first",
        &["hexagons", "clusters"],
    ),
    Param::choice("ask", "whether minds that meet tell each other what they know", &["no", "yes"]),
];

const RECALLS: &[&str] = &["estimate", "cost"];

/// Where a search in known ground takes familiarity into account.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Recall {
    /// As the term λ that is added to the estimate (equations 5.1 and 5.2 of the thesis). The estimate is then no lower bound:
    /// a route may be longer than the shortest by what λ differs.
    #[default]
    Estimate,
    /// As the cost of a step into a hexagon, which is λ times that of a step into one that is known in full. The estimate is a
    /// lower bound, and a route is the cheapest.
    Cost,
}

/// How a mind explores, remembers and recalls. It is made from text, which is checked:
///
/// ```
/// use portolan_sim::mind::MindSettings;
/// let settings: MindSettings = "knowledge=25,delta=0.5,stretch=5".parse()?;
/// assert_eq!((settings.knowledge(), settings.most()), (25.0, 4));
/// let fault = "delta=0.9".parse::<MindSettings>().unwrap_err();
/// assert_eq!(fault.to_string(), "delta cannot be \"0.9\": it takes -1 to 0.8");
/// # Ok::<(), portolan_sim::mind::MindSettingsError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct MindSettings {
    knowledge: f64,
    /// In thousandths.
    delta: i16,
    stretch: u16,
    most: u16,
    fade: u32,
    sight: u8,
    landmarks: bool,
    recall: Recall,
    clusters: bool,
    ask: bool,
}

/// Why the settings of a mind were refused.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MindSettingsError {
    /// There is no setting of that name, or its value is out of range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A part of the text is not a name and a value.
    #[error("{0:?} is not a setting of a mind: expected name=value, separated by commas")]
    Form(String),
}

impl Default for MindSettings {
    fn default() -> MindSettings {
        MindSettings::new::<&str, &str>(&[]).expect("defaults are in range")
    }
}

impl MindSettings {
    /// Returns settings with the values in `pairs` for the names given there, and the defaults for all others.
    ///
    /// # Errors
    /// When there is no setting of a name, or a value is out of range; the error says what is possible.
    pub fn new<K: AsRef<str>, V: AsRef<str>>(pairs: &[(K, V)]) -> Result<MindSettings, MindSettingsError> {
        let settings = Settings::parse("a mind", MIND_PARAMS, pairs)?;
        Ok(MindSettings {
            knowledge: settings.number("knowledge"),
            delta: (settings.number("delta") * 1000.0).round() as i16,
            stretch: settings.count("stretch") as u16,
            most: settings.count("most") as u16,
            fade: settings.count("fade") as u32,
            sight: settings.count("sight") as u8,
            landmarks: settings.choice("landmarks") == "yes",
            recall: if settings.choice("recall") == "cost" { Recall::Cost } else { Recall::Estimate },
            clusters: settings.choice("plan") == "clusters",
            ask: settings.choice("ask") == "yes",
        })
    }

    /// Returns the percentage of the hexagons that a mind knows before its first walk.
    pub fn knowledge(&self) -> f64 {
        self.knowledge
    }

    /// Returns the least cosine between a direction and that of the goal, in thousandths.
    pub fn delta_thousandths(&self) -> i16 {
        self.delta
    }

    /// Returns how many hexagons a mind explores in one direction before it chooses another.
    pub fn stretch(&self) -> u16 {
        self.stretch
    }

    /// Returns the greatest counter of a hexagon.
    pub fn most(&self) -> u16 {
        self.most
    }

    /// Returns after how many ticks every counter falls by 1, or `None` if counters stay.
    pub fn fade(&self) -> Option<u32> {
        (self.fade > 0).then_some(self.fade)
    }

    /// Returns how many hexagons a mind sees in each direction.
    pub fn sight(&self) -> u8 {
        self.sight
    }

    /// Returns whether distinct hexagons fade more slowly.
    pub fn landmarks(&self) -> bool {
        self.landmarks
    }

    /// Returns where a search takes familiarity into account.
    pub fn recall(&self) -> Recall {
        self.recall
    }

    /// Returns whether a mind plans over clusters of hexagons first.
    pub fn plans_on_clusters(&self) -> bool {
        self.clusters
    }

    /// Returns whether minds that meet tell each other what they know.
    pub fn asks(&self) -> bool {
        self.ask
    }

    /// Returns the settings with another percentage of knowledge.
    ///
    /// # Errors
    /// When it is not from 0 to 100.
    pub fn with_knowledge(self, percent: f64) -> Result<MindSettings, MindSettingsError> {
        let checked = MindSettings::new(&[("knowledge", percent.to_string())])?;
        Ok(MindSettings { knowledge: checked.knowledge, ..self })
    }

    /// Returns each setting with its value, in the order of [`MIND_PARAMS`].
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let yes = |is_so: bool| Value::Choice(if is_so { "yes" } else { "no" });
        let values = [
            Value::Number(self.knowledge),
            Value::Number(f64::from(self.delta) / 1000.0),
            Value::Count(self.stretch.into()),
            Value::Count(self.most.into()),
            Value::Count(self.fade.into()),
            Value::Count(self.sight.into()),
            yes(self.landmarks),
            Value::Choice(RECALLS[self.recall as usize]),
            Value::Choice(if self.clusters { "clusters" } else { "hexagons" }),
            yes(self.ask),
        ];
        MIND_PARAMS.iter().map(|param| param.name).zip(values)
    }
}

/// Reads settings as `name=value`, separated by commas; an empty text has the defaults.
impl FromStr for MindSettings {
    type Err = MindSettingsError;

    fn from_str(text: &str) -> Result<MindSettings, MindSettingsError> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let pair = |part: &str| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(MindSettingsError::Form(part.to_owned())),
        };
        MindSettings::new(&parts.map(pair).collect::<Result<Vec<_>, _>>()?)
    }
}

/// Writes all settings as they are read.
impl fmt::Display for MindSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{name}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text = "knowledge=12.5,delta=-0.25,stretch=7,most=9,fade=600,sight=3,landmarks=no,recall=cost,plan=clusters,ask=yes";
        let settings: MindSettings = text.parse().unwrap();
        assert_eq!(settings.to_string(), text);
        assert_eq!("".parse::<MindSettings>().unwrap(), MindSettings::default());
    }

    #[test]
    fn bad_settings_say_what_is_possible() {
        let fault = |text: &str| text.parse::<MindSettings>().unwrap_err().to_string();
        assert_eq!(fault("delta=0.9"), "delta cannot be \"0.9\": it takes -1 to 0.8");
        assert_eq!(fault("delta=nan"), "delta cannot be \"nan\": it takes -1 to 0.8");
        assert_eq!(fault("stretch=0"), "stretch cannot be \"0\": it takes whole, 1 to 1000");
        assert_eq!(fault("knowledge=120"), "knowledge cannot be \"120\": it takes 0 to 100");
        assert_eq!(fault("delta"), "\"delta\" is not a setting of a mind: expected name=value, separated by commas");
        let names: Vec<_> = MIND_PARAMS.iter().map(|param| param.name).collect();
        assert_eq!(fault("c=5"), format!("a mind has no setting \"c\"; it has {}", names.join(", ")));
    }
}
