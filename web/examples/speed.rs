//! The instruction engine alone, in WebAssembly, for `benches/web.rs`: it runs a program to its
//! end.
#![allow(unsafe_code, reason = "a name that is exported as it is counts as unsafe")]

use gray1_asm::assemble;
use gray1_isa::PowerUp;
use gray1_programs::{BuiltIn, file, source};
use gray1_sim::{Engine as _, Machine};

/// Runs `queens-odometer` to its end; the number of instructions.
///
/// # Panics
/// If it is no program, which tests exclude.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    let program = source(file("queens-odometer.asm").expect("it is built in"));
    let image = assemble(program, &mut BuiltIn).image.expect("it assembles");
    let mut machine = Machine::new(&image, PowerUp::Zero).interpreted();
    machine.run(100_000_000);
    machine.executed() as u32
}
