//! Reads the netlist that KiCad exports. It shares no code with the export of the schematic.

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

/// A board as its netlist describes it.
pub(crate) struct Netlist {
    /// The pins of each net. Deliberately open pins are left out.
    pub(crate) nets: BTreeMap<String, BTreeSet<Pin>>,
    /// The value and the function of each component, by reference.
    pub(crate) components: BTreeMap<String, (String, String)>,
    /// The names of the pins. Our own table has none.
    pub(crate) names: BTreeMap<Pin, String>,
}

impl Netlist {
    /// Reads a netlist in KiCad's format.
    pub(crate) fn from_kicad(text: &str) -> Self {
        let whole = Item::List(list(&mut text.chars().peekable()));
        let export = whole.all("export").next().expect("it is a netlist");
        let nodes = export.all("nets").flat_map(|nets| nets.all("net"));
        let nodes = nodes.flat_map(|net| net.all("node"));
        let names = nodes.map(|node| {
            let [part, pin, name] =
                ["ref", "pin", "pinfunction"].map(|it| node.value(it).to_owned());
            ((part, pin), name)
        });
        let nets = export.all("nets").flat_map(|nets| nets.all("net")).map(|net| {
            let pins = net.all("node").map(|node| (node.value("ref"), node.value("pin")));
            let pins = pins.map(|(part, pin)| (part.to_owned(), pin.to_owned())).collect();
            (net.value("name").to_owned(), pins)
        });
        let components = export.all("components").flat_map(|it| it.all("comp")).map(|part| {
            let fields = part.all("fields").flat_map(|fields| fields.all("field"));
            let function = fields.filter(|field| field.value("name") == "Function");
            let function = function.map(|field| field.list().last().map_or("", Item::word));
            let function = function.collect::<String>();
            (part.value("ref").to_owned(), (part.value("value").to_owned(), function))
        });
        let nets = nets.filter(|(name, _): &(String, _)| !name.starts_with("unconnected-"));
        Self { nets: nets.collect(), components: components.collect(), names: names.collect() }
    }

    /// Reads the pads of a circuit board.
    pub(crate) fn from_board(text: &str) -> Self {
        let whole = Item::List(list(&mut text.chars().peekable()));
        let board = whole.all("kicad_pcb").next().expect("it is a board");
        let (nets, components, names) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut netlist = Self { nets, components, names };
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
                let net = pad.all("net").next().map_or("", |net| net.list()[2].word());
                if !net.starts_with("unconnected-") {
                    let pins = netlist.nets.entry(net.to_owned()).or_default();
                    pins.insert((reference.clone(), pad.list()[1].word().to_owned()));
                }
            }
            netlist.components.insert(reference, (field("Value"), field("Function")));
        }
        netlist
    }

    /// Reads our netlist, a table whose used columns have no quotes.
    pub(crate) fn from_table(text: &str) -> Self {
        let (nets, components, names) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut netlist = Self { nets, components, names };
        for row in text.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let [chip, part, _, pin, _, net, .., reference] = fields[..] else { panic!("{row}") };
            let function = if chip == reference { "" } else { chip };
            netlist.components.insert(reference.to_owned(), (part.to_owned(), function.to_owned()));
            if !net.is_empty() {
                let pins = netlist.nets.entry(net.to_owned()).or_default();
                pins.insert((reference.to_owned(), pin.to_owned()));
            }
        }
        netlist
    }

    /// The names of the nets in which two netlists differ.
    pub(crate) fn differing(&self, other: &Self) -> BTreeSet<String> {
        let names = self.nets.keys().chain(other.nets.keys());
        names.filter(|name| self.nets.get(*name) != other.nets.get(*name)).cloned().collect()
    }
}
