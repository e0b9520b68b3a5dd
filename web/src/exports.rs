//! The functions that the page calls. Texts go through two buffers: the page writes into one and
//! reads from the other, by their addresses.
#![allow(unsafe_code, reason = "a name that is exported as it is counts as unsafe")]

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

/// Makes room for a request of this length, and returns its address.
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

/// The address of the answer.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    DESK.with_borrow(|desk| desk.output.as_ptr())
}

/// Lets time pass, in microseconds, and works for a few milliseconds at most. True if there is more
/// to do at once.
#[unsafe(no_mangle)]
extern "C" fn advance(microseconds: u32) -> bool {
    let elapsed = Duration::from_micros(microseconds.into());
    DESK.with_borrow_mut(|desk| desk.page.advance(elapsed))
}

/// Draws the panes; the number of words at [`cells`]: four for each cell (character, foreground,
/// background, modifiers), then five for each LED (left, top, width, height in half cells, colour).
#[unsafe(no_mangle)]
extern "C" fn draw() -> usize {
    DESK.with_borrow_mut(|desk| desk.page.draw().len())
}

/// The address of the cells that were drawn.
#[unsafe(no_mangle)]
extern "C" fn cells() -> *const u32 {
    DESK.with_borrow(|desk| desk.page.cells().as_ptr())
}
