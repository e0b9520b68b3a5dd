//! Data memory as bytes, those changed of late underlined; the byte at the cursor in words; and the
//! state of a queens search as boards.

use gray1_isa::panel::SIDE;
use gray1_isa::{Image, RamAddr, SymbolKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::first_row;
use crate::tui::memory::bytes_a_row;
use crate::tui::player::Snapshot;
use crate::tui::state::State;
use crate::tui::theme::Theme;

/// A heading, eight rows, and a free one above.
const BOARD_HEIGHT: u16 = 1 + 1 + SIDE as u16;
/// Two columns a square, and a gap.
const BOARD_WIDTH: u16 = 2 * SIDE as u16 + 2;
/// Fewer rows of bytes are not worth the boards.
const ROWS_MIN: u16 = 5;

/// Draws the bytes around the cursor, and below them what is known of the one it is on.
pub(super) fn draw(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let snapshot = &state.snapshot;
    let boards = boards(snapshot);
    let fits = boards.is_empty() || place.height < ROWS_MIN + 2 + BOARD_HEIGHT;
    let boards_height = if fits { 0 } else { BOARD_HEIGHT };
    let [bytes, words, below] = split(place, boards_height);
    draw_bytes(state, theme, bytes, buffer);
    let cursor = state.memory.cursor(snapshot);
    Line::from(in_words(snapshot, cursor, theme)).render(words, buffer);
    let mut x = below.x;
    for board in boards.iter().filter(|_| boards_height > 0) {
        if x + BOARD_WIDTH <= below.right() {
            draw_board(board, theme, Rect { x, width: BOARD_WIDTH, ..below }, buffer);
        }
        x += BOARD_WIDTH;
    }
}

/// The bytes, a row of words about one of them, the boards.
fn split(place: Rect, boards: u16) -> [Rect; 3] {
    let words = place.height.min(1);
    let bytes = place.height - words - boards;
    let below = |y, height| Rect { y: place.y + y, height, ..place };
    [below(0, bytes), below(bytes, words), below(bytes + words, boards)]
}

fn draw_bytes(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let (snapshot, row_bytes) = (&state.snapshot, bytes_a_row(place.width + 2));
    let cursor = state.memory.cursor(snapshot).to_usize();
    let rows = snapshot.ram.len() / row_bytes;
    let first = first_row(cursor / row_bytes, rows, usize::from(place.height));
    for (row, y) in (first..rows).zip(place.y..place.bottom()) {
        let start = row * row_bytes;
        let mut spans = vec![Span::styled(format!("{start:04x} "), theme.label())];
        for address in start..start + row_bytes {
            let gap = if address % 8 == 0 && address > start { "  " } else { " " };
            let style = byte_style(snapshot, RamAddr::truncate(address as u16), theme);
            let style = if address == cursor { style.patch(Theme::SELECTED) } else { style };
            spans.push(Span::raw(gap));
            spans.push(Span::styled(format!("{:02x}", snapshot.ram[address]), style));
        }
        Line::from(spans).render(Rect { y, height: 1, ..place }, buffer);
    }
}

/// How a byte looks: bold and underlined if it was written just now, underlined if it was some
/// instructions ago; faint if the program has no name for it.
fn byte_style(snapshot: &Snapshot, address: RamAddr, theme: Theme) -> Style {
    let named = snapshot.program.image.names().named_byte(address).is_some();
    let style = if named { Style::new() } else { theme.label() };
    match snapshot.trail.age(address) {
        Some(0) => theme.fresh(),
        Some(1..16) => style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Some(_) => style.add_modifier(Modifier::UNDERLINED),
        None => style,
    }
}

/// A byte in words: its name, its value, when it was written.
fn in_words(snapshot: &Snapshot, address: RamAddr, theme: Theme) -> Vec<Span<'static>> {
    let name = snapshot.program.image.names().named_byte(address).unwrap_or_default();
    let byte = snapshot.ram[address.to_usize()];
    let written = match snapshot.trail.age(address) {
        Some(0) => "  just written".to_owned(),
        Some(age) => format!("  {} instructions ago", age + 1),
        None => String::new(),
    };
    vec![
        Span::styled(format!("{:04x} ", address.get()), theme.label()),
        Span::styled(format!("{name} = {byte:02x}"), Theme::VALUE),
        Span::raw(format!("  {:04b} {:04b}  {byte}{written}", byte >> 4, byte & 0xf)),
    ]
}

/// Eight bytes that stand for the squares of a board.
struct Board {
    heading: String,
    rows: [u8; SIDE],
    /// What a square in it shows, and what one does in a row that does not count any more.
    mark: &'static str,
    stale: &'static str,
    /// How many rows count.
    valid: usize,
}

/// What a queens search keeps, if the program has variables of these names and sizes.
fn boards(snapshot: &Snapshot) -> Vec<Board> {
    let image = &snapshot.program.image;
    let rows = |first: usize| std::array::from_fn(|row| snapshot.ram[first + row]);
    let found = (find(image, "N", 1), find(image, "stack", SIDE), find(image, "excluded", 64));
    let (Some(n), Some(stack), Some(excluded)) = found else { return Vec::new() };
    let n = snapshot.ram[n];
    let placed = usize::from(n).min(SIDE - 1);
    let board = |heading: String, first, mark| Board {
        heading,
        rows: rows(first),
        mark,
        stale: mark,
        valid: SIDE,
    };
    let mut boards = vec![
        Board { valid: n.into(), stale: "q", ..board(format!("stack, N {n}"), stack, "Q") },
        board(format!("excluded[{placed}]"), excluded + SIDE * placed, "x"),
    ];
    boards.extend(find(image, "untried", SIDE).map(|first| board("untried".into(), first, "o")));
    boards
}

/// The address of a variable of this name and size.
fn find(image: &Image, name: &str, size: usize) -> Option<usize> {
    let symbol = image.symbol(name)?;
    let fits = symbol.kind == SymbolKind::Variable && usize::from(symbol.size) == size;
    fits.then(|| usize::try_from(symbol.value).ok())?
}

fn draw_board(board: &Board, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let heading = Rect { y: place.y + 1, height: 1, ..place };
    Line::styled(board.heading.as_str(), theme.label()).render(heading, buffer);
    for ((n, row), y) in board.rows.iter().enumerate().zip(place.y + 2..place.bottom()) {
        let squares = (0..SIDE).flat_map(|column| {
            let (mark, style) = match row >> column & 1 == 1 {
                true if n < board.valid => (board.mark, Theme::VALUE),
                true => (board.stale, theme.label()),
                false => (".", theme.label()),
            };
            [Span::styled(mark, style), Span::raw(" ")]
        });
        squares.collect::<Line>().render(Rect { y, height: 1, ..place }, buffer);
    }
}
