//! The built-in programs, the libraries, and the programs of the tutorial do what their documents
//! say.

mod built_in;
mod library;
mod panel;
mod queens;
mod roms;
mod routines;
mod tutorial;
