//! `gray1 record`: the display as a picture, in a file that is whole or not there.

mod support;

use support::Bench;

#[test]
fn the_suffix_says_which_format() {
    let bench = Bench::new();
    bench.gray1("record queens --changes 30 -o queens.svg").status(0).stdout("");
    assert!(bench.read("queens.svg").starts_with(b"<svg "));
    bench.gray1("record queens --changes 30 -o queens.gif").status(0);
    assert!(bench.read("queens.gif").starts_with(b"GIF89a"));
    let ran = bench.gray1("record queens --changes 30 -o - --format svg").status(0);
    assert_eq!(ran.out(), bench.read("queens.svg"));
}

#[test]
fn what_cannot_be_recorded_is_said_and_no_file_written() {
    let bench = Bench::new();
    let ran = bench.gray1("record queens -o queens").status(1);
    assert!(ran.err().contains("queens may become SVG or GIF"), "{}", ran.err());
    bench.gray1("record quens -o queens.svg").status(1);
    bench.gray1("record queens --changes 0 -o queens.svg").status(2);
    bench.gray1("record queens --rate 51 -o queens.svg").status(2);
    bench.gray1("record queens").status(2);
    assert!(bench.names().is_empty(), "{:?}", bench.names());
}
