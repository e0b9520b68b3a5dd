//! What a line must pass before the grammar sees it: a bounded length, bounded nesting, and quotes
//! and brackets that match. So the grammar's recursion is bounded, and the error is about the
//! bracket rather than about the place where the grammar noticed.

use std::ops::Range;

use super::{LINE_BYTES_MAX, NESTING_MAX};
use crate::problem::Problem;

/// A line that the grammar must not see.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) at: Range<usize>,
    pub(super) problem: Problem,
}

impl Refusal {
    fn new(at: Range<usize>, problem: Problem) -> Self {
        Self { at, problem }
    }
}

/// Checks a line. Its comment starts at the byte that it gives, if there is one.
pub(super) fn check(text: &str) -> Result<Option<usize>, Refusal> {
    if text.len() > LINE_BYTES_MAX {
        return Err(Refusal::new(0..0, Problem::LineTooLong(text.len())));
    }
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    let mut conditionals = 0;
    let mut at = 0;
    let mut comment = None;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => {
                comment = Some(at);
                break;
            }
            b'"' | b'\'' => at = end_of_quote(bytes, at)?,
            b'(' | b'{' => {
                open.push(at);
                if open.len() > NESTING_MAX {
                    return Err(Refusal::new(at..at + 1, Problem::BracketsTooDeep));
                }
            }
            b')' | b'}' => close(bytes, &mut open, at)?,
            b'?' => {
                conditionals += 1;
                if conditionals > NESTING_MAX {
                    return Err(Refusal::new(at..at + 1, Problem::TooManyConditionals));
                }
            }
            _ => {}
        }
        at += 1;
    }
    open.pop().map_or(Ok(comment), |at| Err(unclosed(bytes, at)))
}

/// The closing quote of the one at `start`.
fn end_of_quote(bytes: &[u8], start: usize) -> Result<usize, Refusal> {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            _ if byte == bytes[start] => return Ok(at),
            _ => {}
        }
        at += 1;
    }
    Err(unclosed(bytes, start))
}

/// Takes the closing bracket at `at` off the open ones.
fn close(bytes: &[u8], open: &mut Vec<usize>, at: usize) -> Result<(), Refusal> {
    let opener = if bytes[at] == b')' { b'(' } else { b'{' };
    match open.pop() {
        Some(start) if bytes[start] == opener => Ok(()),
        Some(start) => Err(unclosed(bytes, start)),
        None => Err(Refusal::new(at..at + 1, Problem::ClosesNothing(char::from(bytes[at])))),
    }
}

fn unclosed(bytes: &[u8], at: usize) -> Refusal {
    Refusal::new(at..at + 1, Problem::Unclosed(char::from(bytes[at])))
}

/// The part of a refused line that can be looked at without danger: nothing in it nests.
pub(super) fn harmless_prefix(text: &str) -> &str {
    let prefix = text.split(['(', '{', '?', '"', '\'', ';']).next().unwrap_or_default();
    if prefix.len() <= LINE_BYTES_MAX { prefix } else { "" }
}
