//! A recording as GIF: after the first frame only the squares that have changed.

use gif::{Encoder, Frame, Repeat};
use gray1_isa::panel::{Display, Led};

use super::recording::{MARGIN, PANEL, RADIUS, Recording, SIDE, SQUARE, rgb};

/// The colours of the picture, by their place in its palette.
const PALETTE: [u32; 5] = [PANEL, rgb(Led::Dark), rgb(Led::Green), rgb(Led::Red), rgb(Led::Yellow)];

pub(super) fn encode(recording: &Recording) -> Vec<u8> {
    let palette: Vec<u8> = PALETTE.iter().flat_map(|rgb| rgb.to_be_bytes()[1..].to_vec()).collect();
    let mut bytes = Vec::new();
    let mut write = || -> Result<(), gif::EncodingError> {
        let mut encoder = Encoder::new(&mut bytes, SIDE, SIDE, &palette)?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut before = None;
        for display in &recording.frames {
            let mut frame = frame(before, display);
            frame.delay = recording.frame_cs;
            encoder.write_frame(&frame)?;
            before = Some(display);
        }
        Ok(())
    };
    write().expect("memory takes all, and the picture has a size");
    bytes
}

/// The smallest rectangle of pixels in which a display differs from the one before.
fn frame(before: Option<&Display>, display: &Display) -> Frame<'static> {
    let Some(before) = before else {
        return pixels(display, (0, 0), (SIDE, SIDE));
    };
    let differs =
        |&(row, column): &(usize, usize)| before.led(row, column) != display.led(row, column);
    let squares = || (0..64).map(|n| (n / 8, n % 8)).filter(differs);
    let rows = || squares().map(|(row, _)| row as u16);
    let columns = || squares().map(|(_, column)| column as u16);
    let stretch = |first: Option<u16>, last: Option<u16>| {
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(7));
        (MARGIN + first * SQUARE, (last - first + 1) * SQUARE)
    };
    let (left, width) = stretch(columns().min(), columns().max());
    let (top, height) = stretch(rows().min(), rows().max());
    pixels(display, (left, top), (width, height))
}

fn pixels(
    display: &Display,
    (left, top): (u16, u16),
    (width, height): (u16, u16),
) -> Frame<'static> {
    let places = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
    let buffer = places.map(|(x, y)| pixel(display, x, y)).collect::<Vec<u8>>();
    Frame { left, top, width, height, buffer: buffer.into(), ..Frame::default() }
}

/// The colour at a place of the picture.
fn pixel(display: &Display, x: u16, y: u16) -> u8 {
    let square = |at: u16| at.checked_sub(MARGIN).map(|at| at / SQUARE).filter(|n| *n < 8);
    let (Some(column), Some(row)) = (square(x), square(y)) else { return 0 };
    // Twice the distance from the middle, which lies between pixels.
    let off = |at: u16| i32::from((at - MARGIN) % SQUARE * 2 + 1) - i32::from(SQUARE);
    let (dx, dy, diameter) = (off(x), off(y), i32::from(2 * RADIUS));
    if dx * dx + dy * dy > diameter * diameter {
        return 0;
    }
    match display.led(row.into(), column.into()) {
        Led::Dark => 1,
        Led::Green => 2,
        Led::Red => 3,
        Led::Yellow => 4,
    }
}
