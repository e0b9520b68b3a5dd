//! Nodes and their wires beside the chips of the board that they stand for.

use gray1_board::{Net, Source};
use gray1_isa::SplitMix64;
use gray1_roms::{GRAY1, load};

use super::*;

fn random_outputs(random: &mut SplitMix64) -> Outputs {
    [(); NODES_MAX].map(|()| random.byte())
}

fn net(board: &Board, name: &str) -> NetId {
    board.net_named(name).unwrap()
}

#[test]
fn a_node_sees_the_address_that_its_chip_sees() {
    let (board, random) = (load(GRAY1).unwrap(), &mut SplitMix64::new(1));
    let wiring = Wiring::new(&board);
    for id in board.chip_ids() {
        let (chip, node) = (board.chip(id), Wiring::chip(id));
        for _ in 0..20 {
            let outputs = random_outputs(random);
            let level = |source: &Source| match source {
                Source::Tied(level) => *level,
                Source::Net(net) => wiring.output_bit(*net).of(&outputs),
            };
            let mut levels: Vec<bool> = chip.address().iter().map(level).collect();
            if let Some(write) = chip.write_enable_low() {
                levels.push(wiring.output_bit(write).of(&outputs));
                levels.extend(chip.data().iter().map(|data| wiring.output_bit(*data).of(&outputs)));
            }
            let address: u32 =
                (0..).zip(&levels).map(|(pin, level)| u32::from(*level) << pin).sum();
            assert_eq!(wiring.address(node, &outputs), address, "{}", chip.name());

            // With other outputs, only the pins that read them change.
            let mut others = outputs;
            others[node] = random.byte();
            let fed_back = wiring.nodes()[node].fed_back(address, others[node]);
            let own = wiring.nodes()[node].own;
            let data_of_memory = if id == board.memory() { 0xff << RAM_DATA } else { 0 };
            assert_eq!(fed_back, wiring.address(node, &others), "{}", chip.name());
            assert_eq!((fed_back ^ address) & !(own | data_of_memory), 0, "{}", chip.name());
        }
        let wired = chip.address().iter().filter(|source| matches!(source, Source::Net(_)));
        let more = if id == board.memory() { 1 + 8 } else { 0 };
        assert_eq!(wiring.nodes()[node].wired().count_ones() as usize, wired.count() + more);
    }
}

#[test]
fn wires_take_the_levels_of_pins_and_give_them_back() {
    let random = &mut SplitMix64::new(2);
    for _ in 0..1000 {
        let (node, mask, rotate) = (random.below(32) as u8, random.byte(), random.below(32) as u8);
        let segment = Segment { node, mask, rotate };
        let (before, pins) = (random_outputs(random), random.next() as u32);
        let mut outputs = before;
        segment.put(pins, &mut outputs);
        assert_eq!(segment.of(&outputs), segment.of_wires(u8::MAX) & pins);
        // All other wires stay.
        let node = usize::from(node);
        assert_eq!(outputs[node] & !mask, before[node] & !mask);
        outputs[node] = before[node];
        assert_eq!(outputs, before);
    }
}

#[test]
fn shared_wires_are_a_node_that_follows_the_chip_that_drives_them() {
    let board = load(GRAY1).unwrap();
    let wiring = Wiring::new(&board);
    let wire = wiring.output_bit(net(&board, "BUS.3"));
    let [buffer, memory] = ["BUF", "RAM"].map(|name| Wiring::chip(board.chip_named(name).unwrap()));
    // Behind the outside and fourteen chips.
    assert_eq!((wire, wiring.nodes().len()), (OutputBit { node: 15, bit: 3 }, 16));
    let select = SHARED_SELECT;
    let from = |node| Some(OutputBit { node, bit: 3 });
    assert_eq!(wiring.shared_driver(wire, select, 0), from(buffer));
    assert_eq!(wiring.shared_driver(wire, select, select), from(memory));
    assert_eq!(wiring.shared_driver(wire, !select, select), None, "it is not known which one");
    let other = wiring.output_bit(net(&board, "AM.3"));
    assert_eq!(wiring.shared_driver(other, select, 0), None, "it is not shared");
    let mut outputs = [0; NODES_MAX];
    (outputs[buffer], outputs[memory]) = (0xa5, 0x3c);
    let write_low = wiring.output_bit(net(&board, "nWE"));
    assert_eq!(shared_output(wiring.address(15, &outputs)), 0xa5);
    outputs[write_low.node] = 1 << write_low.bit;
    assert_eq!(shared_output(wiring.address(15, &outputs)), 0x3c);
}

#[test]
fn what_a_chip_reads_of_its_own_it_remembers() {
    let board = load(GRAY1).unwrap();
    let wiring = Wiring::new(&board);
    let count = |is_meant: &dyn Fn(OutputBit) -> bool| {
        let names = board.nets().iter().map(Net::name).zip(wiring.output_bits());
        let meant = names.filter(|(_, wire)| is_meant(**wire)).map(|(name, _)| name);
        let chips = meant.map(|name| name.split('.').next().unwrap());
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for chip in chips {
            match counts.iter_mut().find(|(name, _)| *name == chip) {
                Some((_, count)) => *count += 1,
                None => counts.push((chip, 1)),
            }
        }
        counts
    };
    let remembered = [
        ("PHASE", 3),
        ("PCH", 7),
        ("PCL", 8),
        ("IRH", 8),
        ("IRL", 8),
        ("AM", 8),
        ("AS", 8),
        ("FLAGS", 2),
    ];
    assert_eq!(count(&|wire| wiring.is_fed_back(wire)), remembered);
    let derived = count(&|wire| wiring.is_derived(wire));
    let strobes = ["IRH_EN", "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR"]
        .map(|name| (name, 1));
    let tables = [("PCH", 1), ("PROG", 8), ("ALUL", 5), ("ALUH", 5), ("BUS", 8)];
    assert_eq!(derived, [&strobes[..], &tables].concat());
}

#[test]
fn each_node_knows_which_others_read_its_wires() {
    let board = load(GRAY1).unwrap();
    let wiring = Wiring::new(&board);
    let node = |name: &str| Wiring::chip(board.chip_named(name).unwrap());
    let names = |names: &[&str]| names.iter().fold(0, |bits, name| bits | 1 << node(name));
    assert_eq!(wiring.readers(OUTSIDE), names(&["PHASE", "CTRL"]));
    assert_eq!(wiring.readers(node("PHASE")), names(&["PHASE", "CTRL", "PCL"]));
    assert_eq!(wiring.readers(node("AM")), names(&["AM", "AS"]));
    let bus = 1 << 15;
    assert_eq!(wiring.readers(node("RAM")), bus);
    // Data memory takes a byte.
    assert_eq!(wiring.readers(15), names(&["ALUL", "ALUH", "RAM"]));
}

/// Bits beside a chip's data pins may be burned as they come; they are not copied if they are 0.
#[test]
fn data_pins_without_a_wire_show_nothing() {
    let stock = load(GRAY1).unwrap();
    let phase = stock.chip_named("PHASE").unwrap();
    let kind = |board: &Board| match &Wiring::new(board).nodes()[Wiring::chip(phase)].kind {
        NodeKind::Rom(contents) => Arc::clone(contents),
        kind => panic!("{kind:?}"),
    };
    let right = stock.chip(phase).contents_shared();
    assert!(Arc::ptr_eq(&kind(&stock), &right));
    for open in [0x08, 0x80, 0xf8] {
        let some = stock.with_wrong_bits(phase, 5, open);
        assert_eq!(kind(&some), right);
        let all = right.iter().map(|byte| byte | open).collect();
        assert_eq!(kind(&stock.with_contents(phase, all).unwrap()), right);
    }
}
