//! `gray1 record`: writes the display as a picture. An interrupted command leaves no partial file.

use gray1_isa::PowerUp;
use gray1_isa::panel::{Display, Led, SIDE};
use gray1_sim::{Engine as _, Machine};

use crate::support::{Bench, image};

/// The display row by row, with one letter for each square.
fn letters(display: &Display) -> Vec<String> {
    let letter = |row, column| match display.led(row, column) {
        Led::Dark => '.',
        Led::Green => 'g',
        Led::Red => 'r',
        Led::Yellow => 'y',
    };
    (0..SIDE).map(|row| (0..SIDE).map(|column| letter(row, column)).collect()).collect()
}

/// The display in each frame of a GIF, read from the colours in the middle of the squares.
fn decode_displays(gif: &[u8]) -> Vec<Vec<String>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(gif).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![[0; 4]; width * height];
    let mut displays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (n, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (n % usize::from(frame.width), n / usize::from(frame.width));
            canvas[(top + y) * width + left + x].copy_from_slice(pixel);
        }
        let letter = |row: usize, column: usize| {
            let middle = |square: usize| width * (2 * square + 2) / (2 * SIDE + 2);
            match canvas[middle(row) * width + middle(column)] {
                [r, g, ..] if r < 0x60 && g < 0x60 => '.',
                [r, g, ..] if r > 0x80 && g > 0x80 => 'y',
                [r, g, ..] => {
                    if r > g {
                        'r'
                    } else {
                        'g'
                    }
                }
            }
        };
        let row = |row| (0..SIDE).map(|column| letter(row, column)).collect();
        displays.push((0..SIDE).map(row).collect());
    }
    displays
}

#[test]
fn a_gif_shows_what_the_leds_show() {
    let bench = Bench::new();
    bench.gray1("record queens --changes 30 -o queens.gif").status(0);
    let mut machine = Machine::new(&image("queens"), PowerUp::Zero);
    let mut expected = vec![letters(&machine.display())];
    while expected.len() < 30 {
        machine.step();
        let letters = letters(&machine.display());
        if expected.last() != Some(&letters) {
            expected.push(letters);
        }
    }
    assert_eq!(decode_displays(&bench.read("queens.gif")), expected);
}

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
fn a_failed_recording_is_reported_and_leaves_no_file() {
    let bench = Bench::new();
    bench.gray1("record quens -o queens.svg").status(1);
    bench.gray1("record queens --changes 0 -o queens.svg").status(2);
    bench.gray1("record queens --rate 51 -o queens.svg").status(2);
    bench.gray1("record queens").status(2);
    assert!(bench.names().is_empty(), "{:?}", bench.names());
}
