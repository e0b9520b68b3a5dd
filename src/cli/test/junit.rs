//! The report in the XML of `JUnit`, as build servers and autograders read it.

use std::fmt::Write as _;

use super::report::{CaseReport, Report, counts};

/// The reports of all test files.
pub(super) fn xml(reports: &[Report]) -> String {
    let (tests, failures) = counts(reports);
    let errors = reports.iter().filter(|report| report.error.is_some()).count();
    let failures = failures - errors;
    let suites: String = reports.iter().map(suite).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gray1\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\">\n{suites}</testsuites>\n"
    )
}

fn suite(report: &Report) -> String {
    let one = std::slice::from_ref(report);
    let ((tests, failures), errors) = (counts(one), usize::from(report.error.is_some()));
    let failures = failures - errors;
    let (name, file) = (escaped(report.name()), escaped(&report.file));
    let mut text = format!(
        "  <testsuite name=\"{name}\" file=\"{file}\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\">\n"
    );
    if let Some(error) = &report.error {
        let message = escaped(error.lines().next().unwrap_or_default());
        let error = escaped(error);
        let _ = write!(
            text,
            "    <testcase name=\"the program\" classname=\"{name}\">\n      \
             <error message=\"{message}\">{error}</error>\n    </testcase>\n"
        );
    }
    text.extend(report.cases.iter().map(|it| case(it, &name)));
    text + "  </testsuite>\n"
}

fn case(case: &CaseReport, class: &str) -> String {
    let start = format!("    <testcase name=\"{}\" classname=\"{class}\"", escaped(&case.name));
    match &case.failure {
        None => format!("{start}/>\n"),
        Some(failure) => {
            let (message, text) = (escaped(&failure.summary), escaped(&failure.text()));
            format!(
                "{start}>\n      <failure message=\"{message}\">{text}</failure>\n    </testcase>\n"
            )
        }
    }
}

/// A text inside an element or in quotes. XML has no control characters, not even escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_place() {
        assert_eq!(escaped("a\"<b>&\u{1b}\n"), "a&quot;&lt;b&gt;&amp;\u{fffd}\n");
    }
}
