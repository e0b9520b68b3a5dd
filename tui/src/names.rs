//! The names of instructions, bytes and places, from the symbols of the program.

use gray1_isa::op::Operand;
use gray1_isa::{Image, Op, RamAddr, RomIndex, Symbol, SymbolKind, Word, panel};

use crate::session::Snapshot;
use crate::text;

/// The name of a data byte, with an offset in what is larger: `stack+3`.
pub(crate) fn byte(image: &Image, address: RamAddr) -> Option<String> {
    let covering = |symbol: &&Symbol| {
        let first = symbol.value;
        symbol.kind == SymbolKind::Variable
            && (first..first + i64::from(symbol.size)).contains(&i64::from(address.get()))
    };
    // Where several cover the byte, the smallest says most.
    let symbol = image.symbols().iter().filter(covering).min_by_key(|symbol| symbol.size);
    let Some(symbol) = symbol else { return of_panel(address) };
    let name = text::printable(&symbol.name);
    let offset = i64::from(address.get()) - symbol.value;
    Some(if offset == 0 { name } else { format!("{name}+{offset}") })
}

/// What the panel sees at an address.
fn of_panel(address: RamAddr) -> Option<String> {
    let row = |first: RamAddr| address.get().checked_sub(first.get()).filter(|row| *row < 8);
    match address {
        panel::MAILBOX => Some("mailbox".to_owned()),
        panel::BUTTONS => Some("buttons".to_owned()),
        _ => row(panel::GREEN)
            .map(|row| format!("green row {row}"))
            .or_else(|| row(panel::RED).map(|row| format!("red row {row}"))),
    }
}

/// The label at an index, if there is one.
pub(crate) fn label(image: &Image, index: RomIndex) -> Option<String> {
    let here = |symbol: &&Symbol| {
        symbol.kind == SymbolKind::Label && symbol.value == i64::from(index.get())
    };
    image.symbols().iter().find(here).map(|symbol| text::printable(&symbol.name))
}

/// An instruction in assembly language.
pub(crate) fn instruction(image: &Image, word: Word) -> String {
    let op = word.op();
    let operand = match op.operand() {
        Operand::None => return op.mnemonic().to_owned(),
        Operand::Immediate => format!("{:#04x}", word.immediate()),
        Operand::Data => {
            let address = word.address();
            byte(image, address).unwrap_or_else(|| format!("{:#06x}", address.get()))
        }
        Operand::Target => {
            let target = word.target();
            label(image, target).unwrap_or_else(|| format!("{:#06x}", target.get()))
        }
    };
    format!("{:<4} {operand}", op.mnemonic())
}

/// What the next instruction will do, in words, with the numbers as they stand.
pub(crate) fn meaning(snapshot: &Snapshot) -> String {
    let (image, cpu) = (&snapshot.program.image, &snapshot.cpu);
    let word = image.word(cpu.pc);
    let (a, address) = (cpu.a, word.address());
    let data = cpu.ram[address.to_usize()];
    let named = byte(image, address).unwrap_or_else(|| format!("{:#06x}", address.get()));
    let alu = word.op().alu(a, data, word.immediate());
    let (value, carry) = (alu.value, u8::from(alu.carry));
    let target = word.target();
    let place = label(image, target).unwrap_or_else(|| format!("{:#06x}", target.get()));
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
    use super::*;

    fn image() -> Image {
        let symbol =
            |name: &str, kind, value, size| Symbol { name: name.into(), kind, value, size };
        let symbols = vec![
            symbol("all", SymbolKind::Variable, 0, 64),
            symbol("stack", SymbolKind::Variable, 8, 8),
            symbol("loop", SymbolKind::Label, 9, 1),
        ];
        Image::erased().with_symbols(symbols).unwrap()
    }

    #[test]
    fn bytes_and_places_have_names() {
        let name = |address| byte(&image(), RamAddr::truncate(address));
        for (address, expected) in [
            (0x0000, "all"),
            (0x0008, "stack"),
            (0x000b, "stack+3"),
            (0x0010, "all+16"),
            (0x1fe1, "green row 1"),
            (0x1fef, "red row 7"),
            (0x1fff, "mailbox"),
        ] {
            assert_eq!(name(address).as_deref(), Some(expected));
        }
        assert_eq!(name(0x0040), None);
        assert_eq!(label(&image(), RomIndex::truncate(9)).as_deref(), Some("loop"));
        assert_eq!(label(&image(), RomIndex::truncate(8)), None);
    }

    #[test]
    fn instructions_read_as_in_a_source() {
        let data = |op, address| Word::data(op, RamAddr::truncate(address));
        for (word, expected) in [
            (Word::ldi(5), "LDI  0x05"),
            (data(Op::Add, 9), "ADD  stack+1"),
            (data(Op::St, 0x400), "ST   0x0400"),
            (Word::shr(), "SHR"),
            (Word::jump(Op::Jc, RomIndex::truncate(9)), "JC   loop"),
            (Word::ERASED, "JMP  0x1555"),
        ] {
            assert_eq!(instruction(&image(), word), expected);
        }
    }
}
