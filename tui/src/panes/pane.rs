//! The trait of panes.

use gray1_isa::{RamAddr, RomIndex};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::actions::{KeyBinding, KeyRow, Move, Reply, ShowTarget};
use crate::leds::LedSpot;
use crate::overlays::Overlay;
use crate::preferences::Preferences;
use crate::session::{Snapshot, WireDetail};
use crate::theme::Theme;

/// A kind of panes: what is the same of all panes of a type, whatever they show at the moment.
pub(crate) trait PaneSpec: Sized + 'static {
    /// The name in the frame; no two panes have the same name.
    const NAME: &'static str;
    /// Its contents in words, for the help: `pane: data memory`.
    const TITLE: &'static str;
    /// The directions in which it can be scrolled, or its cursor moved.
    const MOVES: &'static [Move] = &[];
    /// The key table: what its own keys do while it is in front.
    const KEYS: &'static [KeyBinding<Self>] = &[];
}

/// The kind of a pane, for those who do not know its type.
pub(crate) trait DynPaneSpec {
    /// [`PaneSpec::NAME`].
    fn name(&self) -> &'static str;

    /// [`PaneSpec::TITLE`].
    fn title(&self) -> &'static str;

    /// [`PaneSpec::MOVES`].
    fn moves(&self) -> &'static [Move];

    /// The rows of [`PaneSpec::KEYS`], each with whether the context line should offer it now.
    fn keys(&self, snapshot: &Snapshot) -> Vec<(KeyRow, bool)>;

    /// Does what a row of [`PaneSpec::KEYS`] says.
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

    fn keys(&self, snapshot: &Snapshot) -> Vec<(KeyRow, bool)> {
        let row = |it: &KeyBinding<P>| (it.row, (it.is_useful)(self, snapshot));
        P::KEYS.iter().map(row).collect()
    }

    fn act(&mut self, row: usize, snapshot: &Snapshot) -> Reply {
        P::KEYS[row].action.act(self, snapshot)
    }
}

/// A rectangle of the screen that shows one aspect of the machine.
///
/// Only [`Self::draw`] must be there; the rest is for panes that have a cursor or wishes.
pub(crate) trait Pane: DynPaneSpec {
    /// Draws it into an area, which lies inside the frame if there is one.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer);

    /// The machine has changed, or the program.
    fn see(&mut self, _snapshot: &Snapshot) {}

    /// Scrolls, or moves the cursor; the area inside the frame has this size.
    fn move_cursor(&mut self, _to: Move, _snapshot: &Snapshot, _size: Size) -> Reply {
        Reply::Done
    }

    /// The wheel was turned inside the frame, which has this area.
    fn turn_wheel(&mut self, to: Move, area: Rect, snapshot: &Snapshot) -> Reply {
        self.move_cursor(to, snapshot, area.as_size())
    }

    /// The mouse was moved inside the frame while its button was held.
    fn drag(&mut self, _at: Position, _area: Rect, _snapshot: &Snapshot) -> Reply {
        Reply::Done
    }

    /// The user wants to see something; `None` if this pane cannot show it.
    fn show(&mut self, _target: &ShowTarget, _snapshot: &Snapshot) -> Option<Reply> {
        None
    }

    /// The mouse was pressed at a place inside this area, which lies inside the frame if there is
    /// one.
    fn click(&mut self, _at: Position, _area: Rect, _snapshot: &Snapshot) -> Reply {
        Reply::Done
    }

    /// The object at the cursor.
    fn cursor(&self, _snapshot: &Snapshot) -> Cursor {
        Cursor::Elsewhere
    }

    /// The words in the frame beside the name.
    fn subtitle(&self, _snapshot: &Snapshot) -> Option<String> {
        None
    }

    /// The LEDs that it draws, for pictures that can draw circles.
    fn spots(&self, _context: &Context, _area: Rect) -> Vec<LedSpot> {
        Vec::new()
    }

    /// True if it has a frame around it.
    fn is_framed(&self) -> bool {
        true
    }

    /// True if it is for watching rather than for finding out: keys and header then speak of what
    /// the program has found.
    fn is_for_watching(&self) -> bool {
        false
    }

    /// The detail of the board's wires that it draws.
    fn wire_detail(&self) -> WireDetail {
        WireDetail::Nothing
    }

    /// The box in which the user chooses what it shows, if it has one.
    fn choices(&self, _snapshot: &Snapshot) -> Option<Box<dyn Overlay>> {
        None
    }

    /// The lines that it can make use of in so many columns, frame included; below them stands
    /// another pane.
    fn height_max(&self, _snapshot: &Snapshot, _width: u16) -> u16 {
        u16::MAX
    }

    /// Its place while another pane is in front.
    fn station(&self, _snapshot: &Snapshot) -> Station {
        Station::Away
    }

    /// Takes over what was remembered the last time.
    fn recall(&mut self, _preferences: &Preferences) {}

    /// Says what is to be remembered for the next time.
    fn remember(&self, _preferences: &mut Preferences) {}

    /// The columns that it needs at least where others stand beside it and it is so high, frame
    /// included: as many as sixteen bytes take, so that a row of them is as long there as on the
    /// whole screen.
    fn width_min(&self, _height: u16) -> u16 {
        58
    }
}

/// The place of a pane while another one is in front, as far as there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Station {
    /// Nowhere.
    Away,
    /// In a narrow column on the left, at least so many lines high. The first such pane heads the
    /// column: without it there is none.
    Column(u16),
    /// On the right, before any other.
    Source,
    /// On the right.
    Right,
    /// Below the source, so many lines high if there is room; nowhere without a line.
    BelowSource(u16),
}

/// The input of a pane's drawing, besides its own state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The machine.
    pub snapshot: &'a Snapshot,
    /// The theme.
    pub theme: Theme,
    /// True if the pane has the keys.
    pub is_in_front: bool,
    /// True if the panel's buttons have the keys.
    pub buttons_have_keys: bool,
}

/// The object at a pane's cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// Neither code nor data.
    Elsewhere,
    /// A line of code, and the first instruction that stands there, if any does.
    Code(Option<RomIndex>),
    /// A byte of data memory.
    Byte(RamAddr),
}
