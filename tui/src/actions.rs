//! Key tables: rows of keys, each with a description and an action.
//!
//! The help, the palette and the context line are made from these rows.

use gray1_isa::{RamAddr, RomIndex};
use gray1_session::{Command, Snapshot};

use crate::key::{Key, KeyCode};

/// The part of a key table's row that users see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyRow {
    /// The keys; the context line shows the first.
    pub keys: &'static [Key],
    /// The heading of its group in the help.
    pub group: KeyGroup,
    /// The word on the context line, or empty if the context line does not offer the row.
    /// Neighbouring rows with the same word share an entry: `+/- pace`.
    pub label: &'static str,
    /// A short description of the action, for help and palette.
    pub title: &'static str,
}

/// A row and the action of its keys on `T`, which is the app or a pane.
pub(crate) struct KeyBinding<T: 'static> {
    pub row: KeyRow,
    pub action: Action<T>,
    /// Whether the action is useful now, so that the context line offers it.
    pub is_useful: fn(&T, &Snapshot) -> bool,
}

/// The action of some keys.
pub(crate) enum Action<T> {
    /// Always gives the same reply.
    Reply(Reply),
    /// Calls a function.
    Call(fn(&mut T, &Snapshot) -> Reply),
}

/// A direction in which to move a cursor or scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the directions have the names of their keys")]
pub(crate) enum Move {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
}

/// The part of an action that the app must carry out.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Nothing is left to do.
    Done,
    /// Show a note until the next key.
    Note(&'static str),
    /// Move the cursor of the pane or overlay that has the keys, or scroll it.
    Move(Move),
    /// Ask the user. The answer starts with this string.
    Prompt(Question, String),
    /// Show this in the first pane that can.
    Show(ShowTarget),
    /// List all actions.
    List(ListPurpose),
    /// Carry out the action of a row that was chosen in the list of all actions.
    Choose(KeyRow),
    /// Open the dialog of the pane in front.
    Dialog,
    /// Ask the session or the front end to do something.
    Ask(Effect),
}

/// The purpose of a list of all actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListPurpose {
    /// To read about the keys.
    Help,
    /// To choose an action.
    Do,
}

/// A question to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// A place or an event for a breakpoint.
    Break,
    /// A new condition for the breakpoint with this number.
    ChangeBreak(usize),
    /// A value to explain.
    Why,
    /// A destination in time, in the source or in memory. Numbers with `0x` are addresses of bytes
    /// or of instructions.
    Place {
        /// Whether numbers with `0x` are addresses of bytes.
        bytes: bool,
    },
    /// An expression to watch.
    Watch,
    /// A new expression for the watch with this number.
    ChangeWatch(usize),
    /// A string to find in the source.
    Find,
    /// A register or byte, and its new value.
    Change,
}

/// Something that a pane can show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShowTarget {
    /// An instruction.
    Instruction(RomIndex),
    /// A byte of data memory.
    Byte(RamAddr),
    /// A line of the source, counted from 1.
    Line(u32),
    /// The next occurrence of a string in the source.
    Text(String),
    /// The wires of these names.
    Wires(Vec<String>),
}

/// A request from the app to its caller.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Send the session a command.
    Session(Command),
    /// List the available programs, then call [`crate::App::show_programs`].
    ListPrograms,
    /// Open this program, then call [`crate::App::load_opened`].
    Open(String),
    /// Let the user edit a source file.
    Edit {
        /// Its name in the source map.
        file: String,
        /// The line to start at, from 1.
        line: u32,
    },
    /// Assemble the program again, then call [`crate::App::reload`].
    Reassemble,
    /// Redraw everything.
    Redraw,
    /// Suspend the process until SIGCONT.
    Suspend,
    /// End as if ctrl-C had interrupted the program.
    Interrupt,
    Quit,
}

/// The headings of the help, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "their titles say it")]
pub(crate) enum KeyGroup {
    Run,
    Breaks,
    State,
    Panes,
    Source,
    Board,
    Waves,
    Program,
    Buttons,
    Cursor,
    Answers,
    Boxes,
    Anywhere,
}

impl KeyGroup {
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Run => "run and step",
            Self::Breaks => "breaks",
            Self::State => "the state",
            Self::Panes => "panes",
            Self::Source => "in the source",
            Self::Board => "on the board",
            Self::Waves => "in the waves",
            Self::Program => "programs",
            Self::Buttons => "the panel's buttons",
            Self::Cursor => "the cursor",
            Self::Answers => "in an answer to `w`",
            Self::Boxes => "in a box",
            Self::Anywhere => "anywhere",
        }
    }
}

impl Move {
    /// The moves along a list.
    pub(crate) const VERTICAL: &'static [Self] =
        &[Self::Up, Self::Down, Self::PageUp, Self::PageDown, Self::First, Self::Last];
    /// All moves.
    pub(crate) const ALL: &'static [Self] = &[
        Self::Up,
        Self::Down,
        Self::Left,
        Self::Right,
        Self::PageUp,
        Self::PageDown,
        Self::First,
        Self::Last,
    ];

    /// The place in a list that this move leads to from `place`. `last` is the last place, `page`
    /// the length of a page.
    pub(crate) fn along(self, place: usize, last: usize, page: usize) -> usize {
        match self {
            Self::Up => place.saturating_sub(1),
            Self::Down => (place + 1).min(last),
            Self::PageUp => place.saturating_sub(page),
            Self::PageDown => (place + page).min(last),
            Self::First => 0,
            Self::Last => last,
            Self::Left | Self::Right => place,
        }
    }
}

impl<T> Action<T> {
    /// Performs the action on `target`. Returns the part that is left for the app.
    pub(crate) fn act(&self, target: &mut T, snapshot: &Snapshot) -> Reply {
        match self {
            Self::Reply(reply) => reply.clone(),
            Self::Call(function) => function(target, snapshot),
        }
    }
}

impl Reply {
    /// A reply that sends the session a command.
    pub(crate) fn command(command: Command) -> Self {
        Self::Ask(Effect::Session(command))
    }
}

impl KeyRow {
    const fn binds<T>(self, action: Action<T>) -> KeyBinding<T> {
        KeyBinding { row: self, action, is_useful: |_, _| true }
    }

    /// Binds its keys to a fixed reply.
    pub(crate) const fn replies<T>(self, reply: Reply) -> KeyBinding<T> {
        self.binds(Action::Reply(reply))
    }

    /// Binds its keys to a function.
    pub(crate) const fn calls<T>(self, function: fn(&mut T, &Snapshot) -> Reply) -> KeyBinding<T> {
        self.binds(Action::Call(function))
    }

    /// Binds its keys to a command for the session.
    pub(crate) const fn sends<T>(self, command: Command) -> KeyBinding<T> {
        self.replies(Reply::Ask(Effect::Session(command)))
    }
}

impl<T> KeyBinding<T> {
    /// Makes the context line offer this binding only if `is_useful` returns true.
    pub(crate) const fn when(mut self, is_useful: fn(&T, &Snapshot) -> bool) -> Self {
        self.is_useful = is_useful;
        self
    }
}

/// A row with a title for help and palette and a label for the context line.
pub(crate) const fn row(
    keys: &'static [Key],
    group: KeyGroup,
    label: &'static str,
    title: &'static str,
) -> KeyRow {
    KeyRow { keys, group, label, title }
}

pub(crate) const ENTER: &[Key] = &[Key::plain(KeyCode::Enter)];
/// The keys that change a register or a byte.
pub(crate) const CHANGE: &[Key] = &[Key::char('v'), Key::plain(KeyCode::Enter)];
/// The row that makes the cursor follow the machine again.
pub(crate) const FOLLOW: KeyRow =
    row(&[Key::char('f')], KeyGroup::Cursor, "follow", "follow the machine again");
