//! A page: a machine, its panes and the user's sources. Advances their time, and draws the panes.

use std::time::Duration;

use gray1_tui::recording::Gif;
use serde_json::json;

use crate::answer::JobOutcome;
use crate::comparison::Comparison;
use crate::editor::Editor;
use crate::jobs::{CheckJob, ProofJob, TestJob};
use crate::learning::Learning;
use crate::link::OpeningLink;
use crate::machine::Machine;
use crate::panes::Panes;
use crate::sources::PageSources;

mod requests;
#[cfg(test)]
mod tests;

/// A page with a machine, its panes and the user's sources.
#[derive(Default)]
pub struct Page {
    sources: PageSources,
    machine: Option<Machine>,
    panes: Option<Panes>,
    editor: Editor,
    /// The link that is being opened.
    opening: Option<OpeningLink>,
    learning: Option<Learning>,
    job: Option<Job>,
    /// The result of the last job, until the page has requested it.
    outcome: Option<Result<JobOutcome, String>>,
    /// The film that is being made.
    film: Option<Gif>,
    /// The machine at the failure that the last job found.
    failed: Option<Box<Machine>>,
}

/// Work that runs in slices between frames.
enum Job {
    Tests(Box<TestJob>),
    Check(Box<CheckJob>),
    Comparison(Box<Comparison>),
    Proof(Box<ProofJob>),
}

impl Page {
    /// Answers a request. It is a JSON list of the name and the arguments, such as `["seek", 12]`.
    /// The answer is JSON, or `{"error": …}` if the request fails.
    pub fn ask(&mut self, request: &str) -> String {
        self.answer(request).unwrap_or_else(|error| json!({ "error": error }).to_string())
    }

    /// Advances time. Returns true if there is more work to do now.
    pub fn advance(&mut self, elapsed: Duration) -> bool {
        if let Some(opening) = &mut self.opening {
            if opening.advance() {
                self.stop_opening();
            }
            return true;
        }
        let works = self.advance_job();
        self.machine.as_mut().is_some_and(|machine| machine.advance(elapsed)) || works
    }

    /// Shows another machine. Stops opening a link.
    fn replace_machine(&mut self, machine: Machine) {
        self.opening = None;
        self.machine = Some(machine);
        self.panes = None;
    }

    fn start_job(&mut self, job: Job) {
        self.job = Some(job);
        (self.outcome, self.failed) = (None, None);
    }

    /// Continues the tests or the check. Returns true if there is more work to do.
    fn advance_job(&mut self) -> bool {
        let ended = match (&mut self.job, &mut self.learning) {
            (Some(Job::Tests(testing)), _) => testing.advance().map(Ok),
            (Some(Job::Check(checking)), Some(learning)) => match checking.advance() {
                Ok(ended) => ended.map(|outcome| learning.record(&checking.lesson, outcome)),
                Err(why) => Some(Err(why)),
            },
            (Some(Job::Comparison(job)), _) => job.advance().map(|outcome| Ok((outcome, None))),
            (Some(Job::Proof(job)), _) => job.advance().map(|outcome| Ok((outcome, None))),
            _ => None,
        };
        if let Some(ended) = ended {
            self.job = None;
            self.outcome = Some(ended.map(|(outcome, failed)| {
                self.failed = failed;
                outcome
            }));
        }
        self.job.is_some()
    }

    /// Draws the panes and returns their cells.
    pub fn draw(&mut self) -> &[u32] {
        let (Some(machine), Some(panes)) = (&mut self.machine, &mut self.panes) else { return &[] };
        panes.app.update(machine.snapshot_for_panes());
        panes.inform(&self.sources);
        panes.draw();
        self.cells()
    }

    /// Returns the cells of the last drawing.
    pub fn cells(&self) -> &[u32] {
        self.panes.as_ref().map_or(&[], Panes::words)
    }
}
