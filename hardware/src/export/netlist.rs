//! The wiring: every pin of every component, with its net.

use gray1_board::Board;

use super::components::{Component, ComponentKind, PinRole, list_components};
use super::csv::Csv;

/// Returns the wiring as a table.
pub(super) fn make_netlist(board: &Board) -> Result<String, String> {
    let mut csv = Csv::new("chip,part,package,pin,name,net,direction,source,reference");
    for component in list_components(board)? {
        let (part, source) = (component.value(), source(&component));
        for (number, pin) in (1..).zip(&component.pins) {
            csv.row(&[
                &component.name,
                &part,
                &component.package(),
                &number,
                &pin.name,
                &pin.net.as_deref().unwrap_or_default(),
                &if pin.net.is_some() { direction(pin.role) } else { "open" },
                &source,
                &component.reference,
            ]);
        }
    }
    Ok(csv.finish())
}

const fn direction(role: PinRole) -> &'static str {
    match role {
        PinRole::Input => "input",
        PinRole::Output => "output",
        PinRole::Bidirectional => "bidirectional",
        PinRole::Power | PinRole::PowerSource => "power",
        PinRole::Passive => "passive",
    }
}

/// Describes the sources that confirm the pin numbers of a component's part.
fn source(component: &Component<'_>) -> String {
    let sources = match component.kind {
        ComponentKind::Chip(chip) => &chip.part().sources,
        ComponentKind::Wired(wired) => &wired.sources,
        _ => return String::new(),
    };
    match &sources.pins[..] {
        [] => "unverified".to_owned(),
        [one] => format!("one source: {one}"),
        several => several.join("; "),
    }
}
