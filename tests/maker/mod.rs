//! What someone who builds the machine uses: exported files, and the fault of a built board.

mod export;
mod glitches;
mod kicad;
mod probe;
