//! Rows of a formatted text: how lines are aligned with those around them.

use std::ops::Range;

/// The column of comments behind statements.
const COMMENT_COLUMN: usize = 32;
/// The column of the `=` of constants outside blocks.
const EQUALS_COLUMN: usize = 8;
/// Where columns move to if something is too long, in steps.
const STEP: usize = 4;
/// Code that is longer does not move the comments around it.
const CODE_WIDTH_MAX: usize = 60;
/// A name that is longer does not move the `=` around it.
const NAME_WIDTH_MAX: usize = 24;

/// A row.
#[derive(Debug)]
pub(super) enum Row<'a> {
    Blank,
    /// A comment on a line of its own, and the column in which it stood.
    Comment {
        text: &'a str,
        column: usize,
    },
    Code {
        code: RowCode,
        comment: Option<&'a str>,
        /// The column in which the comment stood.
        comment_column: usize,
    },
    /// A line that stays as it is.
    Raw(&'a str),
}

/// The text before a comment.
#[derive(Debug)]
pub(super) struct RowCode {
    /// The number of blanks before it.
    pub(super) indent: usize,
    pub(super) text: String,
    /// The text behind the `=` of a constant.
    pub(super) value: Option<String>,
}

impl RowCode {
    /// Code other than a constant.
    pub(super) fn plain(indent: usize, text: String) -> Self {
        Self { indent, text, value: None }
    }

    /// Its length in bytes, blanks in front aside.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.value.as_ref().map_or(0, |value| value.len() + " = ".len())
    }

    fn width(&self) -> usize {
        self.indent + self.text.chars().count()
    }
}

impl Row<'_> {
    pub(super) fn code(code: RowCode) -> Self {
        Self::Code { code, comment: None, comment_column: 0 }
    }
}

/// The text of some of these rows, in the columns that they have among the others.
pub(super) fn text(mut rows: Vec<Row<'_>>, end: &str, part: Range<usize>) -> String {
    align_constants(&mut rows);
    let columns = comment_columns(&rows);
    let mut text = String::new();
    for (row, column) in rows.iter().zip(columns).take(part.end).skip(part.start) {
        match row {
            Row::Blank => {}
            Row::Raw(line) => text += line,
            Row::Comment { text: comment, .. } => text += &at("", column, comment),
            Row::Code { code, comment, .. } => {
                let code = at("", code.indent, &code.text);
                text += &comment.map_or(code.clone(), |comment| at(&code, column, comment));
            }
        }
        text += end;
    }
    text
}

/// Appends a text to a line, in a column or after it.
fn at(line: &str, column: usize, what: &str) -> String {
    format!("{line:column$}{what}")
}

/// Removes an empty line at either end.
pub(super) fn trim(rows: &mut Vec<Row<'_>>) {
    if let Some(Row::Blank) = rows.first() {
        rows.remove(0);
    }
    rows.pop_if(|row| matches!(row, Row::Blank));
}

/// Gives the constants that stand below each other their `=` in one column, and makes them plain.
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

/// The column of each row's comment.
fn comment_columns(rows: &[Row<'_>]) -> Vec<usize> {
    let next_code = next_code_columns(rows);
    let mut columns = vec![0; rows.len()];
    let mut start = 0;
    for group in rows.chunk_by(|above, row| is_commented(above) && belongs(above, row)) {
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

/// True if there is a comment behind a statement, or one that goes on from there.
fn is_commented(row: &Row<'_>) -> bool {
    matches!(row, Row::Code { comment: Some(_), .. } | Row::Comment { .. })
}

/// True if the comment of a row stands in one column with that of the row above.
fn belongs(above: &Row<'_>, row: &Row<'_>) -> bool {
    match (above, row) {
        (
            Row::Comment { column: above, .. } | Row::Code { comment_column: above, .. },
            Row::Comment { column, .. },
        ) => above == column && *column > 0,
        (_, Row::Code { comment, .. }) => comment.is_some(),
        _ => false,
    }
}

/// The column in which the code of each row, or the next below that has some, starts.
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
