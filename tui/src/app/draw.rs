//! Draws the app: header, panes in their frames, overlays.

use gray1_isa::panel::Led;
use gray1_session::{RunState, StopReason};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};

use super::App;
use super::layout::{PanePlace, SCREEN_MIN, body};
use crate::leds::LedSpot;
use crate::panes::{Context, display};
use crate::terminal::Depth;
use crate::theme::Theme;
use crate::{text, widgets};

impl App {
    /// Draws the whole screen, in the app's size and with a theme.
    pub fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let theme = self.chosen_theme(theme);
        let screen = buffer.area;
        if is_too_small(screen.as_size()) {
            draw_too_small(buffer);
            return self.paint(theme, buffer);
        }
        let drawing = AppDrawing { app: self, theme };
        drawing.draw_panes(buffer);
        if !self.is_bare {
            let last = Rect { y: screen.bottom() - 1, height: 1, ..screen };
            let footer = drawing.footer(usize::from(last.width));
            widgets::draw_lines([footer], theme, last, buffer);
        }
        if let Some(answer) = &self.answer {
            answer.draw(&self.snapshot, theme, self.arrange().1, buffer);
        }
        for overlay in &self.overlays {
            overlay.draw(theme, buffer);
        }
        self.paint(theme, buffer);
    }

    fn paint(&self, theme: Theme, buffer: &mut Buffer) {
        theme.paint(self.keeps_background && self.preferences.background.is_none(), buffer);
    }

    /// The terminal's theme with the colours that the user chose.
    fn chosen_theme(&self, theme: Theme) -> Theme {
        let background = self.preferences.background.unwrap_or(theme.background);
        Theme { background, ..theme }.colored(self.preferences.colors)
    }

    /// The position of the terminal's own cursor, if there is a line to type in.
    pub fn caret(&self) -> Option<Position> {
        self.overlays.last()?.caret(self.size).filter(|_| !is_too_small(self.size))
    }

    /// The fully visible LEDs on a screen drawn with this theme, for pictures that draw them as
    /// circles.
    pub fn spots(&self, theme: Theme, drawn: &Buffer) -> Vec<LedSpot> {
        let theme = self.chosen_theme(theme);
        let screen = drawn.area;
        if is_too_small(screen.as_size()) || theme.has_letters() {
            return Vec::new();
        }
        let mut panes = Buffer::empty(screen);
        let drawing = AppDrawing { app: self, theme };
        drawing.draw_panes(&mut panes);
        self.paint(theme, &mut panes);
        let spots = self.places().into_iter().flat_map(|PanePlace { pane, area }| {
            self.panes[pane].spots(&drawing.context(pane), area)
        });
        spots.filter(|spot| spot.cells.positions().all(|at| panes[at] == drawn[at])).collect()
    }
}

/// A drawing of the app with a theme.
pub(super) struct AppDrawing<'a> {
    pub(super) app: &'a App,
    pub(super) theme: Theme,
}

impl<'a> AppDrawing<'a> {
    fn context(&self, pane: usize) -> Context<'a> {
        Context {
            snapshot: &self.app.snapshot,
            theme: self.theme,
            is_in_front: pane == self.app.front,
            buttons_have_keys: self.app.buttons_have_keys,
            answer: self.app.answer.as_ref().map(|answer| &*answer.explanation),
        }
    }

    fn draw_panes(&self, buffer: &mut Buffer) {
        for place in self.app.places() {
            self.draw_pane(place, buffer);
        }
        if !self.app.is_bare {
            self.draw_header(Rect { height: 1, ..buffer.area }, buffer);
        }
        if !self.app.overlays.is_empty() && self.theme.depth > Depth::None {
            self.dim(buffer);
        }
    }

    /// Dims the panes outside a box, except the LEDs, so that they are not taken for a part of the
    /// box.
    fn dim(&self, buffer: &mut Buffer) {
        let mut colors = vec![self.theme.panel().bg];
        colors.extend(Led::ALL.map(|led| Some(self.theme.led_color(led))));
        for cell in buffer.content.iter_mut().filter(|cell| !colors.contains(&Some(cell.bg))) {
            (cell.modifier, cell.bg) = (Modifier::empty(), Color::Reset);
            cell.set_style(self.theme.line());
        }
    }

    /// Draws a pane in its frame. The frame shows whether the pane has the keys.
    fn draw_pane(&self, PanePlace { pane, area }: PanePlace, buffer: &mut Buffer) {
        let (theme, context) = (self.theme, self.context(pane));
        let (is_in_front, pane) = (context.is_in_front, &*self.app.panes[pane]);
        if self.app.is_bare || !pane.is_framed() {
            return pane.draw(&context, area, buffer);
        }
        let name = format!(" {} ", pane.name());
        let mut title = vec![Span::styled(name, theme.pane_title(is_in_front))];
        if let Some(subtitle) = pane.subtitle(&self.app.snapshot) {
            title.push(Span::styled(format!(" {subtitle} "), theme.label()));
        }
        let title = widgets::clip_title(title.into(), theme, area);
        let block = Block::bordered().border_style(theme.pane_line(is_in_front)).title(title);
        let inside = widgets::draw_frame(block, theme, area, buffer);
        pane.draw(&context, inside, buffer);
    }

    /// Draws the program, its state and the reason for its stop. On a small screen, it also draws
    /// the first line of the display's panel.
    fn draw_header(&self, area: Rect, buffer: &mut Buffer) {
        let (theme, snapshot) = (self.theme, &*self.app.snapshot);
        let is_small = !display::has_panel(body(self.app.size));
        let watching = self.app.shows_display();
        let margin = u16::from(!is_small);
        let word = state_word(snapshot.run_state);
        let mut x = area.right() - margin - word.len() as u16;
        buffer.set_string(x, area.y, word, theme.run_state(snapshot.run_state));
        if self.app.has_new_source {
            let news = if is_small { SHORT_NEWS } else { NEWS };
            x = x.saturating_sub(news.len() as u16 + 1).max(margin + 1);
            buffer.set_stringn(x, area.y, news, usize::from(area.right() - x), theme.alert());
        }

        let name = Span::styled(text::printable(&snapshot.program.name), Theme::VALUE);
        let area = Rect { x: margin, width: x - margin - 1, ..area };
        let rest = match &snapshot.stops.reason {
            Some(reason) if !reason.hits.is_empty() || !watching => {
                return explain(reason, name, usize::from(area.width), theme).render(area, buffer);
            }
            _ if is_small => {
                let values = widgets::values(snapshot, theme);
                values.flat_map(|value| std::iter::once(Span::raw("  ")).chain(value)).collect()
            }
            _ => {
                let title = snapshot.program.image.title().map(text::printable).into_iter();
                let spans = title.map(|it| [Span::raw("  "), Span::styled(it, theme.label())]);
                spans.flatten().collect::<Vec<_>>()
            }
        };
        let left = std::iter::once(name).chain(rest).collect::<Line>();
        widgets::clip(left, 0, area.width.into(), theme).render(area, buffer);
    }
}

/// The header's words when a source has changed, and those for a small screen.
const NEWS: &str = "source changed: R assembles again";
const SHORT_NEWS: &str = "R: new source";
/// From this width on, the program's name is always shown.
const NAMED_FROM: usize = 80;
/// The maximum length of the list of the breakpoints that were hit, in characters.
const HITS_WIDTH_MAX: usize = 40;

/// Whether a screen is too small to show anything but a message.
pub(super) fn is_too_small(screen: Size) -> bool {
    screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height
}

/// Draws the message that the screen is too small.
fn draw_too_small(buffer: &mut Buffer) {
    let (is, needs) = (buffer.area, SCREEN_MIN);
    let message = format!("needs {needs}, this is {}", is.as_size());
    let lines = text::wrap(&message, usize::from(is.width));
    let top = is.height.saturating_sub(lines.len() as u16) / 2;
    for (line, y) in lines.iter().zip(top..is.height) {
        let x = (is.width - (line.trim_end().len() as u16).min(is.width)) / 2;
        buffer.set_stringn(x, y, line, usize::from(is.width), ratatui::style::Style::new());
    }
}

/// The name of the program, the breakpoints that were hit, and the effect of the last instruction.
/// If the width is too small, the name is left out first, then the middle of the effect. The file
/// and line at its end matter most.
fn explain(reason: &StopReason, name: Span<'static>, width: usize, theme: Theme) -> Line<'static> {
    let hits = match &reason.hits[..] {
        [] => String::new(),
        hits => {
            let hits = text::printable(&hits.join(", "));
            format!("break {}: ", text::truncate(&hits, HITS_WIDTH_MAX, theme.ellipsis()))
        }
    };
    let effect = text::printable(&reason.text);
    let length = hits.chars().count() + effect.chars().count();
    let name_width = name.width() + "  ".len();
    let has_room = name_width + length <= width || width >= NAMED_FROM;
    let left = width.saturating_sub(hits.chars().count() + if has_room { name_width } else { 0 });
    let effect = text::shorten(&effect, left, theme.ellipsis());
    let reason = [Span::styled(hits, theme.alert()), Span::styled(effect, theme.label())];
    let name = has_room.then(|| [name, Span::raw("  ")]);
    name.into_iter().flatten().chain(reason).collect()
}

fn state_word(run_state: RunState) -> &'static str {
    match run_state {
        RunState::Running => "running",
        RunState::Paused => "paused",
        RunState::Seeking(_) => "seeking",
        RunState::Searching => "searching",
        RunState::Halted => "halted",
    }
}

#[cfg(test)]
mod tests {
    use gray1_session::Snapshot;

    use super::*;
    use crate::tests as testing;

    #[test]
    fn the_message_about_a_small_screen_is_centred() {
        let sizes = (1..=24).flat_map(|width| (1..=15).map(move |height| Size { width, height }));
        for size in sizes.filter(|size| is_too_small(*size)) {
            let mut app = testing::app("queens");
            app.resize(size);
            let mut buffer = Buffer::empty(Rect::from(size));
            app.draw(Theme::PICTURE, &mut buffer);
            let screen = testing::text(&buffer);
            let message: String = format!("needs 20x12, this is {size}");
            let bare = |text: &str| text.replace([' ', '\n'], "");
            assert!(bare(&message).starts_with(&bare(&screen)), "{size}: {screen}");
            let lines: Vec<&str> = screen.split('\n').collect();
            let count = lines.iter().filter(|line| !line.is_empty()).count();
            let above = lines.iter().position(|line| !line.is_empty()).unwrap();
            assert_eq!(above, (usize::from(size.height) - count) / 2, "{size}: {screen}");
            if count < lines.len() {
                assert_eq!(bare(&message), bare(&screen), "{size}");
            }
            for line in lines.iter().filter(|line| !line.is_empty()) {
                let left = line.len() - line.trim_start().len();
                let right = usize::from(size.width) - line.len();
                assert!((left..=left + 1).contains(&right), "{size}: {screen}");
            }
        }
    }

    #[test]
    fn the_header_drops_the_program_name_before_the_stop_reason() {
        let reason = |hits: &[&str]| StopReason {
            hits: hits.iter().map(|&it| it.to_owned()).collect(),
            text: "A: 00 -> 01 by LDI at x (a.asm:1)".to_owned(),
            is_effect: true,
        };
        for (hits, width, expected) in [
            (&[][..], 38, "own  A: 00 -> 01 by LDI at x (a.asm:1)"),
            (&[], 37, "A: 00 -> 01 by LDI at x (a.asm:1)"),
            (&[], 32, "A: 00 -> 01 by LDI at… (a.asm:1)"),
            (&["x", "y"], 50, "own  break x, y: A: 00 -> 01 by LDI at x (a.asm:1)"),
            (&["x", "y"], 49, "break x, y: A: 00 -> 01 by LDI at x (a.asm:1)"),
            (
                &["led 0, 3", "write 0x1fe0", "when [0x1fe0] == 0xf8"],
                79,
                "break led 0, 3, write 0x1fe0, when [0x1fe0] =…: A: 00 -> 01 by LDI a… (a.asm:1)",
            ),
            (&["x", "y"], 44, "break x, y: A: 00 -> 01 by LDI at… (a.asm:1)"),
        ] {
            let line = explain(&reason(hits), Span::raw("own"), width, Theme::PICTURE);
            assert_eq!(line.to_string(), expected, "{width}");
        }
    }

    #[test]
    fn the_context_line_uses_the_program_name_for_printed_lines() {
        for (name, keys) in [
            ("queens", "s/S step  w why  ] next solution  [ previous solution"),
            ("life", "s/S step  w why  ]/[ printed line"),
        ] {
            let mut app = testing::app(name);
            app.resize(Size::new(100, 30));
            let mut buffer = Buffer::empty(Rect::from(app.size));
            app.draw(Theme::PICTURE, &mut buffer);
            let screen = testing::text(&buffer);
            assert!(screen.lines().last().unwrap().contains(keys), "{screen}");
        }
    }

    #[test]
    fn the_space_key_is_labelled_run_or_pause_by_state() {
        let mut session = testing::session(testing::program("queens"), true);
        let mut app = testing::app_of(&mut session, Size::new(80, 24), "display");
        for (run_state, word, keys) in [
            (RunState::Running, "running", " space pause "),
            (RunState::Seeking(None), "seeking", " space pause "),
            (RunState::Paused, "paused", " space run "),
            (RunState::Halted, "halted", " r reset  q quit "),
        ] {
            app.update(Snapshot { run_state, ..session.snapshot() });
            let mut buffer = Buffer::empty(Rect::from(app.size));
            app.draw(Theme::PICTURE, &mut buffer);
            let screen = testing::text(&buffer);
            assert!(screen.lines().next().unwrap().ends_with(word), "{screen}");
            assert!(screen.lines().last().unwrap().starts_with(keys), "{screen}");
        }
    }
}
