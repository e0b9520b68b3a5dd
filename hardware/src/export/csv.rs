//! Comma-separated values (RFC 4180, with plain newlines). Fields are quoted only if necessary.

use std::fmt::Display;

pub(super) struct Csv {
    text: String,
    columns: usize,
}

impl Csv {
    /// Creates a table. `header` has the names of the columns, separated by commas.
    pub(super) fn new(header: &str) -> Self {
        Self { text: format!("{header}\n"), columns: header.split(',').count() }
    }

    /// Adds a row. It must have a field for each column.
    pub(super) fn row(&mut self, fields: &[&dyn Display]) {
        assert_eq!(fields.len(), self.columns, "a row has a field for each column");
        for (column, field) in fields.iter().enumerate() {
            if column > 0 {
                self.text.push(',');
            }
            self.push(&field.to_string());
        }
        self.text.push('\n');
    }

    fn push(&mut self, field: &str) {
        if field.contains([',', '"', '\n', '\r']) {
            self.text.push('"');
            self.text.push_str(&field.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(field);
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
