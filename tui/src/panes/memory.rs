//! The memory pane: data memory as bytes, with recently changed ones underlined, a description of
//! the byte at the cursor, and the grids that the program declares.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::SIDE;
use gray1_isa::presentation::Grid;
use gray1_isa::{RamAddr, SymbolKind};
use gray1_language::is_plain_name;
use gray1_session::Snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Context, Cursor, Pane, PaneSpec, Placement};
use crate::actions::{
    CHANGE, FOLLOW, KeyBinding, KeyGroup, Move, Question, Reply, ShowTarget, row,
};
use crate::theme::Theme;
use crate::widgets::{self, first_line};

/// The pane.
#[derive(Debug, Default)]
pub(crate) struct MemoryPane {
    /// The byte at which the user put the cursor. `None` while the cursor follows writes.
    pinned: Option<RamAddr>,
}

/// The number of lines on a page.
const PAGE: usize = 16;
/// The height of a grid: a free line, a heading and eight rows.
const GRID_HEIGHT: u16 = 1 + 1 + SIDE as u16;
/// The width of a grid: two columns for each square, and a gap.
const GRID_WIDTH: u16 = 2 * SIDE as u16 + 2;
/// The width of an address and sixteen bytes, with spaces on both sides.
const BYTES_WIDTH: u16 = 54;
const GAP: u16 = 3;
/// The minimum number of lines of bytes that grids leave.
const LINES_MIN: u16 = 5;

impl PaneSpec for MemoryPane {
    const NAME: &'static str = "memory";
    const TITLE: &'static str = "pane: data memory";
    const MOVES: &'static [Move] = Move::ALL;
    const KEYS: &'static [KeyBinding<Self>] = &[
        FOLLOW.calls(MemoryPane::follow).when(|pane, _| pane.pinned.is_some()),
        row(CHANGE, KeyGroup::State, "set", "memory: change this byte, or a register").calls(
            |pane, snapshot| {
                let byte = snapshot.program.image.byte_at(pane.byte(snapshot), snapshot.cpu.pc);
                // The cells of the panel have names that are not symbols.
                let name = match pane.byte(snapshot) {
                    address if byte.contains(' ') => format!("{:#06x}", address.get()),
                    _ => byte,
                };
                Reply::Prompt(Question::Change, format!("{name} = "))
            },
        ),
    ];
}

impl Pane for MemoryPane {
    fn placement(&self, _: &Snapshot) -> Placement {
        Placement::Right
    }

    fn cursor(&self, snapshot: &Snapshot) -> Cursor {
        Cursor::Byte(self.byte(snapshot))
    }

    fn show(&mut self, target: &ShowTarget, _: &Snapshot) -> Option<Reply> {
        let ShowTarget::Byte(address) = target else { return None };
        self.pinned = Some(*address);
        Some(Reply::Done)
    }

    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, size: Size) -> Reply {
        let (at, line) = (self.byte(snapshot).to_usize(), bytes_per_line(size.width));
        let last = RAM_BYTES - 1;
        let down = |to: usize| if to <= last { to } else { at };
        let moved = match to {
            Move::Up => at.checked_sub(line).unwrap_or(at),
            Move::Down => down(at + line),
            Move::Left => at.saturating_sub(1),
            Move::Right => (at + 1).min(last),
            Move::PageUp => at.checked_sub(line * PAGE).unwrap_or(at % line),
            Move::PageDown => down(at + line * PAGE),
            Move::First => 0,
            Move::Last => last,
        };
        self.pinned = RamAddr::new(moved as u16);
        Reply::Done
    }

    /// Draws the bytes around the cursor, and below them the description of the byte at the cursor.
    /// Names and grids are next to them if there is room, otherwise below.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let (snapshot, theme) = (context.snapshot, context.theme);
        let [bytes, detail, names, grids] = split(snapshot, theme, area);
        let byte = self.byte(snapshot);
        widgets::draw_lines(byte_lines(snapshot, byte, theme, bytes), theme, bytes, buffer);
        widgets::draw_lines([describe_byte(snapshot, byte, theme).into()], theme, detail, buffer);
        widgets::draw_lines(name_lines(snapshot, theme, names.width.into()), theme, names, buffer);
        let (columns, rows) = (grids.width / GRID_WIDTH, grids.height / GRID_HEIGHT);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let all = &snapshot.program.image.presentation().grids;
        for (grid, (column, row)) in all.iter().zip(places) {
            let (x, y) = (grids.x + column * GRID_WIDTH, grids.y + row * GRID_HEIGHT);
            let (width, height) = (GRID_WIDTH, GRID_HEIGHT);
            draw_grid(grid, context, Rect { x, y, width, height }, buffer);
        }
    }
}

impl MemoryPane {
    fn follow(&mut self, _: &Snapshot) -> Reply {
        self.pinned = None;
        Reply::Done
    }

    /// The byte at the cursor.
    fn byte(&self, snapshot: &Snapshot) -> RamAddr {
        self.pinned.or_else(|| snapshot.cpu.recent.newest_write()).unwrap_or_default()
    }
}

/// The number of bytes in a line of this width, which also has an address.
const fn bytes_per_line(width: u16) -> usize {
    match width {
        0..32 => 4,
        32..56 => 8,
        56.. => 16,
    }
}

/// Splits an area into those for the bytes, the description of the byte at the cursor, the names
/// and the grids.
fn split(snapshot: &Snapshot, theme: Theme, area: Rect) -> [Rect; 4] {
    let room = area.width.saturating_sub(BYTES_WIDTH + GAP);
    let is_wide = room >= 2 * GRID_WIDTH;
    let x = if is_wide { area.right() - room } else { area.x };
    let side = Rect { x, width: area.right() - x, ..area };
    let has_grids = !snapshot.program.image.presentation().grids.is_empty();
    let is_low = area.height < LINES_MIN + 2 + GRID_HEIGHT;
    let grids = if has_grids && !is_low { GRID_HEIGHT } else { 0 };
    let detail = area.height.min(1);
    let upper = area.height - detail;
    let names = name_lines(snapshot, theme, side.width.into()).len() as u16;
    let names = names.min(if is_wide { upper - grids } else { (area.height - grids) / 3 });
    let (bytes, y, grids) = if is_wide {
        (upper, area.y, upper - names)
    } else {
        (upper - names - grids, area.bottom() - names - grids, grids)
    };
    let at = |area: Rect, y: u16, height: u16| Rect { y, height, ..area };
    [
        at(area, area.y, bytes),
        at(area, area.y + bytes, detail),
        at(side, y, names),
        at(side, y + names, grids),
    ]
}

/// The lines of bytes around the cursor that fit into an area.
fn byte_lines(
    snapshot: &Snapshot,
    cursor: RamAddr,
    theme: Theme,
    area: Rect,
) -> impl Iterator<Item = Line<'static>> {
    let (cursor, bytes) = (cursor.to_usize(), bytes_per_line(area.width));
    let count = RAM_BYTES / bytes;
    let first = first_line(cursor / bytes, count, usize::from(area.height));
    (first..count).map(move |line| {
        let start = line * bytes;
        let mut spans = vec![Span::styled(format!("{start:04x} "), theme.label())];
        for address in start..start + bytes {
            let byte = RamAddr::truncate(address as u16);
            let gap = if address % 8 == 0 && address > start { "  " } else { " " };
            let gap = format!("{}{}", &gap[1..], gap_before(snapshot, byte));
            let style = byte_style(snapshot, byte, theme);
            let style = if address == cursor { style.patch(Theme::SELECTED) } else { style };
            spans.push(Span::raw(gap));
            spans.push(Span::styled(format!("{:02x}", snapshot.cpu.ram[address]), style));
        }
        Line::from(spans)
    })
}

/// The global variables of the program, with up to eight of their bytes.
fn name_lines(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    const SHOWN_MAX: u16 = 8;
    let symbols = snapshot.program.image.symbols().iter();
    let variables = symbols.filter(|symbol| symbol.kind == SymbolKind::Variable);
    let own = variables.filter(|symbol| is_plain_name(&symbol.name));
    let own = own.filter_map(|symbol| Some((symbol, u16::try_from(symbol.value).ok()?)));
    let entries = own.map(|(symbol, first)| {
        let name = Span::styled(symbol.name.clone(), theme.label());
        let bytes = (0..symbol.size.min(SHOWN_MAX)).flat_map(|n| {
            let address = RamAddr::truncate(first + n);
            let byte = format!("{:02x}", snapshot.cpu.ram[address.to_usize()]);
            let gap = gap_before(snapshot, address).to_string();
            [Span::raw(gap), Span::styled(byte, byte_style(snapshot, address, theme))]
        });
        let more = if symbol.size > SHOWN_MAX { theme.ellipsis() } else { "" };
        std::iter::once(name).chain(bytes).chain([Span::raw(more)]).collect::<Line>()
    });
    widgets::flow(entries, "   ", width)
}

/// The character before a byte. It is a question mark if the byte belongs to a symbol and nothing
/// has written it.
fn gap_before(snapshot: &Snapshot, address: RamAddr) -> char {
    let named = snapshot.program.image.names().named_byte(address).is_some();
    if named && snapshot.is_unwritten(address) { '?' } else { ' ' }
}

/// The style of a byte: bold and underlined if it was just written, underlined if it was recently
/// written, faint if it does not belong to a symbol.
fn byte_style(snapshot: &Snapshot, address: RamAddr, theme: Theme) -> Style {
    let named = snapshot.program.image.names().named_byte(address).is_some();
    let style = if named { Style::new() } else { theme.label() };
    match snapshot.cpu.recent.age(address) {
        Some(0) => theme.fresh(),
        Some(1..16) => style.bold().underlined(),
        Some(_) => style.underlined(),
        None => style,
    }
}

/// A description of a byte: its name, its value, and the time of its last write.
fn describe_byte(snapshot: &Snapshot, address: RamAddr, theme: Theme) -> Vec<Span<'static>> {
    let image = &snapshot.program.image;
    let named = image.names().named_byte(address);
    let name = named.map(|_| image.byte_at(address, snapshot.cpu.pc)).unwrap_or_default();
    let byte = snapshot.cpu.ram[address.to_usize()];
    let written = match snapshot.cpu.recent.age(address) {
        Some(0) => "  just written".to_owned(),
        Some(age) => format!("  {} instructions ago", age + 1),
        None if snapshot.is_unwritten(address) => "  never written".to_owned(),
        None => String::new(),
    };
    vec![
        Span::styled(format!("{:04x} ", address.get()), theme.label()),
        Span::styled(format!("{name} = {byte:02x}"), Theme::VALUE),
        Span::raw(format!("  {:04b} {:04b}  {byte}{written}", byte >> 4, byte & 0xf)),
    ]
}

/// The heading of a grid: its start, the number of its valid rows, and its index in a series:
/// `stack, N 3`, `excluded[2]`.
fn grid_heading(grid: &Grid, snapshot: &Snapshot) -> String {
    let (names, ram) = (snapshot.program.image.names(), &snapshot.cpu.ram);
    let index = grid.index.map(|_| format!("[{}]", grid.index(ram))).unwrap_or_default();
    let rows = grid.rows.map(|rows| format!(", {} {}", names.byte(rows), ram[rows.to_usize()]));
    format!("{}{index}{}", names.byte(grid.first), rows.unwrap_or_default())
}

/// Draws a grid below its heading. Rows beyond the valid ones are faint and in lower case.
fn draw_grid(grid: &Grid, context: &Context, area: Rect, buffer: &mut Buffer) {
    let Context { snapshot, theme, .. } = *context;
    let ram = &snapshot.cpu.ram;
    let counting = grid.valid_rows(ram);
    let heading = Line::styled(grid_heading(grid, snapshot), theme.label());
    let rows = grid.shown(ram).enumerate().map(|(n, address)| {
        let (set, set_style) = if n < counting {
            (grid.mark, Theme::VALUE)
        } else {
            (grid.mark.to_ascii_lowercase(), theme.label())
        };
        let squares = (0..SIDE).flat_map(|column| {
            let is_set = ram[address.to_usize()] >> column & 1 == 1;
            let (mark, style) = if is_set { (set, set_style) } else { ('.', theme.label()) };
            [Span::styled(mark.to_string(), style), Span::raw(" ")]
        });
        squares.collect::<Line>()
    });
    widgets::draw_lines([Line::default(), heading].into_iter().chain(rows), theme, area, buffer);
}

#[cfg(test)]
mod tests {
    use gray1_session::Command;

    use super::*;
    use crate::panes::pane::DynPaneSpec as _;
    use crate::tests as testing;

    const RICH: Theme = Theme::PICTURE;

    #[test]
    fn grids_match_their_golden() {
        let program = testing::assemble(
            "
.var level
.var filled
.var maze, 2 * 8
.grid maze, 16, \"#\", index = level
.grid maze + 8, 2, \"W\", rows = filled
        LDI  1
        ST   level
        ST   filled
        LDI  0b1000_0001
        ST   maze + 8
        LDI  0b0000_0110
        ST   maze + 9
        HALT
",
        );
        let mut session = testing::session(program, true);
        (0..7).for_each(|_| session.command(Command::Step));
        let snapshot = &session.snapshot();
        let area = Rect::new(0, 0, 44, 18);
        let mut buffer = testing::draw_pane(&MemoryPane::default(), snapshot, RICH, area);
        RICH.paint(false, &mut buffer);
        testing::goldens::check("panes/grids.txt", &testing::goldens::mark_styles(&buffer, RICH));
    }

    #[test]
    fn only_grids_that_fit_are_drawn() {
        let mut session = testing::session(testing::program("queens"), true);
        let snapshot = &session.snapshot();
        assert_eq!(snapshot.program.image.presentation().grids.len(), 3);
        for (width, height, count) in [
            (80, 16, 0),
            (80, 17, 3),
            (54, 17, 3),
            (53, 17, 2),
            (36, 17, 2),
            (18, 17, 1),
            (17, 17, 0),
        ] {
            let area = Rect::new(1, 1, width, height);
            let text =
                testing::text(&testing::draw_pane(&MemoryPane::default(), snapshot, RICH, area));
            let rows = text.matches(". . . . . . . .").count();
            assert_eq!(rows, count * SIDE, "{width}x{height}: {text}");
        }
    }

    #[test]
    fn the_memory_cursor_follows_writes_until_it_is_moved() {
        let mut session = testing::session(testing::program("queens"), true);
        let mut view = MemoryPane::default();
        (0..4).for_each(|_| session.command(Command::Step));
        let snapshot = session.snapshot();
        assert_eq!(Some(view.byte(&snapshot)), snapshot.cpu.recent.newest_write());
        let size = Size::new(80, 24);
        view.move_cursor(Move::Last, &snapshot, size);
        for (to, at) in [
            (Move::Down, 0x1fff),
            (Move::Right, 0x1fff),
            (Move::Up, 0x1fef),
            (Move::Left, 0x1fee),
            (Move::PageUp, 0x1eee),
            (Move::First, 0),
            (Move::Up, 0),
            (Move::PageUp, 0),
            (Move::PageDown, 0x100),
        ] {
            view.move_cursor(to, &snapshot, size);
            assert_eq!(view.byte(&snapshot).get(), at, "{to:?}");
        }
        view.act(0, &snapshot);
        assert_eq!(Some(view.byte(&snapshot)), snapshot.cpu.recent.newest_write());
    }
}
