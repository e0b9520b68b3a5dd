//! Draws the app: header, panes in their frames, footer, overlays.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};

use super::App;
use super::keys::Entry;
use super::layout::{Place, SCREEN_MIN, body};
use crate::leds::Spot;
use crate::panes::{Context, display};
use crate::session::{Command, Reason, Status};
use crate::theme::Theme;
use crate::{text, widgets};

impl App {
    /// Draws everything on a screen of the size that the app was told last, for a terminal that can
    /// do what this theme says. Changes nothing.
    pub fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let theme = theme.colored(self.preferences.colors, self.depth_max);
        let screen = buffer.area;
        if is_too_small(screen.as_size()) {
            return too_small(buffer);
        }
        self.draw_header(theme, Rect { height: 1, ..screen }, buffer);
        self.draw_panes(theme, buffer);
        let last = Rect { y: screen.bottom() - 1, height: 1, ..screen };
        self.footer(theme, usize::from(last.width)).render(last, buffer);
        for overlay in &self.overlays {
            overlay.draw(theme, buffer);
        }
    }

    /// The round LEDs that can be seen whole on a screen that was drawn for this theme.
    pub(crate) fn spots(&self, theme: Theme, drawn: &Buffer) -> Vec<Spot> {
        let theme = theme.colored(self.preferences.colors, self.depth_max);
        let screen = drawn.area;
        if is_too_small(screen.as_size()) || theme.has_letters() {
            return Vec::new();
        }
        let mut panes = Buffer::empty(screen);
        self.draw_panes(theme, &mut panes);
        let is_free = |spot: &Spot| spot.cells.positions().all(|at| panes[at] == drawn[at]);
        let spots = self.places().into_iter().flat_map(|Place { pane, area }| {
            self.panes[pane].spots(&self.context(theme, pane), area)
        });
        spots.filter(is_free).collect()
    }

    fn context(&self, theme: Theme, pane: usize) -> Context<'_> {
        Context {
            snapshot: &self.snapshot,
            theme,
            is_in_front: pane == self.front,
            buttons_have_keys: self.buttons_have_keys,
        }
    }

    fn draw_panes(&self, theme: Theme, buffer: &mut Buffer) {
        for place in self.places() {
            self.draw_pane(theme, place, buffer);
        }
    }

    /// A pane in its frame, which says whether it has the keys.
    fn draw_pane(&self, theme: Theme, Place { pane, area }: Place, buffer: &mut Buffer) {
        let context = self.context(theme, pane);
        let (is_in_front, pane) = (context.is_in_front, &*self.panes[pane]);
        if !pane.is_framed() {
            return pane.draw(&context, area, buffer);
        }
        let name = format!(" {} ", pane.name());
        let mut title = vec![Span::styled(name, theme.pane_title(is_in_front))];
        if let Some(subtitle) = pane.subtitle(&self.snapshot) {
            title.push(Span::styled(format!(" {subtitle} "), theme.label()));
        }
        let block = Block::bordered().border_style(theme.pane_line(is_in_front)).title(title);
        let inside = widgets::frame(block, theme, area, buffer);
        pane.draw(&context, inside, buffer);
    }

    /// The program and what it does, and why it stands where it stands; on a small screen also what
    /// the display's panel would say first.
    fn draw_header(&self, theme: Theme, area: Rect, buffer: &mut Buffer) {
        let snapshot = &self.snapshot;
        let (is_small, watching) = (!display::has_panel(body(self.size)), self.front == 0);
        let margin = u16::from(!is_small);
        let status = status_word(snapshot.status);
        let x = area.right() - margin - status.len() as u16;
        buffer.set_string(x, area.y, status, theme.status(snapshot.status));

        let name = Span::styled(text::printable(&snapshot.program.name), Theme::VALUE);
        let area = Rect { x: margin, width: x - margin - 1, ..area };
        let rest = match &snapshot.stops.reason {
            Some(reason) if !reason.met.is_empty() || !watching => {
                return why(reason, name, usize::from(area.width), theme).render(area, buffer);
            }
            _ if is_small => {
                let values = widgets::values(snapshot, theme);
                values.flat_map(|value| std::iter::once(Span::raw("  ")).chain(value)).collect()
            }
            _ => {
                let title = snapshot.program.image.title().map(text::printable);
                let spans =
                    title.map(|title| [Span::raw("  "), Span::styled(title, theme.label())]);
                spans.into_iter().flatten().collect::<Vec<_>>()
            }
        };
        let left = std::iter::once(name).chain(rest).collect::<Line>();
        widgets::cut(left, area.width.into(), theme).render(area, buffer);
    }

    /// A note if there is one, else the keys that fit.
    fn footer(&self, theme: Theme, width: usize) -> Line<'static> {
        match &self.note {
            Some(note) => Line::styled(format!(" {note}"), theme.alert()),
            None => self.context_line(theme, width),
        }
    }

    /// The keys that are of use now, what matters most first, as far as the width goes. Those of
    /// buttons that are held stand out.
    fn context_line(&self, theme: Theme, width: usize) -> Line<'static> {
        let mut spans = Vec::new();
        let mut used = 0;
        for entries in self.offered().chunk_by(|a, b| a.row.label == b.row.label) {
            let keys: Vec<String> = entries.iter().map(|it| it.row.keys[0].to_string()).collect();
            let label = self.label(&entries[0]);
            let columns = " ".len() + keys.join("/").len() + " ".len() + label.len();
            if used + columns > width {
                break;
            }
            used += columns + " ".len();
            let mut between = " ";
            for (entry, key) in entries.iter().zip(keys) {
                let style = if self.is_held(entry) { Theme::SELECTED } else { theme.key() };
                spans.extend([Span::raw(between), Span::styled(key, style)]);
                between = "/";
            }
            spans.push(Span::styled(format!(" {label} "), theme.label()));
        }
        Line::from(spans)
    }

    /// The rows that the context line offers.
    fn offered(&self) -> Vec<Entry> {
        let has_ended = self.has_ended();
        let offered = |entry: &Entry| {
            let is_void = has_ended && entry.command().is_some_and(Command::needs_a_future);
            !entry.row.label.is_empty() && entry.is_useful && !is_void && self.works(entry)
        };
        let mut entries: Vec<Entry> = self.entries().into_iter().filter(offered).collect();
        // What is left to do with a program that has ended.
        let is_reset = |entry: &Entry| matches!(entry.command(), Some(Command::Reset));
        entries.sort_by_key(|entry| !(has_ended && is_reset(entry)));
        entries
    }

    /// What a row would do now, in a word.
    fn label(&self, entry: &Entry) -> &'static str {
        let is_under_way = !matches!(self.snapshot.status, Status::Paused | Status::Halted);
        match entry.command() {
            Some(Command::RunOrPause) if is_under_way => "pause",
            _ => entry.row.label,
        }
    }

    /// Whether a row stands for a button that is held.
    fn is_held(&self, entry: &Entry) -> bool {
        match entry.command() {
            Some(Command::Hold(button)) => self.snapshot.buttons.0 & button.0 != 0,
            _ => false,
        }
    }
}

/// How much is said of the breaks that are met.
const MET_WIDTH_MAX: usize = 40;

/// Whether a screen has no room for anything but the words that say so.
pub(super) fn is_too_small(screen: Size) -> bool {
    screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height
}

/// Says what is missing.
fn too_small(buffer: &mut Buffer) {
    let (is, needs) = (buffer.area, SCREEN_MIN);
    let message = format!("needs {needs}, this is {}", is.as_size());
    let lines = text::wrap(&message, usize::from(is.width));
    let top = is.height.saturating_sub(lines.len() as u16) / 2;
    for (line, y) in lines.iter().zip(top..is.height) {
        let x = (is.width - (line.trim_end().len() as u16).min(is.width)) / 2;
        buffer.set_stringn(x, y, line, usize::from(is.width), ratatui::style::Style::new());
    }
}

/// The name of the program, the breaks that are met here, and what the last instruction did. Where
/// the width is too small, the name goes first, then the middle of the words: file and line at the
/// end matter most.
fn why(reason: &Reason, name: Span<'static>, width: usize, theme: Theme) -> Line<'static> {
    let met = match &reason.met[..] {
        [] => String::new(),
        met => {
            let met = text::printable(&met.join(", "));
            format!("break {}: ", text::fitted(&met, MET_WIDTH_MAX, theme.ellipsis()))
        }
    };
    let words = text::printable(&reason.text);
    let length = met.chars().count() + words.chars().count();
    let has_room = name.width() + "  ".len() + length <= width;
    let left = width.saturating_sub(met.chars().count());
    let words = text::shorten(&words, left, theme.ellipsis());
    let reason = [Span::styled(met, theme.alert()), Span::styled(words, theme.label())];
    let name = has_room.then(|| [name, Span::raw("  ")]);
    name.into_iter().flatten().chain(reason).collect()
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Paused => "paused",
        Status::Seeking => "seeking",
        Status::Searching => "searching",
        Status::Halted => "halted",
    }
}
