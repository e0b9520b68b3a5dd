//! `gray1 diff`: finds the first difference between two runs.

mod event;
mod offer;
mod side;

use gray1_isa::text::grouped;
use serde::Serialize;
use serde_json::json;

use event::{EventKind, RunEvent};
use offer::offer_variable;
use side::Side;

use super::shared::messages::Messages;
use super::shared::options::{FormatOptions, instead, number};
use super::shared::outcome::{Done, Outcome};
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;

/// Find the first difference between two runs, and its cause
#[derive(clap::Args)]
#[command(arg = instead("max-instructions", "in quotes, a program takes it: 'A --max-instructions N'"))]
#[command(
    after_help = "A and B are programs. Put a program in quotes to give it options of `gray1 run`: \
    'queens --engine timed --seed 4'. A run stops after 1,000,000,000 instructions unless \
    --max-instructions changes the limit.\n\n\
    Exit status: 0 no difference; 1 a difference, or a run ended early; 3 a run was stopped before \
    it did what the other one did."
)]
pub(super) struct DiffOptions {
    /// The first run
    #[arg(value_name = "A")]
    first: String,
    /// The second run
    #[arg(value_name = "B", required_unless_present = "set")]
    second: Option<String>,
    /// What to compare: `output`, `leds`, `instructions`, `wires` (at the end of each phase), or a
    /// condition of the debugger, such as `write x`
    #[arg(long, value_name = "WHAT", default_value = "output")]
    by: String,
    /// Run A twice, with this change in the second run: `total + 1 = 0`; can be repeated
    #[arg(long, value_name = "CHANGE", conflicts_with = "second")]
    set: Vec<String>,
    /// The moment of --set [default: 0]
    #[arg(long, value_name = "N", value_parser = number(), requires = "set", conflicts_with = "second")]
    at: Option<u64>,
    #[command(flatten)]
    format: FormatOptions,
}

/// The event of a run at the first difference, or the end of that run.
#[derive(Serialize)]
struct SideReport {
    moment: u64,
    /// The instruction, with its source line.
    place: Option<String>,
    did: Option<String>,
    ended: Option<String>,
    /// The cause of the event.
    why: Option<String>,
    /// The command that opens the debugger at that moment.
    debug: Option<String>,
}

impl SideReport {
    fn format(self, letter: &str) -> String {
        let did = self.did.map_or(String::new(), |did| format!(": {did}"));
        let at = self.place.map(|place| format!("moment {}, {place}{did}", grouped(self.moment)));
        let first = self.ended.or(at).unwrap_or_default();
        let below = self.why.into_iter().chain(self.debug).map(|line| format!("    {line}\n"));
        format!("{letter}: {first}\n{}", below.collect::<String>())
    }
}

/// The number of events of a run that are compared at once.
const BATCH: usize = 4096;

pub(super) fn diff(options: &DiffOptions, messages: &mut Messages) -> Outcome {
    let kind = EventKind::new(&options.by);
    let second = options.second.as_deref().unwrap_or(&options.first);
    let changes =
        options.set.iter().map(|change| format!("{}: {change}", options.at.unwrap_or_default()));
    let mut a = Side::new(&options.first, [], &kind, messages)?;
    let mut b = Side::new(second, changes, &kind, messages)?;
    if kind == EventKind::Wires {
        Side::share_wires([&mut a, &mut b])?;
    }
    a.power_up(&kind);
    b.power_up(&kind);
    let signals = Signals::listen()?;
    let mut progress = ProgressLine::new();
    let mut same = drop_equal(&mut a, &mut b);
    while [&a, &b].iter().any(|side| side.needs_events()) {
        for side in [&mut a, &mut b] {
            side.advance(&kind, BATCH);
            progress.update(&side.name, side.moment());
        }
        signals.check()?;
        same += drop_equal(&mut a, &mut b);
    }
    progress.clear();
    let same = same.checked_sub(u64::from(kind.begins_at_power_up()));
    let (done, verdict) = judge(&a, &b, kind.noun(), same);
    let same = same.unwrap_or_default();
    let has_commands = done != Done::Success;
    let sides = [("A", &a, b.events.first()), ("B", &b, a.events.first())];
    let reports = sides
        .map(|(letter, side, other)| report(side, other, letter == "B", has_commands, &signals));
    signals.check()?;
    let offer = if kind == EventKind::Output && done == Done::Refuted {
        offer_variable(&a, &b)
    } else {
        None
    };
    let is_known = done == Done::Refuted || done == Done::Success && same > 0;
    let differs = is_known.then_some(done == Done::Refuted);
    let json = json!({
        "verdict": verdict, "differs": differs, "offer": offer, "by": options.by,
        "same": same, "a": reports[0], "b": reports[1],
    });
    let [first, second] = reports;
    let offer = offer.map_or_else(String::new, |line| line + "\n");
    let text = format!("{verdict}\n{offer}{}{}", first.format("A"), second.format("B"));
    options.format.print(|| text, || json).map(|()| done)
}

/// Returns the outcome of the comparison, and a line that states it. `same` is the number of equal
/// events before the difference or the end, or `None` if the states at power-up differ.
fn judge(a: &Side, b: &Side, noun: &str, same: Option<u64>) -> (Done, String) {
    let next = same.map(|same| format!("{noun} {}", grouped(same + 1)));
    let next = next.unwrap_or("power-up".to_owned());
    let (ahead, shorter) = match (a.events.first(), b.events.first()) {
        (Some(_), Some(_)) => {
            return (Done::Refuted, format!("first difference: {next}"));
        }
        (None, None) if same.unwrap_or_default() == 0 => {
            let leds = if noun == "printed byte" { "; --by leds compares the LEDs" } else { "" };
            return (
                Done::Success,
                format!("nothing was compared: neither run has a {noun}{leds}"),
            );
        }
        (None, None) => {
            let so_far = if a.is_at_limit() || b.is_at_limit() { " so far" } else { "" };
            let same = same.unwrap_or_default();
            let (plural, verb) = if same == 1 { ("", "is") } else { ("s", "are") };
            let equal = format!("{} {noun}{plural} {verb} the same", grouped(same));
            return (Done::Success, format!("no difference{so_far}: {equal}"));
        }
        (Some(_), None) => ("A", ("B", b)),
        (None, Some(_)) => ("B", ("A", a)),
    };
    let (letter, side) = shorter;
    if side.is_at_limit() {
        let stopped = format!("{letter} was stopped before {next}");
        (Done::Limit, format!("{ahead} is ahead: {stopped}"))
    } else {
        (Done::Refuted, format!("{letter} ended early, before {next}"))
    }
}

fn report(
    side: &Side,
    other: Option<&RunEvent>,
    is_second: bool,
    has_command: bool,
    signals: &Signals,
) -> SideReport {
    let own = side.events.first();
    let moment = own.map_or(side.moment(), |own| own.moment);
    let both = own.zip(other);
    SideReport {
        moment,
        place: own.map(|own| side.image.place_and_line(own.index)),
        did: both.map(|(own, other)| side.describe(own, other, is_second)),
        ended: own.is_none().then(|| side.describe_end()),
        why: both.and_then(|(own, other)| side.why(own, other, signals)),
        debug: has_command.then(|| side.debug_command(moment)),
    }
}

/// Drops the leading events that are equal in both runs, and returns their number.
fn drop_equal(a: &mut Side, b: &mut Side) -> u64 {
    let pairs = a.events.iter().zip(&b.events);
    let equal = pairs.take_while(|(a, b)| a.equals(b)).count();
    a.events.drain(..equal);
    b.events.drain(..equal);
    equal as u64
}
