//! Compares three front ends of the debugger: the terminal's session, the adapter, and a model that
//! keeps every state. They must stop at the same moments for the same reasons.

mod breaks;
mod editor;
mod lines;
mod model;
mod program;
mod script;
mod terminal;

use std::fmt::Write as _;

use gray1_isa::SplitMix64;
use gray1_sim::{MachineSpec, Setup};

use super::launcher;
use breaks::Break;
use editor::{Editor, EditorStop};
use lines::Lines;
use model::{Model, Stop, StopReason};
use script::Move;
use terminal::{Terminal, TerminalStop};

/// An engine, and the extent of its tests.
struct Trial {
    engine: &'static str,
    statements: u64,
    instructions_max: u64,
}

/// The number of programs per engine.
const PROGRAMS: u64 = 40;
/// The number of scripts for a program.
const SCRIPTS: u64 = 25;
/// The number of movements in a script.
const MOVES: u64 = 6;

/// The front ends that take part in a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrontEnds {
    Both,
    /// Only the editor, because only it has breakpoints on lines and breakpoints that stop only at
    /// certain hits.
    Editor,
    /// Only the terminal, because only it can move by single edges and to a given moment.
    Terminal,
}

/// The front ends, and the script so far.
struct Bench<'a> {
    model: Model<'a>,
    terminal: Terminal,
    editor: Editor,
    front_ends: FrontEnds,
    /// The latest moment that the terminal knew after its last script.
    known: u64,
    script: String,
}

#[test]
fn front_ends_stop_alike_on_the_instruction_engine() {
    Trial { engine: "instruction", statements: 9, instructions_max: 120 }.run();
}

#[test]
fn front_ends_stop_alike_on_the_chip_engine() {
    Trial { engine: "chips", statements: 6, instructions_max: 70 }.run();
}

#[test]
fn front_ends_stop_alike_on_the_timed_engine() {
    Trial { engine: "timed", statements: 4, instructions_max: 35 }.run();
}

impl Trial {
    fn run(&self) {
        let engine = Some(self.engine.parse().expect("there is such an engine"));
        let setup = launcher::setup(&MachineSpec { engine, ..MachineSpec::default() }).unwrap();
        (0..PROGRAMS).for_each(|seed| self.try_program(seed, &setup));
    }

    fn try_program(&self, seed: u64, setup: &Setup) {
        let random = &mut SplitMix64::new(seed);
        let source = self.short_program(random);
        let editor = Editor::new(&source, self.engine);
        let image = editor.image();
        let power_up = setup.engine(&image).unwrap();
        let mut bench = Bench {
            model: Model::new(&image, &*power_up),
            terminal: Terminal::new(&image, setup),
            editor,
            front_ends: FrontEnds::Both,
            known: 0,
            script: String::new(),
        };
        for number in 0..SCRIPTS {
            bench.begin(random, &Lines { image: &image });
            for _ in 0..MOVES {
                let Err(difference) = bench.go(random) else { continue };
                let (engine, script) = (self.engine, &bench.script);
                panic!(
                    "{engine}, program {seed}, script {number}\n{}\n{script}\n{difference}",
                    numbered(&source)
                );
            }
        }
    }

    /// A program that ends soon.
    fn short_program(&self, random: &mut SplitMix64) -> String {
        loop {
            let text = program::source(random, self.statements);
            let name = "a.asm".to_owned();
            let source = gray1_asm::Source { id: name.clone(), name, text: text.clone() };
            let assembly = gray1_asm::assemble(source, &mut gray1_asm::NoIncludes);
            let image = assembly.image.unwrap_or_else(|| panic!("{:?}", assembly.diagnostics));
            let mut engine = Setup::default().engine(&image).unwrap();
            engine.run(self.instructions_max);
            if engine.halted() {
                return text;
            }
        }
    }
}

/// A source with line numbers.
fn numbered(source: &str) -> String {
    let lines = source.lines().zip(1..).map(|(line, number)| format!("{number:3} {line}\n"));
    lines.collect()
}

impl Bench<'_> {
    /// Begins a script.
    fn begin(&mut self, random: &mut SplitMix64, lines: &Lines) {
        if self.front_ends != FrontEnds::Editor {
            self.known = self.model.known;
        }
        self.front_ends = match random.below(10) {
            0..=3 => FrontEnds::Both,
            4..=6 => FrontEnds::Editor,
            _ => FrontEnds::Terminal,
        };
        let is_editor_only = self.front_ends == FrontEnds::Editor;
        let breaks = (0..random.between(1, 3)).map(|_| {
            let new = Break::random(random, lines);
            let is_on_line = is_editor_only && random.below(3) == 0;
            let new = if is_on_line { new.on_line(random, lines) } else { new };
            if is_editor_only { new.for_certain_hits(random) } else { new }
        });
        let breaks: Vec<Break> = breaks.collect();
        self.script = "breakpoints:\n".to_owned();
        for it in &breaks {
            writeln!(self.script, "  {}", it.describe()).expect("text has room");
        }
        self.script += "script:\n";
        self.terminal.restart(if is_editor_only { &[] } else { &breaks });
        let is_terminal_only = self.front_ends == FrontEnds::Terminal;
        self.editor.restart(if is_terminal_only { &[] } else { &breaks });
        self.model.restart(self.known, breaks);
    }

    /// Performs a move in every front end under test. The error describes a difference.
    fn go(&mut self, random: &mut SplitMix64) -> Result<(), String> {
        let what = Move::random(random, &self.model, self.front_ends == FrontEnds::Terminal);
        let stop = self.model.go(what);
        writeln!(self.script, "  {what:?}: {stop:?}").expect("text has room");
        let mut messages = Vec::new();
        if self.front_ends != FrontEnds::Terminal {
            messages.push(self.compare_editor(what, &stop)?);
        }
        if self.front_ends != FrontEnds::Editor {
            messages.push(self.compare_terminal(what, &stop)?);
        }
        match &messages[..] {
            [editor, terminal] if editor != terminal => {
                Err(format!("the reasons differ:\n  editor   {editor:?}\n  terminal {terminal:?}"))
            }
            _ => Ok(()),
        }
    }

    fn compare_editor(&mut self, what: Move, stop: &Stop) -> Result<Option<String>, String> {
        let reason = self.editor.go(what);
        let (seen, message) = self.editor.stop(reason);
        let reason = match (&stop.reason, what) {
            // If there is no earlier stop, an editor goes to the beginning.
            (StopReason::Impossible | StopReason::Nothing, Move::Back(_)) => StopReason::Beginning,
            (reason, _) => reason.clone(),
        };
        let expected = EditorStop { at: stop.at, reason, counts: self.model.counts() };
        if seen == expected {
            return Ok(message);
        }
        Err(format!("the editor:\n  received  {seen:?}\n  the model {expected:?}"))
    }

    fn compare_terminal(&mut self, what: Move, stop: &Stop) -> Result<Option<String>, String> {
        self.terminal.go(what);
        let (seen, message) = self.terminal.stop();
        let breaks = self.model.breaks();
        let expected = TerminalStop {
            at: stop.at,
            hit: self
                .model
                .hit_here()
                .into_iter()
                .map(|number| breaks[number].condition())
                .collect(),
            counts: self.model.counts(),
            has_remark: match stop.reason {
                StopReason::Nothing | StopReason::Impossible => true,
                StopReason::Halted => matches!(what, Move::To(_)),
                _ => false,
            },
        };
        if seen == expected {
            return Ok(message);
        }
        Err(format!("the terminal:\n  shows     {seen:?}\n  the model {expected:?}"))
    }
}
