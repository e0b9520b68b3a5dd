//! The pace of the machine, from one phase a second to unlimited.

use std::fmt;

use super::program::Program;

/// A pace: a position on the ladder from slow to fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    rung: usize,
}

/// A rate: the unit that is counted, and the number per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// Phases per second.
    Phases(u64),
    /// Instructions per second.
    Instructions(u64),
    /// LED changes per second. Between them, the machine runs as fast as it can.
    LedChanges(u64),
    /// As fast as it can.
    Unlimited,
}

/// The paces from slow to fast. The queens search changes an LED about every 15 instructions.
const LADDER: [Rate; 15] = [
    Rate::Phases(1),
    Rate::Instructions(1),
    Rate::Instructions(3),
    Rate::Instructions(10),
    Rate::Instructions(30),
    Rate::LedChanges(3),
    Rate::LedChanges(10),
    Rate::LedChanges(30),
    Rate::LedChanges(100),
    Rate::Instructions(10_000),
    Rate::Instructions(GAME_RATE as u64),
    Rate::Instructions(1_000_000),
    Rate::Instructions(10_000_000),
    Rate::Instructions(100_000_000),
    Rate::Unlimited,
];

/// Thirty LED changes per second, which the eye can follow. The queens search finds its first
/// arrangement within 15 seconds, after some 410 changes. A program that draws whole pictures
/// changes eight or more rows for each, so it shows at most about four pictures per second.
const DEFAULT_RUNG: usize = 7;

/// The fastest pace, in instructions per second, that the eye can follow. The queens search then
/// finds its arrangements some seconds apart.
const WATCHABLE_MAX: u64 = 10_000;

/// The fastest pace, in instructions per second, at which waves can be followed.
const WAVES_MAX: u64 = 100;

/// The pace of games in instructions per second, about the speed of a built machine.
pub const GAME_RATE: u32 = 100_000;
const EVEN_RUNG: usize = 10;

impl Default for Pace {
    fn default() -> Self {
        Self { rung: DEFAULT_RUNG }
    }
}

impl Pace {
    /// Phase by phase, one a second.
    pub(super) const PHASES: Self = Self { rung: 0 };
    /// The pace of games.
    pub(super) const EVEN: Self = Self { rung: EVEN_RUNG };

    /// The pace this many steps faster (or slower if negative), within the limits.
    pub(super) fn changed(self, steps: i8) -> Self {
        let rung = self.rung.saturating_add_signed(steps.into());
        Self { rung: rung.min(LADDER.len() - 1) }
    }

    /// The number of steps by which it is faster than another pace, negative if it is slower.
    pub(super) fn steps_from(self, other: Self) -> i8 {
        self.rung as i8 - other.rung as i8
    }

    /// The default pace of a program. A program that is played with the buttons needs an even pace.
    /// So does one that waits by counting for the time in its constant `PAUSE`.
    pub(super) fn for_program(program: &Program) -> Self {
        let is_timed = program.reads_buttons || program.image.symbol("PAUSE").is_some();
        if is_timed { Self::EVEN } else { Self::default() }
    }

    /// Whether the eye can follow it, so that pauses at lines make sense.
    pub(super) fn is_watchable(self) -> bool {
        match self.rate() {
            Rate::Phases(_) | Rate::LedChanges(_) => true,
            Rate::Instructions(per_second) => per_second <= WATCHABLE_MAX,
            Rate::Unlimited => false,
        }
    }

    /// Whether waves can be followed on the screen.
    pub(super) fn shows_waves(self) -> bool {
        match self.rate() {
            Rate::Phases(_) => true,
            Rate::Instructions(per_second) => per_second <= WAVES_MAX,
            Rate::LedChanges(_) | Rate::Unlimited => false,
        }
    }

    pub fn rate(self) -> Rate {
        LADDER[self.rung]
    }

    /// Its name in at most 16 columns.
    pub fn short(self) -> String {
        match self.rate() {
            Rate::LedChanges(n) => format!("{n} LEDs/s"),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rate() {
            Rate::Phases(n) => write!(f, "{n} phase/s"),
            Rate::Instructions(n @ 1_000_000..) => write!(f, "{} M instr/s", n / 1_000_000),
            Rate::Instructions(n @ 1_000..) => write!(f, "{} k instr/s", n / 1_000),
            Rate::Instructions(n) => write!(f, "{n} instr/s"),
            Rate::LedChanges(n) => write!(f, "{n} LED changes/s"),
            Rate::Unlimited => f.write_str("unlimited"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_a_pause_constant_has_an_even_pace() {
        for (name, is_even) in [("queens", false), ("scroll", true), ("snake", true)] {
            let pace = Pace::for_program(&crate::tests::machines::program(name));
            assert_eq!(pace == Pace::EVEN, is_even, "{name}: {pace}");
        }
    }

    #[test]
    fn paces_are_limited_and_the_default_is_slow_enough_to_watch() {
        assert_eq!(Pace::default().rate(), Rate::LedChanges(30));
        let mut pace = Pace::default();
        for _ in 0..20 {
            pace = pace.changed(-1);
        }
        let mut names = vec![pace.to_string()];
        while pace != pace.changed(1) {
            pace = pace.changed(1);
            names.push(pace.to_string());
            assert!(pace.short().len() <= 16, "{pace} on the narrowest screen");
        }
        assert_eq!(
            names,
            [
                "1 phase/s",
                "1 instr/s",
                "3 instr/s",
                "10 instr/s",
                "30 instr/s",
                "3 LED changes/s",
                "10 LED changes/s",
                "30 LED changes/s",
                "100 LED changes/s",
                "10 k instr/s",
                "100 k instr/s",
                "1 M instr/s",
                "10 M instr/s",
                "100 M instr/s",
                "unlimited",
            ]
        );
    }
}
