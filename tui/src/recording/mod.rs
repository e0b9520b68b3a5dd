//! Records the LED display as an animation.

mod gif;

use gray1_debugger::{Event, Run, Watch, WatchSet};
use gray1_isa::panel::Display;

pub use gif::Gif;

/// A recording of the display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The frames. There is at least one, and successive frames differ.
    frames: Vec<Display>,
    /// The duration of a frame, in hundredths of a second.
    frame_cs: u16,
}

/// The sides of a square and of the picture, and an LED's radius, in pixels.
const SQUARE: u16 = 24;
const MARGIN: u16 = 12;
const SIDE: u16 = 8 * SQUARE + 2 * MARGIN;
const RADIUS: u16 = 9;

/// The maximum number of frames: a quarter of an hour at the default rate.
pub const FRAMES_MAX: u32 = 10_000;
/// The number of the engine's slices without a change after which recording ends. They take a
/// second or two.
const PATIENCE_SLICES: u64 = 1 << 10;

impl Recording {
    /// Continues a run and records its display after each change of an LED: at most `count` changes
    /// after the first `skip`. Stops at the end of the program.
    pub fn record(run: &mut Run, skip: u32, count: u32, frame_cs: u16) -> Self {
        let changes = WatchSet::new(vec![Event::Display.into()], run.engine());
        let skipped = (0..skip).all(|_| change(run, &changes));
        let mut frames = vec![run.engine().display()];
        for _ in 1..count {
            if !skipped || !change(run, &changes) {
                break;
            }
            let display = run.engine().display();
            if frames.last() != Some(&display) {
                frames.push(display);
            }
        }
        Self { frames, frame_cs }
    }

    /// Keeps only the last frame.
    #[must_use]
    pub fn into_still(mut self) -> Self {
        self.frames.drain(..self.frames.len() - 1);
        self
    }

    /// The recording as GIF.
    pub fn gif(&self) -> Vec<u8> {
        let mut gif = Gif::default();
        self.frames.iter().for_each(|display| gif.push(*display, self.frame_cs));
        gif.finish()
    }
}

/// Runs to the next change of an LED, and returns whether there was one.
fn change(run: &mut Run, changes: &WatchSet) -> bool {
    let end = run.moment() + PATIENCE_SLICES * run.engine().slice();
    let change = run.next(&mut Watch::hits(changes), end);
    // The program's output is discarded.
    run.take_output();
    change.is_some()
}

#[cfg(test)]
mod tests;
