//! The source in the editor. Answers requests about it through the language server.

use gray1_asm::{Analysis, Diagnostic as Finding, FileId, Severity};
use gray1_editors::lsp::{Diagnostic, Position, Range, SemanticToken, View, WorkspaceEdit};
use gray1_programs::built_in_path;
use gray1_programs::testing::TestFile;

use crate::answer::Edited;
use crate::sources::{FileKind, PageSources};

/// The error for a rename in a test file or a board.
pub(crate) const NO_NAMES: &str = "this file has no names";

/// The source that is being edited.
#[derive(Default)]
pub(crate) struct Editor {
    analysis: Option<Analysis>,
}

impl Editor {
    /// Stores and analyses the contents of a file. A file from a link is only analysed.
    pub(crate) fn edit(&mut self, sources: &mut PageSources, name: &str, text: String) -> Edited {
        if !sources.is_shared(name) {
            sources.texts.0.insert(name.to_owned(), text);
        }
        self.analysis = None;
        if let Some(diagnostics) = find_error(sources, name) {
            return Edited { diagnostics, fix: None, tokens: Vec::new() };
        }
        let source = sources.source(name).expect("it was put there");
        let mut loader = sources.loader(&source.id);
        let analysis = Analysis::new(source, &mut *loader);
        if analysis.files.iter().next().is_none() {
            // The file is too large to be analysed.
            let start = Position { line: 0, character: 0 };
            let errors = analysis.diagnostics.iter();
            let errors =
                errors.map(|it| Diagnostic::error(Range { start, end: start }, it.message.clone()));
            return Edited { diagnostics: errors.collect(), fix: None, tokens: Vec::new() };
        }
        self.analysis = Some(analysis);
        let view = self.view().expect("it was analysed");
        let tokens = view.tokens(0..=u32::MAX);
        let tokens = tokens.map(|SemanticToken { start, length, token_type, .. }| {
            (start.line, start.character, length, token_type)
        });
        let mut findings = view.program.diagnostics.iter();
        let is_error = |it: &&Finding| it.severity == Severity::Error;
        let first = findings.clone().find(is_error).or_else(|| findings.next());
        let fix = first.and_then(|first| view.suggestion(first)).filter(|fix| fix.uri == name);
        Edited { diagnostics: view.diagnostics(), fix, tokens: tokens.collect() }
    }

    /// Returns the language server's view of the source, or `None` for a test file or a board.
    pub(crate) fn view(&self) -> Option<View<'_>> {
        self.view_in(&[])
    }

    fn view_in<'a>(&'a self, programs: &'a [Analysis]) -> Option<View<'a>> {
        let (program, programs) = (self.analysis.as_ref()?, programs.iter().collect());
        // The page identifies the user's files by name and built-in files by path.
        let uri = Box::new(|id: &str| Some(built_in_path(id).unwrap_or(id).to_owned()));
        Some(View { program, programs, file: FileId::ROOT, uri })
    }

    /// Returns the edits that rename the name at a position in all of the user's sources that use
    /// it.
    ///
    /// # Errors
    /// Returns the reason if the name cannot be changed.
    pub(crate) fn rename(
        &self,
        sources: &PageSources,
        at: Position,
        new: &str,
    ) -> Result<WorkspaceEdit, String> {
        let programs: Vec<Analysis> = sources
            .own(FileKind::Source)
            .filter_map(|name| {
                Some(Analysis::new(sources.source(name)?, &mut *sources.loader(name)))
            })
            .collect();
        self.view_in(&programs).ok_or(NO_NAMES)?.rename(at, new)
    }
}

/// Returns the first error in a test file or a board, or an empty list. Returns `None` for a
/// source.
fn find_error(sources: &PageSources, name: &str) -> Option<Vec<Diagnostic>> {
    let text = sources.text(name)?;
    let found = match FileKind::from_name(name) {
        FileKind::Source => return None,
        FileKind::Tests => TestFile::read(&text)
            .err()
            .map(|it| (Some((it.position.line, it.position.column)), it.message)),
        FileKind::Board => {
            let board = sources.board_of(name, text.clone());
            board.err().map(|error| {
                let place = error.position.map(|it| (it.line, it.column));
                (place, error.to_string())
            })
        }
    };
    let diagnostics = found.into_iter().map(|(place, message)| {
        let (line, column) = place.unwrap_or((1, 1));
        let before = text.lines().nth(line - 1).into_iter().flat_map(str::chars).take(column - 1);
        let character = before.map(char::len_utf16).sum::<usize>() as u32;
        let start = Position { line: line as u32 - 1, character };
        let end = Position { character: character + 1, ..start };
        Diagnostic::error(Range { start, end }, message)
    });
    Some(diagnostics.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn editor(text: &str) -> (Editor, Value) {
        let (mut editor, mut sources) = (Editor::default(), PageSources::default());
        let edited = editor.edit(&mut sources, "mine.asm", text.to_owned());
        (editor, json!(edited))
    }

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_count_in_utf16_like_browsers() {
        let (editor, edited) = editor("; 🎲é\n LDI 1 ; 🎲\n FLY ; é\n HALT\n");
        let typo = &edited["diagnostics"][0];
        assert_eq!(typo["range"], json!({ "start": at(2, 1), "end": at(2, 4) }));
        assert_eq!(typo["severity"], 1);
        assert_eq!(edited["tokens"][1], json!([1, 1, 3, "keyword"]));
        assert_eq!(edited["tokens"][3], json!([1, 7, 4, "comment"]));
        let hover = editor.view().unwrap().hover(at(1, 2)).unwrap();
        assert_eq!(hover.range, Range { start: at(1, 1), end: at(1, 4) });
        assert!(hover.contents.value.contains("LDI"));
    }

    #[test]
    fn an_error_in_another_file_is_shown_at_the_include() {
        let (mut editor, mut sources) = (Editor::default(), PageSources::default());
        sources.texts.0.insert("b.asm".into(), " HALT\n FLY\n".into());
        let text = " LDI 1\n.include \"b.asm\"\n";
        let edited = editor.edit(&mut sources, "a.asm", text.into());
        let [diagnostic] = &edited.diagnostics[..] else { panic!("there is one") };
        assert_eq!(diagnostic.range.start, at(1, 9));
        let text = "Tests(version: 1, cases: [\n (name: \"é\", steps: [Halt])])\n";
        let edited = editor.edit(&mut sources, "a.test.ron", text.into());
        assert_eq!(edited.diagnostics[0].range.start, at(1, 21));
    }

    #[test]
    fn a_definition_is_found_in_the_library() {
        let (editor, edited) = editor(".include \"lib/panel.asm\"\n LDI 1\n ST MAILBOX\n HALT\n");
        assert_eq!(edited["diagnostics"], json!([]));
        let view = editor.view().unwrap();
        let definition = view.definitions(at(2, 6)).remove(0);
        assert_eq!(definition.uri, "lib/panel.asm");
        let text = gray1_programs::file("lib/panel.asm").unwrap().text;
        let line = text.lines().nth(definition.range.start.line as usize).unwrap();
        assert!(line.starts_with("MAILBOX"));
        assert!(view.completions(at(2, 6)).iter().any(|item| item.label == "MAILBOX"));
    }

    #[test]
    fn a_rename_changes_all_sources_that_share_the_name() {
        let (mut editor, mut sources) = (Editor::default(), PageSources::default());
        for (name, text) in [
            ("a.asm", ".include \"lib.asm\"\n LDI SIX\n HALT\n"),
            ("b.asm", "; é\n.include \"lib.asm\"\n LDI SIX + 1\n HALT\n"),
            ("c.asm", "SIX = 6\n LDI SIX\n HALT\n"),
            ("lib.asm", "SIX = 6\n"),
        ] {
            editor.edit(&mut sources, name, text.to_owned());
        }
        let name = Range { start: at(0, 0), end: at(0, 3) };
        assert_eq!(editor.view().unwrap().prepare_rename(at(0, 1)), Ok(name));
        let edit = editor.rename(&sources, at(0, 1), "SEVEN").unwrap();
        let places: Vec<(&str, Range)> = edit
            .changes
            .iter()
            .flat_map(|(name, edits)| edits.iter().map(|edit| (name.as_str(), edit.range)))
            .collect();
        let place =
            |line, character| Range { start: at(line, character), end: at(line, character + 3) };
        assert_eq!(places, [("a.asm", place(1, 5)), ("b.asm", place(2, 5)), ("lib.asm", name)]);
    }
}
