//! The errors of an export.

/// Why a board cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The board is a processor without clock, reset and panel; its title.
    #[error(
        "{0} has no clock, reset and panel of its own (`around`): it is not a machine to build, as \
         `--board gray1-b` is"
    )]
    NotWhole(String),
    /// The board has other chips or wires than those that are drawn; its title.
    #[error(
        "there is a drawing only of boards with the chips and wires of `--board gray1`, not of {0}; \
         `gray1 export kicad` draws any board"
    )]
    NotDrawn(String),
    /// No resistor holds a wire low that nothing drives.
    #[error(
        "no resistor can hold {net} low: its inputs source {current_ua} uA, and 1 kilohm sinks 400 \
         uA; drive it by fewer or by CMOS inputs"
    )]
    Pull {
        /// The wire.
        net: String,
        /// The current out of its inputs while they are low, in µA.
        current_ua: u64,
    },
}
