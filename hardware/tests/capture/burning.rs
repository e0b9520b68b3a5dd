//! Mistakes in burning and placing the chips: blank chips and chips without a supply, chips in each
//! other's sockets, and a program in the wrong order or of another build.

use gray1_hardware::capture::Report;
use gray1_isa::gray;

use super::examination::{Clips, Examination, Reference, STOCK, WITH_PANEL, steady_turns};
use super::machine::{ChipRule, Machine};
use super::{SLOW_PS, cases};

/// The headline of a report and the first of its other explanations.
fn first_two(report: &Report) -> Vec<String> {
    let Some(first) = report.findings.first() else { return Vec::new() };
    let other = first.details.iter().find_map(|it| it.strip_prefix("or: "));
    [first.headline.to_string()].into_iter().chain(other.map(str::to_owned)).collect()
}

/// How often reports named mistakes of a kind.
struct Rate {
    harmful: usize,
    missed: Vec<String>,
}

impl Rate {
    fn new() -> Self {
        Self { harmful: 0, missed: Vec::new() }
    }

    fn add(&mut self, mistake: &str, examination: &Examination, right: impl Fn(&str) -> bool) {
        if examination.is_harmed {
            self.harmful += 1;
            let said = first_two(&examination.reports[0]);
            if !said.iter().any(|it| right(it)) {
                self.missed.push(format!("{mistake}: {said:?}"));
            }
        }
    }

    #[track_caller]
    fn assert_nine_of_ten(&self, kind: &str) {
        let Self { harmful, missed } = self;
        println!("{kind}: {harmful} harmful, {} not named: {missed:#?}", missed.len());
        assert!(*harmful > 0 && missed.len() * 10 <= *harmful, "{missed:#?}");
    }
}

fn table(machine: &mut Machine, chip: usize) -> &mut Vec<u8> {
    let ChipRule::Table(bytes) = &mut machine.chips[chip].does else { panic!("not a table") };
    bytes
}

/// Returns the numbers of the chips that are burned.
fn burned() -> Vec<usize> {
    let chips = WITH_PANEL.board.chips().iter().enumerate();
    chips.filter(|(_, it)| it.is_burned()).map(|(number, _)| number).collect()
}

fn examine(reference: &Reference, change: impl FnOnce(&mut Machine)) -> Examination {
    let mut machine = WITH_PANEL.machine.clone();
    change(&mut machine);
    reference.examine_machine(&machine, &[Clips::all(&WITH_PANEL, SLOW_PS)])
}

fn reference() -> Reference {
    Reference::new(&WITH_PANEL, steady_turns(2000))
}

/// What a blank chip and one without a supply show, and how a report says it.
const DEAD: [(u8, &str); 2] = [(0xff, "is blank"), (0, "has no supply")];

#[test]
fn a_blank_or_dead_chip_is_named() {
    let (reference, mut rate) = (reference(), Rate::new());
    for (chip, (byte, fault)) in burned().into_iter().flat_map(|it| DEAD.map(|dead| (it, dead))) {
        let examination = examine(&reference, |it| table(it, chip).fill(byte));
        let right = format!("{} {fault}", WITH_PANEL.machine.chips[chip].name);
        rate.add(&right, &examination, |it| it.starts_with(&right));
    }
    rate.assert_nine_of_ten("blank or dead chips");
}

#[test]
fn chips_in_each_others_sockets_are_named() {
    let (reference, mut rate) = (reference(), Rate::new());
    let chips = burned();
    let pairs = chips.iter().flat_map(|a| chips.iter().map(move |b| (*a, *b)));
    let pairs: Vec<_> = pairs.filter(|(a, b)| a < b).collect();
    for &(a, b) in pairs.iter().step_by(cases(8, 1)) {
        let examination = examine(&reference, |machine| {
            let [first, second] = [a, b].map(|chip| table(machine, chip).clone());
            let fit = |bytes: &[u8], size| bytes.iter().copied().cycle().take(size).collect();
            *table(machine, a) = fit(&second, first.len());
            *table(machine, b) = fit(&first, second.len());
        });
        let [first, second] = [a, b].map(|chip| WITH_PANEL.machine.chips[chip].name.as_str());
        // A dead chip in one of the sockets may give the same capture.
        let dead = |said: &str| {
            let names = [(a, first), (b, second)];
            names.iter().flat_map(|it| DEAD.map(|dead| (it, dead))).any(
                |((chip, name), (byte, fault))| {
                    said.starts_with(&format!("{name} {fault}"))
                        && examine(&reference, |it| table(it, *chip).fill(byte)).reports
                            == examination.reports
                },
            )
        };
        rate.add(&format!("{first} and {second}"), &examination, |said| {
            said.starts_with(&format!("{first} and {second} are in each other's sockets"))
                || said.starts_with(&format!("{second} and {first} are in each other's sockets"))
                || dead(said)
                || [(first, second), (second, first)].iter().any(|(socket, image)| {
                    said.strip_prefix(&format!("{socket} shows the image of "))
                        .is_some_and(|images| images.split(" or ").any(|it| it == *image))
                })
        });
    }
    rate.assert_nine_of_ten("exchanged chips");
}

#[test]
fn a_program_in_counting_order_or_of_another_build_is_named() {
    let reference = reference();
    let program = WITH_PANEL.board.program().index();
    let examination = examine(&reference, |machine| {
        let bytes = table(machine, program);
        let gray = bytes.clone();
        for (at, byte) in bytes.iter_mut().enumerate().take(1 << 14) {
            *byte = gray[usize::from(gray::encode(at as u16))];
        }
    });
    let said = first_two(&examination.reports[0]);
    assert!(said[0].starts_with("PROG holds the program in counting order: "), "{said:?}");
    let mut rate = Rate::new();
    for first in (0..200).step_by(cases(40, 5)) {
        // A build with another instruction, which moves the rest of the program.
        let examination = examine(&reference, |machine| {
            let bytes = table(machine, program);
            let gray = bytes.clone();
            for at in 2 * first + 2..1 << 14 {
                let [at, before] = [at, at - 2].map(|it| usize::from(gray::encode(it)));
                bytes[at] = gray[before];
            }
        });
        let right = "PROG holds another program, or another build of it";
        rate.add(&format!("from {first}"), &examination, |it| it.starts_with(right));
    }
    rate.assert_nine_of_ten("programs of another build");
}

#[test]
fn a_board_without_a_supply_is_named_before_its_chips() {
    let reference = Reference::new(&STOCK, steady_turns(400));
    let mut machine = STOCK.machine.clone();
    for chip in 0..machine.chips.len() {
        if let ChipRule::Table(bytes) = &mut machine.chips[chip].does {
            bytes.fill(0);
        }
    }
    let clips = Clips::on("OSC RST PHASE.0-2 IRH.5-7 FLAGS.1 IRH_EN IRL_EN nWE AS.0-3", SLOW_PS);
    let said = first_two(&reference.examine_machine(&machine, &[clips]).reports[0]);
    assert_eq!(said[0], "the chips have no supply: all their captured outputs are always low");
}
