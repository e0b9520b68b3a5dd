//! Places a program's presentation: `.show`, `.grid`, `.legend`, `.count`, `.result`.

use std::rc::Rc;

use gray1_isa::RamAddr;
use gray1_isa::presentation::{Caption, Grid, LedCount, LegendEntry, ShownValue};

use super::draft::{Draft, Outcome};
use crate::limits::{ADDRESSES, VARIABLE_BYTES_MAX};
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::syntax::{Expr, Shown};

impl Draft<'_, '_> {
    /// Adds an entry to the program's presentation.
    ///
    /// # Errors
    /// Fails if the entry is invalid, or if an address is not known yet.
    pub(super) fn show(&mut self, shown: &Shown, span: Span) -> Outcome {
        let mut presentation = self.placed.settings.presentation.clone();
        match shown {
            Shown::Value { address, caption } => {
                let written = Location { file: self.at.file, span: address.span() };
                let caption = match caption {
                    Some(caption) => caption.to_string(),
                    None => self.sources.files.text(written).to_owned(),
                };
                let address = self.evaluate_shown_byte(address)?;
                presentation.values.push(ShownValue { address, caption });
            }
            Shown::Grid { first, size, mark, rows, index } => {
                let scope = self.scope();
                let range = (1, VARIABLE_BYTES_MAX);
                let size =
                    self.evaluator().known_in_range(size, &scope, "the size of a grid", range)?;
                let mut byte = |expr: &Expr| self.evaluate_shown_byte(expr);
                presentation.grids.push(Grid {
                    first: byte(first)?,
                    size,
                    mark: *mark,
                    rows: rows.as_deref().map(&mut byte).transpose()?,
                    index: index.as_deref().map(&mut byte).transpose()?,
                });
            }
            Shown::Legend(led, text) => {
                presentation.legend.push(LegendEntry { led: *led, text: text.to_string() });
            }
            Shown::Count(color, caption) => {
                presentation.counts.push(LedCount { color: *color, caption: caption.to_string() });
            }
            Shown::Why(reason) => {
                let Some(text) = self.caption.clone() else {
                    return Err(self.report(&Problem::ReasonWithoutCaption, span));
                };
                let reasons = self.placed.reasons.entry(Rc::clone(&text)).or_default();
                if !reasons.contains(reason) {
                    reasons.push(reason.clone());
                }
                let (text, reasons) = (text.to_string(), reasons.clone());
                presentation.captions = vec![Caption { text, at: Vec::new(), reasons }];
            }
            Shown::Result(word) => {
                self.refuse_second("word for its results", self.placed.settings.result, span)?;
                self.placed.settings.result = Some(Location { file: self.at.file, span });
                presentation.result = Some(word.to_string());
            }
        }
        match presentation.check() {
            Ok(()) => {
                presentation.captions.clear();
                self.placed.settings.presentation = presentation;
            }
            Err(error) => return Err(self.report(&Problem::Presentation(error), span)),
        }
        Ok(())
    }

    fn evaluate_shown_byte(&mut self, address: &Expr) -> Result<RamAddr, Reported> {
        let scope = self.scope();
        let address: u16 =
            self.evaluator().known_in_range(address, &scope, "a data address", ADDRESSES)?;
        Ok(RamAddr::truncate(address))
    }
}
