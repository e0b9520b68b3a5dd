//! What can be done, and with which keys: the one table behind the keys, the context line, the
//! help and the palette.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use gray1_isa::panel;

use super::arrangement::View;

/// Something that the person at the keyboard can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    RunOrPause,
    Step,
    StepBack,
    StepPhase,
    StepPhaseBack,
    NextLedChange,
    PreviousLedChange,
    NextBreak,
    PreviousBreak,
    NextByte,
    PreviousByte,
    Outward,
    OutwardBack,
    ToCursor,
    BackToCursor,
    BreakHere,
    BreakAt,
    WhoWrote,
    GoTo,
    NextLine,
    PreviousLine,
    ScrubBack,
    ScrubForward,
    SwitchBreak,
    RemoveBreak,
    Watch,
    Faster,
    Slower,
    Reset,
    Open,
    Help,
    Palette,
    NextView,
    PreviousView,
    Show(View),
    Alone,
    Toggle,
    UnfoldHere,
    FoldAll,
    Follow,
    FollowLine,
    GoToDriver,
    Colors,
    Depth,
    Quit,
    Redraw,
    Suspend,
    Interrupt,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
    Accept,
    Close,
    /// Gives the keyboard to the panel.
    TakePanel,
    /// Takes it back.
    LeavePanel,
    HoldUp,
    HoldDown,
    HoldLeft,
    HoldRight,
    HoldA,
    HoldB,
    HoldSelect,
    HoldStart,
}

/// Who gets the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// A view of the machine.
    View(View),
    /// The buttons of the panel.
    Panel,
    /// A text to read: a message.
    Pager,
    /// A list to choose from, and a line to type on.
    Chooser,
}

/// What an action is about: the headings of the help, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Run,
    Breaks,
    Views,
    Source,
    Board,
    Program,
    Buttons,
    Cursor,
    Boxes,
    Anywhere,
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) action: Action,
    pub(super) keys: &'static [Key],
    /// Where it can be done.
    pub(super) works_in: fn(Mode) -> bool,
    pub(super) group: Group,
    /// The word on the context line; empty for what is not offered there. Neighbours that share
    /// a word share an entry: `+/- pace`.
    pub(super) label: &'static str,
    /// What it does, in the help and in the palette.
    pub(super) title: &'static str,
}

/// A key with the modifier that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    code: KeyCode,
    control: bool,
}

use Action::Show;
use Group::{Anywhere, Board, Boxes, Breaks, Buttons, Cursor, Program, Run, Source, Views};
use Mode::{Chooser, Pager, Panel};

/// Where the keys go to a view.
fn views(mode: Mode) -> bool {
    matches!(mode, Mode::View(_))
}

/// Where the keys go to the panel's buttons.
fn panel(mode: Mode) -> bool {
    mode == Panel
}

/// Where something lies over the views.
fn boxes(mode: Mode) -> bool {
    matches!(mode, Pager | Chooser)
}

/// Where there is something to scroll.
fn scrolled(mode: Mode) -> bool {
    boxes(mode) || following(mode) || board(mode) || breaks(mode)
}

/// Where there is more to scroll than a list.
fn long(mode: Mode) -> bool {
    mode == Pager || following(mode) || board(mode) || breaks(mode) || timeline(mode)
}

/// Where a cursor goes with the machine until it is moved.
fn following(mode: Mode) -> bool {
    source(mode) || memory(mode)
}

/// Where the cursor goes to the sides, too.
fn wide(mode: Mode) -> bool {
    memory(mode) || board(mode)
}

fn breaks(mode: Mode) -> bool {
    mode == Mode::View(View::Breaks)
}

fn timeline(mode: Mode) -> bool {
    mode == Mode::View(View::Timeline)
}

fn board(mode: Mode) -> bool {
    mode == Mode::View(View::Board)
}

fn memory(mode: Mode) -> bool {
    mode == Mode::View(View::Memory)
}

fn source(mode: Mode) -> bool {
    mode == Mode::View(View::Source)
}

fn chooser(mode: Mode) -> bool {
    mode == Chooser
}

fn anywhere(_: Mode) -> bool {
    true
}

const SPACE: &[Key] = &[key(' ')];
const PHASE: &[Key] = &[key('p'), key('e')];
const PHASE_BACK: &[Key] = &[key('P'), key('E')];
const ENTER: &[Key] = &[code(KeyCode::Enter)];
const REMOVE: &[Key] = &[code(KeyCode::Delete), code(KeyCode::Backspace)];
const SCRUB_BACK: &[Key] = &[key('<'), code(KeyCode::Left)];
const SCRUB: &[Key] = &[key('>'), code(KeyCode::Right)];
const UNFOLD: &[Key] = &[key('x'), code(KeyCode::Enter)];
const ESC: &[Key] = &[code(KeyCode::Esc)];
const TAB: &[Key] = &[code(KeyCode::Tab)];
const BACK_TAB: &[Key] = &[code(KeyCode::BackTab)];
const UP: &[Key] = &[code(KeyCode::Up)];
const DOWN: &[Key] = &[code(KeyCode::Down)];
const PAGE_UP: &[Key] = &[code(KeyCode::PageUp)];
const PAGE_DOWN: &[Key] = &[code(KeyCode::PageDown)];
const HOME: &[Key] = &[code(KeyCode::Home)];
const END: &[Key] = &[code(KeyCode::End)];

/// All that can be done, what matters most first: a narrow context line shows the head of it.
pub(super) const TABLE: &[Binding] = &[
    bind(Action::RunOrPause, SPACE, views, Run, "run", "run or pause"),
    bind(
        Action::StepPhase,
        PHASE,
        views,
        Run,
        "phase",
        "one phase, which is one edge of the oscillator",
    ),
    bind(Action::StepPhaseBack, PHASE_BACK, views, Run, "", "back by one phase, by one edge"),
    bind(Action::Accept, ENTER, chooser, Boxes, "choose", "take what is selected"),
    bind(Action::Close, ESC, boxes, Boxes, "back", "back"),
    bind(
        Action::TakePanel,
        &[key('i')],
        views,
        Buttons,
        "buttons",
        "the panel's buttons get the keys",
    ),
    bind(
        Action::ScrubBack,
        SCRUB_BACK,
        timeline,
        Run,
        "move",
        "in the timeline: back by a fiftieth",
    ),
    bind(Action::ScrubForward, SCRUB, timeline, Run, "move", "in the timeline: on by a fiftieth"),
    bind(Action::SwitchBreak, UNFOLD, breaks, Breaks, "off/on", "switch this break off, or on"),
    bind(Action::RemoveBreak, REMOVE, breaks, Breaks, "remove", "remove this break or watch"),
    bind(Action::Toggle, UNFOLD, source, Source, "unfold", "unfold a macro call, or fold it"),
    bind(Action::Follow, &[key('f')], following, Cursor, "follow", "go with the machine again"),
    bind(Action::UnfoldHere, &[key('u')], source, Source, "", "unfold to the present instruction"),
    bind(Action::FoldAll, &[key('U')], source, Source, "", "fold everything"),
    bind(Action::FollowLine, &[key('f')], board, Board, "follow", "follow the line at the cursor"),
    bind(Action::GoToDriver, ENTER, board, Board, "driver", "to the chip that drives this line"),
    bind(Action::Quit, &[key('q')], views, Program, "quit", "quit"),
    bind(Action::Help, &[key('?')], views, Views, "help", "this help: all keys"),
    bind(Action::NextView, TAB, views, Views, "view", "to the next view"),
    bind(Action::Step, &[key('s')], views, Run, "step", "one instruction"),
    bind(Action::StepBack, &[key('S')], views, Run, "step", "back by one instruction"),
    bind(Action::NextLedChange, &[key('n')], views, Run, "LED", "to the next LED change"),
    bind(
        Action::PreviousLedChange,
        &[key('N')],
        views,
        Run,
        "LED",
        "back to the previous LED change",
    ),
    bind(Action::NextBreak, &[key('c')], views, Run, "break", "to the next break"),
    bind(Action::PreviousBreak, &[key('C')], views, Run, "break", "back to the previous break"),
    bind(Action::BreakHere, &[key('b')], views, Breaks, "break here", "break here, or no more"),
    bind(
        Action::BreakAt,
        &[key('B')],
        views,
        Breaks,
        "",
        "break at something: a byte, an LED, ...",
    ),
    bind(Action::WhoWrote, &[key('w')], views, Breaks, "", "who wrote this byte last?"),
    bind(Action::GoTo, &[key('g')], views, Run, "", "go to a moment, or the end of a line"),
    bind(Action::PreviousLine, &[key('[')], views, Run, "", "back to the previous line end"),
    bind(Action::NextLine, &[key(']')], views, Run, "", "to the next line end that is printed"),
    bind(Action::Watch, &[key('a')], views, Breaks, "", "watch an expression"),
    bind(Action::NextByte, &[key('m')], views, Run, "", "to the next byte in the mailbox"),
    bind(Action::PreviousByte, &[key('M')], views, Run, "", "back to the previous printed byte"),
    bind(Action::Outward, &[key('d')], views, Run, "", "out of this macro or repeat"),
    bind(Action::OutwardBack, &[key('D')], views, Run, "", "back out of this macro or repeat"),
    bind(Action::ToCursor, &[key('h')], source, Run, "", "to the cursor"),
    bind(Action::BackToCursor, &[key('H')], source, Run, "", "back to the cursor"),
    bind(Action::Faster, &[key('+'), key('=')], views, Run, "pace", "faster"),
    bind(Action::Slower, &[key('-'), key('_')], views, Run, "pace", "slower"),
    bind(Action::Reset, &[key('r')], views, Run, "reset", "reset: start the program again"),
    bind(Action::Open, &[key('o')], views, Program, "open", "open another program"),
    bind(Action::Palette, &[key(':')], views, Views, "do", "find something to do by its name"),
    bind(Action::PreviousView, BACK_TAB, views, Views, "", "to the view before"),
    bind(Show(View::Display), &[key('1')], views, Views, "", "view: the display, to watch"),
    bind(Show(View::Source), &[key('2')], views, Views, "", "view: the source"),
    bind(Show(View::Machine), &[key('3')], views, Views, "", "view: registers and phase"),
    bind(Show(View::Memory), &[key('4')], views, Views, "", "view: data memory"),
    bind(Show(View::Board), &[key('5')], views, Views, "", "view: the board, chip by chip"),
    bind(Show(View::Output), &[key('6')], views, Views, "", "view: what the program printed"),
    bind(Show(View::Timeline), &[key('7')], views, Views, "", "view: the timeline"),
    bind(Show(View::Breaks), &[key('8')], views, Views, "", "view: breaks and watches"),
    bind(Action::Alone, &[key('z')], views, Views, "", "this view alone, or with others"),
    bind(
        Action::Colors,
        &[key('t')],
        views,
        Views,
        "",
        "other colours: for colour-blind eyes, none",
    ),
    bind(Action::Depth, &[key('T')], views, Views, "", "fewer colours: 256, 16; then all again"),
    bind(Action::LeavePanel, ESC, panel, Buttons, "back", "take the keys back"),
    hold(Action::HoldUp, &[code(KeyCode::Up), key('k')], "move", "button up"),
    hold(Action::HoldDown, &[code(KeyCode::Down), key('j')], "move", "button down"),
    hold(Action::HoldLeft, &[code(KeyCode::Left), key('h')], "move", "button left"),
    hold(Action::HoldRight, &[code(KeyCode::Right), key('l')], "move", "button right"),
    hold(Action::HoldA, &[code(KeyCode::Enter), key(' ')], "A", "button A"),
    hold(Action::HoldB, &[code(KeyCode::Backspace), key('b')], "B", "button B"),
    hold(Action::HoldSelect, TAB, "select", "button select"),
    hold(Action::HoldStart, &[key('s'), code(KeyCode::Home)], "start", "button start"),
    bind(Action::Up, UP, scrolled, Cursor, "", "up"),
    bind(Action::Down, DOWN, scrolled, Cursor, "", "down"),
    bind(Action::Left, &[code(KeyCode::Left)], wide, Cursor, "", "to the left"),
    bind(Action::Right, &[code(KeyCode::Right)], wide, Cursor, "", "to the right"),
    bind(Action::PageUp, PAGE_UP, scrolled, Cursor, "", "a page up"),
    bind(Action::PageDown, PAGE_DOWN, scrolled, Cursor, "", "a page down"),
    bind(Action::First, HOME, long, Cursor, "", "to the top"),
    bind(Action::Last, END, long, Cursor, "", "to the bottom"),
    bind(Action::Redraw, &[control('l')], anywhere, Anywhere, "", "redraw the screen"),
    bind(
        Action::Suspend,
        &[control('z')],
        anywhere,
        Anywhere,
        "",
        "stop for now, as a job of the shell",
    ),
    bind(Action::Interrupt, &[control('c')], anywhere, Anywhere, "", "end, with status 130"),
];

impl Group {
    /// The heading.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Run => "run and step",
            Self::Breaks => "breaks",
            Self::Views => "views",
            Self::Source => "in the source",
            Self::Board => "on the board",
            Self::Program => "programs",
            Self::Buttons => "the panel's buttons",
            Self::Cursor => "the cursor",
            Self::Boxes => "in a box",
            Self::Anywhere => "anywhere",
        }
    }
}

const fn bind(
    action: Action,
    keys: &'static [Key],
    works_in: fn(Mode) -> bool,
    group: Group,
    label: &'static str,
    title: &'static str,
) -> Binding {
    Binding { action, keys, works_in, group, label, title }
}

/// A button of the panel.
const fn hold(
    action: Action,
    keys: &'static [Key],
    label: &'static str,
    title: &'static str,
) -> Binding {
    bind(action, keys, panel, Buttons, label, title)
}

const fn key(c: char) -> Key {
    code(KeyCode::Char(c))
}

const fn control(c: char) -> Key {
    Key { code: KeyCode::Char(c), control: true }
}

const fn code(code: KeyCode) -> Key {
    Key { code, control: false }
}

impl Action {
    /// The button of the panel that this holds.
    pub(super) fn button(self) -> Option<panel::Buttons> {
        let bit = match self {
            Self::HoldUp => 0,
            Self::HoldDown => 1,
            Self::HoldLeft => 2,
            Self::HoldRight => 3,
            Self::HoldA => 4,
            Self::HoldB => 5,
            Self::HoldSelect => 6,
            Self::HoldStart => 7,
            _ => return None,
        };
        Some(panel::Buttons(1 << bit))
    }
}

/// What a key does in a mode.
pub(super) fn find(mode: Mode, event: KeyEvent) -> Option<Action> {
    let key = Key::from_event(event)?;
    let row = TABLE.iter().find(|row| (row.works_in)(mode) && row.keys.contains(&key));
    row.map(|row| row.action)
}

impl Key {
    /// `None` for a key with modifiers that nothing here uses. (Shift is part of a character.)
    fn from_event(event: KeyEvent) -> Option<Self> {
        let modifiers = event.modifiers - KeyModifiers::SHIFT;
        let control = modifiers == KeyModifiers::CONTROL;
        (control || modifiers.is_empty()).then_some(Self { code: event.code, control })
    }

    /// The key as help and context line call it.
    pub(super) fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".into(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::PageUp => "pgup".into(),
            KeyCode::PageDown => "pgdn".into(),
            KeyCode::BackTab => "backtab".into(),
            other => other.to_string().to_lowercase(),
        };
        if self.control { format!("^{}", name.to_uppercase()) } else { name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every mode there is.
    fn modes() -> impl Iterator<Item = Mode> {
        View::ALL.map(Mode::View).into_iter().chain([Panel, Pager, Chooser])
    }

    #[test]
    fn no_key_means_two_things_in_one_mode() {
        for mode in modes() {
            let rows = TABLE.iter().filter(|row| (row.works_in)(mode));
            let keys: Vec<Key> = rows.flat_map(|row| row.keys).copied().collect();
            for (n, key) in keys.iter().enumerate() {
                assert!(!keys[..n].contains(key), "{} in {mode:?}", key.name());
            }
        }
    }

    #[test]
    fn every_action_has_one_row_with_a_key_and_words() {
        for (n, row) in TABLE.iter().enumerate() {
            assert!(!row.keys.is_empty() && !row.title.is_empty());
            assert!(modes().any(row.works_in), "{row:?}");
            assert!(TABLE[..n].iter().all(|other| other.action != row.action), "{row:?}");
        }
        for view in View::ALL {
            assert!(TABLE.iter().any(|row| row.action == Show(view)), "{view:?}");
        }
    }

    #[test]
    fn keys_are_found_whatever_the_shift_but_not_with_other_modifiers() {
        let press =
            |code, modifiers| find(Mode::View(View::Display), KeyEvent::new(code, modifiers));
        assert_eq!(press(KeyCode::Char('+'), KeyModifiers::SHIFT), Some(Action::Faster));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::NONE), Some(Action::Quit));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::ALT), None);
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Interrupt));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), Some(Action::NextBreak));
    }

    #[test]
    fn in_a_dialog_letters_are_text() {
        for c in ' '..='~' {
            assert_eq!(find(Chooser, KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)), None);
        }
    }

    #[test]
    fn every_button_of_the_panel_has_a_key_of_its_name() {
        for (bit, name) in panel::Buttons::NAMES.iter().enumerate() {
            let row =
                TABLE.iter().find(|row| row.action.button() == Some(panel::Buttons(1 << bit)));
            let title = row.map(|row| row.title.to_lowercase());
            assert_eq!(title, Some(format!("button {name}")));
        }
    }

    #[test]
    fn keys_have_names() {
        let codes = [KeyCode::Char(' '), KeyCode::Enter, KeyCode::PageUp, KeyCode::BackTab];
        assert_eq!(codes.map(|c| code(c).name()), ["space", "enter", "pgup", "backtab"]);
        assert_eq!((key('S').name(), control('l').name()), ("S".into(), "^L".into()));
    }
}
