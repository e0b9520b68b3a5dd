//! Formats strings and numbers for users.

pub(crate) use gray1_isa::text::{grouped, printable, wrap};

/// The lines of a string, without control characters. Tabs become spaces.
pub(crate) fn printable_lines(text: &str) -> Vec<String> {
    text.lines().map(|line| printable(&line.replace('\t', "    "))).collect()
}

/// A count in at most five characters: `9999`, `12.3k`, `405k`, `1.2M`.
pub(crate) fn format_count(count: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    let unit = UNITS.into_iter().find(|(unit, _)| count >= *unit).filter(|_| count >= 10_000);
    match unit {
        None => count.to_string(),
        Some((unit, letter)) if count / unit < 100 => {
            format!("{}.{}{letter}", count / unit, count % unit / (unit / 10))
        }
        Some((unit, letter)) => format!("{}{letter}", count / unit),
    }
}

/// Formats a count in full, without commas if it does not fit with them. If it still does not fit,
/// formats it like [`format_count`].
pub(crate) fn format_number(number: u64, width: usize) -> String {
    let variants = [grouped(number), number.to_string()];
    variants.into_iter().find(|it| it.len() <= width).unwrap_or_else(|| format_count(number))
}

/// A speed with about three digits: `950 instr/s`, `12.3 k instr/s`, `405 M instr/s`.
pub(crate) fn format_speed(per_second: u64) -> String {
    let scaled = [(1_000_000_000, " G"), (1_000_000, " M"), (1_000, " k")];
    let scale = scaled.into_iter().find(|(unit, _)| per_second >= *unit);
    let Some((unit, prefix)) = scale else { return format!("{per_second} instr/s") };
    let (whole, hundredths) = (per_second / unit, per_second % unit / (unit / 100));
    match whole {
        0..10 => format!("{whole}.{hundredths:02}{prefix} instr/s"),
        10..100 => format!("{whole}.{}{prefix} instr/s", hundredths / 10),
        _ => format!("{whole}{prefix} instr/s"),
    }
}

/// A string with its middle cut out if it is too long. The part after the last space stays if it
/// fits, but a file in parentheses loses its folder.
pub(crate) fn shorten(text: &str, width: usize, ellipsis: &str) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let Some((head, tail)) = text.rsplit_once(' ') else { return truncate(text, width, ellipsis) };
    let folder = tail.rfind(['/', ':']).and_then(|last| tail[..last].rfind(['/', ':']));
    let tail = match folder {
        Some(folder) if tail.starts_with('(') => format!(" ({}", &tail[folder + 1..]),
        _ => format!(" {tail}"),
    };
    match width.checked_sub(tail.chars().count()) {
        Some(left) if left >= 2 => truncate(head, left, ellipsis) + &tail,
        _ => truncate(text, width, ellipsis),
    }
}

/// At most `width` characters of a string. If its end is cut off, `ellipsis` replaces it.
pub(crate) fn truncate(text: &str, width: usize, ellipsis: &str) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(ellipsis.chars().count());
    text.chars().take(kept).chain(ellipsis.chars()).take(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_no_control_characters_or_tabs() {
        assert_eq!(printable_lines("a\x1b\n\tb\r\n"), ["a\\u{1b}", "    b"]);
    }

    #[test]
    fn a_truncated_string_ends_in_an_ellipsis() {
        for (width, expected) in [(9, "königin"), (7, "königin"), (6, "kön..."), (2, ".."), (0, "")]
        {
            assert_eq!(super::truncate("königin", width, "..."), expected);
        }
    }

    #[test]
    fn speeds_have_about_three_digits() {
        let speeds = [0, 999, 1_000, 12_345, 405_000_000, 1_470_000_000].map(format_speed);
        assert_eq!(
            speeds,
            [
                "0 instr/s",
                "999 instr/s",
                "1.00 k instr/s",
                "12.3 k instr/s",
                "405 M instr/s",
                "1.47 G instr/s"
            ]
        );
    }

    #[test]
    fn a_shortened_string_keeps_its_end() {
        let text = "stack: 00 -> 01 by ST at try0+6 (queens.asm:81)";
        for (width, expected) in [
            (47, text),
            (46, "stack: 00 -> 01 by ST at try0… (queens.asm:81)"),
            (24, "stack: … (queens.asm:81)"),
            (10, "stack: 00…"),
        ] {
            let shortened = shorten(text, width, "…");
            assert_eq!(shortened, expected);
            assert_eq!(shortened.chars().count(), width);
        }
        assert_eq!(shorten("sooner", 4, "…"), "soo…");
        let place = "by ST at try0+6 (built-in:queens.asm:81)";
        assert_eq!(shorten(place, 39, "…"), "by ST at try0+6 (queens.asm:81)");
        assert_eq!(shorten("at 0 (/lib/a.asm:1)", 15, "…"), "at 0 (a.asm:1)");
        assert_eq!(shorten("written to /lib/a.asm", 15, "…"), "wri… /lib/a.asm");
    }

    #[test]
    fn a_number_is_never_cut() {
        for (width, expected) in [
            (13, "3,226,730,518"),
            (12, "3226730518"),
            (10, "3226730518"),
            (9, "3.2G"),
            (0, "3.2G"),
        ] {
            assert_eq!(format_number(3_226_730_518, width), expected);
        }
    }

    #[test]
    fn counts_take_at_most_five_characters() {
        for (number, expected) in [
            (9_999, "9999"),
            (10_000, "10.0k"),
            (12_345, "12.3k"),
            (405_678, "405k"),
            (1_234_567, "1.2M"),
            (99_950_000, "99.9M"),
            (100_000_000, "100M"),
            (7_000_000_000, "7.0G"),
            (12_500_000_000_000, "12.5T"),
        ] {
            assert_eq!(format_count(number), expected);
        }
    }
}
