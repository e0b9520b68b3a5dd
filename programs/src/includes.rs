//! Gives the assembler access to the built-in files.

use gray1_asm::{InputFile, Loader, Source, find_nearest};

use crate::{BuiltInFile, file, libraries};

/// The prefix of the identities and names of built-in files.
const PREFIX: &str = "built-in:";

/// Returns the identity of a built-in file.
pub fn identity(file: BuiltInFile) -> String {
    format!("{PREFIX}{}", file.path)
}

/// Returns the path below `programs/` from the identity of a built-in file.
pub fn built_in_path(identity: &str) -> Option<&str> {
    identity.strip_prefix(PREFIX)
}

/// Returns a built-in file as a source for the assembler.
pub fn source(file: BuiltInFile) -> Source {
    let name = identity(file);
    Source { id: name.clone(), name, text: file.text.to_owned() }
}

/// Loads included files from the built-in ones. In a built-in file, names are relative to that
/// file. Elsewhere they are paths below `programs/`, so `.include "lib/std.asm"` works in any file.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn;

impl Loader for BuiltIn {
    fn find_library(&self, name: &str) -> Option<String> {
        let defines = |file: &&BuiltInFile| {
            gray1_asm::find_definitions(file.text).iter().any(|definition| definition.name == name)
        };
        libraries().find(defines).map(|file| file.path.to_owned())
    }

    fn find_similar(&self, name: &str) -> Option<String> {
        let paths = || libraries().map(|file| file.path);
        let in_folder = format!("lib/{name}");
        let similar = find_nearest(name, paths()).or_else(|| find_nearest(&in_folder, paths()));
        similar.map(str::to_owned)
    }

    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let folder = built_in_path(includer.id()).and_then(|path| path.rsplit_once('/'));
        let path = folder.map_or_else(|| name.to_owned(), |(folder, _)| format!("{folder}/{name}"));
        file(&path).map(source).ok_or_else(|| "no such file".to_owned())
    }
}
