//! The debugger: a machine with its history, its breakpoints and its current run.
//!
//! Only the program, the breakpoints and the inputs decide where the machine stops. Conditions and
//! hit counts have the same meaning forward and backward.

use std::collections::BTreeMap;
use std::sync::Arc;

use gray1_isa::{Image, RamAddr, RomIndex};
use gray1_sim::engine::Engine;

use super::breakpoints::{BindingContext, Breakpoints};
use super::condition::{Condition, Event};
use super::expression::MachineView;
use super::history::History;
use super::hits::{HitCounts, Hits};
use super::inputs::Input;
use super::line_change::LineChange;
use super::motion::{Motion, Stop};
use super::position::Position;
use super::presses::Presses;
use super::recorder::RecentSteps;
use super::replica::{BoardLoader, Replica};
use super::scope::{Scope, Wires};
use super::source_lines::SourceLines;
use super::trail::Trail;
use super::values::ChangeError;
use super::watch_set::{Hit, Matches, WatchSet};
use super::waves::WaveRecord;
use super::why::{Explanation, ExplanationSearch, Question};

/// The data for showing wires: a replica for an engine without wires, and the waves that were
/// computed last.
#[derive(Default)]
pub(super) struct ShownWires {
    /// Loads the board whose wires are shown if the engine has none.
    load_board: Option<BoardLoader>,
    /// The replica that uses that board, once it has been needed.
    pub(super) replica: Option<Replica>,
    /// The waves that were computed last.
    pub(super) wave_record: Option<Arc<WaveRecord>>,
}

/// A machine under debugging.
///
/// It does not depend on a speed, a clock, a protocol or a screen. Its caller starts a run to a
/// [goal](crate::Goal), and calls [`advance`](Self::advance) for each slice of time.
pub struct Debugger {
    pub(super) image: Arc<Image>,
    pub(super) source_lines: SourceLines,
    pub(super) source_names: BTreeMap<String, u16>,
    pub(super) wires: Option<Arc<Wires>>,
    pub(super) history: History,
    pub(super) trail: Trail,
    pub(super) shown: ShownWires,
    pub(super) breakpoints: Arc<Breakpoints>,
    pub(super) hits: HitCounts,
    pub(super) notice: Option<Event>,
    pub(super) motion: Option<Motion>,
    /// The hit that an input has caused during a run, until the run continues.
    pub(super) hit_by_input: Option<Hit>,
    /// The watch set of the last forward run, and the conditions in it that are not breakpoints.
    /// The next run can often use the same set.
    pub(super) compiled: Option<(Vec<Condition>, Arc<WatchSet>)>,
    pub(super) presses: Presses,
    pub(super) logged: Vec<(RomIndex, String)>,
}

impl Debugger {
    /// Creates a debugger that continues from the present moment of this history.
    pub fn new(image: Arc<Image>, mut history: History) -> Self {
        history.receive_inputs();
        let map = image.source_map();
        Self {
            source_lines: SourceLines::new(map),
            source_names: map.files().iter().map(|file| file.name.clone()).zip(0..).collect(),
            wires: Wires::from_engine(history.engine()).map(Arc::new),
            trail: Trail::new(&history),
            image,
            history,
            shown: ShownWires::default(),
            breakpoints: Arc::default(),
            hits: HitCounts::default(),
            notice: None,
            motion: None,
            hit_by_input: None,
            compiled: None,
            presses: Presses::default(),
            logged: Vec::new(),
        }
    }

    /// If the engine has no wires, shows those of a separate board. The board is loaded at its
    /// first use, and gets the program.
    #[must_use]
    pub fn with_board(self, load: BoardLoader) -> Self {
        Self { shown: ShownWires { load_board: Some(load), ..ShownWires::default() }, ..self }
    }

    /// Makes names and sentences show bytes in decimal, for people who listen.
    #[must_use]
    pub fn with_decimal_bytes(self) -> Self {
        let image = Arc::new(Arc::unwrap_or_clone(self.image).with_decimal_bytes());
        Self { image, ..self }
    }

    /// Takes over breakpoints from another debugger, and binds them to this program.
    #[must_use]
    pub fn with_breakpoints(mut self, breakpoints: Arc<Breakpoints>) -> Self {
        self.breakpoints = breakpoints;
        self.change_breakpoints(Breakpoints::bind);
        self
    }

    /// Switches to another program, at the present moment of its history. Breakpoints, notice and
    /// board stay the same.
    pub fn load(&mut self, image: Arc<Image>, history: History) {
        let breakpoints = std::mem::take(&mut self.breakpoints);
        let (notice, load_board) = (self.notice.take(), self.shown.load_board.take());
        let shown = ShownWires { load_board, ..ShownWires::default() };
        let other = Self { shown, notice, ..Self::new(image, history) };
        *self = other.with_breakpoints(breakpoints);
    }

    /// Sets an event that is reported to the callback of [`Self::advance_noticing`] and does not
    /// end the run.
    #[must_use]
    pub fn notice(self, event: Event) -> Self {
        Self { notice: Some(event), ..self }
    }

    // ---- The present

    /// Returns the program.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// Returns the source lines of the program.
    pub fn source_lines(&self) -> &SourceLines {
        &self.source_lines
    }

    /// Returns the machine with its history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the machine with its history, and drops the debugger.
    pub fn into_history(self) -> History {
        self.history
    }

    /// Returns the machine at the present moment.
    pub fn engine(&self) -> &dyn Engine {
        self.history.engine()
    }

    /// Returns the present position.
    pub fn position(&self) -> Position {
        self.history.position()
    }

    /// Returns the wires of the engine, if it has any.
    pub fn wires(&self) -> Option<&Arc<Wires>> {
        self.wires.as_ref()
    }

    /// Returns the names that are visible at an instruction, or those of the whole program.
    pub fn scope(&self, at: Option<RomIndex>) -> Scope<'_> {
        Scope { image: &self.image, wires: self.wires.as_deref(), at }
    }

    /// Returns the present state, as expressions see it.
    pub fn view(&self) -> MachineView<'_> {
        MachineView::new(self.engine(), self.history().moment())
    }

    /// Returns true if nothing has written a byte since power-up, as far as the history records
    /// [first writes](History::first_writes).
    pub fn is_unwritten(&self, address: RamAddr) -> bool {
        let first_writes = self.history.first_writes();
        first_writes.is_some_and(|it| it.is_unwritten(address, self.history.moment()))
    }

    /// Returns the most recently executed instructions.
    pub fn recent(&mut self) -> RecentSteps {
        self.trail.recent(&self.history)
    }

    /// Returns true if there are wires to show: those of the engine, or those of a replica.
    pub fn shows_wires(&self) -> bool {
        self.wires.is_some() || self.shown.load_board.is_some()
    }

    /// Creates the replica for an engine without wires, unless it already exists.
    pub(super) fn place_replica(&mut self) {
        if let (None, None, Some(load)) = (&self.wires, &self.shown.replica, &self.shown.load_board)
        {
            self.shown.replica = Some(Replica::new(load(), &self.image));
        }
    }

    /// Returns the log messages since the last call. Each message comes with the index of the
    /// instruction that was next when it was logged.
    pub fn take_logged(&mut self) -> Vec<(RomIndex, String)> {
        std::mem::take(&mut self.logged)
    }

    // ---- Breakpoints

    /// Returns the breakpoints.
    pub fn breakpoints(&self) -> &Arc<Breakpoints> {
        &self.breakpoints
    }

    /// Adds a name for a file of the source map. Breakpoint requests can use either this name or
    /// the one in the source map.
    pub fn name_source(&mut self, name: &str, file: u16) {
        self.source_names.insert(name.to_owned(), file);
    }

    /// Returns the number of the file with this name in breakpoint requests.
    pub fn source_named(&self, name: &str) -> Option<u16> {
        self.source_names.get(name).copied()
    }

    /// Records how a file has changed since the program was assembled. The lines of breakpoint
    /// requests refer to the changed file.
    pub fn set_line_change(&mut self, file: u16, change: Option<LineChange>) {
        self.source_lines.set_change(file, change);
    }

    /// Changes the breakpoints. A run in progress continues with the changed ones.
    pub fn change_breakpoints<T>(
        &mut self,
        change: impl FnOnce(&mut Breakpoints, BindingContext) -> T,
    ) -> T {
        let Self { image, wires, source_lines: lines, source_names: sources, .. } = self;
        let scope = Scope { image, wires: wires.as_deref(), at: None };
        let breakpoints = Arc::make_mut(&mut self.breakpoints);
        let result = change(breakpoints, BindingContext { scope, lines, sources });
        let watch_set = self.watch_set([]);
        self.history.prepare(&watch_set);
        self.hits.set(watch_set, self.breakpoints.hit_conditions());
        (self.compiled, self.hit_by_input) = (None, None);
        match self.motion.take() {
            Some(Motion::Backward(run)) => {
                self.start_backward(run.goal, run.condition, run.target);
            }
            other => self.motion = other,
        }
        result
    }

    /// Returns how often the breakpoints were hit.
    pub fn hits(&mut self) -> Hits {
        self.hits.find(&self.history);
        self.hits.shown()
    }

    /// Continues the count of past hits for a slice of time. Returns true if all of them are
    /// counted.
    pub fn count_hits(&mut self) -> bool {
        let slice = self.engine().slice();
        self.hits.recount(&self.history, slice)
    }

    /// Returns the moment up to which past hits are counted, or `None` if counting is finished or
    /// was cancelled.
    pub fn counted(&self) -> Option<u64> {
        self.hits.counted()
    }

    /// Stops the counting of hits in the past.
    pub fn cancel_counting(&mut self) {
        self.hits.cancel();
    }

    /// Returns a watch set of the enabled breakpoints and these additional conditions.
    pub(super) fn watch_set(&self, extra: impl IntoIterator<Item = Condition>) -> WatchSet {
        self.breakpoints.watch_set(extra, self.history.engine(), |it| it.enabled)
    }

    // ---- Changes of the moment

    /// Gives the machine an input and forgets all later moments.
    ///
    /// During a forward run, the run continues with the hit that the input causes.
    pub fn give(&mut self, input: Input) {
        let edges = self.engine().edges();
        let forgets = !self.is_at_end();
        let watched = self.compiled.as_ref().map(|(_, watch_set)| Arc::clone(watch_set));
        let watched = watched.filter(|_| matches!(self.motion, Some(Motion::Forward { .. })));
        let hit_now = |debugger: &Self| debugger.history.hit_now(watched.as_ref()?);
        let before = hit_now(self).map_or(Matches::default(), |hit| hit.matches);
        self.history.give(input);
        if matches!(input, Input::Hold(_) | Input::Poke(..)) {
            (0..edges).for_each(|_| self.history.edge());
        }
        self.hit_by_input = hit_now(self).and_then(|hit| hit.without(before));
        self.hits.cut(self.history.moment());
        if forgets || input == Input::Reset {
            self.presses.restart(self.held());
        }
    }

    /// Like [`Self::give`], but refuses an input that the engine does not support.
    ///
    /// # Errors
    /// If the engine cannot change its registers.
    pub fn change(&mut self, input: Input) -> Result<(), ChangeError> {
        if let Input::Load(registers) = input
            && !self.engine().boxed_clone().load(registers)
        {
            return Err(ChangeError::Fixed);
        }
        self.give(input);
        Ok(())
    }

    /// Moves to a moment, or to the nearest known one, and then forward by a number of edges.
    ///
    /// If the moment is distant, this method only starts a run: then [`Self::is_busy`] is true, and
    /// [`advance`](Self::advance) continues it.
    pub fn seek(&mut self, moment: u64, edges: u32) {
        self.motion = None;
        self.move_to(Position { moment, edges }, Stop::Goal);
    }

    /// Asks why something has its value at a known moment.
    ///
    /// [`advance`](Self::advance) works on the answer and finally returns [`Stop::Answered`]. The
    /// machine does not move.
    pub fn ask(&mut self, question: Question, moment: u64) {
        let moment = moment.clamp(self.history.start(), self.history.end());
        self.trail.explanation = None;
        self.motion = Some(Motion::Explaining(Box::new(ExplanationSearch::new(question, moment))));
    }

    /// Returns the answer to the last question, once it is found.
    pub fn explanation(&self) -> Option<&Arc<Explanation>> {
        self.trail.explanation.as_ref()
    }

    /// Moves the oscillator forward by one edge, into the next phase.
    pub fn edge(&mut self) {
        let known = self.history.end();
        self.history.edge();
        self.hits.forget_present();
        if self.history.moment() > known {
            self.record_read_by_edge();
            self.release_at_end();
        }
    }

    /// Moves back by one edge of the oscillator. Returns false if that is not possible.
    pub fn edge_back(&mut self) -> bool {
        self.history.edge_back()
    }
}
