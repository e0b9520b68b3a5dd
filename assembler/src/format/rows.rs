//! Rows of formatted source, and their alignment with the rows around them.

use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;

/// The column of comments after statements, counted from 0.
const COMMENT_COLUMN: usize = 32;
/// The column of the `=` of constants outside blocks, counted from 0.
const EQUALS_COLUMN: usize = 8;
/// The step by which a column moves right when something is too long.
const STEP: usize = 4;
/// Longer code does not move the comments of the lines around it.
const CODE_WIDTH_MAX: usize = 60;
/// A longer name does not move the `=` of the lines around it.
const NAME_WIDTH_MAX: usize = 24;

/// A formatted line before alignment.
#[derive(Debug)]
pub(super) enum Row<'a> {
    Blank,
    /// A comment on a line of its own, and its column in the source.
    Comment {
        text: &'a str,
        column: usize,
    },
    Code {
        code: RowCode,
        comment: Option<&'a str>,
        /// The column in which the source has the comment.
        comment_column: usize,
    },
    /// A line that stays unchanged.
    Raw(&'a str),
}

/// The code of a line, without its comment.
#[derive(Debug)]
pub(super) struct RowCode {
    /// The number of blanks before the code.
    pub(super) indent: usize,
    pub(super) text: String,
    /// The value of a constant, after the `=`.
    pub(super) value: Option<String>,
}

impl RowCode {
    /// Creates code other than a constant.
    pub(super) fn plain(indent: usize, text: String) -> Self {
        Self { indent, text, value: None }
    }

    /// Returns the length in bytes without the indentation.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.value.as_ref().map_or(0, |value| value.len() + " = ".len())
    }

    fn width(&self) -> usize {
        self.indent + self.text.width()
    }
}

impl Row<'_> {
    pub(super) fn code(code: RowCode) -> Self {
        Self::Code { code, comment: None, comment_column: 0 }
    }
}

/// Writes some of these rows, aligned with all of them.
pub(super) fn write(mut rows: Vec<Row<'_>>, end: &str, part: Range<usize>) -> String {
    align_constants(&mut rows);
    let columns = comment_columns(&rows);
    let mut text = String::new();
    for (row, column) in rows.iter().zip(columns).take(part.end).skip(part.start) {
        match row {
            Row::Blank => {}
            Row::Raw(line) => text += line,
            Row::Comment { text: comment, .. } => text += &append_at("", column, comment),
            Row::Code { code, comment, .. } => {
                let code = append_at("", code.indent, &code.text);
                text += &comment.map_or(code.clone(), |comment| append_at(&code, column, comment));
            }
        }
        text += end;
    }
    text
}

/// Appends a string to a line. The string starts at a column, or directly after the line if the
/// line extends beyond that column.
fn append_at(line: &str, column: usize, what: &str) -> String {
    let blanks = column.saturating_sub(line.width());
    format!("{line}{:blanks$}{what}", "")
}

/// Removes an empty line at the start and at the end.
pub(super) fn trim(rows: &mut Vec<Row<'_>>) {
    if let Some(Row::Blank) = rows.first() {
        rows.remove(0);
    }
    rows.pop_if(|row| matches!(row, Row::Blank));
}

/// Aligns the `=` of consecutive constants, and turns constants into plain code.
fn align_constants(rows: &mut [Row<'_>]) {
    let indent = |row: &Row<'_>| match row {
        Row::Code { code: RowCode { indent, value: Some(_), .. }, .. } => Some(*indent),
        _ => None,
    };
    for group in rows.chunk_by_mut(|a, b| indent(a).is_some() && indent(a) == indent(b)) {
        let outside = group.first().and_then(indent) == Some(0);
        let least = if outside { EQUALS_COLUMN - 1 } else { 0 };
        let widths = group.iter().filter_map(|row| match row {
            Row::Code { code, .. } => Some(code.text.chars().count()),
            _ => None,
        });
        let width = widths.filter(|width| *width <= NAME_WIDTH_MAX).max().unwrap_or(0).max(least);
        for row in group {
            if let Row::Code { code, .. } = row
                && let Some(value) = code.value.take()
            {
                code.text = format!("{:width$} = {value}", code.text);
            }
        }
    }
}

/// Returns the comment column of each row.
fn comment_columns(rows: &[Row<'_>]) -> Vec<usize> {
    let next_code = next_code_columns(rows);
    let mut columns = vec![0; rows.len()];
    let mut start = 0;
    for group in rows.chunk_by(|above, row| is_commented(above) && continues_column(above, row)) {
        let widths = group.iter().filter_map(|row| match row {
            Row::Code { code, .. } => Some(code.width()),
            _ => None,
        });
        let widest = widths.filter(|width| *width <= CODE_WIDTH_MAX).max().unwrap_or(0);
        let column = COMMENT_COLUMN.max((widest + 1).next_multiple_of(STEP));
        let mut above = 0;
        for (number, row) in (start..).zip(group) {
            above = match row {
                Row::Code { code, .. } => column.max(code.width() + 1),
                Row::Comment { .. } if number > start => above,
                Row::Comment { column: 0, .. } => 0,
                _ => next_code[number],
            };
            columns[number] = above;
        }
        start += group.len();
    }
    columns
}

/// Returns true for a row with a comment, either after its statement or on a line of its own.
fn is_commented(row: &Row<'_>) -> bool {
    matches!(row, Row::Code { comment: Some(_), .. } | Row::Comment { .. })
}

/// Returns true if the comment of a row continues the comment column of the row above.
fn continues_column(above: &Row<'_>, row: &Row<'_>) -> bool {
    match (above, row) {
        (
            Row::Comment { column: above, .. } | Row::Code { comment_column: above, .. },
            Row::Comment { column, .. },
        ) => above == column && *column > 0,
        (_, Row::Code { comment, .. }) => comment.is_some(),
        _ => false,
    }
}

/// Returns for each row the column where its own code, or the next code below it, starts.
fn next_code_columns(rows: &[Row<'_>]) -> Vec<usize> {
    let mut columns = vec![0; rows.len()];
    let mut below = 0;
    for (column, row) in columns.iter_mut().zip(rows).rev() {
        if let Row::Code { code, .. } = row {
            below = code.indent;
        }
        *column = below;
    }
    columns
}
