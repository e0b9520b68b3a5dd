//! Compares the instruction engine with a plain `match` over decoded instructions, on the whole
//! queens search. Most interpreters are like the baseline, so the engine must be clearly faster.
//!
//! `cargo bench --bench instruction`
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]

#[path = "support/decoded.rs"]
mod decoded;
mod support;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{PowerUp, RomIndex, panel};
use gray1_sim::{Engine as _, Machine};

use decoded::Decoded;
use support::{Side, compare, load_image};

fn main() {
    let image = load_image("queens");
    let code: Vec<Decoded> =
        RomIndex::all().map(|index| Decoded::decode(image.word(index), index)).collect();
    let mut reference = Machine::new(&image, PowerUp::Zero);
    reference.run(u64::MAX);
    let (count, printed) = (reference.executed(), reference.take_output());

    println!("the queens search, {count} instructions:");
    let machine = Machine::new(&image, PowerUp::Zero).interpreted();
    compare(
        count,
        "instructions",
        &Side {
            name: "match over decoded words",
            prepare: &Plain::new,
            run: &|plain| {
                assert_eq!(plain.run(&code), count);
                assert_eq!(plain.output, printed);
            },
        },
        &Side {
            name: "gray1-sim, interpreted",
            prepare: &|| machine.clone(),
            run: &|machine| {
                machine.run(u64::MAX);
                assert_eq!(machine.executed(), count);
                assert_eq!(machine.take_output(), printed);
            },
        },
    );
}

/// The baseline, with the usual optimisations: operands decoded, no bounds checks, registers in
/// locals, halts and mailbox stores recognised in advance.
struct Plain {
    ram: Box<[u8; RAM_BYTES]>,
    output: Vec<u8>,
}

impl Plain {
    fn new() -> Self {
        Self { ram: Box::new([0; RAM_BYTES]), output: Vec::new() }
    }

    fn run(&mut self, code: &[Decoded]) -> u64 {
        let code: &[Decoded; 8192] = code.try_into().expect("program memory has 8192 words");
        let ram = &mut *self.ram;
        let (mut a, mut carry, mut pc, mut count) = (0_u8, false, 0_u16, 0);
        loop {
            count += 1;
            let instruction = code[usize::from(pc & 0x1fff)];
            pc += 1;
            match instruction {
                Decoded::Ldi(n) => a = n,
                Decoded::Ld(x) => a = ram[usize::from(x & 0x1fff)],
                Decoded::St(x) => ram[usize::from(x & 0x1fff)] = a,
                Decoded::StMailbox => {
                    ram[panel::MAILBOX.to_usize()] = a;
                    self.output.push(a);
                }
                Decoded::Add(x) => (a, carry) = a.overflowing_add(ram[usize::from(x & 0x1fff)]),
                Decoded::Nand(x) => a = !(a & ram[usize::from(x & 0x1fff)]),
                Decoded::Shr => (a, carry) = (a >> 1, a & 1 == 1),
                Decoded::Jc(target) if carry => pc = target,
                Decoded::Jc(_) => {}
                Decoded::Jmp(target) => pc = target,
                Decoded::Halt => return count,
            }
        }
    }
}
