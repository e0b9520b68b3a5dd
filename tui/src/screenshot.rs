//! Screenshots: a script presses keys and lets time pass. The same script gives the same picture on
//! any computer.

use std::time::Duration;

use gray1_session::{Command, RunState, Session};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::actions::Effect;
use crate::app::App;
use crate::picture::{Picture, PictureFormat};
use crate::preferences::Preferences;
use crate::programs::Programs;
use crate::script::{Script, ScriptEntry};
use crate::terminal::Background;
use crate::theme::Theme;

/// The time step. At an unlimited pace the machine executes one slice in each.
const TICK: Duration = Duration::from_millis(1);
/// The number of time steps for each frame: nearly sixty frames per second.
const TICKS_A_FRAME: u32 = 16;

/// Plays a script in a session. Returns the last screen, or an animation of all screens.
pub fn screenshot(
    programs: &dyn Programs,
    mut session: Session,
    script: &Script,
    size: Size,
    format: PictureFormat,
    background: Background,
) -> String {
    let app = App::new(session.snapshot(), size, "display", Preferences::default());
    let theme = format.theme(background);
    let picture = Picture::new(format, theme);
    let now = Duration::ZERO;
    let mut player = Player { programs, session, app, size, now, theme, picture };
    player.record_frame();
    for entry in &script.0 {
        if !player.play(*entry) {
            break;
        }
    }
    player.record_screen();
    player.picture.finish()
}

struct Player<'a> {
    programs: &'a dyn Programs,
    session: Session,
    app: App,
    size: Size,
    now: Duration,
    theme: Theme,
    picture: Picture,
}

impl Player<'_> {
    /// Performs one entry of the script. Returns false when the front end has ended.
    fn play(&mut self, entry: ScriptEntry) -> bool {
        let mut continues = true;
        match entry {
            ScriptEntry::Press(key) => {
                let effect = self.app.key(key);
                continues = self.carry_out(effect);
                while let Some(name) = self.app.wanted_preview() {
                    self.app.take_preview(&name, &self.programs.preview(&name));
                }
            }
            ScriptEntry::Wait(time) => self.pass_time(time),
            ScriptEntry::WaitInstructions(count) => {
                self.session.advance_by(count);
                self.update_app();
            }
        }
        self.record_frame();
        continues
    }

    fn pass_time(&mut self, time: Duration) {
        let ticks = (time.as_millis() / TICK.as_millis()) as u32;
        for tick in 1..=ticks {
            self.session.advance(TICK);
            self.now += TICK;
            if self.picture.format.is_animated() && tick % TICKS_A_FRAME == 0 {
                self.update_app();
                self.record_screen();
            }
        }
        self.update_app();
    }

    fn carry_out(&mut self, effect: Option<Effect>) -> bool {
        match effect {
            Some(Effect::Session(command)) => self.command(command),
            Some(Effect::ListPrograms) => self.app.show_programs(self.programs.list()),
            Some(Effect::Open(name)) => {
                if let Some(load) = self.app.load_opened(&name, self.programs.open(&name)) {
                    self.command(load);
                }
            }
            Some(Effect::Quit | Effect::Interrupt) => return false,
            // There is no terminal to redraw, and no shell to return to.
            Some(Effect::Reassemble | Effect::Redraw | Effect::Suspend | Effect::Edit { .. })
            | None => {}
        }
        true
    }

    fn command(&mut self, command: Command) {
        self.session.command(command);
        // A running machine is advanced by the waits in the script.
        if self.session.run_state() != RunState::Running {
            self.session.advance(Duration::ZERO);
        }
        self.update_app();
    }

    fn update_app(&mut self) {
        self.app.update(self.session.snapshot());
    }

    fn record_frame(&mut self) {
        if self.picture.format.is_animated() {
            self.record_screen();
        }
    }

    fn record_screen(&mut self) {
        let mut cells = Buffer::empty(Rect::from(self.size));
        self.app.draw(self.theme, &mut cells);
        let spots = self.app.spots(self.theme, &cells);
        self.picture.show(self.now, cells, spots);
    }
}

#[cfg(test)]
mod tests {
    use gray1_session::Program;

    use super::*;
    use crate::programs::{ListedProgram, Preview};
    use crate::tests as testing;

    /// One program, the queens search.
    struct Queens;

    impl Programs for Queens {
        fn list(&self) -> Vec<ListedProgram> {
            vec![ListedProgram { name: "queens".into(), title: "all that there is".into() }]
        }

        fn preview(&self, _: &str) -> Preview {
            Preview::Nothing("not looked at".into())
        }

        fn open(&self, name: &str) -> Result<Program, String> {
            if name == "queens" { Ok(testing::program(name)) } else { Err("not this one".into()) }
        }
    }

    /// The result of a script for a running program that changes an LED thirty times a second.
    fn play(script: &str, format: PictureFormat) -> String {
        let session = testing::session(testing::program("counter"), false);
        screenshot(
            &Queens,
            session,
            &script.parse().unwrap(),
            Size::new(80, 24),
            format,
            Background::Dark,
        )
    }

    #[test]
    fn a_script_lets_time_pass() {
        for (script, expected) in [
            ("", "count  0 instructions"),
            ("wait:777i", "count  777 instructions"),
            ("wait:777i Space wait:10s", "count  777 instructions"),
            ("wait:0s q wait:777i", "count  0 instructions"),
            ("C-l wait:0ms", "count  0 instructions"),
        ] {
            // The pane with the registers.
            let screen = play(&format!("3 {script}"), PictureFormat::Text);
            assert!(screen.contains(expected), "{script}: {screen}");
        }
        let (short, long) = ("wait:200ms", "wait:100ms wait:100ms");
        assert_eq!(play(short, PictureFormat::Text), play(long, PictureFormat::Text));
        assert_ne!(play(short, PictureFormat::Text), play("", PictureFormat::Text));
    }

    #[test]
    fn a_script_lists_and_opens_programs() {
        let listed = play("o", PictureFormat::Text);
        assert!(listed.contains("queens  all that there is"), "{listed}");
        assert!(listed.contains("queens: not looked at"), "{listed}");
        let opened = play("o Enter", PictureFormat::Text);
        assert!(opened.starts_with(" queens  "), "{opened}");
        let refused = play("o x Enter", PictureFormat::Text);
        assert!(refused.contains("not this one"), "{refused}");
    }

    #[test]
    fn an_animation_has_frames_for_time_and_keys() {
        let times = |script| {
            let animation = play(script, PictureFormat::Cast);
            let events = animation.lines().skip(1);
            let times = events.map(|event| event[1..event.find(',').unwrap()].parse().unwrap());
            times.collect::<Vec<f64>>()
        };
        assert_eq!(times(""), [0.0]);
        // Each key opens or closes a box.
        assert_eq!(times("? Escape ?"), [0.0; 4]);
        let times = times("wait:500ms ? Escape");
        let (frames, keys) = times.split_at(times.len() - 2);
        assert!(keys.iter().all(|time| (time - 0.5).abs() < 1e-9), "{keys:?}");
        assert!(frames.len() > 10 && frames.is_sorted(), "{frames:?}");
        for time in &frames[..frames.len() - 1] {
            let frame = time / 0.016;
            assert!((frame - frame.round()).abs() < 1e-9, "{time}");
        }
    }
}
