//! The log points of a run.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stderr, Write as _};
use std::sync::Arc;

use gray1_debugger::{
    BindingContext, BreakpointRequest, Breakpoints, Hit, MachineView, Scope, SourceLines, WatchSet,
    Wires,
};
use gray1_isa::Image;
use gray1_sim::Engine;

use crate::cli::shared::messages::Messages;
use crate::cli::shared::outcome::{Failure, failure};

/// The maximum number of hits in a slice of a run.
pub(super) const HITS_MAX: usize = 1000;

/// Log points, with the number of hits of each.
pub(super) struct Log {
    points: Breakpoints,
    pub(super) conditions: Arc<WatchSet>,
    hits: Vec<u64>,
    image: Arc<Image>,
    /// Standard error.
    output: BufWriter<Stderr>,
    is_json: bool,
}

impl Log {
    /// Parses log points for a machine with this program.
    pub(super) fn new(
        texts: &[String],
        image: &Arc<Image>,
        engine: &dyn Engine,
        is_json: bool,
    ) -> Result<Self, Failure> {
        let wires = Wires::from_engine(engine);
        let scope = Scope { image, wires: wires.as_ref(), at: None };
        let (lines, sources) = (&SourceLines::new(image.source_map()), &BTreeMap::new());
        let mut points = Breakpoints::default();
        for text in texts {
            points.add(BreakpointRequest::text(text), BindingContext { scope, lines, sources });
        }
        for (text, point) in texts.iter().zip(points.list()) {
            let why = match &point.bound {
                Err(why) => why,
                Ok(_) if point.log_message().is_none() => "expected `CONDITION: MESSAGE`",
                Ok(_) => continue,
            };
            return Err(Failure::Usage(format!("--log '{text}': {why}")));
        }
        Ok(Self {
            conditions: Arc::new(points.watch_set([], engine, |_| true)),
            hits: vec![0; texts.len()],
            points,
            image: Arc::clone(image),
            output: BufWriter::new(io::stderr()),
            is_json,
        })
    }

    /// Writes the messages of a hit.
    pub(super) fn write(&mut self, hit: &Hit, engine: &dyn Engine) -> Result<(), Failure> {
        hit.matches.count(&mut self.hits);
        let view = MachineView::new(engine, hit.moment);
        for point in self.points.hit_by(hit) {
            let Some(message) = point.log_message() else { continue };
            let message = message.text(hit, view, &self.image);
            let line = if self.is_json {
                let place = self.image.line_or_place(hit.index());
                let json = serde_json::json!({
                    "severity": "log", "message": message, "moment": hit.moment, "place": place,
                    "log": point.text(),
                });
                json.to_string()
            } else {
                message
            };
            writeln!(self.output, "{line}").map_err(|error| write_failure(&error))?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.output.flush().map_err(|error| write_failure(&error))
    }

    /// Reports the conditions that never came true.
    pub(super) fn report_missed(&self, messages: &mut Messages) {
        for (point, _) in self.points.list().iter().zip(&self.hits).filter(|(_, hits)| **hits == 0)
        {
            messages.note(&format!("--log '{}' never came true", point.text()));
        }
    }
}

/// The failure to write messages. A closed pipe needs no message.
fn write_failure(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::PipeClosed
    } else {
        failure(format!("cannot write standard error: {error}"))
    }
}
