//! The key tables of the app: keys in all panes, at the panel's buttons, in overlays, and
//! everywhere.

use gray1_isa::panel::Buttons;
use gray1_session::{Command, PRINTED_LINE, WireDetail, named};

use super::App;
use crate::actions::{
    Action, ENTER, Effect, KeyBinding, KeyGroup, KeyRow, ListPurpose, Move, Question, Reply, row,
};
use crate::key::{Key, KeyCode};
use crate::panes::Cursor;
use KeyGroup::{
    Answers, Anywhere, Board, Boxes, Breaks, Buttons as AtPanel, Cursor as Scroll, Panes, Program,
    Run,
};

/// The situations in which a row's keys work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyScope {
    /// While a pane has the keys.
    Panes,
    /// While this pane has the keys.
    Pane(usize),
    /// While the panel's buttons have the keys.
    Buttons,
    /// While an answer is open without an overlay.
    Answer,
    /// In overlays.
    Overlays,
    /// In overlays other than messages.
    Choices,
    /// While a list or cursor can move in this direction.
    Moves(Move),
    /// Everywhere.
    Anywhere,
}

/// The target of a row's keys.
#[derive(Clone, Copy)]
pub(super) enum KeyTarget {
    /// The app, through this binding.
    App(&'static KeyBinding<App>),
    /// This pane, which is brought to the front.
    Show(usize),
    /// A pane, through a row of its table.
    Pane { pane: usize, row: usize },
}

/// A row of any key table.
#[derive(Clone, Copy)]
pub(super) struct KeyEntry {
    pub(super) row: KeyRow,
    pub(super) scope: KeyScope,
    pub(super) target: KeyTarget,
}

impl KeyEntry {
    fn new(scope: KeyScope, binding: &'static KeyBinding<App>) -> Self {
        Self { row: binding.row, scope, target: KeyTarget::App(binding) }
    }

    /// Its effect, unless that depends on the state.
    fn effect(&self) -> Option<&'static Effect> {
        match self.target {
            KeyTarget::App(KeyBinding { action: Action::Reply(Reply::Ask(effect)), .. }) => {
                Some(effect)
            }
            _ => None,
        }
    }

    /// Its command to the session, unless that depends on the state.
    pub(super) fn command(&self) -> Option<&'static Command> {
        match self.effect()? {
            Effect::Session(command) => Some(command),
            _ => None,
        }
    }

    /// Whether it concerns the whole front end, independently of the session's state.
    pub(super) fn is_global(&self) -> bool {
        let effect = self.effect();
        effect.is_some_and(|it| !matches!(it, Effect::Session(_) | Effect::ListPrograms))
    }
}

/// A row for a command with a name. Its keys are that of the command, and these others.
macro_rules! named {
    ($name:ident, $group:expr, $label:expr $(, $other:literal)?) => {
        row(
            &[Key::char(named::$name.key) $(, Key::char($other))?],
            $group,
            $label,
            named::$name.title,
        )
        .sends(named::$name.command)
    };
}

/// The most important keys of all panes. A narrow context line shows the first of them.
const FIRST: &[KeyBinding<App>] = &[
    row(&[Key::char(' ')], Run, "run", "run or pause").sends(Command::RunOrPause),
    named!(PHASE, Board, "phase", 'e')
        .when(|app, _| app.pane().wire_detail() != WireDetail::Nothing),
    named!(PHASE_BACK, Board, "", 'E'),
    row(&[Key::char('A')], Board, "animate", "play phase by phase, one a second")
        .sends(Command::PlayPhases)
        .when(|app, _| app.pane().wire_detail() == WireDetail::Levels),
    row(&[Key::char('i')], AtPanel, "buttons", "use the keys as the panel's buttons")
        .calls(App::take_buttons)
        .when(|_, snapshot| snapshot.program.reads_buttons),
];

/// The other keys of all panes, listed after the pane's own.
const OTHERS: &[KeyBinding<App>] = &[
    row(&[Key::char('q')], Program, "quit", "quit").replies(Reply::Ask(Effect::Quit)),
    row(&[Key::char('?')], Panes, "help", "all keys (this help)")
        .replies(Reply::List(ListPurpose::Help)),
    row(&[Key::plain(KeyCode::Tab)], Panes, "pane", "next pane")
        .calls(|app, _| app.show(app.front + 1)),
    named!(STEP, Run, "step"),
    named!(STEP_BACK, Run, "step"),
    row(&[Key::char('w')], Breaks, "why", "explain where a value comes from").calls(App::ask_why),
    named!(RESULT, Run, PRINTED_LINE).when(|app, _| app.shows_display()),
    named!(RESULT_BACK, Run, PRINTED_LINE).when(|app, _| app.shows_display()),
    named!(LED, Run, "LED"),
    named!(LED_BACK, Run, "LED"),
    named!(CONTINUE, Run, "break").when(|_, snapshot| !snapshot.stops.breaks.list().is_empty()),
    named!(REVERSE, Run, "break").when(|_, snapshot| !snapshot.stops.breaks.list().is_empty()),
    row(&[Key::char('b')], Breaks, "break here", "set a break here, or remove it")
        .calls(App::toggle_break)
        .when(|app, snapshot| matches!(app.pane().cursor(snapshot), Cursor::Code(_))),
    named!(OVER, Run, "over")
        .when(|app, snapshot| matches!(app.pane().cursor(snapshot), Cursor::Code(_))),
    named!(OVER_BACK, Run, "over")
        .when(|app, snapshot| matches!(app.pane().cursor(snapshot), Cursor::Code(_))),
    row(&[Key::char('+'), Key::char('=')], Run, "pace", "faster").sends(Command::Faster),
    row(&[Key::char('-'), Key::char('_')], Run, "pace", "slower").sends(Command::Slower),
    named!(RESTART, Run, "reset"),
    row(&[Key::char('o')], Program, "open", "open another program")
        .replies(Reply::Ask(Effect::ListPrograms)),
    row(&[Key::char('R')], Program, "assemble again", "reload: assemble the source again")
        .replies(Reply::Ask(Effect::Reassemble))
        .when(|app, _| app.has_new_source),
    row(&[Key::char(':')], Panes, "do", "find an action by its name")
        .replies(Reply::List(ListPurpose::Do)),
    row(&[Key::char('B')], Breaks, "break at", "break at a byte, an LED, ...")
        .replies(Reply::Prompt(Question::Break, String::new())),
    row(&[Key::char('g')], Run, "go to", "go to a label, an address, a line or a moment").calls(
        |app, snapshot| {
            let bytes = matches!(app.pane().cursor(snapshot), Cursor::Byte(_));
            Reply::Prompt(Question::Place { bytes }, String::new())
        },
    ),
    row(&[Key::char('a')], Breaks, "watch", "watch an expression")
        .replies(Reply::Prompt(Question::Watch, String::new())),
    named!(BYTE, Run, "byte"),
    named!(BYTE_BACK, Run, "byte"),
    named!(OUT, Run, "out"),
    named!(OUT_BACK, Run, "out"),
    named!(JUMP_BACK, Run, "jump"),
    named!(JUMP_FORWARD, Run, "jump"),
    row(&[Key::plain(KeyCode::BackTab)], Panes, "", "previous pane")
        .calls(|app, _| app.show(app.front + app.panes.len() - 1)),
];

/// The keys for the appearance of the screen, listed after the panes.
const APPEARANCE: &[KeyBinding<App>] = &[
    row(&[Key::char('l')], Panes, "pauses", "toggle pauses at {result}s")
        .calls(App::toggle_dwelling),
    row(&[Key::char('z')], Panes, "alone", "show only this pane, or all").calls(App::toggle_alone),
    row(&[Key::char('t')], Panes, "colours", "colours: usual, colour-blind, letters, none")
        .calls(App::cycle_colors),
    row(&[Key::char('T')], Panes, "background", "background: the terminal's, light, dark")
        .calls(App::cycle_background),
];

/// The keys of the panel's buttons, in the order of their bits.
const BUTTONS: &[KeyBinding<App>] = &[
    row(&[Key::plain(KeyCode::Esc)], AtPanel, "back", "stop using the keys as buttons")
        .calls(App::leave_buttons),
    button(0, "move", &[Key::plain(KeyCode::Up), Key::char('k')], "button up"),
    button(1, "move", &[Key::plain(KeyCode::Down), Key::char('j')], "button down"),
    button(2, "move", &[Key::plain(KeyCode::Left), Key::char('h')], "button left"),
    button(3, "move", &[Key::plain(KeyCode::Right), Key::char('l')], "button right"),
    button(4, "A", &[Key::plain(KeyCode::Enter), Key::char(' ')], "button A"),
    button(5, "B", &[Key::plain(KeyCode::Backspace), Key::char('b')], "button B"),
    button(6, "select", &[Key::plain(KeyCode::Tab)], "button select"),
    button(7, "start", &[Key::char('s'), Key::plain(KeyCode::Home)], "button start"),
];

const fn button(
    bit: u8,
    label: &'static str,
    keys: &'static [Key],
    title: &'static str,
) -> KeyBinding<App> {
    row(keys, AtPanel, label, title).sends(Command::Tap(Buttons(1 << bit)))
}

/// The keys of overlays other than messages.
const CHOICES: &[KeyBinding<App>] = &[
    row(ENTER, Boxes, "choose", "choose the selection").calls(App::accept),
    row(&[Key::plain(KeyCode::Tab)], Boxes, "complete", "complete a name or a path")
        .calls(App::complete)
        .when(|app, _| app.overlays.last().is_some_and(|overlay| overlay.can_complete())),
];
/// The keys of all overlays.
const OVERLAYS: &[KeyBinding<App>] =
    &[row(&[Key::plain(KeyCode::Esc)], Boxes, "back", "back").calls(App::close)];

/// The keys of an answer.
const ANSWER: &[KeyBinding<App>] = &[
    row(ENTER, Answers, "go there", "go to the moment of the selected step").calls(App::accept),
    row(&[Key::char('J')], Answers, "back", "back to where you were")
        .sends(Command::JumpBack)
        .when(|_, snapshot| snapshot.time.can_jump_back),
    row(&[Key::char('A')], Answers, "all steps", "all steps, or those that matter")
        .calls(App::toggle_steps),
    row(&[Key::plain(KeyCode::Esc)], Answers, "close", "close the answer").calls(App::close),
];

/// The keys that scroll or move a cursor, each with its direction.
const MOVES: &[(Move, KeyBinding<App>)] = &[
    direction(Move::Up, &[Key::plain(KeyCode::Up)], "up"),
    direction(Move::Down, &[Key::plain(KeyCode::Down)], "down"),
    direction(Move::Left, &[Key::plain(KeyCode::Left)], "left"),
    direction(Move::Right, &[Key::plain(KeyCode::Right)], "right"),
    direction(Move::PageUp, &[Key::plain(KeyCode::PageUp)], "a page up"),
    direction(Move::PageDown, &[Key::plain(KeyCode::PageDown)], "a page down"),
    direction(Move::First, &[Key::plain(KeyCode::Home)], "to the top"),
    direction(Move::Last, &[Key::plain(KeyCode::End)], "to the bottom"),
];

const fn direction(to: Move, keys: &'static [Key], title: &'static str) -> (Move, KeyBinding<App>) {
    (to, row(keys, Scroll, "", title).replies(Reply::Move(to)))
}

/// The keys that work everywhere.
const ANYWHERE: &[KeyBinding<App>] = &[
    row(&[Key::control('l')], Anywhere, "", "redraw the screen")
        .replies(Reply::Ask(Effect::Redraw)),
    row(&[Key::control('z')], Anywhere, "", "suspend to the shell")
        .replies(Reply::Ask(Effect::Suspend)),
    row(&[Key::control('c')], Anywhere, "", "interrupt: end with status 130")
        .replies(Reply::Ask(Effect::Interrupt)),
];

/// The keys that bring panes to the front.
const DIGITS: &[Key] = &[
    Key::char('1'),
    Key::char('2'),
    Key::char('3'),
    Key::char('4'),
    Key::char('5'),
    Key::char('6'),
    Key::char('7'),
    Key::char('8'),
    Key::char('9'),
    Key::char('0'),
];

impl App {
    /// All rows of all tables, the most important first.
    pub(super) fn entries(&self) -> impl Iterator<Item = KeyEntry> {
        let table = |scope, bindings: &'static [KeyBinding<Self>]| {
            bindings.iter().map(move |binding| KeyEntry::new(scope, binding))
        };
        let shows = self.panes.iter().zip(DIGITS.chunks(1)).enumerate();
        let shows = shows.map(|(n, (pane, keys))| KeyEntry {
            row: row(keys, Panes, "", pane.title()),
            scope: KeyScope::Panes,
            target: KeyTarget::Show(n),
        });
        let moves = MOVES.iter().map(|(to, binding)| KeyEntry::new(KeyScope::Moves(*to), binding));
        table(KeyScope::Answer, ANSWER)
            .chain(table(KeyScope::Panes, FIRST))
            .chain(table(KeyScope::Choices, CHOICES))
            .chain(table(KeyScope::Overlays, OVERLAYS))
            .chain((0..self.panes.len()).flat_map(|pane| self.pane_entries(pane)))
            .chain(table(KeyScope::Panes, OTHERS))
            .chain(shows)
            .chain(table(KeyScope::Panes, APPEARANCE))
            .chain(table(KeyScope::Buttons, BUTTONS))
            .chain(moves)
            .chain(table(KeyScope::Anywhere, ANYWHERE))
    }

    /// The rows of all key tables without duplicates. The help has all of them, with those of
    /// single panes last. The palette has those that work here, useful ones first.
    pub(crate) fn rows(&self, purpose: ListPurpose) -> Vec<KeyRow> {
        let mut rows: Vec<KeyRow> = Vec::new();
        let is_help = purpose == ListPurpose::Help;
        let (last, first): (Vec<_>, Vec<_>) = self.entries().partition(|entry| match entry.scope {
            scope if is_help => matches!(scope, KeyScope::Pane(_)),
            _ => entry.row.label.is_empty() || !self.is_useful(entry),
        });
        for entry in first.into_iter().chain(last) {
            let applies = is_help || self.works(&entry);
            if applies && !rows.contains(&entry.row) {
                rows.push(entry.row);
            }
        }
        rows
    }

    /// Whether a row works in the current state.
    pub(super) fn works(&self, entry: &KeyEntry) -> bool {
        let overlay = self.overlays.last();
        let at_panes = overlay.is_none() && !self.buttons_have_keys;
        match entry.scope {
            KeyScope::Panes => at_panes,
            KeyScope::Pane(pane) => at_panes && pane == self.front && !self.answer_binds(entry),
            KeyScope::Answer => at_panes && self.answer.is_some(),
            KeyScope::Buttons => overlay.is_none() && self.buttons_have_keys,
            KeyScope::Overlays => overlay.is_some(),
            KeyScope::Choices => overlay.is_some_and(|overlay| !overlay.is_message()),
            KeyScope::Moves(to) => match overlay {
                Some(overlay) => overlay.moves().contains(&to),
                None => at_panes && (self.scrolls_answer(to) || self.pane().moves().contains(&to)),
            },
            KeyScope::Anywhere => true,
        }
    }

    /// Whether there is an open answer that binds the first key of this row.
    fn answer_binds(&self, entry: &KeyEntry) -> bool {
        self.answer.is_some() && ANSWER.iter().any(|it| it.row.keys[0] == entry.row.keys[0])
    }

    /// Whether the open answer handles this move.
    pub(super) fn scrolls_answer(&self, to: Move) -> bool {
        self.answer.is_some() && Move::VERTICAL.contains(&to)
    }

    /// Whether the context line should offer a row. This may take long, so it is not called when a
    /// key is pressed.
    pub(super) fn is_useful(&self, entry: &KeyEntry) -> bool {
        match entry.target {
            KeyTarget::App(binding) => (binding.is_useful)(self, &self.snapshot),
            KeyTarget::Show(_) => true,
            KeyTarget::Pane { pane, row } => {
                let area = self.inside(self.places()[0]);
                self.panes[pane].is_useful(row, &self.snapshot)
                    && self.panes[pane].has_effect(&entry.row, area, &self.snapshot)
            }
        }
    }

    fn pane_entries(&self, pane: usize) -> impl Iterator<Item = KeyEntry> {
        let rows = self.panes[pane].keys().into_iter().enumerate();
        rows.map(move |(number, row)| KeyEntry {
            row,
            scope: KeyScope::Pane(pane),
            target: KeyTarget::Pane { pane, row: number },
        })
    }
}
