//! The buttons of the panel that are held. Terminals report key presses but not releases, so a key
//! holds its button for a moment.

use std::time::Duration;

use gray1_isa::panel::Buttons;

/// How long a key holds its button: longer than the interval at which a key repeats.
pub(super) const HOLD: Duration = Duration::from_millis(150);

/// The time for which each button is still held, by its bit.
#[derive(Debug, Default)]
pub(super) struct HeldButtons([Duration; Buttons::NAMES.len()]);

impl HeldButtons {
    /// Holds these buttons from now on.
    pub(super) fn hold(&mut self, buttons: Buttons) {
        for (bit, left) in self.0.iter_mut().enumerate() {
            if buttons.0 >> bit & 1 == 1 {
                *left = HOLD;
            }
        }
    }

    /// Lets time pass. Returns whether a button was released.
    pub(super) fn pass(&mut self, elapsed: Duration) -> bool {
        let before = self.buttons();
        for left in &mut self.0 {
            *left = left.saturating_sub(elapsed);
        }
        before != self.buttons()
    }

    /// The buttons that are held.
    pub(super) fn buttons(&self) -> Buttons {
        let bits = self.0.iter().enumerate().map(|(bit, left)| u8::from(!left.is_zero()) << bit);
        Buttons(bits.sum())
    }

    /// The time until the next release; `None` if no button is held.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.0.iter().copied().filter(|left| !left.is_zero()).min()
    }
}
