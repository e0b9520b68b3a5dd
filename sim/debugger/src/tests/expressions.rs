//! Tests of correct and incorrect expressions.

use super::*;

fn symbols() -> Image {
    let symbols = vec![
        symbol("stack", SymbolKind::Variable, 3, 8),
        symbol("row3", SymbolKind::Label, 0x123, 1),
        symbol("SIX", SymbolKind::Constant, 6, 1),
    ];
    Image::erased().with_symbols(symbols).unwrap()
}

/// Evaluates an expression with A = 12, C = 1 and PC = 0x123. Each byte of data memory contains the
/// low byte of its address.
fn value(text: &str) -> Option<i64> {
    let ram = std::array::from_fn(|address| address as u8);
    let (pc, ram) = (RomIndex::truncate(0x123), &ram);
    let view = MachineView { a: 12, carry: true, pc, moment: 500, ram, partial: None };
    Expression::parse(text, &symbols()).unwrap().value(view)
}

#[test]
fn expressions_have_values() {
    for (text, expected) in [
        ("A", 12),
        ("C + PC", 0x124),
        ("[stack + 2]", 5),
        ("[[5] + 1]", 6),
        ("PC == row3 && [SIX] == 6", 1),
        ("1 + 2 * 3 - 4", 3),
        ("(1 + 2) * 3", 9),
        ("20 - 3 - 2", 15),
        ("1 << 2 + 1", 8),
        ("7 & 3 == 3", 1),
        ("1 | 6 ^ 2 & 3", 5),
        ("3 < 4 == 1", 1),
        ("5 >= 5 && 5 <= 5 && 5 != 6 && 6 > 5", 1),
        ("!A || ~0 == -1", 1),
        ("- - 3", 3),
        ("-7 / 2 * 10 + -7 % 2", -31),
        ("0x2a + 0b11 + 0o17 + 1_000", 42 + 3 + 15 + 1000),
        (r"'A' + '\n'", 75),
        ("0 && 1 / 0", 0),
        ("1 || 1 / 0", 1),
        ("C==1&&A==12", 1),
        ("0X1F + 0B11 + 0O17 + 1__0", 31 + 3 + 15 + 10),
        ("A > 3 ? C ? 7 : 8 : 1 / 0", 7),
        ("A < 3 ? 1 / 0 : 9", 9),
        ("lo(PC) + hi(PC) + min(A, 3) + max(A, 3) + log2(8)", 0x23 + 1 + 3 + 12 + 3),
        ("[min(stack, SIX)]", 3),
        ("green row 2", 0x1fe2),
        ("[red row 7] + 1", 0xf0),
        ("buttons + 1 == mailbox", 1),
    ] {
        assert_eq!(value(text), Some(expected), "{text}");
    }
}

/// Operators in a row do not count as nesting.
#[test]
fn long_expressions_are_not_nested_too_deeply() {
    assert_eq!(value(&format!("{}1", "-1+".repeat(200))), Some(-199));
    assert_eq!(value(&format!("{}1", "(1?2:3)+".repeat(120))), Some(241));
    assert_eq!(value(&format!("{}1", "[stack]+".repeat(120))), Some(361));
}

#[test]
fn an_expression_without_machine_state_is_constant() {
    for (text, is_constant) in [
        ("1 + stack", true),
        ("min(3, SIX) ? 1 : 2", true),
        ("1 + A", false),
        ("C ? 1 : 2", false),
        ("-PC", false),
        ("[3]", false),
        ("max(1, [A])", false),
    ] {
        let expression = Expression::parse(text, &symbols()).unwrap();
        assert_eq!(expression.is_constant(), is_constant, "{text}");
    }
}

/// A condition that was typed inside a routine must keep its meaning outside of it.
#[test]
fn names_typed_inside_a_routine_keep_their_meaning_outside() {
    let symbols = [("x", 1), ("double.x", 2), ("double.y", 3)]
        .map(|(name, address)| symbol(name, SymbolKind::Variable, address, 1))
        .to_vec();
    let image = steps::program().with_symbols(symbols).unwrap();
    let scope = |at| Scope { image: &image, wires: None, at };
    let inside = Some(RomIndex::truncate(9));
    for (at, text, full) in [
        (None, "x + [double.y]", "x + [double.y]"),
        (Some(RomIndex::truncate(0)), "x + [double.y]", "x + [double.y]"),
        (inside, "x + [y] + x", "double.x + [double.y] + double.x"),
        (inside, "1 + double.x", "1 + double.x"),
    ] {
        assert_eq!(Expression::qualified(text, scope(at)).unwrap(), full, "{text}");
    }
    let break_in = |text| Condition::qualified(text, scope(inside)).unwrap();
    assert_eq!(break_in("write y if [x] == 7"), "write double.y if [double.x] == 7");
    let error = Expression::qualified("1 + double . x", scope(None)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column 5: the program has no `double`; did you mean `double.x`?"
    );
}

#[test]
fn an_undefined_expression_has_no_value() {
    let max = i64::MAX;
    for text in [
        "1 / 0",
        "A % 0",
        "1 << 64",
        "1 >> -1",
        "A << 63",
        "log2(A)",
        &format!("{max} + 1"),
        "[A + 8192]",
        "[0 - A]",
    ] {
        assert_eq!(value(text), None, "{text}");
    }
}

#[test]
fn mistakes_are_reported_with_their_column() {
    let parse = |text: &str| Expression::parse(text, &symbols()).unwrap_err().to_string();
    for (text, expected) in [
        ("", "column 1: expected a value, found the end"),
        ("A +", "column 4: expected a value, found the end"),
        ("A = 3", "column 3: expected an operator or the end, found '='"),
        ("(A", "column 3: expected ')', found the end"),
        ("[3 + 4", "column 7: expected ']', found the end"),
        ("A + stak", "column 5: the program has no `stak`; did you mean `stack`?"),
        ("a", "column 1: the program has no `a`; did you mean `A`?"),
        ("0b12", "column 1: `0b12` is not a number"),
        ("1_", "column 1: `1_` is not a number"),
        (
            "1 + 9223372036854775808",
            "column 5: `9223372036854775808` does not fit into a signed 64-bit number",
        ),
        ("A ? 1", "column 6: expected ':', found the end"),
        ("1 + lo(2, 3)", "column 5: `lo` takes 1 argument, not 2"),
        ("min(A)", "column 1: `min` takes 2 arguments, not 1"),
        ("lo()", "column 4: expected a value, found ')'"),
        ("green", "column 1: the program has no `green`"),
        ("green row 8", "column 11: expected a row from 0 to 7, found '8'"),
        ("red row", "column 8: expected a row from 0 to 7, found the end"),
        ("stack(1)", "column 6: expected an operator or the end, found '('"),
        ("[8192]", "column 2: 8192 is outside data memory 0 to 8191"),
        ("[1 / 0]", "column 2: this is outside data memory 0 to 8191"),
        ("'ab'", "column 1: expected one ASCII character between single quotes"),
        ("A + 'a", "column 5: expected a value, found '\\''"),
        ("é + \u{1b}", r"column 1: expected a value, found 'é'"),
        ("A + \u{1b}", r"column 5: expected a value, found '\u{1b}'"),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
    assert!(parse(&"(".repeat(900)).ends_with("this is nested too deeply"));
    assert!(parse(&"-".repeat(900)).ends_with("this is nested too deeply"));
    assert!(parse(&"1?".repeat(450)).ends_with("this is nested too deeply"));
    assert!(parse(&"1?1:".repeat(220)).ends_with("this is nested too deeply"));
    assert!(parse(&"1+".repeat(1000)).contains("expected at most"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_input_makes_the_parser_panic(text in r"[A-Z0-9\[\]()!~<>=&|^+*/%'\\ é?:,;{}@-]{0,40}") {
        let _ = Expression::parse(&text, &symbols());
        let _ = Condition::parse(&text, &symbols());
    }

    /// Instructions that are not watched must not change the value.
    #[test]
    fn a_value_changes_only_at_watched_instructions(
        words in programs(),
        seed in any::<u64>(),
    ) {
        let image = image(&words);
        let machine = Machine::new(&image, PowerUp::Random(seed));
        for text in ["A + 1", "C", "[3]", "[[0] & 7] - [1]", "PC", "C ? [3] : min(A, [5])"] {
            let expression = Expression::parse(text, &image).unwrap();
            let mut machine = machine.clone();
            for _ in 0..50 {
                let before = expression.value(view(&machine));
                let Some(executed) = machine.step() else { break };
                let changed = before != expression.value(view(&machine));
                prop_assert!(!changed || expression.is_changed_by(executed.word), "{}", text);
            }
        }
    }
}

fn view(machine: &Machine) -> MachineView<'_> {
    MachineView {
        a: machine.a(),
        carry: machine.carry(),
        pc: machine.pc(),
        moment: machine.executed(),
        ram: machine.ram(),
        partial: None,
    }
}
