//! `gray1 record`: writes the display as a picture. An interrupted command leaves no partial file.

use std::process::Command;

use gray1_isa::PowerUp;
use gray1_isa::panel::{Display, Led, SIDE};
use gray1_sim::{Engine as _, Machine};

use crate::support::{Bench, are_installed, image};

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

/// A frame of a GIF: the display, read from the colours in the middle of the squares, and the
/// duration in hundredths of a second.
#[derive(Debug, PartialEq)]
struct GifFrame {
    display: Vec<String>,
    duration_cs: String,
}

/// Decodes a GIF with `ImageMagick`, which draws each frame over the previous ones.
fn decode(bench: &Bench, gif: &str) -> Vec<GifFrame> {
    let convert = |output: &[&str]| {
        let mut command = Command::new("convert");
        command.arg(bench.path(gif)).arg("-coalesce").args(output);
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    };
    let durations = String::from_utf8(convert(&["-format", "%T\n", "info:"])).unwrap();
    let durations: Vec<&str> = durations.lines().collect();
    let pixels = convert(&["-depth", "8", "rgb:-"]);
    let pixels: Vec<&[u8]> = pixels.chunks(3).collect();
    let side = (pixels.len() / durations.len()).isqrt();
    assert_eq!(pixels.len(), durations.len() * side * side);
    let frame = |(picture, duration): (&[&[u8]], &&str)| {
        let letter = |row: usize, column: usize| {
            let middle = |square: usize| side * (2 * square + 2) / (2 * SIDE + 2);
            match *picture[middle(row) * side + middle(column)] {
                [r, g, _] if r < 0x60 && g < 0x60 => '.',
                [r, g, _] if r > 0x80 && g > 0x80 => 'y',
                [r, g, _] if r > g => 'r',
                _ => 'g',
            }
        };
        let row = |row| (0..SIDE).map(|column| letter(row, column)).collect();
        GifFrame { display: (0..SIDE).map(row).collect(), duration_cs: (*duration).to_owned() }
    };
    pixels.chunks(side * side).zip(&durations).map(frame).collect()
}

#[test]
fn another_program_reads_what_the_leds_show() {
    if !are_installed(&["convert"]) {
        return;
    }
    let bench = Bench::new();
    for (options, count, skip, duration_cs) in
        [("--changes 30", 30, 0, "10"), ("--changes 3 --skip 20 --rate 4", 3, 20, "25")]
    {
        bench.gray1(&format!("record queens {options} -o queens.gif")).status(0);
        let mut machine = Machine::new(&image("queens"), PowerUp::Zero);
        let mut displays = vec![letters(&machine.display())];
        while displays.len() < skip + count {
            machine.step();
            let letters = letters(&machine.display());
            if displays.last() != Some(&letters) {
                displays.push(letters);
            }
        }
        let expected = displays.into_iter().skip(skip);
        let expected =
            expected.map(|display| GifFrame { display, duration_cs: duration_cs.to_owned() });
        assert_eq!(decode(&bench, "queens.gif"), expected.collect::<Vec<_>>(), "{options}");
    }
}

#[test]
fn every_recording_is_a_gif() {
    let bench = Bench::new();
    bench.gray1("record queens --changes 30 -o queens.gif").status(0).stdout("");
    let gif = bench.read("queens.gif");
    assert!(gif.starts_with(b"GIF89a"));
    for output in ["-o - --format gif", "-o -"] {
        let ran = bench.gray1(&format!("record queens --changes 30 {output}")).status(0);
        assert_eq!(ran.out(), gif, "{output}");
    }
    let stderr = bench.gray1("record queens -o queens.svg").status(2).err();
    assert!(stderr.contains("unknown suffix .svg") && stderr.contains("gif (.gif)"), "{stderr}");
    assert_eq!(bench.names(), ["queens.gif"]);
}

#[test]
fn a_failed_recording_is_reported_and_leaves_no_file() {
    let bench = Bench::new();
    bench.gray1("record quens -o queens.gif").status(1);
    bench.gray1("record queens --changes 0 -o queens.gif").status(2);
    bench.gray1("record queens --rate 51 -o queens.gif").status(2);
    bench.gray1("record queens").status(2);
    assert!(bench.names().is_empty(), "{:?}", bench.names());
}
