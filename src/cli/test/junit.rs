//! The report in `JUnit` XML, for build servers and autograders.

use gray1_isa::text::printable;
use gray1_programs::testing::report::{
    CaseReport, FailureReport, TestReport, count_cases, count_failures,
};
use gray1_tui::picture::escaped;

/// Formats the reports of all test files as XML.
pub(super) fn to_xml(reports: &[TestReport]) -> String {
    let suites: String = reports.iter().map(suite).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gray1\" {}>\n{suites}\
         </testsuites>\n",
        totals(reports)
    )
}

/// The counts of all cases, of failures and of errors, and the total time in seconds.
fn totals(reports: &[TestReport]) -> String {
    let (tests, failed) = (count_cases(reports), count_failures(reports));
    let errors = reports.iter().map(|report| match report.error {
        Some(_) => report.count(),
        None => report.cases.iter().filter(|case| case.is_error()).count(),
    });
    let errors: usize = errors.sum();
    let failures = failed - errors;
    let seconds: f64 = reports.iter().flat_map(|it| &it.cases).map(|case| case.seconds).sum();
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"")
}

fn suite(report: &TestReport) -> String {
    let (name, file) = (escape_attribute(report.id()), escape_attribute(&report.file));
    let totals = totals(std::slice::from_ref(report));
    let mut text = format!("  <testsuite name=\"{name}\" file=\"{file}\" {totals}>\n");
    match &report.error {
        None => text.extend(report.cases.iter().map(|it| case(it, &name))),
        Some(error) => {
            let cases = report.cases.iter().map(|case| case.name.as_str());
            let cases: Vec<&str> = cases.collect();
            let cases = if cases.is_empty() { &["the test file"][..] } else { &cases };
            text.extend(cases.iter().map(|case| not_run(case, &name, error)));
        }
    }
    text + "  </testsuite>\n"
}

fn not_run(case: &str, class: &str, error: &str) -> String {
    test_case(case, class, 0.0, Some(("error", error.lines().next().unwrap_or_default(), error)))
}

fn case(case: &CaseReport, class: &str) -> String {
    let kind = if case.is_error() { "error" } else { "failure" };
    let text = case.failure.as_ref().map(FailureReport::text).unwrap_or_default();
    let failure = case.failure.as_ref().map(|failure| (kind, &*failure.summary, &*text));
    test_case(&case.name, class, case.seconds, failure)
}

fn test_case(name: &str, class: &str, seconds: f64, problem: Option<(&str, &str, &str)>) -> String {
    let name = escape_attribute(&printable(name));
    let start =
        format!("    <testcase name=\"{name}\" classname=\"{class}\" time=\"{seconds:.3}\"");
    let Some((kind, message, text)) = problem else { return format!("{start}/>\n") };
    let (message, text) = (escape_attribute(message), escape_attribute(text));
    format!("{start}>\n      <{kind} message=\"{message}\">{text}</{kind}>\n    </testcase>\n")
}

/// Escapes a string for an element or an attribute.
fn escape_attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}
