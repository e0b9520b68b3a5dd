//! Messages about a source: errors and warnings, each with its place.

use crate::source::{Files, Location, Span};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// There is no image.
    Error,
    /// There is an image, but perhaps not the one that was meant.
    Warning,
}

impl Severity {
    /// The word that messages start with.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The kinds of warnings. Each kind can be switched off, in a source by `.allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lint {
    /// A name that nothing mentions.
    Unused,
    /// Code that cannot be reached.
    Unreachable,
    /// A byte that is read but never written.
    Unwritten,
    /// A routine that the code above it runs into.
    Entry,
    /// A JC whose outcome is known already, or depends on what was set long ago.
    Carry,
    /// An instruction after which the program can run into erased memory.
    End,
    /// A number as the address of a byte that only the assembler placed there.
    Number,
    /// An operand in parentheses, which do not make it a pointer.
    Indirect,
}

impl Lint {
    /// All of them.
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

    /// The name by which it is switched off.
    #[must_use]
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

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lint| lint.name() == name)
    }
}

/// An error or a warning. Its texts may hold bytes of the source as they are: print them with
/// [`Rendering`](crate::Rendering), which makes them harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// The kind of warning.
    pub lint: Option<Lint>,
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// Its place; `None` if it is in no place of the source.
    pub location: Option<Location>,
    /// A few words beside the underlined place.
    pub label: Option<String>,
    /// Other places that have to do with it.
    pub notes: Vec<Note>,
    /// The way to the place: the calls of macros, iterations of repeats and includes around it,
    /// outermost first. Long chains are cut in the middle.
    pub trace: Vec<Note>,
    /// A remedy.
    pub help: Option<Help>,
}

/// Advice on an error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// The advice.
    pub text: String,
    /// The change that it comes down to, where it comes down to one.
    pub swap: Option<Swap>,
}

/// A change of a source: one text in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The place of the old text. If the name is built from numbers or comes from elsewhere, the
    /// text may not be there; then there is nothing to change.
    pub at: Location,
    /// The text that is replaced; empty for an insertion.
    pub old: String,
    /// The text that replaces it.
    pub new: String,
}

/// A remark, with the place it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub message: String,
    /// The place.
    pub location: Option<Location>,
}

impl Diagnostic {
    /// An error of this wording, without anything else.
    #[must_use]
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

    /// A warning of this kind and wording, without anything else.
    #[must_use]
    pub fn warning(lint: Option<Lint>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, lint, ..Self::error(message) }
    }

    /// The same at this place.
    #[must_use]
    pub fn at(self, location: Location) -> Self {
        Self { location: Some(location), ..self }
    }

    /// The same with a note.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>, location: Option<Location>) -> Self {
        self.notes.push(Note { message: message.into(), location });
        self
    }

    /// The same with this help, if any.
    #[must_use]
    pub fn help<H: Into<Help>>(self, help: Option<H>) -> Self {
        Self { help: help.map(Into::into), ..self }
    }
}

impl Swap {
    /// The place of the old text, if it is known. Around it there may be brackets, but nothing
    /// else.
    #[must_use]
    pub fn place(&self, files: &Files) -> Option<Location> {
        let text = files.text(self.at);
        let at = text.find(&self.old)?;
        let (before, behind) = (&text[..at], &text[at + self.old.len()..]);
        let is_alone =
            [before, behind].iter().all(|rest| rest.trim_matches(['(', ')', ' ', '\t']).is_empty());
        let start = self.at.span.start + at as u32;
        let span = Span { start, end: start + self.old.len() as u32 };
        is_alone.then_some(Location { file: self.at.file, span })
    }
}

impl Help {
    /// Advice that comes down to writing `new` for the `old` text in a place.
    pub(crate) fn swap(
        text: impl Into<String>,
        at: Location,
        old: impl Into<String>,
        new: impl Into<String>,
    ) -> Self {
        let swap = Swap { at, old: old.into(), new: new.into() };
        Self { text: text.into(), swap: Some(swap) }
    }

    /// Advice to write a word that is like the one in a place.
    pub(crate) fn did_you_mean(word: &str, at: Location, near: &str) -> Self {
        Self::swap(format!("did you mean `{near}`?"), at, word, near)
    }
}

impl<T: Into<String>> From<T> for Help {
    fn from(text: T) -> Self {
        Self { text: text.into(), swap: None }
    }
}
