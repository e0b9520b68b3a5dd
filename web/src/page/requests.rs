//! The requests of the page: one method for each, and the list of their names.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::vec;

use gray1_board::drawing;
use gray1_editors::lsp::{
    CompletionItem, Hover, Location, Position, Range, SignatureHelp, TextEdit, WorkspaceEdit,
};
use gray1_isa::format::Format;
use gray1_isa::panel::Display;
use gray1_isa::text::counted;
use gray1_programs::lessons::{COURSE, Course};
use gray1_programs::{GROUPS, Link};
use gray1_session::{BreakChange, Command, Destination};
use gray1_sim::MachineSpec;
use gray1_tui::{Effect, ListedProgram, MouseKind, Programs as _};
use ratatui::layout::Size;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Job, Page};
use crate::answer::{
    About, BoardReport, CellChange, CourseReport, Edited, ExplanationReport, JobReport,
    MachineState, PaneNote, PaneRequests, PrintedResult,
};
use crate::board;
use crate::comparison::{self, Comparison};
use crate::editor::NO_NAMES;
use crate::jobs::{ProofJob, TestJob};
use crate::learning::Learning;
use crate::link::{OpeningLink, create_link, recorded_link};
use crate::machine::{Machine, Transport};
use crate::panes::{self, Panes};
use crate::sources::MESSAGES;
use crate::state;
use crate::test_machines::TestMachines;

const NO_PROGRAM: &str = "no program has been started";
const NO_COURSE: &str = "no course has been opened";

/// Returns the next argument of a request, or null if it was omitted.
fn next<T: DeserializeOwned>(given: &mut vec::IntoIter<Value>) -> Result<T, String> {
    serde_json::from_value(given.next().unwrap_or_default()).map_err(|error| error.to_string())
}

fn string(given: &mut vec::IntoIter<Value>) -> Result<String, String> {
    next(given)
}

fn reply(answer: impl Serialize) -> Result<String, String> {
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}

impl Page {
    /// Answers a request. `web/tests/protocol.rs` generates the page's list of requests from this
    /// function and the signatures of the methods.
    #[expect(clippy::unit_arg, reason = "a request without a result is answered with null")]
    pub(super) fn answer(&mut self, request: &str) -> Result<String, String> {
        let request: Vec<Value> =
            serde_json::from_str(request).map_err(|error| error.to_string())?;
        let given = &mut request.into_iter();
        let name: String = next(given)?;
        match name.as_str() {
            "programs" => reply(self.programs()),
            "start" => reply(self.start(&string(given)?, &next(given)?, next(given)?)?),
            "write" => reply(self.write(&string(given)?, &next(given)?)?),
            "room" => reply(self.room(&string(given)?)?),
            "boards" => reply(self.boards()),
            "state" => reply(self.state()?),
            "results" => reply(self.results()?),
            "output" => reply(self.output()?),
            "transport" => reply(self.transport(next(given)?)?),
            "seek" => reply(self.seek(next(given)?)?),
            "runTo" => reply(self.run_to(next(given)?)?),
            "why" => reply(self.why(&string(given)?)?),
            "toggleBreak" => reply(self.toggle_break(next(given)?)?),
            "hold" => reply(self.hold(&string(given)?)?),
            "resize" => reply(self.resize(next(given)?, next(given)?, next(given)?)?),
            "pane" => reply(self.pane(&string(given)?)?),
            "key" => reply(self.key(&string(given)?, next(given)?, next(given)?)?),
            "mouse" => reply(self.mouse(next(given)?, next(given)?, next(given)?)?),
            "note" => reply(self.note()?),
            "text" => reply(self.text()?),
            "drawing" => reply(self.drawing()?),
            "wires" => reply(self.wires(next(given)?, next(given)?, next(given)?)?),
            "source" => reply(self.source(&string(given)?)?),
            "keep" => reply(self.keep(string(given)?, next(given)?)),
            "forget" => reply(self.forget(&string(given)?)),
            "edit" => reply(self.edit(&string(given)?, next(given)?)),
            "keepContents" => reply(self.keep_contents(string(given)?, &string(given)?)?),
            "forgetContents" => reply(self.forget_contents(&string(given)?)),
            "hover" => reply(self.hover(next(given)?)),
            "complete" => reply(self.complete(next(given)?)),
            "signature" => reply(self.signature(next(given)?)),
            "definition" => reply(self.definition(next(given)?)),
            "renamable" => reply(self.renamable(next(given)?)?),
            "rename" => reply(self.rename(next(given)?, &string(given)?)?),
            "format" => reply(self.format()),
            "eprom" => reply(self.eprom(&string(given)?)?),
            "film" => reply(self.film(next(given)?, next(given)?)),
            "link" => reply(self.link()?),
            "openLink" => reply(self.open_link(&string(given)?)?),
            "stopOpening" => reply(self.stop_opening()),
            "progress" => reply(self.progress()),
            "about" => reply(self.about()?),
            "course" => reply(self.course(next(given)?, next(given)?, &string(given)?)?),
            "courseFiles" => reply(self.course_files(&string(given)?, &string(given)?)?),
            "lesson" => reply(self.lesson(&string(given)?)?),
            "hint" => reply(self.hint()?),
            "check" => reply(self.check(&string(given)?, &string(given)?)?),
            "test" => reply(self.test(&string(given)?, next(given)?)?),
            "compare" => reply(self.compare(next(given)?)?),
            "prove" => reply(self.prove()?),
            "job" => reply(self.job()?),
            "stopJob" => reply(self.stop_job()),
            "failure" => reply(self.failure()?),
            _ => Err(format!("there is no request {name}")),
        }
    }

    fn machine(&mut self) -> Result<&mut Machine, &'static str> {
        self.machine.as_mut().ok_or(NO_PROGRAM)
    }

    fn panes(&mut self) -> Result<&mut Panes, &'static str> {
        self.machine()?;
        self.panes.as_mut().ok_or("the panes have no size")
    }

    fn learning(&mut self) -> Result<&mut Learning, &'static str> {
        self.learning.as_mut().ok_or(NO_COURSE)
    }

    /// Returns all programs: their names, their titles (empty if there is none), and their groups.
    fn programs(&self) -> Vec<(String, String, &'static str)> {
        let mut listed = Vec::new();
        for ListedProgram { name, title } in self.sources.list() {
            let course = self.learning.as_ref().filter(|_| title.is_empty());
            let title = course.and_then(|it| it.title(&name)).unwrap_or(title);
            let group = gray1_programs::group(&name).unwrap_or("Yours");
            listed.push((name, title, group));
        }
        // The user's own programs come last.
        listed.sort_by_key(|(.., group)| {
            GROUPS.iter().position(|it| it == group).unwrap_or(GROUPS.len())
        });
        listed
    }

    /// Starts a program in a new machine, running or paused. Breakpoints and watches are kept if it
    /// is a new version of the same program.
    fn start(
        &mut self,
        program: &str,
        hardware: &MachineSpec,
        paused: bool,
    ) -> Result<About, String> {
        let (new, link) = self.sources.linked(program)?;
        let machine = link.move_to(hardware, |name| self.sources.board(name))?;
        let before = self.machine.as_mut().map(|machine| machine.session.snapshot());
        let kept = before.filter(|it| it.program.name == program).map(|it| it.stops.to_saved());
        let mut machine = Machine::new(&new, machine, paused)?;
        machine.command(Command::Change(BreakChange::Restore(kept.unwrap_or_default())));
        self.replace_machine(machine);
        self.about()
    }

    /// Starts the program that scrolls a message over the LEDs. For an empty string, the program
    /// shows its sample message.
    fn write(&mut self, message: &str, hardware: &MachineSpec) -> Result<About, String> {
        self.sources.set_message(message)?;
        self.start(MESSAGES, hardware, false)
    }

    /// Returns how many more letters fit after this message, and the characters of it that the LEDs
    /// cannot show, each with what stands for it. That is empty for one that is left out. Fails
    /// with a reason if the message is too long.
    #[expect(clippy::unused_self, reason = "all requests are methods")]
    fn room(&self, message: &str) -> Result<(usize, Vec<(String, String)>), String> {
        let fitted = gray1_programs::fit_message(message)?;
        let replaced = fitted.replaced.into_iter().map(|(sign, by)| (sign.to_string(), by));
        Ok((fitted.room, replaced.collect()))
    }

    /// Returns the names of the boards.
    fn boards(&self) -> Vec<String> {
        self.sources.boards().collect()
    }

    /// Returns the state that can change in every frame.
    fn state(&mut self) -> Result<MachineState, String> {
        Ok(state::machine_state(self.machine()?))
    }

    /// Returns all known results, including later ones that the lookahead has found.
    fn results(&mut self) -> Result<Vec<PrintedResult>, String> {
        Ok(state::list_results(&self.machine()?.session.snapshot()))
    }

    /// Returns the printed lines that are kept.
    fn output(&mut self) -> Result<Vec<String>, String> {
        Ok(self.machine()?.session.snapshot().output.lines().map(str::to_owned).collect())
    }

    /// Presses a button of the transport.
    fn transport(&mut self, button: Transport) -> Result<(), String> {
        self.machine()?.transport(button);
        Ok(())
    }

    /// Goes to a moment, or to the nearest known one.
    fn seek(&mut self, moment: u64) -> Result<(), String> {
        self.machine()?.go_to(moment);
        Ok(())
    }

    /// Goes to a moment, running to it if necessary.
    fn run_to(&mut self, moment: u64) -> Result<(), String> {
        self.machine()?.command(Command::RunTo(Destination::Moment(moment)));
        Ok(())
    }

    /// Explains an LED, byte or register at the current moment. The question is `led 4, 3` or any
    /// other that `gray1 why` accepts. The machine stops. While the answer is null, ask again.
    fn why(&mut self, question: &str) -> Result<Option<ExplanationReport>, String> {
        self.machine()?.why(question)
    }

    /// Sets or removes a breakpoint at a line of the program's main source, counted from 1.
    fn toggle_break(&mut self, line: u32) -> Result<(), String> {
        let machine = self.machine()?;
        if let Some(start) = machine.lines.first_instruction(line) {
            machine.command(Command::Change(BreakChange::Toggle(start)));
        }
        Ok(())
    }

    /// Holds exactly these buttons of the panel. Their names are joined by `+`, and `-` means none.
    fn hold(&mut self, buttons: &str) -> Result<(), String> {
        self.machine()?.command(Command::Hold(buttons.parse()?));
        Ok(())
    }

    /// Sets the size of the panes in cells, and their colours for a light or dark background.
    fn resize(&mut self, columns: u16, rows: u16, light: bool) -> Result<(), String> {
        let snapshot = self.machine()?.snapshot_for_panes();
        self.panes = Some(Panes::new(snapshot, light, Size::new(columns, rows)));
        Ok(())
    }

    /// Shows the pane with this name.
    fn pane(&mut self, name: &str) -> Result<PaneRequests, String> {
        let effect = self.panes()?.app.show_pane(name);
        self.carry_out(effect)
    }

    /// Sends a key to the panes, by its name in browsers.
    fn key(&mut self, key: &str, control: bool, alt: bool) -> Result<PaneRequests, String> {
        let app = &mut self.panes()?.app;
        let effect = panes::parse_key(key, control, alt).and_then(|key| app.key(key));
        self.carry_out(effect)
    }

    /// Sends an event of the mouse or a finger to the panes, at this column and row.
    fn mouse(&mut self, kind: MouseKind, x: u16, y: u16) -> Result<PaneRequests, String> {
        let mouse = gray1_tui::Mouse { kind, at: (x, y).into() };
        let effect = self.panes()?.app.mouse(mouse);
        self.carry_out(effect)
    }

    /// Carries out an action of the panes. Returns the part that only the page can carry out.
    fn carry_out(&mut self, effect: Option<Effect>) -> Result<PaneRequests, String> {
        let mut requests = PaneRequests::default();
        match effect {
            Some(Effect::Session(command)) => self.machine()?.command(command),
            Some(Effect::Quit) => requests.leaves = true,
            Some(Effect::ListPrograms) => {
                let programs = self.sources.list();
                self.panes()?.app.show_programs(programs);
            }
            Some(Effect::Edit { file, line }) => {
                let name = gray1_programs::built_in_path(&file).unwrap_or(&file);
                requests.edits = Some((name.to_owned(), line));
            }
            Some(Effect::Open(name)) => match self.sources.program(&name) {
                // The page starts the program in a new machine.
                Ok(_) => requests.opens = Some(name),
                Err(why) => _ = self.panes()?.app.load_opened(&name, Err(why)),
            },
            // A page has no files to assemble again and no shell to return to, and nothing else
            // writes to its screen.
            Some(Effect::Reassemble | Effect::Redraw | Effect::Suspend | Effect::Interrupt)
            | None => {}
        }
        Ok(requests)
    }

    /// Returns the message of the panes: a note, or the reason why the machine stopped.
    fn note(&mut self) -> Result<Option<PaneNote>, String> {
        let app = &self.panes()?.app;
        let is_reason = !app.has_note();
        let Some(text) = app.shown_note().map(str::to_owned) else { return Ok(None) };
        let snapshot = self.machine()?.session.snapshot();
        let printed = state::printed_line(&snapshot).filter(|_| is_reason).map(str::to_owned);
        Ok(Some(PaneNote { text, is_reason, printed }))
    }

    /// Returns the lines of the panes as text.
    fn text(&mut self) -> Result<Vec<String>, String> {
        Ok(self.panes()?.text())
    }

    /// Returns the board drawing as SVG without styles, or null if the board's wiring differs from
    /// the drawing. The board pane must be visible.
    fn drawing(&mut self) -> Result<Option<String>, String> {
        self.panes()?;
        let levels = self.machine()?.session.snapshot().levels;
        Ok(levels.and_then(|levels| drawing::svg(&levels.board, "")))
    }

    /// Returns the contents of the drawing at the current moment, and the details of the selected
    /// chip, with the part `view` of its table. If `ahead` is true, a machine that is paused before
    /// an instruction shows a phase in which a byte moves.
    fn wires(
        &mut self,
        chip: Option<usize>,
        ahead: bool,
        view: Option<usize>,
    ) -> Result<Option<BoardReport>, String> {
        let machine = self.machine()?;
        let snapshot = machine.snapshot_for_panes();
        let preview = ahead.then(|| machine.preview()).flatten();
        let report = match preview {
            None => board::board_report(&snapshot, chip, view),
            Some((phase, levels)) => {
                let mut shown = snapshot.clone();
                (shown.cpu.phase, shown.levels) = (phase, Some(levels));
                board::board_report(&shown, chip, view)
            }
        };
        let report = report.map(|it| BoardReport { present: snapshot.cpu.phase, ..it });
        self.panes()?.app.update(snapshot);
        Ok(report)
    }

    /// Returns the contents of a source, by its name or by its path below `programs/`.
    fn source(&self, name: &str) -> Result<String, String> {
        self.sources.text(name).ok_or_else(|| format!("there is no source {name}"))
    }

    /// Stores the contents of a file.
    fn keep(&mut self, name: String, text: String) {
        self.sources.texts.0.insert(name, text);
    }

    /// Deletes a file.
    fn forget(&mut self, name: &str) {
        self.sources.texts.0.remove(name);
    }

    /// Stores the contents of a file, and returns its diagnostics and its semantic tokens.
    fn edit(&mut self, name: &str, text: String) -> Edited {
        self.editor.edit(&mut self.sources, name, text)
    }

    /// Stores the contents of a chip for a board.
    fn keep_contents(&mut self, name: String, base64: &str) -> Result<(), String> {
        let contents = gray1_programs::decode_contents(base64)?;
        self.sources.contents.insert(name, contents);
        Ok(())
    }

    /// Deletes the contents of a chip.
    fn forget_contents(&mut self, name: &str) {
        self.sources.contents.remove(name);
    }

    /// Explains the word at a position of the source that was edited last.
    fn hover(&self, at: Position) -> Option<Hover> {
        self.editor.view()?.hover(at)
    }

    /// Returns the words that can be typed at a position.
    fn complete(&self, at: Position) -> Vec<CompletionItem> {
        self.editor.view().map(|view| view.completions(at)).unwrap_or_default()
    }

    /// Returns the signature of the statement or call at a position.
    fn signature(&self, at: Position) -> Option<SignatureHelp> {
        self.editor.view()?.signature_help(at)
    }

    /// Returns the definitions of the name at a position.
    fn definition(&self, at: Position) -> Vec<Location> {
        self.editor.view().map(|view| view.definitions(at)).unwrap_or_default()
    }

    /// Returns the range of the name at a position, if it can be renamed.
    fn renamable(&self, at: Position) -> Result<Range, String> {
        self.editor.view().ok_or(NO_NAMES)?.prepare_rename(at)
    }

    /// Returns the edits that rename the name at a position in all of the user's sources that use
    /// it.
    fn rename(&self, at: Position, name: &str) -> Result<WorkspaceEdit, String> {
        self.editor.rename(&self.sources, at, name)
    }

    /// Returns the edits that format the source that was edited last, or null if it has errors.
    fn format(&self) -> Option<Vec<TextEdit>> {
        self.editor.view()?.format()
    }

    /// Returns the EPROM of a program as Intel HEX.
    fn eprom(&self, program: &str) -> Result<String, String> {
        let bytes = Format::Ihex.encode(&self.sources.program(program)?.image);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Adds a frame with these LEDs to a film, for a duration in hundredths of a second. Without
    /// LEDs, the film ends. Returns the next part of the GIF file.
    fn film(&mut self, leds: Option<Display>, duration: u16) -> Vec<u8> {
        let mut film = self.film.take().unwrap_or_default();
        let Some(leds) = leds else { return film.finish() };
        film.push(leds, duration);
        self.film.insert(film).take()
    }

    /// Returns a link to the current moment, as the fragment of a URL.
    fn link(&mut self) -> Result<String, String> {
        create_link(self.machine()?)
    }

    /// Opens a link, given as a fragment or a URL. The machine then takes time to get to the
    /// moment. If the program has changed since the link was made, opens it at its beginning.
    fn open_link(&mut self, text: &str) -> Result<(), String> {
        match Link::decode(text) {
            Ok(link) if link.encode_message().is_some() => {
                self.write(&link.message().unwrap_or_default(), &MachineSpec::default())?;
                self.machine()?.note = Some("These words came with the link.".to_owned());
            }
            Ok(link) => self.opening = Some(OpeningLink::new(link)?),
            Err(error) => {
                let Some(program) = &error.program else { return Err(error.message) };
                let name = program.strip_suffix(".asm").unwrap_or(program);
                self.start(name, &MachineSpec::default(), true)?;
                let note = format!("Here is the program from its beginning: {error}.");
                self.machine()?.note = Some(note);
            }
        }
        Ok(())
    }

    /// Stops at the moment that the machine has reached while opening a link.
    pub(super) fn stop_opening(&mut self) {
        if let Some(opening) = self.opening.take() {
            let machine = opening.arrive(&mut self.sources);
            self.replace_machine(machine);
        }
    }

    /// Returns the moment that the machine has reached while opening a link, and the moment of the
    /// link. Null if no link is being opened.
    fn progress(&self) -> Option<(u64, u64)> {
        self.opening.as_ref().map(OpeningLink::progress)
    }

    /// Returns the program in the machine.
    fn about(&mut self) -> Result<About, String> {
        let machine = self.machine.as_mut().ok_or(NO_PROGRAM)?;
        Ok(state::about(machine, &self.sources, self.learning.as_ref()))
    }

    /// Opens a course. `files` has the files of the folder, by their paths within it. An empty
    /// folder name opens the built-in course. `progress` is the progress that was stored at the
    /// last visit.
    fn course(
        &mut self,
        folder: String,
        files: BTreeMap<String, String>,
        progress: &str,
    ) -> Result<CourseReport, String> {
        let given = (!folder.is_empty()).then_some((folder, files));
        let learning = Learning::new(given, progress)?;
        Ok(self.learning.insert(learning).report())
    }

    /// Returns the paths of the other files of a course, given the contents of its `course.ron`.
    /// `folder` is its name in messages.
    #[expect(clippy::unused_self, reason = "all requests are methods")]
    fn course_files(&self, folder: &str, text: &str) -> Result<Vec<String>, String> {
        Course::list_files(text, &format!("{folder}/{COURSE}"))
    }

    /// Makes a lesson the current one.
    fn lesson(&mut self, name: &str) -> Result<CourseReport, String> {
        self.learning()?.go(name)
    }

    /// Returns the next hint of the current lesson, and the state of the course after it.
    fn hint(&mut self) -> Result<(String, CourseReport), String> {
        Ok(self.learning()?.hint())
    }

    /// Starts to check whether a program solves a lesson. The check takes time.
    fn check(&mut self, lesson: &str, program: &str) -> Result<(), String> {
        self.learning()?;
        let learning = self.learning.as_ref().ok_or(NO_COURSE)?;
        let checking = learning.check(lesson, program, &self.sources)?;
        self.start_job(Job::Check(Box::new(checking)));
        Ok(())
    }

    /// Starts the tests of a program, or those in a test file.
    fn test(&mut self, name: &str, hardware: MachineSpec) -> Result<(), String> {
        let (file, program) = self.sources.tests_for(name)?;
        let text = self.sources.text(&file).unwrap_or_default();
        let linked = self.sources.linked(&program)?;
        let machines = TestMachines::new((&file, &text), &self.sources, hardware, linked)?;
        self.start_job(Job::Tests(Box::new(TestJob::new(&file, &program, machines))));
        Ok(())
    }

    /// Starts to compare the run of the program on the instructions with the run on the chips, or
    /// on a copy of the board with a changed cell. This takes time.
    fn compare(&mut self, change: Option<CellChange>) -> Result<(), String> {
        let machine = self.machine.as_mut().ok_or(NO_PROGRAM)?;
        let comparison = match change {
            Some(change) => comparison::damage(machine, &change)?,
            None => Comparison::new(machine)?,
        };
        self.sources.damaged = comparison.damaged_board().or(self.sources.damaged.take());
        self.start_job(Job::Comparison(Box::new(comparison)));
        Ok(())
    }

    /// Starts to prove what the program does for every content of memory, A and C at power-up.
    fn prove(&mut self) -> Result<(), String> {
        let Link { inputs, ram, .. } = recorded_link(self.machine()?)?;
        let inputs = inputs.into_iter().map(|(moment, input)| (moment, input.into())).collect();
        let image = Arc::clone(&self.machine()?.session.snapshot().program.image);
        self.start_job(Job::Proof(Box::new(ProofJob::new(&image, inputs, ram))));
        Ok(())
    }

    /// Returns the progress of the tests or the check. At the end, returns their result, but only
    /// once.
    fn job(&mut self) -> Result<JobReport, String> {
        let news = self.job.as_ref().map(|job| match job {
            Job::Tests(testing) => testing.news.clone(),
            Job::Check(_) => String::new(),
            Job::Comparison(job) => counted(job.moment(), "instruction"),
            Job::Proof(job) => counted(job.proof.run.moment(), "instruction"),
        });
        Ok(JobReport { news, outcome: self.outcome.take().transpose()? })
    }

    /// Stops the tests or the check. Returns what a comparison or a proof has found so far.
    fn stop_job(&mut self) -> Option<String> {
        match self.job.take()? {
            Job::Tests(_) | Job::Check(_) => None,
            Job::Comparison(job) => Some(job.describe_stopped()),
            Job::Proof(job) => Some(job.describe_stopped()),
        }
    }

    /// Moves the machine to the moment at which the last test or check failed.
    fn failure(&mut self) -> Result<About, String> {
        let machine = self.failed.take().ok_or("there is no failure to go to")?;
        self.replace_machine(*machine);
        self.about()
    }
}
