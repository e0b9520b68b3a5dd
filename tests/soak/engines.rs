//! The three engines in lockstep: a random program, and a user who steps, goes to and fro in time,
//! sets breaks, holds buttons, changes bytes, resets and loads other programs.

use std::sync::Arc;
use std::time::Duration;

use gray1_board::Board;
use gray1_circuit::Noise;
use gray1_debugger::Input;
use gray1_debugger::why::{Asked, Cell, Subject};
use gray1_isa::panel::{BUTTONS, Buttons};
use gray1_isa::{Image, Op, PowerUp, RamAddr, RomIndex, SplitMix64, Word};
use gray1_sim::{Hardware, Setup};
use gray1_tui::session::{BreakChange, Command, Destination, Due, Goal, RunState};
use gray1_tui::{Program, Session};

use super::Until;

/// What a user does to one program.
const COMMANDS: u32 = 60;
/// As far as a run goes: the timed engine takes 30 microseconds for an instruction.
const INSTRUCTIONS_MAX: u64 = 2_000;
/// Data memory that the programs use most, so that what one instruction leaves the next one finds.
const BYTES: u64 = 32;

pub(crate) fn soak(until: Until) {
    let text = include_str!("../../roms/gray1.ron");
    let board = Arc::new(
        Board::load(text, gray1_roms::parts(), |name| Err(format!("no file {name}"))).unwrap(),
    );
    until.soak(|random| {
        round(&board, random);
        std::process::id()
    });
}

fn round(board: &Arc<Board>, random: &mut SplitMix64) {
    let hardware = [
        Hardware::Instruction(None),
        Hardware::Chips(Arc::clone(board)),
        Hardware::Timed(Arc::clone(board), Noise::seeded(random.next())),
    ];
    let (image, power_up) = (program(random), PowerUp::Random(random.next()));
    let mut sessions = hardware.map(|hardware| {
        let board = Board::clone(board);
        let setup = Setup { hardware, power_up };
        let program = Program::new("random".into(), image.clone());
        Session::new(program, setup, true, Box::new(move || board.clone())).unwrap()
    });
    for n in 0..COMMANDS {
        let (now, end) = {
            let time = sessions[0].snapshot().time;
            (time.now, time.end)
        };
        let command = command(random, now, end);
        let seen = sessions.each_mut().map(|session| {
            session.command(command.clone());
            come_to_rest(session);
            Seen::of(session)
        });
        let what = format!("command {n} at {now}: {command:?}");
        assert_eq!(seen[0], seen[1], "{what}: chips");
        assert_eq!(seen[0], seen[2], "{what}: timed");
    }
}

/// A program whose jumps stay near, and most of whose operands are the same few bytes.
fn program(random: &mut SplitMix64) -> Image {
    let words: Vec<Word> = RomIndex::all()
        .map(|index| {
            let word = Word::from_bits(random.next() as u16);
            let near = index.get() + random.below(48) as u16;
            match word.op() {
                _ if random.below(64) == 0 => word,
                op @ (Op::Jc | Op::Jmp) => {
                    Word::jump(op, RomIndex::truncate(near.wrapping_sub(12)))
                }
                op @ (Op::Ld | Op::St | Op::Add | Op::Nand) => Word::data(op, byte(random)),
                Op::Ldi | Op::Shr => word,
            }
        })
        .collect();
    Image::from_words(&words).expect("as many words as an image has")
}

/// A byte of those few, the LEDs or the buttons.
fn byte(random: &mut SplitMix64) -> RamAddr {
    match random.below(8) {
        0 => BUTTONS,
        1 => RamAddr::truncate(random.between(0x1fe0, 0x1fff) as u16),
        _ => RamAddr::truncate(random.below(BYTES) as u16),
    }
}

/// What a user may do at a moment, when the past is known up to another.
fn command(random: &mut SplitMix64, now: u64, end: u64) -> Command {
    let index = RomIndex::truncate(random.below(64) as u16);
    match random.below(14) {
        0 | 1 => Command::Step,
        2 => Command::StepBack,
        3..=5 => Command::RunTo(Destination::Moment(now + random.below(INSTRUCTIONS_MAX))),
        6 => Command::Seek(random.below(end + 1)),
        7 => Command::GoBack(Goal::Breakpoint),
        8 => {
            let subject = Subject::Bits(Cell::Byte(byte(random)), random.byte() | 1);
            Command::Ask(Asked::Subject(subject))
        }
        9 => Command::Change(BreakChange::Toggle(index)),
        10 => Command::Change(BreakChange::Add(format!(
            "[{}] > {}",
            byte(random).get(),
            random.byte()
        ))),
        11 => Command::Tap(Buttons(random.byte())),
        12 => Command::ChangeState(Input::Poke(byte(random), random.byte())),
        _ if random.below(4) > 0 => Command::Reset,
        _ => Command::Load(Box::new(Program::new("another".into(), program(random)))),
    }
}

/// Lets the session do what there is to do, and time pass until no button is held.
fn come_to_rest(session: &mut Session) {
    while session.advance(Duration::ZERO) == Due::Now {}
    while let Due::After(wait) = session.advance(Duration::ZERO) {
        session.advance(wait);
    }
}

/// The view of a user.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    run_state: RunState,
    now: u64,
    registers: (u8, bool, RomIndex),
    ram: Vec<u8>,
    reason: Option<String>,
    remark: Option<String>,
    output: Vec<String>,
}

impl Seen {
    fn of(session: &mut Session) -> Self {
        let snapshot = session.snapshot();
        Self {
            run_state: snapshot.run_state,
            now: snapshot.time.now,
            registers: (snapshot.cpu.a, snapshot.cpu.carry, snapshot.cpu.pc),
            ram: snapshot.cpu.ram.to_vec(),
            reason: snapshot.stops.reason.map(|reason| format!("{reason:?}")),
            remark: snapshot.remark.map(|remark| remark.text.into_owned()),
            output: snapshot.output.lines().map(str::to_owned).collect(),
        }
    }
}
