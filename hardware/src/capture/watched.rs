//! A chip under observation: the current levels of its captured pins, the time since which they
//! have been stable, and its errors.

use gray1_board::{Board, Chip, ChipId, NetId};

use super::capture_evidence::CaptureConditions;
use super::evidence::{ChipEvidence, OutputChange, Transition, is_one_sample, record};
use super::hypothesis::Hypothesis;
use super::values::{ByteSet, ChipTable};

/// If the outputs of a chip with feedback change this many times while all its inputs are stable,
/// the chip does not settle.
const RESTLESS_CHANGES: u32 = 6;

/// A captured pin of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClippedPin {
    Address(u8),
    Data(u8),
    /// The pin that switches the outputs, with the level at which they are on.
    Enable(bool),
}

/// A chip under observation.
#[derive(Debug)]
pub(super) struct WatchedChip {
    pub(super) chip: ChipId,
    /// The address pins whose levels are known: captured or tied.
    pub(super) known: u32,
    /// The address pins that are wired.
    pub(super) wired: u32,
    /// The data pins that are captured.
    pub(super) captured: u8,
    /// The address pins that are wired to data pins of the same chip, with those data pins.
    pub(super) own: Vec<(u8, u8)>,
    /// True if a wire switches the chip's outputs on and off.
    is_switched: bool,
    /// True if the chip's outputs are strobes, which must not glitch. The outputs of other chips
    /// are not checked for this, because they can react to an input pulse between two samples.
    is_control: bool,
    /// The longest access time, including filters, of all chips that drive the wires of this chip,
    /// in ps.
    access_ps: i64,
    /// Once its pins have been stable for this time, the chip has certainly reacted to every
    /// captured change.
    pub(super) settle_ps: i64,
    resolution_ps: i64,
    pub(super) table: ChipTable,
    pub(super) evidence: ChipEvidence,
    pub(super) address: u32,
    pub(super) data: u8,
    /// The captured pins whose level is unknown, as a mask: the address pins from bit 0, the data
    /// pins from bit 32, and the enable pin at bit 40.
    unknown: u64,
    is_on: bool,
    /// The time of the last change of each address pin.
    changed_ps: Vec<i64>,
    /// The time of the last change of any captured pin, and the time of the last change of any
    /// input that is not connected to the chip's own outputs.
    pub(super) stable_since_ps: i64,
    input_changed_ps: i64,
    /// The start of the last settled state that has been checked.
    checked_since_ps: Option<i64>,
    /// The changes since the last settled state.
    transition: Option<Transition>,
    /// The number of output changes since the inputs became stable, and the first of these changes.
    late_changes: u32,
    late: OutputChange,
    /// An output level that is explained by no address that the chip has had within the last access
    /// time. It is kept until the level changes, because only then is its duration known.
    brief: Option<OutputChange>,
    /// The data pins that change in the current sample.
    changing: u8,
}

/// The longest access time, including filters, of all chips that drive the wires of this chip.
/// Until a slower chip has released a shared wire, the wire may have any level.
fn slowest_driver_ns(board: &Board, chip: &Chip) -> u32 {
    let times = chip.data.iter().map(|&net| board.net(net)).flat_map(|net| {
        net.driver.pins().map(|pin| board.chip(pin.chip).access_ns + net.filter_ns())
    });
    times.max().unwrap_or(chip.access_ns)
}

impl WatchedChip {
    pub(super) fn new(
        board: &Board,
        id: ChipId,
        conditions: &CaptureConditions,
        hypothesis: Hypothesis,
    ) -> Self {
        let is_captured = |net| conditions.has(net, hypothesis);
        let resolution_ps = conditions.resolution_ps;
        let chip = board.chip(id);
        let carriers: Vec<Option<NetId>> =
            chip.data.iter().map(|&net| hypothesis.carrier(net)).collect();
        let mut own = Vec::new();
        let (mut known, mut wired, mut captured) = (0, 0, 0);
        for (pin, source) in (0..).zip(&chip.address) {
            if source.net().is_none() {
                known |= 1 << pin;
                continue;
            }
            wired |= 1 << pin;
            let seen = hypothesis.sensed_wire(chip, pin);
            known |= u32::from(seen.is_some_and(is_captured)) << pin;
            let bit = carriers.iter().position(|&it| it.is_some() && it == seen);
            own.extend(bit.map(|bit| (pin, bit as u8)));
        }
        for (bit, net) in carriers.into_iter().enumerate() {
            captured |= u8::from(net.is_some_and(is_captured)) << bit;
        }
        let is_switched = chip.output.switch().is_some();
        let access_ps = 1000 * i64::from(slowest_driver_ns(board, chip));
        let unknown = wired & !known & !own_mask(&own);
        let image = board.chip(hypothesis.image(id)).contents_shared();
        Self {
            chip: id,
            known,
            wired,
            captured,
            own,
            is_switched,
            is_control: chip.role().is_control(),
            access_ps,
            // Two changes seen one sample apart may really be two samples apart, or simultaneous.
            settle_ps: access_ps + 2 * resolution_ps,
            resolution_ps,
            table: ChipTable::new(image, unknown, hypothesis.suspicion(id)),
            evidence: ChipEvidence::default(),
            address: chip.tied().levels,
            data: 0,
            unknown: u64::from(known & wired)
                | u64::from(captured) << 32
                | u64::from(is_switched) << 40,
            is_on: !is_switched,
            changed_ps: vec![i64::MIN; chip.address.len()],
            stable_since_ps: i64::MIN,
            input_changed_ps: i64::MIN,
            checked_since_ps: None,
            transition: None,
            late_changes: 0,
            late: OutputChange::default(),
            brief: None,
            changing: 0,
        }
    }

    /// The address pins that are wired but not captured.
    pub(super) fn missing(&self) -> u32 {
        self.wired & !self.known
    }

    /// The address pins that are connected to the chip's own outputs.
    pub(super) fn own_mask(&self) -> u32 {
        own_mask(&self.own)
    }

    /// Returns whether the chip was settled until now in a state that has not been checked, and
    /// marks that state as checked.
    pub(super) fn settles(&mut self, now_ps: i64) -> bool {
        let since_ps = Some(self.stable_since_ps);
        self.is_on
            && self.is_stable(now_ps)
            && std::mem::replace(&mut self.checked_since_ps, since_ps) != since_ps
    }

    /// Checks the chip if it was settled until now. Returns whether it is wrong.
    pub(super) fn check(&mut self, now_ps: i64) -> bool {
        if !self.settles(now_ps) {
            return false;
        }
        let state = (self.address, self.data);
        let next = Transition { from: state, to: state, once: 0, often: 0 };
        let transition = self.transition.replace(next).map(|it| Transition { to: state, ..it });
        let values = self.values(self.address);
        let wrong = values.wrong_pins(self.data, self.captured);
        self.evidence.is_ambiguous |=
            self.missing() != 0 && values.certain(self.captured).0 != self.captured;
        if values.is_conclusive(self.captured) {
            let key = self.address & self.known;
            self.evidence.add(key, self.data, wrong, self.stable_since_ps);
        }
        if let Some(transition) = transition.filter(|_| wrong == 0 && !self.own.is_empty())
            && !self.allows(transition)
        {
            record(&mut self.evidence.impossible, transition, self.stable_since_ps);
        }
        wrong != 0
    }

    /// The data pins that are wrong if the chip has settled.
    pub(super) fn wrong_pins(&mut self) -> u8 {
        if self.unknown != 0 || !self.is_on {
            return 0;
        }
        self.values(self.address).wrong_pins(self.data, self.captured)
    }

    /// The address and the byte that a memory stores now, if all its pins are known and have been
    /// stable for long enough.
    pub(super) fn written(&self, now_ps: i64) -> Option<(u32, u8)> {
        (self.missing() == 0 && self.is_stable(now_ps)).then_some((self.address, self.data))
    }

    /// The bytes that the chip can output at an address.
    fn values(&mut self, address: u32) -> ByteSet {
        let unseen = self.own_mask() & !self.known;
        self.table.values(address, unseen)
    }

    fn is_stable(&self, now_ps: i64) -> bool {
        self.unknown == 0 && now_ps.saturating_sub(self.stable_since_ps) >= self.settle_ps
    }

    /// Handles a new or unknown level of a captured pin. From `settled_ps` on, the whole board
    /// should have settled.
    pub(super) fn change_pin(
        &mut self,
        place: ClippedPin,
        level: Option<bool>,
        now_ps: i64,
        settled_ps: i64,
    ) {
        self.stable_since_ps = now_ps;
        let high = level.unwrap_or_default();
        let mask = match place {
            ClippedPin::Address(pin) => {
                self.address = self.address & !(1 << pin) | u32::from(high) << pin;
                self.changed_ps[usize::from(pin)] = now_ps;
                // Channels may be one sample apart, so the cause may seem to follow its effect.
                let resolution_ps = self.resolution_ps;
                self.brief.take_if(|brief| is_one_sample(now_ps - brief.time_ps, resolution_ps));
                1 << pin
            }
            ClippedPin::Data(bit) => {
                self.data = self.data & !(1 << bit) | u8::from(high) << bit;
                self.changing |= 1 << bit;
                1 << (32 + bit)
            }
            ClippedPin::Enable(on_while) => {
                self.is_on = high == on_while;
                1 << 40
            }
        };
        let was_unknown = self.unknown & mask != 0;
        self.unknown = if level.is_none() { self.unknown | mask } else { self.unknown & !mask };
        if level.is_none() || was_unknown || !self.is_on {
            self.transition = None;
        }
        match place {
            ClippedPin::Data(bit) => self.change_data(1 << bit, now_ps, settled_ps),
            ClippedPin::Address(pin) if self.own_mask() >> pin & 1 == 1 => {}
            ClippedPin::Address(pin) => {
                if let Some(Transition { once, often, .. }) = &mut self.transition {
                    *often |= *once & 1 << pin;
                    *once = (*once | 1 << pin) & !*often;
                }
                self.change_input(now_ps);
            }
            ClippedPin::Enable(_) => self.change_input(now_ps),
        }
    }

    /// Handles a change of an input.
    fn change_input(&mut self, now_ps: i64) {
        self.input_changed_ps = now_ps;
        let late = std::mem::take(&mut self.late);
        if (1..RESTLESS_CHANGES).contains(&std::mem::take(&mut self.late_changes)) {
            record(&mut self.evidence.glitch, late, late.time_ps);
        }
    }

    /// True if the captured inputs determine the level of a data pin: either all inputs are
    /// captured, or neither the missing inputs nor the chip's own wires affect the pin.
    fn is_given(&mut self, pin: u8) -> bool {
        let own = self.own_mask();
        self.missing() == 0 || self.table.values(self.address, own).certain(pin).0 != 0
    }

    fn change_data(&mut self, pin: u8, now_ps: i64, settled_ps: i64) {
        let is_late = now_ps > settled_ps && self.input_changed_ps <= settled_ps;
        if is_late && !self.is_switched && self.unknown == 0 && self.is_given(pin) {
            let Self { late, late_changes, address, data, .. } = self;
            if *late_changes == 0 {
                *late = OutputChange { time_ps: now_ps, address: *address, data: *data, pins: 0 };
            }
            *late_changes += 1;
            late.pins |= pin;
            // A chip without feedback can change this often only because of inputs that change too
            // quickly to be sampled, so it is not restless.
            if *late_changes == RESTLESS_CHANGES && !self.own.is_empty() {
                return record(&mut self.evidence.restless, *late, late.time_ps);
            }
        }
        // A level seen only once may be noise.
        if let Some(brief) = self.brief.take_if(|brief| brief.pins & pin != 0)
            && !is_one_sample(now_ps - brief.time_ps, self.resolution_ps)
        {
            record(&mut self.evidence.brief, brief, brief.time_ps);
        }
    }

    /// Records the strobes that have just changed to a level that is explained by no address of the
    /// chip within the last access time. Must be called when all changes of a sample are known.
    pub(super) fn explain(&mut self, now_ps: i64) {
        let pins = std::mem::take(&mut self.changing);
        if pins == 0 || self.unknown != 0 || self.is_switched || !self.is_control {
            return;
        }
        let Self { access_ps, resolution_ps, .. } = *self;
        let since_ps = now_ps.saturating_sub(access_ps + resolution_ps + resolution_ps / 2);
        let changing = (0..).zip(&self.changed_ps).filter(|(_, at_ps)| **at_ps >= since_ps);
        let changing = changing.fold(0, |mask, (pin, _)| mask | 1_u32 << pin);
        let unseen = self.own_mask() & !self.known;
        let values = self.table.values(self.address, changing | unseen);
        let (certain, levels) = values.certain(self.captured & pins);
        let wrong = (self.data ^ levels) & certain;
        if wrong != 0 {
            let Self { address, data, .. } = *self;
            self.brief = Some(OutputChange { time_ps: now_ps, address, data, pins: wrong });
        }
    }
}

fn own_mask(own: &[(u8, u8)]) -> u32 {
    own.iter().fold(0, |mask, (pin, _)| mask | 1 << pin)
}
