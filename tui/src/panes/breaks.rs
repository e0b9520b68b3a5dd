//! The breaks pane: breakpoints with their hit counts, and watched expressions with their values.

use gray1_debugger::{Breakpoint, Expression, Value};
use gray1_session::{BreakChange, Command, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};

use super::{Context, Cursor, Pane, PaneSpec, Placement};
use crate::actions::{ENTER, KeyBinding, KeyGroup, Move, Question, Reply, row};
use crate::key::{Key, KeyCode};
use crate::text;
use crate::theme::Theme;
use crate::widgets::{self, first_line};

/// The pane. Breakpoints come before watches in its list.
#[derive(Debug, Default)]
pub(crate) struct BreaksPane {
    selected: usize,
}

/// An entry of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListEntry {
    /// The breakpoint with this number.
    Break(usize),
    /// The watch with this number.
    Watch(usize),
}

const REMOVE: &[Key] = &[Key::plain(KeyCode::Delete), Key::plain(KeyCode::Backspace)];
/// The number of entries on a page.
const PAGE: usize = 16;

/// Advice for an empty list.
const EMPTY: [&str; 3] = [
    "no breaks and no watches",
    "b: break here, B: break at anything else",
    "a: watch an expression",
];

impl PaneSpec for BreaksPane {
    const NAME: &'static str = "breaks and watches";
    const TITLE: &'static str = "pane: breaks and watches";
    const MOVES: &'static [Move] = Move::VERTICAL;
    const KEYS: &'static [KeyBinding<Self>] = &[
        row(ENTER, KeyGroup::Breaks, "change", "change this break or watch")
            .calls(BreaksPane::change)
            .when(|pane, snapshot| pane.entry(snapshot).is_some()),
        row(&[Key::char('x')], KeyGroup::Breaks, "off/on", "switch this break off or on")
            .calls(BreaksPane::switch)
            .when(|pane, snapshot| matches!(pane.entry(snapshot), Some(ListEntry::Break(_)))),
        row(REMOVE, KeyGroup::Breaks, "remove", "remove this break or watch")
            .calls(BreaksPane::remove)
            .when(|pane, snapshot| pane.entry(snapshot).is_some()),
    ];
}

impl Pane for BreaksPane {
    fn placement(&self, snapshot: &Snapshot) -> Placement {
        Placement::BelowSource(count(snapshot).try_into().unwrap_or(u16::MAX))
    }

    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, _: Size) -> Reply {
        let last = count(snapshot).saturating_sub(1);
        self.selected = to.along(self.selected.min(last), last, PAGE);
        Reply::Done
    }

    /// The byte of the selected watch, if it watches one.
    fn cursor(&self, snapshot: &Snapshot) -> Cursor {
        let watch = match self.entry(snapshot) {
            Some(ListEntry::Watch(number)) => snapshot.stops.watches.get(number),
            _ => None,
        };
        let expression = watch.and_then(|text| Expression::parse(text, snapshot.scope()).ok());
        match expression.and_then(|expression| snapshot.value(&expression)) {
            Some(Value::Data(byte, _)) => Cursor::Byte(byte),
            _ => Cursor::Elsewhere,
        }
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let (snapshot, theme) = (context.snapshot, context.theme);
        let breaks = snapshot.stops.breaks.list().iter().enumerate();
        let breaks = breaks.map(|(number, entry)| break_line(entry, number, snapshot, theme));
        let watches = snapshot.stops.watches.iter().map(|watch| watch_line(watch, snapshot, theme));
        let list: Vec<Line> = breaks.chain(watches).collect();
        if list.is_empty() {
            let lines = EMPTY.map(|line| Line::styled(line, theme.label()));
            return widgets::draw_lines(lines, theme, area, buffer);
        }
        let selected = self.selected.min(list.len() - 1);
        let first = first_line(selected, list.len(), usize::from(area.height));
        widgets::draw_list(list, (first, selected), theme, area, buffer);
    }
}

impl BreaksPane {
    fn change(&mut self, snapshot: &Snapshot) -> Reply {
        match self.entry(snapshot) {
            Some(ListEntry::Break(number)) => {
                let text = snapshot.stops.breaks.list()[number].text().to_owned();
                Reply::Prompt(Question::ChangeBreak(number), text)
            }
            Some(ListEntry::Watch(number)) => {
                Reply::Prompt(Question::ChangeWatch(number), snapshot.stops.watches[number].clone())
            }
            None => Reply::Done,
        }
    }

    fn switch(&mut self, snapshot: &Snapshot) -> Reply {
        match self.entry(snapshot) {
            Some(ListEntry::Break(number)) => {
                Reply::command(Command::Change(BreakChange::Switch(number)))
            }
            Some(ListEntry::Watch(_)) | None => Reply::Done,
        }
    }

    fn remove(&mut self, snapshot: &Snapshot) -> Reply {
        match self.entry(snapshot) {
            Some(ListEntry::Break(number)) => {
                Reply::command(Command::Change(BreakChange::Remove(number)))
            }
            Some(ListEntry::Watch(number)) => {
                Reply::command(Command::Change(BreakChange::Unwatch(number)))
            }
            None => Reply::Done,
        }
    }

    /// The selected entry, if there is one.
    fn entry(&self, snapshot: &Snapshot) -> Option<ListEntry> {
        let breaks = snapshot.stops.breaks.list().len();
        let place = self.selected.min(count(snapshot).checked_sub(1)?);
        Some(place.checked_sub(breaks).map_or(ListEntry::Break(place), ListEntry::Watch))
    }
}

fn count(snapshot: &Snapshot) -> usize {
    snapshot.stops.breaks.list().len() + snapshot.stops.watches.len()
}

/// A line for a breakpoint: whether it is on, its hits, its condition, and its error.
fn break_line(entry: &Breakpoint, n: usize, snapshot: &Snapshot, theme: Theme) -> Line<'static> {
    let hits = &snapshot.stops.hits;
    let (state, count) = match (&entry.bound, entry.enabled) {
        (Err(_), _) => ("waits", String::new()),
        (Ok(_), true) => {
            let state = if entry.log_message().is_some() { "log" } else { "break" };
            (state, hits.counts.get(n).map_or(String::new(), u64::to_string))
        }
        (Ok(_), false) => ("off", String::new()),
    };
    let mut line =
        widgets::entry(format!("{state:<5} {count:>4} "), text::printable(entry.text()), theme);
    if let Err(problem) = &entry.bound {
        // The condition is next to the column number, and the advice needs the room.
        let (place, reason) = problem.split_once(": ").unwrap_or_default();
        let is_place = place.starts_with("column ");
        let problem = text::printable(if is_place { reason } else { problem });
        line.push_span(Span::styled(format!("  {problem}"), theme.alert()));
    } else if entry.enabled && hits.from > 0 {
        let counted = hits.counted.map(|it| format!(", counting: {}", text::grouped(it)));
        let since = format!("  since {}{}", text::grouped(hits.from), counted.unwrap_or_default());
        line.push_span(Span::styled(since, theme.label()));
    }
    line
}

/// A line for a watched expression and its value.
fn watch_line(watch: &str, snapshot: &Snapshot, theme: Theme) -> Line<'static> {
    let label = Span::styled("watch      ", theme.label());
    let value = text::printable(&value(watch, snapshot));
    let watch = Span::raw(format!("{}  ", text::printable(watch)));
    Line::from(vec![label, watch, Span::styled(value, Theme::VALUE)])
}

/// The current value of a watched expression. For a data address, also the byte there.
fn value(watch: &str, snapshot: &Snapshot) -> String {
    let expression = Expression::parse(watch, &*snapshot.program.image);
    match expression.map(|expression| snapshot.value(&expression)) {
        Ok(Some(Value::Number(number))) => format!("{number}  {number:#x}"),
        Ok(Some(Value::Data(address, byte))) => {
            let remark = if snapshot.is_unwritten(address) { "  never written" } else { "" };
            format!("{:#06x}: {byte}  {byte:#x}{remark}", address.get())
        }
        Ok(None) => "no value".to_owned(),
        Err(problem) => problem.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panes::pane::DynPaneSpec as _;
    use crate::tests as testing;

    #[test]
    fn editing_an_entry_affects_only_that_entry() {
        let mut session = testing::session(testing::program("queens"), true);
        for text in ["1", "2", "3"] {
            session.command(Command::Change(BreakChange::Add(text.into())));
        }
        for text in ["A", "PC"] {
            session.command(Command::Change(BreakChange::Watch(text.into())));
        }
        let (snapshot, size) = (session.snapshot(), Size::new(80, 24));
        let said = |reply: Reply| match reply {
            Reply::Prompt(ask, text) => format!("{ask:?} {text}"),
            Reply::Ask(crate::Effect::Session(Command::Change(change))) => format!("{change:?}"),
            Reply::Done => "nothing".to_owned(),
            other => panic!("{other:?}"),
        };
        let mut pane = BreaksPane::default();
        for (change, switch, remove) in [
            ("ChangeBreak(0) 1", "Switch(0)", "Remove(0)"),
            ("ChangeBreak(1) 2", "Switch(1)", "Remove(1)"),
            ("ChangeBreak(2) 3", "Switch(2)", "Remove(2)"),
            ("ChangeWatch(0) A", "nothing", "Unwatch(0)"),
            ("ChangeWatch(1) PC", "nothing", "Unwatch(1)"),
        ] {
            assert_eq!(
                [0, 1, 2].map(|row| said(pane.act(row, &snapshot))),
                [change, switch, remove]
            );
            let useful = [0, 1, 2].map(|row| pane.is_useful(row, &snapshot));
            assert_eq!(useful, [true, switch != "nothing", true]);
            pane.move_cursor(Move::Down, &snapshot, size);
        }
        let mut empty = testing::session(testing::program("queens"), true);
        let snapshot = empty.snapshot();
        assert_eq!([0, 1, 2].map(|row| said(pane.act(row, &snapshot))), ["nothing"; 3]);
        assert_eq!([0, 1, 2].map(|row| pane.is_useful(row, &snapshot)), [false; 3]);
    }
}
