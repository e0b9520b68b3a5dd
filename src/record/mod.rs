//! The LED display as a moving picture: what it showed, change by change, and how it is drawn.

mod gif;
mod svg;

use gray1_isa::panel::{Display, Led};
use gray1_sim::Engine;

/// The file formats of recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RecordingFormat {
    /// SVG, which moves in a browser
    Svg,
    /// GIF
    Gif,
}

/// What the display showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recording {
    /// The title of the program; may be empty.
    pub(crate) title: String,
    /// The display, moment by moment; never empty, and no two neighbours are alike.
    frames: Vec<Display>,
    /// How long a frame lasts, in hundredths of a second.
    frame_cs: u16,
}

/// The sides of a square and of the picture, and an LED's radius, in pixels.
const SQUARE: u16 = 24;
const MARGIN: u16 = 12;
const SIDE: u16 = 8 * SQUARE + 2 * MARGIN;
const RADIUS: u16 = 9;

/// The most frames: a quarter of an hour at the usual pace.
pub(crate) const FRAMES_MAX: u32 = 10_000;
/// How long a program may leave its LEDs alone before the recording ends, in slices of the engine.
const PATIENCE_SLICES: u64 = 1 << 12;

impl Recording {
    /// Lets a machine run, and records its display after each change of an LED: those after the
    /// first `skip`, `count` of them at most. It ends with the program.
    pub(crate) fn of(machine: &mut dyn Engine, skip: u32, count: u32, frame_cs: u16) -> Self {
        for _ in 0..skip {
            change(machine);
        }
        let mut frames = vec![machine.display()];
        for _ in 1..count {
            if !change(machine) {
                break;
            }
            let display = machine.display();
            if frames.last() != Some(&display) {
                frames.push(display);
            }
        }
        Self { title: String::new(), frames, frame_cs }
    }

    /// The last moment alone.
    pub(crate) fn still(mut self) -> Self {
        self.frames.drain(..self.frames.len() - 1);
        self
    }

    /// The recording as a file.
    pub(crate) fn encode(&self, format: RecordingFormat) -> Vec<u8> {
        match format {
            RecordingFormat::Svg => svg::encode(self).into_bytes(),
            RecordingFormat::Gif => gif::encode(self),
        }
    }
}

impl RecordingFormat {
    /// The format that files of this suffix have.
    pub(crate) fn from_suffix(suffix: &str) -> Option<Self> {
        <Self as clap::ValueEnum>::from_str(suffix, true).ok()
    }
}

/// Runs to the next change of an LED. Says whether there was one.
fn change(machine: &mut dyn Engine) -> bool {
    let change = machine.run_to_led_change(PATIENCE_SLICES * machine.slice());
    // Nobody reads what it prints.
    machine.take_output();
    change
}

/// An LED's colour. Green is bright and red is dark, for those who see little else of it.
const fn rgb(led: Led) -> u32 {
    match led {
        Led::Dark => 0x30_30_30,
        Led::Green => 0x5f_ff_87,
        Led::Red => 0xd7_00_00,
        Led::Yellow => 0xff_d7_00,
    }
}

/// The panel behind the LEDs.
const PANEL: u32 = 0x12_12_12;

#[cfg(test)]
mod tests;
