//! The sources of the facts about a part.

use serde::Deserialize;

/// The sources of a part's facts, as free text. A fact without a source was written from memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FactSources {
    /// For the pins.
    pub pins: Vec<String>,
    /// For the times.
    pub times: Vec<String>,
    /// For currents and levels.
    pub levels: Vec<String>,
    /// For the part number.
    pub order: Vec<String>,
}
