//! A hypothesis: a single fault of a machine or a mistake of a capture. It determines how channels,
//! wires and pins would be connected.

use gray1_board::{Chip, ChipId, NetId};

use super::suspicion::Suspicion;

/// A possible explanation of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hypothesis {
    NoFault,
    /// A chip has a fault.
    Chip(ChipId, Suspicion),
    /// The first chip holds the image of the second, which is right.
    OtherImage(ChipId, ChipId),
    /// Two chips are in each other's sockets.
    SwappedChips(ChipId, ChipId),
    /// Two wires are exchanged where they leave their chips.
    SwappedWires(NetId, NetId),
    /// Two wires are shorted.
    Shorted(NetId, NetId),
    /// The clip on a wire has come off.
    LooseClip(NetId),
    /// The clips on two wires are exchanged.
    SwappedClips(NetId, NetId),
}

impl Hypothesis {
    /// Returns the wire that carries the level of the data pin that should drive `net`. Returns
    /// `None` if no wire reliably has that level, because `net` is shorted.
    pub(super) fn carrier(self, net: NetId) -> Option<NetId> {
        match self {
            Self::SwappedWires(a, b) => Some(swap(net, a, b)),
            Self::Shorted(a, b) => (net != a && net != b).then_some(net),
            _ => Some(net),
        }
    }

    /// Returns the wire whose level an address pin sees. Logic chips feed their outputs back
    /// internally, so a feedback pin follows the chip's own output, not the wire.
    pub(super) fn sensed_wire(self, chip: &Chip, pin: u8) -> Option<NetId> {
        let net = chip.wire(pin)?;
        if pin < chip.part().address_pins() { Some(net) } else { self.carrier(net) }
    }

    /// The wire that was recorded on the channel named after `net`, or `None` if the clip of that
    /// channel is loose.
    pub(super) fn recorded_wire(self, net: NetId) -> Option<NetId> {
        match self {
            Self::SwappedClips(a, b) => Some(swap(net, a, b)),
            Self::LooseClip(loose) => (net != loose).then_some(net),
            _ => Some(net),
        }
    }

    /// The chip whose image is in the socket of a chip.
    pub(super) fn image(self, chip: ChipId) -> ChipId {
        match self {
            Self::OtherImage(socket, image) if socket == chip => image,
            Self::SwappedChips(a, b) => swap(chip, a, b),
            _ => chip,
        }
    }

    /// The fault of a chip under this hypothesis.
    pub(super) fn suspicion(self, chip: ChipId) -> Option<Suspicion> {
        match self {
            Self::Chip(faulty, suspicion) if faulty == chip => Some(suspicion),
            _ => None,
        }
    }

    /// True if a chip holds another image than its own.
    pub(super) const fn is_about_images(self) -> bool {
        match self {
            Self::Chip(_, suspicion) => suspicion.is_about_images(),
            _ => matches!(self, Self::OtherImage(..) | Self::SwappedChips(..)),
        }
    }

    pub(super) const fn is_about_clips(self) -> bool {
        matches!(self, Self::LooseClip(_) | Self::SwappedClips(..))
    }
}

fn swap<T: PartialEq>(it: T, a: T, b: T) -> T {
    match it {
        _ if it == a => b,
        _ if it == b => a,
        _ => it,
    }
}
