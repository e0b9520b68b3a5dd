//! Units of time and frequency, as analysers write them.

/// The ps in a unit of time.
pub(super) fn seconds_ps(unit: &str) -> Option<i64> {
    Some(match unit {
        "s" | "seconds" => 1_000_000_000_000,
        "ms" | "milliseconds" => 1_000_000_000,
        "us" | "µs" | "μs" | "microseconds" => 1_000_000,
        "ns" | "nanoseconds" => 1000,
        "ps" | "picoseconds" => 1,
        _ => return None,
    })
}

/// Samples in a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rate {
    hertz: u64,
}

impl Rate {
    /// Reads `24 MHz`, `12.5MHz` or `24000000`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let factor = match unit.trim() {
            "" | "Hz" => 1.0,
            "kHz" => 1e3,
            "MHz" => 1e6,
            "GHz" => 1e9,
            _ => return None,
        };
        let hertz = number.parse::<f64>().ok()? * factor;
        #[expect(clippy::cast_sign_loss, reason = "it is at least 1")]
        (1.0..=1e12).contains(&hertz).then_some(Self { hertz: hertz.round() as u64 })
    }

    /// The time between two samples in ps, rounded up.
    pub(super) fn period_ps(self) -> i64 {
        1_000_000_000_000_u64.div_ceil(self.hertz).cast_signed()
    }

    /// The time of a sample in ps.
    pub(super) fn time_ps(self, sample: u64) -> i128 {
        i128::from(sample) * 1_000_000_000_000 / i128::from(self.hertz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_sigrok_writes_them() {
        let period_ps = |text| Rate::parse(text).map(Rate::period_ps);
        assert_eq!(period_ps("24 MHz"), Some(41_667));
        assert_eq!(period_ps("12.5 MHz"), Some(80_000));
        assert_eq!(period_ps("200 kHz"), Some(5_000_000));
        assert_eq!(period_ps("1000000"), Some(1_000_000));
        for text in ["", "MHz", "0", "1 mile", "-4 Hz", "1e99", "9999 GHz"] {
            assert_eq!(period_ps(text), None, "{text}");
        }
    }
}
