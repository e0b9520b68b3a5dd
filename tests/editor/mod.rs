//! Tests for editors: the language server, the debug adapter, and the files for each editor.

mod dap;
mod grammars;
mod lsp;
mod lsp_answers;
mod lsp_assistance;
mod lsp_includes;
mod lsp_names;
mod lsp_settings;
mod neovim;
mod vscode;
