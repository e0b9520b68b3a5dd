//! Prints diagnostics for people, in the style of rustc, or as JSON for tools.
//!
//! All diagnostics are printed here, so only this module has to keep a source's control characters
//! away from the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use gray1_isa::text::{is_harmful, plural, printable};

use crate::diagnostic::{Diagnostic, Note, Severity};
use crate::source::{Files, Location};

/// The output formats of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendering {
    /// Text without colours.
    Plain,
    /// Text with ANSI colours.
    Coloured,
    /// A line for each diagnostic, without frames: `p.asm:3:9: error: no such label; help`.
    Short,
    /// One JSON object a line: `severity`, `message`, `name` (of a warning), `file`, `line`,
    /// `column`, `end_column`, `label`, `notes`, `trace`, `help`. Lines and columns count from 1,
    /// columns in characters. Members without a value are omitted.
    Json,
}

impl Rendering {
    /// Formats diagnostics. `files` contains the files that their places refer to. Text about a
    /// source ends with a line that counts the errors and the warnings, if there are any.
    pub fn render(self, diagnostics: &[Diagnostic], files: &Files) -> String {
        match self {
            Self::Json => render_json(diagnostics, files),
            Self::Short => diagnostics.iter().map(|it| short_line(it, files)).collect(),
            Self::Plain => render_text(&Renderer::plain(), diagnostics, files),
            Self::Coloured => render_text(&COLOURED, diagnostics, files),
        }
    }
}

const BOLD: Style = Style::new().effects(Effects::BOLD);

/// Red and magenta are readable on black, on white and in Solarized. Yellow, cyan and bright
/// colours are not.
const COLOURED: Renderer = Renderer::styled()
    .error(AnsiColor::Red.on_default().effects(Effects::BOLD))
    .warning(AnsiColor::Magenta.on_default().effects(Effects::BOLD))
    .note(BOLD)
    .help(BOLD)
    .line_num(Style::new())
    .context(BOLD)
    .emphasis(BOLD);

// --- Text ------------------------------------------------------------------------------------

fn render_text(renderer: &Renderer, diagnostics: &[Diagnostic], files: &Files) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let groups = make_groups(diagnostic, files);
        // The renderer joins groups by a bar, which needs a snippet in front.
        let joined = if diagnostic.location.is_some() { groups.len() } else { 1 };
        for groups in groups.chunks(joined) {
            text.push_str(&renderer.render(groups));
            text.push('\n');
        }
        text.push('\n');
    }
    let has_source = files.iter().next().is_some();
    match summarize(diagnostics).filter(|_| has_source) {
        Some((level, closing)) => {
            text.push_str(&renderer.render(&[Group::with_title(level.primary_title(closing))]));
        }
        None => text.truncate(text.trim_end().len()),
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Returns a diagnostic with its notes and its help as one line.
fn short_line(diagnostic: &Diagnostic, files: &Files) -> String {
    let Diagnostic { severity, message, label, notes, trace, help, .. } = diagnostic;
    let place = diagnostic.location.map(|location| format!("{}: ", format_place(location, files)));
    let notes = notes.iter().chain(trace).map(|note| format_note(note, files));
    let help = help.iter().map(|help| printable(&help.text));
    let first = format!("{}: {}", severity.name(), printable(message));
    let parts = [first].into_iter().chain(label.as_deref().map(printable)).chain(notes).chain(help);
    let parts: Vec<String> = parts.collect();
    format!("{}{}\n", place.unwrap_or_default(), parts.join("; "))
}

/// Returns the last line: the number of errors, then the number of warnings.
fn summarize(diagnostics: &[Diagnostic]) -> Option<(Level<'static>, String)> {
    let counts = [Severity::Error, Severity::Warning].map(|severity| {
        let count = diagnostics.iter().filter(|d| d.severity == severity).count();
        (count > 0).then(|| format!("{count} {}", plural(count, severity.name())))
    });
    let level = if counts[0].is_some() { Level::ERROR } else { Level::WARNING };
    let parts: Vec<String> = counts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| (level, parts.join(", ")))
}

/// Groups the diagnostic with the notes that have a place to show.
fn make_groups<'a>(diagnostic: &'a Diagnostic, files: &'a Files) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut title = level.primary_title(printable(&diagnostic.message));
    if let Some(lint) = diagnostic.lint {
        title = title.id(lint.name());
    }
    let mut main = Group::with_title(title);
    if let Some(location) = diagnostic.location {
        main = main.element(make_snippet(location, diagnostic.label.as_deref(), files));
    }
    let (placed, unplaced): (Vec<&Note>, Vec<&Note>) =
        diagnostic.notes.iter().partition(|note| note.location.is_some());
    for note in unplaced.into_iter().chain(&diagnostic.trace) {
        main = main.element(Level::NOTE.message(format_note(note, files)));
    }
    let help = diagnostic.help.as_ref().map(|help| printable(&help.text));
    let mut groups = Vec::new();
    match help {
        Some(help) if diagnostic.location.is_none() => {
            groups.extend([main, Group::with_title(Level::HELP.secondary_title(help))]);
        }
        help => groups.push(main.elements(help.map(|help| Level::HELP.message(help)))),
    }
    for note in placed {
        let title = Level::NOTE.secondary_title(printable(&note.message));
        let snippet = note.location.map(|location| make_snippet(location, None, files));
        groups.push(title.elements(snippet));
    }
    groups
}

/// Shows a place in its line. The renderer gets only this line, because it searches all of its
/// input.
fn make_snippet<'a>(
    location: Location,
    label: Option<&'a str>,
    files: &'a Files,
) -> Snippet<'a, Annotation<'a>> {
    let file = files.get(location.file);
    let number = file.line_of(location.span.start);
    let start = file.line_span(number).start;
    let line = file.line(number);
    // Replacing a harmful character can change its length in bytes.
    let offset = |at: u32| replace_harmful(&line[..((at - start) as usize).min(line.len())]).len();
    let span = offset(location.span.start)..offset(location.span.end);
    Snippet::source(replace_harmful(line).into_owned())
        .line_start(number as usize)
        .path(printable(file.name()))
        .annotation(AnnotationKind::Primary.span(span).label(label.map(printable)))
}

/// Returns a note with its place in words.
fn format_note(note: &Note, files: &Files) -> String {
    let message = printable(&note.message);
    let Some(location) = note.location else { return message };
    format!("{message} at {}", format_place(location, files))
}

/// Returns a place as `p.asm:3:9`.
fn format_place(location: Location, files: &Files) -> String {
    let file = files.get(location.file);
    let position = file.position(location.span.start);
    format!("{}:{}:{}", printable(file.name()), position.line, position.column)
}

/// Replaces harmful characters of a line one by one, so that columns stay the same. The renderer
/// expands tabs.
fn replace_harmful(line: &str) -> Cow<'_, str> {
    let replace = |c| is_harmful(c) && c != '\t';
    if line.contains(replace) { Cow::Owned(line.replace(replace, "\u{fffd}")) } else { line.into() }
}

// --- JSON ------------------------------------------------------------------------------------

fn render_json(diagnostics: &[Diagnostic], files: &Files) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&json_object(diagnostic, files));
        text.push('\n');
    }
    text
}

fn json_object(diagnostic: &Diagnostic, files: &Files) -> String {
    let mut members = vec![
        format!("\"severity\":{}", json_string(diagnostic.severity.name())),
        format!("\"message\":{}", json_string(&diagnostic.message)),
    ];
    let lint = diagnostic.lint;
    members.extend(lint.map(|lint| format!("\"name\":{}", json_string(lint.name()))));
    members.extend(diagnostic.location.map(|location| json_place(location, files)));
    let label = diagnostic.label.as_deref();
    members.extend(label.map(|label| format!("\"label\":{}", json_string(label))));
    for (name, notes) in [("notes", &diagnostic.notes), ("trace", &diagnostic.trace)] {
        if !notes.is_empty() {
            let notes: Vec<String> = notes.iter().map(|note| json_note(note, files)).collect();
            members.push(format!("\"{name}\":[{}]", notes.join(",")));
        }
    }
    let help = diagnostic.help.as_ref().map(|help| &help.text);
    members.extend(help.map(|help| format!("\"help\":{}", json_string(help))));
    format!("{{{}}}", members.join(","))
}

fn json_note(note: &Note, files: &Files) -> String {
    let mut members = vec![format!("\"message\":{}", json_string(&note.message))];
    members.extend(note.location.map(|location| json_place(location, files)));
    format!("{{{}}}", members.join(","))
}

fn json_place(location: Location, files: &Files) -> String {
    let file = files.get(location.file);
    let start = file.position(location.span.start);
    let end = file.position(location.span.end);
    format!(
        "\"file\":{},\"line\":{},\"column\":{},\"end_column\":{}",
        json_string(file.name()),
        start.line,
        start.column,
        end.column
    )
}

/// Returns a quoted JSON string without characters that a terminal would act on.
fn json_string(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\n' => json.push_str("\\n"),
            // All harmful characters are below U+10000, so each is a single UTF-16 unit.
            _ if is_harmful(c) => {
                write!(json, "\\u{:04x}", u32::from(c)).expect("a String takes all");
            }
            _ => json.push(c),
        }
    }
    json.push('"');
    json
}
