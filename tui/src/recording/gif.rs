//! A recording as GIF. After the first frame, only the changed squares are stored.

use gif::{Encoder, Frame, Repeat};
use gray1_isa::panel::{BACKGROUND_RGB, Display, Led};

use super::{MARGIN, RADIUS, SIDE, SQUARE};

/// The number of shades from the panel to an LED, including the LED's own. Intermediate shades
/// smooth its edge.
const SHADES: u8 = 4;

/// The colours of the picture: the panel, and the shades of each LED.
fn palette() -> Vec<u8> {
    let shades = Led::ALL.iter().flat_map(|led| (1..=SHADES).map(|shade| mix(*led, shade)));
    std::iter::once(rgb(BACKGROUND_RGB)).chain(shades).flatten().collect()
}

fn rgb(color: u32) -> [u8; 3] {
    let [_, rgb @ ..] = color.to_be_bytes();
    rgb
}

/// A shade of an LED's colour, between the panel's colour and its own.
fn mix(led: Led, shade: u8) -> [u8; 3] {
    let (panel, led) = (rgb(BACKGROUND_RGB), rgb(led.rgb()));
    let [shade, shades] = [shade, SHADES].map(u32::from);
    std::array::from_fn(|n| {
        let sum = u32::from(led[n]) * shade + u32::from(panel[n]) * (shades - shade);
        (sum / shades) as u8
    })
}

/// A GIF file that is being made.
pub struct Gif {
    encoder: Encoder<Vec<u8>>,
    /// The display in the last written frame.
    written: Option<Display>,
    /// The next frame: its display, and its duration in hundredths of a second.
    pending: Option<(Display, u16)>,
}

impl Default for Gif {
    fn default() -> Self {
        let encoder = Encoder::new(Vec::new(), SIDE, SIDE, &palette());
        let mut encoder = encoder.expect("a Vec takes all bytes");
        encoder.set_repeat(Repeat::Infinite).expect("a Vec takes all bytes");
        Self { encoder, written: None, pending: None }
    }
}

impl Gif {
    /// Shows a display for some hundredths of a second. An unchanged display extends the frame.
    pub fn push(&mut self, display: Display, duration_cs: u16) {
        match &mut self.pending {
            Some((shown, sum)) if *shown == display => *sum = sum.saturating_add(duration_cs),
            _ => {
                self.write();
                self.pending = Some((display, duration_cs));
            }
        }
    }

    fn write(&mut self) {
        let Some((display, duration_cs)) = self.pending.take() else { return };
        let mut frame = changed_area(self.written.as_ref(), &display);
        frame.delay = duration_cs;
        frame.buffer = pixels(&display, &frame).into();
        self.encoder.write_frame(&frame).expect("a Vec takes all bytes");
        self.written = Some(display);
    }

    /// Takes the part of the file that has been written.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(self.encoder.get_mut())
    }

    /// The rest of the file.
    #[expect(clippy::missing_panics_doc, reason = "a Vec takes all bytes")]
    pub fn finish(mut self) -> Vec<u8> {
        self.write();
        self.encoder.into_inner().expect("a Vec takes all bytes")
    }
}

/// A frame, still empty, that covers the squares in which a display differs from the previous one.
/// The previous frame stays under it.
fn changed_area(before: Option<&Display>, display: &Display) -> Frame<'static> {
    let Some(before) = before else {
        return Frame { width: SIDE, height: SIDE, ..Frame::default() };
    };
    let squares = || {
        let all = (0..64).map(|n| (n / 8, n % 8));
        all.filter(|&(row, column)| before.led(row, column) != display.led(row, column))
    };
    let rows = || squares().map(|(row, _)| row as u16);
    let columns = || squares().map(|(_, column)| column as u16);
    let stretch = |first: Option<u16>, last: Option<u16>| {
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(7));
        (MARGIN + first * SQUARE, (last - first + 1) * SQUARE)
    };
    let (left, width) = stretch(columns().min(), columns().max());
    let (top, height) = stretch(rows().min(), rows().max());
    Frame { left, top, width, height, ..Frame::default() }
}

/// The pixels of a frame, row by row.
fn pixels(display: &Display, frame: &Frame) -> Vec<u8> {
    let columns = frame.left..frame.left + frame.width;
    let rows = frame.top..frame.top + frame.height;
    rows.flat_map(|y| columns.clone().map(move |x| pixel(display, x, y))).collect()
}

/// The index of the colour at a pixel of the picture.
fn pixel(display: &Display, x: u16, y: u16) -> u8 {
    let square = |at: u16| at.checked_sub(MARGIN).map(|at| at / SQUARE).filter(|n| *n < 8);
    let (Some(column), Some(row)) = (square(x), square(y)) else { return 0 };
    let shade = shade((x - MARGIN) % SQUARE, (y - MARGIN) % SQUARE);
    if shade == 0 { 0 } else { display.led(row.into(), column.into()) as u8 * SHADES + shade }
}

/// The fraction of a pixel that its LED covers. Coordinates are relative to the corner of the
/// square.
fn shade(x: u16, y: u16) -> u8 {
    // Samples two by two points of the pixel, with distances from the middle in quarters of a
    // pixel.
    let off = |at: u16, part| i32::from(at) * 4 + 2 * part + 1 - i32::from(SQUARE) * 2;
    let points = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(u, v)| (off(x, u), off(y, v)));
    let radius = i32::from(RADIUS) * 4;
    points.iter().filter(|(dx, dy)| dx * dx + dy * dy <= radius * radius).count() as u8
}
