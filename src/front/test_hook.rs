//! Lets tests make a thread panic, to check that the terminal is restored. Not in release builds.

/// Panics if `GRAY1_TEST_PANIC` names this place: `screen` (when a key arrives), `frame` (while a
/// frame is drawn), `machine` (when a command arrives) or `previews` (when a program is
/// previewed).
#[cfg(debug_assertions)]
pub(super) fn panic_in(place: &str) {
    let wanted = std::env::var_os("GRAY1_TEST_PANIC").is_some_and(|wanted| wanted == place);
    assert!(!wanted, "as GRAY1_TEST_PANIC asked for");
}

#[cfg(not(debug_assertions))]
pub(super) const fn panic_in(_: &str) {}
