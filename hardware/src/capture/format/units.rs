//! Units of time and frequency, as analysers write them.

/// Parses a unit of time and returns its length in ps.
pub(super) fn parse_unit(unit: &str) -> Option<i64> {
    Some(match unit {
        "s" | "seconds" => 1_000_000_000_000,
        "ms" | "milliseconds" => 1_000_000_000,
        "us" | "µs" | "μs" | "microseconds" => 1_000_000,
        "ns" | "nanoseconds" => 1000,
        "ps" | "picoseconds" => 1,
        _ => return None,
    })
}

/// Parses a number of samples per second: `24 MHz`, `12.5MHz` or `24000000`.
pub fn parse_hertz(text: &str) -> Option<u64> {
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
    (1.0..=1e12).contains(&hertz).then_some(hertz.round() as u64)
}

/// The time of a sample in ps.
pub(super) fn sample_ps(hertz: u64, sample: u64) -> i128 {
    i128::from(sample) * 1_000_000_000_000 / i128::from(hertz)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_rates_of_sigrok_are_parsed() {
        assert_eq!(parse_hertz("24 MHz"), Some(24_000_000));
        assert_eq!(parse_hertz("12.5 MHz"), Some(12_500_000));
        assert_eq!(parse_hertz("200 kHz"), Some(200_000));
        assert_eq!(parse_hertz("1000000"), Some(1_000_000));
        for text in ["", "MHz", "0", "1 mile", "-4 Hz", "1e99", "9999 GHz"] {
            assert_eq!(parse_hertz(text), None, "{text}");
        }
    }
}
