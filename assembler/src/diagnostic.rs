//! Errors and warnings about a source, each with its place. Their formatting is in `render`.

use gray1_language::did_you_mean;

use crate::source::{Files, Location, Span};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program cannot be assembled.
    Error,
    /// The program can be assembled, but it probably has a mistake.
    Warning,
}

impl Severity {
    /// The word at the start of a message, such as `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The kinds of warnings. A source can switch each kind off by `.allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lint {
    /// A name that is never used.
    Unused,
    /// Code that cannot be reached.
    Unreachable,
    /// A byte that is read but never written.
    Unwritten,
    /// A routine that the code above it runs into without a call.
    Entry,
    /// A JC whose outcome is already known, or which depends on a carry set long ago.
    Carry,
    /// An instruction after which the program can run into erased memory.
    End,
    /// A number used as the address of a byte that the assembler placed.
    Number,
    /// An operand in parentheses. They suggest a pointer, but the machine has no pointers.
    Indirect,
}

impl Lint {
    /// All kinds of warnings.
    pub const ALL: [Self; 8] = [
        Self::Unused,
        Self::Unreachable,
        Self::Unwritten,
        Self::Entry,
        Self::Carry,
        Self::End,
        Self::Number,
        Self::Indirect,
    ];

    /// The name that `.allow` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Unreachable => "unreachable",
            Self::Unwritten => "unwritten",
            Self::Entry => "entry",
            Self::Carry => "carry",
            Self::End => "end",
            Self::Number => "number",
            Self::Indirect => "indirect",
        }
    }

    /// Returns the kind of warning with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lint| lint.name() == name)
    }
}

/// An error or a warning. Its strings can contain raw bytes of the source. Print them with
/// [`Rendering`](crate::Rendering), which escapes control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// The kind of warning, if it can be switched off.
    pub lint: Option<Lint>,
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// The place of the mistake, or `None` if it is not in the source.
    pub location: Option<Location>,
    /// A few words next to the underlined source.
    pub label: Option<String>,
    /// Other places that are part of the explanation.
    pub notes: Vec<Note>,
    /// The macro calls, repeats and includes that led to the place, outermost first. The middle of
    /// a long chain is left out.
    pub trace: Vec<Note>,
    /// Advice on how to fix the mistake.
    pub help: Option<Help>,
}

/// Advice on an error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// The advice, in words.
    pub text: String,
    /// The edit that follows the advice, if a single edit does.
    pub edit: Option<Edit>,
}

/// An edit that replaces one piece of the source by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range that contains the old string. If the name is built from numbers or comes from
    /// elsewhere, the old string may not be there. Then there is nothing to replace.
    pub at: Location,
    /// The string to replace. It is empty for an insertion.
    pub old: String,
    /// The replacement.
    pub new: String,
}

/// A remark, with the place it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub message: String,
    /// The place it refers to, if any.
    pub location: Option<Location>,
}

impl Diagnostic {
    /// Creates an error that has only a message.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            lint: None,
            message: message.into(),
            location: None,
            label: None,
            notes: Vec::new(),
            trace: Vec::new(),
            help: None,
        }
    }

    /// Creates a warning that has only a message.
    pub fn warning(lint: Option<Lint>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, lint, ..Self::error(message) }
    }

    /// Sets the place.
    #[must_use]
    pub fn at(self, location: Location) -> Self {
        Self { location: Some(location), ..self }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>, location: Option<Location>) -> Self {
        self.notes.push(Note { message: message.into(), location });
        self
    }

    /// Sets the help, if there is any.
    #[must_use]
    pub fn help<H: Into<Help>>(self, help: Option<H>) -> Self {
        Self { help: help.map(Into::into), ..self }
    }
}

impl Edit {
    /// Returns the exact place of the old string. Returns `None` if it is not in the range, or if
    /// the range contains more than the string, brackets and blanks.
    pub fn place(&self, files: &Files) -> Option<Location> {
        let text = files.text(self.at);
        let at = text.find(&self.old)?;
        let (before, after) = (&text[..at], &text[at + self.old.len()..]);
        let is_alone =
            [before, after].iter().all(|rest| rest.trim_matches(['(', ')', ' ', '\t']).is_empty());
        let start = self.at.span.start + at as u32;
        let span = Span { start, end: start + self.old.len() as u32 };
        is_alone.then_some(Location { file: self.at.file, span })
    }
}

impl Help {
    /// Creates advice with an edit that replaces `old` by `new` at a place.
    pub(crate) fn edit(
        text: impl Into<String>,
        at: Location,
        old: impl Into<String>,
        new: impl Into<String>,
    ) -> Self {
        let edit = Edit { at, old: old.into(), new: new.into() };
        Self { text: text.into(), edit: Some(edit) }
    }

    /// Creates advice to use a similar word.
    pub(crate) fn did_you_mean(word: &str, at: Location, near: &str) -> Self {
        Self::edit(did_you_mean(near), at, word, near)
    }
}

impl<T: Into<String>> From<T> for Help {
    fn from(text: T) -> Self {
        Self { text: text.into(), edit: None }
    }
}
