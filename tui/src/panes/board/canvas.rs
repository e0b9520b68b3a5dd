//! A canvas of box-drawing characters. Strokes of the same owner join where they meet. Where
//! strokes of different owners cross, one passes over the other.

use gray1_board::ChipId;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::theme::Theme;

/// The owner of a stroke. Strokes of the same owner join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrokeOwner {
    /// The frame of a chip, which joins all strokes.
    Frame,
    /// The wires of a chip.
    Wires(ChipId),
}

/// The owner and the style of a stroke.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) owner: StrokeOwner,
    pub(super) is_heavy: bool,
    pub(super) style: Style,
}

/// Strokes in an area of the screen.
pub(super) struct Canvas {
    area: Rect,
    cells: Vec<CanvasCell>,
}

#[derive(Debug, Clone, Copy, Default)]
struct CanvasCell {
    owner: Option<StrokeOwner>,
    /// The weights of the strokes to the four sides, in the order of [`Side`].
    weights: [u8; 4],
    style: Style,
    head: Option<Side>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Up,
    Right,
    Down,
    Left,
}

const LIGHT: u8 = 1;
const HEAVY: u8 = 2;

/// The box-drawing characters, by the weights to the four sides as a number in base 3.
const GLYPHS: &str =
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

impl Canvas {
    pub(super) fn new(area: Rect) -> Self {
        Self { area, cells: vec![CanvasCell::default(); area.area() as usize] }
    }

    /// Adds the frame of a chip.
    pub(super) fn add_frame(&mut self, area: Rect, stroke: Stroke) {
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        let corners = [(area.x, area.y), (right, area.y), (right, bottom), (area.x, bottom)];
        let corners = corners.map(Position::from);
        for (n, from) in corners.into_iter().enumerate() {
            self.add_line(from, corners[(n + 1) % corners.len()], stroke);
        }
    }

    /// Adds a wire from the edge of a chip, with an arrowhead at its last point. A loop without
    /// room for its last leg ends in a corner, which points back to the chip.
    pub(super) fn add_wire(&mut self, points: &[Position], stroke: Stroke) {
        for pair in points.windows(2) {
            self.add_line(pair[0], pair[1], stroke);
        }
        let [first, second, ..] = points else { return };
        let [.., before, last] = points else { return };
        let head =
            if before == last { side(*first, *second).opposite() } else { side(*before, *last) };
        if let Some(cell) = self.cell(*last) {
            cell.head = Some(head);
        }
    }

    /// Adds a straight line between two points.
    fn add_line(&mut self, from: Position, to: Position, stroke: Stroke) {
        let towards = side(from, to);
        let mut at = from;
        while at != to {
            self.add_stroke(at, towards, stroke);
            at = towards.next(at);
            self.add_stroke(at, towards.opposite(), stroke);
        }
    }

    /// Adds a stroke from the middle of a cell to one of its sides. If two owners cross, the heavy
    /// one is drawn. If both are equally heavy, the vertical one is.
    fn add_stroke(&mut self, at: Position, to: Side, stroke: Stroke) {
        let weight = if stroke.is_heavy { HEAVY } else { LIGHT };
        let Some(cell) = self.cell(at) else { return };
        if cell.owner.is_some_and(|owner| owner != StrokeOwner::Frame && owner != stroke.owner) {
            if (weight, to.is_vertical()) <= (cell.weight(), cell.is_vertical()) {
                return;
            }
            *cell = CanvasCell::default();
        }
        if weight >= cell.weight() && cell.owner != Some(StrokeOwner::Frame) {
            cell.style = stroke.style;
        }
        let side = &mut cell.weights[to as usize];
        *side = weight.max(*side);
        cell.owner.get_or_insert(stroke.owner);
    }

    fn cell(&mut self, at: Position) -> Option<&mut CanvasCell> {
        let (x, y) = (at.x.checked_sub(self.area.x)?, at.y.checked_sub(self.area.y)?);
        let is_inside = x < self.area.width;
        let index = usize::from(y) * usize::from(self.area.width) + usize::from(x);
        if is_inside { self.cells.get_mut(index) } else { None }
    }

    /// Draws all strokes. Cells without a stroke are left unchanged.
    pub(super) fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let drawn = self.area.positions().zip(&self.cells);
        for (at, cell) in drawn.filter(|(_, cell)| cell.owner.is_some()) {
            buffer[at].set_char(cell.glyph(theme.unicode)).set_style(cell.style);
        }
    }
}

impl CanvasCell {
    fn weight(&self) -> u8 {
        self.weights.into_iter().max().unwrap_or_default()
    }

    fn is_vertical(&self) -> bool {
        self.weights[Side::Up as usize].max(self.weights[Side::Down as usize]) > 0
    }

    fn glyph(&self, unicode: bool) -> char {
        let [up, right, down, left] = self.weights;
        let is_level = (up, down) == (0, 0);
        let is_upright = (left, right) == (0, 0);
        match self.head {
            Some(head) => head.arrow(unicode),
            None if unicode => {
                let index = self.weights.iter().fold(0, |index, w| 3 * index + usize::from(*w));
                GLYPHS.chars().nth(index).expect("there is a character for all weights")
            }
            None if is_level => [' ', '-', '='][usize::from(self.weight())],
            None if is_upright => [' ', '|', '#'][usize::from(self.weight())],
            None => [' ', '+', '#'][usize::from(self.weight())],
        }
    }
}

impl Side {
    const fn is_vertical(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }

    const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
        }
    }

    const fn next(self, Position { x, y }: Position) -> Position {
        match self {
            Self::Up => Position { x, y: y - 1 },
            Self::Right => Position { x: x + 1, y },
            Self::Down => Position { x, y: y + 1 },
            Self::Left => Position { x: x - 1, y },
        }
    }

    const fn arrow(self, unicode: bool) -> char {
        match (self, unicode) {
            (Self::Up, true) => '▲',
            (Self::Right, true) => '▶',
            (Self::Down, true) => '▼',
            (Self::Left, true) => '◀',
            (Self::Up, false) => '^',
            (Self::Right, false) => '>',
            (Self::Down, false) => 'v',
            (Self::Left, false) => '<',
        }
    }
}

/// The direction from a point to another one in the same row or column.
fn side(from: Position, to: Position) -> Side {
    debug_assert!(from.x == to.x || from.y == to.y, "lines are straight: {from} to {to}");
    match (to.x.cmp(&from.x), to.y.cmp(&from.y)) {
        (std::cmp::Ordering::Greater, _) => Side::Right,
        (std::cmp::Ordering::Less, _) => Side::Left,
        (_, std::cmp::Ordering::Less) => Side::Up,
        _ => Side::Down,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Depth;
    use crate::tests::text;

    /// A wire: the number of its signal, whether it is heavy, and its points.
    type Drawn = (usize, bool, &'static [(u16, u16)]);

    fn draw_wires(wires: &[Drawn], unicode: bool) -> String {
        let chips: Vec<ChipId> = gray1_roms::stock().chip_ids().collect();
        let area = Rect::new(0, 0, 9, 5);
        let mut canvas = Canvas::new(area);
        let style = Style::new();
        let stroke = Stroke { owner: StrokeOwner::Frame, is_heavy: false, style };
        canvas.add_frame(Rect::new(0, 1, 3, 3), stroke);
        for (signal, is_heavy, points) in wires {
            let points: Vec<Position> = points.iter().copied().map(Position::from).collect();
            canvas.add_wire(
                &points,
                Stroke { owner: StrokeOwner::Wires(chips[*signal]), is_heavy: *is_heavy, style },
            );
        }
        let mut buffer = Buffer::empty(area);
        let theme = Theme { depth: Depth::None, unicode, ..Theme::PICTURE };
        canvas.draw(theme, &mut buffer);
        text(&buffer)
    }

    #[test]
    fn wires_of_one_owner_join_and_others_cross() {
        let fork: [Drawn; 2] =
            [(1, false, &[(2, 2), (8, 2)]), (1, true, &[(2, 2), (5, 2), (5, 4), (8, 4)])];
        assert_eq!(draw_wires(&fork, true), "\n┌─┐\n│ ┝━━┱──▶\n└─┘  ┃\n     ┗━━▶");
        assert_eq!(draw_wires(&fork, false), "\n+-+\n| #==#-->\n+-+  #\n     #==>");
        let cross = |heavy| {
            let across: &[(u16, u16)] = &[(2, 2), (8, 2)];
            let down: &[(u16, u16)] = &[(5, 0), (5, 4)];
            [
                draw_wires(&[(1, heavy, across), (2, false, down)], true),
                draw_wires(&[(2, false, down), (1, heavy, across)], true),
            ]
        };
        let over = "     ╷\n┌─┐  │\n│ ├──│──▶\n└─┘  │\n     ▼";
        assert_eq!(cross(false), [over, over], "in any order");
        let under = "     ╷\n┌─┐  │\n│ ┝━━━━━▶\n└─┘  │\n     ▼";
        assert_eq!(cross(true), [under, under]);
    }
}
