//! The state of the machine, as the page is told it.

use gray1_isa::panel::{Display, Led};
use gray1_roms::DEFAULT;
use gray1_tui::Snapshot;
use gray1_tui::session::{AlbumEntry, Status};
use serde::Serialize;
use serde_json::{Value, json};

use crate::machine::Machine;

/// What changes from frame to frame.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State<'a> {
    status: &'static str,
    now: u64,
    start: u64,
    end: u64,
    /// Whether `end` is where the program halts.
    is_whole: bool,
    pace: String,
    leds: Leds,
    /// What the program does, in its own words.
    caption: &'a str,
    /// How many results are shown, how many there are, and the moment of the last.
    results: (usize, u64, u64),
    /// How many lines were printed.
    lines: u64,
    /// The line of the source at which the machine stands.
    line: Option<u32>,
    /// The lines of the source that have breaks.
    breaks: Vec<u32>,
    /// What the last command came to.
    remark: Option<&'a str>,
    /// The buttons of the panel that are held.
    held: Vec<&'static str>,
}

/// The LEDs: a byte a row of each colour; bit 0 is the leftmost.
#[derive(Serialize)]
struct Leds {
    green: [u8; 8],
    red: [u8; 8],
}

impl From<Display> for Leds {
    fn from(Display { green, red }: Display) -> Self {
        Self { green, red }
    }
}

/// The state as JSON.
pub(crate) fn state(machine: &Machine, snapshot: &Snapshot) -> Value {
    let time = &snapshot.time;
    let album = &time.marks.album;
    let caption = snapshot.program.image.presentation().caption(snapshot.cpu.pc);
    let last = album.entries().next_back().map_or((0, 0), |last| (last.line, last.moment));
    json!(State {
        status: match snapshot.status {
            Status::Paused => "paused",
            Status::Running => "running",
            Status::Seeking | Status::Searching => "searching",
            Status::Halted => "halted",
        },
        now: time.now,
        start: time.start,
        end: time.end,
        is_whole: machine.is_whole,
        pace: snapshot.pace.short(),
        leds: snapshot.display().into(),
        caption: caption.unwrap_or_default(),
        results: (album.entries().len(), last.0, last.1),
        lines: snapshot.output.finished(),
        line: machine.lines.at(snapshot.cpu.pc),
        breaks: machine.lines.with_breaks(&snapshot.stops.breaks),
        remark: snapshot.remark.as_ref().map(|remark| remark.text.as_ref()),
        held: snapshot.buttons.names().collect(),
    })
}

/// What stays while a program runs.
pub(crate) fn about(machine: &mut Machine) -> Value {
    let snapshot = machine.session.snapshot();
    let program = &snapshot.program;
    let presentation = program.image.presentation();
    let meaning = |led: &Led| {
        let text = presentation.meaning(*led)?;
        Some(json!({ "led": led, "text": text }))
    };
    json!({
        "name": program.name,
        "title": program.image.title().unwrap_or(&program.name),
        "legend": Led::ALL.iter().filter_map(meaning).collect::<Vec<_>>(),
        "result": presentation.result.as_deref().unwrap_or("result"),
        "readsButtons": program.reads_buttons(),
        "engine": machine.link.engine.name(),
        "board": machine.link.board.as_ref().map_or(DEFAULT, |board| &board.name),
        "note": machine.note,
        "files": machine.link.sources.0.keys().collect::<Vec<_>>(),
        // The program of a link is one that the page may not have.
        "text": machine.link.sources.0.get(&machine.link.program),
    })
}

/// The pictures of the album.
pub(crate) fn results(snapshot: &Snapshot) -> Value {
    let result = |entry: &AlbumEntry| {
        json!({
            "moment": entry.moment,
            "line": entry.line,
            "text": &*entry.text,
            "leds": Leds::from(entry.display),
        })
    };
    snapshot.time.marks.album.entries().map(result).collect()
}

/// The printed lines that are kept.
pub(crate) fn output(snapshot: &Snapshot) -> Value {
    let lines: Vec<&str> = snapshot.output.lines().collect();
    json!({ "first": snapshot.output.forgotten(), "lines": lines })
}
