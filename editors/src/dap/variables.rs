//! Scopes and variables: the state of a stopped machine in the form that clients show.

use gray1_board::{ChipId, NetId};
use gray1_debugger::{Changeable, Debugger};
use gray1_isa::panel::{GREEN, RED, SIDE};
use gray1_isa::text::printable;
use gray1_isa::{RamAddr, RomIndex, Symbol, SymbolKind};
use serde_json::{Value, json};

use super::protocol::{Refusal, reference, with};
use super::values;

/// A group of variables. Clients know it by a number that is valid until the machine moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Container {
    Registers,
    /// The variables of a routine, called `routine.name` in the program.
    Routine(String),
    /// The variables outside all routines.
    Program,
    Panel,
    Leds,
    Chips,
    Chip(ChipId),
    /// The bytes of the variable with this name, numbered from 0.
    Bytes(String),
}

impl Container {
    /// Whether the variables in it are numbered. Otherwise they have names.
    pub(super) fn is_indexed(&self) -> bool {
        matches!(self, Self::Bytes(_))
    }
}

/// The containers whose numbers a client knows.
#[derive(Debug, Default)]
pub(super) struct Containers(Vec<Container>);

/// A variable in the protocol's format, and the container of the variables in it.
pub(super) struct Variable {
    json: Value,
    inside: Option<Container>,
}

impl Containers {
    /// Returns the number of a container, after adding it if it is new. Numbers start at 1, because
    /// 0 means none in the protocol.
    fn number_of(&mut self, container: Container) -> u64 {
        let known = self.0.iter().position(|known| *known == container);
        let place = known.unwrap_or_else(|| {
            self.0.push(container);
            self.0.len() - 1
        });
        place as u64 + 1
    }

    /// The container with this number.
    pub(super) fn get(&self, number: i64) -> Result<Container, Refusal> {
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let container = place.and_then(|place| self.0.get(place));
        container.cloned().ok_or_else(|| Refusal::new("there are no such variables at this stop"))
    }

    /// A variable in the protocol's format, with the number of its container.
    pub(super) fn encode(&mut self, Variable { json, inside }: Variable) -> Value {
        let reference = inside.map_or(0, |inside| self.number_of(inside));
        with(json, "variablesReference", reference.into())
    }

    /// The scopes of a frame.
    pub(super) fn scopes(&mut self, debugger: &Debugger, at: RomIndex) -> Value {
        let routine = debugger.image().routines().around(at);
        let routine = routine.map(|it| (printable(&it.name), Container::Routine(it.name.clone())));
        let mut scopes = vec![("Registers".to_owned(), Container::Registers)];
        scopes.extend(routine);
        scopes.push(("Variables".to_owned(), Container::Program));
        scopes.push(("Panel".to_owned(), Container::Panel));
        if debugger.shows_wires() {
            scopes.push(("Chips".to_owned(), Container::Chips));
        }
        let scopes = scopes.into_iter().map(|(name, container)| {
            let hint = match container {
                Container::Registers => "registers",
                Container::Routine(_) => "locals",
                _ => "globals",
            };
            let is_long = container == Container::Chips;
            let reference = self.number_of(container);
            json!({
                "name": name, "presentationHint": hint, "variablesReference": reference,
                "expensive": is_long,
            })
        });
        scopes.collect()
    }
}

/// The variables in a container.
pub(super) fn list_variables(debugger: &mut Debugger, container: &Container) -> Vec<Variable> {
    match container {
        Container::Registers => list_registers(debugger),
        Container::Routine(name) => {
            let prefix = format!("{name}.");
            list_symbols(debugger, |symbol| symbol.name.strip_prefix(prefix.as_str()))
        }
        Container::Program => list_symbols(debugger, |symbol| {
            let is_local = symbol.name.contains('.');
            (!is_local && symbol.pooled_byte().is_none()).then_some(&*symbol.name)
        }),
        Container::Panel => list_panel(debugger),
        Container::Leds => list_leds(debugger),
        Container::Chips => list_chips(debugger),
        Container::Chip(chip) => list_chip_wires(debugger, *chip),
        Container::Bytes(name) => match debugger.image().symbol(name) {
            Some(symbol) => list_elements(debugger, symbol),
            None => Vec::new(),
        },
    }
}

/// Returns the name that the program uses for a variable in a container.
pub(super) fn full_name(container: &Container, name: &str) -> String {
    match container {
        Container::Routine(routine) => format!("{routine}.{name}"),
        _ => name.to_owned(),
    }
}

/// The register or byte with this name in a container.
pub(super) fn find_changeable(
    debugger: &Debugger,
    container: &Container,
    name: &str,
) -> Result<Changeable, Refusal> {
    let none = || Refusal::new(format!("'{}' cannot be changed", printable(name)));
    match (container, name) {
        (Container::Registers, "A") => Ok(Changeable::A),
        (Container::Registers, "C") => Ok(Changeable::Carry),
        (Container::Registers, "PC") => Ok(Changeable::Pc),
        (Container::Routine(_) | Container::Program, name) => {
            let symbol = debugger.image().symbol(&full_name(container, name));
            let symbol = symbol.filter(|it| it.kind == SymbolKind::Variable);
            symbol.map(|symbol| Changeable::Byte(values::address(symbol))).ok_or_else(none)
        }
        (Container::Bytes(symbol), name) => {
            let symbol = debugger.image().symbol(symbol).ok_or_else(none)?;
            let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
            let number: u16 = number.and_then(|text| text.parse().ok()).ok_or_else(none)?;
            let address = values::address(symbol).get().checked_add(number);
            let address = address.filter(|_| number < symbol.size).and_then(RamAddr::new);
            address.map(Changeable::Byte).ok_or_else(none)
        }
        _ => Err(none()),
    }
}

/// The value of an expression, as a variable whose name is the expression.
pub(super) fn evaluate(
    debugger: &mut Debugger,
    text: &str,
    at: RomIndex,
) -> Result<Variable, Refusal> {
    if let Some(symbol) = values::variable(debugger, text, at) {
        let variable = variable(debugger, text, symbol);
        let contents = variable.json["value"].as_str().unwrap_or_default();
        let first = values::address(symbol);
        let value = values::format_at_address(debugger, first, symbol.size, contents);
        return Ok(variable.with("value", value));
    }
    let value = match values::evaluate(debugger, text, at) {
        Ok(value) => values::format_value(debugger, value),
        Err(refusal) => values::read_wires(debugger, text.trim()).ok_or(refusal)?,
    };
    Ok(Variable::new(text, value))
}

impl Variable {
    /// Creates a variable that contains no others.
    fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { json: json!({ "name": name.into(), "value": value.into() }), inside: None }
    }

    /// Creates a variable that contains no others and cannot be changed.
    fn read_only(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(name, value).with("presentationHint", json!({ "attributes": ["readOnly"] }))
    }

    /// Adds a member to the JSON of the variable.
    fn with(self, name: &str, member: impl Into<Value>) -> Self {
        Self { json: with(self.json, name, member.into()), ..self }
    }

    /// Sets the container of the variables inside this one.
    fn holding(self, container: Container) -> Self {
        Self { inside: Some(container), ..self }
    }
}

fn list_registers(debugger: &Debugger) -> Vec<Variable> {
    let engine = debugger.engine();
    let image = debugger.image();
    let pc = engine.pc();
    let named = |name, value: String| Variable::new(name, value).with("evaluateName", name);
    let mut registers = vec![
        named("A", values::format_byte(engine.a())),
        named("C", u8::from(engine.carry()).to_string()),
        named("PC", values::format_index(image, pc)),
        Variable::read_only("PC in Gray code", format!("{:#015b}", pc.gray().get())),
        Variable::read_only("next", image.instruction(pc)),
        Variable::read_only("executed", format!("{} instructions", debugger.history().moment())),
    ];
    if engine.circuit().is_some() {
        registers.push(Variable::read_only("phase", engine.phase().to_string()));
    }
    if let Some(caption) = image.caption(pc) {
        registers.push(Variable::read_only("caption", printable(caption)));
    }
    registers
}

/// The variables of the program for which `short` returns a name.
fn list_symbols<'a>(
    debugger: &'a Debugger,
    short: impl Fn(&'a Symbol) -> Option<&'a str>,
) -> Vec<Variable> {
    let symbols = debugger.image().symbols().iter();
    let variables = symbols.filter(|symbol| symbol.kind == SymbolKind::Variable);
    let named = variables.filter_map(|symbol| Some((short(symbol)?, symbol)));
    named.map(|(name, symbol)| variable(debugger, name, symbol)).collect()
}

/// A variable, with the caption that the program declares for it.
fn variable(debugger: &Debugger, name: &str, symbol: &Symbol) -> Variable {
    let bytes = values::bytes(debugger, symbol);
    let address = values::address(symbol);
    let shown = &debugger.image().presentation().values;
    let caption = shown.iter().find(|shown| shown.address == address);
    let caption = caption.map_or(String::new(), |it| format!(" {}", printable(&it.caption)));
    let value = match bytes {
        [byte] => values::format_byte(*byte) + &caption,
        bytes => {
            let first: Vec<String> = bytes.iter().take(8).map(|it| format!("{it:02x}")).collect();
            let more = if bytes.len() > 8 { " ..." } else { "" };
            first.join(" ") + more + &caption
        }
    };
    let variable = Variable::new(printable(name), value)
        .with("evaluateName", printable(&symbol.name))
        .with("memoryReference", reference(address.get()));
    if bytes.len() == 1 {
        return variable;
    }
    let inside = Container::Bytes(symbol.name.clone());
    variable.with("indexedVariables", bytes.len()).holding(inside)
}

/// The bytes of a variable. The bytes of a grid are drawn as rows of squares.
fn list_elements(debugger: &Debugger, symbol: &Symbol) -> Vec<Variable> {
    let first = values::address(symbol);
    let grids = &debugger.image().presentation().grids;
    let grid = grids.iter().find(|grid| grid.first == first);
    let elements = values::bytes(debugger, symbol).iter().enumerate().map(|(number, byte)| {
        let drawn = grid.filter(|grid| number < usize::from(grid.size));
        let drawn = drawn.map_or(String::new(), |grid| format!("{}  ", draw_row(*byte, grid.mark)));
        Variable::new(format!("[{number}]"), drawn + &values::format_byte(*byte))
            .with("evaluateName", format!("[{} + {number}]", printable(&symbol.name)))
            .with("memoryReference", reference(first.get() + number as u16))
    });
    elements.collect()
}

/// A row of squares, the lowest bit on the left.
fn draw_row(byte: u8, mark: char) -> String {
    (0..8).map(|bit| if byte >> bit & 1 == 1 { mark } else { '.' }).collect()
}

fn list_panel(debugger: &Debugger) -> Vec<Variable> {
    let ram = debugger.engine().ram();
    let history = debugger.history();
    let lit = |first: RamAddr| {
        let bytes = &ram[first.to_usize()..][..SIDE];
        bytes.iter().map(|byte| byte.count_ones()).sum::<u32>()
    };
    let leds = format!("{} green, {} red", lit(GREEN), lit(RED));
    let last = String::from_utf8_lossy(&history.output(OUTPUT_SHOWN)).into_owned();
    vec![
        Variable::read_only("LEDs", leds)
            .with("memoryReference", reference(GREEN.get()))
            .holding(Container::Leds),
        Variable::read_only("buttons", debugger.held().to_string()),
        Variable::read_only("printed", format!("{} bytes", history.printed())),
        Variable::read_only("printed last", format!("\"{}\"", last.escape_debug())),
    ]
}

/// The number of bytes of the output that are shown.
const OUTPUT_SHOWN: u64 = 64;

/// The rows of the display.
fn list_leds(debugger: &Debugger) -> Vec<Variable> {
    let picture = debugger.engine().display().to_string();
    let rows = picture.lines().enumerate();
    rows.map(|(row, leds)| Variable::read_only(format!("row {row}"), leds)).collect()
}

fn list_chips(debugger: &mut Debugger) -> Vec<Variable> {
    let Some(levels) = debugger.levels() else { return Vec::new() };
    let board = &levels.board;
    let chips = board.chip_ids().map(|id| {
        let chip = board.chip(id);
        let data = &chip.data;
        let digits = data.len().div_ceil(4) + 2;
        let number = levels.number(data);
        Variable::read_only(chip.name(), format!("{number:#0digits$x}"))
            .holding(Container::Chip(id))
    });
    chips.collect()
}

/// The purpose of a chip and the levels of its wires, the data wires first.
fn list_chip_wires(debugger: &mut Debugger, chip: ChipId) -> Vec<Variable> {
    let Some(levels) = debugger.levels() else { return Vec::new() };
    let board = &levels.board;
    let chip = board.chip(chip);
    let purpose = Some(chip.purpose()).filter(|purpose| !purpose.is_empty());
    let purpose = purpose.map(|purpose| Variable::read_only("purpose", purpose));
    let mut nets: Vec<NetId> = chip.data.clone();
    for (_, net) in chip.inputs() {
        if !nets.contains(&net) {
            nets.push(net);
        }
    }
    let wires = nets.into_iter().map(|net| {
        let level = u8::from(levels.level(net));
        Variable::read_only(board.net(net).name(), level.to_string())
    });
    purpose.into_iter().chain(wires).collect()
}
