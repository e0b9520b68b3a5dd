//! Compares the debugger with a model that keeps every state and checks for hits at each moment.

mod breakpoints;
mod damaged;
mod engines;
mod execution_counts;
mod expressions;
mod first_writes;
mod levels;
mod memory;
mod model;
mod past;
mod presses;
mod steps;
mod trail;
mod waves;
mod why;
mod wires;

use std::collections::BTreeMap;

use gray1_isa::panel::{self, Buttons};
use gray1_isa::{Image, Op, PowerUp, RamAddr, RomIndex, Symbol, SymbolKind, Word};
use gray1_sim::{Engine, Machine, Registers};
use proptest::prelude::*;

use super::checkpoints::HistoryLimits;
use super::hits::HitCounts;
use super::*;
use model::Model;

/// Limits that are so small that short programs reach them all.
const SMALL: HistoryLimits =
    HistoryLimits { checkpoints_max: 6, distance_min: 4, distance_max: 32, inputs_max: 8 };

/// Generates programs whose instructions often affect each other: they use few addresses, short
/// jumps, LEDs and the mailbox.
fn programs() -> impl Strategy<Value = Vec<Word>> {
    let word = (0..8_u8, 0..0x2000_u16).prop_map(|(code, x)| match Op::from_code(code) {
        Op::Ldi => Word::ldi(x as u8),
        Op::Shr => Word::shr(),
        op @ (Op::Jc | Op::Jmp) => Word::jump(op, RomIndex::truncate(x % 24)),
        op if x % 4 == 0 => Word::data(op, RamAddr::truncate(0x1fe0 + x / 4 % 32)),
        op => Word::data(op, RamAddr::truncate(x % 6)),
    });
    prop::collection::vec(word, 1..24)
}

/// An action of a user.
#[derive(Debug, Clone)]
enum Action {
    Run(u64),
    Advance(u64),
    Seek(u64),
    Back,
    Give(Input),
}

fn inputs() -> impl Strategy<Value = Input> {
    prop_oneof![
        1 => Just(Input::Reset),
        2 => any::<u8>().prop_map(|held| Input::Hold(Buttons(held))),
        2 => (prop_oneof![0..6_u16, 0x1fe0..0x2000_u16], any::<u8>())
            .prop_map(|(at, byte)| Input::Poke(RamAddr::truncate(at), byte)),
        1 => (any::<u8>(), any::<bool>(), 0..24_u16).prop_map(|(a, carry, pc)| {
            Input::Load(Registers { a, carry, pc: RomIndex::truncate(pc) })
        }),
    ]
}

/// Generates inputs at moments that are not known yet, not in order of time.
fn schedules() -> impl Strategy<Value = Vec<(u64, Input)>> {
    prop::collection::vec((0..100_u64, inputs()), 0..5)
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        3 => (0..60_u64).prop_map(Action::Run),
        2 => (0..40_u64).prop_map(Action::Advance),
        3 => (0..150_u64).prop_map(Action::Seek),
        3 => Just(Action::Back),
        6 => inputs().prop_map(Action::Give),
    ];
    prop::collection::vec(action, 1..40)
}

/// Generates conditions of every kind for the addresses that the programs use.
fn conditions() -> impl Strategy<Value = Vec<String>> {
    let condition = prop_oneof![
        (0..24_u8).prop_map(|index| index.to_string()),
        (0..6_u8).prop_map(|address| format!("write {address}")),
        (0..6_u8).prop_map(|address| format!("read {address}")),
        (0..6_u8).prop_map(|address| format!("access {address} if C")),
        Just("led".to_owned()),
        (0..8_u8, 0..8_u8).prop_map(|(row, column)| format!("led {row}, {column}")),
        Just("mailbox".to_owned()),
        Just("mailbox 0 if A < 128".to_owned()),
        (0..6_u8).prop_map(|address| format!("when [{address}] > 7")),
        Just("when [[0]] == A".to_owned()),
        Just("when PC % 5 == 2 && !C".to_owned()),
        Just("when A & 0x1ffe == [0x1ffe]".to_owned()),
        Just("unwritten".to_owned()),
        Just("unwritten if C".to_owned()),
    ];
    prop::collection::vec(condition, 0..4)
}

/// Generates hit conditions for the first few conditions.
fn hit_conditions() -> impl Strategy<Value = Vec<Option<HitCondition>>> {
    let texts = vec!["1", "== 3", "> 2", "<= 2", "% 2", "% 3"];
    let hit_condition =
        prop::sample::select(texts).prop_map(|text| HitCondition::parse(text).unwrap());
    prop::collection::vec(prop::option::of(hit_condition), 0..4)
}

fn image(words: &[Word]) -> Image {
    Image::from_words(words).unwrap()
}

fn symbol(name: &str, kind: SymbolKind, value: i64, size: u16) -> Symbol {
    Symbol { name: name.into(), kind, value, size, is_seed: false }
}

fn watch_set(texts: &[String], image: &Image) -> WatchSet {
    let conditions = texts.iter().map(|text| Condition::parse(text, image).unwrap());
    WatchSet::new(conditions.collect(), &Machine::new(image, PowerUp::Zero))
}

fn history(image: &Image) -> History {
    History::new(Box::new(Machine::new(image, PowerUp::Zero)))
}

proptest! {
    // The model examines every moment since power-up repeatedly, so a few cases must be enough.
    #![proptest_config(ProptestConfig {
        cases: 48, failure_persistence: None, ..Default::default()
    })]

    #[test]
    fn running_and_going_back_agree_with_a_model_that_keeps_every_state(
        words in programs(),
        seed in any::<u64>(),
        texts in conditions(),
        hit_conditions in hit_conditions(),
        schedule in schedules(),
        actions in actions(),
        budget in 1..50_u64,
        records_first_writes in any::<bool>(),
    ) {
        let image = image(&words);
        let unwritten = self::watch_set(&["unwritten".to_owned()], &image);
        let watch_set = watch_set(&texts, &image);
        let machine = Machine::new(&image, PowerUp::Random(seed));
        let mut model = Model::new(machine.boxed_clone(), schedule.clone(), &texts, &image);
        let mut history = History::with_limits(Box::new(machine), SMALL).with_schedule(schedule);
        if records_first_writes {
            history.prepare(&unwritten);
        }
        history.receive_inputs();
        for action in actions {
            match action {
                Action::Run(limit) => {
                    prop_assert_eq!(history.run(&watch_set, limit), model.run(limit));
                }
                Action::Advance(count) => {
                    history.advance(count);
                    model.advance(count);
                }
                Action::Seek(moment) => {
                    history.seek(moment);
                    model.seek(moment, history.start());
                }
                Action::Back => {
                    let mut search = Search::new(&history, watch_set.clone());
                    let expected = model.hits_before(&history);
                    // Check more than the last hit, because users can continue a search after it.
                    for hit in expected.iter().take(3) {
                        prop_assert_eq!(last_hit(&mut search, &history, budget), Some(*hit));
                    }
                    check_numbered(&history, &watch_set, budget, &expected, &hit_conditions);
                }
                Action::Give(input) => {
                    history.give(input);
                    model.give(input);
                }
            }
            // At first, the past has to be executed again to find its writes.
            history.prepare(&watch_set);
            prop_assert_eq!(history.engine().save(), model.now());
            prop_assert_eq!(
                (history.moment(), history.end()),
                (model.moment(), model.end())
            );
            let output = model.output_since_reset();
            let lines = output.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
            prop_assert_eq!(history.printed_lines(), lines);
            prop_assert_eq!(history.printed(), output.len() as u64);
            prop_assert_eq!(history.output(5), &output[output.len().saturating_sub(5)..]);
            let hit_now = model.hit_now(&history);
            prop_assert_eq!(history.hit_now(&watch_set), hit_now);
            let hits = model.hits_before(&history).into_iter().rev().chain(hit_now);
            check_hits(&history, &watch_set, budget, &hits.collect::<Vec<Hit>>());
            prop_assert!(history.checkpoints().len() <= SMALL.checkpoints_max);
            if records_first_writes {
                check_first_writes(&history, &model);
            }
        }
    }

    #[test]
    fn the_moment_that_printed_a_byte_is_found(
        words in programs(),
        seed in any::<u64>(),
        count in 0..100_u64,
    ) {
        let machine = Machine::new(&image(&words), PowerUp::Random(seed));
        let mut history = History::with_limits(machine.boxed_clone(), SMALL);
        history.advance(count);
        let mut machine = machine;
        let mut byte = 0;
        for moment in 1..=count {
            let Some(executed) = machine.step() else { break };
            if executed.write.is_some_and(|write| write.address == panel::MAILBOX) {
                prop_assert_eq!(history.moment_printed(byte), Some(moment));
                byte += 1;
            }
        }
        prop_assert_eq!(history.moment_printed(byte), None);
        prop_assert_eq!(history.all_output().1.len() as u64, byte);
    }
}

/// Checks that the history knows which of the bytes that programs use are still unwritten.
fn check_first_writes(history: &History, model: &Model) {
    let first_writes = history.first_writes().unwrap();
    for address in (0..6).chain(0x1fe0..0x2000).map(RamAddr::truncate) {
        let is_unwritten = first_writes.is_unwritten(address, history.moment());
        assert_eq!(is_unwritten, model.is_unwritten_now(address), "{address:?}");
    }
}

/// Checks that a search with hit conditions finds exactly the given hits that satisfy the
/// conditions, the latest first.
fn check_numbered(
    history: &History,
    watch_set: &WatchSet,
    budget: u64,
    hits: &[Hit],
    hit_conditions: &[Option<HitCondition>],
) {
    let mut counts = vec![0; watch_set.len()];
    let mut wanted = vec![None];
    for hit in hits.iter().rev() {
        hit.matches.count(&mut counts);
        let is_for = |number: usize| match hit_conditions.get(number) {
            Some(Some(condition)) => condition.is_for(counts[number]),
            _ => true,
        };
        if (0..CONDITIONS_MAX).any(|number| hit.matches.contains(number) && is_for(number)) {
            wanted.push(Some((*hit, counts.clone())));
        }
    }
    let mut counted = HitCounts::default();
    counted.set(watch_set.clone(), hit_conditions.iter().copied());
    count_all(&mut counted, history, budget);
    let mut search = Search::new(history, watch_set.clone());
    for wanted in wanted.into_iter().rev().take(3) {
        let found = last_hit_counting(&mut search, history, &counted, budget);
        assert_eq!(found, wanted.as_ref().map(|(hit, _)| *hit));
        if let Some((_, counts)) = wanted.filter(|_| counted.are_needed()) {
            assert_eq!(search.counts(), counts);
        }
    }
}

fn count_all(counts: &mut HitCounts, history: &History, budget: u64) {
    let mut slices = 0..=history.moment() + 1;
    assert!(slices.any(|_| counts.recount(history, budget)), "it would count for ever");
}

/// Checks that these hits are counted, both at once and in slices.
fn check_hits(history: &History, watch_set: &WatchSet, budget: u64, hits: &[Hit]) {
    let mut counted = HitCounts::default();
    counted.set(watch_set.clone(), []);
    let mut at_once = counted.clone();
    count_all(&mut counted, history, budget);
    at_once.find(history);
    for (number, count) in counted.counts().iter().enumerate() {
        let expected = hits.iter().filter(|hit| hit.matches.contains(number)).count();
        assert_eq!(*count, expected as u64);
    }
    if at_once.are_complete(history) {
        assert_eq!(at_once.shown(), counted.shown());
    }
}

/// Returns breakpoints with these conditions.
fn breakpoints(texts: &[&str], image: &Image) -> Breakpoints {
    let mut breakpoints = Breakpoints::default();
    bound(image, |binding| {
        for text in texts {
            breakpoints.add(BreakpointRequest::text(text), binding);
        }
    });
    breakpoints
}

/// Calls a function with the facts that are needed to bind breakpoints to a program.
fn bound<T>(image: &Image, bind: impl FnOnce(BindingContext) -> T) -> T {
    let lines = SourceLines::new(image.source_map());
    bind(BindingContext { scope: image.into(), lines: &lines, sources: &BTreeMap::new() })
}

/// Returns the next hit of a search, which runs in slices.
fn last_hit(search: &mut Search, history: &History, budget: u64) -> Option<Hit> {
    last_hit_counting(search, history, &HitCounts::default(), budget)
}

fn last_hit_counting(
    search: &mut Search,
    history: &History,
    hits: &HitCounts,
    budget: u64,
) -> Option<Hit> {
    let mut down_to = history.moment();
    for _ in 0..100_000 {
        match search.advance_counting(history, hits, budget) {
            SearchResult::Hit(hit) => return Some(hit),
            SearchResult::Nothing => return None,
            SearchResult::DownTo(moment) => {
                assert!(moment <= down_to, "progress goes back");
                down_to = moment;
            }
        }
    }
    panic!("it would search for ever");
}

#[test]
fn a_search_for_something_impossible_ends_at_once() {
    let image = image(&[Word::ldi(1), Word::jump(Op::Jmp, RomIndex::default())]);
    let mut history = history(&image);
    history.advance(10_000_000);
    let watch_set = watch_set(&["write 5".into()], &image);
    assert_eq!(Search::new(&history, watch_set).advance(&history, 0), SearchResult::Nothing);
}

/// Each slice searches as many instructions as its budget allows. Later intervals come first.
#[test]
fn a_search_reports_its_progress() {
    let (store, to_start) = (Word::data(Op::St, RamAddr::truncate(5)), RomIndex::default());
    let image = image(&[store, Word::jump(Op::Jmp, to_start)]);
    let limits =
        HistoryLimits { checkpoints_max: 100, distance_min: 10, distance_max: 10, inputs_max: 8 };
    let machine = Machine::new(&image, PowerUp::Zero);
    let mut history = History::with_limits(Box::new(machine), limits);
    history.advance(100);
    let watch_set = watch_set(&["write 5 if A".into()], &image);
    let mut search = Search::new(&history, watch_set.clone());
    let slices = [(); 4].map(|()| search.advance(&history, 25));
    assert_eq!(
        slices,
        [
            SearchResult::DownTo(80),
            SearchResult::DownTo(50),
            SearchResult::DownTo(30),
            SearchResult::Nothing
        ]
    );
    let mut hits = HitCounts::default();
    hits.set(watch_set, []);
    // A slice has half as many instructions as above, because each evaluates a condition.
    let slices = [(); 9].map(|()| hits.recount(&history, 25));
    assert_eq!(slices.iter().position(|is_done| *is_done), Some(8));
}

/// A search for hits with certain numbers executes each interval only once, however many hits it
/// has.
#[test]
fn a_search_for_the_first_of_many_hits_executes_the_past_once() {
    let image =
        image(&[Word::data(Op::Ld, RamAddr::default()), Word::jump(Op::Jmp, RomIndex::default())]);
    let distance = 1 << 14;
    let limits = HistoryLimits {
        checkpoints_max: 8,
        distance_min: distance,
        distance_max: distance,
        inputs_max: 8,
    };
    let machine = Machine::new(&image, PowerUp::Zero);
    let mut history = History::with_limits(Box::new(machine), limits);
    history.advance(100_001);
    let watch_set = watch_set(&["read 0".into()], &image);
    let mut hits = HitCounts::default();
    hits.set(watch_set.clone(), [HitCondition::parse("1")]);
    count_all(&mut hits, &history, 1 << 20);
    let mut search = Search::new(&history, watch_set);
    // Each slice has 100 instructions.
    let found = (0..1010).find_map(|_| match search.advance_counting(&history, &hits, 100) {
        SearchResult::DownTo(_) => None,
        found => Some(found),
    });
    assert!(matches!(found, Some(SearchResult::Hit(Hit { moment: 1, .. }))), "{found:?}");
}

/// The program prints two bytes in five instructions, and one of them is a line end. A reset comes
/// after 100 instructions.
#[test]
fn printed_bytes_are_counted_and_lead_to_their_moments() {
    let words = [
        Word::ldi(b'x'),
        Word::data(Op::St, panel::MAILBOX),
        Word::ldi(b'\n'),
        Word::data(Op::St, panel::MAILBOX),
        Word::jump(Op::Jmp, RomIndex::default()),
    ];
    let machine = Machine::new(&image(&words), PowerUp::Zero);
    let mut history = History::with_limits(Box::new(machine), SMALL);
    let printed = |history: &History| {
        (history.printed(), history.printed_lines(), history.printed_before_reset())
    };
    history.advance(98);
    assert_eq!(printed(&history), (39, 19, 0));
    history.advance(2);
    history.give(Input::Reset);
    assert_eq!(printed(&history), (0, 0, 40));
    history.advance(257);
    assert_eq!(printed(&history), (103, 51, 40));
    assert_eq!(history.start(), 0);
    let moment = |byte: u64| byte / 2 * 5 + [2, 4][byte as usize % 2];
    for byte in 0..143 {
        assert_eq!(history.moment_printed(byte), Some(moment(byte)), "byte {byte}");
    }
    assert_eq!(history.moment_printed(143), None);
    // Repeating known history must not print the bytes again.
    let text = "x\n".repeat(72);
    history.seek(200);
    history.run(&WatchSet::default(), 100);
    assert_eq!(history.all_output(), (0, &text.as_bytes()[..143]));
    let others = history.checkpoints().bytes() + history.inputs().bytes();
    assert!((143..500).contains(&(history.bytes() - others)));
}

#[test]
fn an_input_in_the_past_replaces_the_future() {
    // The program prints the buttons forever.
    let words = [
        Word::data(Op::Ld, panel::BUTTONS),
        Word::data(Op::St, panel::MAILBOX),
        Word::jump(Op::Jmp, RomIndex::default()),
    ];
    let mut history = history(&image(&words));
    history.give(Input::Hold(Buttons(1)));
    history.advance(6);
    history.give(Input::Hold(Buttons(2)));
    history.advance(6);
    assert_eq!(history.output(9), [1, 1, 2, 2]);
    history.seek(3);
    assert_eq!((history.output(9), history.end()), (vec![1], 12));
    history.give(Input::Hold(Buttons(4)));
    assert_eq!(history.end(), 3);
    history.advance(9);
    assert_eq!(history.output(9), [1, 4, 4, 4]);
    assert_eq!(history.all_output().1, [1, 4, 4, 4]);
}

#[test]
fn a_breakpoint_at_the_end_of_a_program_is_hit_once() {
    let end = RomIndex::truncate(1);
    let image = image(&[Word::ldi(1), Word::jump(Op::Jmp, end)]);
    let watch_set = watch_set(&["1".into()], &image);
    let mut history = history(&image);
    assert!(matches!(history.run(&watch_set, 10), RunResult::Hit(Hit { moment: 1, .. })));
    assert_eq!(history.run(&watch_set, 10), RunResult::Halted);
    let mut search = Search::new(&history, watch_set.clone());
    assert!(matches!(last_hit(&mut search, &history, 10), Some(Hit { moment: 1, .. })));
    assert_eq!(last_hit(&mut search, &history, 10), None);
    // At the position of the hit itself, there is no earlier hit.
    history.seek(1);
    assert_eq!(last_hit(&mut Search::new(&history, watch_set), &history, 10), None);
    history.seek(2);
    // After a reset, the program reaches the end again.
    history.give(Input::Reset);
    history.advance(5);
    assert_eq!((history.moment(), history.engine().executed()), (4, 2));
    history.seek(2);
    assert_eq!(history.engine().executed(), 0);
}
