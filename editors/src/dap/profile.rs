//! The request `gray1/profile`, which counts how often each line was executed up to now, and
//! progress reports for this and other long work.

use gray1_debugger::{Debugger, ExecutionCounter};
use serde_json::{Value, json};

use super::protocol::{Refusal, Request, event, with};

/// A request for a profile that is still being counted.
pub(super) struct ProfileRequest {
    request: Request,
    counter: ExecutionCounter,
    /// The moment of the machine when the request arrived.
    moment: u64,
    /// The revision of the machine's history when the request arrived.
    revision: u64,
    pub(super) progress: WorkProgress,
}

/// The progress of some work.
pub(super) struct WorkProgress {
    /// The identifier with which a client can cancel it.
    pub(super) id: String,
    title: &'static str,
    /// The percentage in the last report.
    reported: Option<u64>,
}

impl WorkProgress {
    /// Creates a progress report that has not been sent to the client yet.
    pub(super) fn new(id: impl Into<String>, title: &'static str) -> Self {
        Self { id: id.into(), title, reported: None }
    }

    /// The event that reports a percentage, if it has changed since the last report.
    pub(super) fn report(&mut self, percentage: u64, request: Option<i64>) -> Option<Value> {
        let before = self.reported.replace(percentage);
        let body = json!({ "progressId": self.id, "percentage": percentage });
        if before.is_none() {
            let body = with(body, "title", self.title.into());
            let body = match request {
                Some(request) => with(body, "requestId", request.into()),
                None => body,
            };
            return Some(event("progressStart", with(body, "cancellable", true.into())));
        }
        (before != self.reported).then(|| event("progressUpdate", body))
    }

    /// The event that ends the progress, if it was reported.
    pub(super) fn end(&self) -> Option<Value> {
        self.reported.map(|_| event("progressEnd", json!({ "progressId": self.id })))
    }
}

impl ProfileRequest {
    /// Begins to count.
    pub(super) fn new(request: Request, debugger: &Debugger) -> Self {
        let history = debugger.history();
        let title = "Counting how often each line was executed";
        let progress = WorkProgress::new(format!("profile {}", request.seq), title);
        Self {
            request,
            counter: ExecutionCounter::new(history),
            moment: history.moment(),
            revision: history.revision(),
            progress,
        }
    }

    /// Counts for a slice of time. Returns the response when counting is complete.
    pub(super) fn advance(&mut self, debugger: &Debugger) -> Option<Value> {
        let now = (debugger.history().moment(), debugger.history().revision());
        if now != (self.moment, self.revision) {
            return Some(self.refuse("the machine has moved since"));
        }
        self.counter.advance(debugger.history(), debugger.engine().slice());
        (self.counter.moment() >= self.moment).then(|| {
            let counts = self.counter.by_index();
            self.request.response(Ok(gray1_programs::profile_json(debugger.image(), &counts)))
        })
    }

    /// The response that refuses the request, with the reason.
    pub(super) fn refuse(&self, why: &str) -> Value {
        self.request.response(Err(Refusal::new(why)))
    }

    /// Whether a cancel request names this request or its progress.
    pub(super) fn is_named_by(&self, request: Option<i64>, progress: Option<&str>) -> bool {
        request == Some(self.request.seq) || progress == Some(&*self.progress.id)
    }

    /// The event that reports the percentage counted, if it has changed.
    pub(super) fn report(&mut self) -> Option<Value> {
        let percentage = self.counter.moment() * 100 / self.moment.max(1);
        self.progress.report(percentage, Some(self.request.seq))
    }
}
