//! A Verilog model of the machine, made only from a netlist, the images to burn, and access times
//! from data sheets.
//!
//! It shares no code with the exporters. Each address line has its own delay, up to the access
//! time. Until all lines have arrived, a chip shows the contents of the intermediate addresses.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gray1_isa::SplitMix64;

use super::around;
use super::netlist::Netlist;

/// Access times of common speed grades, in ns.
const ACCESS_NS: [(&str, u64); 9] = [
    ("82S123", 50),
    ("2716", 450),
    ("27C128", 150),
    ("27C010", 120),
    ("27C020", 120),
    ("IDT7005", 35),
    ("SST39SF010A", 70),
    ("SST39SF020A", 70),
    ("AS6C6264", 55),
];
/// Half a period of the oscillator in ns, above the 1070 that `gray1 check` requires.
const HALF_PERIOD_NS: u32 = 1_080;

/// A chip: its function, and the net on each pin, by the pin's name. For a dual-port RAM, only the
/// processor's port is modelled.
struct Chip {
    function: String,
    access_ns: u64,
    nets: BTreeMap<String, String>,
}

impl Chip {
    /// The nets of the pins that begin with this letter, from number 0.
    fn lines(&self, letter: char) -> Vec<&str> {
        let name = |n| format!("{letter}{n}");
        (0..).map_while(|n| self.nets.get(&name(n)).map(String::as_str)).collect()
    }

    /// The nets that its data pins drive. Open pins have no net.
    fn data(&self) -> impl Iterator<Item = (usize, &str)> {
        let net = |n: usize| self.nets.get(&format!("O{n}")).map(|net| (n, net.as_str()));
        (0..8).filter_map(net)
    }

    /// The net that enables the outputs when low, or `None` if they are always on.
    fn enable(&self) -> Option<&str> {
        let enable = self.nets.get("nOE").or(self.nets.get("nCE")).map(String::as_str);
        enable.filter(|net| *net != "0V")
    }

    /// The net that makes a RAM write while low.
    fn write(&self) -> Option<&str> {
        let write = self.nets.get("RnW").or(self.nets.get("nWE"));
        write.map(String::as_str).filter(|net| *net != "+5V")
    }
}

/// The memory chips. [`around`] has the other parts.
fn chips(netlist: &Netlist) -> Vec<Chip> {
    let mut chips: BTreeMap<&str, Chip> = BTreeMap::new();
    for (reference, component) in &netlist.components {
        let known = ACCESS_NS.iter().find(|(name, _)| *name == component.value);
        let Some((_, access_ns)) = known else { continue };
        let (function, nets) = (component.function.clone(), BTreeMap::new());
        chips.insert(reference, Chip { function, access_ns: *access_ns, nets });
    }
    for (net, pins) in &netlist.nets {
        for pin in pins {
            if let Some(chip) = chips.get_mut(pin.0.as_str()) {
                let name = &netlist.names[pin];
                // On the dual-port RAM, L marks the processor's port.
                let name = name.strip_suffix('L').unwrap_or(name);
                chip.nets.insert(name.to_owned(), net.clone());
            }
        }
    }
    chips.into_values().collect()
}

/// The name of a net in Verilog.
pub(crate) fn net(name: &str) -> String {
    match name {
        "+5V" => "1'b1".to_owned(),
        "0V" => "1'b0".to_owned(),
        name => format!("\\{name} "),
    }
}

/// Returns the Verilog model, which ends after `instructions` instructions. A file `FUNCTION.mem`
/// has the contents of each burned chip. The bench supplies clock and panel if the board has none.
pub(crate) fn verilog(netlist: &Netlist, seed: u64, instructions: u64) -> String {
    let (chips, random) = (chips(netlist), &mut SplitMix64::new(seed));
    let own = around::model(netlist, random, instructions);
    let mut text = String::from("`timescale 1ns / 1ps\nmodule bench;\n");
    let outside: &[&str] = if own.is_some() { &[] } else { &["OSC", "RST"] };
    let is_wire = |name: &&String| {
        !["+5V", "0V"].contains(&name.as_str()) && !outside.contains(&name.as_str())
    };
    for name in netlist.nets.keys().filter(is_wire) {
        writeln!(text, "wire {};", net(name)).unwrap();
    }
    for chip in &chips {
        text += &model(chip, random);
    }
    text += &drivers(&chips);
    text += &own.unwrap_or_else(|| bench(&chips, instructions));
    text + "endmodule\n"
}

/// Returns Verilog code for the clock, the reset, and a panel that prints each byte stored to the
/// mailbox.
fn bench(chips: &[Chip], instructions: u64) -> String {
    let ram = chips.iter().find(|chip| chip.write().is_some()).expect("there is a RAM");
    let text = format!(
        "reg \\OSC = 0; reg \\RST = 0;
always @(posedge {write}) if ({ram}_s == 13'h1fff) $write(\"%c\", {ram}_bus);
integer edges;
initial begin
  #20000 \\OSC = 1;
  #{quarter} \\RST = 1;
  #{quarter};
  for (edges = 0; edges < 10; edges = edges + 1) begin \\OSC = !\\OSC ; #{half}; end
  #{quarter} \\RST = 0;
  #{quarter};
  for (edges = 0; edges < {edges}; edges = edges + 1) begin \\OSC = !\\OSC ; #{half}; end
  $finish(0);
end
",
        write = net(ram.write().unwrap()),
        ram = ram.function,
        half = HALF_PERIOD_NS,
        quarter = HALF_PERIOD_NS / 2,
        edges = 8 * instructions,
    );
    text.replace("\\OSC", "\\OSC ").replace("\\RST", "\\RST ")
}

/// The address lines of a chip with their delays, and the byte at the address that they form.
fn model(chip: &Chip, random: &mut SplitMix64) -> String {
    let Chip { function, access_ns, .. } = chip;
    let lines = chip.lines('A');
    let last = lines.len() - 1;
    let address: Vec<String> = lines.iter().rev().map(|line| net(line)).collect();
    let mut text = format!(
        "\nwire [{last}:0] {function}_a = {{{}}};\nreg [{last}:0] {function}_s = 0;\n\
         initial #5 {function}_s = {function}_a;\n",
        address.join(", "),
    );
    // The slowest line takes the full access time.
    let slowest = random.below(lines.len() as u64) as usize;
    for (n, line) in lines.iter().enumerate().filter(|(_, line)| !line.ends_with('V')) {
        let some = access_ns * 100 + random.below(access_ns * 900);
        let ps = if n == slowest { access_ns * 1000 } else { some };
        let (ns, rest) = (ps / 1000, ps % 1000);
        writeln!(
            text,
            "always @({line}) {function}_s[{n}] <= #{ns}.{rest:03} {line};",
            line = net(line)
        )
        .unwrap();
    }
    let bytes = 1_u32 << lines.len();
    writeln!(text, "reg [7:0] {function}_m [0:{}];", bytes - 1).unwrap();
    match chip.write() {
        None => writeln!(text, "initial $readmemh(\"{function}.mem\", {function}_m);").unwrap(),
        Some(write) => {
            let data: Vec<String> = chip.lines('O').iter().rev().map(|line| net(line)).collect();
            // At the end of a write, the RAM stores the byte that is on the bus.
            writeln!(
                text,
                "integer {function}_i;\n\
                 initial for ({function}_i = 0; {function}_i < {bytes}; {function}_i = \
                 {function}_i + 1) {function}_m[{function}_i] = 0;\n\
                 wire [7:0] {function}_bus = {{{}}};\n\
                 always @(posedge {}) {function}_m[{function}_s] = {function}_bus;",
                data.join(", "),
                net(write),
            )
            .unwrap();
        }
    }
    writeln!(text, "wire [7:0] {function}_d = {function}_m[{function}_s];").unwrap();
    if let Some(enable) = chip.enable() {
        // Outputs turn on and off one access time after the enable.
        writeln!(
            text,
            "reg {function}_on = 0;\nalways @({enable}) {function}_on <= #{access_ns} !{enable};",
            enable = net(enable)
        )
        .unwrap();
    }
    text
}

/// Returns the assignments that drive the nets. On a net with two drivers, the chip with an enable
/// drives while it is enabled, when the RAM's outputs are off.
fn drivers(chips: &[Chip]) -> String {
    let mut drivers: BTreeMap<&str, Vec<(&Chip, usize)>> = BTreeMap::new();
    for chip in chips {
        for (pin, net) in chip.data() {
            drivers.entry(net).or_default().push((chip, pin));
        }
    }
    let mut text = String::new();
    for (name, mut pins) in drivers {
        pins.sort_by_key(|(chip, _)| chip.enable().is_none());
        let shown = |(chip, pin): (&Chip, usize)| format!("{}_d[{pin}]", chip.function);
        let level = match pins[..] {
            [one] => shown(one),
            [one, other] if one.0.enable().is_some() && other.0.enable().is_none() => {
                format!("{}_on ? {} : {}", one.0.function, shown(one), shown(other))
            }
            _ => panic!("{name} has {} drivers", pins.len()),
        };
        writeln!(text, "assign {} = {level};", net(name)).unwrap();
    }
    text
}
