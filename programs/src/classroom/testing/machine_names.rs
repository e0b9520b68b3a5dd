//! The names of the panel's bytes in test files. They mean the machine, whatever the program under
//! test calls by these names, so that no program can choose what its tests look at.

use std::sync::Arc;

use gray1_isa::{Image, RamAddr, Symbol, SymbolKind, panel};

/// The names, as `lib/panel.asm` defines them.
const NAMES: [(&str, RamAddr); 4] = [
    ("GREEN", panel::GREEN),
    ("RED", panel::RED),
    ("BUTTONS", panel::BUTTONS),
    ("MAILBOX", panel::MAILBOX),
];

/// Returns a program with the symbols that its tests see: the names of the panel are the machine's,
/// and what the program calls so begins with `program.`, as in `program.GREEN`.
pub fn with_machine_names(image: &Arc<Image>) -> Arc<Image> {
    let machine = NAMES.map(|(name, address)| Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Constant,
        value: address.get().into(),
        size: 1,
        is_seed: false,
    });
    // Inside a routine, its own names come first, so they are taken as well.
    let (taken, mut symbols): (Vec<Symbol>, Vec<Symbol>) =
        image.symbols().iter().cloned().partition(|symbol| {
            let last = symbol.name.rsplit('.').next();
            last.is_some_and(|last| NAMES.iter().any(|(name, _)| *name == last))
        });
    if taken.len() == machine.len() && taken.iter().all(|symbol| machine.contains(symbol)) {
        return Arc::clone(image);
    }
    let theirs = taken.into_iter().filter(|symbol| !machine.contains(symbol));
    symbols.extend(theirs.map(|it| Symbol { name: format!("program.{}", it.name), ..it }));
    symbols.extend(machine);
    // The names stay unique, and their values fit as before.
    Image::clone(image).with_symbols(symbols).map_or_else(|_| Arc::clone(image), Arc::new)
}
