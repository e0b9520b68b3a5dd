//! Checks breakpoints on wires. Forward and backward, they must stop at exactly those edges at
//! which the levels and changes of the wires fulfil the condition.

use std::sync::Arc;

use gray1_circuit::{Change, Noise};
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{BINARY_COUNTER, GRAY1, GRAY1_B, load, nearest};
use gray1_sim::{Hardware, Setup};

use super::super::watch_set::Matches;
use super::*;

/// Limits that lead to several checkpoints, and to search intervals that end between hits.
const LIMITS: HistoryLimits =
    HistoryLimits { checkpoints_max: 8, distance_min: 4, distance_max: 8, inputs_max: 8 };
const INSTRUCTIONS: u64 = 60;

fn engine(hardware: Hardware, image: &Image) -> Box<dyn Engine> {
    Setup { hardware, power_up: PowerUp::Random(5) }.engine(image).unwrap()
}

/// The observations of one wire at one edge.
struct Seen {
    name: String,
    before: bool,
    after: bool,
    moves: usize,
}

/// Examines all wires at each edge and each input. Returns the positions and the observations there.
fn edges(mut engine: Box<dyn Engine>, inputs: &[(u64, Input)]) -> Vec<(Position, Vec<Seen>)> {
    let mut edges = Vec::new();
    let mut inputs = inputs.iter().peekable();
    while engine.executed() < INSTRUCTIONS && !engine.halted() {
        let before = engine.circuit().unwrap().levels();
        let due = inputs.next_if(|(at, _)| *at == engine.executed() && engine.edges() == 0);
        match due {
            Some((_, Input::Hold(buttons))) => engine.hold(*buttons),
            Some((_, Input::Poke(address, byte))) => engine.poke(*address, *byte),
            Some((_, input)) => unreachable!("{input:?}"),
            None => drop(engine.edge()),
        }
        let circuit = engine.circuit().unwrap();
        let board = circuit.board();
        let seen = board.net_ids().map(|net| {
            let moved = |change: &&Change| change.net == net;
            Seen {
                name: board.net(net).name().to_owned(),
                before: before[net.index()],
                after: circuit.level(net),
                moves: circuit.changes().iter().filter(moved).count(),
            }
        });
        let position = Position { moment: engine.executed(), edges: engine.edges() };
        edges.push((position, seen.collect()));
    }
    edges
}

/// Returns true if an edge with these observations fulfils the condition in `text`.
fn is_true(text: &str, seen: &[Seen]) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let bus = format!("{}.", words[1]);
    let of_name = |wire: &&Seen| wire.name == words[1] || wire.name.starts_with(&bus);
    let wires: Vec<&Seen> = seen.iter().filter(of_name).collect();
    let moved = |wire: &&&Seen| wire.before != wire.after || wire.moves > 0;
    match (words[0], words.get(2).copied()) {
        ("glitch", None) => wires.iter().any(|wire| wire.moves > 1),
        ("double", None) => wires.iter().filter(moved).count() > 1,
        ("wire", Some("rises")) => wires.iter().any(|wire| !wire.before && wire.after),
        ("wire", Some("falls")) => wires.iter().any(|wire| wire.before && !wire.after),
        ("wire", Some("changes")) => wires.iter().any(|wire| moved(&wire)),
        ("wire", Some("=")) => wires.iter().all(|wire| wire.after) && !wires[0].before,
        _ => unreachable!("{text}"),
    }
}

/// Runs with one condition, forward and backward, and compares the stops with the expected ones.
/// Returns the number of stops.
fn compare(hardware: &Hardware, text: &str, image: &Image, inputs: &[(u64, Input)]) -> usize {
    let mut history = History::with_limits(engine(hardware.clone(), image), LIMITS);
    for (moment, input) in inputs {
        history.advance(moment - history.moment());
        history.give(*input);
    }
    history.seek(0);
    let wires = Wires::from_engine(history.engine()).unwrap();
    let condition = Condition::parse(text, Scope { image, wires: Some(&wires), at: None }).unwrap();
    let watch_set = WatchSet::new(vec![condition], history.engine());
    let seen = edges(engine(hardware.clone(), image), inputs);
    let expected = seen.iter().filter(|(_, seen)| is_true(text, seen)).map(|(at, _)| *at);
    let mut expected: Vec<Position> = expected.collect();
    expected.dedup();
    let mut found = Vec::new();
    while let RunResult::Hit(hit) = history.run(&watch_set, INSTRUCTIONS - history.moment()) {
        assert_eq!(hit.position(), history.position(), "{text}");
        assert_eq!(history.hit_now(&watch_set), Some(hit), "{text}");
        found.push(hit.position());
    }
    assert_eq!(found, expected, "{text}");
    for from in (0..expected.len()).rev().step_by(7) {
        let Position { moment, edges } = expected[from];
        history.seek_edge(moment, edges);
        let mut search = Search::new(&history, watch_set.clone());
        let mut back = Vec::new();
        while let Some(hit) = last_hit(&mut search, &history, 3) {
            back.push(hit.position());
        }
        back.reverse();
        assert_eq!(back, expected[..from], "{text}, back from {from}");
        let mut hits = HitCounts::default();
        hits.set(watch_set.clone(), []);
        assert!((0..=moment).any(|_| hits.recount(&history, 3)), "{text}, counted up to {from}");
        assert_eq!(hits.counts(), [from as u64 + 1], "{text}, counted up to {from}");
    }
    expected.len()
}

#[test]
fn changes_of_wires_are_found_at_their_edge_forward_and_back() {
    let image = random_program(&mut SplitMix64::new(3));
    let board = Arc::new(load(GRAY1).unwrap());
    let texts = ["wire PC_LOAD = 1", "wire PCL.0 rises", "wire BUS falls", "double IRL"];
    for text in texts.into_iter().chain(["wire AM.7 changes"]) {
        assert_ne!(
            compare(&Hardware::Chips(Arc::clone(&board), nearest), text, &image, &[]),
            0,
            "{text}"
        );
    }
    for text in texts.into_iter().chain(["glitch BUS"]) {
        assert_ne!(
            compare(&Hardware::Timed(Arc::clone(&board), Noise::seeded(9)), text, &image, &[]),
            0,
            "{text}"
        );
    }
}

/// Two inputs at one moment give one hit.
#[test]
fn wires_that_an_input_changes_are_found_at_its_moment_forward_and_back() {
    let image = random_program(&mut SplitMix64::new(3));
    let board = Arc::new(load(GRAY1_B).unwrap());
    let led = |row, byte| Input::Poke(RamAddr::truncate(panel::GREEN.get() + row), byte);
    let hold = |buttons| Input::Hold(Buttons(buttons));
    let inputs = [(4, hold(4)), (7, led(2, 0x55)), (7, hold(5)), (20, hold(0)), (20, led(2, 0xff))];
    for hardware in
        [Hardware::Chips(Arc::clone(&board), nearest), Hardware::Timed(board, Noise::seeded(9))]
    {
        for (text, count) in
            [("wire BUTTON.2 rises", 1), ("wire BUTTON changes", 3), ("double GREEN2", 2)]
        {
            assert!(compare(&hardware, text, &image, &inputs) >= count, "{text}");
        }
        compare(&hardware, "wire BUS changes", &image, &inputs);
    }
}

#[test]
fn a_binary_counter_changes_two_wires_at_once_but_a_gray_counter_does_not() {
    // Without a jump, the counter only counts and is never loaded.
    let image = Image::from_words(&[Word::ldi(1); 12]).unwrap();
    let count = |text: &str| {
        let hardware = Hardware::Chips(Arc::new(load(text).unwrap()), nearest);
        let mut history = History::new(engine(hardware, &image));
        let wires = Wires::from_engine(history.engine()).unwrap();
        let scope = Scope { image: &image, wires: Some(&wires), at: None };
        let condition = Condition::parse("double PCL", scope).unwrap();
        let watch_set = WatchSet::new(vec![condition], history.engine());
        (0..)
            .take_while(|_| matches!(history.run(&watch_set, 10), RunResult::Hit(_)))
            .take(5)
            .count()
    };
    assert_eq!(count(GRAY1), 0);
    assert_eq!(count(BINARY_COUNTER), 5);
}

/// A store writes data memory before its last edge, but is reported only when it is complete.
#[test]
fn breakpoints_on_a_wire_and_on_its_instruction_both_stop() {
    let image = image(&[Word::ldi(7), Word::data(Op::St, RamAddr::truncate(3)), Word::shr()]);
    let mut history =
        History::new(engine(Hardware::Chips(Arc::new(load(GRAY1).unwrap()), nearest), &image));
    let wires = Wires::from_engine(history.engine()).unwrap();
    let scope = Scope { image: &image, wires: Some(&wires), at: None };
    let conditions = ["wire nWE falls", "write 3", "wire nWE rises"];
    let conditions = conditions.map(|text| Condition::parse(text, scope).unwrap());
    let [Event::Wires(falls), _, Event::Wires(rises)] = conditions.each_ref().map(Condition::event)
    else {
        panic!("two of wires")
    };
    let watch_set = WatchSet::new(conditions.to_vec(), history.engine());
    let mut descriptions = Vec::new();
    for ((moment, edges), matches, is_store) in [
        ((1, 6), Matches::from_numbers(&[0]), false),
        ((1, 7), Matches::from_numbers(&[2]), false),
        ((2, 0), Matches::from_numbers(&[1]), true),
    ] {
        let RunResult::Hit(hit) = history.run(&watch_set, 10) else { panic!("no hit") };
        assert_eq!((hit.position(), hit.matches), (Position { moment, edges }, matches));
        assert_eq!(hit.executed.map(|it| it.word.op()), is_store.then_some(Op::St));
        history.edge_back();
        let before = history.engine().circuit().unwrap().levels();
        history.edge();
        let circuit = history.engine().circuit().unwrap();
        descriptions.extend([falls, rises].map(|event| event.describe(&before, circuit)));
    }
    assert_eq!(descriptions, ["nWE fell", "nWE fell", "nWE rose", "nWE rose", "", ""]);
    let signal = Signal::named("nWE", history.engine().circuit().unwrap().board());
    assert_eq!(signal.unwrap().name(), "nWE");
}

#[test]
fn conditions_that_an_engine_does_not_support_are_refused() {
    let image = Image::from_words(&[Word::ldi(1)]).unwrap();
    let chips = Wires::from_engine(&*engine(
        Hardware::Chips(Arc::new(load(GRAY1).unwrap()), nearest),
        &image,
    ))
    .unwrap();
    let problem = |text: &str, wires: Option<&Wires>| {
        Condition::parse(text, Scope { image: &image, wires, at: None }).unwrap_err().to_string()
    };
    let no_wires = "column 1: needs --engine chips or timed: this engine has no wires";
    assert_eq!(problem("wire PCL.3 rises", None), no_wires);
    let no_glitches = "column 1: needs --engine timed: this engine has no glitches";
    assert_eq!(problem("glitch PCL.3", Some(&chips)), no_glitches);
    assert_eq!(
        problem("double PCX", Some(&chips)),
        "column 8: the board has no wire `PCX`; did you mean `PCH`?"
    );
    let no_change = "column 12: expected rises, falls, changes or '=', found the end";
    assert_eq!(problem("wire PCL.3 ", Some(&chips)), no_change);
}

/// Spaces around `=` do not matter, and `line` can replace `wire`, as in older files.
#[test]
fn spaces_and_the_older_keyword_are_accepted_in_a_condition() {
    let image = image(&[Word::ldi(1)]);
    let chips = Wires::from_engine(&*engine(
        Hardware::Chips(Arc::new(load(GRAY1).unwrap()), nearest),
        &image,
    ))
    .unwrap();
    let scope = Scope { image: &image, wires: Some(&chips), at: None };
    let parsed = |text: &str| Condition::parse(text, scope).unwrap();
    for (text, other) in [
        ("wire PC=0x1f", "wire PC = 0x1f"),
        ("wire PCL.3=1", "wire PCL.3 = 1"),
        ("wire BUS=0xff", "wire BUS = 0xff"),
    ] {
        assert_eq!(parsed(text), parsed(other));
        assert_ne!(parsed(text), parsed("wire PC = 0"));
    }
}

#[test]
fn a_label_may_have_the_name_wire() {
    let symbols = vec![symbol("wire", SymbolKind::Label, 2, 1)];
    let image = Image::from_words(&[Word::ldi(1)]).unwrap().with_symbols(symbols).unwrap();
    for (text, index) in [("wire", 2), ("wire + 1", 3), ("wire if A > 3", 2)] {
        let condition = Condition::parse(text, &image).unwrap();
        assert_eq!(condition.event(), &Event::reaches(RomIndex::truncate(index)), "{text}");
    }
}
