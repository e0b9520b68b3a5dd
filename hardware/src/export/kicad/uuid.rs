//! Identifiers that do not change between exports.

/// Returns the identifier for a path: 122 bits of a hash (two FNV-1a hashes), in the form of a
/// version 8 UUID (RFC 9562).
pub(super) fn uuid(path: &str) -> String {
    let hash = |start: u64| {
        path.bytes()
            .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    let (high, low) = (hash(0xcbf2_9ce4_8422_2325), hash(0x8422_2325_cbf2_9ce4));
    let (high, low) = (high & !0xf000 | 0x8000, low & !(3 << 62) | 1 << 63);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An existing layout refers to the schematic's components by these identifiers.
    #[test]
    fn identifiers_have_the_form_of_rfc_9562_version_8_and_never_change() {
        for (path, expected) in [
            ("", "cbf29ce4-8422-8325-8422-2325cbf29ce4"),
            ("board/U1", "361986eb-d6de-8a5e-9333-4efdd084cd8f"),
        ] {
            let found = uuid(path);
            assert_eq!(found, expected);
            let parts: Vec<&str> = found.split('-').collect();
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
            assert!(parts[2].starts_with('8') && parts[3].starts_with(['8', '9', 'a', 'b']));
        }
    }
}
