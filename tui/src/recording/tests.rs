//! A recording contains exactly the frames that the display showed.

use gray1_isa::panel::{Display, GREEN, Led, RED, SIDE as ROWS};
use gray1_isa::{Image, Op, PowerUp, RamAddr, RomIndex, Word};
use gray1_sim::Machine;

use super::*;

/// Lights an LED green, then also red, stores an unchanged value, switches off green, then red, and
/// ends.
fn run() -> Run {
    let at = |first: RamAddr| Word::data(Op::St, first);
    let words = [
        Word::ldi(1),
        at(GREEN),
        at(RED),
        at(RED),
        Word::ldi(0),
        at(GREEN),
        at(RED),
        Word::jump(Op::Jmp, RomIndex::truncate(7)),
    ];
    let image = Image::from_words(&words).unwrap();
    Run::new(Box::new(Machine::new(&image, PowerUp::Zero)), [])
}

/// The LED in the corner of each frame. Checks that all others are dark.
fn corners(recording: &Recording) -> Vec<Led> {
    let dark =
        |display: &Display| (0..64).skip(1).all(|n| display.led(n / ROWS, n % ROWS) == Led::Dark);
    assert!(recording.frames.iter().all(dark));
    recording.frames.iter().map(|display| display.led(0, 0)).collect()
}

#[test]
fn a_recording_has_one_frame_per_change() {
    let all = Recording::record(&mut run(), 0, 100, 10);
    assert_eq!(corners(&all), [Led::Dark, Led::Green, Led::Yellow, Led::Red, Led::Dark]);
    let some = Recording::record(&mut run(), 2, 2, 10);
    assert_eq!(corners(&some), [Led::Yellow, Led::Red]);
    assert_eq!(corners(&some.into_still()), [Led::Red]);
}

/// The side of a decoded picture in pixels.
const WIDTH: usize = SIDE as usize;

/// The whole picture after each frame of a GIF, whose frames all take seven hundredths of a second.
fn pictures(bytes: &[u8]) -> Vec<Vec<u32>> {
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    assert_eq!([decoder.width(), decoder.height()], [SIDE; 2]);
    let mut picture = vec![0; WIDTH * WIDTH];
    let mut pictures = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 7);
        let rows = frame.buffer.chunks(usize::from(frame.width) * 4);
        for (row, y) in rows.zip(usize::from(frame.top)..) {
            for (pixel, x) in row.chunks(4).zip(usize::from(frame.left)..) {
                picture[y * WIDTH + x] = u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]);
            }
        }
        pictures.push(picture.clone());
    }
    pictures
}

#[test]
fn a_gif_decodes_to_the_recorded_frames() {
    let mut recording = Recording::record(&mut run(), 0, 100, 7);
    // A frame that changes squares in several rows and columns.
    let (green, red) = ([0, 0x22, 0, 0x40, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0x02, 0, 0]);
    recording.frames.push(Display { green, red });
    let (mut gif, mut bytes) = (Gif::default(), Vec::new());
    for display in &recording.frames {
        gif.push(*display, 3);
        gif.push(*display, 4);
        bytes.extend(gif.take());
    }
    bytes.extend(gif.finish());
    assert_eq!(bytes, recording.gif());
    let pictures_of_all = pictures(&bytes);
    assert_eq!(pictures_of_all.len(), recording.frames.len());
    for (picture, display) in pictures_of_all.iter().zip(&recording.frames) {
        let middle = |n: usize| usize::from(MARGIN) + n * usize::from(SQUARE) + 12;
        let led = |n: usize| picture[middle(n / ROWS) * WIDTH + middle(n % ROWS)];
        let expected = |n: usize| display.led(n / ROWS, n % ROWS).rgb();
        assert!((0..64).all(|n| led(n) == expected(n)));
        // The frame may cover only a part, but nothing of the previous picture remains.
        let alone = Recording { frames: vec![*display], frame_cs: 7 };
        assert!(*picture == pictures(&alone.gif())[0]);
    }
}
