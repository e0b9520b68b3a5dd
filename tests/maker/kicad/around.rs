//! Models of the parts around the memory chips of a whole machine: logic, clock, reset, resistors,
//! buttons, LEDs, and the module that prints. They are written from data sheets and identified by
//! part and pin names.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gray1_isa::SplitMix64;

use super::netlist::Netlist;
use super::round_trip::net;

/// Half a period of the 1.8432 MHz oscillator, in ps.
const HALF_PERIOD_PS: u64 = 271_267;
/// The delay of logic chips, from data sheets, in ns.
const LOGIC_NS: u32 = 50;
const FLIP_FLOP_NS: u32 = 25;
/// The delay of a filter of 220 ohm and 330 pF with up to 22 inputs, in ns.
const FILTER_NS: u32 = 146;
/// The time at which the supervisor releases the reset, in ns. A real one takes about 150 ms.
const RESET_NS: u64 = 60_000;

/// A part: its reference, and the net of each pin by the pin's name.
struct Part<'a> {
    name: &'a str,
    reference: &'a str,
    function: &'a str,
    nets: BTreeMap<&'a str, &'a str>,
}

impl Part<'_> {
    /// The net of a pin in Verilog, or `None` for an open pin.
    fn wire(&self, pin: &str) -> Option<String> {
        self.nets.get(pin).map(|name| net(name))
    }

    fn pin(&self, pin: &str) -> String {
        self.wire(pin).unwrap_or_else(|| panic!("{}.{pin} is open", self.reference))
    }

    /// Returns the eight pins with this letter as a Verilog number.
    fn byte(&self, letter: &str) -> String {
        let pins: Vec<String> = (0..8).rev().map(|n| self.pin(&format!("{letter}{n}"))).collect();
        format!("{{{}}}", pins.join(", "))
    }

    /// Returns assignments that drive the part's outputs, up to eight, from the bits of a register.
    fn drive(&self, letter: &str, register: &str) -> String {
        let outputs = (0..8).filter_map(|n| {
            let wire = self.wire(&format!("{letter}{n}"))?;
            Some(format!("assign {wire} = {register}[{n}];\n"))
        });
        outputs.collect()
    }

    fn model(&self, random: &mut SplitMix64) -> String {
        let Self { reference, .. } = self;
        match self.name {
            "74HCT573" => format!(
                "wire [7:0] {reference}_d = {};\nreg [7:0] {reference}_q = {};\n\
                 always @({le} or {reference}_d)\n  \
                 if ({le}) {reference}_q <= #{LOGIC_NS} {reference}_d;\n{}",
                self.byte("D"),
                random.below(256),
                self.drive("Q", &format!("{reference}_q")),
                le = self.pin("LE"),
            ),
            "74HCT238" => format!(
                "wire [7:0] {reference}_y;\n\
                 assign #{LOGIC_NS} {reference}_y =\n  \
                 (!{} && !{} && {}) ? 8'd1 << {{{}, {}, {}}} : 8'd0;\n{}",
                self.pin("nE1"),
                self.pin("nE2"),
                self.pin("E3"),
                self.pin("A2"),
                self.pin("A1"),
                self.pin("A0"),
                self.drive("Y", &format!("{reference}_y")),
            ),
            "74HC74" => ["1", "2"].map(|half| self.flip_flop(half, random)).concat(),
            // Shorter pulses do not pass. At power-on the capacitor's charge is random.
            "220 ohm" => format!(
                "wire {reference}_r;\nassign #{FILTER_NS} {reference}_r = {};\n\
                 reg {reference}_c = {};\nalways @({reference}_r) {reference}_c = {reference}_r;\n\
                 assign {} = {reference}_c;\n",
                self.pin("1"),
                random.below(2),
                self.pin("2"),
            ),
            "8x1k" => format!("assign {} = {};\n", self.byte("B"), self.byte("A")),
            "8x10k" => {
                let (held, common) = (self.byte("R"), self.pin("COM"));
                format!("assign (pull0, pull1) {held} = {{8{{{common}}}}};\n")
            }
            // The reset is low at power-on, and again at a random later moment, as if someone
            // pressed the button.
            "DS1813-5" => format!(
                "reg {reference}_q = 0;\nassign {} = {reference}_q;\ninitial begin\n  \
                 #{RESET_NS} {reference}_q = 1;\n  #{}.{:03} {reference}_q = 0;\n  \
                 #{RESET_NS} {reference}_q = 1;\nend\n",
                self.pin("nRST"),
                10_000 + random.below(5_000),
                random.below(1_000),
            ),
            // Falling edges at the start do not count, because levels are unknown at first and
            // Verilog takes a change from unknown to low for a falling edge.
            "UM245R" => format!(
                "always @(negedge {}) if ($time > 10000 && {}) $write(\"%c\", {});\n",
                self.pin("WR"),
                self.pin("nRD"),
                self.byte("D"),
            ),
            "LED-RG" | "LED-R" | "2k2" | "header-34" | "button" => String::new(),
            name => panic!("no model of {name}"),
        }
    }

    fn flip_flop(&self, half: &str, random: &mut SplitMix64) -> String {
        let name = format!("{}_{half}", self.reference);
        let pin = |pin: &str| self.wire(&format!("{pin}{half}"));
        assert_eq!([pin("nSET"), pin("nCLR")], [Some(net("+5V")), Some(net("+5V"))]);
        let outputs = [("Q", ""), ("nQ", "!")]
            .into_iter()
            .filter_map(|(output, not)| Some(format!("assign {} = {not}{name};\n", pin(output)?)));
        format!(
            "reg {name} = {};\nalways @(posedge {}) {name} <= #{FLIP_FLOP_NS} {};\n{}",
            random.below(2),
            pin("CLK").unwrap(),
            pin("D").unwrap(),
            outputs.collect::<String>(),
        )
    }
}

/// Returns the model of a whole machine's parts other than the memory chips. It prints the LEDs
/// when the simulation ends. Returns `None` if there is no oscillator.
pub(crate) fn model(
    netlist: &Netlist,
    random: &mut SplitMix64,
    instructions: u64,
) -> Option<String> {
    let is_memory = |name: &str| name.starts_with("SST39") || name.starts_with("AS6C");
    let parts = netlist.components.iter().filter(|(_, it)| {
        !(it.function.is_empty() || is_memory(&it.value)) || it.value == "220 ohm"
    });
    let mut parts: BTreeMap<&str, Part<'_>> = parts
        .map(|(reference, it)| {
            let (name, function, nets) = (&it.value, &it.function, BTreeMap::new());
            (reference.as_str(), Part { name, reference, function, nets })
        })
        .collect();
    for (net, pins) in &netlist.nets {
        for pin in pins {
            if let Some(part) = parts.get_mut(pin.0.as_str()) {
                part.nets.insert(&netlist.names[pin], net);
            }
        }
    }
    let source = parts.values().find(|part| part.name.starts_with("XO-"))?;
    let mut text = format!(
        "reg can = 0;\nassign {} = can;\ninitial #20000 forever #{}.{:03} can = !can;\n",
        source.pin("OUT"),
        HALF_PERIOD_PS / 1000,
        HALF_PERIOD_PS % 1000,
    );
    for part in parts.values().filter(|part| !part.name.starts_with("XO-")) {
        text += &part.model(random);
    }
    // A phase is two periods.
    let end_ns = instructions * 8 * 4 * HALF_PERIOD_PS / 1000 + 3 * RESET_NS;
    writeln!(text, "initial begin\n  #{end_ns};").unwrap();
    text += &show_leds(&parts);
    Some(text + "  $finish(0);\nend\n")
}

/// Returns Verilog statements that print the LEDs as `gray1 run --leds` does, after a marker line.
/// LED2.5 is in column 2.
fn show_leds(parts: &BTreeMap<&str, Part<'_>>) -> String {
    let mut text = String::from("  $write(\"LEDs\\n\");\n");
    for row in 0..8 {
        for column in 0..8 {
            let name = format!("LED{column}.{row}");
            let led = parts.values().find(|part| part.function == name).expect("an LED");
            assert_eq!(led.pin("K"), net("0V"), "{name}");
            let [red, green] = ["R", "G"].map(|pin| led.pin(pin));
            let space = if column == 7 { "" } else { " " };
            let without_red = format!("{green} ? \"G\" : \".\"");
            writeln!(
                text,
                "  $write(\"%s{space}\", {red} ? ({green} ? \"Y\" : \"R\") : ({without_red}));"
            )
            .unwrap();
        }
        text += "  $write(\"\\n\");\n";
    }
    text
}
