//! Tests of steps over and out of lines, macro calls and repeats, including the routines that are
//! called there.

use std::sync::Arc;

use gray1_isa::{Expansion, ExpansionKind, Origin, SourceFile, SourceLine, SourceMap};

use super::*;

/// A program with expansions of each kind. The last column is the expansion of the instruction.
///
/// ```text
///  0  LDI 1      line 1: calls the routine with an argument
///  1  JMP 8      line 1
///  2  SHR        line 3                                           iteration 0 of a repeat
///  3  SHR        line 3                                           iteration 1
///  4  SHR        line 5                                           iteration of another repeat
///  5  SHR        line 6: in a macro that is called on line 2      macro
///  6  SHR        line 7
///  7  JMP 8      line 8: also calls the routine
///  8  LDI 2      line 10                                          routine
///  9  SHR        line 13                                          macro in the routine
/// 10  JMP 2      line 12                                          routine
/// ```
pub(super) fn program() -> Image {
    let at = |line| SourceLine { file: 0, line };
    let jump = |to| Word::jump(Op::Jmp, RomIndex::truncate(to));
    let shr = Word::shr();
    let (one, two) = (Word::ldi(1), Word::ldi(2));
    let words = [one, jump(8), shr, shr, shr, shr, shr, jump(8), two, shr, jump(2)];
    let expansion = |kind, line, parent| Expansion { kind, call: at(line), parent };
    let expansions = vec![
        expansion(ExpansionKind::Repeat(0), 2, None),
        expansion(ExpansionKind::Repeat(1), 2, None),
        expansion(ExpansionKind::Repeat(0), 4, None),
        expansion(ExpansionKind::Macro("halve".into()), 2, None),
        expansion(ExpansionKind::Routine("double".into()), 9, None),
        expansion(ExpansionKind::Macro("halve".into()), 11, Some(4)),
    ];
    let origins = [
        (1, None),
        (1, None),
        (3, Some(0)),
        (3, Some(1)),
        (5, Some(2)),
        (6, Some(3)),
        (7, None),
        (8, None),
        (10, Some(4)),
        (13, Some(5)),
        (12, Some(4)),
    ];
    let origins = origins.map(|(line, expansion)| Some(Origin { place: at(line), expansion }));
    let file = SourceFile { name: "units.asm".into(), lines: vec![""; 13].into() };
    let map = SourceMap::new(vec![file], expansions, origins.to_vec()).unwrap();
    image(&words).with_source_map(map)
}

const fn at(index: u16) -> RomIndex {
    RomIndex::truncate(index)
}

/// Returns the event that the machine reaches an instruction that is not in `inside`.
fn out_of(inside: &[u16]) -> Event {
    let outside = RomIndex::all().filter(|index| !inside.contains(&index.get()));
    Event::Reaches(Box::new(outside.collect()))
}

/// Returns the event that the machine reaches one of these instructions.
fn to(indexes: &[u16]) -> Event {
    Event::Reaches(Box::new(indexes.iter().copied().map(RomIndex::truncate).collect()))
}

#[test]
fn a_step_over_ends_after_the_shown_line() {
    let image = program();
    let lines = SourceLines::new(image.source_map());
    for (index, inside) in [
        (0, &[0, 1, 8, 9, 10][..]),
        // A step from the middle of a line also passes the whole line.
        (1, &[0, 1, 8, 9, 10]),
        (2, &[2]),
        (3, &[3]),
        (4, &[4]),
        (5, &[5]),
        (6, &[6]),
        (7, &[7, 8, 9, 10]),
        (8, &[8]),
        (9, &[9]),
        (10, &[10]),
        (11, &[11]),
    ] {
        assert_eq!(lines.step_over(&image, at(index)), out_of(inside), "over {index}");
    }
}

#[test]
fn a_step_back_undoes_the_last_line() {
    let image = program();
    let lines = SourceLines::new(image.source_map());
    for (last, next, inside) in [
        (1, 2, &[0, 1, 8, 9, 10][..]),
        // From the middle of a line, it leads to the start of that line.
        (0, 1, &[0, 1, 8, 9, 10]),
        (2, 3, &[2]),
        (3, 4, &[3]),
        (5, 6, &[5]),
        (9, 10, &[9]),
        // After the routine, it leads back over the line that called it.
        (10, 2, &[0, 1, 8, 9, 10]),
        (10, 8, &[10]),
        // Here the machine left the routine, but not to the instruction after a call.
        (10, 4, &[10]),
    ] {
        let event = lines.step_back_over(&image, at(last), at(next));
        assert_eq!(event, out_of(inside), "from {last} to {next}");
    }
}

#[test]
fn a_step_out_leaves_a_macro_a_whole_repeat_or_a_routine() {
    let image = program();
    let lines = SourceLines::new(image.source_map());
    for (index, forward, back) in [
        (2, out_of(&[2, 3]), out_of(&[2, 3])),
        (3, out_of(&[2, 3]), out_of(&[2, 3])),
        (4, out_of(&[4]), out_of(&[4])),
        // A forward step out of the routine ends after one of its calls, and a backward step ends
        // at one of its calls.
        (8, to(&[2, 8]), to(&[1, 7])),
        // The macro that begins here has not been entered yet.
        (9, to(&[2, 8]), to(&[1, 7])),
        (10, to(&[2, 8]), to(&[1, 7])),
    ] {
        assert_eq!(lines.step_out(&image, at(index)), Some(forward), "out of {index}");
        assert_eq!(lines.step_back_out(&image, at(index)), Some(back), "back out of {index}");
    }
    for index in [0, 5, 6, 7, 11] {
        assert_eq!(lines.step_out(&image, at(index)), None, "nothing around {index}");
        assert_eq!(lines.step_back_out(&image, at(index)), None, "nothing around {index}");
    }
}

/// Steps a running machine over a line and out of a routine, forward and backward.
#[test]
fn steps_over_and_out_work_forward_and_back() {
    let image = Arc::new(program());
    let mut debugger = Debugger::new(Arc::clone(&image), history(&image));
    let mut arrive = |goal: Goal, is_back: bool| {
        let sent = if is_back { debugger.go_back(goal) } else { debugger.go(goal) };
        sent.unwrap();
        (debugger.advance(100).unwrap(), debugger.position().moment)
    };
    assert_eq!(arrive(Goal::Over, false), (Stop::Goal, 5));
    // There is no line before the first one, so the step ends at the beginning.
    assert_eq!(arrive(Goal::Over, true), (Stop::Beginning, 0));
    assert_eq!(arrive(Goal::Instructions(4), false), (Stop::Goal, 4));
    assert_eq!(arrive(Goal::Out, true), (Stop::Goal, 1));
}

#[test]
fn a_step_back_from_the_middle_of_an_instruction_goes_to_the_start_of_its_line() {
    let image = Arc::new(program());
    let mut debugger = Debugger::new(Arc::clone(&image), history(&image));
    for (moment, by_line) in [(1, (Stop::Beginning, 0)), (3, (Stop::Goal, 3))] {
        for (goal, expected) in
            [(Goal::Over, by_line), (Goal::Instructions(1), (Stop::Goal, moment))]
        {
            debugger.go(Goal::Instructions(4)).unwrap();
            debugger.advance(100);
            debugger.seek(moment, 3);
            debugger.go_back(goal.clone()).unwrap();
            let stop = debugger.advance(100).unwrap();
            assert_eq!(
                (stop, debugger.position()),
                (expected.0, Position::at(expected.1)),
                "{goal:?}"
            );
        }
    }
}
