//! A chip under observation: the present levels of its captured pins, and since when they have been
//! stable.

use gray1_board::{Board, Chip, ChipId, NetId};

use super::hypothesis::Hypothesis;
use super::transition::{Feedback, Transition};
use super::values::{ByteSet, ChipTable};

/// A chip with feedback whose outputs move this often while all its inputs are stable does not come
/// to rest.
const RESTLESS_MOVES: u32 = 6;

/// A captured pin of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClippedPin {
    Address(u8),
    Data(u8),
    /// The pin that switches the outputs; high if they are on while it is high.
    Enable(bool),
}

/// The captured pins of a chip, and its timing.
#[derive(Debug)]
pub(super) struct Clips {
    pub(super) chip: ChipId,
    /// The address pins whose levels are known: captured or tied.
    pub(super) known: u32,
    /// The address pins that are wired.
    pub(super) wired: u32,
    /// The data pins that are captured.
    pub(super) data: u8,
    /// The data pins that are wired to address pins of the same chip.
    pub(super) own: Feedback,
    /// True if a wire switches its outputs.
    pub(super) is_switched: bool,
    /// True if that wire is captured or does not exist.
    pub(super) knows_switch: bool,
    /// True if its outputs are strobes, which must not glitch. Other chips may show the effect of a
    /// pulse of an input that came and went between two samples.
    is_control: bool,
    /// The longest time from an input to the outputs.
    access_ps: i64,
    /// How long its pins must be stable until it has certainly reacted to every movement seen.
    settle_ps: i64,
    resolution_ps: i64,
}

/// A chip under observation.
#[derive(Debug)]
pub(super) struct WatchedChip {
    pub(super) clips: Clips,
    pub(super) table: ChipTable,
    address: u32,
    data: u8,
    /// The captured pins that have no level: address pins, then data pins, then the switch.
    blank: u64,
    is_on: bool,
    /// When each address pin moved last.
    moved_ps: Vec<i64>,
    /// When any captured pin moved last, and when any input other than its own wires did.
    still_since_ps: i64,
    fed_since_ps: i64,
    /// True if this state of rest has been judged.
    is_looked_at: bool,
    travel: MovedPins,
    late: LateMovement,
    brief: Option<BriefLevel>,
}

/// The pins that have moved since the last state of rest.
#[derive(Debug, Default)]
struct MovedPins {
    from: Option<(u32, u8)>,
    once: u32,
    often: u32,
}

/// Movements of a chip's outputs long after its inputs came to rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LateMovement {
    pub(super) count: u32,
    pub(super) pins: u8,
    pub(super) time_ps: i64,
    pub(super) address: u32,
}

/// Levels that no address within the access time explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BriefLevel {
    pub(super) time_ps: i64,
    pub(super) address: u32,
    pub(super) data: u8,
    /// The data pins that are wrong.
    pub(super) pins: u8,
}

/// A state of rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct RestState {
    /// When it began.
    pub(super) since_ps: i64,
    pub(super) address: u32,
    pub(super) data: u8,
    /// The transition from the last state of rest, for a chip with feedback.
    pub(super) transition: Option<Transition>,
}

/// What a movement of a pin reveals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symptom {
    Nothing,
    /// It does not come to rest.
    Restless(LateMovement),
    /// It moved briefly and moved back.
    Glitch(LateMovement),
    /// It had a wrong level for longer than a sample.
    BriefLevel(BriefLevel),
}

/// True if a level that lasted for this time was seen in one sample. Times in files are rounded, so
/// that a sample may seem to be longer than another.
pub(super) const fn is_one_sample(duration_ps: i64, resolution_ps: i64) -> bool {
    duration_ps <= resolution_ps + resolution_ps / 2
}

impl Clips {
    fn new(
        board: &Board,
        id: ChipId,
        is_captured: &dyn Fn(NetId) -> bool,
        resolution_ps: i64,
        hypothesis: Hypothesis,
    ) -> Self {
        let chip = board.chip(id);
        let shown_on: Vec<Option<NetId>> =
            chip.data().iter().map(|&net| hypothesis.shown_on(net)).collect();
        let mut own = Feedback::default();
        let (mut known, mut wired, mut data) = (0, 0, 0);
        for (pin, source) in (0..).zip(chip.address()) {
            if source.net().is_none() {
                known |= 1 << pin;
                continue;
            }
            wired |= 1 << pin;
            let seen = hypothesis.seen_at(chip, pin);
            known |= u32::from(seen.is_some_and(is_captured)) << pin;
            let bit = shown_on.iter().position(|&it| it.is_some() && it == seen);
            own.pins.extend(bit.map(|bit| (pin, bit as u8)));
        }
        for (bit, net) in shown_on.into_iter().enumerate() {
            data |= u8::from(net.is_some_and(is_captured)) << bit;
        }
        own.captured = data;
        let switch = chip.output().switch().map(|(net, _)| net);
        let access_ps = 1000 * i64::from(slowest_driver_ns(board, chip));
        Self {
            chip: id,
            known,
            wired,
            data,
            own,
            is_switched: switch.is_some(),
            knows_switch: switch.is_none_or(is_captured),
            is_control: chip.role().is_control(),
            access_ps,
            // Two levels that were seen a sample apart may have been two samples apart, or none.
            settle_ps: access_ps + 2 * resolution_ps,
            resolution_ps,
        }
    }

    /// The address pins that are wired, and not captured.
    pub(super) fn missing(&self) -> u32 {
        self.wired & !self.known
    }

    /// True if the chip can be judged.
    pub(super) fn is_watched(&self) -> bool {
        self.data != 0 && self.knows_switch
    }
}

/// The access time of a chip and its filters, or of the slowest chip that shares its wires: until
/// that one has released them, they may have any level.
fn slowest_driver_ns(board: &Board, chip: &Chip) -> u32 {
    let times = chip.data().iter().map(|&net| board.net(net)).flat_map(|net| {
        let drivers = net.driver().pins();
        drivers.map(|pin| board.chip(pin.chip).access_ns() + net.filter_ns())
    });
    times.max().unwrap_or(chip.access_ns())
}

impl WatchedChip {
    pub(super) fn new(
        board: &Board,
        id: ChipId,
        is_captured: &dyn Fn(NetId) -> bool,
        resolution_ps: i64,
        hypothesis: Hypothesis,
    ) -> Self {
        let chip = board.chip(id);
        let clips = Clips::new(board, id, is_captured, resolution_ps, hypothesis);
        let unknown = clips.missing() & !clips.own.address_mask();
        let blank = u64::from(clips.known & clips.wired)
            | u64::from(clips.data) << 32
            | u64::from(clips.is_switched) << 40;
        Self {
            table: ChipTable::new(chip.contents_shared(), unknown, hypothesis.suspicion(id)),
            address: chip.tied().1,
            data: 0,
            blank,
            is_on: !clips.is_switched,
            moved_ps: vec![i64::MIN; chip.address().len()],
            still_since_ps: i64::MIN,
            fed_since_ps: i64::MIN,
            is_looked_at: false,
            travel: MovedPins::default(),
            late: LateMovement::default(),
            brief: None,
            clips,
        }
    }

    pub(super) fn settle_ps(&self) -> i64 {
        self.clips.settle_ps
    }

    /// The state of rest that lasted until now, if there is one that has not been judged.
    pub(super) fn rest(&mut self, now_ps: i64) -> Option<RestState> {
        if self.is_looked_at || !self.is_at_rest(now_ps) {
            return None;
        }
        self.is_looked_at = true;
        let (address, data) = (self.address, self.data);
        let MovedPins { from, once, often } = std::mem::replace(
            &mut self.travel,
            MovedPins { from: Some((address, data)), once: 0, often: 0 },
        );
        let transition = from.filter(|_| !self.clips.own.pins.is_empty()).map(|from| Transition {
            from,
            to: (address, data),
            once,
            often,
        });
        Some(RestState { since_ps: self.still_since_ps, address, data, transition })
    }

    /// The data pins that are wrong if the chip is at rest.
    pub(super) fn wrong(&mut self) -> u8 {
        if self.blank != 0 || !self.is_on {
            return 0;
        }
        self.values(self.address).wrong(self.data, self.clips.data)
    }

    /// The address and the byte that a memory stores now, if all its pins are known and have been
    /// stable for long enough.
    pub(super) fn written(&self, now_ps: i64) -> Option<(u32, u8)> {
        let is_known = self.blank == 0 && self.clips.missing() == 0;
        let is_still = now_ps.saturating_sub(self.still_since_ps) >= self.clips.settle_ps;
        (is_known && is_still).then_some((self.address, self.data))
    }

    /// The bytes that the chip can show at an address.
    pub(super) fn values(&mut self, address: u32) -> ByteSet {
        let unseen = self.clips.own.address_mask() & !self.clips.known;
        self.table.values(address, unseen)
    }

    fn is_at_rest(&self, now_ps: i64) -> bool {
        self.blank == 0
            && self.is_on
            && now_ps.saturating_sub(self.still_since_ps) >= self.clips.settle_ps
    }

    /// A captured pin has a new level, or an unknown one. From `rest_ps` on the whole board should
    /// be at rest.
    pub(super) fn moves(
        &mut self,
        place: ClippedPin,
        level: Option<bool>,
        now_ps: i64,
        rest_ps: i64,
    ) -> Symptom {
        self.still_since_ps = now_ps;
        self.is_looked_at = false;
        let high = level.unwrap_or_default();
        let blank = match place {
            ClippedPin::Address(pin) => {
                self.address = self.address & !(1 << pin) | u32::from(high) << pin;
                self.moved_ps[usize::from(pin)] = now_ps;
                // Channels of one sample may have been a sample apart, the cause behind the effect.
                let resolution_ps = self.clips.resolution_ps;
                self.brief.take_if(|brief| is_one_sample(now_ps - brief.time_ps, resolution_ps));
                1 << pin
            }
            ClippedPin::Data(bit) => {
                self.data = self.data & !(1 << bit) | u8::from(high) << bit;
                1 << (32 + bit)
            }
            ClippedPin::Enable(on_while) => {
                self.is_on = high == on_while;
                1 << 40
            }
        };
        let was_blank = self.blank & blank != 0;
        self.blank = if level.is_none() { self.blank | blank } else { self.blank & !blank };
        if level.is_none() || was_blank || !self.is_on {
            self.travel = MovedPins::default();
        }
        match place {
            ClippedPin::Data(bit) => self.data_moved(1 << bit, now_ps, rest_ps),
            ClippedPin::Address(pin) if self.clips.own.address_mask() >> pin & 1 == 1 => {
                Symptom::Nothing
            }
            ClippedPin::Address(pin) => {
                let MovedPins { once, often, .. } = &mut self.travel;
                *often |= *once & 1 << pin;
                *once = (*once | 1 << pin) & !*often;
                self.fed(now_ps)
            }
            ClippedPin::Enable(_) => self.fed(now_ps),
        }
    }

    /// An input has moved.
    fn fed(&mut self, now_ps: i64) -> Symptom {
        self.fed_since_ps = now_ps;
        let late = std::mem::take(&mut self.late);
        if (1..RESTLESS_MOVES).contains(&late.count) {
            Symptom::Glitch(late)
        } else {
            Symptom::Nothing
        }
    }

    /// True if the inputs alone determine the level of a data pin: because all are captured, or
    /// because the others and the chip's own wires make no difference.
    fn is_given(&mut self, pin: u8) -> bool {
        let own = self.clips.own.address_mask();
        self.clips.missing() == 0 || self.table.values(self.address, own).certain(pin).0 != 0
    }

    fn data_moved(&mut self, pin: u8, now_ps: i64, rest_ps: i64) -> Symptom {
        let is_late = now_ps > rest_ps && self.fed_since_ps <= rest_ps;
        if is_late && !self.clips.is_switched && self.blank == 0 && self.is_given(pin) {
            let Self { late, address, .. } = self;
            if late.count == 0 {
                *late = LateMovement { time_ps: now_ps, address: *address, ..*late };
            }
            late.count += 1;
            late.pins |= pin;
            // Another chip follows inputs that move too quickly to be seen.
            if late.count == RESTLESS_MOVES && !self.clips.own.pins.is_empty() {
                return Symptom::Restless(*late);
            }
        }
        match self.brief.take_if(|brief| brief.pins & pin != 0) {
            // A level that was seen once may be noise.
            Some(brief) if !is_one_sample(now_ps - brief.time_ps, self.clips.resolution_ps) => {
                Symptom::BriefLevel(brief)
            }
            _ => Symptom::Nothing,
        }
    }

    /// Notes the strobes that have just moved to levels which no address of the last access time
    /// explains. Called when all movements of a sample are known.
    pub(super) fn explain(&mut self, now_ps: i64, pins: u8) {
        if self.blank != 0 || self.clips.is_switched || !self.clips.is_control {
            return;
        }
        let Clips { access_ps, resolution_ps, .. } = self.clips;
        let since_ps = now_ps.saturating_sub(access_ps + resolution_ps + resolution_ps / 2);
        let moving = (0..).zip(&self.moved_ps).filter(|(_, moved_ps)| **moved_ps >= since_ps);
        let moving = moving.fold(0, |mask, (pin, _)| mask | 1_u32 << pin);
        let unseen = self.clips.own.address_mask() & !self.clips.known;
        let values = self.table.values(self.address, moving | unseen);
        let (certain, levels) = values.certain(self.clips.data & pins);
        let wrong = (self.data ^ levels) & certain;
        if wrong != 0 {
            let Self { address, data, .. } = *self;
            self.brief = Some(BriefLevel { time_ps: now_ps, address, data, pins: wrong });
        }
    }
}
