//! Footprints: pads, outline and marks, computed from the package. Lengths are in µm. The origin is
//! the centre of the package, and pin 1 is at the top.

use std::fmt::Write as _;

use super::super::components::Component;
use super::geometry::mm;

/// The usual distance between pins.
const PITCH: i32 = 2_540;
/// The clearance around pads and outline.
const COURTYARD: i32 = 250;
const LINE: &str = "(stroke (width 0.15) (type solid))";

/// The marks on the silkscreen in addition to the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    /// The notch of a DIP, between the first and the last pin.
    Notch,
    /// A bar next to pin 1.
    Bar,
    /// A bar next to pin 1, and a second line along the flat side.
    Flat,
    /// A plus sign next to pin 1.
    Plus,
}

/// A package with its pins in a column: the name, the number of pins, their distance, the diameter
/// of the holes, half the width and half the height of the outline, and the mark. A package as wide
/// as it is high is round.
type Column = (&'static str, u16, i32, i32, [i32; 2], Mark);
const COLUMNS: [Column; 9] = [
    ("terminal 5.08 mm", 2, 5_080, 1_300, [4_500, 5_300], Mark::Plus),
    ("axial 0.25 W", 2, 7_620, 800, [1_250, 2_800], Mark::Nothing),
    ("axial-2", 2, 7_620, 800, [1_250, 2_800], Mark::Nothing),
    ("radial 2.54 mm", 2, PITCH, 800, [1_300, 2_500], Mark::Nothing),
    ("radial", 2, PITCH, 800, [3_300, 3_300], Mark::Plus),
    ("TO-220-3", 3, PITCH, 1_100, [2_300, 5_300], Mark::Flat),
    ("LED-5.0mm-2", 2, PITCH, 900, [2_900, 2_900], Mark::Bar),
    ("TO-92-3", 3, PITCH, 800, [2_100, 3_700], Mark::Flat),
    ("LED-5.0mm-3", 3, PITCH, 900, [3_800, 3_800], Mark::Bar),
];

pub(super) struct Footprint {
    /// The name in the library.
    pub(super) name: String,
    /// The pads: the number of the pin and the position. A pin may have several pads.
    pads: Vec<(usize, [i32; 2])>,
    /// The diameter of the holes. The pads have twice that diameter.
    hole: i32,
    /// Half the width and half the height of the outline.
    pub(super) outline: [i32; 2],
    pub(super) mark: Mark,
}

impl Footprint {
    /// Returns the footprint of a component. `None` if its package is unknown.
    pub(super) fn new(component: &Component<'_>) -> Option<Self> {
        let package = component.package();
        let (kind, count) = package.rsplit_once('-').unwrap_or_default();
        let count: u16 = count.parse().unwrap_or(0);
        let length = i32::from(count) * PITCH;
        let mut name = package.replace(' ', "_");
        let (pads, hole, outline, mark) = match (kind, component.row_um()) {
            ("DIP", Some(row_um)) => {
                let row = row_um.cast_signed();
                name = format!("{name}_{}mm", mm(row));
                (dual(count, row), 800, [row / 2 - 1_200, length / 4], Mark::Notch)
            }
            ("header", _) => (header(count), 1_000, [PITCH + 100, length / 4 + 100], Mark::Nothing),
            ("SIP", _) => (column(count, PITCH), 800, [1_300, length / 2 + 100], Mark::Bar),
            // Two legs on a long side are connected internally.
            ("tactile", _) => {
                let [x, y] = [3_250, 2_250];
                let pads = vec![(1, [-x, -y]), (1, [x, -y]), (2, [-x, y]), (2, [x, y])];
                (pads, 1_000, [4_600, 3_600], Mark::Nothing)
            }
            _ => {
                let known = COLUMNS.iter().find(|known| known.0 == package)?;
                let (_, pins, pitch, hole, outline, mark) = *known;
                (column(pins, pitch), hole, outline, mark)
            }
        };
        let has_all = (1..=component.pins.len()).all(|pin| pads.iter().any(|pad| pad.0 == pin));
        has_all.then_some(Self { name, pads, hole, outline, mark })
    }

    /// Half the width and half the height, including the clearance.
    pub(super) fn extent(&self) -> [i32; 2] {
        let reach = |axis: usize| {
            let pads = self.pads.iter().map(|(_, at)| at[axis].abs() + self.hole);
            pads.max().unwrap_or(0).max(self.outline[axis]) + COURTYARD
        };
        // The polarity marks are outside of the outline.
        [reach(0) + if self.mark == Mark::Plus { 1_270 } else { 0 }, reach(1)]
    }

    /// Returns the silkscreen and the pads, rotated by `turn` degrees. `more` adds text to each
    /// pad.
    pub(super) fn items(&self, turn: i32, more: impl Fn(usize) -> String) -> String {
        let [x, y] = self.extent().map(mm);
        let courtyard = format!("(fp_rect (start -{x} -{y}) (end {x} {y}) (fill none)");
        let mut text = format!(
            "    (attr through_hole)\n{}    {courtyard} (stroke (width 0.05) (type solid)) \
             (layer \"F.CrtYd\"))\n",
            self.silkscreen(),
        );
        let (size, hole) = (mm(2 * self.hole), mm(self.hole));
        for (number, [x, y]) in &self.pads {
            let shape = if *number == 1 { "rect" } else { "circle" };
            let ([x, y], more) = ([x, y].map(|um| mm(*um)), more(*number));
            let _ = writeln!(
                text,
                "    (pad \"{number}\" thru_hole {shape} (at {x} {y} {turn}) (size {size} {size}) \
                 (drill {hole}) (layers \"*.Cu\" \"*.Mask\") (remove_unused_layers no){more})"
            );
        }
        text
    }

    fn silkscreen(&self) -> String {
        let [w, h] = self.outline;
        let [x, y] = [w, h].map(mm);
        let outline = if w == h {
            format!("fp_circle (center 0 0) (end {x} 0) (fill none)")
        } else {
            format!("fp_rect (start -{x} -{y}) (end {x} {y}) (fill none)")
        };
        let bar_y = self.pads[0].1[1] + PITCH / 2;
        let (left, above) = (-700 - w, -h / 2);
        let lines = match self.mark {
            Mark::Nothing => vec![],
            Mark::Notch => vec![[-900, -h, 0, 900 - h], [0, 900 - h, 900, -h]],
            Mark::Bar => vec![[200 - w, bar_y, w - 200, bar_y]],
            Mark::Flat => vec![[-w, bar_y, w, bar_y], [300 - w, -h, 300 - w, h]],
            // The plus sign is outside of the outline, where the mounted part does not cover it. A
            // minus sign marks the other pole.
            Mark::Plus => vec![
                [left - 500, above, left + 500, above],
                [left, above - 500, left, above + 500],
                [left - 500, -above, left + 500, -above],
            ],
        };
        let lines = lines.into_iter().map(|line| line.map(mm));
        let lines =
            lines.map(|[x1, y1, x2, y2]| format!("fp_line (start {x1} {y1}) (end {x2} {y2})"));
        let all = std::iter::once(outline).chain(lines);
        let all = all.map(|shape| format!("    ({shape} {LINE} (layer \"F.SilkS\"))\n"));
        all.collect::<Vec<_>>().concat()
    }
}

/// Pins in a column, top to bottom.
fn column(pins: u16, pitch: i32) -> Vec<(usize, [i32; 2])> {
    let y = |number: u16| (2 * i32::from(number) - 1 - i32::from(pins)) * pitch / 2;
    (1..=pins).map(|number| (number.into(), [0, y(number)])).collect()
}

/// Pins in two rows, with odd numbers on the left, as ribbon cables number them.
fn header(pins: u16) -> Vec<(usize, [i32; 2])> {
    let sides = [(1, -PITCH / 2), (0, PITCH / 2)];
    let row =
        |(number, [_, y]): (usize, [i32; 2])| sides.map(|(odd, x)| (2 * number - odd, [x, y]));
    column(pins / 2, PITCH).into_iter().flat_map(row).collect()
}

/// Pins in two rows, numbered down the left side and up the right side.
fn dual(pins: u16, row: i32) -> Vec<(usize, [i32; 2])> {
    let half = column(pins / 2, PITCH);
    let last = usize::from(pins) + 1;
    let right = half.iter().map(|(number, at)| (last - number, [row / 2, at[1]]));
    let left = half.iter().map(|(number, at)| (*number, [-row / 2, at[1]]));
    left.chain(right).collect()
}
