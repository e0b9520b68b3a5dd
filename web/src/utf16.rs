//! Places in texts: bytes here, UTF-16 units in browsers.

/// The places of a text.
pub(crate) struct Units {
    /// The unit at each byte; `None` where they are the same, as in most sources.
    units: Option<Vec<u32>>,
}

impl Units {
    pub(crate) fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self { units: None };
        }
        let mut units = Vec::with_capacity(text.len() + 1);
        let mut unit = 0;
        for character in text.chars() {
            units.extend(std::iter::repeat_n(unit, character.len_utf8()));
            unit += character.len_utf16() as u32;
        }
        units.push(unit);
        Self { units: Some(units) }
    }

    /// The unit at a byte.
    pub(crate) fn at(&self, byte: u32) -> u32 {
        let Some(units) = &self.units else { return byte };
        units[(byte as usize).min(units.len() - 1)]
    }

    /// The byte at a unit; the end of the text, if it has fewer.
    pub(crate) fn byte(&self, unit: u32) -> u32 {
        let Some(units) = &self.units else { return unit };
        let byte = units.partition_point(|known| *known < unit);
        byte.min(units.len() - 1) as u32
    }
}
