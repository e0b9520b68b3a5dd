//! The buttons of the panel that are held. Terminals tell when a key goes down, never when it comes
//! up; so a key holds its button for a moment.

use std::time::Duration;

use gray1_isa::panel::Buttons;

/// How long a key holds its button. A key that is kept down repeats faster than this, once it
/// does.
pub(super) const HOLD: Duration = Duration::from_millis(150);

/// For each button, bit 0 first, how long it is still to be held.
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

    /// Lets this much time pass. Says whether a button was let go of.
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

    /// The time until the next button is let go of; `None` if none is held.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.0.iter().copied().filter(|left| !left.is_zero()).min()
    }
}
