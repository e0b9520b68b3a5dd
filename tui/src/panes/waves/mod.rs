//! The waves pane: the traces of chosen wires and buses over the last and the next edges of the
//! oscillator. It has a cursor on an edge, to read the values there or to go there.

mod draw;
mod picker;
mod trace;
mod window;

use gray1_debugger::Signal;
use gray1_session::{Command, Snapshot, Waves, WireDetail};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::{Context, Pane, PaneSpec};
use crate::actions::{ENTER, FOLLOW, KeyBinding, KeyGroup, Move, Reply, ShowTarget, row};
use crate::key::{Key, KeyCode};
use crate::overlays::Overlay;
use crate::preferences::Preferences;
use draw::{WavesDrawing, WavesLayout, WavesView};
use picker::WirePicker;

/// The pane.
#[derive(Debug)]
pub(crate) struct WavesPane {
    /// The names of the signals, in display order.
    shown: Vec<String>,
    /// The index of the selected signal.
    selected: usize,
    /// The number of edges from the current one to the cursor.
    offset: isize,
    /// An edge takes 2^`zoom` columns.
    zoom: u32,
}

/// The default signals: clock and phase, the path of an instruction and of a byte, and the strobes.
const DEFAULT_SIGNALS: [&str; 15] = [
    "OSC", "PHASE", "PC", "PROG", "IR", "OPERAND", "BUS", "A", "C", "IRH_EN", "IRL_EN", "AM_EN",
    "AS_EN", "nWE", "PC_LOAD",
];
/// The default zoom. Its four columns per edge have room for the mark of a change, two hexadecimal
/// digits and a gap.
const ZOOM: u32 = 2;
/// The largest zoom at which an edge fits on a screen.
const ZOOM_MAX: u32 = 6;
/// The number of edges of an instruction.
const PAGE: isize = 8;
const REMOVE: &[Key] = &[Key::char('x'), Key::plain(KeyCode::Delete)];

fn shows_glitches(_: &WavesPane, snapshot: &Snapshot) -> bool {
    snapshot.waves.as_ref().is_some_and(Waves::are_in_time)
}

impl Default for WavesPane {
    fn default() -> Self {
        Self { shown: defaults(), selected: 0, offset: 0, zoom: ZOOM }
    }
}

fn defaults() -> Vec<String> {
    DEFAULT_SIGNALS.map(str::to_owned).to_vec()
}

impl PaneSpec for WavesPane {
    const NAME: &'static str = "waves";
    const TITLE: &'static str = "pane: waves, the wires over time";
    const MOVES: &'static [Move] = Move::ALL;
    const KEYS: &'static [KeyBinding<Self>] = &[
        row(ENTER, KeyGroup::Waves, "go", "go to the edge at the cursor")
            .calls(WavesPane::go)
            .when(|pane, _| pane.offset != 0),
        row(&[Key::char('>')], KeyGroup::Waves, "zoom", "zoom in: more columns per edge")
            .calls(|pane, _| pane.zoom_to(pane.zoom + 1)),
        row(&[Key::char('<')], KeyGroup::Waves, "zoom", "zoom out: fewer columns per edge")
            .calls(|pane, _| pane.zoom_to(pane.zoom.saturating_sub(1))),
        row(&[Key::char('L')], KeyGroup::Waves, "wires", "choose the wires that are shown").calls(
            |_, snapshot| match &snapshot.waves {
                Some(_) => Reply::Dialog,
                None => Reply::Note("pause the machine first"),
            },
        ),
        row(&[Key::char('y')], KeyGroup::Waves, "glitch", "to the next glitch of this wire")
            .calls(|pane: &mut WavesPane, snapshot| {
                pane.find_glitch(snapshot, |from, found| found > from)
            })
            .when(shows_glitches),
        row(
            &[Key::char('Y')],
            KeyGroup::Waves,
            "glitch",
            "back to the previous glitch of this wire",
        )
        .calls(|pane: &mut WavesPane, snapshot| {
            pane.find_glitch(snapshot, |from, found| found < from)
        })
        .when(shows_glitches),
        row(REMOVE, KeyGroup::Waves, "remove", "remove this wire from the list")
            .calls(WavesPane::remove),
        row(&[Key::char('v')], KeyGroup::Waves, "order", "move this wire down")
            .calls(|pane, _| pane.reorder(1)),
        row(&[Key::char('V')], KeyGroup::Waves, "order", "move this wire up")
            .calls(|pane, _| pane.reorder(-1)),
        FOLLOW.calls(WavesPane::follow).when(|pane, _| pane.offset != 0),
    ];
}

impl Pane for WavesPane {
    /// Moves up and down through the signals, left and right through the edges.
    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, _: Size) -> Reply {
        let last = self.shown.len().saturating_sub(1);
        match to {
            Move::Up | Move::Down => self.selected = to.along(self.selected.min(last), last, 1),
            Move::Left => self.shift(snapshot, -1),
            Move::Right => self.shift(snapshot, 1),
            Move::PageUp => self.shift(snapshot, -PAGE),
            Move::PageDown => self.shift(snapshot, PAGE),
            Move::First => self.shift(snapshot, isize::MIN / 2),
            Move::Last => self.shift(snapshot, isize::MAX / 2),
        }
        Reply::Done
    }

    /// Moves through time by about the same number of columns at every zoom.
    fn turn_wheel(&mut self, to: Move, _: Rect, snapshot: &Snapshot) -> Reply {
        let edges = (PAGE >> self.zoom).max(1);
        self.shift(snapshot, if to == Move::Up { -edges } else { edges });
        Reply::Done
    }

    /// Puts the cursor on an edge and selects a signal. A click on the edge at the cursor goes to
    /// that moment.
    fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let Some(waves) = &snapshot.waves else { return Reply::Done };
        let layout = WavesLayout::new(&self.view(waves), area);
        if let Some(signal) = layout.signal_at(at) {
            self.selected = signal;
        }
        match layout.edge_at(at) {
            Some(edge) if edge == self.cursor(waves) => self.go(snapshot),
            Some(edge) => {
                self.put_cursor(waves, edge);
                Reply::Done
            }
            None => Reply::Done,
        }
    }

    fn subtitle(&self, snapshot: &Snapshot) -> Option<String> {
        let waves = snapshot.waves.as_ref()?;
        let edge = waves.edges().last().map_or(0, |edge| edge.duration_ps);
        let what = if waves.is_replica {
            "of a board that follows the instruction engine".to_owned()
        } else if waves.are_in_time() {
            format!("in time, {} ns a column", (edge >> self.zoom) / 1000)
        } else {
            "from rest to rest".to_owned()
        };
        Some(what)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        match &context.snapshot.waves {
            Some(waves) => {
                let view = self.view(waves);
                let layout = WavesLayout::new(&view, area);
                WavesDrawing { view, layout, context }.draw(buffer);
            }
            None => draw::draw_running(context, area, buffer),
        }
    }

    fn wire_detail(&self) -> WireDetail {
        WireDetail::Waves
    }

    fn choices(&self, snapshot: &Snapshot) -> Option<Box<dyn Overlay>> {
        let board = &snapshot.waves.as_ref()?.board;
        Some(Box::new(WirePicker::new(board, self.shown.clone())))
    }

    fn show(&mut self, target: &ShowTarget, _: &Snapshot) -> Option<Reply> {
        let ShowTarget::Wires(names) = target else { return None };
        self.shown.clone_from(names);
        Some(Reply::Done)
    }

    fn restore_settings(&mut self, preferences: &Preferences) {
        if !preferences.waves.is_empty() {
            self.shown.clone_from(&preferences.waves);
        }
    }

    fn save_settings(&self, preferences: &mut Preferences) {
        preferences.waves = if self.shown == defaults() { Vec::new() } else { self.shown.clone() };
    }

    /// Room for names, values and two instructions.
    fn width_min(&self, _height: u16) -> u16 {
        80
    }
}

impl WavesPane {
    /// The input for the layout.
    fn view<'a>(&'a self, waves: &'a Waves) -> WavesView<'a> {
        let (selected, cursor) = (self.selected(), self.cursor(waves));
        WavesView { waves, names: &self.shown, selected, cursor, zoom: self.zoom }
    }

    /// The index of the selected signal, or 0 if there is none.
    fn selected(&self) -> usize {
        self.selected.min(self.shown.len().saturating_sub(1))
    }

    /// The index of the edge at the cursor.
    fn cursor(&self, waves: &Waves) -> usize {
        waves.now().saturating_add_signed(self.offset).min(waves.edges().len() - 1)
    }

    fn put_cursor(&mut self, waves: &Waves, edge: usize) {
        self.offset = edge.cast_signed() - waves.now().cast_signed();
    }

    fn shift(&mut self, snapshot: &Snapshot, edges: isize) {
        if let Some(waves) = &snapshot.waves {
            let last = waves.edges().len() - 1;
            let edge = self.cursor(waves).saturating_add_signed(edges).min(last);
            self.put_cursor(waves, edge);
        }
    }

    /// Goes to the edge at the cursor, which becomes the current one.
    fn go(&mut self, snapshot: &Snapshot) -> Reply {
        let Some(waves) = &snapshot.waves else { return Reply::Done };
        let to = waves.edges()[self.cursor(waves)].position;
        self.offset = 0;
        Reply::command(Command::SeekEdge(to))
    }

    fn follow(&mut self, _: &Snapshot) -> Reply {
        self.offset = 0;
        Reply::Done
    }

    fn zoom_to(&mut self, zoom: u32) -> Reply {
        self.zoom = zoom.min(ZOOM_MAX);
        Reply::Done
    }

    fn remove(&mut self, _: &Snapshot) -> Reply {
        if !self.shown.is_empty() {
            self.shown.remove(self.selected());
        }
        Reply::Done
    }

    /// Moves the selected signal up or down in the list.
    fn reorder(&mut self, places: isize) -> Reply {
        let from = self.selected();
        let to = from.saturating_add_signed(places);
        if to < self.shown.len() {
            self.shown.swap(from, to);
            self.selected = to;
        }
        Reply::Done
    }

    /// Moves the cursor in one direction to the nearest edge at which the selected signal glitches.
    fn find_glitch(
        &mut self,
        snapshot: &Snapshot,
        is_match: fn(from: usize, found: usize) -> bool,
    ) -> Reply {
        let Some(waves) = &snapshot.waves else { return Reply::Done };
        let name = self.shown.get(self.selected());
        let Some(signal) = name.and_then(|name| Signal::named(name, &waves.board)) else {
            return Reply::Done;
        };
        let from = self.cursor(waves);
        let edges = (0..waves.edges().len()).filter(|edge| is_match(from, *edge));
        let found = edges.filter(|edge| trace::count_glitches(&signal, &waves.edges()[*edge]) > 0);
        let Some(nearest) = found.min_by_key(|edge| edge.abs_diff(from)) else {
            return Reply::Note("no glitch of this wire there");
        };
        self.put_cursor(waves, nearest);
        Reply::Done
    }
}

#[cfg(test)]
mod tests;
