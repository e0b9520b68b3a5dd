//! Programs that run off their end. Erased program memory holds jumps to 0x1555, where the machine
//! then halts.

use crate::address::RomIndex;
use crate::image::Image;

/// Describes a halt in erased memory, and names the instruction from which the program ran into it.
///
/// Returns `None` if the machine halted at an instruction of the program. It also returns `None`
/// for an erased image, which has no program.
pub fn run_off(image: &Image, halted_at: RomIndex) -> Option<String> {
    if image.is_used(halted_at) || image.used_words() == 0 {
        return None;
    }
    let mut exits = exits(image);
    let message = "the program ran into erased memory";
    let (Some((last, erased)), None) = (exits.next(), exits.next()) else {
        return Some(message.to_owned());
    };
    let place = image.source_map().origin(last).map_or_else(
        || format!("the one at {:#06x}", last.get()),
        |origin| {
            let file = &image.source_map().files()[usize::from(origin.place.file)];
            format!("line {} of {}", origin.place.line, file.name)
        },
    );
    Some(format!("{message} at {:#06x}; the last instruction was {place}", erased.get()))
}

/// Finds the instructions that can lead to an index without an instruction. Returns each with that
/// index.
fn exits(image: &Image) -> impl Iterator<Item = (RomIndex, RomIndex)> {
    let used = RomIndex::all().filter(|index| image.is_used(*index));
    used.flat_map(move |index| {
        let successors = image.word(index).successors(index).into_iter().flatten();
        successors.filter(|next| !image.is_used(*next)).map(move |next| (index, next))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, RamAddr, Word};

    fn index(index: u16) -> RomIndex {
        RomIndex::truncate(index)
    }

    #[test]
    fn running_off_the_end_names_the_last_instruction_if_it_is_certain() {
        let halt_of_erased = index(0x1555);
        let store = Word::data(Op::St, RamAddr::truncate(5));
        let image = Image::from_words(&[Word::ldi(1), store]).unwrap();
        assert_eq!(
            run_off(&image, halt_of_erased).as_deref(),
            Some(
                "the program ran into erased memory at 0x0002; the last instruction was the one at \
                 0x0001"
            )
        );
        let image = Image::from_words(&[Word::jump(Op::Jc, index(7)), store]).unwrap();
        assert_eq!(
            run_off(&image, halt_of_erased).as_deref(),
            Some("the program ran into erased memory")
        );
        assert_eq!(run_off(&image, index(1)), None);
        assert_eq!(run_off(&Image::erased(), halt_of_erased), None);
    }
}
