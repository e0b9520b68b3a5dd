//! Checks a description and converts it to a board: names, wires, drivers and roles, in this order.
//! Burning the chips is not done here.

use std::collections::HashSet;
use std::sync::Arc;

use gray1_isa::format::document_name;

use super::board::{Board, CHIPS_MAX, Panel, Probes};
use super::chip::Chip;
use super::document::{self, ContentsSource, Document, Header, VERSION};
use super::error::{BoardError, Pin};
use super::names::{self, Names, check_count};
use super::net::{ChipId, DataPin, Driver, Net, NetId, Output, Source};
use super::part::{ACCESS_NS_MAX, Part};
use super::parts::Parts;
use super::pins::PinUse;
use super::role::Role;
use super::roles::resolve_role;
use super::{around, text};

/// The maximum number of wires on a board.
const NETS_MAX: usize = 1024;
/// The number of address pins of the program.
const PROGRAM_PINS: u8 = 14;
/// The number of LED bytes: eight green rows and eight red rows.
const LED_BYTES: usize = 16;
/// The number of address pins of data memory.
const MEMORY_PINS: u8 = 13;

/// The choice of another part for a chip than its description names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartChoice {
    /// The name of the chip.
    pub chip: String,
    /// The name of the part.
    pub part: String,
}

/// Reads and checks a description that may use these parts. `instead` has the parts that replace
/// described ones. Returns a board with unburned chips, and the source of the contents of each
/// chip, indexed by [`ChipId::index`].
pub(crate) fn wire(
    text: &str,
    parts: &Parts,
    instead: &[PartChoice],
) -> Result<(Board, Vec<ContentsSource>), BoardError> {
    let mut document = parse(text)?;
    let parts = parts.with(std::mem::take(&mut document.parts))?;
    let outside = list_outside_names(&document)?;
    let outside_count = outside.len();
    let (names, mut nets) = name_wires(&document, outside)?;
    let mut chips = wire_chips(&document, &names, &parts, instead)?;
    for (index, net) in nets.iter_mut().enumerate().skip(outside_count) {
        net.driver = find_driver(&chips, &net.name, NetId(index as u16))?;
    }
    check_shared_wires_have_drivers(&chips, &nets, outside_count)?;
    for (chip, described) in chips.iter_mut().zip(&document.chips) {
        chip.role = resolve_role(chip, described.does.as_ref(), &names)?;
        check_pins_of_role(chip)?;
    }
    let oscillator = names.wire("the oscillator", &document.oscillator)?;
    let reset = names.wire("the reset wire", &document.reset)?;
    let numbered = || (0..).map(ChipId).zip(&chips);
    let programs = numbered().filter_map(|(id, chip)| match chip.role {
        Role::Program(code) => Some((id, code)),
        _ => None,
    });
    let (program, code) = find_only("program", programs)?;
    let memories = numbered().filter(|(_, chip)| chip.role == Role::Memory);
    let (memory, _) = find_only("data memory", memories)?;
    let probes = resolve_probes(&document, &names)?;
    let panel = document.panel.as_ref().map(|panel| resolve_panel(panel, &names)).transpose()?;
    let around = around::list_parts(&chips, &document.around, &parts)?;
    let title = document.title;
    let mut board = Board {
        title,
        nets,
        chips,
        oscillator,
        reset,
        probes,
        panel,
        phase_sentences: Vec::new(),
        program,
        code,
        memory,
        around,
    };
    around::add_filters(&mut board, &document.filters, &names)?;
    let sentences = document.phases.into_iter().map(|it| it.resolve(&board, &names));
    board.phase_sentences = sentences.collect::<Result<_, _>>()?;
    let contents = document.chips.into_iter().map(|chip| chip.contents).collect();
    Ok((board, contents))
}

fn parse(described: &str) -> Result<Document, BoardError> {
    text::check_length(described)?;
    let name = document_name(described);
    if name != "Board" {
        let found = match name {
            "" => "nothing by name".to_owned(),
            "Image" => "a program (Image)".to_owned(),
            name => format!("something else ({name})"),
        };
        return Err(BoardError::new(format!("this describes {found}; expected a board (Board)")));
    }
    let Header { version } = text::read(described)?;
    if version != VERSION {
        return Err(BoardError::new(format!(
            "unknown Board version {version} (expected version {VERSION})"
        )));
    }
    text::read(described)
}

/// Returns the wires that come from outside: the oscillator, reset, and the buttons of a panel.
fn list_outside_names(document: &Document) -> Result<Vec<String>, BoardError> {
    let mut outside = vec![document.oscillator.clone(), document.reset.clone()];
    outside.iter().try_for_each(|name| names::check_name(name))?;
    for text in document.panel.iter().flat_map(|panel| &panel.buttons) {
        outside.extend(names::expand_names("the panel's buttons", text)?);
    }
    for (at, name) in outside.iter().enumerate() {
        if outside[..at].contains(name) {
            return Err(BoardError::duplicate_name(name));
        }
    }
    Ok(outside)
}

/// Numbers the wires: first those from outside, then the outputs of the chips.
fn name_wires(document: &Document, outside: Vec<String>) -> Result<(Names, Vec<Net>), BoardError> {
    check_count("chips", document.chips.len(), CHIPS_MAX)?;
    let mut names = Names::default();
    let mut nets = Vec::new();
    let mut driven = Vec::new();
    for chip in &document.chips {
        for text in &chip.data {
            driven.extend(names::expand_names(&format!("{}: data", chip.name), text)?);
            check_count("wires", driven.len(), NETS_MAX)?;
        }
    }
    for name in outside.into_iter().chain(driven) {
        let id = names.define(&name, nets.len());
        if id.index() == nets.len() {
            nets.push(Net { name, driver: Driver::Outside, filter: None });
        }
    }
    for group in &document.groups {
        names.define_group(&group.name, &group.lines)?;
    }
    Ok((names, nets))
}

fn wire_chips(
    document: &Document,
    names: &Names,
    parts: &Parts,
    instead: &[PartChoice],
) -> Result<Vec<Chip>, BoardError> {
    let mut seen = HashSet::new();
    let mut chips = Vec::new();
    for PartChoice { chip: replaced, .. } in instead {
        if document.chips.iter().all(|chip| chip.name != *replaced) {
            let name = replaced.escape_debug();
            return Err(BoardError::new(format!("the board has no chip called '{name}'")));
        }
    }
    for described in &document.chips {
        names::check_name(&described.name)?;
        if !seen.insert(&described.name) {
            return Err(BoardError::duplicate_name(&described.name));
        }
        chips.push(wire_chip(described, names, parts, instead)?);
    }
    Ok(chips)
}

fn wire_chip(
    described: &document::Chip,
    names: &Names,
    parts: &Parts,
    instead: &[PartChoice],
) -> Result<Chip, BoardError> {
    let name = described.name.clone();
    let part = find_part(&name, &described.part, parts)?;
    let mut address = names.sources(&format!("{name}: address"), &described.address)?;
    let data = names.wires(&format!("{name}: data"), &described.data)?;
    check_width(&name, part, "address", part.address_pins(), address.len())?;
    if address.len() < usize::from(part.address_pins()) {
        let pin = Pin::Address(address.len() as u8);
        return Err(BoardError::floating(&name, &part.name, pin));
    }
    let mut instead = instead.iter().filter(|choice| choice.chip == name);
    let (part, own_access_ns) = match instead.next_back() {
        Some(choice) => (replace_part(&name, part, &choice.part, &mut address, parts)?, None),
        None => (part, described.access_ns),
    };
    check_width(&name, part, "data", part.data_bits, data.len())?;
    if let Some((pin, _)) = data.iter().enumerate().find(|(i, net)| data[..*i].contains(net)) {
        let reason = format!("D{pin} drives a wire that another data pin drives already");
        return Err(BoardError::at(&name, reason));
    }
    if part.address_pins() < part.address_bits {
        // A latch part feeds its outputs back internally. Bits without a wire hold 0.
        address.extend(data.iter().map(|net| Source::Net(*net)));
        address.resize(usize::from(part.address_bits), Source::Tied(false));
    }
    let output = output(described, part, names)?;
    let access_ns = own_access_ns.unwrap_or(part.access_ns);
    if !(1..=ACCESS_NS_MAX).contains(&access_ns) {
        let wrong = format!("an access time of {access_ns} ns (expected 1 to {ACCESS_NS_MAX} ns)");
        return Err(BoardError::at(&name, wrong));
    }
    // The role is resolved and the contents are burned after all wires are known.
    let (role, contents) = (Role::Memory, [].into());
    let part = Arc::clone(part);
    let purpose = described.purpose.clone();
    Ok(Chip { name, purpose, part, access_ns, address, data, output, role, contents, file: None })
}

fn find_part<'a>(chip: &str, name: &str, parts: &'a Parts) -> Result<&'a Arc<Part>, BoardError> {
    let known = parts.iter().map(|part| part.name.as_str());
    parts.named(name).ok_or_else(|| BoardError::unknown_part(chip, name, known))
}

/// Replaces the part of a chip. Address pins that only the new part has are tied to the level that
/// they get in the socket of the old part. Tied pins that the new part lacks are removed.
fn replace_part<'a>(
    chip: &str,
    described: &Part,
    other: &str,
    address: &mut Vec<Source>,
    parts: &'a Parts,
) -> Result<&'a Arc<Part>, BoardError> {
    let other = find_part(chip, other, parts)?;
    if described.logic.is_some() || other.logic.is_some() {
        if described.logic == other.logic {
            return Ok(other);
        }
        let reason = format!("the {} does not do what the {} does", other.name, described.name);
        return Err(BoardError::at(chip, reason));
    }
    let has = usize::from(other.address_bits);
    while address.len() > has && matches!(address.last(), Some(Source::Tied(_))) {
        address.pop();
    }
    check_width(chip, other, "address", other.address_bits, address.len())?;
    for pin in address.len() as u8..other.address_bits {
        address.push(Source::Tied(described.level_for(other, pin)));
    }
    Ok(other)
}

fn check_width(
    chip: &str,
    part: &Part,
    pins: &str,
    has: u8,
    listed: usize,
) -> Result<(), BoardError> {
    let has = usize::from(has);
    if listed <= has {
        return Ok(());
    }
    let part = &part.name;
    let wrong = format!("the part {part} has {has} {pins} pins, {listed} wires are listed");
    Err(BoardError::at(chip, wrong))
}

/// Returns the condition under which a chip drives its data pins. A RAM drives them except while it
/// is being written.
fn output(described: &document::Chip, part: &Part, names: &Names) -> Result<Output, BoardError> {
    let chip = &described.name;
    let ram = part.kind.is_ram();
    let refuse = |reason: String| Err(BoardError::at(chip, reason));
    let enables = [PinUse::OutputEnableLow, PinUse::ChipEnableLow];
    match (&described.output_enable_low, &described.write_enable_low) {
        (None, None) if ram => Err(BoardError::floating(chip, &part.name, Pin::WriteEnableLow)),
        (None, Some(net)) if ram => {
            Ok(Output::WhileHigh(names.wire(&format!("{chip}: write_enable_low"), net)?))
        }
        (Some(_), _) if ram => refuse("output_enable_low of a RAM is always tied low".to_owned()),
        (_, Some(_)) => refuse(format!("the {} has no write enable", part.name)),
        (Some(_), None) if !enables.iter().any(|pin| part.has(pin)) => {
            refuse(format!("the {} has no output enable", part.name))
        }
        (Some(net), None) => {
            Ok(Output::WhileLow(names.wire(&format!("{chip}: output_enable_low"), net)?))
        }
        (None, None) => Ok(Output::Always),
    }
}

/// Finds the driver of a wire: the data pins that are connected to it.
fn find_driver(chips: &[Chip], name: &str, net: NetId) -> Result<Driver, BoardError> {
    let mut pins = Vec::new();
    for (index, chip) in chips.iter().enumerate() {
        if let Some(pin) = chip.data.iter().position(|&data| data == net) {
            pins.push((DataPin { chip: ChipId(index as u8), pin: pin as u8 }, chip.output));
        }
    }
    // A wire may have a single driver that is off at times if no input reads the wire.
    // `check_shared_wires_have_drivers` tests that.
    let mut driver = pins.first().map_or(Driver::Outside, |&(pin, _)| Driver::Chip(pin));
    // Of three drivers, two are on at the same level of the select wire.
    for (at, &other) in pins.iter().enumerate() {
        for &one in &pins[..at] {
            driver = combine_drivers(one, other).ok_or_else(|| {
                let [one, other] = [one.0, other.0].map(|pin| pin_name(chips, pin));
                BoardError::drivers_meet(name, &one, &other)
            })?;
        }
    }
    Ok(driver)
}

/// Combines two data pins into one driver, if one is on exactly while the other is off.
fn combine_drivers(one: (DataPin, Output), other: (DataPin, Output)) -> Option<Driver> {
    match (one, other) {
        ((low, Output::WhileLow(select)), (high, Output::WhileHigh(same)))
        | ((high, Output::WhileHigh(same)), (low, Output::WhileLow(select)))
            if select == same =>
        {
            Some(Driver::Shared { select, low, high })
        }
        _ => None,
    }
}

fn pin_name(chips: &[Chip], pin: DataPin) -> String {
    format!("{}.D{}", chips[pin.chip.index()].name, pin.pin)
}

/// Rejects inputs on a wire whose only driver is off at times, and drivers of wires from outside.
fn check_shared_wires_have_drivers(
    chips: &[Chip],
    nets: &[Net],
    outside: usize,
) -> Result<(), BoardError> {
    for chip in chips {
        if let Some(pin) = chip.data.iter().position(|net| net.index() < outside) {
            let net = &nets[chip.data[pin].index()].name;
            let second = format!("{}.D{pin}", chip.name);
            return Err(BoardError::drivers_meet(net, "the outside", &second));
        }
        for (pin, net) in chip.inputs() {
            let Driver::Chip(driver) = nets[net.index()].driver else { continue };
            let Some((select, on)) = chips[driver.chip.index()].output.switch() else { continue };
            let [net, select] = [net, select].map(|net| &nets[net.index()].name);
            let level = if on { "low" } else { "high" };
            let wrong =
                format!("pin {pin} floats: while {select} is {level}, nothing drives {net}");
            return Err(BoardError::at(&chip.name, wrong));
        }
    }
    Ok(())
}

/// Checks the pins of the program chip and of data memory. Only data memory may be a RAM.
fn check_pins_of_role(chip: &Chip) -> Result<(), BoardError> {
    let ram = chip.part.kind.is_ram();
    let refuse = |reason: String| Err(BoardError::at(&chip.name, reason));
    let mut others = chip.address.iter().skip(usize::from(PROGRAM_PINS));
    match (&chip.role, ram) {
        (Role::Memory, false) => refuse(format!("the {} cannot be data memory", chip.part.name)),
        (Role::Memory, true) if chip.data.len() != 8 => {
            refuse(format!("data memory has 8 data pins, not {}", chip.data.len()))
        }
        (Role::Memory, true) if chip.part.address_bits != MEMORY_PINS => {
            refuse(format!("data memory is 8192 bytes: {MEMORY_PINS} address pins"))
        }
        (Role::Program(_), false)
            if chip.part.address_bits < PROGRAM_PINS
                || others.any(|source| source.net().is_some())
                || chip.data.len() != 8 =>
        {
            refuse(format!(
                "a program is 16384 bytes: {PROGRAM_PINS} address pins (others are tied), \
                 8 data pins"
            ))
        }
        (Role::Memory, true) | (_, false) => Ok(()),
        (_, true) => refuse(format!("the {} can only be data memory", chip.part.name)),
    }
}

/// Returns what was found, of which a board has exactly one.
fn find_only<T>(what: &str, found: impl Iterator<Item = T>) -> Result<T, BoardError> {
    let mut found: Vec<T> = found.collect();
    let count = found.len();
    found.pop().filter(|_| count == 1).ok_or_else(|| {
        let wrong = format!("exactly one chip that is the {what}, this one has {count}");
        BoardError::new(format!("a board has {wrong}"))
    })
}

fn resolve_probes(document: &Document, names: &Names) -> Result<Probes, BoardError> {
    Ok(Probes {
        a: names.wires_exactly("the probe a", &document.probes.a, 8)?,
        carry: names.wire("the probe carry", &document.probes.carry)?,
        phase: names.wires_exactly("the probe phase", &document.probes.phase, 3)?,
    })
}

fn resolve_panel(panel: &Panel<String>, names: &Names) -> Result<Panel, BoardError> {
    Ok(Panel {
        buttons: names.wires_exactly("the panel's buttons", &panel.buttons, 8)?,
        leds: names.wires_exactly("the panel's leds", &panel.leds, 8 * LED_BYTES)?,
        mailbox: names.wire("the panel's mailbox", &panel.mailbox)?,
        byte: names.wires_exactly("the panel's byte", &panel.byte, 8)?,
    })
}
