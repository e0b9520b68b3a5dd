//! The position of each component on the circuit board. `gray1-b` has a board that was placed by
//! hand. On other boards, the processor is at the top and the panel below, both in columns. Lengths
//! are in µm.

use std::fmt::Write as _;
use std::io::Read as _;

use flate2::read::GzDecoder;
use gray1_board::NetId;

use super::super::components::{
    CHIPS_OF_A_RESERVOIR, Component, ComponentKind, ComponentPin, HIGH, PinRole,
};
use super::circuit_board;
use super::footprint::Footprint;
use super::group::Group;
use super::uuid::uuid;

/// The height of the rows in a column, which is the distance between LEDs.
const ROW: i32 = 12_700;
/// The number of rows in a column. A series of at least this many parts of one kind starts a new
/// column.
const ROWS: i32 = 8;
/// The grid for the centre of each component.
const GRID: i32 = 635;
/// The space for the name above a component.
pub(super) const LABEL: i32 = 2 * GRID;
/// The space around a region.
pub(super) const MARGIN: i32 = 12 * 1_270;

/// The distance between the centre of a screw hole and the edges of the board.
const FROM_EDGE: i32 = 5_080;

/// A component and its position.
pub(super) struct Placed<'a> {
    pub(super) component: &'a Component<'a>,
    pub(super) footprint: Footprint,
    /// The position of its centre.
    pub(super) at: [i32; 2],
    /// The rotation in degrees, anticlockwise.
    pub(super) turn: i32,
}

/// A component with the small components next to it. Positions are relative to the upper left
/// corner.
struct Cell<'a> {
    placed: Vec<Placed<'a>>,
    size: [i32; 2],
}

/// The layout of a circuit board. Its upper left corner is a margin away from the corner of the
/// page.
pub(super) struct Plan<'a> {
    /// All components with their positions.
    pub(super) placed: Vec<Placed<'a>>,
    /// The lower right corner.
    pub(super) corner: [i32; 2],
    /// The left end of the title.
    pub(super) title: [i32; 2],
    /// The centres of the screw holes.
    pub(super) holes: Vec<[i32; 2]>,
    /// Tracks, vias and lettering in KiCad's format. Empty for a board that is not routed.
    pub(super) tracks: String,
}

/// The layout of `gray1-b`, placed by hand and routed. Its first line identifies the wiring for
/// which it was made. The next lines have positions and tracks. docs/BUILD-IT.md says how it was
/// made.
const ROUTED: &[u8] = include_bytes!("gray1-b.routed.gz");

/// Returns the routed layout if it is for these components, otherwise a layout in columns without
/// tracks. `None` if the footprint of a component is unknown.
pub(super) fn lay_out<'a>(components: &'a [Component<'a>], oscillator: NetId) -> Option<Plan<'a>> {
    read_routed(components).or_else(|| arrange_in_columns(components, oscillator))
}

/// Returns the routed layout if the components have its footprints and nets, even if the parts
/// differ.
fn read_routed<'a>(components: &'a [Component<'a>]) -> Option<Plan<'a>> {
    let mut text = String::new();
    GzDecoder::new(ROUTED).read_to_string(&mut text).expect("a file that is built in is whole");
    let (head, tracks) = text.split_once("\n\n")?;
    let head = head.strip_prefix(&identify_wiring(components)?)?;
    let [mut corner, mut title, mut holes] = [const { Vec::new() }; 3];
    let mut placed = Vec::new();
    for line in head.lines().skip(1) {
        let mut words = line.split(' ');
        let name = words.next()?;
        let numbers: Vec<i32> = words.filter_map(|word| word.parse().ok()).collect();
        let [x, y, ref turn @ ..] = numbers[..] else { return None };
        match name {
            "corner" => corner.push([x, y]),
            "title" => title.push([x, y]),
            "hole" => holes.push([x, y]),
            _ => {
                let component = components.iter().find(|it| it.reference == name)?;
                let footprint = Footprint::new(component)?;
                placed.push(Placed { component, footprint, at: [x, y], turn: *turn.first()? });
            }
        }
    }
    Some(Plan {
        placed,
        corner: corner.pop()?,
        title: title.pop()?,
        holes,
        tracks: tracks.to_owned(),
    })
}

/// Returns an identifier for the footprints and nets of these components.
fn identify_wiring(components: &[Component<'_>]) -> Option<String> {
    let mut all = String::new();
    for component in components {
        let nets: Vec<String> = circuit_board::nets(component).collect();
        let footprint = Footprint::new(component)?;
        let _ = writeln!(all, "{} {} {nets:?}", component.reference, footprint.name);
    }
    Some(uuid(&all))
}

/// Returns a layout in columns, without tracks.
fn arrange_in_columns<'a>(components: &'a [Component<'a>], oscillator: NetId) -> Option<Plan<'a>> {
    let owners = find_owners(components);
    let (mut placed, mut corner) = (Vec::new(), [0, MARGIN]);
    for is_panel in [false, true] {
        let turn = if is_panel { 270 } else { 0 };
        let mut cells = Vec::new();
        for (at, leader) in components.iter().enumerate() {
            let group = Group::new(leader, oscillator);
            if owners[at].is_none() && is_panel == matches!(group, Group::Panel | Group::Display) {
                let others = (0..components.len()).filter(|&other| owners[other] == Some(at));
                cells.push(Cell::new(leader, turn, others.map(|other| &components[other]))?);
            }
        }
        let [right, bottom] = arrange(cells, is_panel, corner[1] + MARGIN, &mut placed);
        corner = [corner[0].max(right), bottom];
    }
    let corner = corner.map(|end| end + MARGIN);
    let first = MARGIN + FROM_EDGE;
    let [right, bottom] = corner.map(|end| end - FROM_EDGE);
    let holes = vec![[first, first], [right, first], [first, bottom], [right, bottom]];
    Some(Plan { placed, corner, title: [2 * MARGIN, first], holes, tracks: String::new() })
}

impl<'a> Cell<'a> {
    /// Places a component, with others in columns to its right.
    fn new(
        leader: &'a Component<'a>,
        turn: i32,
        others: impl Iterator<Item = &'a Component<'a>>,
    ) -> Option<Self> {
        let mut cell = Self { placed: Vec::new(), size: [0, 0] };
        let height = cell.push(leader, turn, [0, 0])?;
        let [mut left, mut top] = [cell.size[0], 0];
        for other in others {
            let [_, below] = measure(&Footprint::new(other)?, 90);
            if top > 0 && top + below > height {
                [left, top] = [cell.size[0], 0];
            }
            top += cell.push(other, 90, [left, top])?;
        }
        Some(cell)
    }

    /// Adds a component and returns its height.
    fn push(&mut self, component: &'a Component<'a>, turn: i32, [x, y]: [i32; 2]) -> Option<i32> {
        let footprint = Footprint::new(component)?;
        let [width, height] = measure(&footprint, turn);
        let at = [x + width / 2, y + LABEL + (height - LABEL) / 2];
        self.size = [self.size[0].max(x + width), self.size[1].max(y + height)];
        self.placed.push(Placed { component, footprint, at, turn });
        Some(height)
    }
}

/// The size of a rotated footprint with the name above it, rounded up to the grid.
fn measure(footprint: &Footprint, turn: i32) -> [i32; 2] {
    let [w, h] = footprint.extent().map(|um| (um + GRID - 1) / GRID * GRID * 2);
    let [w, h] = if turn % 180 == 0 { [w, h] } else { [h, w] };
    [w, h + LABEL]
}

/// Arranges cells in columns, starting at the top of a region. Returns the right and bottom edges
/// of the arrangement. A long series starts at the top of a column. The panel's long series come
/// last, so that the LEDs are next to each other.
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

/// Returns the component that each small component is placed next to. Decoupling capacitors belong
/// to supply pins, and larger capacitors to the supply terminal and to evenly distributed chips.
/// Filters belong to the chip that drives them.
fn find_owners(components: &[Component<'_>]) -> Vec<Option<usize>> {
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

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1_B, load};

    use super::super::super::components::list_components;
    use super::*;

    /// If the file were for different wiring, `gray1-b` would lose its tracks without any error.
    #[test]
    fn the_stock_board_gets_its_routed_tracks() {
        let board = load(GRAY1_B).unwrap();
        let components = list_components(&board).unwrap();
        let plan = lay_out(&components, board.oscillator()).unwrap();
        let expected = identify_wiring(&components).unwrap();
        assert!(plan.tracks.contains("(segment "), "the file has to begin with {expected}");
        assert_eq!((plan.placed.len(), plan.holes.len()), (components.len(), 9));
    }
}
