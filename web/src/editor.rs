//! The editor's questions about a source, answered as the language server does.

use gray1_asm::{
    Analysis, CompletionKind, Diagnostic, FileId, Files, Lint, Location, NameKind, Note, Severity,
    TokenClass,
};
use gray1_programs::testing::TestFile;
use serde_json::{Value, json};

use crate::sources::{Kind, Sources};
use crate::utf16::Units;

/// The source that is being edited.
#[derive(Default)]
pub(crate) struct Editor {
    name: String,
    analysis: Option<Analysis>,
}

impl Editor {
    /// Keeps the text of a source; what is wrong with it, and the meanings of its words.
    pub(crate) fn edit(&mut self, sources: &mut Sources, name: &str, text: String) -> Value {
        let units = Units::of(&text);
        sources.put(name, text);
        name.clone_into(&mut self.name);
        self.analysis = None;
        if let Some(mistake) = mistake(sources, name) {
            return json!({ "diagnostics": mistake, "tokens": [] });
        }
        let source = sources.source(name).expect("it was put there");
        let analysis = Analysis::new(source, &mut sources.loader());
        let diagnostics = analysis.diagnostics.iter().map(|it| told(it, &analysis.files, &units));
        let diagnostics: Vec<Value> = diagnostics.collect();
        let tokens = analysis.tokens(FileId::ROOT, 0..=u32::MAX).into_iter();
        let token = |it: gray1_asm::MeaningfulToken| {
            json!([units.at(it.span.start), units.at(it.span.end), class(it.class)])
        };
        let tokens: Vec<Value> = tokens.map(token).collect();
        self.analysis = Some(analysis);
        json!({ "diagnostics": diagnostics, "tokens": tokens })
    }

    /// Answers a question about a place, if there is something to say.
    fn answer(
        &self,
        at: u32,
        answer: impl FnOnce(&Analysis, &Units, u32) -> Option<Value>,
    ) -> Value {
        let Some(analysis) = &self.analysis else { return Value::Null };
        let units = Units::of(analysis.files.get(FileId::ROOT).text());
        answer(analysis, &units, units.byte(at)).unwrap_or_default()
    }

    pub(crate) fn hover(&self, at: u32) -> Value {
        self.answer(at, |analysis, units, byte| {
            let hover = analysis.hover(FileId::ROOT, byte)?;
            let (from, to) = (units.at(hover.span.start), units.at(hover.span.end));
            Some(json!({ "from": from, "to": to, "markdown": hover.markdown }))
        })
    }

    pub(crate) fn complete(&self, at: u32) -> Value {
        self.answer(at, |analysis, units, byte| {
            let found = analysis.completions(FileId::ROOT, byte);
            let item = |it: gray1_asm::Completion| {
                json!({
                    "label": it.text,
                    "detail": it.detail,
                    "markdown": it.documentation,
                    "type": kind(it.kind),
                })
            };
            let items: Vec<Value> = found.items.into_iter().map(item).collect();
            Some(json!({ "from": units.at(found.span.start), "items": items }))
        })
    }

    pub(crate) fn signature(&self, at: u32) -> Value {
        self.answer(at, |analysis, _, byte| {
            let signature = analysis.signature_help(FileId::ROOT, byte)?;
            let active = signature.parameters.get(signature.active).cloned();
            let active = active.map_or("", |at| &signature.text[at]);
            Some(json!({ "text": signature.text, "active": active }))
        })
    }

    pub(crate) fn definition(&self, at: u32) -> Value {
        self.answer(at, |analysis, _, byte| {
            let Location { file, span } = *analysis.definitions(FileId::ROOT, byte).first()?;
            let file = analysis.files.get(file);
            let name = gray1_programs::path_of(file.id()).unwrap_or(file.name());
            Some(json!({ "name": name, "at": Units::of(file.text()).at(span.start) }))
        })
    }

    /// The name at a place, if it can get another one.
    ///
    /// # Errors
    /// In words, if it cannot.
    pub(crate) fn renamable(&self, at: u32) -> Result<Value, String> {
        let analysis = self.analysis.as_ref().ok_or("this file has no names")?;
        let units = Units::of(analysis.files.get(FileId::ROOT).text());
        let span = analysis.renamable(FileId::ROOT, units.byte(at));
        let span = span.map_err(|why| why.to_string())?;
        Ok(json!({ "from": units.at(span.start), "to": units.at(span.end) }))
    }

    /// Replaces the name at a place in all of the user's own sources that belong together. The
    /// places of the old name in each of them, in order.
    ///
    /// # Errors
    /// In words, if it cannot get this name.
    pub(crate) fn rename(
        &self,
        sources: &mut Sources,
        at: u32,
        new: &str,
    ) -> Result<Value, String> {
        let analysis = self.analysis.as_ref().ok_or("this file has no names")?;
        let at = Units::of(analysis.files.get(FileId::ROOT).text()).byte(at);
        let programs: Vec<Analysis> = sources
            .own(Kind::Source)
            .filter_map(|name| Some(Analysis::new(sources.source(name)?, &mut sources.loader())))
            .collect();
        let places = gray1_asm::rename_in(&programs, &self.name, at, new);
        let mut told = serde_json::Map::new();
        let mut texts = Vec::new();
        for (file, spans) in places.map_err(|why| why.to_string())? {
            if gray1_programs::path_of(file.id()).is_some() {
                return Err(format!("it is used in {} too", file.name()));
            }
            let (mut text, units) = (file.text().to_owned(), Units::of(file.text()));
            for span in spans.iter().rev() {
                text.replace_range(span.start as usize..span.end as usize, new);
            }
            let spans = spans.iter().map(|span| json!([units.at(span.start), units.at(span.end)]));
            told.insert(file.id().to_owned(), spans.collect());
            texts.push((file.id().to_owned(), text));
        }
        for (name, text) in texts {
            sources.put(&name, text);
        }
        Ok(told.into())
    }

    /// The text, formatted; nothing, if it has errors: those are shown already.
    pub(crate) fn format(&self, sources: &Sources) -> Value {
        let source = sources.source(&self.name).filter(|_| self.analysis.is_some());
        let formatted = source.map(|source| gray1_asm::format(source, &mut Files::default()));
        formatted.and_then(Result::ok).into()
    }
}

/// What is wrong with a test file or a board, if anything is; `None` for a source.
fn mistake(sources: &Sources, name: &str) -> Option<Vec<Value>> {
    let text = sources.text(name)?;
    let found = match Kind::of(name) {
        Kind::Source => return None,
        Kind::Tests => TestFile::read(&text)
            .err()
            .map(|it| (Some((it.position.line, it.position.column)), it.message)),
        Kind::Board => {
            let board = sources.board_of(name, text.clone());
            board.err().map(|error| {
                let place = error.position().map(|it| (it.line, it.column));
                (place, error.to_string())
            })
        }
    };
    let told = |(place, message): (Option<(usize, usize)>, String)| {
        let from = place.map_or(0, |(line, column)| unit_at(&text, line, column));
        json!({
            "from": from,
            "to": from + 1,
            "severity": "error",
            "source": null,
            "message": message,
        })
    };
    Some(found.into_iter().map(told).collect())
}

/// The unit at a line and a column of a text, counted from 1.
fn unit_at(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines.clone().take(line - 1).map(|line| line.encode_utf16().count()).sum();
    let rest = lines.skip(line - 1).flat_map(str::chars).take(column - 1);
    before + rest.map(char::len_utf16).sum::<usize>()
}

/// An error or a warning at its place; if that is in another file, at the innermost call that leads
/// there, or at the start.
fn told(diagnostic: &Diagnostic, files: &Files, units: &Units) -> Value {
    let calls = diagnostic.trace.iter().rev().filter_map(|note| note.location);
    let mut places = diagnostic.location.into_iter().chain(calls);
    let place = places.find(|place| place.file == FileId::ROOT);
    let (from, to) = place.map_or((0, 0), |it| (units.at(it.span.start), units.at(it.span.end)));
    let mut message = vec![diagnostic.message.clone()];
    let notes = diagnostic.notes.iter().chain(&diagnostic.trace);
    message.extend(notes.map(|note| format!("note: {}", in_words(note, files))));
    message.extend(diagnostic.help.iter().map(|help| format!("help: {}", help.text)));
    json!({
        "from": from,
        "to": to,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "source": diagnostic.lint.map(Lint::name),
        "message": message.join("\n"),
    })
}

fn in_words(note: &Note, files: &Files) -> String {
    let Some(at) = note.location else { return note.message.clone() };
    let file = files.get(at.file);
    let place = file.position(at.span.start);
    format!("{} at {}:{}:{}", note.message, file.name(), place.line, place.column)
}

/// The class of a word, for its colour.
fn class(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Comment => "comment",
        TokenClass::Instruction => "instruction",
        TokenClass::Directive => "directive",
        TokenClass::Number | TokenClass::Text => "literal",
        TokenClass::BuiltIn => "macro",
        TokenClass::Name(name) => match name {
            NameKind::Macro | NameKind::Routine | NameKind::Function => "macro",
            NameKind::Label => "label",
            _ => "name",
        },
    }
}

/// The kind of a completion, as the editor's icons are called.
fn kind(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Instruction | CompletionKind::Directive => "keyword",
        CompletionKind::Warning => "enum",
        CompletionKind::BuiltIn => "function",
        CompletionKind::Argument => "property",
        CompletionKind::Name(name) => match name {
            NameKind::Label => "namespace",
            NameKind::Constant => "constant",
            NameKind::Structure => "class",
            NameKind::Field => "property",
            NameKind::Macro | NameKind::Routine | NameKind::Function => "function",
            NameKind::Variable | NameKind::Parameter => "variable",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor(text: &str) -> (Editor, Value) {
        let (mut editor, mut sources) = (Editor::default(), Sources::default());
        let told = editor.edit(&mut sources, "mine.asm", text.to_owned());
        (editor, told)
    }

    #[test]
    fn places_count_as_browsers_do() {
        let (editor, told) = editor("; 🎲é\n LDI 1\n FLY\n HALT\n");
        let typo = &told["diagnostics"][0];
        assert_eq!((&typo["from"], &typo["to"]), (&json!(14), &json!(17)));
        assert_eq!(typo["severity"], "error");
        assert_eq!(told["tokens"][1], json!([7, 10, "instruction"]));
        assert_eq!(editor.hover(8)["from"], 7);
        assert!(editor.hover(8)["markdown"].as_str().unwrap().contains("LDI"));
    }

    #[test]
    fn a_name_leads_to_its_definition_in_the_library() {
        let (editor, told) = editor(".include \"lib/panel.asm\"\n LDI 1\n ST MAILBOX\n HALT\n");
        assert_eq!(told["diagnostics"], json!([]));
        let definition = editor.definition(38);
        assert_eq!(definition["name"], "lib/panel.asm");
        let text = gray1_programs::file("lib/panel.asm").unwrap().text;
        assert!(text[definition["at"].as_u64().unwrap() as usize..].starts_with("MAILBOX"));
        let words = editor.complete(38);
        let labels = words["items"].as_array().unwrap().iter().map(|item| &item["label"]);
        assert!(labels.clone().any(|label| label == "MAILBOX"));
    }

    #[test]
    fn a_name_is_replaced_in_all_sources_that_belong_together() {
        let (mut editor, mut sources) = (Editor::default(), Sources::default());
        for (name, text) in [
            ("a.asm", ".include \"lib.asm\"\n LDI SIX\n HALT\n"),
            ("b.asm", "; é\n.include \"lib.asm\"\n LDI SIX + 1\n HALT\n"),
            ("c.asm", "SIX = 6\n LDI SIX\n HALT\n"),
            ("lib.asm", "SIX = 6\n"),
        ] {
            editor.edit(&mut sources, name, text.to_owned());
        }
        assert_eq!(editor.renamable(1), Ok(json!({ "from": 0, "to": 3 })));
        let places = editor.rename(&mut sources, 1, "SEVEN").unwrap();
        let expected = json!({ "a.asm": [[24, 27]], "b.asm": [[28, 31]], "lib.asm": [[0, 3]] });
        assert_eq!(places, expected);
        assert_eq!(sources.text("b.asm").unwrap().lines().nth(2), Some(" LDI SEVEN + 1"));
        assert!(sources.text("c.asm").unwrap().contains("SIX"));

        editor.edit(&mut sources, "a.asm", ".include \"lib/panel.asm\"\n LD RED\n".into());
        let refused = editor.rename(&mut sources, 31, "ROT").unwrap_err();
        assert_eq!(refused, "it is used in built-in:lib/panel.asm too");
        assert_eq!(editor.rename(&mut sources, 31, "9").unwrap_err(), "`9` is not a name");
    }
}
