//! Quick fixes: the edits that apply the suggestions in diagnostics.

use std::collections::BTreeMap;

use gray1_asm::{Diagnostic as Finding, Edit};
use serde_json::{Value, json};

use super::protocol::{Fix, Range, TextEdit, WorkspaceEdit};
use super::view::View;

/// The protocol's name for this kind of code action.
pub(super) const QUICK_FIX: &str = "quickfix";

impl View<'_> {
    /// The fixes for the diagnostics in a range. Empty if `only` names only other kinds of actions.
    pub(super) fn fixes(&self, range: Range, only: Option<&[&str]>) -> Vec<Value> {
        if only.is_some_and(|only| !only.iter().any(|kind| ["", QUICK_FIX].contains(kind))) {
            return Vec::new();
        }
        let start = self.offset(range.start);
        let end = self.offset(range.end);
        let mut fixes: Vec<Value> = Vec::new();
        for finding in &self.program.diagnostics {
            if !finding.location.is_some_and(|at| {
                at.file == self.file && at.span.start <= end && start <= at.span.end
            }) {
                continue;
            }
            let fix = self.fix(finding);
            // A line of a macro may have the same error in each call.
            fixes.extend(fix.filter(|fix| !fixes.iter().any(|known| known["edit"] == fix["edit"])));
        }
        fixes
    }

    fn fix(&self, finding: &Finding) -> Option<Value> {
        let Fix { title, uri, edit } = self.suggestion(finding)?;
        let (_, diagnostic) = self.diagnostic(finding)?;
        let edit = WorkspaceEdit { changes: BTreeMap::from([(uri, vec![edit])]) };
        Some(json!({
            "title": title, "kind": QUICK_FIX, "diagnostics": [diagnostic],
            "isPreferred": true, "edit": edit,
        }))
    }

    /// The edit that applies the suggestion of a diagnostic, if the author can edit its file.
    pub fn suggestion(&self, finding: &Finding) -> Option<Fix> {
        let found = finding.help.as_ref()?.edit.as_ref()?;
        let at = self.editable_location(found.place(&self.program.files)?)?;
        let edit = TextEdit { range: at.range, new_text: found.new.clone() };
        Some(Fix { title: title(found), uri: at.uri, edit })
    }
}

fn title(Edit { old, new, .. }: &Edit) -> String {
    match old.as_str() {
        "" => format!("Insert `{}`", new.trim()),
        old => format!("Change `{old}` to `{new}`"),
    }
}
