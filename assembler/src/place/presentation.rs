//! Places a program's presentation: `.show`, `.grid`, `.legend`, `.count`, `.result`.

use gray1_isa::RamAddr;
use gray1_isa::presentation::{Caption, Grid, LedCount, LegendEntry, ShownValue};
use gray1_isa::reason::Reason;

use super::draft::{Draft, Outcome};
use super::placement::{PlacedCaption, PlacedReason};
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
            Shown::Why(reason) => return self.add_reason(reason, span),
            Shown::Result(word) => {
                self.refuse_second("word for its results", self.placed.settings.result, span)?;
                self.placed.settings.result = Some(Location { file: self.at.file, span });
                presentation.result = Some(word.to_string());
            }
        }
        match presentation.check() {
            Ok(()) => {
                self.placed.settings.presentation = presentation;
                Ok(())
            }
            Err(error) => Err(self.report(&Problem::Presentation(error), span)),
        }
    }

    /// Adds a reason to the caption that applies here.
    fn add_reason(&mut self, reason: &Reason, span: Span) -> Outcome {
        let Some(PlacedCaption { text, at }) = self.caption.clone() else {
            return Err(self.report(&Problem::ReasonWithoutCaption, span));
        };
        let scope = self.scope();
        let mut placed = self.placed.reasons.get(&at).cloned().unwrap_or_default();
        // A block that is repeated has the same reasons each time.
        if !placed.iter().any(|known| known.reason == *reason) {
            placed.push(PlacedReason { reason: reason.clone(), span, scope });
        }
        let reasons = placed.iter().map(|placed| placed.reason.clone()).collect();
        let caption = Caption { text: text.to_string(), at: Vec::new(), reasons };
        if let Err(error) = caption.check() {
            return Err(self.report(&Problem::Presentation(error), span));
        }
        self.placed.reasons.insert(at, placed);
        Ok(())
    }

    fn evaluate_shown_byte(&mut self, address: &Expr) -> Result<RamAddr, Reported> {
        let scope = self.scope();
        let address: u16 =
            self.evaluator().known_in_range(address, &scope, "a data address", ADDRESSES)?;
        Ok(RamAddr::truncate(address))
    }
}
