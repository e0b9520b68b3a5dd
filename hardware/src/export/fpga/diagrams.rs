//! The contents of a chip as decision diagrams: one for each data pin, over the address pins that
//! are not tied.
//!
//! A diagram is small for the tables of a computer, and it exists for any contents. A `case` over
//! all addresses would have up to 262,144 lines, and block RAM would not be large enough for all
//! chips.

use std::collections::HashMap;
use std::fmt::Write as _;

use gray1_board::Chip;
use gray1_board::table::cut;

/// The diagrams of all data pins of a chip, with shared nodes.
pub(super) struct Diagrams {
    nodes: Vec<Node>,
    /// The diagram of each data pin, D0 first.
    outputs: [Level; 8],
}

/// A choice by the level of an address pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    pin: u32,
    low: Level,
    high: Level,
}

/// A level that is known, or that of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Level {
    Constant(bool),
    Node(usize),
}

impl Diagrams {
    /// Makes the diagrams of a chip. The lowest pins are decided last, because the pins that enable
    /// a latch or a counter are its highest.
    pub(super) fn new(chip: &Chip) -> Self {
        let tied = chip.tied();
        let free = (chip.contents().len() as u32 - 1) & !tied.pins;
        let table = cut(chip.contents(), free, tied.levels);
        let mut nodes = Vec::new();
        let mut known: HashMap<Node, usize> = HashMap::new();
        let outputs = [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| {
            let mut levels: Vec<Level> =
                table.iter().map(|byte| Level::Constant(byte >> bit & 1 == 1)).collect();
            for pin in (0..u32::BITS).filter(|pin| free >> pin & 1 == 1) {
                let halves = levels.chunks_exact(2).map(|pair| match *pair {
                    [low, high] if low != high => {
                        let node = Node { pin, low, high };
                        Level::Node(*known.entry(node).or_insert_with(|| {
                            nodes.push(node);
                            nodes.len() - 1
                        }))
                    }
                    _ => pair[0],
                });
                levels = halves.collect();
            }
            levels[0]
        });
        Self { nodes, outputs }
    }

    /// Returns the diagrams as wires that depend on `address`, and the wires of the data pins.
    pub(super) fn write(&self) -> (String, String) {
        let mut text = String::new();
        for (number, Node { pin, low, high }) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, "    wire n{number} = address[{pin}] ? {high} : {low};");
        }
        let outputs: Vec<String> = self.outputs.iter().rev().map(ToString::to_string).collect();
        (text, format!("{{{}}}", outputs.join(", ")))
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(level) => write!(f, "1'b{}", u8::from(*level)),
            Self::Node(number) => write!(f, "n{number}"),
        }
    }
}
