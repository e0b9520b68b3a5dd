//! The trait of panes, and the types that it uses.

use gray1_debugger::why::Explanation;
use gray1_isa::{RamAddr, RomIndex};
use gray1_session::{Snapshot, WireDetail};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::actions::{KeyBinding, KeyRow, Move, Reply, ShowTarget};
use crate::leds::LedSpot;
use crate::overlays::Overlay;
use crate::preferences::Preferences;
use crate::theme::Theme;

/// The constant properties of a type of pane.
pub(crate) trait PaneSpec: Sized + 'static {
    /// The unique name, shown in the frame.
    const NAME: &'static str;
    /// Its description in the help: `pane: data memory`.
    const TITLE: &'static str;
    /// The moves that scroll it or move its cursor.
    const MOVES: &'static [Move] = &[];
    /// Its key table, which works while it is in front.
    const KEYS: &'static [KeyBinding<Self>] = &[];
}

/// The properties of a pane as methods, for trait objects.
pub(crate) trait DynPaneSpec {
    /// [`PaneSpec::NAME`].
    fn name(&self) -> &'static str;

    /// [`PaneSpec::TITLE`].
    fn title(&self) -> &'static str;

    /// [`PaneSpec::MOVES`].
    fn moves(&self) -> &'static [Move];

    /// The rows of [`PaneSpec::KEYS`].
    fn keys(&self) -> Vec<KeyRow>;

    /// Whether the context line should offer a row of [`PaneSpec::KEYS`] now.
    fn is_useful(&self, row: usize, snapshot: &Snapshot) -> bool;

    /// Carries out the action of a row of [`PaneSpec::KEYS`].
    fn act(&mut self, row: usize, snapshot: &Snapshot) -> Reply;
}

impl<P: PaneSpec> DynPaneSpec for P {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn title(&self) -> &'static str {
        P::TITLE
    }

    fn moves(&self) -> &'static [Move] {
        P::MOVES
    }

    fn keys(&self) -> Vec<KeyRow> {
        P::KEYS.iter().map(|binding| binding.row).collect()
    }

    fn is_useful(&self, row: usize, snapshot: &Snapshot) -> bool {
        (P::KEYS[row].is_useful)(self, snapshot)
    }

    fn act(&mut self, row: usize, snapshot: &Snapshot) -> Reply {
        P::KEYS[row].action.act(self, snapshot)
    }
}

/// A rectangle of the screen that shows one aspect of the machine.
///
/// Only [`Self::draw`] is required.
pub(crate) trait Pane: DynPaneSpec {
    /// Draws it into an area, inside the frame if there is one.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer);

    /// Takes a new snapshot.
    fn update(&mut self, _snapshot: &Snapshot) {}

    /// Scrolls or moves the cursor. `size` is that of the area inside the frame.
    fn move_cursor(&mut self, _to: Move, _snapshot: &Snapshot, _size: Size) -> Reply {
        Reply::Done
    }

    /// Whether a row of its key table has an effect in an area inside the frame.
    fn has_effect(&self, _row: &KeyRow, _area: Rect, _snapshot: &Snapshot) -> bool {
        true
    }

    /// Handles a turn of the wheel inside the frame.
    fn turn_wheel(&mut self, to: Move, area: Rect, snapshot: &Snapshot) -> Reply {
        self.move_cursor(to, snapshot, area.as_size())
    }

    /// Handles a drag inside the frame.
    fn drag(&mut self, _at: Position, _area: Rect, _snapshot: &Snapshot) -> Reply {
        Reply::Done
    }

    /// Shows the target, or returns `None` if this pane cannot.
    fn show(&mut self, _target: &ShowTarget, _snapshot: &Snapshot) -> Option<Reply> {
        None
    }

    /// Handles a click inside the frame.
    fn click(&mut self, _at: Position, _area: Rect, _snapshot: &Snapshot) -> Reply {
        Reply::Done
    }

    /// The object at the cursor.
    fn cursor(&self, _snapshot: &Snapshot) -> Cursor {
        Cursor::Elsewhere
    }

    /// The subtitle in the frame.
    fn subtitle(&self, _snapshot: &Snapshot) -> Option<String> {
        None
    }

    /// The LEDs it draws, for picture formats that draw them as circles.
    fn spots(&self, _context: &Context, _area: Rect) -> Vec<LedSpot> {
        Vec::new()
    }

    fn is_framed(&self) -> bool {
        true
    }

    /// The detail of the board's wires that it draws.
    fn wire_detail(&self) -> WireDetail {
        WireDetail::Nothing
    }

    /// The dialog in which users choose its contents, if it has one.
    fn choices(&self, _snapshot: &Snapshot) -> Option<Box<dyn Overlay>> {
        None
    }

    /// The maximum number of lines it can use at a width, including the frame. Another pane may
    /// take the rest.
    fn height_max(&self, _snapshot: &Snapshot, _width: u16) -> u16 {
        u16::MAX
    }

    /// Its place while another pane is in front.
    fn placement(&self, _snapshot: &Snapshot) -> Placement {
        Placement::Hidden
    }

    /// Restores its settings.
    fn restore_settings(&mut self, _preferences: &Preferences) {}

    /// Saves its settings.
    fn save_settings(&self, _preferences: &mut Preferences) {}

    /// Its minimum width next to other panes, including the frame, at this height. The default has
    /// room for sixteen bytes in a line, as many as on the whole screen.
    fn width_min(&self, _height: u16) -> u16 {
        58
    }
}

/// The place of a pane while another one is in front, if there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Nowhere.
    Hidden,
    /// In a narrow column on the left, with a minimum height. The column is shown only together
    /// with its first pane.
    Column(u16),
    /// On the right, with priority over [`Self::Right`].
    Source,
    /// On the right.
    Right,
    /// Below the source, with this many lines if there is room. Not shown if it is 0.
    BelowSource(u16),
}

/// The input for drawing a pane, apart from its own state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub snapshot: &'a Snapshot,
    pub theme: Theme,
    /// Whether the pane has the keys.
    pub is_in_front: bool,
    /// Whether keys press the panel's buttons instead of controlling the panes.
    pub buttons_have_keys: bool,
    /// The open answer to a question.
    pub answer: Option<&'a Explanation>,
}

/// The object at a pane's cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// Neither code nor data.
    Elsewhere,
    /// A line of the source, with its first instruction if it has one.
    Code(Option<RomIndex>),
    /// A byte of data memory.
    Byte(RamAddr),
}
