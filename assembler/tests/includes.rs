//! Tests of the requests that the assembler makes to a loader.

use std::collections::BTreeMap;

use gray1_asm::{Files, InputFile, Loader, Source, assemble};

/// Files by path. An include is relative to the file that contains it.
struct Tree(BTreeMap<&'static str, &'static str>);

impl Loader for Tree {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let folder = includer.id().rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = format!("{folder}/{name}");
        let text = self.0.get(path.as_str()).ok_or_else(|| format!("there is no {path}"))?;
        Ok(Source { id: path, name: name.to_owned(), text: (*text).to_owned() })
    }
}

fn files(tree: &[(&'static str, &'static str)]) -> (Files, Vec<String>) {
    let mut tree = Tree(tree.iter().copied().collect());
    let text = tree.0["/main"].to_owned();
    let main = Source { id: "/main".to_owned(), name: "main".to_owned(), text };
    let assembly = assemble(main, &mut tree);
    (assembly.files, assembly.diagnostics.into_iter().map(|found| found.message).collect())
}

#[test]
fn a_loader_gets_the_including_file() {
    let (files, messages) = files(&[
        ("/main", ".include \"lib/a\"\n JMP $\n"),
        ("/lib/a", ".include \"b\"\n.include \"c\"\n"),
        ("/lib/b", ""),
    ]);
    let known: Vec<_> = files.iter().map(|file| (file.id(), file.name())).collect();
    assert_eq!(known, [("/main", "main"), ("/lib/a", "lib/a"), ("/lib/b", "b")]);
    assert_eq!(messages, ["cannot include `c`: there is no /lib/c"]);
    assert_eq!(files.find("/lib/b").map(|file| files.get(file).name()), Some("b"));
    assert_eq!(files.find("b"), None);
}
