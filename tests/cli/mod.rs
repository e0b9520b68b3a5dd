//! Commands as scripts and users run them. A module has the name of its command, or of what several
//! commands share.

mod check;
mod compare;
mod completions;
mod diff;
mod engines;
mod errors;
mod files;
mod fmt;
mod grading;
mod learn;
mod limits;
mod links;
mod mistakes;
mod options;
mod record;
mod reports;
mod run;
mod scores;
mod screenshot;
mod show;
mod special_files;
mod test;
mod warnings;
mod why;
