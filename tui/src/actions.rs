//! A row of a key table: keys, the words for them, and their action.
//!
//! Help, palette, context line and the list in docs/DEBUGGER.md come from these rows.

use gray1_isa::{RamAddr, RomIndex};

use crate::key::{Key, KeyCode};
use crate::session::{Command, Snapshot};

/// A row of a key table as people see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyRow {
    /// The keys; the context line shows the first.
    pub keys: &'static [Key],
    /// The heading in the help.
    pub group: KeyGroup,
    /// The word on the context line; empty for what is not offered there. Neighbours that share
    /// a word share an entry: `+/- pace`.
    pub label: &'static str,
    /// The action in words, for the help and the palette.
    pub title: &'static str,
}

/// A row with what its keys do to `T`, which is the app or a pane.
pub(crate) struct KeyBinding<T: 'static> {
    /// The row as people see it.
    pub row: KeyRow,
    /// The action.
    pub action: Action<T>,
    /// True if it is of use now; only then the context line offers it.
    pub is_useful: fn(&T, &Snapshot) -> bool,
}

/// An action of keys.
pub(crate) enum Action<T> {
    /// They ask something of the session or of the front end.
    Ask(Effect),
    /// They ask the user something.
    Prompt(Question),
    /// They move the cursor, or scroll.
    Move(Move),
    /// They call a function.
    Call(fn(&mut T, &Snapshot) -> Reply),
}

/// A direction in which a cursor moves, or a text scrolls.
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

/// The rest of an action, for the app to do.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Nothing.
    Done,
    /// To show a note, until the next key.
    Note(&'static str),
    /// To move what has the keys.
    Move(Move),
    /// To ask the user; the answer starts as this text.
    Prompt(Question, String),
    /// To let some pane show this.
    Show(ShowTarget),
    /// To list all actions.
    List(ListPurpose),
    /// To do what a row of that list says.
    Choose(KeyRow),
    /// To open the box of the pane in front.
    Box,
    /// To ask the session or the front end.
    Ask(Effect),
}

/// The purpose of a list of all actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListPurpose {
    /// To learn the keys.
    Help,
    /// To do something.
    Do,
}

/// A question to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// A place or an event to break at.
    Break,
    /// Another condition for the break of this number.
    ChangeBreak(usize),
    /// Which byte's last writer is wanted.
    Byte,
    /// A destination: in time, in the source, in memory. Numbers with `0x` are addresses of bytes
    /// or of instructions.
    Place {
        /// True if they are addresses of bytes.
        bytes: bool,
    },
    /// An expression to watch.
    Watch,
    /// Another expression for the watch of this number.
    ChangeWatch(usize),
    /// A text to find in the source.
    Find,
    /// Which register or byte to change, and how.
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
    /// The next place of a text in the source.
    Text(String),
    /// The wires of these names.
    Wires(Vec<String>),
}

/// A request of the app to its caller.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Tell the session.
    Session(Command),
    /// List the programs at hand, then call [`crate::App::show_programs`].
    ListPrograms,
    /// Open this program, then call [`crate::App::opened`].
    Open(String),
    /// Let the user edit a file of the source, of this name in the source map.
    Edit {
        /// The name.
        file: String,
        /// The line to start at, counted from 1.
        line: u32,
    },
    /// Draw everything anew.
    Redraw,
    /// Stop until SIGCONT.
    Suspend,
    /// End as ctrl-C ends a program.
    Interrupt,
    /// End.
    Quit,
}

/// The headings of the help, in their order.
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
    Boxes,
    Anywhere,
}

impl KeyGroup {
    /// The heading.
    #[must_use]
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
            Self::Boxes => "in a box",
            Self::Anywhere => "anywhere",
        }
    }
}

impl Move {
    /// Along a list.
    pub(crate) const VERTICAL: &'static [Self] =
        &[Self::Up, Self::Down, Self::PageUp, Self::PageDown, Self::First, Self::Last];
    /// In every direction.
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

    /// The place in a list that this leads to: from one place up to `last`, by pages of so many
    /// places.
    #[must_use]
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
    /// Does it, as far as it concerns `target`.
    pub(crate) fn act(&self, target: &mut T, snapshot: &Snapshot) -> Reply {
        match self {
            Self::Ask(effect) => Reply::Ask(effect.clone()),
            Self::Prompt(ask) => Reply::Prompt(*ask, String::new()),
            Self::Move(to) => Reply::Move(*to),
            Self::Call(function) => function(target, snapshot),
        }
    }
}

impl Reply {
    /// To tell the session something.
    #[must_use]
    pub(crate) fn command(command: Command) -> Self {
        Self::Ask(Effect::Session(command))
    }
}

impl KeyRow {
    /// Binds its keys to an action.
    #[must_use]
    pub(crate) const fn does<T>(self, action: Action<T>) -> KeyBinding<T> {
        KeyBinding { row: self, action, is_useful: |_, _| true }
    }

    /// Binds its keys to a function.
    #[must_use]
    pub(crate) const fn calls<T>(self, function: fn(&mut T, &Snapshot) -> Reply) -> KeyBinding<T> {
        self.does(Action::Call(function))
    }

    /// Binds its keys to a command to the session.
    #[must_use]
    pub(crate) const fn tells<T>(self, command: Command) -> KeyBinding<T> {
        self.does(Action::Ask(Effect::Session(command)))
    }
}

impl<T> KeyBinding<T> {
    /// The same, offered by the context line only where `is_useful`.
    #[must_use]
    pub(crate) const fn when(mut self, is_useful: fn(&T, &Snapshot) -> bool) -> Self {
        self.is_useful = is_useful;
        self
    }
}

/// A row for `title`, which the context line calls `label`.
#[must_use]
pub(crate) const fn row(
    keys: &'static [Key],
    group: KeyGroup,
    label: &'static str,
    title: &'static str,
) -> KeyRow {
    KeyRow { keys, group, label, title }
}

/// Enter.
pub(crate) const ENTER: &[Key] = &[Key::plain(KeyCode::Enter)];
/// A register or a byte gets another value.
pub(crate) const CHANGE: &[Key] = &[Key::char('v'), Key::plain(KeyCode::Enter)];
/// The cursor goes along with the machine again.
pub(crate) const FOLLOW: KeyRow =
    row(&[Key::char('f')], KeyGroup::Cursor, "follow", "follow the machine again");
