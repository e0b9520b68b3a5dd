//! The commands of the plain debugger, and their answers.

use std::sync::Arc;
use std::time::Duration;

use gray1_board::Chip;
use gray1_debugger::why::{Asked, CauseLine};
use gray1_debugger::{BreakpointRequest, Changeable, Condition, Event, SourceLines};
use gray1_isa::SourceLine;
use gray1_isa::panel::Buttons;
use gray1_isa::text::{grouped, printable, wrap};
use gray1_session::named::{self, Named};
use gray1_session::{
    BreakChange, Command, Destination, EXPECTED_LINE, Goal, Levels, Output, Position, RunState,
    Session, WireDetail, parse_line,
};

use super::commands::{TYPED, is_called, unknown_command};
use super::interrupts::Interrupts;
use super::sentences::{capitalize, describe_movement, describe_stop};
use crate::cli::shared::outcome::{Failure, failure, print};

/// The maximum length of a printed line in characters.
const WIDTH_MAX: usize = 199;
/// The time that a slice of a run takes for a button that is held. It does not depend on a clock,
/// so that every run is the same.
const SLICE_TIME: Duration = Duration::from_secs(1);

/// The plain debugger: a session and the state of the dialogue.
pub(super) struct Face {
    pub(super) session: Session,
    pub(super) interrupts: Arc<Interrupts>,
    /// The steps of the last answer to `why`, and the moment of the question.
    steps: Vec<CauseLine>,
    asked_at: u64,
    /// The number of printed lines, or of pieces of long ones, that were reported.
    reported: usize,
    /// The last command that moved the machine, which an empty line repeats.
    repeated: Option<&'static Named>,
    /// The lines of an answer, if they are collected.
    collected: Option<Vec<String>>,
}

impl Face {
    pub(super) fn new(session: Session, interrupts: Arc<Interrupts>, collects: bool) -> Self {
        Self {
            session,
            interrupts,
            steps: Vec::new(),
            asked_at: 0,
            reported: 0,
            repeated: None,
            collected: collects.then(Vec::new),
        }
    }

    /// The lines of the last answer, if the face collects them.
    pub(super) fn take_collected(&mut self) -> Option<Vec<String>> {
        self.collected.as_mut().map(std::mem::take)
    }

    /// Says what is open, and where the machine is.
    pub(super) fn greet(&mut self) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        self.see_printed(&snapshot.output, false)?;
        if let Some(remark) = &snapshot.remark {
            self.say(&remark.text)?;
        }
        let usage = snapshot.program.usage().map(|usage| format!(": {usage}"));
        self.say(&format!("Debugging {}{}", snapshot.program.name, usage.unwrap_or_default()))?;
        self.tell_where()
    }

    /// The present position of the machine.
    pub(super) fn position(&self) -> Position {
        self.session.position()
    }

    /// Carries out the command in a line. An empty line repeats the last movement.
    ///
    /// # Errors
    /// [`Failure::Message`] if the command failed, which does not end the session.
    pub(super) fn execute(&mut self, line: &str) -> Result<(), Failure> {
        let line = line.trim();
        if let (true, Some(named)) = (line.is_empty(), self.repeated) {
            return self.carry_out(named.command.clone());
        }
        if let Ok(number) = line.parse::<usize>() {
            return self.go_to_step(number);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let words = words.join(" ");
        let mut known = named::ALL.iter();
        if let Some(named) = known.find(|it| is_called(&words, it.word, Some(it.key))) {
            self.repeated = is_repeatable(&named.command).then_some(named);
            return self.carry_out(named.command.clone());
        }
        let (first, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match TYPED.iter().find(|it| is_called(first, it.word, it.key)) {
            Some(typed) if typed.argument.is_empty() && !argument.is_empty() => {
                Err(failure(format!("{} takes no argument", typed.word)))
            }
            Some(typed) => {
                // Answers call the rows of LEDs so.
                let argument = argument.replace("green row ", "0x1fe0 + ");
                (typed.act)(self, argument.replace("red row ", "0x1fe8 + ").trim())
            }
            None => Err(unknown_command(first)),
        }
    }

    pub(super) fn say(&mut self, text: &str) -> Result<(), Failure> {
        let lines = wrap(&printable(text), WIDTH_MAX);
        match &mut self.collected {
            Some(collected) => collected.extend(lines),
            None => print(&(lines.join("\n") + "\n"))?,
        }
        Ok(())
    }

    // ---- Movements

    /// Sends the session a command, waits until the machine stops, and says what happened.
    fn carry_out(&mut self, command: Command) -> Result<(), Failure> {
        let (before, position) = (self.session.snapshot(), self.position());
        let command = match command {
            // Without a break, such a run ends where the program ends or begins.
            Command::Go(Goal::Breakpoint) => Command::Go(Goal::Run),
            Command::GoBack(Goal::Breakpoint) => Command::GoBack(Goal::Run),
            other => other,
        };
        self.session.command(command.clone());
        let is_interrupted = self.finish(matches!(command, Command::Step | Command::StepPhase))?;
        let after = self.session.snapshot();
        if let Some(remark) = &after.remark
            && self.session.logged().last().is_none_or(|message| *message != remark.text)
        {
            return Err(failure(remark.text.as_ref()));
        }
        let has_moved = position != self.position();
        if !has_moved && after.run_state == RunState::Halted && command.needs_a_future() {
            return Err(failure("the program has ended: back goes back, restart starts it again"));
        }
        let is_known = match command {
            Command::Seek(_) | Command::JumpBack | Command::JumpForward => true,
            Command::RunTo(destination) => destination == Destination::Moment(after.time.now),
            _ => false,
        };
        let mut said = describe_stop(&after, is_interrupted, is_known);
        let edges = self.position().edges;
        match command {
            Command::StepPhase | Command::StepPhaseBack if edges > 0 => {
                said.push(self.describe_phase()?);
            }
            _ => said.extend(describe_movement(&command, &before, &after, edges > 0)),
        }
        said.retain(|it| !it.is_empty());
        self.say(&said.join(" "))
    }

    /// Waits until the session has nothing left to do. Reports lines that the program prints, if it
    /// runs or `has_run`. Returns whether the user has interrupted it.
    fn finish(&mut self, has_run: bool) -> Result<bool, Failure> {
        let mut runs = has_run;
        loop {
            let output = self.session.snapshot().output;
            self.see_printed(&output, runs)?;
            for message in self.session.logged().to_vec() {
                self.say(&message)?;
            }
            let state = self.session.run_state();
            if state.is_stopped() {
                return Ok(false);
            }
            if self.interrupts.take() {
                self.session.command(Command::Cancel);
                return Ok(true);
            }
            runs = matches!(state, RunState::Seeking(_));
            self.session.advance(SLICE_TIME);
        }
    }

    /// Counts the lines of the output, and reports new ones if the machine `has_run`.
    fn see_printed(&mut self, output: &Output, has_run: bool) -> Result<(), Failure> {
        let open = usize::from(!output.unfinished().is_empty());
        let kept = output.lines().count() - open;
        let total = output.forgotten + kept;
        let new = total.saturating_sub(std::mem::replace(&mut self.reported, total));
        if !has_run {
            return Ok(());
        }
        if new > kept {
            self.say(&format!("Printed {} more lines before these.", new - kept))?;
        }
        let name = self.session.snapshot().program.result().unwrap_or("printed line").to_owned();
        let new = new.min(kept);
        for (line, left) in output.lines().skip(kept - new).zip((0..new as u64).rev()) {
            let number = output.finished.saturating_sub(left);
            self.say(&format!("{} {number}: {line}", capitalize(&name)))?;
        }
        Ok(())
    }

    /// The phase that has just begun, in the words of the board, and the chips that moved.
    fn describe_phase(&mut self) -> Result<String, Failure> {
        let levels = self.levels()?;
        let phase = self.session.snapshot().cpu.phase;
        let sentence = levels.board.phase_sentence(|net| levels.level(net));
        let moved = levels.board.chips().iter();
        let moved = moved.filter(|chip| chip.data.iter().any(|net| levels.moved(*net)));
        let moved = moved.map(Chip::name).collect::<Vec<_>>().join(", ");
        let moved = if moved.is_empty() { "No chip".to_owned() } else { moved };
        Ok(format!("Phase T{phase}: {sentence} {moved} moved."))
    }

    pub(super) fn go(&mut self, place: &str) -> Result<(), Failure> {
        if let Some(line) = place.strip_prefix(':') {
            let line = parse_line(line).and_then(|line| u32::try_from(line).ok());
            let line = line.ok_or_else(|| failure(EXPECTED_LINE))?;
            let snapshot = self.session.snapshot();
            let lines = SourceLines::new(snapshot.program.image.source_map());
            let (_, starts) = lines
                .starts(SourceLine { file: 0, line })
                .ok_or_else(|| failure("no instruction at or after this line"))?;
            let starts = starts.iter().copied().collect();
            return self.carry_out(Command::Go(Goal::Event(Event::Reaches(Box::new(starts)))));
        }
        if let Some(destination) = Destination::parse(place).map_err(failure)? {
            return self.carry_out(Command::RunTo(destination));
        }
        let snapshot = self.session.snapshot();
        let condition = Condition::parse(place, snapshot.scope())
            .map_err(|error| failure(error.to_string()))?;
        self.carry_out(Command::Go(Goal::Condition(condition)))
    }

    pub(super) fn press(&mut self, buttons: &str) -> Result<(), Failure> {
        let buttons: Buttons = buttons.replace(' ', "+").parse().map_err(failure)?;
        if !self.session.snapshot().program.reads_buttons {
            return Err(failure("this program does not read the buttons"));
        }
        self.session.command(Command::Tap(buttons));
        self.say(&format!("Pressed {buttons}, until the program has read it."))
    }

    pub(super) fn set(&mut self, text: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let input = Changeable::assignment(text, snapshot.scope(), snapshot.view());
        let input = input.map_err(|error| failure(error.to_string()))?;
        self.change(Command::ChangeState(input))
    }

    /// Sends the session a command that it answers with a remark.
    pub(super) fn change(&mut self, command: Command) -> Result<(), Failure> {
        self.session.command(command);
        let remark = self.session.snapshot().remark;
        self.say(&remark.map_or_else(String::new, |remark| capitalize(&remark.text)))
    }

    // ---- Why

    pub(super) fn why(&mut self, question: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        if question == "back" {
            if self.steps.is_empty() {
                return Err(failure("no question was asked"));
            }
            return self.carry_out(Command::Seek(self.asked_at));
        }
        let asked = match snapshot.last_byte().filter(|_| question.is_empty()) {
            Some(byte) => Asked::byte(byte),
            None => Asked::parse(question, snapshot.scope(), snapshot.cpu.pc)
                .map_err(|error| failure(error.to_string()))?,
        };
        self.session.command(Command::Ask(asked));
        self.finish(false)?;
        let answer = self.session.snapshot().stops.explanation;
        let answer = answer.ok_or_else(|| failure("interrupted"))?;
        let image = &snapshot.program.image;
        self.asked_at = answer.moment;
        let steps = Some(answer.steps(image)).filter(|steps| !steps.is_empty());
        self.steps = steps.unwrap_or_else(|| answer.lines(image));
        self.say(&capitalize(&answer.sentence))?;
        for (number, step) in (1..).zip(self.steps.clone()) {
            let moment = step.moment.map(|moment| format!("moment {}: ", grouped(moment)));
            self.say(&format!("{number}: {}{}", moment.unwrap_or_default(), step.text))?;
        }
        Ok(())
    }

    fn go_to_step(&mut self, number: usize) -> Result<(), Failure> {
        let step = number.checked_sub(1).and_then(|number| self.steps.get(number));
        let step = step.ok_or_else(|| failure(format!("no step {number}: ask why first")))?;
        let moment = step.moment.ok_or_else(|| failure("this has no moment to go to"))?;
        self.carry_out(Command::RunTo(Destination::Moment(moment)))
    }

    // ---- Breaks

    pub(super) fn set_break(&mut self, text: &str) -> Result<(), Failure> {
        let condition = BreakpointRequest::qualified(text, self.session.snapshot().scope());
        self.change(Command::Change(BreakChange::Add(condition.map_err(failure)?)))
    }

    pub(super) fn delete_break(&mut self, number: &str) -> Result<(), Failure> {
        let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let count = self.session.snapshot().stops.breaks.list().len();
        let number = number.filter(|number| *number < count);
        let number = number.ok_or_else(|| failure("no such break: breaks lists them"))?;
        self.change(Command::Change(BreakChange::Remove(number)))
    }

    pub(super) fn levels(&mut self) -> Result<Arc<Levels>, Failure> {
        self.session.command(Command::ShowWires(WireDetail::Levels));
        let levels = self.session.snapshot().levels;
        self.session.command(Command::ShowWires(WireDetail::Nothing));
        levels.ok_or_else(|| failure("this machine has no chips"))
    }
}

/// Whether an empty line repeats this command.
fn is_repeatable(command: &Command) -> bool {
    let is_back =
        matches!(command, Command::StepBack | Command::StepPhaseBack | Command::GoBack(_));
    is_back || command.needs_a_future()
}
