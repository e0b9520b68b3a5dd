//! The compression of GIF (LZW): each code stands for an earlier sequence of colours plus one more
//! colour.

/// The number of bits of a colour.
pub(super) const COLOR_BITS: u32 = 5;
/// The code that clears the known sequences. The next code, which is greater by one, ends the data.
const CLEAR: u16 = 1 << COLOR_BITS;
const END: u16 = CLEAR + 1;
const CODE_BITS_MAX: u32 = 12;

/// Compresses the colours of a picture, which must not be empty.
pub(super) fn pack(colors: &[u8]) -> Vec<u8> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    // The lowest bit of a code comes first.
    let mut put = |code: u16, width: u32| {
        bits |= u32::from(code) << count;
        count += width;
        while count >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    };
    // For each known sequence and next colour, the code of the longer sequence. 0 if there is none.
    let mut longer = vec![[0_u16; 1 << COLOR_BITS]; 1 << CODE_BITS_MAX];
    let (mut next, mut width) = (END + 1, COLOR_BITS + 1);
    put(CLEAR, width);
    let mut sequence = u16::from(colors[0]);
    for color in &colors[1..] {
        let known = &mut longer[usize::from(sequence)][usize::from(*color)];
        if *known != 0 {
            sequence = *known;
            continue;
        }
        *known = next;
        put(sequence, width);
        sequence = u16::from(*color);
        width += u32::from(next == 1 << width);
        next += 1;
        if width > CODE_BITS_MAX {
            put(CLEAR, CODE_BITS_MAX);
            longer.fill([0; 1 << COLOR_BITS]);
            (next, width) = (END + 1, COLOR_BITS + 1);
        }
    }
    put(sequence, width);
    put(END, width);
    // Flushes the last byte.
    put(0, 7);
    bytes
}
