//! A recording as SVG: a circle for each LED, with an animation of its colour if it changes.

use std::fmt::Write as _;

use super::{MARGIN, RADIUS, Recording, SIDE, SQUARE};
use crate::picture::escaped;
use gray1_isa::panel::{BACKGROUND_RGB, Display, Led};

pub(super) fn encode(recording: &Recording) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" \
         width=\"{SIDE}\" height=\"{SIDE}\">\n"
    );
    let mut put = |text: String| svg.write_str(&text).expect("a String takes all");
    if !recording.title.is_empty() {
        put(format!("<title>{}</title>\n", escaped(&recording.title)));
    }
    put(format!(
        "<rect width=\"{SIDE}\" height=\"{SIDE}\" rx=\"6\" fill=\"#{BACKGROUND_RGB:06x}\"/>\n"
    ));
    for row in 0..8 {
        for column in 0..8 {
            let leds = changes(&recording.frames, row, column);
            put(circle(recording, row as u16, column as u16, &leds));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The colours of one LED, each with the first frame that shows it.
fn changes(frames: &[Display], row: usize, column: usize) -> Vec<(usize, Led)> {
    let mut leds: Vec<(usize, Led)> = Vec::new();
    for (frame, display) in frames.iter().enumerate() {
        let led = display.led(row, column);
        if leds.last().is_none_or(|(_, before)| *before != led) {
            leds.push((frame, led));
        }
    }
    leds
}

fn circle(recording: &Recording, row: u16, column: u16, leds: &[(usize, Led)]) -> String {
    let place = |n: u16| MARGIN + n * SQUARE + SQUARE / 2;
    let (x, y, first) = (place(column), place(row), leds[0].1.rgb());
    let start = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"#{first:06x}\"");
    if leds.len() == 1 {
        return start + "/>\n";
    }
    let frames = recording.frames.len();
    let centiseconds = frames * usize::from(recording.frame_cs);
    let colours: Vec<String> = leds.iter().map(|(_, led)| format!("#{:06x}", led.rgb())).collect();
    let times: Vec<String> = leds.iter().map(|(frame, _)| share(*frame, frames)).collect();
    format!(
        "{start}><animate attributeName=\"fill\" calcMode=\"discrete\" repeatCount=\"indefinite\" \
         dur=\"{}.{:02}s\" values=\"{}\" keyTimes=\"{}\"/></circle>\n",
        centiseconds / 100,
        centiseconds % 100,
        colours.join(";"),
        times.join(";"),
    )
}

/// Formats a fraction as a decimal number with up to six digits, enough for a different number for
/// each frame.
fn share(frame: usize, frames: usize) -> String {
    let millionths = (frame * 1_000_000).div_ceil(frames);
    let digits = format!("{millionths:06}");
    match digits.trim_end_matches('0') {
        "" => "0".to_owned(),
        digits => format!(".{digits}"),
    }
}
