//! Commands for people who build the machine: exported files, and finding the fault of a built
//! board.

mod export;
mod fpga;
mod glitches;
mod kicad;
mod probe;
