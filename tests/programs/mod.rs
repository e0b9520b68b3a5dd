//! The built-in programs and libraries, and the programs of the tutorial: each does what is said of it.

mod built_in;
mod library;
mod panel;
mod queens;
mod roms;
mod routines;
mod tutorial;
