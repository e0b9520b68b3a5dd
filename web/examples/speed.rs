//! The instruction engine compiled to WebAssembly, without the page. `benches/web.rs` uses it to
//! measure how fast it runs a program.
#![allow(unsafe_code, reason = "`no_mangle` counts as unsafe")]

use gray1_asm::assemble;
use gray1_isa::PowerUp;
use gray1_programs::{BuiltIn, file, source};
use gray1_sim::{Engine as _, Machine};

/// Runs `queens-odometer` to its end. Returns the number of instructions.
///
/// # Panics
/// Panics if the program does not assemble. Tests ensure that it does.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    let program = source(file("queens-odometer.asm").expect("it is built in"));
    let image = assemble(program, &mut BuiltIn).image.expect("it assembles");
    let mut machine = Machine::new(&image, PowerUp::Zero).interpreted();
    machine.run(100_000_000);
    machine.executed() as u32
}
