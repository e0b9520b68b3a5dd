//! The assembled board: every component that is soldered or plugged in, and the net of each of its
//! pins. The wiring and the parts list are made from this list.

use gray1_board::{Board, Chip, Output, PanelPin, PartPin, PinUse, Source, WiredPart, WiredPin};

use crate::soldered::{self, Connection, SupportPart};

/// The supply nets. No wire of a board can have these names.
const HIGH: &str = "+5V";
const LOW: &str = "0V";

/// The net between the terminal and the transistor that protects a complete machine.
const INPUT: &str = "VIN";

/// Values of capacitors, as catalogues write them.
const DECOUPLING: &str = "100 nF";
const RESERVOIR: &str = "47 uF";
/// The number of chips that share one larger capacitor. This is a rule of thumb.
const CHIPS_OF_A_RESERVOIR: usize = 5;

/// The sizes in which two-row headers are sold, in pins.
const HEADERS: [usize; 8] = [10, 14, 16, 20, 26, 34, 40, 50];

/// The possible resistances of pull-down and pull-up resistors, in ohms, for wires that may be left
/// unconnected. The first one that keeps the voltage within [`HELD_LOW_MV`] is used.
const PULLS_OHM: [u32; 2] = [10_000, 1_000];
/// The highest voltage of a wire that is pulled low, in mV: half of the highest level that reads
/// low on a TTL input.
const HELD_LOW_MV: u64 = 400;

/// A component of the assembled board.
pub(super) struct Component<'a> {
    /// The name on the board: the name of a chip, or the reference.
    pub(super) name: String,
    /// The reference designator, a letter and a number.
    pub(super) reference: String,
    pub(super) kind: ComponentKind<'a>,
    /// The pins, pin 1 first.
    pub(super) pins: Vec<ComponentPin>,
}

/// The kind of a component.
#[derive(Clone, Copy)]
pub(super) enum ComponentKind<'a> {
    Chip(&'a Chip),
    /// A part that is wired but not simulated.
    Wired(&'a WiredPart),
    /// The terminal for the supply.
    Supply,
    /// A transistor that protects against a supply with reversed polarity.
    Protection,
    /// The header for all other connections.
    Header,
    /// A resistor, with its resistance in ohms.
    Resistor(u32),
    /// The resistor of a filter, in ohms.
    FilterResistor(u32),
    /// The capacitor of a filter, in pF.
    FilterCapacitor(u32),
    Decoupling,
    Reservoir,
}

/// A pin of a component.
pub(super) struct ComponentPin {
    pub(super) name: String,
    /// The net, or `None` if the pin is not connected.
    pub(super) net: Option<String>,
    pub(super) role: PinRole,
}

/// The role of a pin on its net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PinRole {
    Input,
    Output,
    Bidirectional,
    /// A supply input.
    Power,
    /// A supply output.
    PowerSource,
    Passive,
}

impl Component<'_> {
    /// The value that a schematic shows.
    pub(super) fn value(&self) -> String {
        match self.kind {
            ComponentKind::Chip(chip) => chip.part().name.clone(),
            ComponentKind::Wired(wired) => wired.name.clone(),
            ComponentKind::Supply => "5 V".to_owned(),
            ComponentKind::Protection => "SUP53P06-20".to_owned(),
            ComponentKind::Header => format!("header 2x{}", self.pins.len() / 2),
            ComponentKind::Resistor(ohm) => format!("{} kilohm", ohm / 1000),
            ComponentKind::FilterResistor(ohm) => format!("{ohm} ohm"),
            ComponentKind::FilterCapacitor(pf) => format!("{pf} pF"),
            ComponentKind::Decoupling => DECOUPLING.to_owned(),
            ComponentKind::Reservoir => RESERVOIR.to_owned(),
        }
    }

    /// The name of the package.
    pub(super) fn package(&self) -> &str {
        match self.kind {
            ComponentKind::Chip(chip) => &chip.part().package,
            ComponentKind::Wired(wired) => &wired.package,
            ComponentKind::Supply => "terminal 5.08 mm",
            ComponentKind::Protection => "TO-220-3",
            ComponentKind::Header => "box header 2.54 mm",
            ComponentKind::Resistor(_) | ComponentKind::FilterResistor(_) => "axial 0.25 W",
            ComponentKind::Decoupling | ComponentKind::FilterCapacitor(_) => "radial 2.54 mm",
            ComponentKind::Reservoir => "radial",
        }
    }

    /// An orderable part number from public lists, or an empty string if none was found.
    pub(super) fn order(&self) -> String {
        let listed = |order: &Option<String>| order.clone().unwrap_or_default();
        match self.kind {
            ComponentKind::Chip(chip) => listed(&chip.part().order),
            ComponentKind::Wired(wired) => listed(&wired.order),
            ComponentKind::Supply => "Phoenix Contact 1715721".to_owned(),
            ComponentKind::Protection => "Vishay SUP53P06-20-E3".to_owned(),
            ComponentKind::Resistor(ohm) => format!("Yageo CFR-25JB-52-{}K", ohm / 1000),
            ComponentKind::FilterResistor(ohm) => format!("Yageo CFR-25JB-52-{ohm}R"),
            // Derived from the numbering scheme in the maker's data sheet: 2.54 mm, 5 %, 50 V, C0G.
            ComponentKind::FilterCapacitor(330) => "KEMET C315C331J5G5TA".to_owned(),
            ComponentKind::Decoupling => "Vishay K104K15X7RF5TL2".to_owned(),
            ComponentKind::Reservoir => "Panasonic EEU-FR1E470".to_owned(),
            ComponentKind::Header | ComponentKind::FilterCapacitor(_) => String::new(),
        }
    }
}

/// Returns all components: the chips in the order of the board, then the others.
pub(super) fn list_components(board: &Board) -> Result<Vec<Component<'_>>, String> {
    let mut all: Vec<Component<'_>> =
        (1..).zip(board.chips()).map(|(number, chip)| wire_chip(board, number, chip)).collect();
    let outside = list_outside_nets(board, &all);
    let mut pulls = Vec::new();
    for (net, _) in outside.iter().filter(|it| it.1 != PinRole::Input) {
        let (number, ohm) = (pulls.len() + 1, pull_ohm(board, net)?);
        let (name, kind) = (format!("R{number}"), ComponentKind::Resistor(ohm));
        pulls.push(passive(name, kind, net, fixed_net_name(level_at_rest(net))));
    }
    push_supply(&mut all, !board.around().is_empty());
    if !outside.is_empty() {
        all.push(make_header(outside));
    }
    all.extend(pulls);
    for wired in soldered::connect(board).map_err(|error| error.to_string())? {
        let reference = next_reference(&all, &wired.part.letter);
        all.push(wire_support_part(&wired, reference));
    }
    let pins = all.iter().flat_map(|it| &it.pins);
    let supplies = pins.filter(|pin| pin.role == PinRole::Power && is_on(pin, HIGH)).count();
    let reservoirs = 1 + board.chips().len().div_ceil(CHIPS_OF_A_RESERVOIR);
    let decoupling = std::iter::repeat_n(ComponentKind::Decoupling, supplies);
    for kind in decoupling.chain(std::iter::repeat_n(ComponentKind::Reservoir, reservoirs)) {
        all.push(passive(next_reference(&all, "C"), kind, HIGH, LOW));
    }
    push_filters(&mut all, board);
    Ok(all)
}

/// Adds the resistors of all filters, then their capacitors.
fn push_filters<'a>(all: &mut Vec<Component<'a>>, board: &'a Board) {
    let outputs = board.chips().iter().flat_map(|chip| &chip.data).map(|net| board.net(*net));
    let filtered = outputs.filter_map(|net| Some((net.name(), net.filter?)));
    for (net, filter) in filtered.clone() {
        let kind = ComponentKind::FilterResistor(filter.ohm);
        all.push(passive(next_reference(all, "R"), kind, &name_before_filter(net), net));
    }
    for (net, filter) in filtered {
        let kind = ComponentKind::FilterCapacitor(filter.pf);
        all.push(passive(next_reference(all, "C"), kind, net, LOW));
    }
}

/// The name of the net between a data pin and its filter.
fn name_before_filter(net: &str) -> String {
    format!("pin:{net}")
}

/// Returns an unused reference: the letter with a number one above the highest in use.
fn next_reference(all: &[Component<'_>], letter: &str) -> String {
    let numbers =
        all.iter().filter_map(|it| it.reference.strip_prefix(letter)?.parse::<u32>().ok());
    format!("{letter}{}", numbers.max().unwrap_or(0) + 1)
}

fn wire_support_part<'a>(wired: &SupportPart<'a>, reference: String) -> Component<'a> {
    let pins = wired.part.pins.iter().zip(&wired.connections).map(|(pin, connection)| {
        let net = match connection {
            Connection::Open => None,
            Connection::Tied(level) => Some(fixed_net_name(*level).to_owned()),
            Connection::Wire(wire) => Some((*wire).to_owned()),
        };
        let role = match &pin.usage {
            PinUse::Supply | PinUse::Ground => PinRole::Power,
            PinUse::Wired(WiredPin::Input) => PinRole::Input,
            PinUse::Wired(WiredPin::Output | WiredPin::Pull) => PinRole::Output,
            PinUse::Wired(WiredPin::Both) => PinRole::Bidirectional,
            _ => PinRole::Passive,
        };
        ComponentPin { name: pin.name.clone(), net, role }
    });
    Component {
        name: wired.name.to_owned(),
        reference,
        kind: ComponentKind::Wired(wired.part),
        pins: pins.collect(),
    }
}

fn is_on(pin: &ComponentPin, net: &str) -> bool {
    pin.net.as_deref() == Some(net)
}

fn wire_chip<'a>(board: &Board, number: usize, chip: &'a Chip) -> Component<'a> {
    let pins = chip.part().pins.iter().map(|pin| {
        let (net, role) = wire(board, chip, pin);
        let id = net.and_then(|net| board.net_named(net));
        let is_filtered = matches!(pin.usage, PinUse::Data(_))
            && id.is_some_and(|id| board.net(id).filter.is_some());
        let net = net.map(|it| if is_filtered { name_before_filter(it) } else { it.to_owned() });
        ComponentPin { name: pin.name.clone(), net, role }
    });
    Component {
        name: chip.name().to_owned(),
        reference: format!("U{number}"),
        kind: ComponentKind::Chip(chip),
        pins: pins.collect(),
    }
}

/// The net of a chip's pin, and its role on that net.
fn wire<'a>(board: &'a Board, chip: &Chip, pin: &'a PartPin) -> (Option<&'a str>, PinRole) {
    let net = match (&pin.usage, chip.source(&pin.usage)) {
        (PinUse::Panel(_, net), _) => Some(net.as_str()),
        (_, Some(Source::Net(net))) => Some(board.net(net).name()),
        (_, Some(Source::Tied(level))) => Some(fixed_net_name(level)),
        (_, None) => None,
    };
    let role = match &pin.usage {
        PinUse::Supply | PinUse::Ground => PinRole::Power,
        PinUse::NotConnected | PinUse::Spare => PinRole::Passive,
        PinUse::Data(_) if matches!(chip.output, Output::WhileHigh(_)) => PinRole::Bidirectional,
        PinUse::Panel(PanelPin::Data, _) => PinRole::Bidirectional,
        PinUse::Data(_) | PinUse::Unused | PinUse::Panel(PanelPin::Output, _) => PinRole::Output,
        PinUse::Wired(_) => unreachable!("a chip has no such pins"),
        _ => PinRole::Input,
    };
    (net, role)
}

const fn fixed_net_name(level: bool) -> &'static str {
    if level { HIGH } else { LOW }
}

/// Returns the nets on the header, each with the role of the header's pin. If the board has no
/// support parts, the oscillator and the reset wire come first. The nets of the panel follow, in
/// the order of the chips.
fn list_outside_nets(board: &Board, chips: &[Component<'_>]) -> Vec<(String, PinRole)> {
    // A board with support parts has no oscillator and reset on the header.
    let wires = [board.oscillator(), board.reset()];
    let wires = if board.around().is_empty() { &wires[..] } else { &[] };
    let mut outside: Vec<(String, PinRole)> =
        wires.iter().map(|&wire| (board.net(wire).name().to_owned(), PinRole::Output)).collect();
    for pin in chips.iter().flat_map(|chip| &chip.pins) {
        if let Some(net) = pin.net.as_ref().filter(|net| net.starts_with(PANEL)) {
            let role = match pin.role {
                PinRole::Input => PinRole::Output,
                PinRole::Bidirectional => PinRole::Bidirectional,
                _ => PinRole::Input,
            };
            outside.push((net.clone(), role));
        }
    }
    outside
}

/// The prefix of the nets of the panel.
const PANEL: &str = "panel:";

/// The level to which an external wire is pulled while it is not connected. Active-low and
/// read/write signals of the panel are pulled high, all others low.
fn level_at_rest(net: &str) -> bool {
    net.strip_prefix(PANEL).is_some_and(|name| name.starts_with('n') || name.starts_with("RnW"))
}

/// Returns the resistance, in ohms, that holds a wire low despite the input currents of its
/// readers. Parts whose input levels are not known are assumed to be CMOS, without input current.
fn pull_ohm(board: &Board, net: &str) -> Result<u32, String> {
    let readers = board.net_named(net).into_iter().flat_map(|net| board.readers(net));
    let levels = readers.filter_map(|(chip, _)| board.chip(chip).part().levels.as_ref());
    let current_ua: u64 = levels.map(|levels| u64::from(levels.input_low_ua)).sum();
    let ohm = PULLS_OHM.into_iter().find(|ohm| current_ua * u64::from(ohm / 1000) <= HELD_LOW_MV);
    ohm.ok_or_else(|| {
        format!(
            "no resistor can hold {net} low: its inputs source {current_ua} uA, and 1 kilohm sinks \
             400 uA; connect fewer inputs, or CMOS inputs"
        )
    })
}

fn passive<'a>(name: String, kind: ComponentKind<'a>, first: &str, second: &str) -> Component<'a> {
    let pins = [("1", first), ("2", second)];
    make_part(name, kind, pins.map(|(pin, net)| connect_pin(pin, net, PinRole::Passive)).into())
}

fn connect_pin(name: &str, net: &str, role: PinRole) -> ComponentPin {
    ComponentPin { name: name.to_owned(), net: Some(net.to_owned()), role }
}

/// Creates a component whose name is its reference.
fn make_part(name: String, kind: ComponentKind<'_>, pins: Vec<ComponentPin>) -> Component<'_> {
    Component { reference: name.clone(), name, kind, pins }
}

/// Adds the terminal and, on a complete machine, the transistor that protects the supply.
fn push_supply(all: &mut Vec<Component<'_>>, is_protected: bool) {
    let plus = if is_protected { INPUT } else { HIGH };
    let pins = [plus, LOW].map(|net| connect_pin(net, net, PinRole::PowerSource));
    all.push(make_part("J1".to_owned(), ComponentKind::Supply, pins.into()));
    if is_protected {
        let pins = vec![
            connect_pin("G", LOW, PinRole::Passive),
            connect_pin("D", INPUT, PinRole::Passive),
            connect_pin("S", HIGH, PinRole::PowerSource),
        ];
        all.push(make_part("Q1".to_owned(), ComponentKind::Protection, pins));
    }
}

/// Creates the header, with the external wires, a supply pin, and ground on all remaining pins.
fn make_header(outside: Vec<(String, PinRole)>) -> Component<'static> {
    let mut nets = outside;
    nets.push((HIGH.to_owned(), PinRole::Passive));
    nets.push((LOW.to_owned(), PinRole::Passive));
    let size = HEADERS.into_iter().find(|size| nets.len() <= *size);
    let size = size.unwrap_or_else(|| nets.len().next_multiple_of(2));
    nets.resize(size, (LOW.to_owned(), PinRole::Passive));
    let pins = nets.iter().map(|(net, role)| connect_pin(net, net, *role));
    make_part("J2".to_owned(), ComponentKind::Header, pins.collect())
}
