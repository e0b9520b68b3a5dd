//! Instructions in assembly language and as sentences.

use gray1_isa::{Image, Op, RomIndex};

use crate::Snapshot;

/// The instruction at an index in assembly language, with its operand in a separate column.
pub fn disassemble(image: &Image, index: RomIndex) -> String {
    let operand = image.operand(index).unwrap_or_default();
    format!("{:<4} {operand}", image.word(index).op().mnemonic()).trim_end().to_owned()
}

/// The instruction in progress, with its address.
pub fn describe_instruction(snapshot: &Snapshot) -> String {
    let pc = snapshot.cpu.pc;
    format!("{:04x} {}", pc.get(), disassemble(&snapshot.program.image, pc))
}

/// The effect of the next instruction as a sentence, with current values.
pub fn describe_next(snapshot: &Snapshot) -> String {
    let (image, cpu) = (&snapshot.program.image, &snapshot.cpu);
    let word = image.word(cpu.pc);
    let (a, address) = (cpu.a, word.address());
    let data = cpu.ram[address.to_usize()];
    let named = image.byte_at(address, cpu.pc);
    let alu = word.op().alu(a, data, word.immediate());
    let (value, carry) = (alu.value, u8::from(alu.carry));
    let target = word.target();
    let place = image.names().place(target);
    match word.op() {
        Op::Ldi => format!("A takes the number {value:02x}"),
        Op::Ld => format!("A takes {data:02x}, the byte at {named}"),
        Op::St => format!("{named} takes {a:02x}, which is in A; it held {data:02x}"),
        Op::Add => format!("A takes {a:02x} + {data:02x} ({named}) = {value:02x}, C takes {carry}"),
        Op::Nand => format!("A takes not ({a:02x} and {data:02x} of {named}) = {value:02x}"),
        Op::Shr => format!("A is shifted right and takes {value:02x}, C takes {carry}"),
        Op::Jc if cpu.carry => format!("C is 1: goes to {place}"),
        Op::Jc => format!("C is 0: does not go to {place}"),
        Op::Jmp if target == cpu.pc => "goes to itself: the end of the program".to_owned(),
        Op::Jmp => format!("goes to {place}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::Command;

    use super::*;
    use crate::tests::machines as testing;

    #[test]
    fn every_instruction_is_described_with_current_values() {
        let program = testing::assemble(
            "
.var n
        LDI  0x81
        ST   n
        JC   end
        ADD  n
        JC   here
here:   LD   n
        NAND n
        SHR
        JMP  end
end:    HALT
",
        );
        let mut session = testing::session(program, true);
        for expected in [
            "A takes the number 81",
            "n takes 81, which is in A; it held 00",
            "C is 0: does not go to end",
            "A takes 81 + 81 (n) = 02, C takes 1",
            "C is 1: goes to here",
            "A takes 81, the byte at n",
            "A takes not (81 and 81 of n) = 7e",
            "A is shifted right and takes 3f, C takes 0",
            "goes to end",
            "goes to itself: the end of the program",
        ] {
            assert_eq!(describe_next(&session.snapshot()), expected);
            session.command(Command::Step);
        }
    }
}
