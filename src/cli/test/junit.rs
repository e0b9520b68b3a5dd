//! The report in the XML of `JUnit`, for build servers and autograders.

use gray1_isa::text::printable;
use gray1_programs::testing::report::{CaseReport, TestReport, counts};
use gray1_tui::picture::escaped;

/// The reports of all test files.
pub(super) fn xml(reports: &[TestReport]) -> String {
    let suites: String = reports.iter().map(suite).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gray1\" {}>\n{suites}\
         </testsuites>\n",
        totals(reports)
    )
}

/// The numbers of cases: all, those that failed, those that could not be run; and the seconds that
/// they took.
fn totals(reports: &[TestReport]) -> String {
    let (tests, failed) = counts(reports);
    let not_run = reports.iter().filter(|report| report.error.is_some());
    let errors: usize = not_run.map(TestReport::count).sum();
    let failures = failed - errors;
    let seconds: f64 = reports.iter().flat_map(|it| &it.cases).map(|case| case.seconds).sum();
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"")
}

fn suite(report: &TestReport) -> String {
    let (name, file) = (quoted(report.name()), quoted(&report.file));
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
    let (case, message) =
        (quoted(&printable(case)), quoted(error.lines().next().unwrap_or_default()));
    let error = quoted(error);
    format!(
        "    <testcase name=\"{case}\" classname=\"{class}\">\n      \
         <error message=\"{message}\">{error}</error>\n    </testcase>\n"
    )
}

fn case(case: &CaseReport, class: &str) -> String {
    let (name, seconds) = (quoted(&printable(&case.name)), case.seconds);
    let start =
        format!("    <testcase name=\"{name}\" classname=\"{class}\" time=\"{seconds:.3}\"");
    match &case.failure {
        None => format!("{start}/>\n"),
        Some(failure) => {
            let (message, text) = (quoted(&failure.summary), quoted(&failure.text()));
            format!(
                "{start}>\n      <failure message=\"{message}\">{text}</failure>\n    </testcase>\n"
            )
        }
    }
}

/// A text inside an element or in quotes.
fn quoted(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}
