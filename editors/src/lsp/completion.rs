//! Completion at the cursor.

use std::collections::BTreeSet;
use std::path::PathBuf;

use gray1_asm::{CompletionKind, NameKind, Span};
use gray1_programs::FILES;

use super::documents::Documents;
use super::protocol::{CompletionItem, Position, TextEdit};
use super::view::View;

impl View<'_> {
    /// The completions at a position.
    pub fn completions(&self, at: Position) -> Vec<CompletionItem> {
        let found = self.program.completions(self.file, self.offset(at));
        let range = self.range(found.span);
        let items = found.items.into_iter().map(|item| CompletionItem {
            kind: kind_number(item.kind),
            detail: item.detail,
            documentation: item.documentation.map(Into::into),
            // Clients differ in their definition of a word, so the range is explicit.
            text_edit: TextEdit { range, new_text: item.text.clone() },
            label: item.text,
        });
        items.collect()
    }

    /// The file names that can complete the name in an `.include` at a position. `None` if there is
    /// no such name at the position.
    pub(super) fn paths(&self, at: Position, documents: &Documents) -> Option<Vec<CompletionItem>> {
        const FILE: u8 = 17;
        const FOLDER: u8 = 19;
        let Documents { saved, settings, .. } = documents;
        let end = self.offset(at);
        let typed = self.program.included_up_to(self.file, end)?;
        let start = end - typed.len() as u32;
        let folder = typed.rfind('/').map_or("", |slash| &typed[..=slash]);
        let own = saved.path_of(self.document().id());
        let own_name = own.as_ref().and_then(|own| own.file_name()?.to_str());
        let more = settings.at(&own.clone().unwrap_or_default()).include;
        let own_folder = own.as_ref().and_then(|own| own.parent());
        let folders = own_folder.into_iter().chain(more.iter().map(PathBuf::as_path));
        let saved = folders.flat_map(|other| saved.names_in(&other.join(folder)));
        let saved = saved.map(|name| format!("{folder}{name}"));
        let built_in = FILES.iter().map(|file| file.path).filter(|path| path.starts_with("lib/"));
        let built_in = built_in.filter(|path| path.starts_with(folder)).map(str::to_owned);
        let mut paths: BTreeSet<String> = saved.chain(built_in).collect();
        paths.retain(|path| Some(path.as_str()) != own_name);
        let items = paths.into_iter().map(|path| CompletionItem {
            kind: if path.ends_with('/') { FOLDER } else { FILE },
            detail: None,
            documentation: None,
            text_edit: TextEdit { range: self.range(Span { start, end }), new_text: path.clone() },
            label: path,
        });
        Some(items.collect())
    }
}

/// The protocol's number of a kind (`CompletionItemKind`).
fn kind_number(kind: CompletionKind) -> u8 {
    match kind {
        CompletionKind::BuiltIn => 3,   // Function
        CompletionKind::Argument => 10, // Property
        CompletionKind::Instruction | CompletionKind::Directive => 14, // Keyword
        CompletionKind::Warning | CompletionKind::Colour => 20, // EnumMember
        CompletionKind::Name(name) => match name {
            NameKind::Macro | NameKind::Routine | NameKind::Function => 3, // Function
            NameKind::Field => 5,
            NameKind::Variable | NameKind::Parameter => 6, // Variable
            NameKind::Constant => 21,
            NameKind::Structure => 22,
            NameKind::Label => 23, // Event
        },
    }
}
