//! The front end without a terminal: a script presses the keys, and time passes as it says. The
//! same script gives the same screens, on any machine.

use std::time::Duration;

use gray1_sim::PowerUp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::arrangement::{Arrangement, View};
use super::keys::{Move, Script};
use super::player::{Opened, Player};
use super::state::{Effect, State};
use super::theme::{Colors, Depth, Theme};
use super::{Programs, view};

/// A screen, and when it was seen.
pub(crate) struct Screenshot {
    /// The time since the start.
    pub(super) at: Duration,
    /// The cells.
    pub(super) cells: Buffer,
}

/// How finely time passes. At an unlimited pace the machine executes one slice in each.
const TICK: Duration = Duration::from_millis(1);
/// How many of them a frame takes: sixty frames a second, nearly.
const TICKS_A_FRAME: u32 = 16;

/// What pictures look like: all colours and lines, whatever terminal we are called from.
pub(super) const THEME: Theme = Theme { depth: Depth::True, colors: Colors::Usual, unicode: true };

/// Plays a script to a program that is paused at instruction 0. Gives the last screen, and before
/// it, if `all` are wanted, those of each change on the way.
pub(crate) fn screenshots(
    programs: &dyn Programs,
    first: Opened,
    script: &Script,
    size: (u16, u16),
    all: bool,
) -> Vec<Screenshot> {
    let player = Player::new(first, PowerUp::default(), true);
    let size = Size::from(size);
    let state = State::new(Box::new(player.snapshot()), size, Arrangement::showing(View::Display));
    let mut studio =
        Studio { programs, player, state, now: Duration::ZERO, all, taken: Vec::new() };
    studio.take();
    for step in &script.0 {
        if !studio.play(*step) {
            break;
        }
    }
    if !all {
        studio.taken.clear();
        studio.take();
    }
    studio.taken
}

struct Studio<'a> {
    programs: &'a dyn Programs,
    player: Player,
    state: State,
    now: Duration,
    all: bool,
    taken: Vec<Screenshot>,
}

impl Studio<'_> {
    /// Does one thing of the script. Says no when the front end has ended.
    fn play(&mut self, step: Move) -> bool {
        let goes_on = match step {
            Move::Press(key) => {
                let effect = self.state.key(key);
                self.effect(effect)
            }
            Move::Wait(time) => {
                self.pass(time);
                true
            }
            Move::WaitInstructions(count) => {
                self.player.advance_by(count);
                self.see();
                true
            }
        };
        self.take();
        goes_on
    }

    fn pass(&mut self, time: Duration) {
        let ticks = (time.as_millis() / TICK.as_millis()) as u32;
        for tick in 1..=ticks {
            self.player.advance(TICK);
            self.now += TICK;
            if self.all && tick % TICKS_A_FRAME == 0 {
                self.see();
                self.take();
            }
        }
        self.see();
    }

    fn effect(&mut self, effect: Option<Effect>) -> bool {
        match effect {
            Some(Effect::Machine(command)) => {
                self.player.command(command);
                self.player.advance(Duration::ZERO);
                self.see();
            }
            Some(Effect::ListPrograms) => self.state.show_programs(self.programs.list()),
            Some(Effect::Open(name)) => {
                let opened = self.programs.open(&name);
                let effect = self.state.opened(&name, opened);
                return self.effect(effect);
            }
            Some(Effect::Quit | Effect::Interrupt) => return false,
            // There is no terminal to redraw, and no shell to return to.
            Some(Effect::Redraw | Effect::Suspend) | None => {}
        }
        true
    }

    /// Shows the state what has become of the machine. Not after keys that the machine does not
    /// get: they clear its remark.
    fn see(&mut self) {
        self.state.see(Box::new(self.player.snapshot()));
    }

    /// Takes a picture, if it differs from the last one.
    fn take(&mut self) {
        let mut cells = Buffer::empty(Rect::from(self.state.size));
        view::draw(&self.state, THEME, &mut cells);
        if self.taken.last().is_none_or(|last| last.cells != cells) {
            self.taken.push(Screenshot { at: self.now, cells });
        }
    }
}
