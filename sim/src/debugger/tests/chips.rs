//! N forward and N back is the identical state, on the board too, down to every line.

use super::*;
use crate::Board;
use crate::circuit::reference::{Dice, GRAY1, board, random_program};
use crate::circuit::{self, Circuit, Panel, Settled};

/// Small enough for some hundred instructions, and yet with several snapshots.
const LIMITS: Limits = Limits { snapshots_max: 8, distance_min: 16, ..SMALL };

fn chips(board: &Board, image: &Image) -> Chips {
    let board = board.with_program(image);
    let power_up = circuit::PowerUp::holding(&board, Box::new([0; 8192]), 0, false);
    Chips::new(Panel::new(Settled::power_up(&board, &power_up).unwrap()).unwrap())
}

/// The levels of all lines.
fn lines(chips: &Chips) -> Vec<bool> {
    let circuit = chips.circuit();
    circuit.board().net_ids().map(|net| circuit.level(net)).collect()
}

#[test]
fn forward_and_back_every_line_is_where_it_was() {
    let (board, mut dice) = (board(GRAY1), Dice(1));
    for _ in 0..6 {
        let mut history = History::with_limits(chips(&board, &random_program(&mut dice)), LIMITS);
        history.advance(40);
        history.give(Input::Hold(Buttons(dice.byte())));
        history.advance(30);
        history.give(Input::Reset);
        history.advance(60);
        let mut seen = Vec::new();
        let end = history.end();
        history.seek(0);
        for moment in 0..=end {
            seen.push((history.machine().save(), lines(history.machine())));
            assert_eq!(history.moment(), moment);
            history.advance(1);
        }
        for n in [1, 2, 7, 20, 60] {
            for moment in [0, 1, 39, 40, 41, 69, 70, 71, end - 60].map(|m: u64| m.min(end - n)) {
                history.seek(moment);
                history.advance(n);
                history.seek(moment);
                let now = (history.machine().save(), lines(history.machine()));
                assert!(now == seen[moment as usize], "{n} forward and back from {moment}");
            }
        }
    }
}

#[test]
fn both_engines_find_the_same_hits() {
    let (board, mut dice) = (board(GRAY1), Dice(2));
    let texts = ["led", "write 3", "mailbox", "when [1] > A", "access 0x1fe4 if C"];
    let texts = texts.map(str::to_owned);
    for _ in 0..6 {
        let program = random_program(&mut dice);
        let lookout = lookout(&texts, &program);
        let mut board = History::with_limits(chips(&board, &program), LIMITS);
        let mut machine = History::with_limits(Machine::new(&program, PowerUp::Zero), LIMITS);
        for _ in 0..40 {
            assert_eq!(board.run(&lookout, 20), machine.run(&lookout, 20));
            assert_eq!(board.moment(), machine.moment());
        }
        let mut on_board = Search::new(&board, lookout.clone());
        let mut on_machine = Search::new(&machine, lookout);
        loop {
            let hit = last_hit(&mut on_board, &board, 100);
            assert_eq!(hit, last_hit(&mut on_machine, &machine, 100));
            if hit.is_none() {
                break;
            }
        }
    }
}
