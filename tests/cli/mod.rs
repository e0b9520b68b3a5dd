//! Commands as scripts and users run them. Each module is named after its command, or after the
//! feature that several commands share.

mod agreement;
mod cheating;
mod check;
mod compare;
mod completions;
mod diff;
mod engines;
mod errors;
mod examples;
mod files;
mod fmt;
mod grading;
mod learn;
mod limits;
mod links;
mod mistakes;
mod options;
mod plain;
mod power_ups;
mod record;
mod reports;
mod run;
mod scores;
mod screenshot;
mod show;
mod special_files;
mod test;
mod unwritten;
mod verdicts;
mod warnings;
mod why;
