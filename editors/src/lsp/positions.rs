//! Converts positions: lines and UTF-16 code units in the protocol, bytes in the assembler.

use gray1_asm::{InputFile, Span};

use super::protocol::{Position, Range};

/// The position of a byte.
pub(super) fn position(file: &InputFile, offset: u32) -> Position {
    let number = file.line_of(offset);
    let start = file.line_span(number).start;
    let before = &file.text()[start as usize..offset as usize];
    Position { line: number - 1, character: before.encode_utf16().count() as u32 }
}

/// The byte at a position. A position beyond the end of a line or the file stands for that end.
pub(super) fn offset(file: &InputFile, position: Position) -> u32 {
    if position.line >= file.line_count() {
        return file.text().len() as u32;
    }
    let number = position.line + 1;
    let mut left = position.character;
    let mut offset = file.line_span(number).start;
    for c in file.line(number).chars() {
        let units = c.len_utf16() as u32;
        if left < units {
            break;
        }
        left -= units;
        offset += c.len_utf8() as u32;
    }
    offset
}

/// The range of a span.
pub(super) fn range(file: &InputFile, span: Span) -> Range {
    Range { start: position(file, span.start), end: position(file, span.end) }
}

#[cfg(test)]
mod tests {
    use gray1_asm::{Analysis, FileId, NoIncludes, Source};

    use super::*;

    #[test]
    fn columns_count_utf_16_units() {
        let text = "a: ; é𝄞x\r\n\nb".to_owned();
        let source = Source { id: "a".into(), name: "a".into(), text };
        let analysis = Analysis::new(source, &mut NoIncludes);
        let file = analysis.files.get(FileId::ROOT);
        for (line, character, byte) in
            [(0, 0, 0), (0, 5, 5), (0, 6, 7), (0, 8, 11), (0, 9, 12), (1, 0, 14), (2, 1, 16)]
        {
            let place = Position { line, character };
            assert_eq!(offset(file, place), byte, "{place:?}");
            assert_eq!(position(file, byte), place);
        }
        // Inside a character, after the end of a line, after the end of the file.
        for (line, character, byte) in [(0, 7, 7), (0, 99, 12), (1, 1, 14), (7, 0, 16)] {
            assert_eq!(offset(file, Position { line, character }), byte);
        }
    }
}
