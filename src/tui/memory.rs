//! Where one is in data memory: whether the cursor goes with what is written or stays where it was
//! put, and how many bytes stand in a row.

use gray1_isa::RamAddr;
use gray1_isa::address::RAM_BYTES;
use ratatui::layout::Size;

use super::actions::Action;
use super::player::Snapshot;

/// How many rows page up and page down go.
const PAGE: usize = 16;
/// The state of the memory view.
#[derive(Debug, Default)]
pub(super) struct MemoryView {
    /// Where the cursor was put; `None` while it goes with what is written.
    put: Option<RamAddr>,
}

impl MemoryView {
    /// The byte that the cursor is on.
    pub(super) fn cursor(&self, snapshot: &Snapshot) -> RamAddr {
        self.put.or_else(|| snapshot.trail.newest_write()).unwrap_or_default()
    }

    /// Whether the cursor goes with what is written.
    pub(super) fn follows(&self) -> bool {
        self.put.is_none()
    }

    /// Lets the cursor go with what is written again.
    pub(super) fn follow(&mut self) {
        self.put = None;
    }

    /// Moves the cursor, which then stays where it is put.
    pub(super) fn move_cursor(&mut self, action: Action, snapshot: &Snapshot, screen: Size) {
        let (at, row) = (self.cursor(snapshot).to_usize(), bytes_a_row(screen.width));
        let last = RAM_BYTES - 1;
        let moved = match action {
            Action::Up => at.checked_sub(row).unwrap_or(at),
            Action::Down => Some(at + row).filter(|to| *to <= last).unwrap_or(at),
            Action::Left => at.saturating_sub(1),
            Action::Right => (at + 1).min(last),
            Action::PageUp => at.checked_sub(row * PAGE).unwrap_or(at % row),
            Action::PageDown => Some(at + row * PAGE).filter(|to| *to <= last).unwrap_or(at),
            Action::First => 0,
            Action::Last => last,
            _ => at,
        };
        self.put = RamAddr::new(moved as u16);
    }
}

/// How many bytes stand in a row of so many columns, frame and address included.
pub(super) const fn bytes_a_row(width: u16) -> usize {
    match width {
        0..34 => 4,
        34..58 => 8,
        58.. => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::player::{Command, Opened, Player};
    use gray1_sim::PowerUp;

    #[test]
    fn the_cursor_goes_with_what_is_written_until_it_is_moved() {
        let program = crate::program::load("queens").unwrap();
        let program = Opened { name: program.name, image: program.image };
        let mut player = Player::new(program, PowerUp::Zero, true);
        let mut view = MemoryView::default();
        (0..4).for_each(|_| player.command(Command::Step));
        let snapshot = player.snapshot();
        assert_eq!(Some(view.cursor(&snapshot)), snapshot.trail.newest_write());
        let size = Size::new(80, 24);
        view.move_cursor(Action::Last, &snapshot, size);
        for (action, at) in [
            (Action::Down, 0x1fff),
            (Action::Right, 0x1fff),
            (Action::Up, 0x1fef),
            (Action::Left, 0x1fee),
            (Action::PageUp, 0x1eee),
            (Action::First, 0),
            (Action::Up, 0),
            (Action::PageUp, 0),
            (Action::PageDown, 0x100),
        ] {
            view.move_cursor(action, &snapshot, size);
            assert_eq!(view.cursor(&snapshot).get(), at, "{action:?}");
        }
        view.follow();
        assert!(view.follows());
    }
}
