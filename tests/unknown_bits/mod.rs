//! Compares the machine that may hold anything at power-up with a second model in Python, which was
//! written only from the documents (`model.py`).

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use gray1_isa::{Image, PartialByte, PartialState, Word};
use gray1_sim::{Engine as _, EngineError, Machine};
use serde::Deserialize;

use crate::support::{are_installed, root};

const PROGRAMS: usize = 200;

/// A program, and what the model knows about its run.
#[derive(Debug, Deserialize)]
struct ModelRun {
    words: Vec<u16>,
    /// For each executed instruction its index, and A and C after it.
    steps: Vec<(u16, String, String)>,
    /// The reason why the run ended.
    end: String,
    /// The bytes of data memory that are known at the end at least in part, by address.
    memory: BTreeMap<usize, String>,
}

#[test]
fn two_models_know_the_same_bits_after_every_instruction() {
    if !are_installed(&["python3"]) {
        return;
    }
    let model = root().join("tests/unknown_bits/model.py");
    let mut command = Command::new("python3");
    let output = command.arg("-B").arg(model).args(["65", &PROGRAMS.to_string()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let runs: Vec<ModelRun> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(runs.len(), PROGRAMS);
    runs.iter().for_each(check);
    let ends: BTreeSet<&str> = runs.iter().map(|run| run.end.as_str()).collect();
    assert_eq!(
        ends,
        BTreeSet::from(["halted", "jump", "limit", "output"]),
        "not all ends occurred"
    );
    let partly = |text: &str| text.contains('x') && text.contains(['0', '1']);
    let partly = runs.iter().flat_map(|run| &run.steps).filter(|(_, a, _)| partly(a)).count();
    assert!(partly > 1000, "A was known in part only {partly} times");
}

fn check(run: &ModelRun) {
    let words: Vec<Word> = run.words.iter().map(|bits| Word::from_bits(*bits)).collect();
    let mut machine = Machine::with_any_contents(&Image::from_words(&words).unwrap());
    for (number, (index, a, carry)) in run.steps.iter().enumerate() {
        let executed = machine.step().expect("the model could continue");
        let PartialState { a: own_a, carry: own_carry, .. } = machine.partial_state().unwrap();
        let own_carry = own_carry.map_or("x", |carry| if carry { "1" } else { "0" });
        let own = (executed.index.get(), format(*own_a), own_carry.to_owned());
        assert_eq!(own, (*index, a.clone(), carry.clone()), "step {number} of {run:?}");
    }
    for (address, byte) in machine.partial_state().unwrap().ram.iter().enumerate() {
        let expected = run.memory.get(&address).map_or("xxxxxxxx", String::as_str);
        assert_eq!(format(*byte), expected, "byte {address} at the end of {run:?}");
    }
    let end = match (machine.halted(), machine.step(), machine.error()) {
        (true, ..) => "halted",
        (_, Some(_), _) => "limit",
        (_, None, Some(EngineError::UnknownJump)) => "jump",
        (_, None, Some(EngineError::UnknownOutput)) => "output",
        other => panic!("{other:?}"),
    };
    assert_eq!(end, run.end, "{run:?}");
}

/// The eight bits, the highest first.
fn format(byte: PartialByte) -> String {
    let bit = |place: u8| match byte.known() >> place & 1 {
        0 => 'x',
        _ => char::from(b'0' + (byte.bits() >> place & 1)),
    };
    (0..8).rev().map(bit).collect()
}
