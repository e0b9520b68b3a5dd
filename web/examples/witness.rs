//! Runs the built-in programs natively, as a reference for `web/tests/machine.mjs`. Prints a line
//! of JSON for each program and engine: the LEDs and the number of printed lines at random moments,
//! and the last lines.
#![allow(clippy::print_stdout, reason = "printing is its purpose")]

use std::sync::Arc;

use gray1_isa::SplitMix64;
use gray1_isa::panel::Display;
use gray1_programs::{BuiltIn, programs, source};
use gray1_sim::{Hardware, Setup};
use serde_json::json;

/// The number of random moments in each run.
const MOMENTS: usize = 1000;

fn main() {
    let chips = Hardware::Chips(Arc::new(gray1_roms::stock()), gray1_roms::nearest);
    for (name, file) in programs() {
        let image = gray1_asm::assemble(source(file), &mut BuiltIn).image.expect("it is built in");
        for (engine, hardware, limit) in
            [("instruction", Hardware::default(), 10_000_000), ("chips", chips.clone(), 1_000_000)]
        {
            let setup = Setup { hardware, ..Setup::default() };
            let power_up = || setup.engine(&image).expect("the stock board comes to rest");
            let mut whole = power_up();
            whole.run(limit);
            let end = whole.executed();
            let mut random = SplitMix64::new(end);
            let mut moments: Vec<u64> = (0..MOMENTS).map(|_| random.next() % (end + 1)).collect();
            moments.sort_unstable();
            let (mut machine, mut output) = (power_up(), Vec::new());
            let mut seen = Vec::new();
            for moment in moments {
                machine.run(moment - machine.executed());
                output.extend(machine.take_output());
                let lines = String::from_utf8_lossy(&output).matches('\n').count();
                let Display { green, red } = machine.display();
                seen.push(json!({ "moment": moment, "lines": lines, "green": green, "red": red }));
            }
            let output = String::from_utf8_lossy(&whole.take_output()).into_owned();
            println!(
                "{}",
                json!({
                    "program": name, "engine": engine, "end": end, "output": output, "seen": seen,
                })
            );
        }
    }
}
