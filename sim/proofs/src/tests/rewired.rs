//! The Gray-1 with changed wiring: chips in another order, some of other types, with permuted pins
//! and with spare pins tied to either level. The proofs must treat it as the same machine.

use gray1_board::Board;
use gray1_roms::{GRAY1, load};

/// Pairs of text in the description of the board: the original pins of a chip and their
/// replacement. Both include the part if the part changes as well.
const REWIRED: [(&str, &str); 16] = [
    // PHASE
    (
        r#"part: "82S123",
            address: ["OSC", "RST", "PHASE.0-2"],
            data: ["PHASE.0-2"],"#,
        r#"part: "2716",
            address: ["1", "PHASE.2", "RST", "0", "0", "PHASE.0", "1", "OSC", "PHASE.1", "0", "1"],
            data: ["PHASE.2", "PHASE.0-1"],"#,
    ),
    // CTRL
    (
        r#"["PHASE.0-2", "OPCODE", "FLAGS.1", "RST", "0", "0", "0"]"#,
        r#"["1", "RST", "PHASE.1", "OPCODE", "0", "PHASE.0", "FLAGS.1", "PHASE.2", "1"]"#,
    ),
    (
        r#"["IRH_EN", "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR"]"#,
        r#"["CLR", "nWE", "AM_EN", "AS_EN", "IRL_EN", "CM_EN", "PC_LOAD", "IRH_EN"]"#,
    ),
    // PCH
    (
        r#"part: "27C010",
            address: ["PCH.0-6", "OPERAND.6-12", "PCL.7", "PC_LOAD", "CLR"],
            data: ["PCH.0-7"],"#,
        r#"part: "27C020",
            address: ["CLR", "1", "PCH.0-6", "PC_LOAD", "PCL.7", "OPERAND.6-12"],
            data: ["PCH.7", "PCH.0-6"],"#,
    ),
    // PCL
    (
        r#"["PCL.0-7", "OPERAND.0-5", "PCH.7", "PHASE.2", "PC_LOAD", "CLR"]"#,
        r#"["PC_LOAD", "OPERAND.0-5", "PCH.7", "CLR", "PCL.0-7", "PHASE.2"]"#,
    ),
    (r#"data: ["PCL.0-7"]"#, r#"data: ["PCL.7", "PCL.0-6"]"#),
    // IRH and IRL
    (r#"["PROG.0-7", "IRH.0-7", "IRH_EN"]"#, r#"["IRH_EN", "IRH.0-7", "PROG.0-7"]"#),
    (r#"["PROG.0-7", "IRL.0-7", "IRL_EN"]"#, r#"["IRL.0-7", "PROG.4-7", "IRL_EN", "PROG.0-3"]"#),
    // ALUL and ALUH
    (
        r#"["AS.0-3", "BUS.0-3", "IRL.0-3", "OPCODE", "0", "AS.4"]"#,
        r#"["1", "OPCODE", "AS.4", "BUS.0-3", "IRL.0-3", "AS.0-3"]"#,
    ),
    (r#"data: ["ALUL.0-4"]"#, r#"data: ["ALUL.4", "ALUL.0-3"]"#),
    (
        r#"["AS.4-7", "BUS.4-7", "IRL.4-7", "OPCODE", "ALUL.4", "0"]"#,
        r#"["ALUL.4", "IRL.4-7", "BUS.4-7", "1", "AS.4-7", "OPCODE"]"#,
    ),
    // AM and AS
    (
        r#"["ALUL.0-3", "ALUH.0-3", "AM.0-7", "AM_EN"]"#,
        r#"["AM_EN", "AM.0-7", "ALUL.0-3", "ALUH.0-3"]"#,
    ),
    (r#"data: ["AM.0-7"]"#, r#"data: ["AM.4-7", "AM.0-3"]"#),
    (r#"["AM.0-7", "AS.0-7", "AS_EN"]"#, r#"["AS.0-7", "AS_EN", "AM.0-7"]"#),
    // FLAGS
    (
        r#"part: "82S123",
            address: ["ALUH.4", "CM_EN", "AS_EN", "FLAGS.0-1"],
            data: ["FLAGS.0-1"],"#,
        r#"part: "2716",
            address: ["1", "FLAGS.1", "AS_EN", "0", "0", "ALUH.4", "FLAGS.0", "CM_EN", "1", "1", "0"],
            data: ["FLAGS.1", "FLAGS.0"],"#,
    ),
    // BUF
    (r#"["AS.0-7", "0", "0", "0"]"#, r#"["1", "0", "1", "AS.0-7"]"#),
];

pub(crate) fn rewired() -> Board {
    let is_wiring = |line: &&str| !line.trim_start().starts_with("purpose:");
    let wiring: String = GRAY1.split_inclusive('\n').filter(is_wiring).collect();
    let text = REWIRED.iter().fold(wiring, |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    });
    let (head, chips) = text.split_once("chips: [").unwrap();
    let (chips, tail) = chips.rsplit_once("],\n)").unwrap();
    let mut chips: Vec<&str> = chips.split_inclusive("\n        ),\n").collect();
    chips.reverse();
    load(&format!("{head}chips: [{}],\n){tail}", chips.concat())).unwrap()
}
