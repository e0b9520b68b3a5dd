//! The assembler and the disassembler of the Gray-1.
//!
//! A source goes through these stages, a module each:
//!
//! - `parse` (with `grammar.pest`): from text to syntax tree (`syntax`), line by line;
//! - `expand`: one walk over the tree calls macros, turns repeats, takes includes in, defines
//!   names and gives every instruction its index;
//! - `expand::link`: operands get their values and become an [`Image`].
//!
//! Every stage reports what is wrong as a [`Diagnostic`] and goes on; [`Rendering`] makes text or
//! JSON of them. Nothing here reads files: a [`Loader`] finds what a source includes.
//!
//! ```
//! use gray1_asm::{NoIncludes, Source, assemble};
//!
//! let text = "start: LDI 6*7\n ST 0x1fff\n HALT\n".to_owned();
//! let source = Source { id: "answer".into(), name: "answer.asm".into(), text };
//! let assembly = assemble(source, &mut NoIncludes);
//! assert_eq!(assembly.image.unwrap().words()[0].bits(), 42);
//! ```

mod analysis;
mod data_map;
mod diagnostic;
mod directives;
mod disassemble;
mod expand;
mod format;
mod limits;
mod line_parts;
mod names;
mod parse;
mod problem;
mod render;
mod report;
mod source;
mod suggest;
mod syntax;
mod words;

use gray1_isa::Image;

pub use analysis::{
    Analysis, CannotRename, Completion, CompletionKind, Completions, Fold, Hover, NameKind,
    included_names,
};
pub use data_map::{DataItem, DataMap};
pub use diagnostic::{Diagnostic, Lint, Note, Severity};
pub use disassemble::disassemble;
pub use format::format;
pub use render::Rendering;
pub use source::{File, FileId, Files, Loader, Location, NoIncludes, Position, Source, Span};

/// What came of a source.
#[derive(Debug)]
pub struct Assembly {
    /// The program; `None` if there is an error among the diagnostics.
    pub image: Option<Image>,
    /// What lies where in data memory, if there is an image.
    pub data: DataMap,
    /// What there is to say about the source, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The source and all it included, in the order in which they were taken in. The places of
    /// the diagnostics are in these.
    pub files: Files,
}

/// Assembles a source, and what it includes.
pub fn assemble(source: Source, loader: &mut dyn Loader) -> Assembly {
    let expand::Expanded { image, data, diagnostics, files } = expand::assemble(source, loader);
    Assembly { image, data, diagnostics, files }
}
