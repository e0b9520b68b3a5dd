//! What the page can ask.

use std::collections::BTreeMap;

use gray1_editors::lsp::Position;
use gray1_programs::MachineSpec;
use serde::Deserialize;

/// A request of the page, as JSON: `{"do": "seek", "moment": 12}`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[serde(deny_unknown_fields)]
pub enum Request {
    /// The programs at hand, with their titles.
    Programs,
    /// Put a program into the machine, and let it run, or stand.
    Start {
        /// Its name.
        program: String,
        /// What it runs on.
        #[serde(default)]
        hardware: MachineSpec,
        /// Whether it stands.
        #[serde(default)]
        paused: bool,
    },
    /// The names of the boards.
    Boards,
    /// Everything that changes from frame to frame.
    State,
    /// The results so far, and those ahead.
    Results,
    /// The last printed lines.
    Output,
    /// A button of the transport.
    Transport {
        /// Which one.
        button: Transport,
    },
    /// Go to a moment, or the nearest one that is known.
    Seek {
        /// The moment.
        moment: u64,
    },
    /// Go to a moment, if need be by running there.
    RunTo {
        /// The moment.
        moment: u64,
    },
    /// Why something is as it is at the present moment. This stops the machine, and is asked again
    /// until there is an answer.
    Why {
        /// What is asked about: `led 4, 3`, or another question that `gray1 why` knows.
        question: String,
    },
    /// Set a break on a line of the program's own source, or remove it.
    Break {
        /// The line, counted from 1.
        line: u32,
    },
    /// Hold these buttons of the panel, and release the others.
    Hold {
        /// Their names, joined by `+`; `-` for none.
        buttons: String,
    },
    /// Give the panes this size, in cells.
    Resize {
        /// Cells side by side.
        columns: u16,
        /// Cells one above the other.
        rows: u16,
        /// Whether the background is light.
        light: bool,
    },
    /// Bring the pane of this name to the front.
    Pane {
        /// Its name.
        name: String,
    },
    /// A key for the panes.
    Key {
        /// Its name, as browsers call it.
        key: String,
        /// Whether control was held.
        #[serde(default)]
        control: bool,
        /// Whether alt was held.
        #[serde(default)]
        alt: bool,
    },
    /// The mouse or a finger on the panes.
    Mouse {
        /// The action.
        kind: Mouse,
        /// The column.
        x: u16,
        /// The row.
        y: u16,
    },
    /// What the panes tell the user.
    Note,
    /// The lines of the panes, as text.
    Text,
    /// The board as a drawing: SVG without a style. The board pane has to be in front.
    Drawing,
    /// What the drawing shows at the present moment.
    Wires {
        /// The number of the chip that is looked at.
        chip: Option<usize>,
    },
    /// The text of a source.
    Source {
        /// Its name, or its path below `programs/`.
        name: String,
    },
    /// Keep the text of a file.
    Keep {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Forget a file.
    Forget {
        /// Its name.
        name: String,
    },
    /// Keep the text of a file, and say what is wrong with it and what its words are.
    Edit {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Keep the contents of a chip for a board.
    Contents {
        /// The name of the file.
        name: String,
        /// Its bytes, in base64.
        base64: String,
    },
    /// Explain the word at a place of the source that was edited last.
    Hover {
        /// The place.
        at: Position,
    },
    /// The words that fit there.
    Complete {
        /// The place.
        at: Position,
    },
    /// The operands that belong there.
    Signature {
        /// The place.
        at: Position,
    },
    /// The definition of the name there.
    Definition {
        /// The place.
        at: Position,
    },
    /// The name there, if it can be replaced by another one.
    Renamable {
        /// The place.
        at: Position,
    },
    /// The changes that replace it in all of the user's own sources that belong together.
    Rename {
        /// The place.
        at: Position,
        /// The new name.
        name: String,
    },
    /// The changes that format the source that was edited last.
    Format,
    /// The EPROM of a program, as Intel HEX.
    Eprom {
        /// The name of the program.
        name: String,
    },
    /// A link to the present moment: the fragment of a URL.
    Link,
    /// Open a link. The machine is on its way then, which takes time.
    OpenLink {
        /// A fragment, or a URL with one.
        text: String,
    },
    /// Stay where the machine has come to on the way to the moment of a link.
    StopOpening,
    /// Forget the contents of a chip.
    ForgetContents {
        /// The name of the file.
        name: String,
    },
    /// The progress of the link that is being opened, and what it has opened once it has arrived.
    Opening,
    /// The lessons: those that are built in, or those of a folder.
    Course {
        /// The name of the folder; empty for the built-in lessons.
        #[serde(default)]
        folder: String,
        /// Its files, by their paths in it.
        #[serde(default)]
        files: BTreeMap<String, String>,
        /// The progress that was kept the last time; empty if there is none.
        #[serde(default)]
        progress: String,
    },
    /// The files of a course whose `course.ron` has this text, besides that.
    CourseFiles {
        /// The folder, as messages call it.
        folder: String,
        /// The text.
        text: String,
    },
    /// Go to a lesson.
    Lesson {
        /// Its name.
        name: String,
    },
    /// The next hint of the current lesson.
    Hint,
    /// Does a program solve a lesson? This begins the check, which takes time.
    Check {
        /// The name of the lesson.
        lesson: String,
        /// The name of the program.
        program: String,
    },
    /// Begin the tests of a program, or those in a test file.
    Test {
        /// The name of the program, or of the test file.
        name: String,
        /// What they run on.
        #[serde(default)]
        hardware: MachineSpec,
    },
    /// The progress of the tests or the check, or the result.
    Job,
    /// Give the tests or the check up.
    StopJob,
    /// Put the machine at the moment at which the last test or check has failed.
    Failure,
}

/// A button of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Transport {
    Play,
    Pause,
    /// To the change of the display before.
    Back,
    /// To the next change of the display.
    Forward,
    /// To the result before.
    EarlierResult,
    /// To the next result.
    LaterResult,
    Slower,
    Faster,
    Reset,
}

/// An action of the mouse, or of a finger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Mouse {
    Press,
    Drag,
    WheelUp,
    WheelDown,
}
