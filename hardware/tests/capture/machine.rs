//! The machine as `docs/MACHINE.md` describes it: the chips of both boards, their wires, and what
//! is burned into them. It shares the names of the wires with the product, and nothing else.

/// T0 to T7.
const PHASES: [u32; 8] = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];
/// The phase in which `ST` writes. A write that ends as T7 begins keeps AS closed there.
const WRITE_PHASE: usize = 6;

/// The board without a panel: chip, wires of the address pins, wires of the data pins.
const PROCESSOR: [[&str; 3]; 14] = [
    ["PHASE", "OSC RST PHASE.0-2", "PHASE.0-2"],
    ["CTRL", "PHASE.0-2 IRH.5-7 FLAGS.1 RST", "IRH_EN IRL_EN AM_EN CM_EN nWE AS_EN PC_LOAD CLR"],
    ["PCH", "PCH.0-6 T.6-12 PCL.7 PC_LOAD CLR", "PCH.0-7"],
    ["PCL", "PCL.0-7 T.0-5 PCH.7 PHASE.2 PC_LOAD CLR", "PCL.0-7"],
    ["PROG", "PCL.0-6 PCH.0-6", "PROG.0-7"],
    ["IRH", "PROG.0-7 IRH.0-7 IRH_EN", "IRH.0-7"],
    ["IRL", "PROG.0-7 IRL.0-7 IRL_EN", "IRL.0-7"],
    ["ALUL", "AS.0-3 BUS.0-3 IRL.0-3 IRH.5-7 0 AS.4", "ALUL.0-4"],
    ["ALUH", "AS.4-7 BUS.4-7 IRL.4-7 IRH.5-7 ALUL.4 0", "ALUH.0-4"],
    ["AM", "ALUL.0-3 ALUH.0-3 AM.0-7 AM_EN", "AM.0-7"],
    ["AS", "AM.0-7 AS.0-7 AS_EN", "AS.0-7"],
    ["FLAGS", "ALUH.4 CM_EN AS_EN FLAGS.0-1", "FLAGS.0-1"],
    ["BUF", "AS.0-7", "BUS.0-7"],
    ["RAM", "T.0-12", "BUS.0-7"],
];

/// What the board of parts sold today has besides, but for its sixteen latches.
const PANEL: [[&str; 3]; 5] = [
    ["SELECT", "T.0-12", "GREEN RED MAIL BUTTONS"],
    ["INPUT", "BUS.0-7 BUTTON.0-7 BUTTONS", "DATA.0-7"],
    ["ROW_GREEN", "T.0-2 nWE 0 GREEN", "GREEN_EN.0-7"],
    ["ROW_RED", "T.0-2 nWE 0 RED", "RED_EN.0-7"],
    ["MAILER", "0 0 0 nWE 0 MAIL", "MAILBOX"],
];

/// A machine without its delays.
pub(crate) struct Machine {
    /// The names of the wires.
    pub(crate) wires: Vec<String>,
    pub(crate) chips: Vec<MachineChip>,
    /// The program, a byte for each address of PROG.
    program: Vec<u8>,
    pub(crate) write_low: usize,
}

/// A chip and its wires.
pub(crate) struct MachineChip {
    pub(crate) name: String,
    /// `None` is a pin at 0 V.
    pub(crate) address: Vec<Option<usize>>,
    pub(crate) data: Vec<usize>,
    /// The level of nWE at which it drives its wires, if not at both.
    pub(crate) drives_at: Option<bool>,
    pub(crate) does: ChipRule,
}

/// What a chip shows at its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChipRule {
    Table(Vec<u8>),
    /// The address pins 0 to 7 while pin 8 is high, and what it showed otherwise.
    Transparent,
    Memory,
}

/// The wires of a list such as `PHASE.0-2 T.6-12 0`; T is {IRH.0-4, IRL.0-7}.
fn wire_names(list: &str) -> Vec<String> {
    let range = |word: &str| -> Vec<String> {
        let Some((bus, range)) = word.split_once('.') else { return vec![word.to_owned()] };
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let range = from.parse::<u32>().unwrap()..=to.parse().unwrap();
        let name = |number| match (bus, number) {
            ("T", 0..8) => format!("IRL.{number}"),
            ("T", _) => format!("IRH.{}", number - 8),
            _ => format!("{bus}.{number}"),
        };
        range.map(name).collect()
    };
    list.split(' ').flat_map(range).collect()
}

impl Machine {
    /// The stock board, or the one with a panel, with a program.
    pub(crate) fn new(has_panel: bool, program: &[u16]) -> Self {
        let mut bytes = vec![0; 1 << 14];
        for (index, word) in program.iter().enumerate() {
            for (byte, value) in word.to_be_bytes().into_iter().enumerate() {
                let k = 2 * index + byte;
                bytes[k ^ k >> 1] = value;
            }
        }
        let wires = wire_names("OSC RST nWE");
        let mut machine = Self { wires, chips: Vec::new(), program: bytes, write_low: 2 };
        for [name, address, data] in PROCESSOR {
            // The arithmetic unit then reads DATA in place of BUS.
            let is_alu = has_panel && name.starts_with("ALU");
            let address = if is_alu { address.replace("BUS", "DATA") } else { address.to_owned() };
            machine.add(name, &address, data);
        }
        for [name, address, data] in PANEL.into_iter().filter(|_| has_panel) {
            machine.add(name, address, data);
        }
        for row in (0..16).filter(|_| has_panel) {
            let (colour, row) = if row < 8 { ("GREEN", row) } else { ("RED", row - 8) };
            let address = format!("AS.0-7 {colour}_EN.{row}");
            machine.add(&format!("{colour}{row}"), &address, &format!("{colour}{row}.0-7"));
        }
        machine
    }

    fn add(&mut self, name: &str, address: &str, data: &str) {
        let address: Vec<Option<usize>> =
            wire_names(address).iter().map(|wire| (wire != "0").then(|| self.wire(wire))).collect();
        let data = wire_names(data).iter().map(|wire| self.wire(wire)).collect();
        let is_row = name.ends_with(|c: char| c.is_ascii_digit());
        let does = match name {
            "RAM" => ChipRule::Memory,
            _ if is_row => ChipRule::Transparent,
            _ => ChipRule::Table((0..1 << address.len()).map(|at| self.burned(name, at)).collect()),
        };
        let drives_at = match name {
            "BUF" => Some(false),
            "RAM" => Some(true),
            _ => None,
        };
        self.chips.push(MachineChip { name: name.to_owned(), address, data, drives_at, does });
    }

    /// A wire, which is new if it has not been named before.
    fn wire(&mut self, name: &str) -> usize {
        self.wires.iter().position(|it| it == name).unwrap_or_else(|| {
            self.wires.push(name.to_owned());
            self.wires.len() - 1
        })
    }

    /// The number of a wire.
    pub(crate) fn wire_named(&self, name: &str) -> usize {
        self.wires.iter().position(|it| it == name).unwrap()
    }

    /// The number of a chip.
    pub(crate) fn chip_named(&self, name: &str) -> usize {
        self.chips.iter().position(|it| it.name == name).unwrap()
    }

    /// The chips that drive a wire, each at some time.
    pub(crate) fn drivers(&self, wire: usize) -> impl Iterator<Item = &MachineChip> {
        self.chips.iter().filter(move |chip| chip.data.contains(&wire))
    }

    /// The byte at an address of a chip.
    fn burned(&self, chip: &str, at: u32) -> u8 {
        let is = |pin: u32| at >> pin & 1 == 1;
        let field = |pin: u32, width: u32| at >> pin & ((1 << width) - 1);
        let byte = match chip {
            "PHASE" if is(1) && field(2, 3) == PHASES[1] => PHASES[1],
            "PHASE" => counted(field(2, 3), 3, is(0)),
            "CTRL" => strobes(field(0, 3), field(3, 3), is(6), is(7)),
            "PCH" => {
                let count = match (is(16), is(15)) {
                    (true, _) => 0,
                    (false, true) => field(7, 7),
                    (false, false) => counted(field(0, 7), 7, is(14)),
                };
                count | parity(field(7, 7)) << 7
            }
            "PCL" => match (is(17), is(16)) {
                (true, _) => 0,
                (false, true) => parity(field(8, 7)) | field(8, 7) << 1,
                (false, false) => counted(field(0, 8), 8, is(15)),
            },
            "PROG" => self.program[at as usize].into(),
            "IRH" | "IRL" | "AM" | "AS" => field(if is(16) { 0 } else { 8 }, 8),
            "ALUL" => sum(field(0, 4), field(4, 4), field(8, 4), field(12, 3), is(15), is(16)),
            "ALUH" => match field(12, 3) {
                5 => field(1, 3) | u32::from(is(15)) << 4,
                opcode => sum(field(0, 4), field(4, 4), field(8, 4), opcode, is(15), false),
            },
            "FLAGS" => {
                u32::from(is(if is(1) { 0 } else { 3 }))
                    | u32::from(is(if is(2) { 3 } else { 4 })) << 1
            }
            "BUF" => at,
            "SELECT" => {
                u32::from((0x1fe0..0x1fe8).contains(&at))
                    | u32::from((0x1fe8..0x1ff0).contains(&at)) << 1
                    | u32::from(at == 0x1fff) << 2
                    | u32::from(at == 0x1ffe) << 3
            }
            "INPUT" => field(if is(16) { 8 } else { 0 }, 8),
            // A 74HCT238: two enables that are on while low, one that is on while high.
            _ => u32::from(!is(3) && !is(4) && is(5)) << field(0, 3),
        };
        byte as u8
    }
}

fn parity(number: u32) -> u32 {
    number.count_ones() & 1
}

/// The next output of a Gray counter of some bits.
fn counted(count: u32, bits: u32, clock: bool) -> u32 {
    if parity(count) == u32::from(clock) {
        return count;
    }
    let number = (0..bits).fold(0, |number, shift| number ^ count >> shift);
    let next = (number + 1) % (1 << bits);
    next ^ next >> 1
}

/// What CTRL shows, `IRH_EN` first.
fn strobes(phase: u32, opcode: u32, carry: bool, reset: bool) -> u32 {
    let is = |number: usize| phase == PHASES[number];
    let writes = opcode == 2;
    let jumps = opcode == 7 || opcode == 6 && carry;
    let is_kept = writes && WRITE_PHASE == 6;
    let strobes = [
        is(2),
        is(4),
        is(5) && matches!(opcode, 0 | 1 | 3 | 4 | 5),
        is(5) && matches!(opcode, 3 | 5),
        !(is(WRITE_PHASE) && writes),
        is(7) && !is_kept || is(1) && reset,
        (is(7) || is(0)) && jumps,
        is(1) && reset,
    ];
    (0..).zip(strobes).fold(0, |byte, (pin, strobe)| byte | u32::from(strobe) << pin)
}

/// A slice of the arithmetic unit: four bits, and the carry out.
fn sum(a: u32, data: u32, operand: u32, opcode: u32, carry: bool, above: bool) -> u32 {
    match opcode {
        0 => operand,
        1 => data,
        3 => a + data + u32::from(carry),
        4 => !(a & data) & 0xf,
        5 => a >> 1 | u32::from(above) << 3 | (a & 1) << 4,
        _ => a,
    }
}
