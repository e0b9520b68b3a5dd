//! The front end, the debugger and the lessons in a pseudo-terminal, key by key.

mod compatibility;
mod debug;
mod exit;
mod front_end;
mod learn_keys;
mod open;
mod plain;
mod random_keys;
