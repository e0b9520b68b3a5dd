//! The assembler and the disassembler of the Gray-1.
//!
//! A source passes through these stages, one module each. Each stage only reads the output of the
//! stage before it:
//!
//! - `parse` (with `grammar.pest`): from text to syntax tree (`syntax`), line by line;
//! - `place`: one walk over the tree expands macros and repeats, includes files, defines names and
//!   gives every instruction its index;
//! - `link`: evaluates operands and makes an [`Image`](gray1_isa::Image);
//! - `lint`: warns about code that assembles but is probably a mistake.
//!
//! `assemble` runs them. Placing and linking share the symbol table (`symbols`) and the evaluation
//! of expressions (`evaluate`).
//!
//! Every stage reports errors as [`Diagnostic`]s and continues. [`Rendering`] prints them as text
//! or JSON. This crate does not read files: a [`Loader`] finds the files that a source includes.
//!
//! ```
//! use gray1_asm::{NoIncludes, Source, assemble};
//!
//! let text = "start: LDI 6*7\n ST 0x1fff\n HALT\n".to_owned();
//! let source = Source { id: "answer".into(), name: "answer.asm".into(), text };
//! let assembly = assemble(source, &mut NoIncludes);
//! assert_eq!(assembly.image.unwrap().words()[0].bits(), 42);
//! ```

#![warn(missing_docs)]

mod analysis;
mod assemble;
mod data_map;
mod define;
mod diagnostic;
mod directives;
mod disassemble;
mod evaluate;
mod facts;
mod format;
mod habits;
mod keywords;
mod limits;
mod line_parts;
mod link;
mod lint;
mod names;
mod out_of_scope;
mod parse;
mod place;
mod problem;
mod render;
mod report;
mod source;
mod sources;
mod suggest;
mod symbols;
mod syntax;

pub use analysis::{
    Analysis, CannotRename, Completion, CompletionKind, Completions, Definition, Fold, Hint,
    HintKind, Hover, MeaningfulToken, NameKind, OutlineItem, Signature, TokenClass,
    find_definitions, included_names, rename_in,
};
pub use assemble::{Assembly, assemble, assemble_with};
pub use data_map::{DataItem, DataMap};
pub use define::Define;
pub use diagnostic::{Diagnostic, Edit, Help, Lint, Note, Severity};
pub use disassemble::disassemble;
pub use format::{format, format_lines, format_range};
pub use gray1_language::{did_you_mean, find_nearest, suggest};
pub use render::Rendering;
pub use source::{FileId, Files, InputFile, Loader, Location, NoIncludes, Source, Span};
