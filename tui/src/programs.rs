//! The programs that can be opened, and previews of them.

use gray1_debugger::{Event, Run, Watch, WatchSet};
use gray1_isa::Image;
use gray1_isa::panel::Display;
use gray1_session::Program;
use gray1_sim::{Engine, Setup};

/// A source of programs, which have the names that the command line takes.
pub trait Programs {
    /// The available programs, in display order.
    fn list(&self) -> Vec<ListedProgram>;

    /// Previews a program or a folder within milliseconds. May block on a disk.
    fn preview(&self, name: &str) -> Preview;

    /// Opens a program.
    ///
    /// # Errors
    /// A message, perhaps of several lines, if it cannot be opened.
    fn open(&self, name: &str) -> Result<Program, String>;
}

/// An available program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedProgram {
    /// The name that opens it.
    pub name: String,
    /// Its title. Empty if it has none, or if only a [`Preview`] can find it.
    pub title: String,
}

/// What a name would open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    /// A program.
    Program(ProgramPreview),
    /// A folder with these names, sorted. Names of folders end in `/`.
    Folder(Vec<String>),
    /// Nothing, for this reason.
    Nothing(String),
}

/// The preview of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramPreview {
    /// Its title, perhaps empty.
    pub title: String,
    /// Its LEDs at its first printed line, or the last ones that were lit.
    pub display: Display,
}

/// The maximum number of instructions run for a preview, which takes a few milliseconds.
const INSTRUCTIONS_MAX: u64 = 1 << 21;
/// The number of instructions between two samples of the LEDs.
const SAMPLE_INTERVAL: u64 = INSTRUCTIONS_MAX / 64;

impl ProgramPreview {
    /// Runs a program for a moment. The picture is taken at the end of the first printed line,
    /// because a program prints when it has found a result. If no line ends while an LED is lit,
    /// the picture is the last sample with a lit LED.
    pub fn from_image(image: &Image) -> Self {
        let display = match Setup::default().engine(image) {
            Ok(engine) => find_picture(engine),
            Err(_) => Display::default(),
        };
        Self { title: image.title().unwrap_or_default().to_owned(), display }
    }
}

fn find_picture(engine: Box<dyn Engine>) -> Display {
    let line_ends = WatchSet::new(vec![Event::Prints(Some(b'\n')).into()], &*engine);
    let (mut run, mut watch) = (Run::new(engine, []), Watch::hits(&line_ends));
    let mut picture = Display::default();
    while !run.engine().halted() && run.moment() < INSTRUCTIONS_MAX {
        let ends_line = run.next(&mut watch, run.moment() + SAMPLE_INTERVAL).is_some();
        let display = run.engine().display();
        if display != Display::default() {
            picture = display;
            if ends_line {
                break;
            }
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as testing;

    fn preview(text: &str) -> ProgramPreview {
        ProgramPreview::from_image(&testing::assemble(text).image)
    }

    #[test]
    fn the_preview_of_a_search_is_its_first_result() {
        let ProgramPreview { title, display } =
            ProgramPreview::from_image(&testing::program("queens").image);
        assert_eq!(title, "Eight queens by forward checking");
        // This is the first arrangement in the order of columns.
        assert_eq!(display.red.map(u8::trailing_zeros), [0, 4, 7, 5, 2, 6, 1, 3]);
    }

    #[test]
    fn the_preview_is_the_last_picture_with_a_lit_led() {
        let lit = "LDI 5\n ST 0x1fe0\n";
        let dark = "LDI 0\n ST 0x1fe0\n";
        let print = |byte: u8| format!("LDI {byte}\n ST 0x1fff\n");
        for (text, green) in [
            (format!("{lit} HALT"), 5),
            (format!("{lit} {} {dark} HALT", print(b'\n')), 5),
            // Only a line end counts, and only while an LED is lit.
            (format!("{} {lit} {} LDI 7\n ST 0x1fe0\n HALT", print(b'\n'), print(b'x')), 7),
            ("HALT".to_owned(), 0),
        ] {
            assert_eq!(preview(&text).display.green[0], green, "{text}");
        }
    }

    #[test]
    fn an_endless_program_is_previewed_after_a_limit() {
        let count = ".pool\nagain: LD 0x1fe0\n ADD #1\n ST 0x1fe0\n SHR\n SHR\n JMP again";
        let image = testing::assemble(count).image;
        let mut engine = Setup::default().engine(&image).unwrap();
        engine.run(INSTRUCTIONS_MAX);
        assert_eq!(ProgramPreview::from_image(&image).display, engine.display());
        engine.run(SAMPLE_INTERVAL);
        assert_ne!(ProgramPreview::from_image(&image).display, engine.display());
    }
}
