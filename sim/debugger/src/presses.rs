//! The panel's buttons: when each one is pressed, how long it is held, and when it is released.
//!
//! A press lasts for [`HOLD`] of running time, and at least until an instruction has read the
//! buttons. The time of single steps does not count. So a program sees every press, however slowly
//! it runs. Presses and releases are inputs at the end of the history. When the machine repeats
//! known history, it repeats them as well.
//!
//! Which keys are down depends on the user, not on the machine. The state of the keys does not
//! change when the machine goes back, is reset or halts. So only pressing a key that was up can
//! start another future.

use std::time::Duration;

use gray1_isa::panel::{self, Buttons};

use super::condition::{Access, Condition, Event};
use super::controller::Debugger;
use super::inputs::Input;
use super::watch_set::WatchSet;

/// The minimum time for which a press is held, except in single steps. It is longer than the
/// interval at which a held key repeats.
const HOLD: Duration = Duration::from_millis(150);
/// The maximum number of presses of a button that wait for the previous one.
const WAITING_MAX: u8 = 8;

/// The state of all buttons.
#[derive(Debug, Clone, Default)]
pub(super) struct Presses {
    /// The last press of each button, by the number of its bit.
    of_buttons: [ButtonPress; Buttons::NAMES.len()],
}

#[derive(Debug, Clone, Copy, Default)]
struct ButtonPress {
    stage: Stage,
    /// The remaining running time for which the button is held.
    left: Duration,
    /// True if the user still holds the button, with a key or a finger.
    is_down: bool,
    /// The number of presses that wait for this one to end.
    waiting: u8,
}

/// The progress of a press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// No press is in progress.
    #[default]
    Over,
    /// The button is held, and the program has not read it.
    Unseen,
    /// The button is held, and the program has read it.
    Seen,
    /// The button is released, but the program has not read the buttons since. Until it does, it
    /// cannot tell another press from this one.
    Released,
}

impl Presses {
    /// Returns the condition that waits for the program to read the buttons.
    pub(super) fn read_condition() -> Condition {
        Event::Touches(Access::Read, panel::BUTTONS..=panel::BUTTONS).into()
    }

    /// Returns true if a read of the buttons would change the state of a press. In a step,
    /// `is_step` is true, and a read can also end a press that the program has already read.
    pub(super) fn await_read(&self, is_step: bool) -> bool {
        self.of_buttons.iter().any(|it| match it.stage {
            Stage::Over => false,
            Stage::Unseen | Stage::Released => true,
            Stage::Seen => is_step,
        })
    }

    /// Starts another future, in which the previous releases are unknown. The held buttons count as
    /// just pressed.
    pub(super) fn restart(&mut self, held: Buttons) {
        for (bit, it) in self.of_buttons.iter_mut().enumerate() {
            let stage = if held.0 >> bit & 1 == 1 { Stage::Unseen } else { Stage::Over };
            *it = ButtonPress { stage, left: HOLD, is_down: it.is_down, waiting: 0 };
        }
    }

    /// Returns the buttons that a key or a finger holds down.
    fn down(&self) -> Buttons {
        let bits = self.of_buttons.iter().enumerate().map(|(bit, it)| u8::from(it.is_down) << bit);
        Buttons(bits.sum())
    }

    fn select(&mut self, buttons: Buttons) -> impl Iterator<Item = &mut ButtonPress> {
        let all = self.of_buttons.iter_mut().enumerate();
        all.filter(move |(bit, _)| buttons.0 >> bit & 1 == 1).map(|(_, it)| it)
    }

    /// Returns the buttons to hold from now on. Buttons without a press in progress keep the state
    /// that they have in `before`.
    fn held(&self, before: Buttons) -> Buttons {
        let bits = self.of_buttons.iter().enumerate().map(|(bit, it)| match it.stage {
            Stage::Over => before.0 & 1 << bit,
            Stage::Unseen | Stage::Seen => 1 << bit,
            Stage::Released => 0,
        });
        Buttons(bits.sum())
    }
}

impl ButtonPress {
    /// Presses the button. While the machine runs, a repeating key prolongs a press that the
    /// program has read.
    fn press(&mut self, runs: bool) {
        match self.stage {
            Stage::Over => (self.stage, self.left) = (Stage::Unseen, HOLD),
            Stage::Seen if runs && self.waiting == 0 => self.left = HOLD,
            _ => self.waiting = (self.waiting + 1).min(WAITING_MAX),
        }
    }

    fn record_read(&mut self) {
        self.stage = match self.stage {
            Stage::Unseen => Stage::Seen,
            Stage::Released if self.waiting > 0 => {
                (self.waiting, self.left) = (self.waiting - 1, HOLD);
                Stage::Unseen
            }
            Stage::Released => Stage::Over,
            stage => stage,
        };
    }

    /// Lets time pass, and releases the button if it was held long enough.
    fn pass(&mut self, elapsed: Duration) {
        self.left = self.left.saturating_sub(elapsed);
        let is_wanted = self.is_down && self.waiting == 0;
        if self.stage == Stage::Seen && self.left.is_zero() && !is_wanted {
            self.stage = Stage::Released;
        }
    }
}

impl Debugger {
    /// Returns the buttons that are held at the present moment.
    pub fn held(&self) -> Buttons {
        self.history.held()
    }

    /// Sets the buttons that keys or fingers hold down now. Buttons that were up are
    /// [pressed](Self::press), and buttons that are no longer down are [released](Self::release).
    pub fn hold_down(&mut self, down: Buttons) {
        self.release(Buttons(!down.0));
        self.press(down);
    }

    /// Presses these buttons, except those that are already down.
    ///
    /// If a button is still held from an earlier press, the new press waits until the program has
    /// read the button as released. At most eight presses wait. In the past, a press starts another
    /// future, in which all buttons that are down are pressed.
    pub fn press(&mut self, buttons: Buttons) {
        let pressed = Buttons(buttons.0 & !self.presses.down().0);
        self.presses.select(pressed).for_each(|it| it.is_down = true);
        if pressed == Buttons::NONE || self.engine().halted() {
            return;
        }
        if self.is_at_end() {
            let runs = self.is_busy();
            self.presses.select(pressed).for_each(|it| it.press(runs));
            self.hold();
        } else {
            self.give(Input::Hold(Buttons(self.held().0 | self.presses.down().0)));
        }
    }

    /// Releases these buttons. Each release takes effect once the button has been held long enough.
    pub fn release(&mut self, buttons: Buttons) {
        self.presses.select(buttons).for_each(|it| it.is_down = false);
        self.pass_time(Duration::ZERO);
    }

    /// Counts running time towards the duration of each press. Does nothing in the past and in the
    /// middle of an instruction.
    pub fn pass_time(&mut self, elapsed: Duration) {
        if self.is_at_end() && self.engine().edges() == 0 {
            self.presses.of_buttons.iter_mut().for_each(|it| it.pass(elapsed));
            self.hold();
        }
    }

    /// Returns the running time until the next release of a button, if one is due.
    pub fn time_to_release(&self) -> Option<Duration> {
        let presses = self.presses.of_buttons.iter().filter(|_| self.is_at_end());
        let seen = presses.filter(|it| it.stage == Stage::Seen && !it.is_down);
        seen.map(|it| it.left).min()
    }

    /// Records that the program has read the buttons, at the end of the history. If the machine is
    /// single-stepped, this ends the press. Returns true if the buttons change.
    pub(super) fn record_read(&mut self, is_step: bool) -> bool {
        let before = self.held();
        self.presses.of_buttons.iter_mut().for_each(ButtonPress::record_read);
        self.pass_time(if is_step { Duration::MAX } else { Duration::ZERO });
        let is_changed = self.held() != before;
        if is_changed {
            self.hits.find(&self.history);
        }
        is_changed
    }

    /// If the last edge completed an instruction that reads the buttons, records that the program
    /// has read them.
    pub(super) fn record_read_by_edge(&mut self) {
        if !self.presses.await_read(true) {
            return;
        }
        let watch_set = WatchSet::new(vec![Presses::read_condition()], self.history.engine());
        if self.history.hit_now(&watch_set).is_some() {
            self.record_read(true);
        }
    }

    /// Releases all buttons if the program has ended.
    pub(super) fn release_at_end(&mut self) {
        if self.is_at_end() && self.engine().halted() && self.engine().error().is_none() {
            for it in &mut self.presses.of_buttons {
                let held = matches!(it.stage, Stage::Unseen | Stage::Seen);
                it.stage = if held { Stage::Released } else { Stage::Over };
            }
            self.hold();
            self.presses.restart(Buttons::NONE);
        }
    }

    /// Returns true if the present is the latest known moment.
    pub(super) fn is_at_end(&self) -> bool {
        self.history.moment() == self.history.end()
    }

    /// Gives the machine the buttons that must be held now.
    fn hold(&mut self) {
        let before = self.held();
        let held = self.presses.held(before);
        if held != before {
            self.give(Input::Hold(held));
        }
    }
}
