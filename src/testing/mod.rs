//! Tests of programs: what a test file says, and whether a program does it.
//!
//! A test file is a [`document`]: named cases, each a list of [`step`]s. A [`mod@run`] takes the
//! steps one by one, on any engine. It keeps the history of the machine, so that a debugger can
//! open the moment at which a step failed. No input or output here.

mod document;
mod failure;
mod picture;
mod run;
mod step;

pub(crate) use document::{Case, TestFile};
pub(crate) use failure::{Comparison, Failure};
pub(crate) use run::{Finished, Verdict, run};
