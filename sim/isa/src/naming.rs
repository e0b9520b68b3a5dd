//! The names that users see for places of a program, such as `stack+3`, `green row 2`, `row3+4` and
//! `LD stack+3`.
//!
//! Panes, break reasons, the disassembly and pictures all get their names here, so a place has the
//! same name everywhere. Symbols may overlap. These rules decide:
//!
//! - *A byte* is named after the smallest variable that covers it. If several are equally small,
//!   the one that starts nearest to the byte wins, then the first by name. A byte without a
//!   variable is named after its use by the front panel, or by its address.
//! - *An instruction* is named after the nearest label at or before it, unless an erased word is
//!   between them. If several labels have the same index, the first by name wins. An instruction
//!   without a label is named by its index.
//! - *The variables of routines* that are never active together share bytes. An instruction uses
//!   the name from its own routine for such a byte ([`Image::byte_at`](crate::Image::byte_at)).
//!
//! Names are safe to print. Symbols of an image from a file can contain control characters, which
//! are escaped here.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::address::{RAM_BYTES, ROM_WORDS, RamAddr, RomIndex};
use crate::panel::{self, LedColor};
use crate::symbol::{Symbol, SymbolKind};
use crate::text::printable;
use crate::word::Word;

/// The names of all places in data and program memory. Each query takes constant time.
#[derive(Debug, Clone)]
pub struct Names {
    /// The printable names of the symbols that own places.
    texts: Vec<String>,
    /// The owner of each byte of data memory.
    bytes: Vec<Option<Owner>>,
    /// The owner of each instruction.
    places: Vec<Option<Owner>>,
    /// The variables of each routine, with their sizes. Routines share bytes, so a byte can have a
    /// name in each of several routines.
    of_routines: BTreeMap<String, Vec<(Owner, u16)>>,
    /// The constants of `.pool`, by address.
    pool: BTreeMap<u16, u8>,
}

/// The symbol that a place is named after.
#[derive(Debug, Clone, Copy)]
struct Owner {
    /// The index of the symbol's name in `texts`.
    text: u32,
    /// The symbol's first place.
    first: u16,
}

impl Names {
    /// Derives the names from symbols and words. The words matter because erased ones end the range
    /// of a label.
    pub fn new<'a>(symbols: impl IntoIterator<Item = &'a Symbol>, words: &[Word]) -> Self {
        let mut symbols: Vec<&Symbol> = symbols.into_iter().collect();
        symbols.sort_unstable_by_key(|symbol| &symbol.name);
        let pooled = of_kind(&symbols, SymbolKind::Variable).filter_map(|(number, address)| {
            Some((address, symbols[number as usize].pooled_byte()?))
        });
        Self {
            pool: pooled.collect(),
            texts: symbols.iter().map(|symbol| printable(&symbol.name)).collect(),
            bytes: find_byte_owners(&symbols),
            places: find_instruction_owners(&symbols, words),
            of_routines: group_routine_variables(&symbols),
        }
    }

    /// Returns the name of a data byte: `stack+3`, `green row 2`, `mailbox`, or `0x0400` if it has
    /// no name.
    pub fn byte(&self, address: RamAddr) -> String {
        self.named_byte(address).unwrap_or_else(|| format!("{:#06x}", address.get()))
    }

    /// Returns the name of a data byte in a variable or on the front panel, and `None` for all
    /// others.
    pub fn named_byte(&self, address: RamAddr) -> Option<String> {
        self.variable(address).or_else(|| panel_byte(address))
    }

    /// Returns the name of a data byte in a variable, such as `stack+3`.
    pub fn variable(&self, address: RamAddr) -> Option<String> {
        self.owned(self.bytes[address.to_usize()], address.get())
    }

    /// Returns the value of a byte of data memory that is a constant of `.pool`.
    pub fn pool_constant(&self, address: RamAddr) -> Option<u8> {
        self.pool.get(&address.get()).copied()
    }

    /// Returns the name of a data byte in a variable of this routine, such as `multiply.product`.
    pub fn routine_variable(&self, routine: &str, address: RamAddr) -> Option<String> {
        let place = address.get();
        let (owner, _) = self.of_routines.get(routine)?.iter().find(|(owner, size)| {
            place.checked_sub(owner.first).is_some_and(|offset| offset < *size)
        })?;
        self.owned(Some(*owner), place)
    }

    /// Returns the name of an instruction's place: `row3+4`, or `0x1555` if no label covers it.
    pub fn place(&self, index: RomIndex) -> String {
        self.named_place(index).unwrap_or_else(|| format!("{:#06x}", index.get()))
    }

    /// Returns the name of an instruction's place, such as `row3+4`, if a label covers it.
    pub fn named_place(&self, index: RomIndex) -> Option<String> {
        self.owned(self.places[index.to_usize()], index.get())
    }

    /// Returns the index of the label after which an instruction is named.
    pub fn first_of_passage(&self, index: RomIndex) -> Option<u16> {
        Some(self.places[index.to_usize()]?.first)
    }

    /// Returns the label at exactly this index.
    pub fn label(&self, index: RomIndex) -> Option<&str> {
        let owner = self.places[index.to_usize()].filter(|owner| owner.first == index.get())?;
        Some(&self.texts[owner.text as usize])
    }

    fn owned(&self, owner: Option<Owner>, place: u16) -> Option<String> {
        let Owner { text, first } = owner?;
        let name = &self.texts[text as usize];
        Some(if place == first { name.clone() } else { format!("{name}+{}", place - first) })
    }
}

/// Returns the front panel's name for an address.
fn panel_byte(address: RamAddr) -> Option<String> {
    match address {
        panel::MAILBOX => Some("mailbox".to_owned()),
        panel::BUTTONS => Some("buttons".to_owned()),
        _ => {
            let green = LedColor::Green.row_of(address).map(|row| format!("green row {row}"));
            green.or_else(|| LedColor::Red.row_of(address).map(|row| format!("red row {row}")))
        }
    }
}

/// Finds the variable that owns each byte. `symbols` must be sorted by name.
fn find_byte_owners(symbols: &[&Symbol]) -> Vec<Option<Owner>> {
    let mut starting: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
    for (number, first) in of_kind(symbols, SymbolKind::Variable) {
        starting.entry(first).or_default().push(number);
    }
    // The variables that start at or before this byte, with the best owner on top. Those that have
    // ended are removed when they reach the top.
    let mut candidates = BinaryHeap::new();
    let owners = (0..RAM_BYTES as u16).map(|address| {
        for &text in starting.get(&address).into_iter().flatten() {
            let size = symbols[text as usize].size;
            candidates.push((Reverse(size), address, Reverse(text)));
        }
        while let Some(&(Reverse(size), first, Reverse(text))) = candidates.peek() {
            if address - first < size {
                return Some(Owner { text, first });
            }
            candidates.pop();
        }
        None
    });
    owners.collect()
}

/// Finds the label that owns each instruction. `symbols` must be sorted by name.
fn find_instruction_owners(symbols: &[&Symbol], words: &[Word]) -> Vec<Option<Owner>> {
    let mut labels = BTreeMap::new();
    for (text, first) in of_kind(symbols, SymbolKind::Label) {
        labels.entry(first).or_insert(Owner { text, first });
    }
    let mut nearest = None;
    let owners = (0..ROM_WORDS as u16).map(|index| {
        let is_erased = words.get(usize::from(index)).is_none_or(|word| *word == Word::ERASED);
        nearest = labels.get(&index).copied().or(nearest.filter(|_| !is_erased));
        nearest
    });
    owners.collect()
}

/// Groups variables with names of the form `routine.name` by routine.
fn group_routine_variables(symbols: &[&Symbol]) -> BTreeMap<String, Vec<(Owner, u16)>> {
    let mut of_routines: BTreeMap<String, Vec<(Owner, u16)>> = BTreeMap::new();
    for (text, first) in of_kind(symbols, SymbolKind::Variable) {
        let Symbol { name, size, .. } = symbols[text as usize];
        if let Some((routine, _)) = name.split_once('.') {
            let variable = (Owner { text, first }, *size);
            of_routines.entry(routine.to_owned()).or_default().push(variable);
        }
    }
    of_routines
}

/// Returns the symbols of a kind whose values fit into 16 bits. Each has its index in `symbols` and
/// its value.
fn of_kind<'a>(
    symbols: &'a [&'a Symbol],
    kind: SymbolKind,
) -> impl Iterator<Item = (u32, u16)> + 'a {
    let numbered = (0..).zip(symbols).filter(move |(_, symbol)| symbol.kind == kind);
    numbered.filter_map(|(number, symbol)| Some((number, u16::try_from(symbol.value).ok()?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbol(name: &str, kind: SymbolKind, value: i64, size: u16) -> Symbol {
        Symbol { name: name.into(), kind, value, size, is_seed: false }
    }

    fn variable(name: &str, first: i64, size: u16) -> Symbol {
        symbol(name, SymbolKind::Variable, first, size)
    }

    fn label(name: &str, index: i64) -> Symbol {
        symbol(name, SymbolKind::Label, index, 1)
    }

    /// Returns a program of 12 words that has an erased word at index 10.
    fn words() -> Vec<Word> {
        (0..12).map(|n| if n == 10 { Word::ERASED } else { Word::ldi(n) }).collect()
    }

    fn names() -> Names {
        let symbols = [
            variable("all", 0, 64),
            variable("stack", 8, 8),
            variable("#0x05", 20, 1),
            label("loop", 3),
            label("again", 3),
            symbol("GREEN", SymbolKind::Constant, 0x1fe0, 1),
        ];
        Names::new(&symbols, &words())
    }

    #[test]
    fn bytes_are_named_after_the_smallest_variable_or_the_panel() {
        for (address, expected) in [
            (0x0000, "all"),
            (0x0008, "stack"),
            (0x000b, "stack+3"),
            (0x0010, "all+16"),
            (0x0014, "#0x05"),
            (0x0040, "0x0040"),
            (0x1fe0, "green row 0"),
            (0x1fef, "red row 7"),
            (0x1ff0, "0x1ff0"),
            (0x1ffe, "buttons"),
            (0x1fff, "mailbox"),
        ] {
            assert_eq!(names().byte(RamAddr::truncate(address)), expected);
        }
    }

    #[test]
    fn routines_that_share_a_byte_have_their_own_names_for_it() {
        let symbols =
            [variable("add.sum", 4, 2), variable("mul.product", 5, 2), variable("mul", 8, 1)];
        let names = Names::new(&symbols, &words());
        let of = |routine| -> Vec<String> {
            let name = |address| names.routine_variable(routine, RamAddr::truncate(address));
            (3..9).map(|address| name(address).unwrap_or_default()).collect()
        };
        assert_eq!(of("add"), ["", "add.sum", "add.sum+1", "", "", ""]);
        assert_eq!(of("mul"), ["", "", "mul.product", "mul.product+1", "", ""]);
        assert_eq!(of("div"), [""; 6]);
    }

    #[test]
    fn names_from_a_file_cannot_control_a_terminal() {
        let symbols = [variable("\x1b[2J", 0, 2), label("\u{202e}", 0)];
        let names = Names::new(&symbols, &words());
        assert_eq!(names.byte(RamAddr::truncate(1)), "\\u{1b}[2J+1");
        assert_eq!(names.label(RomIndex::default()), Some("\\u{202e}"));
    }

    fn symbols() -> impl Strategy<Value = Vec<Symbol>> {
        let variables = ("[a-d]{1,2}", 0..24_i64, 0..8_u16);
        let labels = ("[a-d]{1,2}", 0..24_i64);
        let symbol = prop_oneof![
            variables.prop_map(|(name, first, size)| variable(&name, first, size)),
            labels.prop_map(|(name, index)| label(&name, index)),
        ];
        prop::collection::vec(symbol, 0..12)
    }

    /// Returns the expected name of a place: the symbol and the distance from its first place.
    fn expected(place: u16, owner: Option<&Symbol>) -> Option<String> {
        owner.map(|symbol| match i64::from(place) - symbol.value {
            0 => symbol.name.clone(),
            offset => format!("{}+{offset}", symbol.name),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Checks the rule for bytes in the documentation of the module.
        #[test]
        fn each_byte_is_named_as_documented(symbols in symbols()) {
            let names = Names::new(&symbols, &[]);
            for place in 0..32 {
                let covers = |s: &&Symbol| {
                    s.kind == SymbolKind::Variable
                        && (s.value..s.value + i64::from(s.size)).contains(&i64::from(place))
                };
                let rank = |s: &&Symbol| (s.size, Reverse(s.value), s.name.clone());
                let owner = symbols.iter().filter(covers).min_by_key(rank);
                prop_assert_eq!(names.variable(RamAddr::truncate(place)), expected(place, owner));
            }
        }

        /// Checks the rule for instructions in the documentation of the module.
        #[test]
        fn each_instruction_is_named_as_documented(
            symbols in symbols(),
            burned in prop::collection::vec(any::<bool>(), 32),
        ) {
            let word = |burned| if burned { Word::ldi(0) } else { Word::ERASED };
            let words: Vec<Word> = burned.iter().copied().map(word).collect();
            let names = Names::new(&symbols, &words);
            for place in 0..32 {
                let reaches = |s: &&Symbol| {
                    let after = s.value + 1..=i64::from(place);
                    let between = (0..).zip(&words).filter(|(n, _)| after.contains(n));
                    s.kind == SymbolKind::Label
                        && s.value <= i64::from(place)
                        && between.into_iter().all(|(_, word)| *word != Word::ERASED)
                };
                let rank = |s: &&Symbol| (Reverse(s.value), s.name.clone());
                let owner = symbols.iter().filter(reaches).min_by_key(rank);
                let number = || format!("0x{place:04x}");
                let expected = expected(place, owner).unwrap_or_else(number);
                prop_assert_eq!(names.place(RomIndex::truncate(place)), expected);
            }
        }
    }
}
