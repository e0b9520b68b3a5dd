//! Plans made ready to run: what each edge of the oscillator does, by the sequencer's index.

use super::plan::{Plan, Planner, Step, derived_in_order};
use super::sequencer::Sequencer;
use super::sight::subsets;
use super::store::Store;
use super::wiring::{
    Kind, NODES_MAX, OSCILLATOR, Outputs, Segment, Signal, Wiring, ram_cell, ram_data, segments,
};

/// The plans of a board, each made when it is first needed, and where the sequencer stands.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    sequencer: Sequencer,
    planner: Planner,
    /// The nodes with lines that nobody remembers, each after those whose lines it reads.
    derived: Vec<usize>,
    /// Where the sequencer stands, at rest; or, if it stands nowhere, behind its indexes.
    index: u16,
    /// What the next edge does, by index; the one behind them is not planned.
    rows: Vec<Row>,
    /// What the next edges do, as many as there is no need to look where the sequencer stands.
    stretches: Vec<Row>,
    look_ups: Vec<LookUp>,
    /// The lines that the sequencer reads from elsewhere, as bits of its index.
    foreign: [Segment; SEGMENTS_MAX],
    foreign_bits: u16,
}

/// What the next edge of the oscillator, or several, do at one index.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    kind: RowKind,
    /// How many edges.
    edges: u8,
    /// Whether a look-up gathers more than [`NARROW`] stretches of lines.
    wide: bool,
    /// The index after the edges, before lines from elsewhere have moved.
    next: u16,
    first: u32,
    last: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum RowKind {
    /// Nobody has come here yet.
    #[default]
    Unknown,
    /// The look-ups are all there is to it.
    Plain,
    /// Then the sequencer's lines from elsewhere have to be read again; its strobes stay.
    MovesSequencer,
    /// The same, and its strobes may answer, which is not planned.
    MovesStrobes,
    /// One more look-up gives the address and the byte that data memory takes.
    Writes,
    /// There is no plan.
    Unplanned,
}

/// How many stretches of lines a look-up gathers at most; what needs more is not planned.
const SEGMENTS_MAX: usize = 4;
/// How many are enough for most.
const NARROW: usize = 2;
/// How many edges are planned together at most: an instruction's.
const STRETCH_EDGES_MAX: u8 = 8;

/// A node to look up.
#[derive(Debug, Clone, Copy)]
struct LookUp {
    node: u8,
    /// The first byte of its contents, plus the known levels of its address.
    base: u32,
    segments: [Segment; SEGMENTS_MAX],
}

/// What came of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All lines are at rest.
    Done,
    /// So they are, and data memory took a byte.
    Wrote(u16, u8),
    /// There is no plan for this edge; nothing has moved.
    Unplanned,
}

impl Planned {
    /// The plans of a board that can be planned.
    pub(super) fn of(wiring: &Wiring) -> Option<Self> {
        let sequencer = Sequencer::of(wiring)?;
        let derived = derived_in_order(wiring, &sequencer)?;
        let bits = sequencer.foreign().map(|(bit, line)| (bit.trailing_zeros() as u8, line));
        let pins: Vec<(u8, Signal)> = bits.collect();
        let mut foreign = [Segment::default(); SEGMENTS_MAX];
        let gathered = segments(&pins, u32::MAX);
        foreign.get_mut(..gathered.len())?.copy_from_slice(&gathered);
        let mut rows = vec![Row::default(); sequencer.len() + 1];
        rows[sequencer.len()] = Row { kind: RowKind::Unplanned, edges: 1, ..Row::default() };
        Some(Self {
            stretches: rows.clone(),
            planner: Planner::new(),
            derived,
            index: sequencer.len() as u16,
            rows,
            look_ups: Vec::new(),
            foreign,
            foreign_bits: pins.iter().fold(0, |bits, (bit, _)| bits | 1 << bit),
            sequencer,
        })
    }

    /// Takes the sequencer's state from what the nodes show.
    pub(super) fn stand_at(&mut self, outputs: &Outputs) {
        let nowhere = self.sequencer.len() as u16;
        self.index = self.sequencer.index_at_rest(outputs).unwrap_or(nowhere);
    }

    fn stands_somewhere(&self) -> bool {
        usize::from(self.index) < self.sequencer.len()
    }

    /// Completes what the nodes show: the lines that the plans do not keep up to date.
    pub(super) fn complete(&self, wiring: &Wiring, store: &Store, outputs: &mut Outputs) {
        if self.stands_somewhere() {
            self.sequencer.show(self.index, outputs);
            for &node in &self.derived {
                outputs[node] = store.look_up(wiring, node, outputs);
            }
        }
    }

    /// Writes what the sequencer's nodes show.
    #[inline]
    pub(super) fn show_sequencer(&self, outputs: &mut Outputs) {
        if self.stands_somewhere() {
            self.sequencer.show(self.index, outputs);
        }
    }

    /// Whether a line has to be looked up to be known.
    pub(super) fn is_derived(&self, wiring: &Wiring, line: Signal) -> bool {
        wiring.is_derived(line) && !self.sequencer.nodes().contains(&line.node)
    }

    /// Turns the oscillator over, `limit` times at most. Says how often, and what came of it.
    #[inline]
    pub(super) fn advance(
        &mut self,
        limit: u32,
        wiring: &Wiring,
        store: &mut Store,
        outputs: &mut Outputs,
    ) -> (u32, Outcome) {
        let stretch = self.stretches[usize::from(self.index)];
        let fits = u32::from(stretch.edges) <= limit;
        let row = if fits { stretch } else { self.rows[usize::from(self.index)] };
        match row.kind {
            RowKind::Plain | RowKind::MovesSequencer | RowKind::Writes => {}
            RowKind::MovesStrobes => return (1, self.edge_that_may_fail(row, store, outputs)),
            RowKind::Unplanned => return (1, Outcome::Unplanned),
            RowKind::Unknown => {
                self.stretches[usize::from(self.index)] = self.make_stretch(wiring, store);
                return self.advance(limit, wiring, store, outputs);
            }
        }
        self.run(row, store, outputs);
        self.index = match row.kind {
            RowKind::MovesSequencer => self.reread(row.next, outputs),
            _ => row.next,
        };
        let edges = u32::from(row.edges);
        if row.kind != RowKind::Writes {
            return (edges, Outcome::Done);
        }
        let address = self.look_ups[row.last as usize].address::<SEGMENTS_MAX>(outputs);
        let (cell, byte) = (ram_cell(address), ram_data(address));
        store.memory_mut()[usize::from(cell)] = byte;
        (edges, Outcome::Wrote(cell, byte))
    }

    #[inline]
    fn run(&self, row: Row, store: &Store, outputs: &mut Outputs) {
        let look_ups = &self.look_ups[row.first as usize..row.last as usize];
        if row.wide {
            look_up_all::<SEGMENTS_MAX>(look_ups, store, outputs);
        } else {
            look_up_all::<NARROW>(look_ups, store, outputs);
        }
    }

    /// The strobes must not answer to what they have brought about: that is not planned.
    fn edge_that_may_fail(&mut self, row: Row, store: &Store, outputs: &mut Outputs) -> Outcome {
        let before = *outputs;
        self.run(row, store, outputs);
        let next = self.reread(row.next, outputs);
        if self.shows_alike(row.next, next) {
            self.index = next;
            return Outcome::Done;
        }
        *outputs = before;
        Outcome::Unplanned
    }

    /// The index with the lines from elsewhere as they are now.
    #[inline]
    fn reread(&self, index: u16, outputs: &Outputs) -> u16 {
        let bits = self.foreign.iter().fold(0, |bits, segment| bits | segment.of(outputs));
        index & !self.foreign_bits | bits as u16
    }

    /// Plans the next edges where the sequencer stands: those that only look up, and one that
    /// also does something else, so that the sequencer's way need not be known beforehand.
    #[cold]
    fn make_stretch(&mut self, wiring: &Wiring, store: &Store) -> Row {
        let mut stretch = self.row(self.index, wiring, store);
        let mut look_ups = self.look_ups[stretch.first as usize..stretch.last as usize].to_vec();
        while stretch.kind == RowKind::Plain && stretch.edges < STRETCH_EDGES_MAX {
            let row = self.row(stretch.next, wiring, store);
            if matches!(row.kind, RowKind::MovesStrobes | RowKind::Unplanned) {
                break;
            }
            let written = u32::from(row.kind == RowKind::Writes);
            let theirs = row.first as usize..(row.last + written) as usize;
            look_ups.extend_from_slice(&self.look_ups[theirs]);
            let (kind, next) = (row.kind, row.next);
            let (edges, wide) = (stretch.edges + 1, stretch.wide || row.wide);
            stretch = Row { kind, edges, wide, next, ..stretch };
        }
        if stretch.edges > 1 {
            let written = usize::from(stretch.kind == RowKind::Writes);
            stretch.first = self.look_ups.len() as u32;
            stretch.last = stretch.first + (look_ups.len() - written) as u32;
            self.look_ups.extend(look_ups);
        }
        stretch
    }

    /// The plan of one edge, made if need be.
    fn row(&mut self, index: u16, wiring: &Wiring, store: &Store) -> Row {
        if self.rows[usize::from(index)].kind == RowKind::Unknown {
            self.rows[usize::from(index)] = self.make_row(index, wiring, store);
        }
        self.rows[usize::from(index)]
    }

    /// Plans the edge at an index.
    fn make_row(&mut self, index: u16, wiring: &Wiring, store: &Store) -> Row {
        let unplanned = Row { kind: RowKind::Unplanned, edges: 1, ..Row::default() };
        let Some(next) = self.sequencer.rest(index ^ u16::from(OSCILLATOR)) else {
            return unplanned;
        };
        let plan = self.planner.plan(wiring, &self.sequencer, index, next);
        let row = plan.and_then(|plan| {
            let kind = self.kind(&plan, next)?;
            let look_ups = plan.steps.iter().map(|step| LookUp::of(step, wiring, store));
            let look_ups: Vec<LookUp> = look_ups.collect::<Option<_>>()?;
            let written = usize::from(kind == RowKind::Writes);
            let first = self.look_ups.len() as u32;
            let last = first + (look_ups.len() - written) as u32;
            let wide = plan.steps.iter().any(|step| step.segments.len() > NARROW);
            self.look_ups.extend(look_ups);
            Some(Row { kind, edges: 1, wide, next, first, last })
        });
        row.unwrap_or(unplanned)
    }

    fn kind(&self, plan: &Plan, next: u16) -> Option<RowKind> {
        let writes = plan.steps.iter().position(|step| step.writes);
        match (plan.foreign_moves, writes) {
            (0, None) => Some(RowKind::Plain),
            (0, Some(at)) if at + 1 == plan.steps.len() => Some(RowKind::Writes),
            (moves, None) if self.stays_alike(next, moves) => Some(RowKind::MovesSequencer),
            (_, None) => Some(RowKind::MovesStrobes),
            // A board that writes and moves at once is not worth a plan.
            (_, Some(_)) => None,
        }
    }

    /// Whether the sequencer shows the same at this index whatever these of its bits become.
    fn stays_alike(&self, index: u16, bits: u16) -> bool {
        subsets(u32::from(bits)).all(|set| self.shows_alike(index, index & !bits | set as u16))
    }

    /// Whether the sequencer is at rest at the other index too, and shows the same there.
    fn shows_alike(&self, index: u16, other: u16) -> bool {
        index == other
            || self.sequencer.rest(other) == Some(other)
                && self.sequencer.shown(index) == self.sequencer.shown(other)
    }
}

impl LookUp {
    /// A plan's step, if it fits.
    fn of(step: &Step, wiring: &Wiring, store: &Store) -> Option<Self> {
        let mut segments = [Segment::default(); SEGMENTS_MAX];
        segments.get_mut(..step.segments.len())?.copy_from_slice(&step.segments);
        let base = match (&wiring.nodes()[step.node].kind, step.writes) {
            (Kind::Rom(_) | Kind::Program, _) => store.first_byte(step.node) + step.levels,
            (Kind::Ram, false) => store.first_byte(step.node) + u32::from(ram_cell(step.levels)),
            (Kind::Ram, true) => step.levels,
            (Kind::Outside | Kind::Shared, _) => return None,
        };
        Some(Self { node: step.node as u8, base, segments })
    }

    /// The address, gathered from the first `N` stretches of lines.
    #[inline]
    fn address<const N: usize>(&self, outputs: &Outputs) -> u32 {
        let segments = self.segments[..N].iter();
        segments.fold(self.base, |address, segment| address + segment.of(outputs))
    }
}

#[inline]
fn look_up_all<const N: usize>(look_ups: &[LookUp], store: &Store, outputs: &mut Outputs) {
    for look_up in look_ups {
        let shown = store.byte(look_up.address::<N>(outputs));
        outputs[usize::from(look_up.node) % NODES_MAX] = shown;
    }
}
