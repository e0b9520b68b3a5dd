//! The front end under random keys, pastes, clicks and size changes.

use gray1_isa::SplitMix64;
use rustix::process::Signal;

use crate::support::Bench;
use crate::support::terminal::Setup;

/// The number of checks of the screen, and of random keys typed before each check.
const ROUNDS: u64 = 10;
const KEYS: u64 = 40;

/// The bytes of special keys, mouse events and a paste.
const SEQUENCES: [&str; 16] = [
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[H",
    "\x1b[F",
    "\x1bOP",
    "\x1b[Z",
    "\t",
    "\r",
    "\x7f",
    "\x1b[<0;20;10M\x1b[<0;20;10m",
    "\x1b[<65;30;12M",
    "\x1b[200~row3 = 7\x1b[201~",
];

/// Overwrites a part of the screen, which the front end must redraw.
const SCRIBBLE: &str = "\x1b[H*** scribble ***";

#[test]
fn random_keys_do_not_break_the_front_end() {
    let bench =
        Bench::new().file("mine.asm", "        LDI  1\n        ST   0x1fe0\n        HALT\n");
    let start = || {
        let terminal = Setup::gray1(&bench.path(""), "debug queens").size(100, 40).start();
        terminal.wait_for("paused");
        terminal
    };
    let mut terminal = start();
    let mut sizes = [(100, 40); 2];
    for round in 0..ROUNDS {
        let random = &mut SplitMix64::new(round);
        for _ in 0..KEYS {
            terminal.keys(&key(random));
        }
        // One of the keys may have quit the front end.
        if terminal.has_ended() {
            std::mem::replace(&mut terminal, start()).ends_with(0);
        }
        terminal.overwrite(SCRIBBLE);
        // The new size differs from the current size and from the last one that the program may
        // know. Otherwise the program would see no change.
        let any = || (random.between(20, 160) as u16, random.between(5, 50) as u16);
        let size = std::iter::repeat_with(any).find(|size| !sizes.contains(size));
        let (columns, rows) = size.expect("there are many sizes");
        sizes = [sizes[1], (columns, rows)];
        terminal.resize(columns, rows);
        terminal.wait_until("a screen that is drawn anew", |terminal| {
            terminal.has_ended() || !terminal.text().contains("scribble")
        });
    }
    if !terminal.has_ended() {
        terminal.signal(Signal::TERM);
        terminal.ends_with(143);
    }
}

/// A random key as a terminal sends it. Other tests cover ctrl-C and ctrl-Z.
fn key(random: &mut SplitMix64) -> String {
    match random.below(4) {
        0 => SEQUENCES[random.below(SEQUENCES.len() as u64) as usize].into(),
        1 => char::from(random.between(1, 26) as u8).to_string().replace(['\x03', '\x1a'], "\x0c"),
        _ => char::from(random.between(b' '.into(), b'~'.into()) as u8).into(),
    }
}
