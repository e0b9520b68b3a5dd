//! The functions that the page calls. Strings pass through two buffers in memory. The page writes
//! to one and reads from the other, by their addresses.
#![allow(unsafe_code, reason = "`no_mangle` counts as unsafe")]

use std::cell::RefCell;
use std::time::Duration;

use crate::Page;

/// A page with its buffers.
#[derive(Default)]
struct Desk {
    page: Page,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Reserves space for a request of this length, and returns its address.
#[unsafe(no_mangle)]
extern "C" fn input(bytes: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.input = vec![0; bytes];
        desk.input.as_mut_ptr()
    })
}

/// Answers the request in the input buffer, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    DESK.with_borrow_mut(|desk| {
        desk.output = desk.page.ask(&String::from_utf8_lossy(&desk.input)).into_bytes();
        desk.output.len()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    DESK.with_borrow(|desk| desk.output.as_ptr())
}

/// Advances the page by a time in microseconds. Works for at most a few milliseconds. Returns true
/// if there is more work to do now.
#[unsafe(no_mangle)]
extern "C" fn advance(microseconds: u32) -> bool {
    let elapsed = Duration::from_micros(microseconds.into());
    DESK.with_borrow_mut(|desk| desk.page.advance(elapsed))
}

/// Draws the panes. Returns the number of words at [`cells`]: four for each cell (character,
/// foreground, background, modifiers), then five for each LED (left, top, width, height in half
/// cells, colour).
#[unsafe(no_mangle)]
extern "C" fn draw() -> usize {
    DESK.with_borrow_mut(|desk| desk.page.draw().len())
}

/// Returns the address of the cells.
#[unsafe(no_mangle)]
extern "C" fn cells() -> *const u32 {
    DESK.with_borrow(|desk| desk.page.cells().as_ptr())
}
