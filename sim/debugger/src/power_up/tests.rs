//! Compares verdicts about random programs with runs that start with random contents.
#![allow(clippy::print_stdout, reason = "the numbers of verdicts are a result")]

use super::*;
use gray1_isa::panel::{Buttons, Display};
use gray1_isa::{Op, RamAddr, SplitMix64, Word};

/// The numbers of random programs, and of random power-ups for each program.
const PROGRAMS: u64 = 400;
const POWER_UPS: u64 = 20;
/// The number of power-ups if the variable `GRAY1_POWER_UPS` gives a number of programs.
const MORE_POWER_UPS: u64 = 200;
const LIMIT: u64 = 3000;

/// Makes a program that first clears some bytes, as programs do, and then does anything with few
/// addresses. It is a straight line, a loop that counts down to a carry, or has short jumps
/// anywhere.
fn program(random: &mut SplitMix64) -> Arc<Image> {
    let mut words = vec![Word::ldi(random.byte())];
    let addresses = (0..6).chain(0x1fe0..0x1ff0);
    let is_careful = random.below(4) > 0;
    for address in addresses {
        if is_careful || random.below(2) == 0 {
            words.push(Word::data(Op::St, RamAddr::truncate(address)));
        }
    }
    if random.below(2) == 0 {
        // A known carry.
        words.push(Word::shr());
    }
    let (counter, step) = (RamAddr::truncate(6), RamAddr::truncate(7));
    let shape = random.below(4);
    if shape == 1 {
        words.extend([Word::ldi(0xff), Word::data(Op::St, step)]);
        words.extend([Word::ldi(random.below(20) as u8), Word::data(Op::St, counter)]);
    }
    let first = words.len() as u64;
    for _ in 0..random.below(30) + 2 {
        let address = match random.below(8) {
            0 => 0x1fff,
            1 => 0x1fe0 + random.below(16) as u16,
            2 => random.below(0x2000) as u16,
            3 => 0x1ffe,
            _ => random.below(6) as u16,
        };
        let target = RomIndex::truncate((first + random.below(32)) as u16);
        words.push(match Op::from_code(random.byte()) {
            Op::Ldi => Word::ldi(random.byte()),
            Op::Shr => Word::shr(),
            Op::Jc | Op::Jmp if shape < 2 => Word::data(Op::Add, RamAddr::truncate(address)),
            op @ (Op::Jc | Op::Jmp) => Word::jump(op, target),
            op => Word::data(op, RamAddr::truncate(address)),
        });
    }
    if shape == 1 {
        words.extend(
            [(Op::Ld, counter), (Op::Add, step), (Op::St, counter)]
                .map(|(op, it)| Word::data(op, it)),
        );
        words.push(Word::jump(Op::Jc, RomIndex::truncate(first as u16)));
    }
    if shape < 2 {
        words.push(Word::jump(Op::Jmp, RomIndex::truncate(words.len() as u16)));
    }
    Arc::new(Image::from_words(&words).expect("few words"))
}

fn inputs(random: &mut SplitMix64) -> Vec<(u64, Input)> {
    let mut moment = 0;
    (0..random.below(4))
        .map(|_| {
            moment += random.below(40);
            let input = match random.below(4) {
                0 => Input::Reset,
                1 => Input::Poke(RamAddr::truncate(random.below(6) as u16), random.byte()),
                _ => Input::Hold(Buttons(random.byte())),
            };
            (moment, input)
        })
        .collect()
}

fn verdict(image: &Arc<Image>, inputs: &[(u64, Input)]) -> (PowerUpVerdict, Vec<u8>) {
    let mut proof = PowerUpProof::new(Arc::clone(image), inputs.to_vec(), LIMIT);
    loop {
        if let Some(verdict) = proof.advance(&mut |_| true) {
            return (verdict, proof.output);
        }
    }
}

/// The end of an ordinary run, as people see it.
#[derive(Debug, PartialEq, Eq)]
struct End {
    moment: u64,
    halted: bool,
    pc: RomIndex,
    output: Vec<u8>,
    display: Option<Display>,
}

fn ordinary_end(image: &Image, inputs: &[(u64, Input)], power_up: PowerUp, to: u64) -> End {
    let engine = Box::new(Machine::new(image, power_up));
    let mut run = Run::new(engine, inputs.iter().copied());
    run.go_to(to);
    let output = run.take_output();
    let engine = run.engine();
    End {
        moment: run.moment(),
        halted: engine.halted(),
        pc: engine.pc(),
        output,
        display: Some(engine.display()),
    }
}

#[test]
fn random_power_ups_keep_to_each_verdict() {
    let more = std::env::var("GRAY1_POWER_UPS").ok().map(|count| count.parse().unwrap());
    let power_ups = if more.is_some() { MORE_POWER_UPS } else { POWER_UPS };
    let count = more.unwrap_or(PROGRAMS);
    let random = &mut SplitMix64::new(65);
    let mut found = [0_u64; 5];
    for number in 0..count {
        let image = program(random);
        let inputs = inputs(random);
        let (verdict, output) = verdict(&image, &inputs);
        let ends: Vec<End> = (0..power_ups)
            .map(|seed| {
                let to = match &verdict {
                    PowerUpVerdict::Depends(dependence) => dependence.moment,
                    PowerUpVerdict::Repeats { from, period } => from + 2 * period,
                    _ => LIMIT,
                };
                let power_up = PowerUp::Random(1000 * number + seed);
                let end = ordinary_end(&image, &inputs, power_up, to);
                let leds =
                    matches!(verdict, PowerUpVerdict::Halts(_) | PowerUpVerdict::Repeats { .. });
                End { display: end.display.filter(|_| leds), ..end }
            })
            .collect();
        let what = || format!("program {number}: {verdict:?}");
        assert!(ends.iter().all(|end| *end == ends[0]), "{}", what());
        let end = &ends[0];
        match &verdict {
            PowerUpVerdict::Halts(moment) => {
                assert!(end.halted && end.moment == *moment && end.output == output, "{}", what());
                found[0] += 1;
            }
            PowerUpVerdict::Repeats { from, period } => {
                // Bits that stay unknown may differ.
                let power_up = PowerUp::Random(number);
                let [first, again] = [*from, from + period]
                    .map(|moment| ordinary_end(&image, &inputs, power_up, moment));
                assert_eq!((first.pc, first.display), (again.pc, again.display), "{}", what());
                assert!(!end.halted, "{}", what());
                found[1] += 1;
            }
            // There are no bytes of `.seed`.
            PowerUpVerdict::Several => {}
            PowerUpVerdict::Limit(moment) => {
                assert!(end.moment == *moment && end.output == output, "{}", what());
                found[2] += 1;
            }
            PowerUpVerdict::Depends(dependence) => {
                let Some(change) = dependence.change else {
                    found[4] += 1;
                    continue;
                };
                check_change(&image, &inputs, dependence, change);
                found[3] += 1;
            }
        }
    }
    let [halts, repeats, limits, pairs, without] = found;
    println!(
        "{halts} halt, {repeats} repeat, {limits} limit, {pairs} disproved, {without} neither"
    );
    assert!(halts > 20 && repeats > 20 && pairs > 20, "too few of a kind: {found:?}");
    assert!(100 * without <= count, "{without} of {count} are neither proved nor disproved");
}

/// Checks that the change of a verdict makes a difference where it says.
fn check_change(
    image: &Arc<Image>,
    inputs: &[(u64, Input)],
    dependence: &Dependence,
    change: PowerUpChange,
) {
    assert!(dependence.bits.contains_key(&change.place), "{dependence:?}");
    let proof = PowerUpProof::new(Arc::clone(image), inputs.to_vec(), LIMIT);
    let [old, new] = [None, Some(change)]
        .map(|it| proof.value_after(change.power_up, it, dependence, &mut |_| true).unwrap());
    assert_ne!(old, new, "{dependence:?}");
}
