//! Explains values: the causes of a byte, a bit, an LED, a register, or the execution of an
//! instruction, back to constants, buttons, resets and power-up.
//!
//! The machine has no pointers, so every instruction contains the address of the byte that it
//! accesses, and the step that produced a value can be found. `lookup.rs` finds it in a recorded
//! part of the past, or by a search. `fact.rs` contains the facts on which a step depended.
//! `search.rs` builds the tree of causes, `key_steps.rs` chooses the steps to show first, and
//! `wording.rs` formats them. `led_reason.rs` finds the program's own explanation for the colour of
//! an LED.

mod deviation;
mod explanation;
mod fact;
mod key_steps;
mod known_facts;
mod led_reason;
mod lookup;
mod question;
mod search;
mod wording;

pub use explanation::{CauseLine, Explanation, TreeNode};
pub use fact::{CausalNode, CausalStep, Cell, Deviation, Fact, FactOrigin, Leaf, Subject};
pub use key_steps::{KeyStep, Remark};
pub use known_facts::Repetition;
pub use led_reason::{AskedLed, ProgramReason};
pub(crate) use lookup::Records;
pub use question::{Asked, Question};
pub(crate) use search::ExplanationSearch;
pub use wording::{describe_leaf, describe_square, describe_subject};
