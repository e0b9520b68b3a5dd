//! A recording as GIF. After the first frame only the changed squares are stored.

use gif::{Encoder, Frame, Repeat};
use gray1_isa::panel::{BACKGROUND_RGB, Display, Led};

use super::{MARGIN, RADIUS, Recording, SIDE, SQUARE};

/// The number of shades from the panel to an LED, including that of the LED. Intermediate shades
/// smooth its edge.
const SHADES: u8 = 4;

/// The colours of the picture: the panel, and the shades of each LED.
fn palette() -> Vec<u8> {
    let shades = Led::ALL.iter().flat_map(|led| (1..=SHADES).map(|shade| mixed(*led, shade)));
    std::iter::once(rgb(BACKGROUND_RGB)).chain(shades).flatten().collect()
}

fn rgb(color: u32) -> [u8; 3] {
    let [_, rgb @ ..] = color.to_be_bytes();
    rgb
}

/// A shade of an LED's colour, between that of the panel and its own.
fn mixed(led: Led, shade: u8) -> [u8; 3] {
    let (panel, led) = (rgb(BACKGROUND_RGB), rgb(led.rgb()));
    let [shade, shades] = [shade, SHADES].map(u32::from);
    std::array::from_fn(|n| {
        let sum = u32::from(led[n]) * shade + u32::from(panel[n]) * (shades - shade);
        (sum / shades) as u8
    })
}

/// The index of a shade of an LED among the colours.
fn color(led: Led, shade: u8) -> u8 {
    let number = match led {
        Led::Dark => 0,
        Led::Green => 1,
        Led::Red => 2,
        Led::Yellow => 3,
    };
    if shade == 0 { 0 } else { number * SHADES + shade }
}

pub(super) fn encode(recording: &Recording) -> Vec<u8> {
    let palette = palette();
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
    let shade = shade((x - MARGIN) % SQUARE, (y - MARGIN) % SQUARE);
    color(display.led(row.into(), column.into()), shade)
}

/// The fraction of a pixel that is covered by its LED, relative to the corner of its square.
fn shade(x: u16, y: u16) -> u8 {
    // Two by two points of it, by their distances from the middle in quarters of a pixel.
    let off = |at: u16, part| i32::from(at) * 4 + 2 * part + 1 - i32::from(SQUARE) * 2;
    let points = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(u, v)| (off(x, u), off(y, v)));
    let radius = i32::from(RADIUS) * 4;
    let is_covered = |(dx, dy): &(i32, i32)| dx * dx + dy * dy <= radius * radius;
    points.iter().filter(|point| is_covered(point)).count() as u8
}
