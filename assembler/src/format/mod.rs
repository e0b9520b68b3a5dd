//! The formatter: rewrites sources in one style. It changes blanks, breaks lines after long labels,
//! and normalises the case of mnemonics and directives. It changes nothing else.
//!
//! - Labels start in the first column, instructions in the ninth, their operands in the fourteenth.
//!   A label that does not fit before its instruction gets a separate line.
//! - Directives and constants start in the first column. In a block, they start two columns further
//!   right for each level, but not further right than instructions.
//! - Operators between two operands have blanks around them. Commas have a blank after them.
//! - Comments after statements start in the 33rd column, or further right if a line nearby is
//!   longer. Comment lines at the left edge stay there.
//! - Consecutive empty lines become one.

mod line;
mod rows;

use std::ops::Range;

use gray1_isa::source_text::lines;

use self::line::{Line, Statement};
use self::rows::{Row, RowCode};
use crate::diagnostic::Diagnostic;
use crate::directives::Role;
use crate::limits::{LINE_BYTES_MAX, SOURCE_BYTES_MAX, SOURCE_LINES_MAX};
use crate::names::Names;
use crate::parse;
use crate::problem::Problem;
use crate::source::{Files, InputFile, Source};

/// The column of instructions, counted from 0.
const CODE_COLUMN: usize = 8;
/// The indentation of each block level, in columns.
const INDENT: usize = 2;
/// The maximum number of columns that formatting can add to a line.
const SLACK: usize = 128;

/// Formats a source. The result assembles to the same image, except for line numbers in the source
/// map. The source is added to `files`, which the locations of the errors refer to.
///
/// # Errors
/// Returns all syntax errors if the source has any.
pub fn format(source: Source, files: &mut Files) -> Result<String, Vec<Diagnostic>> {
    let name = source.name.clone();
    let refuse = |problem: Problem| vec![Diagnostic::error(format!("{name}: {problem}"))];
    check_size(&source.text).map_err(refuse)?;
    let file = files.add(InputFile::new(source)).ok_or_else(|| refuse(Problem::TooManyFiles))?;
    let text = files.get(file).text();
    let (_, errors) = parse::parse(file, &files.get(file).lines, &mut Names::default());
    if !errors.is_empty() {
        return Err(errors);
    }
    let formatted = format_valid(text);
    check_size(&formatted).map_err(refuse)?;
    Ok(formatted)
}

/// Formats a part of a source. Lines with errors, and a part that is too large, stay unchanged. The
/// depth of the blocks around the part is taken from its indentation.
pub fn format_lines(text: &str) -> String {
    let depth = lines(text).find_map(depth_before).unwrap_or(0);
    format_part(text, depth, 0..usize::MAX).unwrap_or_else(|| text.to_owned())
}

/// Formats some lines of a source, counted from 0, aligned with the lines around them. Lines with
/// errors stay unchanged. Returns `None` if the source is too large.
pub fn format_range(text: &str, part: Range<usize>) -> Option<String> {
    format_part(text, 0, part)
}

/// Formats the lines `part` of a source whose first line is `depth` blocks deep.
fn format_part(text: &str, mut depth: usize, part: Range<usize>) -> Option<String> {
    check_size(text).ok()?;
    let mut rows = Vec::new();
    let (mut before, mut end) = (0, 0);
    for (number, line) in lines(text).enumerate() {
        if parse::is_well_formed(line) {
            add_line(line, &mut depth, &mut rows);
        } else {
            rows.push(Row::Raw(line));
        }
        before = if number < part.start { rows.len() } else { before };
        end = if number < part.end { rows.len() } else { end };
    }
    Some(rows::write(rows, line_end(text), before..end))
}

/// Refuses a source that is larger than the assembler accepts.
fn check_size(text: &str) -> Result<(), Problem> {
    if text.len() > SOURCE_BYTES_MAX {
        return Err(Problem::SourceTooLarge);
    }
    if lines(text).count() > SOURCE_LINES_MAX {
        return Err(Problem::SourceTooLong);
    }
    Ok(())
}

/// Formats a source that has no errors.
pub(crate) fn format_valid(text: &str) -> String {
    let mut rows = Vec::new();
    let mut depth = 0;
    lines(text).for_each(|line| add_line(line, &mut depth, &mut rows));
    rows::trim(&mut rows);
    rows::write(rows, line_end(text), 0..usize::MAX)
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Adds the rows for a line.
fn add_line<'a>(text: &'a str, depth: &mut usize, rows: &mut Vec<Row<'a>>) {
    let Line { labels, statement, comment, comment_column } = Line::read(text);
    let code = statement.map(|statement| place(statement, depth));
    let length = labels.len() + code.as_ref().map_or(0, RowCode::len) + comment.map_or(0, str::len);
    if length + SLACK > LINE_BYTES_MAX {
        // The added blanks could make it longer than the assembler accepts.
        return rows.push(Row::Raw(text.trim_end()));
    }
    let (code, alone) = with_labels(labels, code);
    rows.extend(alone.map(|labels| Row::code(RowCode::plain(0, labels))));
    match (code, comment) {
        (Some(code), comment) => rows.push(Row::Code { code, comment, comment_column }),
        (None, Some(comment)) => rows.push(Row::Comment { text: comment, column: comment_column }),
        // Consecutive empty lines become one.
        (None, None) if matches!(rows.last(), Some(Row::Blank)) => {}
        (None, None) => rows.push(Row::Blank),
    }
}

/// Returns the block depth before a line, if its indentation shows it. Only directives and
/// constants are indented by depth.
fn depth_before(text: &str) -> Option<usize> {
    let code = text.trim_start_matches([' ', '\t']);
    let indent = line::column(&text[..text.len() - code.len()]);
    let statement = Line::read(code).statement.filter(|it| it.role != Role::Code)?;
    // From the code column on, the indentation does not show the depth.
    Some(if indent < CODE_COLUMN { indent / INDENT + usize::from(statement.closes()) } else { 0 })
}

/// Puts a statement in its column.
fn place(statement: Statement, depth: &mut usize) -> RowCode {
    if statement.role == Role::Code {
        return RowCode::plain(CODE_COLUMN, statement.text);
    }
    *depth = depth.saturating_sub(usize::from(statement.closes()));
    let indent = indent(*depth);
    *depth += usize::from(statement.opens());
    RowCode { indent, text: statement.text, value: statement.value }
}

fn indent(depth: usize) -> usize {
    (depth * INDENT).min(CODE_COLUMN)
}

/// Puts labels before a statement if they fit. Returns labels that need a line of their own.
fn with_labels(labels: String, code: Option<RowCode>) -> (Option<RowCode>, Option<String>) {
    match code {
        _ if labels.is_empty() => (code, None),
        None => (Some(RowCode::plain(0, labels)), None),
        Some(RowCode { indent: CODE_COLUMN, text, value: None })
            if labels.chars().count() < CODE_COLUMN =>
        {
            (Some(RowCode::plain(0, format!("{labels:CODE_COLUMN$}{text}"))), None)
        }
        code => (code, Some(labels)),
    }
}
