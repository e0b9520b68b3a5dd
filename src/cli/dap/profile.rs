//! The answer that takes time: how often each line was executed up to now.

use gray1_sim::Profile;
use gray1_sim::debugger::Counting;
use serde_json::Value;

use super::debuggee::Debuggee;
use super::protocol::{Answer, Refusal, Request};
use crate::cli::profile;

/// A request whose answer is being worked out.
pub(super) struct ProfileRequest {
    request: Request,
    counting: Counting,
    /// When the machine was asked about.
    moment: u64,
    /// How many inputs it had then.
    inputs: u64,
}

impl ProfileRequest {
    /// Begins to count.
    pub(super) fn new(request: Request, debuggee: &Debuggee) -> Self {
        let (moment, inputs) = (debuggee.history.moment(), debuggee.inputs());
        Self { request, counting: Counting::new(&debuggee.history), moment, inputs }
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

    fn response(&self, answer: Answer) -> Value {
        self.request.response(answer)
    }
}
