//! Conditions on the hit count of a breakpoint, such as `>= 5`.

/// A condition on the number of a hit, counted from 1 since power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitCondition {
    comparison: Comparison,
    number: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    AtLeast,
    Above,
    AtMost,
    Below,
    MultipleOf,
}

/// The comparison signs. Longer ones come first, so that they match first.
const SIGNS: [(&str, Comparison); 7] = [
    ("==", Comparison::Equal),
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("=", Comparison::Equal),
    (">", Comparison::Above),
    ("<", Comparison::Below),
    ("%", Comparison::MultipleOf),
];

impl HitCondition {
    /// Parses `5` or `== 5` (the fifth hit), a comparison such as `>= 5`, or `% 5` (every fifth
    /// hit). Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut signs = SIGNS.into_iter();
        let found = signs.find_map(|(sign, it)| Some((text.strip_prefix(sign)?, it)));
        let (number, comparison) = found.unwrap_or((text, Comparison::Equal));
        Some(Self { comparison, number: number.trim().parse().ok()? })
    }

    /// Returns true if the hit with this number satisfies the condition.
    pub fn is_for(self, hit: u64) -> bool {
        match self.comparison {
            Comparison::Equal => hit == self.number,
            Comparison::AtLeast => hit >= self.number,
            Comparison::Above => hit > self.number,
            Comparison::AtMost => hit <= self.number,
            Comparison::Below => hit < self.number,
            Comparison::MultipleOf => hit.checked_rem(self.number) == Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_condition_selects_hits_by_their_number() {
        for (text, expected) in [
            ("3", "3"),
            (" == 3 ", "3"),
            ("=3", "3"),
            (">3", "456"),
            (">= 3", "3456"),
            ("< 3", "12"),
            ("<=3", "123"),
            ("% 3", "36"),
            ("%0", ""),
        ] {
            let condition = HitCondition::parse(text).unwrap();
            let hits = (1..=6).filter(|hit| condition.is_for(*hit));
            assert_eq!(hits.map(|hit| hit.to_string()).collect::<String>(), expected, "{text}");
        }
        for text in ["", "x", ">", "-1", "3 4", "=> 3", "99999999999999999999"] {
            assert_eq!(HitCondition::parse(text), None, "{text}");
        }
    }
}
