//! The answer that takes time: how often each line was executed up to now.

use gray1_sim::Profile;
use gray1_sim::debugger::Counting;
use serde::Deserialize;
use serde_json::{Value, json};

use super::debuggee::Debuggee;
use super::protocol::{Answer, Refusal, Request, event, with};
use crate::cli::profile;

/// A request whose answer is being worked out.
pub(super) struct ProfileRequest {
    request: Request,
    counting: Counting,
    /// When the machine was asked about.
    moment: u64,
    /// How many inputs it had then.
    inputs: u64,
    /// The percentage that the client was told last.
    told: Option<u64>,
}

/// Which request a client takes back: that of a number, or that of a progress.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cancel {
    request_id: Option<i64>,
    progress_id: Option<String>,
}

impl ProfileRequest {
    /// Begins to count.
    pub(super) fn new(request: Request, debuggee: &Debuggee) -> Self {
        let (moment, inputs) = (debuggee.history.moment(), debuggee.inputs());
        Self { request, counting: Counting::new(&debuggee.history), moment, inputs, told: None }
    }

    /// Goes on for a slice of time; the response when all is counted.
    pub(super) fn advance(&mut self, debuggee: &Debuggee) -> Option<Value> {
        let now = (debuggee.history.moment(), debuggee.inputs());
        if now != (self.moment, self.inputs) {
            return Some(self.response(Err(Refusal::new("the machine has moved meanwhile"))));
        }
        self.counting.advance(&debuggee.history, debuggee.engine().slice());
        (self.counting.moment() >= self.moment).then(|| {
            let (image, counts) = (debuggee.image(), self.counting.by_index());
            let profile = Profile::new(image, &counts);
            self.response(Ok(profile::json(&profile, image, &counts)))
        })
    }

    /// The response that there is no answer.
    pub(super) fn abandoned(&self) -> Value {
        self.response(Err(Refusal::new("there is no program any more")))
    }

    /// The response to a request that was taken back; the protocol has this word for it.
    pub(super) fn cancelled(&self) -> Value {
        self.response(Err(Refusal::new("cancelled")))
    }

    /// Whether a client means this request.
    pub(super) fn is_meant_by(&self, cancel: &Cancel) -> bool {
        cancel.request_id == Some(self.request.seq)
            || cancel.progress_id.as_deref() == Some(&self.progress_id())
    }

    /// The event that tells how much is counted, if another percentage was told last.
    pub(super) fn progress(&mut self) -> Option<Value> {
        let percentage = self.counting.moment() * 100 / self.moment.max(1);
        let told = self.told.replace(percentage);
        let body = json!({ "progressId": self.progress_id(), "percentage": percentage });
        if told.is_none() {
            let body = with(body, "title", "Counting how often each line was executed".into());
            let body = with(body, "requestId", self.request.seq.into());
            return Some(event("progressStart", with(body, "cancellable", true.into())));
        }
        (told != self.told).then(|| event("progressUpdate", body))
    }

    /// The event that ends the progress, if it was told.
    pub(super) fn progress_end(&self) -> Option<Value> {
        self.told.map(|_| event("progressEnd", json!({ "progressId": self.progress_id() })))
    }

    fn progress_id(&self) -> String {
        format!("profile {}", self.request.seq)
    }

    fn response(&self, answer: Answer) -> Value {
        self.request.response(answer)
    }
}
