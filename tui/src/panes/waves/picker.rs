//! The wire picker: a list of registers, buses, all wires of a chip, and single wires. Users choose
//! from it what the waves pane shows.

use std::sync::Arc;

use gray1_board::buses::Bus;
use gray1_board::{Board, ChipId, NetId};
use gray1_debugger::Signal;
use gray1_isa::text::plural;
use gray1_session::Snapshot;
use gray1_session::board::drivers_and_readers;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};

use crate::actions::{Move, Reply, ShowTarget};
use crate::key::Key;
use crate::overlays::{CHROME_HEIGHT, ListBox, Outcome, Overlay, centered, draw_box};
use crate::theme::Theme;
use crate::widgets;

/// The list, and the chosen names.
#[derive(Debug)]
pub(super) struct WirePicker {
    board: Arc<Board>,
    choices: Vec<WireChoice>,
    shown: Vec<String>,
    list_box: ListBox,
}

/// An item of the list.
#[derive(Debug, Clone)]
struct WireChoice {
    /// The name in the list.
    title: String,
    /// Its drivers and readers, or the wires in it.
    about: String,
    /// The names of the signals in it.
    names: Vec<String>,
}

/// The maximum number of names that can be chosen.
const SHOWN_MAX: usize = 64;
/// The maximum number of lines of the list.
const LIST_HEIGHT: u16 = 20;

impl WirePicker {
    /// A picker for a board, with these names chosen.
    pub(super) fn new(board: &Arc<Board>, shown: Vec<String>) -> Self {
        let list_box = ListBox::default();
        Self { choices: choices(board), board: Arc::clone(board), shown, list_box }
    }

    /// The items that contain the typed words, exact names first. A part of a bus is not listed,
    /// but can be typed.
    fn find_matches(&self) -> Vec<WireChoice> {
        let typed = self.list_box.typed().trim();
        let wanted = typed.to_lowercase();
        let mut matches = self.choices.clone();
        matches.retain(|choice| {
            let text = format!("{} {}", choice.title, choice.about).to_lowercase();
            wanted.split_whitespace().all(|word| text.contains(word))
        });
        if let Some(at) = matches.iter().position(|it| it.title.to_lowercase() == wanted) {
            matches[..=at].rotate_right(1);
        } else if Signal::named(typed, &self.board).is_some() {
            matches.insert(0, wires(&self.board, typed));
        }
        matches
    }

    fn is_shown(&self, choice: &WireChoice) -> bool {
        choice.names.iter().all(|name| self.shown.contains(name))
    }
}

impl Overlay for WirePicker {
    fn area(&self, screen: Size) -> Rect {
        centered(screen, 72, LIST_HEIGHT + CHROME_HEIGHT)
    }

    fn scroll(&mut self, to: Move, screen: Size) {
        self.list_box.scroll(to, self.find_matches().len(), self.area(screen));
    }

    fn edit(&mut self, key: Key) {
        self.list_box.edit(key);
    }

    /// Shows or hides the selected item.
    fn accept(&mut self, _: &Snapshot) -> Outcome {
        let matches = self.find_matches();
        let Some(choice) = matches.get(self.list_box.selected(matches.len())) else {
            return Outcome::Stay(Reply::Done);
        };
        if self.is_shown(choice) {
            self.shown.retain(|name| !choice.names.contains(name));
        } else {
            let new = choice.names.iter().filter(|name| !self.shown.contains(name));
            let new: Vec<String> =
                new.take(SHOWN_MAX.saturating_sub(self.shown.len())).cloned().collect();
            self.shown.extend(new);
        }
        Outcome::Stay(Reply::Show(ShowTarget::Wires(self.shown.clone())))
    }

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = draw_box("wires: enter shows or hides", theme, area, buffer);
        let list = self.list_box.draw("type a name or a chip", theme, inside, buffer);
        let matches = self.find_matches();
        if matches.is_empty() {
            return widgets::draw_text("the board has no such wire", theme, list, buffer);
        }
        let lines = matches.iter().map(|choice| {
            let mark = if self.is_shown(choice) { "[x] " } else { "[ ] " };
            Line::from(vec![
                Span::styled(mark, theme.label()),
                Span::styled(format!("{:<10} ", choice.title), Theme::VALUE),
                Span::styled(choice.about.clone(), theme.label()),
            ])
        });
        let selected = self.list_box.selected(matches.len());
        let first = (selected + 1).saturating_sub(usize::from(list.height));
        widgets::draw_list(lines, (first, selected), theme, list, buffer);
    }
}

/// All items of a board: registers and buses, chips, single wires.
fn choices(board: &Board) -> Vec<WireChoice> {
    let registers =
        Signal::REGISTERS.into_iter().filter(|name| Signal::named(name, board).is_some());
    let buses = Bus::group(board, board.net_ids());
    let single = board.net_ids().map(|net| board.net(net).name());
    let single = single.filter(|name| buses.iter().all(|bus| bus.name != *name));
    let names = registers.chain(buses.iter().map(|bus| bus.name.as_str()));
    let mut choices: Vec<WireChoice> = names.map(|name| wires(board, name)).collect();
    choices.extend(board.chip_ids().map(|chip| wires_of_chip(board, chip)));
    choices.extend(single.map(|name| wires(board, name)));
    choices
}

/// The item for a signal's name.
fn wires(board: &Board, name: &str) -> WireChoice {
    let signal = Signal::named(name, board);
    let nets = signal.as_ref().map(Signal::nets).unwrap_or_default();
    let [drivers, readers] = drivers_and_readers(board, nets);
    let count = format!("{} {}", nets.len(), plural(nets.len(), "wire"));
    let from = if drivers.is_empty() { "outside".to_owned() } else { drivers };
    let about = format!("{count}, from {from} to {readers}");
    WireChoice { title: name.to_owned(), about, names: vec![name.to_owned()] }
}

/// The item for all wires of a chip.
fn wires_of_chip(board: &Board, chip: ChipId) -> WireChoice {
    let chip = board.chip(chip);
    let mut nets: Vec<NetId> = Vec::new();
    for net in chip.inputs().map(|(_, net)| net).chain(chip.data.iter().copied()) {
        if !nets.contains(&net) {
            nets.push(net);
        }
    }
    let names: Vec<String> =
        Bus::group(board, nets.into_iter()).into_iter().map(|bus| bus.name).collect();
    let about = format!("its wires: {}", names.join(" "));
    WireChoice { title: format!("chip {}", chip.name()), about, names }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as testing;

    const SIZE: Size = Size { width: 80, height: 24 };

    /// The names that are shown after this line was typed and chosen.
    fn chosen(picker: &mut WirePicker, typed: &str) -> Vec<String> {
        picker.edit(Key::control('u'));
        typed.chars().for_each(|c| picker.edit(Key::char(c)));
        let snapshot = testing::session(testing::program("queens"), true).snapshot();
        match picker.accept(&snapshot) {
            Outcome::Stay(Reply::Show(ShowTarget::Wires(names))) => names,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn wires_are_added_and_removed_by_name() {
        let board = Arc::new(gray1_roms::stock());
        let mut picker = WirePicker::new(&board, vec!["OSC".to_owned()]);
        assert_eq!(chosen(&mut picker, "pcl.3"), ["OSC", "PCL.3"]);
        assert_eq!(chosen(&mut picker, "PC"), ["OSC", "PCL.3", "PC"]);
        assert_eq!(chosen(&mut picker, "IRL.2-3"), ["OSC", "PCL.3", "PC", "IRL.2-3"]);
        assert_eq!(chosen(&mut picker, "osc"), ["PCL.3", "PC", "IRL.2-3"]);
    }

    #[test]
    fn choosing_a_chip_chooses_all_its_wires() {
        let board = Arc::new(gray1_roms::stock());
        let mut picker = WirePicker::new(&board, vec!["IRL".to_owned(), "OSC".to_owned()]);
        assert_eq!(chosen(&mut picker, "chip ram"), ["IRL", "OSC", "IRH.0-4", "nWE", "BUS"]);
        assert_eq!(chosen(&mut picker, "chip ram"), ["OSC"]);
    }

    #[test]
    fn every_choice_names_wires_of_the_board() {
        let board = Arc::new(gray1_roms::stock());
        let picker = WirePicker::new(&board, Vec::new());
        for choice in &picker.choices {
            assert!(!choice.names.is_empty());
            for name in &choice.names {
                assert!(Signal::named(name, &board).is_some(), "{name} of {}", choice.title);
            }
        }
        let titles: Vec<&String> = picker.choices.iter().map(|choice| &choice.title).collect();
        for name in ["A", "PC", "BUS", "chip PCL", "PCL.7", "PC_LOAD", "OSC"] {
            assert_eq!(titles.iter().filter(|title| **title == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn twenty_choices_are_visible_if_they_fit() {
        let picker = WirePicker::new(&Arc::new(gray1_roms::stock()), Vec::new());
        let heights = [10, 24, 25, 50].map(|height| picker.area(Size::new(160, height)).height);
        // The line below a box stays free. The frame and the typed line take four.
        assert_eq!(heights, [9, 23, 24, 24]);
    }

    #[test]
    fn the_number_of_chosen_wires_is_limited() {
        let board = Arc::new(gray1_roms::stock());
        let mut picker = WirePicker::new(&board, Vec::new());
        let snapshot = testing::session(testing::program("queens"), true).snapshot();
        let mut most = 0;
        for _ in 0..picker.choices.len() {
            picker.accept(&snapshot);
            picker.scroll(Move::Down, SIZE);
            most = most.max(picker.shown.len());
        }
        assert_eq!(most, SHOWN_MAX);
    }
}
