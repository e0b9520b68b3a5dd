//! A page: a machine, its panes and the user's sources, and the answers to requests.

use std::time::Duration;

use gray1_board::drawing;
use gray1_isa::format::Format;
use gray1_isa::panel::Buttons;
use gray1_programs::lessons::{COURSE, Course};
use gray1_programs::{Link, LinkError, MachineSpec};
use gray1_tui::session::{BreakChange, Command, Destination};
use ratatui::layout::Size;
use serde_json::json;

use crate::answer::{
    About, Answer, FileLine, JobReport, OpeningReport, PaneWishes, ProgramListing,
};
use crate::board;
use crate::editor::{Editor, NO_NAMES};
use crate::jobs::{Checking, Outcome, Testing};
use crate::learning::Learning;
use crate::link::{OpeningLink, link};
use crate::machine::Machine;
use crate::panes::{self, Panes, Wish};
use crate::request::Request;
use crate::sources::{FileKind, Sources};
use crate::state;
use crate::test_machines::{StoppedMachine, TestMachines};

/// A page.
#[derive(Default)]
pub struct Page {
    sources: Sources,
    machine: Option<Machine>,
    panes: Option<Panes>,
    editor: Editor,
    /// The link that is being opened.
    opening: Option<OpeningLink>,
    learning: Option<Learning>,
    job: Option<Job>,
    /// The result of the last one.
    outcome: Option<Result<Outcome, String>>,
}

/// Work that is done in slices between frames.
enum Job {
    Testing(Box<Testing>),
    Checking(Box<Checking>),
}

impl Page {
    /// Answers a request with a JSON text, which is `{"error": …}` if it fails.
    pub fn ask(&mut self, request: &str) -> String {
        let request = serde_json::from_str(request).map_err(|error| error.to_string());
        match request.and_then(|request| self.answer(request)) {
            Ok(answer) => json!(answer).to_string(),
            Err(error) => json!({ "error": error }).to_string(),
        }
    }

    /// Lets time pass. True if there is more to do at once.
    pub fn advance(&mut self, elapsed: Duration) -> bool {
        if let Some(mut opening) = self.opening.take() {
            if opening.advance() {
                self.arrive(opening);
            } else {
                self.opening = Some(opening);
            }
            return true;
        }
        let works = self.advance_job();
        self.machine.as_mut().is_some_and(|machine| machine.advance(elapsed)) || works
    }

    /// Puts the machine of a link where it has come to.
    fn arrive(&mut self, opening: OpeningLink) {
        self.machine = Some(opening.arrive(&mut self.sources));
        self.panes = None;
    }

    /// Continues tests or a check. True if there is more to do.
    fn advance_job(&mut self) -> bool {
        let (ended, lesson) = match &mut self.job {
            None => return false,
            Some(Job::Testing(testing)) => {
                self.outcome = testing.advance().map(Ok);
                if self.outcome.is_some() {
                    self.job = None;
                }
                return self.job.is_some();
            }
            Some(Job::Checking(checking)) => (checking.advance(), checking.lesson.clone()),
        };
        self.outcome = match (ended, &mut self.learning) {
            (Ok(None), _) => return true,
            (Ok(Some(ending)), Some(learning)) => Some(learning.end(&lesson, ending)),
            (Err(why), _) => Some(Err(why)),
            (Ok(Some(_)), None) => None,
        };
        self.job = None;
        false
    }

    /// Draws the panes.
    pub fn draw(&mut self) -> &[u32] {
        let (Some(machine), Some(panes)) = (&mut self.machine, &mut self.panes) else { return &[] };
        panes.see(machine.snapshot_for_panes());
        panes.inform(&self.sources);
        panes.draw()
    }

    /// The cells of the last drawing.
    #[must_use]
    pub fn cells(&self) -> &[u32] {
        self.panes.as_ref().map_or(&[], Panes::words)
    }

    fn answer(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Programs => Ok(Answer::Programs(self.programs())),
            Request::Start { program, hardware, paused } => self.start(&program, &hardware, paused),
            Request::Boards => Ok(Answer::Boards(self.sources.boards().collect())),
            Request::Source { name } => {
                let text = self.sources.text(&name);
                text.map(Answer::Source).ok_or_else(|| format!("there is no source {name}"))
            }
            Request::Edit { name, text } => {
                Ok(Answer::Edit(self.editor.edit(&mut self.sources, &name, text)))
            }
            Request::Rename { at, name } => {
                self.editor.rename(&self.sources, at, &name).map(Answer::Rename)
            }
            Request::Eprom { name } => {
                let image = self.sources.program(&name)?.image;
                let bytes = Format::Ihex.encode(&image);
                Ok(Answer::Eprom(String::from_utf8_lossy(&bytes).into_owned()))
            }
            Request::OpenLink { text } => {
                self.open_link(&text)?;
                Ok(Answer::Nothing)
            }
            Request::StopOpening => {
                if let Some(opening) = self.opening.take() {
                    self.arrive(opening);
                }
                Ok(Answer::Nothing)
            }
            request @ (Request::Keep { .. }
            | Request::Forget { .. }
            | Request::Contents { .. }
            | Request::ForgetContents { .. }) => self.answer_of_store(request),
            request @ (Request::Test { .. }
            | Request::Job
            | Request::StopJob
            | Request::Failure) => self.answer_of_job(request),
            request @ (Request::Course { .. }
            | Request::CourseFiles { .. }
            | Request::Lesson { .. }
            | Request::Hint
            | Request::Check { .. }) => self.answer_of_lessons(request),
            request @ (Request::Hover { .. }
            | Request::Complete { .. }
            | Request::Signature { .. }
            | Request::Definition { .. }
            | Request::Renamable { .. }
            | Request::Format) => self.answer_of_editor(&request),
            request => self.answer_of_machine(request),
        }
    }

    /// Takes what the visitor's store holds, or gives it up.
    fn answer_of_store(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Keep { name, text } => self.sources.put(&name, text),
            Request::Forget { name } => self.sources.forget(&name),
            Request::Contents { name, base64 } => {
                self.sources.put_contents(&name, gray1_programs::contents(&base64)?);
            }
            Request::ForgetContents { name } => self.sources.forget_contents(&name),
            _ => return Err("that is not kept".to_owned()),
        }
        Ok(Answer::Nothing)
    }

    /// Answers a question about the source that was edited last.
    fn answer_of_editor(&self, request: &Request) -> Result<Answer, String> {
        let view = self.editor.view();
        Ok(match request {
            Request::Hover { at } => Answer::Hover(view.and_then(|view| view.hover(*at))),
            Request::Complete { at } => {
                Answer::Complete(view.map(|view| view.completions(*at)).unwrap_or_default())
            }
            Request::Signature { at } => {
                Answer::Signature(view.and_then(|view| view.signature_help(*at)))
            }
            Request::Definition { at } => {
                Answer::Definition(view.map(|view| view.definitions(*at)).unwrap_or_default())
            }
            Request::Renamable { at } => Answer::Renamable(view.ok_or(NO_NAMES)?.renamable(*at)?),
            _ => Answer::Format(view.and_then(|view| view.formatted())),
        })
    }

    /// Answers a request about tests or a check.
    fn answer_of_job(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Test { name, hardware } => {
                let (file, program) = self.sources.tests_for(&name)?;
                let text = self.sources.text(&file).unwrap_or_default();
                let linked = self.sources.linked(&program)?;
                let machines = TestMachines::new((&file, &text), &self.sources, hardware, linked)?;
                let testing = Testing::new(&file, &program, machines);
                self.begin(Job::Testing(Box::new(testing)));
            }
            Request::StopJob => self.job = None,
            Request::Failure => {
                let outcome = self.outcome.as_mut().and_then(|outcome| outcome.as_mut().ok());
                let stopped = outcome.and_then(|outcome| outcome.failed.take());
                let stopped = stopped.ok_or("there is no failure to go to")?;
                return Ok(Answer::Failure(self.show_stopped(*stopped)));
            }
            _ => {
                let news = match &self.job {
                    None => None,
                    Some(Job::Testing(testing)) => Some(testing.news().to_owned()),
                    Some(Job::Checking(_)) => Some(String::new()),
                };
                let outcome = match &self.outcome {
                    Some(Err(why)) if news.is_none() => return Err(why.clone()),
                    Some(Ok(outcome)) if news.is_none() => Some(outcome.report()),
                    _ => None,
                };
                return Ok(Answer::Job(JobReport { news, outcome }));
            }
        }
        Ok(Answer::Nothing)
    }

    fn begin(&mut self, job: Job) {
        self.job = Some(job);
        self.outcome = None;
    }

    /// Shows a stopped machine.
    fn show_stopped(&mut self, stopped: StoppedMachine) -> About {
        let mut machine = Machine::stopped(stopped);
        let about = state::about(&mut machine, &self.sources);
        self.opening = None;
        self.machine = Some(machine);
        self.panes = None;
        about
    }

    /// Answers a request about the lessons.
    fn answer_of_lessons(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Course { folder, files, progress } => {
                let given = (!folder.is_empty()).then_some((folder, files));
                let learning = Learning::new(given, &progress)?;
                return Ok(Answer::Course(self.learning.insert(learning).shown()));
            }
            Request::CourseFiles { folder, text } => {
                let shown = format!("{folder}/{COURSE}");
                return Course::files_named(&text, &shown).map(Answer::CourseFiles);
            }
            _ => {}
        }
        let learning = self.learning.as_mut().ok_or("no course has been opened")?;
        match request {
            Request::Lesson { name } => learning.go(&name).map(Answer::Lesson),
            Request::Check { lesson, program } => {
                let checking = learning.check(&lesson, &program, &self.sources)?;
                self.begin(Job::Checking(Box::new(checking)));
                Ok(Answer::Nothing)
            }
            _ => Ok(Answer::Hint(learning.hint())),
        }
    }

    /// Answers a request about the machine.
    fn answer_of_machine(&mut self, request: Request) -> Result<Answer, String> {
        let machine = self.machine.as_mut().ok_or("no program has been started")?;
        match request {
            Request::State => {
                let snapshot = machine.session.snapshot();
                return Ok(Answer::State(state::state(machine, &snapshot)));
            }
            Request::Link => return link(machine).map(Answer::Link),
            Request::Opening => {
                let progress = self.opening.as_ref().map(OpeningLink::progress);
                let about = progress.is_none().then(|| state::about(machine, &self.sources));
                return Ok(Answer::Opening(OpeningReport { progress, about }));
            }
            Request::Results => {
                return Ok(Answer::Results(state::results(&machine.session.snapshot())));
            }
            Request::Output => {
                return Ok(Answer::Output(state::output(&machine.session.snapshot())));
            }
            Request::Why { question } => return machine.why(&question).map(Answer::Why),
            Request::Transport { button } => machine.transport(button),
            Request::Seek { moment } => machine.go_to(moment),
            Request::Break { line } => {
                if let Some(start) = machine.lines.start(line) {
                    machine.command(Command::Change(BreakChange::Toggle(start)));
                }
            }
            Request::RunTo { moment } => {
                machine.command(Command::RunTo(Destination::Moment(moment)));
            }
            Request::Hold { buttons } => {
                let buttons: Buttons = buttons.parse().map_err(|error| format!("{error}"))?;
                machine.command(Command::Press(buttons));
                machine.command(Command::Release(Buttons(!buttons.0)));
            }
            request => return self.answer_of_panes(request),
        }
        Ok(Answer::Nothing)
    }

    fn answer_of_panes(&mut self, request: Request) -> Result<Answer, String> {
        let machine = self.machine.as_mut().ok_or("no program has been started")?;
        if let Request::Resize { columns, rows, light } = request {
            let size = Size::new(columns, rows);
            self.panes = Some(Panes::new(machine.session.snapshot(), light, size));
            return Ok(Answer::Nothing);
        }
        let panes = self.panes.as_mut().ok_or("the panes have no size")?;
        let (answer, wish): (fn(PaneWishes) -> Answer, _) = match request {
            Request::Pane { name } => (Answer::Pane, panes.bring(&name)),
            Request::Key { key, control, alt } => {
                let key = panes::key(&key, control, alt);
                (Answer::Key, key.and_then(|key| panes.key(key, &self.sources)))
            }
            Request::Mouse { kind, x, y } => (Answer::Mouse, panes.mouse(kind, x, y)),
            Request::Note => return Ok(Answer::Note(panes.note())),
            Request::Text => return Ok(Answer::Text(panes.text())),
            Request::Drawing => {
                let levels = machine.session.snapshot().levels;
                let svg = levels.and_then(|levels| drawing::svg(&levels.board, ""));
                return Ok(Answer::Drawing(svg));
            }
            Request::Wires { chip } => {
                let snapshot = machine.snapshot_for_panes();
                let report = board::report(&snapshot, chip);
                panes.see(snapshot);
                return Ok(Answer::Wires(report));
            }
            _ => return Ok(Answer::Nothing),
        };
        let mut wishes = PaneWishes::default();
        match wish {
            None => {}
            Some(Wish::Session(command)) => machine.command(command),
            Some(Wish::Leave) => wishes.leaves = true,
            Some(Wish::Edit { file, line }) => wishes.edits = Some(FileLine { name: file, line }),
            Some(Wish::Open(name)) => match self.sources.program(&name) {
                // The page starts it, with a machine of its own.
                Ok(_) => wishes.opens = Some(name),
                Err(why) => panes.refuse(&name, why),
            },
        }
        Ok(answer(wishes))
    }

    fn programs(&self) -> Vec<ProgramListing> {
        use gray1_tui::Programs as _;
        let own: Vec<&String> = self.sources.own(FileKind::Source).collect();
        let listing = |gray1_tui::ListedProgram { name, title }| ProgramListing {
            is_own: own.contains(&&name),
            name,
            title,
        };
        self.sources.list().into_iter().map(listing).collect()
    }

    /// Sets out for the moment of a link. One to a program of another version of the page opens
    /// that program at its beginning.
    fn open_link(&mut self, text: &str) -> Result<(), String> {
        match Link::decode(text) {
            Ok(link) => self.opening = Some(OpeningLink::new(link)?),
            Err(error) => {
                let LinkError::Changed { program, .. } = &error else {
                    return Err(error.to_string());
                };
                let name = program.strip_suffix(".asm").unwrap_or(program);
                self.start(name, &MachineSpec::default(), true)?;
                let note = format!("Here is the program from its beginning: {error}.");
                self.machine.as_mut().expect("it was started").note = Some(note);
            }
        }
        Ok(())
    }

    /// Starts a program in a new machine. If it is a new version of the same program, its breaks
    /// and watches stay.
    fn start(
        &mut self,
        name: &str,
        hardware: &MachineSpec,
        paused: bool,
    ) -> Result<Answer, String> {
        let (program, link) = self.sources.linked(name)?;
        let machine = link.on(hardware, |name| self.sources.board(name))?;
        let before = self.machine.as_mut().map(|machine| machine.session.snapshot());
        let kept = before.filter(|it| it.program.name == name).map(|it| it.stops.kept());
        let mut machine = Machine::new(&program, machine, paused)?;
        let breaks = BreakChange::Restore(kept.unwrap_or_default());
        machine.command(Command::Change(breaks));
        let about = state::about(&mut machine, &self.sources);
        self.opening = None;
        self.machine = Some(machine);
        self.panes = None;
        Ok(Answer::Start(about))
    }
}

#[cfg(test)]
mod tests;
