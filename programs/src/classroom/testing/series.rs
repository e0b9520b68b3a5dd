//! Runs the cases of a test file on one program, a few milliseconds at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_debugger::power_up::{
    self, OriginSearch, PowerUpBits, PowerUpChange, PowerUpPlace, SAMPLES,
};
use gray1_isa::Image;
use gray1_isa::text::grouped;
use gray1_sim::{Engine, Machine, MachineSpec};

use super::document::TestCase;
use super::failure::StepFailure;
use super::machine_names::with_machine_names;
use super::run::{CaseRun, FinishedCase};

/// Test cases in progress.
///
/// A case for any contents of memory runs once on a machine that holds anything. If this does not
/// decide it, the case runs with several contents.
pub struct CaseSeries {
    image: Arc<Image>,
    chosen: MachineSpec,
    /// The current run of a case, and the runs that follow it.
    runs: VecDeque<PlannedRun>,
    run: Option<CaseRun>,
    /// The first run of the current case, if it has passed and the case has more runs.
    first: Option<FinishedCase>,
    /// The number of runs of the current case that have passed.
    passed: usize,
    /// The search for the bits that left a proof of the current case undecided, and the register
    /// or byte that depends on them.
    search: Option<(OriginSearch, PowerUpPlace)>,
    /// The registers and bytes that hold these bits at power-up.
    unwritten: Vec<String>,
}

/// The maximum number of instructions of the runs that try other contents of these bits. They take
/// less than a second.
const TRIED_MAX: u64 = 1 << 28;

/// A run of a case.
struct PlannedRun {
    case: Arc<TestCase>,
    /// The number of the run, if the machine holds anything at power-up except in bytes of `.seed`.
    proof: Option<usize>,
    /// A change of what the machine holds at power-up.
    change: Option<PowerUpChange>,
}

/// The progress of a [`CaseSeries`].
pub enum SeriesStep {
    /// A case is running. The number of instructions executed so far is the second field.
    Working(Arc<TestCase>, u64),
    /// A case has ended. The second field is its failed run, or its first run if all passed.
    Ended(Arc<TestCase>, Box<FinishedCase>),
    /// A case could not be run, for this reason.
    NotRun(Arc<TestCase>, String),
    /// All cases have ended.
    Done,
}

impl CaseSeries {
    /// Prepares to run cases on a program. The settings in `chosen` take precedence over those of
    /// the cases.
    pub fn new<'a>(
        cases: impl IntoIterator<Item = &'a Arc<TestCase>>,
        image: &Arc<Image>,
        chosen: &MachineSpec,
    ) -> Self {
        let runs = cases.into_iter().flat_map(|case| {
            // The proof is about instructions, and not about a board.
            let is_proof = case.is_for_any(chosen)
                && chosen.clone().or(case.machine.clone()) == MachineSpec::default();
            let mut runs = case.runs(chosen);
            runs.truncate(if is_proof { power_up::count_runs(image) } else { runs.len() });
            let numbered = runs.into_iter().enumerate();
            numbered.map(move |(number, case)| {
                let proof = is_proof.then_some(number);
                PlannedRun { case, proof, change: None }
            })
        });
        Self {
            image: with_machine_names(image),
            chosen: chosen.clone(),
            runs: runs.collect(),
            run: None,
            first: None,
            passed: 0,
            search: None,
            unwritten: Vec::new(),
        }
    }

    /// Continues for at most a few milliseconds. `engine` powers up the machine for a case.
    pub fn advance(
        &mut self,
        engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
    ) -> SeriesStep {
        let Some(&PlannedRun { ref case, proof, change }) = self.runs.front() else {
            return SeriesStep::Done;
        };
        let case = Arc::clone(case);
        if let Some((search, place)) = &mut self.search {
            let moment = search.run.moment();
            if search.advance() {
                let bits = search.bits(*place, u8::MAX);
                self.try_changes(&case, &bits, moment);
            }
            return SeriesStep::Working(case, moment);
        }
        let mut run = match self.run.take() {
            Some(run) => run,
            None => match self.power_up(&case, proof, change, engine) {
                Ok(run) => run,
                Err(why) => {
                    self.end_case(&case);
                    return SeriesStep::NotRun(case, why);
                }
            },
        };
        let moment = run.moment();
        let failure = match run.advance() {
            Ok(false) => {
                self.run = Some(run);
                return SeriesStep::Working(case, moment);
            }
            ended => ended.err(),
        };
        if let Some(mut failure) = failure {
            if proof.is_some() {
                self.try_contents(&case);
                if let StepFailure::Unknown(Some(place)) = failure.step {
                    self.search = Some((run.search_origins(), place));
                }
                return SeriesStep::Working(case, moment);
            }
            failure.change = change.map(|it| it.place.assignment(&self.image, it.value));
            failure.unwritten = std::mem::take(&mut self.unwritten);
            self.end_case(&case);
            let history = run.into_history();
            let finished = FinishedCase { failure: Some(failure), history, note: None };
            return SeriesStep::Ended(case, Box::new(finished));
        }
        self.runs.pop_front();
        self.passed += 1;
        let finished = FinishedCase { failure: None, history: run.into_history(), note: None };
        let mut first = self.first.take().unwrap_or(finished);
        if self.runs.front().is_some_and(|next| next.case.offset == case.offset) {
            let moment = first.history.moment();
            self.first = Some(first);
            return SeriesStep::Working(case, moment);
        }
        first.note = case.is_for_any(&self.chosen).then(|| self.note(proof.is_some())).flatten();
        (self.passed, self.unwritten) = (0, Vec::new());
        SeriesStep::Ended(case, Box::new(first))
    }

    /// Describes what is not proved about a case for any contents that has passed.
    fn note(&self, is_proof: bool) -> Option<String> {
        if !is_proof {
            return Some(format!("{} contents tried, not proved", grouped(self.passed as u64)));
        }
        let has_seeds = self.image.seeds().next().is_some();
        has_seeds.then(|| format!("proved for {}", power_up::describe_contents(&self.image)))
    }

    /// Replaces an undecided proof by runs with several contents, which show a failure as well.
    fn try_contents(&mut self, case: &Arc<TestCase>) {
        self.end_case(case);
        for case in case.runs(&self.chosen).into_iter().rev() {
            self.runs.push_front(PlannedRun { case, proof: None, change: None });
        }
    }

    /// Adds runs that try other contents of the bits that a check depends on.
    fn try_changes(&mut self, case: &Arc<TestCase>, bits: &PowerUpBits, moment: u64) {
        self.search = None;
        self.unwritten = bits.keys().map(|place| place.name(&self.image)).collect();
        let runs = power_up::vary(bits, moment, TRIED_MAX).map(|change| PlannedRun {
            case: case.with_power_up(change.power_up),
            proof: None,
            change: Some(change),
        });
        let mut later = self.runs.split_off(SAMPLES.len());
        self.runs.extend(runs);
        self.runs.append(&mut later);
    }

    /// Skips the remaining runs of a case.
    fn end_case(&mut self, case: &TestCase) {
        (self.first, self.passed, self.unwritten) = (None, 0, Vec::new());
        self.runs.retain(|run| run.case.offset != case.offset);
    }

    /// Powers up the machine of a run of a case.
    fn power_up(
        &self,
        case: &Arc<TestCase>,
        proof: Option<usize>,
        change: Option<PowerUpChange>,
        engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
    ) -> Result<CaseRun, String> {
        let (machine, inputs): (Box<dyn Engine>, _) = if let Some(number) = proof {
            let machine = Machine::with_any_contents(&self.image);
            (Box::new(machine), power_up::plant_seeds(&self.image, number))
        } else {
            (engine(case)?, change.iter().map(|change| (0, change.input())).collect())
        };
        Ok(CaseRun::new(case, machine, &self.image, inputs))
    }
}
