//! `gray1 run --ram any`: proves what a program does for every content of memory at power-up.

use gray1_debugger::Input;
use gray1_debugger::power_up::{Dependence, PowerUpPlace, PowerUpProof, PowerUpVerdict};
use gray1_isa::text::printable;
use gray1_isa::{Image, PowerUp};
use gray1_sim::{Machine, MachineSpec, RamSpec};
use serde_json::json;

use super::{RunOptions, RunTarget, status};
use crate::cli::shared::machine::{self, quote};
use crate::cli::shared::messages::Messages;
use crate::cli::shared::outcome::{Done, Outcome};
use crate::cli::shared::progress::ProgressLine;
use crate::cli::shared::signals::Signals;
use crate::cli::shared::source_options::load;
use crate::files;

/// Whether these options ask for a proof. Other options with `--ram any` are wrong usage.
pub(super) fn is_asked(options: &RunOptions) -> bool {
    let RunOptions { trace, log, dump, profile, leds, waveform, .. } = options;
    options.target.machine.spec() == MachineSpec::with_ram(Some(RamSpec::Any))
        && !(trace.is_some() || waveform.vcd.is_some() || *profile || *leds)
        && log.is_empty()
        && dump.is_empty()
}

pub(super) fn prove(target: &RunTarget, messages: &mut Messages) -> Outcome {
    let signals = Signals::listen()?;
    let program = load(&target.program, &target.sources, messages)?;
    let image = &program.image;
    let end = target.max_instructions.unwrap_or(u64::MAX);
    let inputs = target.inputs.read(image, &Machine::with_any_contents(image), end, &signals)?;
    let mut proof = PowerUpProof::new(image.clone(), inputs, end);
    let mut progress = ProgressLine::new();
    let (verdict, signal) = loop {
        let verdict = proof.advance(&mut |moment| {
            progress.update(&program.name, moment);
            signals.received().is_none()
        });
        progress.print(&std::mem::take(&mut proof.output))?;
        let signal = signals.received();
        if verdict.is_some() || signal.is_some() {
            break (verdict.unwrap_or(PowerUpVerdict::Limit(proof.run.moment())), signal);
        }
        progress.update(&program.name, proof.run.moment());
    };
    progress.end_line();
    let (kind, done) = match &verdict {
        verdict if verdict.is_proved() => ("proved", Done::Success),
        PowerUpVerdict::Depends(it) if it.change.is_some() => ("disproved", Done::Refuted),
        _ => ("not proved", Done::Limit),
    };
    let commands = match &verdict {
        PowerUpVerdict::Depends(it) => show_difference(target, it, proof.seeds(), image),
        _ => Vec::new(),
    };
    let sentence = printable(&verdict.describe(image));
    messages.print(
        || commands.iter().fold(sentence.clone(), |text, command| text + "\n  " + command),
        || json!({ "verdict": kind, "message": sentence, "commands": commands }),
    );
    messages.print_status(&status(proof.run.engine()));
    Ok(signal.map_or(done, Done::Signal))
}

/// The commands that open two power-ups that differ, and one that compares them.
fn show_difference(
    target: &RunTarget,
    dependence: &Dependence,
    seeds: &[(u64, Input)],
    image: &Image,
) -> Vec<String> {
    let Dependence { place, moment, .. } = *dependence;
    let Some(change) = dependence.change else { return Vec::new() };
    let ram = Some(change.power_up).filter(|power_up| *power_up != PowerUp::default());
    let machine = machine::to_args(&MachineSpec::with_ram(ram.map(RamSpec::Contents)));
    let program = quote(&files::printable(&target.program)) + &target.sources.to_args() + &machine;
    let planted = seeds.iter().filter_map(|(_, seed)| match *seed {
        Input::Poke(address, byte) => Some(PowerUpPlace::Byte(address).assignment(image, byte)),
        _ => None,
    });
    let planted = planted.map(|change| format!(" --set {}", quote(&format!("0: {change}"))));
    let inputs = planted.collect::<String>() + &target.inputs.to_args();
    let values = [change.place.value_in(change.power_up), change.value];
    let changes = values.map(|value| change.place.assignment(image, value));
    let by = match place {
        PowerUpPlace::Carry => "instructions",
        PowerUpPlace::A => "output",
        PowerUpPlace::Byte(_) => "leds",
    };
    let compare = format!(
        "gray1 diff {} --set {} --by {by}",
        quote(&(program.clone() + &inputs)),
        quote(&changes[1])
    );
    let open = changes.map(|change| {
        let change = quote(&format!("0: {change}"));
        format!("gray1 debug {program} --set {change}{inputs} --at {moment}")
    });
    open.into_iter().chain([compare]).collect()
}
