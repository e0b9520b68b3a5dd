//! Where the facts about a part come from.

use serde::Deserialize;

/// The sources of a part's facts, for people. A fact without a source was written from memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sources {
    /// Of the table of pins.
    pub pins: Vec<String>,
    /// Of the times.
    pub times: Vec<String>,
    /// Of currents and levels.
    pub levels: Vec<String>,
    /// Of the name to order.
    pub order: Vec<String>,
}
