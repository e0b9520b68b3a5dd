//! Why a value is what it is: the story behind a byte, a bit, an LED, a register, or the execution
//! of an instruction, down to constants, buttons, resets and power-up.
//!
//! Without pointers every instruction names its byte, so the step that made a value is known:
//! `lookup.rs` finds it in a recorded window of the past, or by a search. `fact.rs` says what that
//! step depended on. `story.rs` opens the tree of causes, `telling.rs` puts it into words, and
//! `reason.rs` finds the words that the program itself has for the colour of an LED.

mod deviation;
mod fact;
mod lookup;
mod question;
mod reason;
mod story;
mod telling;

pub use deviation::Deviation;
pub use fact::{CausalNode, CausalStep, Cell, Fact, FactOrigin, Leaf, Subject};
pub(crate) use lookup::Records;
pub use question::{Asked, Question};
pub use reason::AskedLed;
pub(crate) use story::Asking;
pub use story::{Story, StoryNode};
pub use telling::{StoryLine, leaf_words, subject_words};
