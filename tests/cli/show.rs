//! `gray1 show`: prints built-in files.

use std::path::Path;

use crate::support::{Bench, root};

#[test]
fn every_listed_file_is_printed_unchanged() {
    let bench = Bench::new();
    let listed = bench.gray1("show").status(0);
    let listed = listed.text();
    assert!(listed.contains("queens.asm\n") && listed.contains("lib/std.asm\n"), "{listed}");
    for name in listed.lines() {
        let is_board = Path::new(name).extension().is_some_and(|suffix| suffix == "ron");
        let folder = if is_board { "roms" } else { "programs" };
        let file = std::fs::read(root().join(folder).join(name)).unwrap();
        bench.gray1(&format!("show {name}")).status(0).stdout(file);
    }
    let queens = std::fs::read(root().join("programs/queens.asm")).unwrap();
    bench.gray1("show queens").status(0).stdout(queens);
}

#[test]
fn a_name_that_is_close_is_offered() {
    let bench = Bench::new();
    let error = bench.gray1("show lib/sdt.asm").status(1).err();
    assert!(error.contains("did you mean `lib/std.asm`?"), "{error}");
    let error = bench.gray1("show nothing-like-it").status(1).err();
    assert!(error.contains("`gray1 show` lists them"), "{error}");
}
