//! Reads the state of the machine for the page.

use std::time::Duration;

use gray1_debugger::{Event, History, RunResult, WatchSet};
use gray1_isa::panel::{self, Led};
use gray1_isa::source_text::lines;
use gray1_roms::DEFAULT;
use gray1_session::{GAME_RATE, Program, RunState, Snapshot};
use gray1_sim::Setup;

use crate::answer::{About, MachineState, MachineStatus, PrintedResult, Rival};
use crate::learning::Learning;
use crate::machine::Machine;
use crate::sources::{PageSources, SHARED};

/// A rival must find its first result within this many instructions.
const RIVAL_MAX: u64 = 1_000_000;

/// Returns the state that can change in every frame.
pub(crate) fn machine_state(machine: &mut Machine) -> MachineState {
    let snapshot = machine.snapshot();
    let time = &snapshot.time;
    let album = &time.marks.album;
    let caption = snapshot.program.image.caption(snapshot.cpu.pc);
    let last = album.entries().next_back().map_or((0, 0), |last| (last.line, last.moment));
    MachineState {
        status: match snapshot.run_state {
            RunState::Paused => MachineStatus::Paused,
            RunState::Running => MachineStatus::Running,
            RunState::Seeking(_) | RunState::Searching => MachineStatus::Searching,
            RunState::Halted => MachineStatus::Halted,
        },
        now: time.now,
        start: time.start,
        end: time.end,
        is_whole: machine.is_whole,
        pace: snapshot.pace.to_string(),
        leds: snapshot.display(),
        caption: caption.unwrap_or_default().to_owned(),
        results: (album.entries().len(), last.0, last.1),
        lines: snapshot.output.finished,
        unfinished: snapshot.output.unfinished().to_owned(),
        line: machine.lines.line_at(snapshot.cpu.pc),
        breaks: machine.lines.breakpoint_lines(&snapshot.stops.breaks),
        remark: snapshot.remark.as_ref().map(|remark| remark.text.as_ref().to_owned()),
    }
}

/// Returns the properties that stay the same while a program runs.
pub(crate) fn about(
    machine: &mut Machine,
    sources: &PageSources,
    learning: Option<&Learning>,
) -> About {
    let snapshot = machine.session.snapshot();
    let program = &snapshot.program;
    let presentation = program.image.presentation();
    let legend = Led::ALL.into_iter();
    let legend = legend.filter_map(|led| Some((led, presentation.meaning(led)?.to_owned())));
    let link = &machine.link;
    // Use the sources of the link, because the page may not have them.
    let source = link.sources.0.get(&link.program).map_or("", String::as_str);
    let title = program.image.title().map(str::to_owned);
    let title = title.or_else(|| learning?.title(&program.name));
    About {
        name: program.name.clone(),
        title: title.unwrap_or_else(|| program.name.trim_start_matches(SHARED).to_owned()),
        usage: program.usage().unwrap_or_default().to_owned(),
        legend: legend.collect(),
        result: presentation.result.as_deref().unwrap_or("result").to_owned(),
        has_captions: !presentation.captions.is_empty(),
        reads_buttons: program.reads_buttons,
        engine: link.engine.name(),
        board: link.board.as_ref().map_or(DEFAULT, |board| &board.name).to_owned(),
        sound_board: link.board.as_ref().and_then(|board| board.sound.clone()),
        note: machine.note.clone(),
        files: sources.names(link, &program.name),
        rival: find_rival(program, sources),
        message: link.message(),
        introduction: read_introduction(source),
    }
}

/// Finds a built-in program that solves a game automatically. Prefers the shortest name, because
/// variants of a program have longer ones.
fn find_rival(game: &Program, sources: &PageSources) -> Option<Rival> {
    let result = game.image.presentation().result.as_ref().filter(|_| game.reads_buttons)?;
    let same = format!("\n.result \"{result}\"");
    let finders = gray1_programs::programs().filter(|(_, file)| file.text.contains(&same));
    let mut names: Vec<&str> = finders.map(|(name, _)| name).collect();
    names.sort_unstable_by_key(|name| (name.len(), *name));
    let mut programs = names.iter().filter_map(|name| sources.program(name).ok());
    let rival = programs.find(|program| !program.reads_buttons)?;
    let mut history = History::new(Setup::default().engine(&rival.image).ok()?);
    let line_end = WatchSet::new(vec![Event::Prints(Some(b'\n')).into()], history.engine());
    let RunResult::Hit(_) = history.run(&line_end, RIVAL_MAX) else { return None };
    let instructions = history.moment();
    let time = Duration::from_secs(instructions) / GAME_RATE;
    Some(Rival { name: rival.name, instructions, seconds: time.as_secs_f64() })
}

/// Returns the paragraphs of the comment at the start of a source, without lists.
fn read_introduction(source: &str) -> String {
    let comment = lines(source).map_while(|line| line.strip_prefix(';'));
    let comment: Vec<&str> = comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let paragraphs = comment.split(|line| line.trim().is_empty());
    let paragraphs = paragraphs
        .filter(|lines| !lines.is_empty() && !lines.iter().any(|line| line.starts_with(' ')));
    paragraphs.map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n\n")
}

/// Returns the line that the last instruction has ended, if it did.
pub(crate) fn printed_line(snapshot: &Snapshot) -> Option<&str> {
    let write = snapshot.cpu.recent.newest()?.write?;
    let ends = write.address == panel::MAILBOX && write.new == b'\n';
    snapshot.output.lines().next_back().filter(|_| ends)
}

/// Returns the results in the snapshot, with their LEDs.
pub(crate) fn list_results(snapshot: &Snapshot) -> Vec<PrintedResult> {
    let entries = snapshot.time.marks.album.entries();
    let results = entries.map(|entry| PrintedResult {
        moment: entry.moment,
        line: entry.line,
        text: (*entry.text).to_owned(),
        leds: entry.display,
    });
    results.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_introduction_is_the_first_comment_with_any_line_endings() {
        let source = "; A game\n; of one.\n;\n;   A  left\n;   B  right\n;\n; It ends.\n\n; No.\n";
        for ending in ["\n", "\r\n", "\r"] {
            let source = source.replace('\n', ending);
            assert_eq!(read_introduction(&source), "A game of one.\n\nIt ends.", "{ending:?}");
        }
        assert_eq!(read_introduction(" HALT ; no comment\n"), "");
    }
}
