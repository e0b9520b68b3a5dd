//! Offers another comparison to two runs whose outputs differ by a constant only, such as numbers
//! and their digits.

use std::collections::{BTreeMap, BTreeSet};

use gray1_debugger::{Access, Condition, Event, Happened, Run, Watch, WatchSet};
use gray1_isa::{Executed, RamAddr};

use super::side::Side;

/// The stores to a byte of a variable.
#[derive(Default)]
struct Stores {
    bytes: Vec<u8>,
    /// The moment of the last one.
    moment: u64,
}

/// The number of slices of time after which the first difference is too late to look for a
/// variable, so that the search takes only a moment.
const SLICES_MAX: u64 = 64;

/// Returns a line that offers to compare the stores to a variable that both programs have. The best
/// one has the same stores in both runs, and was stored last before the difference.
pub(super) fn offer_variable(a: &Side, b: &Side) -> Option<String> {
    let pairs: Vec<_> = a.events.iter().zip(&b.events).collect();
    let offsets = pairs.iter().filter_map(|(a, b)| Some(b.written()?.wrapping_sub(a.written()?)));
    let offsets: BTreeSet<u8> = offsets.filter(|offset| *offset != 0).collect();
    let &offset = offsets.first().filter(|_| offsets.len() == 1)?;
    let (last_a, last_b) = pairs.last()?;
    let [in_a, in_b] = [find_stores(a, last_a.moment)?, find_stores(b, last_b.moment)?];
    let both = in_a.iter().filter_map(|(name, a)| Some((name, a, in_b.get(name)?)));
    let ranked = both.map(|(name, a, b)| {
        let is_same = a.bytes.iter().zip(&b.bytes).all(|(a, b)| a == b)
            && a.bytes.len().abs_diff(b.bytes.len()) <= 1;
        (is_same, a.moment, name)
    });
    let known = ranked.filter(|(_, _, name)| {
        let text = format!("write {name}");
        [a, b].iter().all(|side| Condition::parse(&text, &*side.image).is_ok())
    });
    let (is_same, _, name) = known.max().filter(|(is_same, ..)| *is_same || pairs.len() > 1)?;
    let by = match offset.cast_signed() {
        more @ 1.. => format!("plus {more}"),
        less => format!("minus {}", less.unsigned_abs()),
    };
    let same = if is_same { ", which are the same" } else { "" };
    Some(format!(
        "so far, B's bytes that differ are A's {by}; --by \"write {name}\" compares the stores to \
         {name}{same}"
    ))
}

/// Returns the stores to each byte of a variable before a moment, unless that takes too long.
fn find_stores(side: &Side, moment: u64) -> Option<BTreeMap<String, Stores>> {
    let all = Event::Touches(Access::Write, RamAddr::default()..=RamAddr::MAX).into();
    let watch_set = WatchSet::new(vec![all], &*side.start);
    let mut run = Run::new(side.start.clone(), side.inputs.iter().copied());
    let mut watch = Watch::hits(&watch_set);
    let to = Some(moment).filter(|to| *to <= SLICES_MAX * side.start.slice())?;
    let mut stores: BTreeMap<String, Stores> = BTreeMap::new();
    while let Some(happened) = run.next(&mut watch, to) {
        let Happened::Hit(hit) = happened else { continue };
        let Some(Executed { index, write: Some(write), .. }) = hit.executed else { continue };
        if side.image.names().variable(write.address).is_some() {
            let stores = stores.entry(side.image.byte_at(write.address, index)).or_default();
            stores.bytes.push(write.new);
            stores.moment = hit.moment;
        }
    }
    Some(stores)
}
