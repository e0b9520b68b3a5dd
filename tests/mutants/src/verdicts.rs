//! What became of each mutant, and the file that keeps it.

use std::collections::BTreeMap;
use std::fmt;

use crate::mutant::Mutant;

/// What the tests say of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// A test fails.
    Caught,
    /// All tests that reach it pass.
    Missed,
    /// No test reaches it.
    Unreached,
    /// No test fails, and some do not end in time.
    TimedOut,
    /// It does not compile.
    Unviable,
}

impl Verdict {
    const ALL: [Self; 5] =
        [Self::Caught, Self::Missed, Self::Unreached, Self::TimedOut, Self::Unviable];

    /// Whether tests should have caught it.
    pub(crate) fn is_against_tests(self) -> bool {
        matches!(self, Self::Missed | Self::Unreached | Self::TimedOut)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Missed => "missed",
            Self::Unreached => "unreached",
            Self::TimedOut => "timeout",
            Self::Unviable => "unviable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The verdicts by the names of the mutants.
pub(crate) type Verdicts = BTreeMap<String, Verdict>;

/// A line a mutant: the verdict, the place and the change.
pub(crate) fn written(mutants: &[Mutant], verdicts: &Verdicts) -> String {
    let judged = mutants.iter().filter_map(|mutant| Some((mutant, verdicts.get(&mutant.name())?)));
    let lines = judged.map(|(mutant, verdict)| format!("{verdict:9} {}\n", mutant.title()));
    lines.collect()
}

/// The verdicts of a file, whatever the places are now.
pub(crate) fn read(text: &str) -> Verdicts {
    text.lines().filter_map(verdict_and_name).collect()
}

fn verdict_and_name(line: &str) -> Option<(String, Verdict)> {
    let (word, title) = line.split_once(' ')?;
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word)?;
    let (place, change) = title.trim_start().split_once(": ")?;
    let file = place.split(':').next()?;
    Some((format!("{file}: {change}"), verdict))
}

/// The names in the list of equivalent mutants: what stands between backquotes at the start of an
/// item.
pub(crate) fn argued(list: &str) -> Vec<&str> {
    list.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).collect()
}

/// How many mutants there are of each kind, and which share of those that count is caught.
pub(crate) fn summary(verdicts: &Verdicts, argued: &[&str]) -> String {
    let (equivalent, counted): (Vec<_>, Vec<_>) =
        verdicts.iter().partition(|(name, _)| argued.contains(&name.as_str()));
    let number = |wanted| counted.iter().filter(|(_, verdict)| **verdict == wanted).count();
    let all = counted.len() - number(Verdict::Unviable);
    let caught = number(Verdict::Caught);
    let kinds = Verdict::ALL.map(|verdict| format!("{} {verdict}", number(verdict)));
    #[expect(clippy::cast_precision_loss, reason = "there are some thousands of mutants")]
    let share = 100.0 * caught as f64 / all.max(1) as f64;
    format!(
        "{}, {} argued equivalent: {caught} of {all} caught, {share:.1} %",
        kinds.join(", "),
        equivalent.len(),
    )
}

/// Items of the list of equivalent mutants that are none: caught, or not there.
pub(crate) fn stale<'a>(
    verdicts: &Verdicts,
    argued: &[&'a str],
    is_ours: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let is_stale = |name: &&str| {
        is_ours(name) && !verdicts.get(*name).is_some_and(|verdict| verdict.is_against_tests())
    };
    argued.iter().copied().filter(is_stale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(of: &[(&str, Verdict)]) -> Verdicts {
        of.iter().map(|(name, verdict)| ((*name).to_owned(), *verdict)).collect()
    }

    #[test]
    fn what_is_written_is_read_back_wherever_the_code_has_moved() {
        let mutant = Mutant {
            file: "src/a.rs".to_owned(),
            place: (3, 14),
            change: "replace f -> &str with \": \" #2".to_owned(),
            range: 0..0,
            replacement: String::new(),
            is_whole_function: true,
        };
        for verdict in Verdict::ALL {
            let expected = verdicts(&[("src/a.rs: replace f -> &str with \": \" #2", verdict)]);
            assert_eq!(read(&written(std::slice::from_ref(&mutant), &expected)), expected);
        }
    }

    #[test]
    fn timeouts_and_unreached_mutants_count_against_the_tests() {
        let all = verdicts(&[
            ("a", Verdict::Caught),
            ("b", Verdict::Missed),
            ("c", Verdict::Unreached),
            ("d", Verdict::TimedOut),
            ("e", Verdict::Unviable),
            ("f", Verdict::Missed),
        ]);
        let expected = "1 caught, 1 missed, 1 unreached, 1 timeout, 1 unviable, \
            1 argued equivalent: 1 of 4 caught, 25.0 %";
        assert_eq!(summary(&all, &["f"]), expected);
        assert_eq!(stale(&all, &["a", "f", "g", "h"], |name| name != "h"), ["a", "g"]);
    }

    #[test]
    fn the_list_of_equivalent_mutants_names_them_first() {
        let list = "# Title\n\n- `a.rs: replace | with ^ in f`: the\n  bits of `x`\n- `b`\n";
        assert_eq!(argued(list), ["a.rs: replace | with ^ in f", "b"]);
    }
}
