//! Quick fixes: the changes that the help of diagnostics comes down to.

use std::collections::HashMap;

use gray1_asm::{Diagnostic, Swap};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, TextEdit, WorkspaceEdit,
};

use super::view::View;

impl View<'_> {
    /// The fixes for what is wrong in a range.
    pub(super) fn fixes(&self, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        let is_asked_for = |kind: &CodeActionKind| {
            ["", CodeActionKind::QUICKFIX.as_str()].contains(&kind.as_str())
        };
        if params.context.only.as_ref().is_some_and(|only| !only.iter().any(is_asked_for)) {
            return Vec::new();
        }
        let (start, end) = (self.offset(params.range.start), self.offset(params.range.end));
        let is_there = |diagnostic: &&Diagnostic| {
            diagnostic.location.is_some_and(|at| {
                at.file == self.file && at.span.start <= end && start <= at.span.end
            })
        };
        let mut fixes: Vec<CodeAction> = Vec::new();
        for diagnostic in self.program.diagnostics.iter().filter(is_there) {
            let fix = self.fix(diagnostic);
            // A line of a macro may be wrong in the same way in each call.
            fixes.extend(fix.filter(|fix| !fixes.iter().any(|known| known.edit == fix.edit)));
        }
        fixes.into_iter().map(CodeActionOrCommand::CodeAction).collect()
    }

    fn fix(&self, diagnostic: &Diagnostic) -> Option<CodeAction> {
        let swap = diagnostic.help.as_ref()?.swap.as_ref()?;
        let at = self.editable(swap.place(&self.program.files)?)?;
        let edit = TextEdit { range: at.range, new_text: swap.new.clone() };
        let (_, told) = self.told(diagnostic)?;
        Some(CodeAction {
            title: title(swap),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![told]),
            edit: Some(WorkspaceEdit {
                changes: Some(HashMap::from([(at.uri, vec![edit])])),
                ..WorkspaceEdit::default()
            }),
            is_preferred: Some(true),
            ..CodeAction::default()
        })
    }
}

fn title(Swap { old, new, .. }: &Swap) -> String {
    match old.as_str() {
        "" => format!("Insert `{}`", new.trim()),
        old => format!("Change `{old}` to `{new}`"),
    }
}
