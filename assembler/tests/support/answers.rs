//! Everything that an analysis answers about a file, as text that two versions can be compared by.

use std::fmt::Write as _;

use gray1_asm::{Analysis, FileId, Location, MeaningfulToken, OutlineItem, Span};

/// Describes the answers about the line that contains a byte offset, where somebody types.
pub(crate) fn about_line(analysis: &Analysis, offset: u32) -> String {
    let file = analysis.files.get(FileId::ROOT);
    let number = file.line_of(offset);
    let Span { start, end } = file.line_span(number);
    let mut text = String::new();
    for diagnostic in &analysis.diagnostics {
        let Some(at) = diagnostic.location.filter(|at| at.file == FileId::ROOT) else { continue };
        if (start..=end).contains(&at.span.start) {
            let severity = diagnostic.severity.name();
            writeln!(text, "  {severity} {}: {}", place(analysis, at), diagnostic.message).unwrap();
        }
    }
    let found = analysis.completions(FileId::ROOT, offset);
    let local = found.items.iter().filter(|item| item.detail.is_none());
    let mut local: Vec<&str> = local.map(|item| item.text.as_str()).collect();
    local.sort_unstable();
    let (count, typed) = (found.items.len(), slice(analysis, found.span));
    writeln!(text, "  {count} words complete {typed:?}; without a value: {local:?}").unwrap();
    if let Some(help) = analysis.signature_help(FileId::ROOT, offset) {
        writeln!(text, "  operand {} of `{}`", help.active, help.text).unwrap();
    }
    for token in analysis.tokens(FileId::ROOT, number..=number) {
        let at = token.span.start;
        let defines = if token.defines { ", defined here" } else { "" };
        write!(text, "  {:?}: {:?}{defines}", slice(analysis, token.span), token.class).unwrap();
        let places = analysis.definitions(FileId::ROOT, at);
        for at in places.iter().filter(|_| !token.defines) {
            write!(text, ", from {}", place(analysis, *at)).unwrap();
        }
        if let Some(hover) = analysis.hover(FileId::ROOT, at) {
            write!(text, ", hover {}", digest(&hover.markdown)).unwrap();
        }
        text.push('\n');
    }
    text
}

/// The answers about a whole file, by kind.
pub(crate) fn about_file(analysis: &Analysis) -> [(&'static str, String); 4] {
    let file = analysis.files.get(FileId::ROOT);
    let all = 1..=file.line_count();
    let lines = |lines: Vec<String>| lines.join("\n");
    let messages = analysis.diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}"));
    let tokens = analysis.tokens(FileId::ROOT, all.clone()).into_iter();
    let words = all.clone().map(|number| {
        let found = analysis.completions(FileId::ROOT, file.line_span(number).end);
        let mut words: Vec<&str> = found.items.iter().map(|item| item.text.as_str()).collect();
        words.sort_unstable();
        format!("{number}: {}", words.join(" "))
    });
    let folds = analysis.folds(FileId::ROOT).iter().map(|fold| format!("{fold:?}"));
    let hints = analysis.hints(FileId::ROOT, all.clone()).into_iter();
    let mut layout: Vec<String> = folds.chain(hints.map(|hint| format!("{hint:?}"))).collect();
    push_outline(analysis, &analysis.outline(FileId::ROOT), 0, &mut layout);
    [
        ("messages", lines(messages.collect())),
        ("names", lines(tokens.map(|token| about_token(analysis, token)).collect())),
        ("words", lines(words.collect())),
        ("layout", lines(layout)),
    ]
}

fn about_token(analysis: &Analysis, token: MeaningfulToken) -> String {
    let at = token.span.start;
    let references = analysis.references(FileId::ROOT, at, true);
    let references: Vec<String> = references.iter().map(|at| place(analysis, *at)).collect();
    let definitions = analysis.definitions(FileId::ROOT, at).len();
    let hover = analysis.hover(FileId::ROOT, at).map(|hover| hover.markdown);
    let can_rename = analysis.renamable(FileId::ROOT, at).is_ok();
    let (place, name) = (place(analysis, root(token.span)), slice(analysis, token.span));
    let MeaningfulToken { class, defines, .. } = token;
    format!(
        "{place} {name:?} {class:?} {defines} {definitions} of {references:?} {can_rename} {hover:?}"
    )
}

fn push_outline(analysis: &Analysis, items: &[OutlineItem], depth: usize, out: &mut Vec<String>) {
    for OutlineItem { name, kind, detail, name_span, span, children } in items {
        let at = place(analysis, root(*name_span));
        out.push(format!("{depth} {at} {name} {kind:?} {detail:?} {span:?}"));
        push_outline(analysis, children, depth + 1, out);
    }
}

fn root(span: Span) -> Location {
    Location { file: FileId::ROOT, span }
}

/// Returns a place as its line and column, with the file's name if it is not the main source.
fn place(analysis: &Analysis, at: Location) -> String {
    let file = analysis.files.get(at.file);
    let position = file.position(at.span.start);
    let name = if at.file == FileId::ROOT { "" } else { file.name() };
    format!("{name}:{}:{}", position.line, position.column)
}

fn slice(analysis: &Analysis, span: Span) -> &str {
    analysis.files.text(root(span))
}

/// Returns a short number that differs for different texts (`FNV-1a`).
pub(crate) fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}", hash as u32)
}
