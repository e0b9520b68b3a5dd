//! How long an instruction takes: in a run by remembered cycles, and on boards whose phases do not
//! follow one another as they should.

use gray1_board::{ChipId, NetId};
use gray1_circuit::Unsettled;
use gray1_isa::Write;

use super::*;

/// A settled circuit that counts the edges that it is asked for one by one.
#[derive(Debug, Clone)]
struct Counting {
    circuit: Settled,
    edges: u32,
}

impl Circuit for Counting {
    fn board(&self) -> &Board {
        self.circuit.board()
    }

    fn edge(&mut self) -> Result<(), Box<Unsettled>> {
        self.edges += 1;
        self.circuit.edge()
    }

    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>> {
        self.circuit.set_reset(high)
    }

    fn poke(&mut self, address: RamAddr, byte: u8) -> Result<(), Box<Unsettled>> {
        self.circuit.poke(address, byte)
    }

    fn level(&self, net: NetId) -> bool {
        self.circuit.level(net)
    }

    fn probe(&self, nets: &[NetId]) -> Probe {
        self.circuit.probe(nets)
    }

    fn read(&self, probe: &Probe) -> u32 {
        self.circuit.read(probe)
    }

    fn shown(&self, chip: ChipId) -> u8 {
        self.circuit.shown(chip)
    }

    fn memory(&self) -> &[u8; RAM_BYTES] {
        self.circuit.memory()
    }

    fn writes(&self) -> &[Write] {
        self.circuit.writes()
    }

    fn forget_writes(&mut self) {
        self.circuit.forget_writes();
    }
}

impl Restorable for Counting {
    const SLICE: u64 = Settled::SLICE;

    fn save(&self) -> CircuitState {
        Restorable::save(&self.circuit)
    }

    fn restore(&mut self, state: &CircuitState) {
        Restorable::restore(&mut self.circuit, state);
    }

    fn load(&mut self, registers: Registers) -> bool {
        self.circuit.load(registers)
    }

    fn run_cycles(
        &mut self,
        phase: &Probe,
        limit: u64,
        stops_before: impl Fn(&Cycle) -> bool,
    ) -> u64 {
        Restorable::run_cycles(&mut self.circuit, phase, limit, stops_before)
    }
}

/// A run that goes edge by edge ends alike, and takes ten times as long.
#[test]
fn a_run_goes_by_remembered_cycles() {
    let [again, elsewhere] = [1, 9].map(RomIndex::truncate);
    let words = [Word::ldi(1), Word::data(Op::Add, BUTTONS), Word::jump(Op::Jmp, again)];
    let circuit = computer(&words, PowerUp::Zero).into_circuit();
    let mut computer = Computer::new(Counting { circuit, edges: 0 }).unwrap();
    computer.circuit.edges = 0;
    // After a reset the first instruction begins in T1.
    assert_eq!((computer.run(1000), computer.circuit.edges), (1000, 7));
    computer.watch(&[elsewhere].into_iter().collect());
    assert_eq!((computer.run_to_watched(1000), computer.circuit.edges), (1000, 7));
    // The instruction that it stops before.
    computer.watch(&[again].into_iter().collect());
    assert_eq!((computer.run(1000), computer.circuit.edges), (1000, 7));
    assert_eq!((computer.run_to_watched(10), computer.pc(), computer.circuit.edges), (1, again, 7));
    assert_eq!((computer.run_to_watched(10), computer.circuit.edges), (0, 7));
    // One that is under way.
    computer.edge();
    assert_eq!((computer.run(10), computer.executed(), computer.circuit.edges), (10, 3011, 15));
}

/// The stock board with wrong bits where the oscillator falls in T3.
fn with_another_phase_after_t3(phase: Phase) -> Computer<Settled> {
    let words = [Word::ldi(0x11), Word::data(Op::St, RamAddr::truncate(5)), Word::ldi(0x22)];
    let stock = board_with(&Image::from_words(&words).unwrap());
    let wrong = (Phase::T4.code() ^ phase.code()) as u8;
    let address = (Phase::T3.code() as usize) << 2;
    let board = stock.with_wrong_bits(stock.chip_named("PHASE").unwrap(), address, wrong);
    Computer::settled(&board, PowerUp::Zero).unwrap()
}

#[test]
fn an_instruction_takes_eight_edges_at_least_and_ends_in_t0() {
    // T6 after T3: T0 comes every six edges.
    let computer = with_another_phase_after_t3(Phase::T6);
    let [mut by_edges, mut by_steps, mut running] = [(); 3].map(|()| computer.clone());
    for edges in [11, 12, 12, 12] {
        let needed = (1..100).find(|_| by_edges.edge().is_some());
        assert_eq!(needed, Some(edges), "the first one begins in T1");
        by_steps.step();
        assert_eq!((by_steps.phase(), by_steps.edges()), (Phase::T0, 0));
        assert_eq!(by_steps.save(), by_edges.save());
    }
    assert_eq!(running.run(4), 4);
    assert_eq!(running.save(), by_edges.save());
}

#[test]
fn a_phase_that_never_comes_is_an_error() {
    // T2 after T3: they follow one another for ever.
    let mut computer = with_another_phase_after_t3(Phase::T2);
    let [mut stepping, mut running] = [(); 2].map(|()| computer.clone());
    for edge in 0..EDGES_MAX {
        assert_eq!((computer.edges(), computer.edge()), (edge, None));
    }
    assert!(!computer.halted());
    assert_eq!((stepping.step(), running.run(10)), (None, 0));
    computer.edge();
    for mut computer in [computer, stepping, running] {
        assert_eq!(computer.error(), Some(&EngineError::NoPhase));
        assert!(computer.halted() && computer.executed() == 0);
        // It is shown as far as the phase says.
        assert_eq!((computer.phase(), computer.edges()), (Phase::T3, 2));
        assert_eq!((computer.step(), computer.edge(), computer.run(1)), (None, None, 0));
        computer.reset();
        assert!(computer.error().is_none() && !computer.halted());
    }
}
