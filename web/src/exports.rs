//! The functions that the page calls. Strings pass through two buffers in memory. The page writes
//! to one and reads from the other, by their addresses.
#![allow(unsafe_code, reason = "`no_mangle` counts as unsafe")]

use std::cell::RefCell;
use std::time::Duration;

use crate::Page;

/// An instance of the module: a page with its buffers.
#[derive(Default)]
struct Instance {
    page: Page,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Reserves space for a request of this length, and returns its address.
#[unsafe(no_mangle)]
extern "C" fn input(bytes: usize) -> *mut u8 {
    INSTANCE.with_borrow_mut(|instance| {
        instance.input = vec![0; bytes];
        instance.input.as_mut_ptr()
    })
}

/// Answers the request in the input buffer, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    INSTANCE.with_borrow_mut(|instance| {
        instance.output = instance.page.ask(&String::from_utf8_lossy(&instance.input)).into_bytes();
        instance.output.len()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    INSTANCE.with_borrow(|instance| instance.output.as_ptr())
}

/// Advances the page by a time in microseconds. Works for at most a few milliseconds. Returns true
/// if there is more work to do now.
#[unsafe(no_mangle)]
extern "C" fn advance(microseconds: u32) -> bool {
    let elapsed = Duration::from_micros(microseconds.into());
    INSTANCE.with_borrow_mut(|instance| instance.page.advance(elapsed))
}

/// Draws the panes. Returns the number of words at [`cells`]: four for each cell (character,
/// foreground, background, modifiers), then five for each LED (left, top, width, height in half
/// cells, colour).
#[unsafe(no_mangle)]
extern "C" fn draw() -> usize {
    INSTANCE.with_borrow_mut(|instance| instance.page.draw().len())
}

/// Returns the address of the cells.
#[unsafe(no_mangle)]
extern "C" fn cells() -> *const u32 {
    INSTANCE.with_borrow(|instance| instance.page.cells().as_ptr())
}
