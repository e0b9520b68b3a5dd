//! The answers to the page's requests. `web/tests/protocol.rs` generates `web/page/protocol.ts`
//! from these types, the types of the language server, and the requests.

use gray1_debugger::why::{CauseLine, Explanation};
use gray1_editors::lsp::{Diagnostic, Fix};
use gray1_isa::Image;
use gray1_isa::panel::{Display, Led};
use gray1_session::board::Lookup;
use serde::{Deserialize, Serialize};

/// The program in the machine and its hardware, which do not change while it runs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    pub(crate) name: String,
    pub(crate) title: String,
    /// A description of the program, or instructions for its use. Empty if there is none.
    pub(crate) usage: String,
    /// The meanings of the colours.
    pub(crate) legend: Vec<(Led, String)>,
    /// The program's name for one of its results.
    pub(crate) result: String,
    /// True if some of its instructions have captions.
    pub(crate) has_captions: bool,
    pub(crate) reads_buttons: bool,
    /// The name of the engine.
    pub(crate) engine: &'static str,
    /// The name of the board.
    pub(crate) board: String,
    /// The name of the sound board, if this is a copy with changed contents.
    pub(crate) sound_board: Option<String>,
    /// A note about the engine and the board.
    pub(crate) note: Option<String>,
    /// The source files of the program.
    pub(crate) files: Vec<String>,
    /// A built-in program that solves this game automatically.
    pub(crate) rival: Option<Rival>,
    /// The message that it shows. Empty for the sample message, null if the program does not show
    /// messages.
    pub(crate) message: Option<String>,
    /// The comment at the start of the source.
    pub(crate) introduction: String,
}

/// A program that solves a game automatically.
#[derive(Serialize)]
pub(crate) struct Rival {
    pub(crate) name: String,
    /// The number of instructions until its first result.
    pub(crate) instructions: u64,
    /// The time that they take at the speed of a game, in seconds.
    pub(crate) seconds: f64,
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

/// The state of the machine, which can change in every frame.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MachineState {
    pub(crate) status: MachineStatus,
    pub(crate) now: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// True if the program halts at `end`.
    pub(crate) is_whole: bool,
    pub(crate) pace: String,
    pub(crate) leds: Display,
    /// The caption of the current instruction.
    pub(crate) caption: String,
    /// The number of results that are kept, the number of all known results, and the moment of the
    /// last one.
    pub(crate) results: (usize, u64, u64),
    /// The number of printed lines.
    pub(crate) lines: u64,
    /// The line that is being printed.
    pub(crate) unfinished: String,
    /// The current line of the source, counted from 1.
    pub(crate) line: Option<u32>,
    /// The lines of the source that have breakpoints.
    pub(crate) breaks: Vec<u32>,
    /// The response to the last command.
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

/// The explanation of an LED, byte or register.
#[derive(Serialize)]
pub(crate) struct ExplanationReport {
    /// The moment of the question.
    pub(crate) moment: u64,
    pub(crate) sentence: String,
    /// The colour of the LED in the question.
    pub(crate) led: Option<Led>,
    /// The squares that the sentence mentions, by row and column.
    pub(crate) squares: Vec<(u8, u8)>,
    /// The important steps, the last one first.
    pub(crate) steps: Vec<ExplanationStep>,
    /// All steps that led to the value.
    pub(crate) lines: Vec<ExplanationStep>,
}

impl ExplanationReport {
    pub(crate) fn new(explanation: &Explanation, image: &Image) -> Self {
        let step = |CauseLine { text, caption, indent: depth, moment, .. }: CauseLine| {
            ExplanationStep { text, caption, depth, moment }
        };
        Self {
            moment: explanation.moment,
            sentence: explanation.answer(),
            led: explanation.asked_led.map(|asked| asked.led),
            squares: explanation.squares.clone(),
            steps: explanation.steps(image).into_iter().map(step).collect(),
            lines: explanation.lines(image).into_iter().map(step).collect(),
        }
    }
}

/// A step of an explanation.
#[derive(Serialize)]
pub(crate) struct ExplanationStep {
    pub(crate) text: String,
    /// The caption of its instruction.
    pub(crate) caption: Option<String>,
    /// The level of indentation.
    pub(crate) depth: usize,
    /// The moment after the step, if it has one.
    pub(crate) moment: Option<u64>,
}

/// The message of the panes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaneNote {
    pub(crate) text: String,
    /// True if it is the reason why the machine stopped, as the debugger says it.
    pub(crate) is_reason: bool,
    /// The line that the program has just printed, if the machine stopped at its end.
    pub(crate) printed: Option<String>,
}

/// Requests of the panes that only the page can carry out.
#[derive(Default, Serialize)]
pub(crate) struct PaneRequests {
    /// True if the user leaves the panes.
    pub(crate) leaves: bool,
    /// The program to start.
    pub(crate) opens: Option<String>,
    /// The file to edit, and the line, counted from 1.
    pub(crate) edits: Option<(String, u32)>,
}

/// The contents of the board drawing at a moment. Buses, labels and chips are in the order of the
/// drawing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BoardReport {
    /// The phase that is shown, from T0 to T7.
    pub(crate) phase: u8,
    /// The current phase of the machine. It differs from `phase` in a preview.
    pub(crate) present: u8,
    /// The address and the instruction.
    pub(crate) instruction: String,
    /// A description of this phase. Empty if the board has none.
    pub(crate) sentence: String,
    /// The sentence of a tour.
    pub(crate) tour: Option<String>,
    /// The paths of the bytes that chips receive now, such as `AS → BUF → RAM`.
    pub(crate) paths: Vec<String>,
    pub(crate) bundles: Vec<Mark>,
    pub(crate) labels: Vec<LabelReport>,
    pub(crate) chips: Vec<ChipReport>,
    pub(crate) chosen: Option<ChipDetails>,
}

/// The state of a part of the drawing, which decides its colour.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mark {
    /// True if some of its wires have just changed.
    pub(crate) has_moved: bool,
    /// True if it is on the path of a byte that a chip receives now.
    pub(crate) is_on_path: bool,
}

/// The label of some wires.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LabelReport {
    /// The number on the wires, in hexadecimal.
    pub(crate) value: String,
    pub(crate) has_moved: bool,
}

/// The label of a chip.
#[derive(Serialize)]
pub(crate) struct ChipReport {
    pub(crate) name: String,
    /// The levels of its outputs in binary and hexadecimal. Hyphens if it drives no wire. For the
    /// control table, the active strobes.
    pub(crate) value: String,
    pub(crate) action: String,
    pub(crate) mark: Mark,
}

/// The details of the selected chip.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChipDetails {
    /// Its name, its part and its access time.
    pub(crate) title: String,
    /// Its purpose. Empty if the board does not state it.
    pub(crate) purpose: String,
    /// The reason for the levels of its outputs.
    pub(crate) why: String,
    /// Its pins, starting with pin 1.
    pub(crate) pins: Vec<PinReport>,
    /// Its contents as a table. Null for a logic part.
    pub(crate) lookup: Option<Lookup>,
    /// Why its contents cannot be changed. Empty if they can.
    pub(crate) fixed: &'static str,
}

/// A new byte for a cell of a chip's table.
#[derive(Deserialize)]
pub(crate) struct CellChange {
    /// The number of the chip.
    pub(crate) chip: usize,
    /// The part of the contents that is shown.
    pub(crate) view: usize,
    pub(crate) address: u32,
    pub(crate) byte: u8,
    /// True to change all addresses at which the table shows the same cell.
    pub(crate) all: bool,
}

/// A pin of a chip.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PinReport {
    pub(crate) number: usize,
    /// The name in data sheets.
    pub(crate) name: String,
    /// The wire on the pin. Empty if it is not connected.
    pub(crate) wire: String,
    pub(crate) level: Option<bool>,
    pub(crate) has_moved: bool,
}

/// The diagnostics and the semantic tokens of a file.
#[derive(Serialize)]
pub(crate) struct Edited {
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The fix for the first error, or for the first warning if there is no error.
    pub(crate) fix: Option<Fix>,
    /// The line, first character, length and type of each token.
    pub(crate) tokens: Vec<(u32, u32, u32, &'static str)>,
}

/// A lesson of a course.
#[derive(Serialize)]
pub(crate) struct LessonReport {
    pub(crate) name: String,
    /// The name of the file with the student's program.
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) page: String,
    /// The number of hints.
    pub(crate) hints: usize,
    pub(crate) skeleton: String,
    /// The lowest costs of the student's programs that solved it.
    pub(crate) score: Option<String>,
}

/// A course, and the student's progress.
#[derive(Serialize)]
pub(crate) struct CourseReport {
    pub(crate) title: String,
    /// The name of the folder. Empty for the built-in course.
    pub(crate) folder: String,
    pub(crate) ending: String,
    pub(crate) lessons: Vec<LessonReport>,
    /// The index of the current lesson.
    pub(crate) present: usize,
    /// The progress to store for the next visit.
    pub(crate) progress: String,
}

/// The state of tests or a check: in progress, finished, or neither if none was started.
#[derive(Default, Serialize)]
pub(crate) struct JobReport {
    /// A description of the current step.
    pub(crate) news: Option<String>,
    pub(crate) outcome: Option<JobOutcome>,
}

/// The result of tests, a check, a comparison or a proof.
#[derive(Default, Serialize)]
pub(crate) struct JobOutcome {
    /// The result as text.
    pub(crate) text: String,
    /// The result in the words of the debugger, if `text` explains it for beginners.
    pub(crate) details: Option<String>,
    pub(crate) passed: bool,
    /// True if the user can go to the moment of a failure.
    pub(crate) leads: bool,
    /// The expected and the actual LEDs in letters, if they are the reason for the failure.
    pub(crate) leds: Option<[String; 2]>,
    /// A link to the moment on the chips that a comparison has found.
    pub(crate) link: Option<String>,
}
