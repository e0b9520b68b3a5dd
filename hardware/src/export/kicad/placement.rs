//! Where each component is on the circuit board: the processor above, the panel below, each in
//! columns. Lengths are in µm.

use gray1_board::NetId;

use super::super::components::{
    CHIPS_OF_A_RESERVOIR, Component, ComponentKind, ComponentPin, HIGH, PinRole,
};
use super::footprint::{Footprint, Mark};
use super::group::Group;

/// Columns are divided into rows of this height: the distance of the LEDs.
const ROW: i32 = 12_700;
/// The rows of a column. As many parts of one kind begin a column of their own.
const ROWS: i32 = 8;
/// The middle of each component is on this grid.
const GRID: i32 = 635;
/// The room of a name above a component.
pub(super) const LABEL: i32 = 2 * GRID;
/// The room around a region.
pub(super) const MARGIN: i32 = 12 * 1_270;

/// A component at its place.
pub(super) struct Placed<'a> {
    pub(super) component: &'a Component<'a>,
    pub(super) footprint: Footprint,
    /// Its middle.
    pub(super) at: [i32; 2],
    /// Degrees anticlockwise.
    pub(super) turn: i32,
}

/// A component and beside it the small ones that belong to it, from an upper left corner of their
/// own.
struct Cell<'a> {
    placed: Vec<Placed<'a>>,
    size: [i32; 2],
}

/// All components at their places, and the lower right corner of the board, whose upper left one is
/// a margin away from that of the page. Nothing if the footprint of one is not known.
pub(super) fn place<'a>(
    components: &'a [Component<'a>],
    oscillator: NetId,
) -> Option<(Vec<Placed<'a>>, [i32; 2])> {
    let owners = owners(components);
    let (mut all, mut corner) = (Vec::new(), [0, MARGIN]);
    for is_panel in [false, true] {
        let turn = if is_panel { 270 } else { 0 };
        let mut cells = Vec::new();
        for (at, leader) in components.iter().enumerate() {
            let group = Group::of(leader, oscillator);
            if owners[at].is_none() && is_panel == matches!(group, Group::Panel | Group::Display) {
                let others = (0..components.len()).filter(|&other| owners[other] == Some(at));
                cells.push(Cell::new(leader, turn, others.map(|other| &components[other]))?);
            }
        }
        let [right, bottom] = arrange(cells, is_panel, corner[1] + MARGIN, &mut all);
        corner = [corner[0].max(right), bottom];
    }
    Some((all, corner.map(|end| end + MARGIN)))
}

impl<'a> Cell<'a> {
    /// A component, and others in columns at its right side.
    fn new(
        leader: &'a Component<'a>,
        turn: i32,
        others: impl Iterator<Item = &'a Component<'a>>,
    ) -> Option<Self> {
        let mut cell = Self { placed: Vec::new(), size: [0, 0] };
        let height = cell.push(leader, turn, [0, 0])?;
        let [mut left, mut top] = [cell.size[0], 0];
        for other in others {
            let [_, below] = needs(&Footprint::of(other)?, 90);
            if top > 0 && top + below > height {
                [left, top] = [cell.size[0], 0];
            }
            top += cell.push(other, 90, [left, top])?;
        }
        Some(cell)
    }

    /// Adds a component; its height.
    fn push(&mut self, component: &'a Component<'a>, turn: i32, [x, y]: [i32; 2]) -> Option<i32> {
        let footprint = Footprint::of(component)?;
        let [width, height] = needs(&footprint, turn);
        let below = label_room(&footprint);
        let at = [x + width / 2, y + below + (height - below) / 2];
        self.size = [self.size[0].max(x + width), self.size[1].max(y + height)];
        self.placed.push(Placed { component, footprint, at, turn });
        Some(height)
    }
}

/// The size of a footprint that is turned, with its name, in whole steps of the grid.
fn needs(footprint: &Footprint, turn: i32) -> [i32; 2] {
    let [w, h] = footprint.extent().map(|um| (um + GRID - 1) / GRID * GRID * 2);
    let [w, h] = if turn % 180 == 0 { [w, h] } else { [h, w] };
    [w, h + label_room(footprint)]
}

/// The room above a footprint for its name, which a DIP has inside.
fn label_room(footprint: &Footprint) -> i32 {
    if footprint.mark == Mark::Notch { 0 } else { LABEL }
}

/// Puts cells into columns, from the top of a region on; its right and lower ends. A long series
/// begins at the top of a column. Those of the panel come last, so that the LEDs stand together.
fn arrange<'a>(
    cells: Vec<Cell<'a>>,
    is_panel: bool,
    top: i32,
    all: &mut Vec<Placed<'a>>,
) -> [i32; 2] {
    let name = |cell: &Cell<'_>| cell.placed[0].footprint.name.clone();
    let runs = cells.chunk_by(|one, next| name(one) == name(next));
    let is_series: Vec<bool> =
        runs.flat_map(|run| vec![run.len() >= ROWS as usize; run.len()]).collect();
    let mut cells: Vec<(bool, Cell<'a>)> = is_series.into_iter().zip(cells).collect();
    if is_panel {
        cells.sort_by_key(|(is_series, _)| *is_series);
    }
    let [mut left, mut row, mut width, mut rows] = [2 * MARGIN, 0, 0, ROWS];
    let mut before = String::new();
    for (is_series, cell) in cells {
        let takes = (cell.size[1] + ROW - 1) / ROW;
        let begins = is_series && name(&cell) != before;
        if row > 0 && (begins || row + takes > ROWS) {
            [left, row, width] = [left + width, 0, 0];
        }
        before = name(&cell);
        let spare = (takes * ROW - cell.size[1]) / 2 / GRID * GRID;
        let corner = [left, top + row * ROW + spare];
        let moved = |at: [i32; 2]| [at[0] + corner[0], at[1] + corner[1]];
        all.extend(cell.placed.into_iter().map(|it| Placed { at: moved(it.at), ..it }));
        [row, width] = [row + takes, width.max(cell.size[0]).max(ROW)];
        rows = rows.max(row);
    }
    [left + width, top + rows * ROW]
}

/// The component that each small one belongs to: the capacitors of the supply to its pins, the
/// larger ones to the terminal and to chips all over the board, filters to the chip that drives
/// them.
fn owners(components: &[Component<'_>]) -> Vec<Option<usize>> {
    let is_supply =
        |pin: &&ComponentPin| pin.role == PinRole::Power && pin.net.as_deref() == Some(HIGH);
    let count = |at: usize| components[at].pins.iter().filter(is_supply).count();
    let mut supplied = (0..components.len()).flat_map(|at| std::iter::repeat_n(at, count(at)));
    let is_chip = |at: &usize| matches!(components[*at].kind, ComponentKind::Chip(_));
    let terminal = components.iter().position(|it| matches!(it.kind, ComponentKind::Supply));
    let chips = (0..components.len()).filter(is_chip).step_by(CHIPS_OF_A_RESERVOIR);
    let mut spread = terminal.into_iter().chain(chips);
    let owner = |component: &Component<'_>| match component.kind {
        ComponentKind::Decoupling => supplied.next(),
        ComponentKind::Reservoir => spread.next(),
        ComponentKind::FilterResistor(_, chip) | ComponentKind::FilterCapacitor(_, chip) => {
            components.iter().position(|it| it.name == chip.name())
        }
        _ => None,
    };
    components.iter().map(owner).collect()
}
