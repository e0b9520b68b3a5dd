//! Verdicts about power-ups in words.

use gray1_isa::text::{counted, grouped, name_bits, printable};
use gray1_isa::{Image, RamAddr};

use super::{Dependence, PowerUpBits, PowerUpPlace, PowerUpVerdict, SAMPLES};
use crate::parse::parse_byte;
use crate::scope::Scope;

/// Describes the contents at power-up that proofs about a program are about.
pub fn describe_contents(image: &Image) -> String {
    let seeds: Vec<String> = image.seeds().map(|seed| printable(&seed.name)).collect();
    if seeds.is_empty() {
        return "every content of memory, A and C at power-up".to_owned();
    }
    let (seeds, count) = (seeds.join(", "), SAMPLES.len());
    format!("every content of memory except {seeds}; of that, {count} contents tried")
}

impl PowerUpVerdict {
    /// Returns true if the output and all LEDs are proved to be known.
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Halts(_) | Self::Repeats { .. } | Self::Several)
    }

    /// Returns the verdict as a sentence.
    pub fn describe(&self, image: &Image) -> String {
        self.describe_for(&describe_contents(image), image)
    }

    /// Returns the verdict as a sentence that says in these words for which contents at power-up
    /// it is proved.
    pub fn describe_for(&self, contents: &str, image: &Image) -> String {
        let proved = format!("proved for {contents}");
        match self {
            Self::Halts(moment) => {
                let count = counted(*moment, "instruction");
                format!("{proved}: halts after {count}; the output and all LEDs are known")
            }
            Self::Repeats { from, period } => format!(
                "{proved}: repeats every {} from moment {}; the output and all LEDs are known",
                counted(*period, "instruction"),
                grouped(*from)
            ),
            Self::Several => {
                format!("{proved}: each halts or repeats; the output and all LEDs are known")
            }
            Self::Limit(moment) => format!(
                "not proved: stopped after {}; each jump and printed byte before that is known",
                counted(*moment, "instruction")
            ),
            Self::Depends(dependence) => dependence.describe(image),
        }
    }
}

impl Dependence {
    fn describe(&self, image: &Image) -> String {
        let Self { place: unknown, mask, moment, index, ref bits, change } = *self;
        let no_change = "; no two contents with different results were found, and unknown bits \
            that always agree are followed separately";
        let (verdict, verb, reason) = match change {
            Some(_) => ("disproved", "depends", ""),
            None => ("not proved", "may depend", no_change),
        };
        let (moment, place) = (grouped(moment), image.place_and_line(index));
        let instruction = image.instruction(index);
        let subject = match unknown {
            PowerUpPlace::Carry => format!("whether `{instruction}` at {place} jumps"),
            PowerUpPlace::A => format!("the byte printed by `{instruction}` at {place}"),
            PowerUpPlace::Byte(address) => format!(
                "the LED in column {} of {} at {place}",
                mask.trailing_zeros(),
                image.names().byte(address)
            ),
        };
        let bits = describe_bits(bits, image);
        format!("{verdict}: {subject} {verb} on power-up at moment {moment}: on {bits}{reason}")
    }
}

/// The maximum number of places at power-up that a sentence names.
const PLACES_MAX: usize = 8;

/// Describes bits at power-up: `seed, bits 0 and 1 of x and C`.
fn describe_bits(bits: &PowerUpBits, image: &Image) -> String {
    let mut places: Vec<String> = bits
        .iter()
        .take(PLACES_MAX)
        .map(|(place, mask)| {
            let name = place.name(image);
            if *place == PowerUpPlace::Carry { name } else { name_bits(*mask, &name) }
        })
        .collect();
    if bits.len() > PLACES_MAX {
        places.push(format!("{} more", bits.len() - PLACES_MAX));
    }
    places.join(", ")
}

impl PowerUpPlace {
    /// Returns the name of the register or byte.
    pub fn name(self, image: &Image) -> String {
        match self {
            Self::A => "A".to_owned(),
            Self::Carry => "C".to_owned(),
            Self::Byte(address) => image.names().byte(address),
        }
    }

    /// Returns a change that gives it a value: `seed = 1`.
    pub fn assignment(self, image: &Image, value: u8) -> String {
        let place = match self {
            Self::Byte(address) => find_expression(address, image),
            register => register.name(image),
        };
        format!("{place} = {value}")
    }
}

/// Returns an expression for an address, with the name of the variable if it can be typed.
fn find_expression(address: RamAddr, image: &Image) -> String {
    let name = image.names().variable(address);
    let name = name.filter(|name| parse_byte(name, Scope::from(image)) == Ok(address));
    name.unwrap_or_else(|| format!("{:#06x}", address.get()))
}
