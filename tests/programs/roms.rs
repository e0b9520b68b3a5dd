//! The images in `roms/` are those of the programs as they are now.

use crate::support::{Bench, root};

/// The names of the files of a folder that end like this, without their ends, sorted.
fn names(folder: &str, suffix: &str) -> Vec<String> {
    let files = std::fs::read_dir(root().join(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(suffix).map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn there_is_an_image_of_every_program_and_none_is_stale() {
    let programs = names("programs", ".asm");
    assert!(programs.len() > 10);
    assert_eq!(names("roms", ".hex"), programs);
    for name in programs {
        let image = Bench::new().gray1(&format!("convert {name} --format ihex -o -")).status(0);
        let kept = std::fs::read(root().join(format!("roms/{name}.hex"))).unwrap();
        let remedy = format!("gray1 asm programs/{name}.asm -o roms/{name}.hex");
        assert!(image.out() == kept, "roms/{name}.hex is stale; make it anew by: {remedy}");
    }
}
