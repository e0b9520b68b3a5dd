//! Reads a netlist from KiCad's export, from a circuit board or from `gray1 export netlist`, and
//! compares two of them.

use std::collections::{BTreeMap, BTreeSet};

/// A pin: the component's reference and the pin's number.
pub(crate) type Pin = (String, String);

/// An element of KiCad's file format: a list in parentheses, or a word.
#[derive(Debug)]
enum Item {
    Word(String),
    List(Vec<Item>),
}

impl Item {
    fn list(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    fn word(&self) -> &str {
        if let Self::Word(word) = self { word } else { "" }
    }

    /// The lists inside this list whose first word is `first`.
    fn all<'a>(&'a self, first: &'a str) -> impl Iterator<Item = &'a Self> {
        self.list()
            .iter()
            .filter(move |item| item.list().first().is_some_and(|it| it.word() == first))
    }

    /// The second word of the first list that begins with `first`.
    fn value<'a>(&'a self, first: &'a str) -> &'a str {
        self.all(first).next().and_then(|item| item.list().get(1)).map_or("", Self::word)
    }
}

/// Reads a list whose opening parenthesis has been read.
fn list(text: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Vec<Item> {
    let mut items = Vec::new();
    while let Some(c) = text.next() {
        match c {
            '(' => items.push(Item::List(list(text))),
            ')' => break,
            '"' => {
                let mut word = String::new();
                while let Some(c) = text.next().filter(|c| *c != '"') {
                    word.push(if c == '\\' { text.next().unwrap_or(c) } else { c });
                }
                items.push(Item::Word(word));
            }
            c if c.is_whitespace() => {}
            c => {
                let mut word = String::from(c);
                while let Some(c) = text.next_if(|c| !c.is_whitespace() && !"()".contains(*c)) {
                    word.push(c);
                }
                items.push(Item::Word(word));
            }
        }
    }
    items
}

/// A component as its netlist describes it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Component {
    pub(crate) value: String,
    /// The name on the board. Empty if it is the reference.
    pub(crate) function: String,
    /// The package. Spaces are underscores.
    pub(crate) package: String,
}

/// A board as its netlist describes it.
#[derive(Default)]
pub(crate) struct Netlist {
    /// The pins of each net. Deliberately open pins are left out.
    pub(crate) nets: BTreeMap<String, BTreeSet<Pin>>,
    /// The components by reference.
    pub(crate) components: BTreeMap<String, Component>,
    /// The names of the pins. A circuit board has none.
    pub(crate) names: BTreeMap<Pin, String>,
}

impl Netlist {
    /// Reads a netlist in KiCad's format.
    pub(crate) fn from_kicad(text: &str) -> Self {
        let whole = Item::List(list(&mut text.chars().peekable()));
        let export = whole.all("export").next().expect("it is a netlist");
        let mut netlist = Self::default();
        for net in export.all("nets").flat_map(|nets| nets.all("net")) {
            for node in net.all("node") {
                let [part, pin, name] =
                    ["ref", "pin", "pinfunction"].map(|it| node.value(it).to_owned());
                netlist.connect(net.value("name"), (part.clone(), pin.clone()));
                netlist.names.insert((part, pin), name);
            }
        }
        for part in export.all("components").flat_map(|it| it.all("comp")) {
            let mut fields = part.all("fields").flat_map(|fields| fields.all("field"));
            let function = fields.find(|field| field.value("name") == "Function");
            let component = Component {
                value: part.value("value").to_owned(),
                function: function.map_or("", |field| field.list()[2].word()).to_owned(),
                package: package(part.value("footprint")),
            };
            netlist.components.insert(part.value("ref").to_owned(), component);
        }
        netlist
    }

    /// Reads the pads of a circuit board.
    pub(crate) fn from_board(text: &str) -> Self {
        let whole = Item::List(list(&mut text.chars().peekable()));
        let board = whole.all("kicad_pcb").next().expect("it is a board");
        let mut netlist = Self::default();
        // Screw holes do not appear in the schematic.
        let is_part = |part: &&Item| {
            part.all("attr").flat_map(Item::list).all(|word| word.word() != "board_only")
        };
        for part in board.all("footprint").filter(is_part) {
            let field = |name: &str| {
                let mut fields = part.all("property").map(Item::list);
                let field = fields.find(|field| field[1].word() == name);
                field.map_or_else(String::new, |field| field[2].word().to_owned())
            };
            let reference = field("Reference");
            for pad in part.all("pad") {
                let net = pad.all("net").next().expect("each pad has a net");
                let pin = (reference.clone(), pad.list()[1].word().to_owned());
                netlist.connect(net.list()[2].word(), pin);
            }
            let package = package(part.list()[1].word());
            let component =
                Component { value: field("Value"), function: field("Function"), package };
            netlist.components.insert(reference, component);
        }
        netlist
    }

    /// Reads our netlist, a table whose used columns have no quotes.
    pub(crate) fn from_table(text: &str) -> Self {
        let mut netlist = Self::default();
        for row in text.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let [chip, value, package, number, name, net, .., reference] = fields[..] else {
                panic!("{row}")
            };
            let pin = (reference.to_owned(), number.to_owned());
            if !net.is_empty() {
                netlist.connect(net, pin.clone());
            }
            netlist.names.insert(pin, name.to_owned());
            let function = if chip == reference { "" } else { chip };
            let component = Component {
                value: value.to_owned(),
                function: function.to_owned(),
                package: package.replace(' ', "_"),
            };
            netlist.components.insert(reference.to_owned(), component);
        }
        netlist
    }

    fn connect(&mut self, net: &str, pin: Pin) {
        if !net.starts_with("unconnected-") {
            self.nets.entry(net.to_owned()).or_default().insert(pin);
        }
    }

    /// The names of the nets and the references of the components in which two netlists differ.
    pub(crate) fn differing(&self, other: &Self) -> BTreeSet<String> {
        let nets = self.nets.keys().chain(other.nets.keys());
        let nets = nets.filter(|name| self.nets.get(*name) != other.nets.get(*name));
        let components = self.components.keys().chain(other.components.keys());
        let components =
            components.filter(|name| self.components.get(*name) != other.components.get(*name));
        nets.chain(components).cloned().collect()
    }
}

/// The package for which a footprint was drawn: `DIP-32` for `gray1-b:DIP-32_15.240mm`.
fn package(footprint: &str) -> String {
    let name = footprint.split_once(':').map_or(footprint, |(_, name)| name);
    let is_dip = name.starts_with("DIP-");
    name.split('_').next().filter(|_| is_dip).unwrap_or(name).to_owned()
}
