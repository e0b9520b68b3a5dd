//! Checks that the sentences about a board's phases are true.
//!
//! Each is compared with the active strobes, the chips that changed and the bytes on the wires, in
//! every phase of every instruction, with the carry clear and set.

use std::collections::BTreeSet;
use std::ops::Range;

use gray1_board::Board;
use gray1_isa::{Image, Op, PowerUp, RamAddr, RomIndex, Word};
use gray1_sim::{BoardEngine, Engine};

const ADDRESS: RamAddr = RamAddr::truncate(5);
const TARGET: RomIndex = RomIndex::truncate(0x155);

/// A phase of an instruction on a running board.
struct Moment<'a> {
    board: &'a Board,
    before: Vec<bool>,
    now: Vec<bool>,
    sentence: &'a str,
    /// The value of A before the instruction, the byte in memory, and the number in the
    /// instruction.
    a: u8,
    byte: u8,
    number: u8,
}

impl Moment<'_> {
    fn level(&self, wire: &str) -> bool {
        self.now[self.board.net_named(wire).unwrap().index()]
    }

    fn is_on(&self, strobe: &str) -> bool {
        self.level(strobe) != (strobe == "nWE")
    }

    fn on(&self) -> BTreeSet<&'static str> {
        let strobes = ["IRH_EN", "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR"];
        strobes.into_iter().filter(|strobe| self.is_on(strobe)).collect()
    }

    fn number(&self, bus: &str, bits: Range<u8>) -> u8 {
        (0..).zip(bits).fold(0, |number, (bit, wire)| {
            number | u8::from(self.level(&format!("{bus}.{wire}"))) << bit
        })
    }

    fn byte(&self, bus: &str) -> u8 {
        self.number(bus, 0..8)
    }

    fn moved(&self, bus: &str, mut bits: Range<u8>) -> bool {
        bits.any(|bit| {
            let wire = self.board.net_named(&format!("{bus}.{bit}")).unwrap().index();
            self.before[wire] != self.now[wire]
        })
    }

    /// Returns true if the program counter is at the first byte of this instruction.
    fn is_at(&self, index: RomIndex) -> bool {
        let [low, high] = ["PCL", "PCH"].map(|bus| u16::from(self.number(bus, 0..7)));
        self.board.code().decode(low | high << 7) == 2 * index.get()
    }

    /// Returns true if AM is open and takes this value from the arithmetic chips.
    fn takes(&self, value: u8) -> bool {
        let tables = self.number("ALUL", 0..4) | self.number("ALUH", 0..4) << 4;
        self.is_on("AM_EN") && (self.byte("AM"), tables) == (value, value)
    }

    /// Returns true if FLAGS is open and takes this carry from the arithmetic chips.
    fn takes_carry(&self, carry: bool) -> bool {
        self.is_on("CM_EN") && self.level("ALUH.4") == carry && self.level("FLAGS.0") == carry
    }
}

type Claim = (&'static str, fn(&Moment) -> bool);

/// The check for each part of a sentence.
const CLAIMS: &[Claim] = &[
    ("steps on", |it| it.moved("PCL", 0..7) && !it.is_on("PC_LOAD")),
    ("first byte of an instruction", |it| !it.level("PHASE.2")),
    ("still held at the target", |it| it.is_on("PC_LOAD") && it.is_at(TARGET)),
    ("PROG shows the first byte", |it| !it.level("PHASE.2") && !it.moved("PROG", 0..8)),
    ("IRH does not take", |it| !it.is_on("IRH_EN") && !it.moved("IRH", 0..8)),
    ("IRH takes", |it| it.is_on("IRH_EN") && it.byte("IRH") == it.byte("PROG")),
    ("IRH keeps", |it| !it.is_on("IRH_EN") && !it.moved("IRH", 0..8)),
    ("IRL takes", |it| it.is_on("IRL_EN") && it.byte("IRL") == it.byte("PROG")),
    ("second byte", |it| it.level("PHASE.2")),
    ("number in the instruction", |it| it.byte("IRL") == it.number && it.takes(it.number)),
    ("memory puts its byte", |it| !it.is_on("nWE") && it.byte("BUS") == it.byte),
    ("AM takes", |it| it.is_on("AM_EN")),
    ("AM takes it through", |it| it.takes(it.byte)),
    ("A plus a byte of memory. AM takes it", |it| it.takes(it.a.wrapping_add(it.byte))),
    ("FLAGS the carry", |it| it.takes_carry(it.a.checked_add(it.byte).is_none())),
    ("A NAND a byte of memory, and AM takes", |it| it.takes(!(it.a & it.byte))),
    ("A shifted right. AM takes it", |it| it.takes(it.a >> 1)),
    ("FLAGS the lowest bit", |it| it.takes_carry(it.a & 1 == 1)),
    ("No chip takes anything", |it| it.on().is_empty()),
    ("write begins", |it| !it.is_on("nWE")),
    ("target of the jump waits in", |it| !it.is_on("IRH_EN") && !it.is_on("IRL_EN")),
    ("because the carry is 1", |it| it.level("FLAGS.1")),
    ("is 0, so", |it| !it.level("FLAGS.1") && !it.is_on("PC_LOAD")),
    ("nothing happens", |it| it.on().is_empty()),
    ("AM keeps", |it| !it.is_on("AM_EN") && !it.moved("AM", 0..8)),
    ("AS still shows the old", |it| !it.is_on("AS_EN") && it.byte("AS") == it.a),
    ("BUF puts A on the bus", |it| it.is_on("nWE") && it.byte("BUS") == it.a),
    ("the memory takes it", |it| it.is_on("nWE")),
    ("AS takes", |it| it.is_on("AS_EN") && it.byte("AS") == it.byte("AM")),
    ("FLAGS shows the new", |it| it.is_on("AS_EN") && it.level("FLAGS.1") == it.level("FLAGS.0")),
    ("The memory keeps the byte", |it| !it.is_on("nWE") && it.byte("BUS") == it.a),
    ("counter takes the target", |it| it.is_on("PC_LOAD") && it.is_at(TARGET)),
];

/// Bits that are allowed to change only if the sentence contains one of these phrases.
const MOVES: [(&str, Range<u8>, &[&str]); 8] = [
    ("PCL", 0..7, &["counter steps on", "counter takes the target"]),
    ("PCH", 0..7, &["counter steps on", "counter takes the target"]),
    ("IRH", 0..8, &["IRH takes"]),
    ("IRL", 0..8, &["IRL takes"]),
    ("AM", 0..8, &["AM takes"]),
    ("AS", 0..8, &["AS takes"]),
    ("FLAGS", 0..1, &["FLAGS the carry", "FLAGS the lowest bit"]),
    ("FLAGS", 1..2, &["FLAGS shows the new carry"]),
];

/// Executes an instruction with this carry, this A and this byte in memory. Calls `show` for each
/// phase, up to T0 of the next instruction.
fn phases(
    board: &Board,
    word: Word,
    carry: bool,
    [a, byte]: [u8; 2],
    mut show: impl FnMut(usize, &Moment),
) {
    let [store, add] = [Op::St, Op::Add].map(|op| Word::data(op, ADDRESS));
    let ones = Word::ldi(if carry { 0xff } else { 0 });
    let words = [ones, store, add, Word::ldi(byte), store, Word::ldi(a), word];
    let board = &board.with_program(&Image::from_words(&words).unwrap());
    let mut engine = BoardEngine::settled(board, PowerUp::Zero).unwrap();
    let levels = |engine: &dyn Engine| engine.circuit().unwrap().levels();
    engine.run(5);
    (0..7).for_each(|_| _ = engine.edge());
    let mut before = levels(&engine);
    for phase in 0..9 {
        engine.edge();
        let now = levels(&engine);
        let sentence = board.phase_sentence(|net| now[net.index()]);
        let moment = Moment { board, before, now, sentence, a, byte, number: word.immediate() };
        show(phase, &moment);
        before = moment.now;
    }
}

#[test]
fn every_sentence_about_a_phase_is_true() {
    let at = |op| Word::data(op, ADDRESS);
    let jump = |op| Word::jump(op, TARGET);
    let words = [
        Word::ldi(0x3c),
        at(Op::Ld),
        at(Op::St),
        at(Op::Add),
        at(Op::Nand),
        Word::shr(),
        jump(Op::Jc),
        jump(Op::Jmp),
    ];
    assert_eq!(words.map(Word::op), Op::ALL);
    for name in gray1_roms::names() {
        let board = gray1_roms::built_in(name).unwrap();
        let mut proved = BTreeSet::new();
        for (word, carry, values) in words.into_iter().flat_map(|word| {
            [false, true].into_iter().flat_map(move |carry| {
                [[0, 0], [0x5a, 0x33], [0xa5, 0xcc], [0xff, 0x0f]]
                    .map(|values| (word, carry, values))
            })
        }) {
            phases(&board, word, carry, values, |phase, moment| {
                let sentence = moment.sentence;
                let about = format!("{name}, T{phase} of {word:?}, C = {carry}: {sentence}");
                let stated = board.phase_sentences().iter().find(|it| it.says == sentence);
                let stated = stated.unwrap_or_else(|| panic!("{about}"));
                let on = stated.on.iter().map(|net| board.net(*net).name());
                assert_eq!(moment.on(), on.collect(), "{about}");
                let claims = CLAIMS.iter().filter(|(claim, _)| sentence.contains(claim));
                for (claim, holds) in claims {
                    assert!(holds(moment), "{about}: {claim}");
                    proved.insert((sentence.to_owned(), *claim));
                }
                for (bus, bits, words) in MOVES {
                    let is_said = words.iter().any(|words| sentence.contains(words));
                    assert!(is_said || !moment.moved(bus, bits), "{about}: {bus} moved");
                }
            });
        }
        let (said, claims): (BTreeSet<_>, BTreeSet<_>) = proved.into_iter().unzip();
        assert_eq!(said, board.phase_sentences().iter().map(|it| it.says.clone()).collect());
        assert_eq!(claims, CLAIMS.iter().map(|(claim, _)| *claim).collect());
    }
}
