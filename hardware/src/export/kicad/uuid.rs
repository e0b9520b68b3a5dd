//! Identifiers that are the same in each export.

/// The identifier of the thing with this path: 122 bits of a hash (FNV-1a, twice), in the form of
/// RFC 4122's version 8.
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
