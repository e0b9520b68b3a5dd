//! The answers to the page. `web/tests/protocol.rs` makes `web/page/protocol.ts` from these types,
//! those of the language server, and the requests.

use gray1_editors::lsp::Diagnostic;
use gray1_isa::panel::{Display, Led};
use serde::Serialize;

/// The program in the machine, and its hardware: all that does not change while it runs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    pub(crate) name: String,
    pub(crate) title: String,
    /// What it does, or how to use it; empty if it does not say so.
    pub(crate) usage: String,
    /// The meanings of the colours.
    pub(crate) legend: Vec<(Led, String)>,
    /// The program's word for one of its results.
    pub(crate) result: String,
    /// Whether some of its instructions have captions.
    pub(crate) has_captions: bool,
    pub(crate) reads_buttons: bool,
    /// The name of the engine.
    pub(crate) engine: &'static str,
    /// The name of the board.
    pub(crate) board: String,
    /// A remark on these.
    pub(crate) note: Option<String>,
    /// The files that the program is made from.
    pub(crate) files: Vec<String>,
    /// A built-in program that finds the results of this game by itself: its name, and the
    /// instructions until its first result.
    pub(crate) rival: Option<(String, u64)>,
    /// The message that it shows, empty for its sample; null if it shows none.
    pub(crate) message: Option<String>,
    /// The comment with which its source begins.
    pub(crate) introduction: String,
}

/// The activity of the machine.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum MachineStatus {
    Paused,
    Running,
    Searching,
    Halted,
}

/// The state of the machine, which may change with every frame.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MachineState {
    pub(crate) status: MachineStatus,
    pub(crate) now: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Whether `end` is where the program halts.
    pub(crate) is_whole: bool,
    pub(crate) pace: String,
    pub(crate) leds: Display,
    /// The caption that the program gives to what it does.
    pub(crate) caption: String,
    /// The number of results shown, the number of all, and the moment of the last.
    pub(crate) results: (usize, u64, u64),
    /// The number of printed lines.
    pub(crate) lines: u64,
    /// The line that has no end yet.
    pub(crate) unfinished: String,
    /// The line of the source at which the machine stands, counted from 1.
    pub(crate) line: Option<u32>,
    /// The lines of the source that have breaks.
    pub(crate) breaks: Vec<u32>,
    /// The remark on the last command.
    pub(crate) remark: Option<String>,
}

/// The LEDs at the end of a printed line.
#[derive(Serialize)]
pub(crate) struct PrintedResult {
    pub(crate) moment: u64,
    /// The number of the line, counted from 1.
    pub(crate) line: u64,
    pub(crate) text: String,
    pub(crate) leds: Display,
}

/// Why something is as it is.
#[derive(Serialize)]
pub(crate) struct ToldStory {
    /// The moment that was asked about.
    pub(crate) moment: u64,
    pub(crate) sentence: String,
    /// The colour of the LED that was asked about.
    pub(crate) led: Option<Led>,
    /// The squares that the sentence speaks of, by row and column.
    pub(crate) squares: Vec<(u8, u8)>,
    /// The steps that matter, the last first.
    pub(crate) steps: Vec<ToldStep>,
    /// All steps that led there.
    pub(crate) lines: Vec<ToldStep>,
}

/// A step of a story.
#[derive(Serialize)]
pub(crate) struct ToldStep {
    pub(crate) text: String,
    /// The caption of its instruction.
    pub(crate) caption: Option<String>,
    /// How far it is indented.
    pub(crate) depth: usize,
    /// The moment after it, if it has one.
    pub(crate) moment: Option<u64>,
}

/// The wishes of the panes that the page has to grant.
#[derive(Default, Serialize)]
pub(crate) struct PaneWishes {
    /// Whether the user leaves them.
    pub(crate) leaves: bool,
    /// The program to start.
    pub(crate) opens: Option<String>,
    /// The file to edit, and the line, counted from 1.
    pub(crate) edits: Option<(String, u32)>,
}

/// What the drawing of the board shows at a moment. Bundles of wires, labels and chips are in the
/// order of the drawing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BoardReport {
    /// The phase that is shown, T0 to T7.
    pub(crate) phase: u8,
    /// The phase of the machine, which is another one in a preview.
    pub(crate) present: u8,
    /// Where it stands, and what it is.
    pub(crate) instruction: String,
    /// What happens in this phase; empty if the board does not say so.
    pub(crate) sentence: String,
    /// The sentence of a tour.
    pub(crate) tour: Option<String>,
    /// The ways of the bytes that chips take now: `AS → BUF → RAM`.
    pub(crate) ways: Vec<String>,
    pub(crate) bundles: Vec<Mark>,
    pub(crate) labels: Vec<ShownWires>,
    pub(crate) chips: Vec<ChipReport>,
    pub(crate) chosen: Option<ChosenChip>,
}

/// The colour of a thing in the drawing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mark {
    /// Whether some of its wires have just moved.
    pub(crate) has_moved: bool,
    /// Whether a byte that a chip takes now goes through it.
    pub(crate) is_on_way: bool,
}

/// The label of some wires.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownWires {
    /// The number on them, in hexadecimal.
    pub(crate) value: String,
    pub(crate) has_moved: bool,
}

/// What is written on a chip.
#[derive(Serialize)]
pub(crate) struct ChipReport {
    pub(crate) name: String,
    /// The levels of its outputs, and their number; or the strobes that are on; or
    /// hyphens if it drives none.
    pub(crate) value: String,
    pub(crate) action: String,
    pub(crate) mark: Mark,
}

/// All of a chip.
#[derive(Serialize)]
pub(crate) struct ChosenChip {
    /// Its name, its part and the access time.
    pub(crate) title: String,
    /// What it is for; empty if the board does not say so.
    pub(crate) purpose: String,
    /// Why its outputs are what they are.
    pub(crate) why: String,
    /// Its pins, from pin 1 on.
    pub(crate) pins: Vec<PinReport>,
    /// The row of its contents that it reads: the address, and the bytes, the one that is read in
    /// brackets. Null if it is not burned.
    pub(crate) contents: Option<String>,
}

/// A pin of a chip.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PinReport {
    pub(crate) number: usize,
    /// Its name in data sheets.
    pub(crate) name: String,
    /// The wire on it; empty if there is none.
    pub(crate) wire: String,
    pub(crate) level: Option<bool>,
    pub(crate) has_moved: bool,
}

/// The diagnostics of a file, and its words.
#[derive(Serialize)]
pub(crate) struct Edited {
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Line, first character, length and type of each word.
    pub(crate) tokens: Vec<(u32, u32, u32, &'static str)>,
}

/// A lesson of a course.
#[derive(Serialize)]
pub(crate) struct ShownLesson {
    pub(crate) name: String,
    /// The name of the student's program.
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) page: String,
    /// The number of hints.
    pub(crate) hints: usize,
    pub(crate) skeleton: String,
    /// The best costs of the programs that have solved it.
    pub(crate) score: Option<String>,
}

/// A course, and the progress of the student.
#[derive(Serialize)]
pub(crate) struct ShownCourse {
    pub(crate) title: String,
    /// The name of its folder; empty for the built-in course.
    pub(crate) folder: String,
    pub(crate) ending: String,
    pub(crate) lessons: Vec<ShownLesson>,
    /// The place of the present lesson, counted from 0.
    pub(crate) present: usize,
    /// The progress to store for the next visit.
    pub(crate) progress: String,
}

/// Tests or a check: under way, or ended, or neither if there are none.
#[derive(Default, Serialize)]
pub(crate) struct JobReport {
    /// The current step of the work.
    pub(crate) news: Option<String>,
    pub(crate) outcome: Option<JobOutcome>,
}

/// The result of tests or a check.
#[derive(Serialize)]
pub(crate) struct JobOutcome {
    /// The result as text.
    pub(crate) text: String,
    pub(crate) passed: bool,
    /// Whether there is a moment of a failure to go to.
    pub(crate) leads: bool,
    /// The LEDs that were expected and those that are lit, in letters, if they are the failure.
    pub(crate) leds: Option<[String; 2]>,
}
