//! The front end without a terminal: a script presses the keys, and time passes as it says. The
//! same script gives the same picture, on any machine.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::actions::Effect;
use crate::app::{App, Preferences};
use crate::picture::{Picture, PictureFormat};
use crate::programs::Programs;
use crate::script::{Entry, Script};
use crate::session::Session;
use crate::theme::Theme;

/// How finely time passes. At an unlimited pace the machine executes one slice in each.
const TICK: Duration = Duration::from_millis(1);
/// How many of them a frame takes: nearly sixty frames a second.
const TICKS_A_FRAME: u32 = 16;

/// Plays a script to a session, and gives the last screen, or an animation of all.
pub fn screenshot(
    programs: &dyn Programs,
    mut session: Session,
    script: &Script,
    (width, height): (u16, u16),
    format: PictureFormat,
) -> String {
    let size = Size { width, height };
    let app = App::new(session.snapshot(), size, "display", Preferences::default());
    let (theme, moves, picture) = (format.theme(), format.moves(), Picture::new(format));
    let now = Duration::ZERO;
    let mut studio = Studio { programs, session, app, size, now, theme, moves, picture };
    studio.film();
    for entry in &script.0 {
        if !studio.play(*entry) {
            break;
        }
    }
    studio.take();
    studio.picture.finish()
}

struct Studio<'a> {
    programs: &'a dyn Programs,
    session: Session,
    app: App,
    size: Size,
    now: Duration,
    theme: Theme,
    /// Whether every screen is wanted, or the last one alone.
    moves: bool,
    picture: Picture,
}

impl Studio<'_> {
    /// Does one thing of the script. Says no when the front end has ended.
    fn play(&mut self, entry: Entry) -> bool {
        let mut goes_on = true;
        match entry {
            Entry::Press(key) => {
                let effect = self.app.key(key);
                goes_on = self.effect(effect);
                while let Some(inquiry) = self.app.inquiry() {
                    self.app.learn(inquiry.ask(self.programs));
                }
            }
            Entry::Wait(time) => self.pass(time),
            Entry::WaitInstructions(count) => {
                self.session.advance_by(count);
                self.see();
            }
        }
        self.film();
        goes_on
    }

    fn pass(&mut self, time: Duration) {
        let ticks = (time.as_millis() / TICK.as_millis()) as u32;
        for tick in 1..=ticks {
            self.session.advance(TICK);
            self.now += TICK;
            if self.moves && tick % TICKS_A_FRAME == 0 {
                self.see();
                self.take();
            }
        }
        self.see();
    }

    fn effect(&mut self, effect: Option<Effect>) -> bool {
        match effect {
            Some(Effect::Session(command)) => {
                self.session.command(command);
                self.session.advance(Duration::ZERO);
                self.see();
            }
            Some(Effect::ListPrograms) => self.app.show_programs(self.programs.list()),
            Some(Effect::Open(name)) => {
                let opened = self.programs.open(&name);
                let effect = self.app.opened(&name, opened);
                return self.effect(effect);
            }
            Some(Effect::Quit | Effect::Interrupt) => return false,
            // There is no terminal to redraw, and no shell to return to.
            Some(Effect::Redraw | Effect::Suspend) | None => {}
        }
        true
    }

    fn see(&mut self) {
        self.app.see(self.session.snapshot());
    }

    fn film(&mut self) {
        if self.moves {
            self.take();
        }
    }

    fn take(&mut self) {
        let mut cells = Buffer::empty(Rect::from(self.size));
        self.app.draw(self.theme, &mut cells);
        let spots = self.app.spots(self.theme, &cells);
        self.picture.show(self.now, cells, spots);
    }
}
