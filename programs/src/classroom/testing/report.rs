//! Test results as text, JSON and CSV.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gray1_isa::text::{grouped, plural, printable};
use serde::Serialize;

use super::comparison::Comparison;
use super::document::TestCase;
use super::failure::CaseFailure;
use super::mistake_report::{MistakeReport, Trial};
use crate::text_style::TextStyle;

/// The result of a test file.
#[derive(Debug, Serialize)]
pub struct TestReport {
    /// The path of the test file.
    pub file: String,
    /// The student in a class, as the path given on the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub student: Option<String>,
    /// The path of the program. It is empty if there is none, or if the test file cannot be read.
    pub program: String,
    /// The reason why the cases could not be run. Then all of them count as failed.
    pub error: Option<String>,
    /// The results of the selected cases.
    pub cases: Vec<CaseReport>,
    /// The undetected mistakes, if the user asked for them.
    #[serde(flatten)]
    pub mistakes: Option<MistakeReport>,
}

/// The result of a case.
#[derive(Debug, Serialize)]
pub struct CaseReport {
    /// The name in the test file.
    pub name: String,
    /// True if all its steps succeeded.
    pub passed: bool,
    /// The points that the case is worth.
    pub points: u32,
    /// The number of executed instructions.
    pub instructions: u64,
    /// The duration in seconds. JSON omits it, so that the output does not change from run to run.
    #[serde(skip)]
    pub seconds: f64,
    /// The failure, if the case failed.
    pub failure: Option<FailureReport>,
    /// What is known about other contents of memory at power-up, if the case passed for some of
    /// them only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl CaseReport {
    /// Creates the report of a finished case.
    pub fn new(
        case: &TestCase,
        instructions: u64,
        seconds: f64,
        failure: Option<FailureReport>,
        note: Option<String>,
    ) -> Self {
        let (name, passed, points) = (case.name.clone(), failure.is_none(), case.points);
        Self { name, passed, points, instructions, seconds, failure, note }
    }

    /// Creates the report of a case that could not be run.
    pub fn not_run(case: &TestCase, why: &str) -> Self {
        Self::new(case, 0, 0.0, Some(FailureReport::error(why.to_owned())), None)
    }

    /// Returns true if the case could not be run.
    pub fn is_error(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.position.is_none())
    }
}

/// The report of a failed case.
#[derive(Debug, Default, Serialize)]
pub struct FailureReport {
    /// The position of the step: file, line and column.
    pub position: Option<String>,
    /// The reason, in one line.
    pub summary: String,
    /// The expected result, if the failure is about a difference.
    pub expected: Option<String>,
    /// The actual result, if the failure is about a difference.
    pub actual: Option<String>,
    /// The number of instructions executed before the failure.
    pub moment: Option<u64>,
    /// The place in the program.
    pub place: Option<String>,
    /// The command that opens this moment in the debugger.
    pub debug: Option<String>,
    /// The expected and the actual result as lines of text.
    #[serde(skip)]
    comparison: Vec<String>,
}

impl FailureReport {
    /// Creates the report of a failure. `position` is the position of the step, and `debug` the
    /// command that opens the moment of the failure.
    pub fn new(failure: CaseFailure, position: Option<String>, debug: Option<String>) -> Self {
        let (summary, comparison) = (failure.summary(), failure.step.comparison());
        let CaseFailure { moment, place, .. } = failure;
        let lines = comparison.as_ref().map(Comparison::lines).unwrap_or_default();
        let (expected, actual) = comparison.map(|it| (it.expected, it.actual)).unzip();
        Self {
            position,
            summary,
            expected,
            actual,
            moment: Some(moment),
            place: Some(place),
            debug,
            comparison: lines,
        }
    }

    /// Creates the report of a case that could not be run.
    pub fn error(summary: String) -> Self {
        Self { summary, ..Self::default() }
    }

    /// Returns the failure as text.
    pub fn text(&self) -> String {
        let position = self.position.as_ref().map(|it| format!("{it}: ")).unwrap_or_default();
        let mut lines = vec![format!("{position}{}", self.summary)];
        lines.extend(self.comparison.iter().map(|line| format!("  {line}")));
        if let (Some(moment), Some(place)) = (self.moment, &self.place) {
            let (instructions, place) = (plural(moment, "instruction"), printable(place));
            lines.push(format!("after {} {instructions}, at {place}", grouped(moment)));
        }
        lines.extend(self.debug.iter().map(|debug| format!("  {}", printable(debug))));
        lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

impl TestReport {
    /// Returns true if all cases passed, and if they detected all mistakes that were tried.
    pub fn has_passed(&self) -> bool {
        let are_noticed = self.mistakes.as_ref().is_none_or(MistakeReport::is_good);
        self.error.is_none() && self.passed() == self.cases.len() && are_noticed
    }

    /// Returns a name for readers: the program, or else the student, or else the test file.
    pub fn name(&self) -> &str {
        if self.program.is_empty() { self.id() } else { &self.program }
    }

    /// Returns a name that stays the same from run to run, even if files cannot be read: the
    /// student, or else the test file.
    pub fn id(&self) -> &str {
        self.student.as_deref().unwrap_or(&self.file)
    }

    /// Returns the verdict: `ok`, `FAILED` or `ERROR`.
    pub fn verdict(&self) -> &'static str {
        match &self.error {
            Some(_) => "ERROR",
            None if self.has_passed() => "ok",
            None => "FAILED",
        }
    }

    /// Returns the points of the passed cases, and the points of all cases.
    pub fn points(&self) -> [u32; 2] {
        let sum = |cases: &mut dyn Iterator<Item = &CaseReport>| {
            cases.fold(0, |sum: u32, case| sum.saturating_add(case.points))
        };
        [sum(&mut self.cases.iter().filter(|case| case.passed)), sum(&mut self.cases.iter())]
    }

    /// Returns the first line of the error, or else the failed cases with their reasons.
    fn reason(&self) -> String {
        if let Some(error) = &self.error {
            return error.lines().next().unwrap_or_default().to_owned();
        }
        let failed = self.cases.iter().filter_map(|case| Some((case, case.failure.as_ref()?)));
        let failed = failed.map(|(case, failure)| format!("{}: {}", case.name, failure.summary));
        failed.collect::<Vec<_>>().join("; ")
    }

    /// Returns the number of cases. A test file that cannot be read counts as one.
    pub fn count(&self) -> usize {
        self.cases.len().max(1)
    }

    fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed).count()
    }

    /// Returns the verdict as the first word of a line.
    fn first_word(&self, style: TextStyle) -> String {
        let emphasis = if self.has_passed() { "\x1b[30;42m" } else { "\x1b[1;31m" };
        style.paint(emphasis, &format!("{:6}", self.verdict()))
    }

    /// Returns the verdict as a line.
    pub fn line(&self, style: TextStyle) -> String {
        let (verdict, name) = (self.first_word(style), self.name());
        let (passed, cases) = (self.passed(), format_cases(self.count()));
        format!("{verdict}  {name}: {passed} of {cases} passed\n")
    }

    /// Returns the report as text: a line, and the failures.
    pub fn text(&self, style: TextStyle) -> String {
        let (verdict, name) = (self.first_word(style), self.name());
        if let Some(error) = &self.error {
            return format!("{verdict}  {name}\n{}\n", indent(error));
        }
        let count = self.cases.len();
        let failed: Vec<&CaseReport> = self.cases.iter().filter(|case| !case.passed).collect();
        if failed.is_empty() {
            let executed: u64 = self.cases.iter().map(|case| case.instructions).sum();
            let (executed, instructions) = (grouped(executed), plural(executed, "instruction"));
            let cases = format_cases(count);
            let mistakes = self.mistakes.as_ref().map(MistakeReport::text).unwrap_or_default();
            let mut notes = String::new();
            for CaseReport { name, note, .. } in &self.cases {
                let line =
                    note.as_ref().map(|note| format!("        {}: {note}\n", printable(name)));
                notes.extend(line);
            }
            return format!(
                "{verdict}  {name}: {cases}, {executed} {instructions}\n{notes}{mistakes}"
            );
        }
        let (failures, cases) = (failed.len(), format_cases(count));
        let mut text = format!("{verdict}  {name}: {failures} of {cases} failed\n");
        for case in failed {
            let why = case.failure.as_ref().map(FailureReport::text).unwrap_or_default();
            let _ = write!(text, "\n    case {}\n{}", printable(&case.name), indent(&why));
        }
        text + "\n"
    }
}

/// Returns the number of cases, including those that could not be run.
pub fn count_cases(reports: &[TestReport]) -> usize {
    reports.iter().map(TestReport::count).sum()
}

/// Returns the number of cases that failed or could not be run.
pub fn count_failures(reports: &[TestReport]) -> usize {
    reports.iter().map(|report| report.count() - report.passed()).sum()
}

/// Returns a table with a line for each program of a class. It is empty if there are no students.
pub fn format_table(reports: &[TestReport], style: TextStyle) -> String {
    let rows = reports.iter().filter_map(|report| Some((report.student.as_deref()?, report)));
    let width = rows.clone().map(|(student, _)| student.chars().count()).max().unwrap_or_default();
    let counts_alike = reports.iter().flat_map(|report| &report.cases).all(|it| it.points == 1);
    let mut table = String::new();
    for (student, report) in rows {
        let (verdict, passed) = (report.first_word(style), report.passed());
        let [points, all] = report.points();
        let points =
            if counts_alike { String::new() } else { format!(", {points} of {all} points") };
        let cases = format_cases(report.count());
        let _ = writeln!(table, "{verdict}  {student:width$}  {passed} of {cases} passed{points}");
    }
    if table.is_empty() { table } else { table + "\n" }
}

/// Returns the summary line of a text report.
pub fn format_summary(reports: &[TestReport]) -> String {
    let (count, failed) = (count_cases(reports), count_failures(reports));
    let programs = plural(reports.len(), "program");
    let passed = reports.iter().filter(|report| report.has_passed()).count();
    let outcome = match failed {
        0 => match reports.iter().find_map(|report| report.error.as_deref()) {
            Some(error) => format!("all passed, but {}", error.trim_end()),
            None => "all passed".to_owned(),
        },
        _ if reports.len() == 1 => format!("{failed} failed"),
        _ => format!("{failed} failed; {passed} of {} {programs} passed", reports.len()),
    };
    let searched: Vec<&MistakeReport> =
        reports.iter().filter_map(|report| report.mistakes.as_ref()).collect();
    let tried: u64 = searched.iter().map(|found| found.tried).sum();
    let found = searched.iter().flat_map(|found| &found.mistakes);
    let (missed, skipped): (Vec<_>, Vec<_>) = found.partition(|mistake| mistake.executed);
    let mut unnoticed = match missed.len() {
        _ if searched.is_empty() => String::new(),
        _ if tried == 0 => ", no mistake was tried".to_owned(),
        0 if searched.iter().all(|found| found.noticed == 0) => {
            ", no mistake has an effect".to_owned()
        }
        0 if searched.iter().any(|found| found.accepted_count > 0) => {
            format!(", each of {} mistakes is noticed, accepted or has no effect", grouped(tried))
        }
        0 => format!(", each of {} mistakes is noticed or has no effect", grouped(tried)),
        count => {
            let go = if count == 1 { "mistake goes" } else { "mistakes go" };
            format!(", {count} {go} unnoticed")
        }
    };
    if !skipped.is_empty() {
        let count = skipped.len();
        let _ = write!(unnoticed, ", {count} {} never executed", plural(count, "line"));
    }
    format!("{} {programs}, {}: {outcome}{unnoticed}\n", reports.len(), format_cases(count))
}

/// Returns the reports as JSON.
pub fn format_json(reports: &[TestReport]) -> String {
    let (cases, failed) = (count_cases(reports), count_failures(reports));
    let document = serde_json::json!({ "cases": cases, "failed": failed, "programs": reports });
    format!("{document:#}\n")
}

/// Returns the reports as CSV, with a line for each program and its points. The last column has the
/// error, or else the failed cases with their reasons.
pub fn format_csv(reports: &[TestReport]) -> String {
    let head = "name,program,verdict,passed,cases,points,points_of,error,reason\n".to_owned();
    let lines = reports.iter().map(|report| {
        let ([points, all], error) = (report.points(), report.error.as_deref().unwrap_or_default());
        let error = error.lines().next().unwrap_or_default();
        let [name, program, verdict, error, reason] =
            [report.id(), &report.program, report.verdict(), error, &report.reason()]
                .map(quote_for_csv);
        let (passed, count) = (report.passed(), report.count());
        format!("{name},{program},{verdict},{passed},{count},{points},{all},{error},{reason}\n")
    });
    head + &lines.collect::<String>()
}

/// Returns the mistakes that were tried as CSV, with a line for each and a column for each case.
/// The last line marks the cases that notice no mistake that the others do not notice.
pub fn format_mistakes_csv(reports: &[TestReport]) -> String {
    let mut text = String::new();
    for report in reports {
        let Some(matrix) = report.mistakes.as_ref().and_then(|it| it.matrix.as_ref()) else {
            let why = report.reason();
            let _ = writeln!(text, "{},{}", quote_for_csv(report.name()), quote_for_csv(&why));
            continue;
        };
        let marks = |marked: &BTreeSet<String>| {
            let marks =
                matrix.cases.iter().map(|case| ["0", "1"][usize::from(marked.contains(case))]);
            marks.collect::<Vec<_>>().join(",")
        };
        let cases: Vec<String> = matrix.cases.iter().map(|case| quote_for_csv(case)).collect();
        let _ = writeln!(text, "program,file,line,index,source,mistake,effect,{}", cases.join(","));
        let name = quote_for_csv(report.name());
        for Trial { mistake, has_effect, noticed_by } in &matrix.trials {
            let line = mistake.line.map(|line| line.to_string()).unwrap_or_default();
            let [file, source, change] =
                [&mistake.file, &mistake.source, &mistake.change()].map(|it| quote_for_csv(it));
            let (index, marks) = (mistake.index.get(), marks(noticed_by));
            let effect = u8::from(*has_effect);
            let _ =
                writeln!(text, "{name},{file},{line},{index},{source},{change},{effect},{marks}");
        }
        let superfluous = quote_for_csv("notices no mistake that the other cases do not notice");
        let _ = writeln!(text, "{name},,,,,{superfluous},,{}", marks(&matrix.superfluous));
    }
    text
}

/// Quotes a string for CSV.
fn quote_for_csv(text: &str) -> String {
    // Keep spreadsheets from evaluating strings that look like formulas.
    let mark = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{mark}{}\"", text.replace('"', "\"\""))
}

fn format_cases(count: usize) -> String {
    format!("{count} {}", plural(count, "case"))
}

fn indent(text: &str) -> String {
    let lines = text.lines();
    lines.map(|it| if it.is_empty() { "\n".into() } else { format!("    {it}\n") }).collect()
}
