//! Tests of values from the command line for `.default` constants.

mod support;

use gray1_asm::{Analysis, Assembly, Define, FileId, NoIncludes, Rendering, assemble_with};
use support::source;

fn assembled(text: &str, defines: &[&str]) -> Assembly {
    let defines: Vec<Define> = defines.iter().map(|define| define.parse().unwrap()).collect();
    assemble_with(source(text), &mut NoIncludes, &defines)
}

/// Returns the low bytes of the words that are not erased.
fn bytes(text: &str, defines: &[&str]) -> Vec<u8> {
    let Assembly { image, diagnostics, files, .. } = assembled(text, defines);
    let messages = Rendering::Plain.render(&diagnostics, &files);
    let image = image.unwrap_or_else(|| panic!("{messages}"));
    image.words()[..image.used_words()].iter().map(|word| word.bits() as u8).collect()
}

fn errors(text: &str, defines: &[&str]) -> Vec<String> {
    let Assembly { image, diagnostics, files, .. } = assembled(text, defines);
    assert!(image.is_none());
    let line = |at| files.place(at).line;
    let format = |found: &gray1_asm::Diagnostic| {
        let notes = found
            .notes
            .iter()
            .map(|it| format!(" ; {} @{}", it.message, it.location.map_or(0, line)));
        let help = found.help.iter().map(|help| format!(" ; {}", help.text));
        [found.message.clone()].into_iter().chain(notes).chain(help).collect()
    };
    diagnostics.iter().map(format).collect()
}

#[test]
fn a_value_from_the_command_line_replaces_the_default() {
    let text = "\
.default N = 2
.default MARK = 'x'
.default NAME = \"ab\"
.repeat N, i
        LDI  i + N
.endrepeat
        LDI  MARK
        LDI  len(NAME)
.if LATER > 5
        LDI  99
.endif
        LDI  LATER
";
    let text = &text.replace(".if LATER > 5\n        LDI  99\n.endif\n", "");
    let text = &format!("{text}.default LATER = N + 1\n");
    assert_eq!(bytes(text, &[]), [2, 3, b'x', 2, 3]);
    assert_eq!(bytes(text, &["N=1"]), [1, b'x', 2, 2]);
    assert_eq!(bytes(text, &["N=0", "MARK='\\n'", "NAME=\"queens\"", "LATER=-1"]), [10, 6, 255]);
    assert_eq!(bytes(text, &["MARK=0x2a", "N=0b1"]), [1, 42, 2, 2]);
    // Here the value is known although the default is not known yet.
    assert_eq!(
        bytes(".default N = END\n.if N == 7\n LDI 5\n.endif\nEND = 1\n LDI END", &["N=7"]),
        [5, 1]
    );
}

#[test]
fn a_value_without_a_default_is_an_error() {
    let text =
        ".default SIZE = 2\nOTHER = 5\n LDI SIZE + OTHER\n HALT\n.if 0\n.default NO = 1\n.endif\n";
    for (defines, expected) in [
        (
            &["SIZES=1"][..],
            "`-D SIZES`: no `.default` of the program defines this name ; did you mean `SIZE`?",
        ),
        (
            &["OTHER=1"],
            "`-D OTHER`: no `.default` of the program defines this name ; it is defined here, without `.default` @2",
        ),
        (
            &["NO=1"],
            "`-D NO`: no `.default` of the program defines this name ; `NO` is defined here, in lines that are not assembled @6",
        ),
        (&["SIZE=1", "SIZE=1"], "`-D SIZE` is given twice"),
    ] {
        assert_eq!(errors(text, defines), [expected], "{defines:?}");
    }
    // If the line of the `.default` has an error or the file with that line is missing, the value
    // for the constant is not reported.
    assert_eq!(errors(".default N = \n HALT\n", &["N=1"]).len(), 1);
    assert_eq!(errors(".include \"n.asm\"\n HALT\n", &["N=1"]).len(), 1);
}

#[test]
fn only_literals_are_accepted_as_values() {
    for text in ["N", "=1", "@n=1", "n{1}=1", "add=1", "1n=1", " N=1", "N =1"] {
        assert!(text.parse::<Define>().is_err(), "{text}");
    }
    for (value, expected) in [
        ("", "expected a number, a character or a string in quotes"),
        ("1 + 1", "expected a number, a character or a string in quotes"),
        ("M", "expected a number, a character or a string in quotes"),
        ("#5", "expected a number, a character or a string in quotes"),
        ("-'a'", "expected a number, a character or a string in quotes"),
        ("5 ; five", "expected a number, a character or a string in quotes"),
        ("5x", "`5x` is not a number"),
        ("'ab'", "expected one ASCII character between single quotes"),
        ("\"\\q\"", "`\\q` is not an escape (expected `\\n`, `\\\\`, `\\'`, `\\\"` or `\\0`)"),
        ("9223372036854775808", "`9223372036854775808` does not fit into a signed 64-bit number"),
    ] {
        assert_eq!(format!("N={value}").parse::<Define>().unwrap_err(), expected, "{value}");
    }
}

/// Tests the time because a shared link can contain any number of values.
#[test]
fn many_values_take_no_longer_than_many_lines() {
    let names: Vec<String> = (0..50_000).map(|number| format!("N{number}")).collect();
    let defines: Vec<String> = names.iter().map(|name| format!("{name}=1")).collect();
    let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
    let lines: Vec<String> = names.iter().map(|name| format!(".default {name} = 2")).collect();
    assert_eq!(bytes(&(lines.join("\n") + "\n LDI N49999\n"), &defines), [1]);
    let found = errors(" HALT\n", &defines);
    assert!(found.last().unwrap().contains("too many errors"), "{found:?}");
}

/// Checks that a rename does not change the value of a constant.
#[test]
fn a_default_that_the_command_line_sets_cannot_be_renamed() {
    let defines = ["N=9", "M=8"].map(|define| define.parse().unwrap());
    for (text, new, refused) in [
        (".default N = 1\n LDI N\n", "WIDTH", Some("N")),
        (".DEFAULT  N = 1\n LDI N\n", "N", Some("N")),
        (".default WIDTH = 1\n LDI WIDTH\n", "M", Some("M")),
        (".if 0\n.default N = 1\n.endif\n LDI 1\n", "WIDTH", Some("N")),
        (".default WIDTH = 1\n LDI WIDTH\n", "SIZE", None),
        // A value from outside only applies to a `.default`.
        ("N = 1\n LDI N\n", "WIDTH", None),
        ("WIDTH = 1\n LDI WIDTH\n", "N", None),
        (".function N(x) = x\n LDI N(1)\n", "WIDTH", None),
    ] {
        let analysis = Analysis::with_defines(source(text), &mut NoIncludes, &defines);
        let at = text.find(['N', 'W']).unwrap() as u32;
        let at = if text.starts_with(".if") { text.find("N =").unwrap() as u32 } else { at };
        let expected = refused.map(|name| {
            format!("the value of `{name}` comes from `-D` or from the setting `define`")
        });
        let why = analysis.rename(FileId::ROOT, at, new).err().map(|why| why.to_string());
        assert_eq!(why, expected, "{text}");
        let is_own = refused == Some("N");
        assert_eq!(analysis.renamable(FileId::ROOT, at).is_err(), is_own, "{text}");
    }
}
