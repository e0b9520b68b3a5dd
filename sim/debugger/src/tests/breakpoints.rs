//! Tests of breakpoints: their syntax, their binding to another program, and the reason for a stop.

use std::sync::Arc;

use gray1_isa::{Expansion, ExpansionKind, Origin, SourceFile, SourceLine, SourceMap};

use super::*;

/// A program with a loop at `first_label` that increments the byte at `pair + 1` and prints it. The
/// store is on line 3, in a macro that is called on line 5.
fn counting(first_label: &str, padding: u16) -> Image {
    let n = RamAddr::truncate(4);
    let mut words = vec![Word::ldi(0); usize::from(padding)];
    let start = RomIndex::truncate(padding);
    words.extend([
        Word::ldi(1),
        Word::data(Op::Add, n),
        Word::data(Op::St, n),
        Word::data(Op::St, panel::MAILBOX),
        Word::jump(Op::Jmp, start),
    ]);
    let symbols = vec![
        symbol(first_label, SymbolKind::Label, i64::from(start.get()), 1),
        symbol("pair", SymbolKind::Variable, 3, 2),
    ];
    let at = |line| SourceLine { file: 0, line };
    let file = SourceFile { name: "count.asm".into(), lines: vec![""; 9].into() };
    let call = Expansion { kind: ExpansionKind::Macro("bump".into()), call: at(5), parent: None };
    let origin = |line, expansion| Some(Origin { place: at(line), expansion });
    let mut origins = vec![None; usize::from(padding)];
    origins.extend([origin(1, None), origin(2, Some(0)), origin(3, Some(0)), origin(6, None)]);
    let map = SourceMap::new(vec![file], vec![call], origins).unwrap();
    image(&words).with_symbols(symbols).unwrap().with_source_map(map)
}

/// Returns the moment of a breakpoint's first hit, and the reason for the stop.
fn stop(text: &str, image: &Image) -> (u64, String) {
    let mut history = history(image);
    match history.run(&watch_set(&[text.to_owned()], image), 1000) {
        RunResult::Hit(hit) => (hit.moment, stop_reason::describe_hit(&hit, image)),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn breakpoints_stop_with_a_reason() {
    let image = counting("start", 0);
    let store = "by ST at start+2 (count.asm:3)";
    let read = "read by ADD at start+1 (count.asm:2)";
    let print = "by ST at start+3 (count.asm:6)";
    for (text, moment, expected) in [
        ("start + 1", 1, "at start+1 (count.asm:2)".to_owned()),
        ("0x2", 2, "at start+2 (count.asm:3)".to_owned()),
        ("start", 5, "at start (count.asm:1)".to_owned()),
        ("4", 4, "at start+4".to_owned()),
        (":4", 1, "at start+1 (count.asm:2)".to_owned()),
        (":6 if A == 2", 8, "at start+3 (count.asm:6)".to_owned()),
        ("start if [pair + 1] == 2", 10, "at start (count.asm:1)".to_owned()),
        ("write pair", 3, format!("pair+1: 00 -> 01 {store}")),
        ("write pair + 1 if A == 3", 13, format!("pair+1: 02 -> 03 {store}")),
        ("read pair", 2, format!("pair+1: 00 {read}")),
        ("access pair if [4]", 3, format!("pair+1: 00 -> 01 {store}")),
        ("mailbox", 4, format!("mailbox: 00 -> 01 {print}")),
        ("mailbox 3", 14, format!("mailbox: 02 -> 03 {print}")),
        ("mailbox if A == 2", 9, format!("mailbox: 01 -> 02 {print}")),
        ("when [4] == 2 && A == 2", 8, format!("pair+1: 01 -> 02 {store}")),
        ("when A > 3", 17, format!("pair+1: 03 {read}")),
        ("when PC == 1", 1, "LDI 0x01 at start (count.asm:1)".to_owned()),
    ] {
        assert_eq!(stop(text, &image), (moment, expected), "{text}");
    }
}

/// A green and a red LED share each square. Bytes next to the display change no square.
#[test]
fn a_breakpoint_on_a_square_stops_when_one_of_its_leds_changes() {
    let rows = [0x1fdf, 0x1fe0, 0x1fe3, 0x1fe7, 0x1fe8, 0x1feb, 0x1fef, 0x1ff0];
    for address in rows.map(RamAddr::truncate) {
        for (old, new) in [(0, 0x81), (0x81, 0x18), (0xff, 0xff), (0xf0, 0xff)] {
            let words = [old, new].map(|byte| [Word::ldi(byte), Word::data(Op::St, address)]);
            let image = image(words.as_flattened());
            for row in 0..8 {
                let squares: Vec<String> =
                    (0..8).map(|column| format!("led {row}, {column}")).collect();
                let mut history = history(&image);
                history.run(&WatchSet::default(), 2);
                let matches = match history.run(&watch_set(&squares, &image), 2) {
                    RunResult::Hit(hit) => hit.matches,
                    _ => Matches::default(),
                };
                let is_there = [0x1fe0 + row, 0x1fe8 + row].contains(&address.get());
                for column in 0..8 {
                    let changes = is_there && (old ^ new) >> column & 1 == 1;
                    assert_eq!(matches.contains(column), changes, "{address:?} {row}, {column}");
                }
            }
            let mut history = history(&image);
            history.run(&WatchSet::default(), 2);
            let store = watch_set(&[format!("write {}", address.get())], &image);
            let RunResult::Hit(hit) = history.run(&store, 2) else { panic!("it is written") };
            let is_led = (0x1fe0..0x1ff0).contains(&address.get());
            let write = hit.executed.unwrap().write.unwrap();
            assert_eq!(write.changes_led(), is_led && old != new, "{address:?}: {old} {new}");
        }
    }
}

/// Watched instructions cost time, so a condition must watch only the instructions that could make
/// it true.
#[test]
fn a_condition_watches_the_instructions_that_could_cause_it() {
    let n = RamAddr::truncate(4);
    let led = |first: RamAddr, row| RamAddr::truncate(first.get() + row);
    let image = image(&[
        Word::data(Op::Ld, n),
        Word::data(Op::St, n),
        Word::data(Op::St, led(panel::GREEN, 2)),
        Word::data(Op::St, led(panel::RED, 2)),
        Word::data(Op::St, led(panel::RED, 3)),
        Word::data(Op::Nand, led(panel::RED, 2)),
        Word::data(Op::St, panel::MAILBOX),
        Word::data(Op::Add, panel::MAILBOX),
        Word::data(Op::St, RamAddr::truncate(5)),
        Word::jump(Op::Jmp, RomIndex::default()),
    ]);
    for (text, expected) in [
        ("9", &[9][..]),
        ("read 4", &[0]),
        ("write 4", &[1]),
        ("access 4", &[0, 1]),
        ("led", &[2, 3, 4]),
        ("led if A > 3", &[2, 3, 4]),
        ("led 2, 7", &[2, 3]),
        ("led 2 7", &[2, 3]),
        ("led 3, 0 if C", &[4]),
        ("mailbox", &[6]),
        ("mailbox if A", &[6]),
        ("when [4] == 2", &[1]),
        ("when [5] > [4]", &[1, 8]),
    ] {
        let condition = Condition::parse(text, &image).unwrap();
        assert_eq!(condition.guard().is_some(), text.contains(" if "), "{text}");
        let watched = condition.instructions(|index| image.word(index));
        let watched: Vec<u16> = watched.iter().map(RomIndex::get).collect();
        assert_eq!(watched, expected, "{text}");
    }
}

/// If a library macro stores a byte, its user wants to see the line of the call.
#[test]
fn code_of_a_library_is_reported_at_the_line_that_calls_it() {
    let image = counting("start", 0);
    let map = image.source_map();
    let program = map.files()[0].clone();
    let library = SourceFile { name: "library.asm".into(), ..program.clone() };
    let in_library = |origin: Origin| match origin.expansion {
        Some(_) => Origin { place: SourceLine { file: 1, ..origin.place }, ..origin },
        None => origin,
    };
    let origins = map.origins().iter().map(|origin| origin.map(in_library)).collect();
    let map = SourceMap::new(vec![program, library], map.expansions().to_vec(), origins).unwrap();
    let image = image.with_source_map(map);
    let (_, reason) = stop("write pair", &image);
    assert_eq!(reason, "pair+1: 00 -> 01 by ST at start+2 (count.asm:5)");
}

#[test]
fn mistakes_are_reported_with_their_column() {
    let image = counting("start", 0);
    for (text, expected) in [
        ("", "column 1: expected a value, found the end"),
        ("write", "column 6: expected a value, found the end"),
        ("write pear", "column 7: the program has no `pear`"),
        ("wriet pair", "column 1: the program has no `wriet`; did you mean `write`?"),
        ("strat + 1", "column 1: the program has no `strat`; did you mean `start`?"),
        ("when [pari]", "column 7: the program has no `pari`; did you mean `pair`?"),
        (
            "when pair == 8",
            "column 6: this condition never changes: write [pair] for the byte at pair",
        ),
        ("start if 1", "column 10: this condition never changes: write [n] for the byte at n"),
        (
            "led if pair + 1",
            "column 8: this condition never changes: write [pair] for the byte at pair",
        ),
        (
            "pair + 1 == 8",
            "column 1: this condition never changes, and a comparison is not a place: write when \
             [pair] + 1 == 8",
        ),
        ("[pair] == A", "column 1: a comparison is not a place: write when [pair] == A"),
        (
            "write !pair",
            "column 7: this condition never changes, and a comparison is not a place: write when \
             ![pair]",
        ),
        ("start == 8", "column 1: this condition never changes: write [n] for the byte at n"),
        (":7", "column 2: no instruction at or after this line"),
        (":99999", "column 2: no instruction at or after this line"),
        (":", "column 2: expected a value, found the end"),
        ("write A", "column 7: this address cannot depend on registers or memory"),
        ("read 0x2000", "column 6: 8192 is outside data memory 0 to 8191"),
        ("start - 1", "column 1: -1 is outside program memory 0 to 8191"),
        ("pair", "column 1: `pair` is in data memory: use write pair, read pair or access pair"),
        (
            "green row 1",
            "column 1: `green row 1` is in data memory: use write green row 1, read green row 1 \
             or access green row 1",
        ),
        ("led 8, 0", "column 5: expected a row and a column from 0 to 7, found 8"),
        ("led 1", "column 6: expected a comma and a column, found the end"),
        ("mailbox 256", "column 9: expected a byte, 0 to 255, found 256"),
        ("start if", "column 9: expected a value, found the end"),
        ("start iff 1", "column 7: expected an operator or the end, found 'i'"),
    ] {
        assert_eq!(Condition::parse(text, &image).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn a_disabled_breakpoint_does_not_stop() {
    let image = Arc::new(counting("start", 0));
    let mut debugger = Debugger::new(Arc::clone(&image), history(&image))
        .with_breakpoints(Arc::new(breakpoints(&["mailbox", "write pair"], &image)));
    let mut stop = || {
        debugger.go(Goal::Run).unwrap();
        let stop = debugger.advance(100);
        (debugger.position().moment, stop, debugger.hits().counts)
    };
    assert_eq!(stop(), (3, Some(Stop::Breakpoints(vec![2])), [0, 1].into()));
    assert_eq!(stop(), (4, Some(Stop::Breakpoints(vec![1])), [1, 1].into()));
    debugger.change_breakpoints(|breakpoints, _| breakpoints.enable(1, false));
    let mut stop = || {
        debugger.go(Goal::Run).unwrap();
        (debugger.advance(100), debugger.position().moment)
    };
    assert_eq!(stop(), (Some(Stop::Breakpoints(vec![1])), 9));
}

#[test]
fn breakpoints_are_bound_again_in_another_program() {
    let mut breakpoints = breakpoints(&["start + 2"], &counting("start", 0));
    let at = |breakpoints: &Breakpoints, index| breakpoints.at(RomIndex::truncate(index));
    assert_eq!(at(&breakpoints, 2), Some(0));
    bound(&counting("start", 7), |binding| breakpoints.bind(binding));
    assert_eq!((at(&breakpoints, 2), at(&breakpoints, 9)), (None, Some(0)));
    // In a program where the condition has no meaning, the breakpoint stays unbound.
    bound(&counting("begin", 0), |binding| breakpoints.bind(binding));
    assert_eq!(at(&breakpoints, 2), None);
    let problem = breakpoints.list()[0].bound.as_ref().unwrap_err();
    assert_eq!(problem, "column 1: the program has no `start`");
    bound(&counting("start", 0), |binding| breakpoints.bind(binding));
    assert_eq!(at(&breakpoints, 2), Some(0));
}

#[test]
fn reported_places_can_be_typed_as_breakpoints() {
    let image = counting("start", 3);
    for index in [0, 2, 3, 5, 8191] {
        let index = RomIndex::truncate(index);
        let breakpoints = breakpoints(&[&image.names().place(index)], &image);
        assert_eq!(breakpoints.at(index), Some(0));
    }
}

#[test]
fn breakpoints_beyond_the_maximum_stay_unbound() {
    let image = counting("start", 0);
    let mut breakpoints = breakpoints(&["led"; CONDITIONS_MAX - 3], &image);
    let led = || BreakpointRequest::text("led");
    bound(&image, |binding| {
        assert!(breakpoints.is_full());
        breakpoints.add(led(), binding);
        let last = breakpoints.list().last().unwrap();
        assert_eq!(
            last.bound.as_ref().unwrap_err(),
            "there are already 61 breakpoints, the maximum"
        );
        breakpoints.remove(CONDITIONS_MAX - 3);
        breakpoints.remove(3);
        assert!(!breakpoints.is_full());
        breakpoints.add(led(), binding);
        assert!(breakpoints.list().last().unwrap().bound.is_ok());
    });
}

/// A store writes memory in T6, so the expression is already true when a wire stops the machine in
/// T7. The condition must nevertheless be hit at the end of the instruction.
#[test]
fn a_condition_is_hit_even_if_its_instruction_was_interrupted() {
    let store = Word::data(Op::St, RamAddr::truncate(0));
    let image = Arc::new(image(&[Word::ldi(1), store, Word::shr()]));
    let [_, chips, _] = super::engines::engines(&image, 0);
    let mut debugger = Debugger::new(Arc::clone(&image), History::new(chips));
    debugger.change_breakpoints(|breakpoints, program| {
        for text in ["wire PHASE.0 changes", "when [0] == 1"] {
            breakpoints.add(BreakpointRequest::text(text), program);
        }
    });
    let mut stops = Vec::new();
    while debugger.position() < Position::at(2) {
        debugger.go(Goal::Run).unwrap();
        stops.push(debugger.advance(100).unwrap());
    }
    assert_eq!(debugger.position(), Position::at(2));
    assert_eq!(stops.last(), Some(&Stop::Breakpoints(vec![2])));
}
