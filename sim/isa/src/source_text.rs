//! The text of a source file, and its lines. Only this file decides where a line ends.

use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::sync::Arc;

/// The text of a source file and the positions at which its lines start. Clones share the text, so
/// an image can contain its source without a copy.
///
/// A line ends in a line feed, a carriage return, or both. Lines are returned and compared without
/// their ends.
#[derive(Clone, serde::Deserialize)]
#[serde(from = "Vec<String>")]
pub struct SourceText(Arc<Text>);

struct Text {
    text: String,
    /// The start of each line. If the text is empty or ends with a line end, the last entry is for
    /// the empty line at its end.
    starts: Vec<u32>,
}

impl SourceText {
    /// Splits a text of less than 4 GiB into lines. A line end at the end of the text does not
    /// start another line.
    pub fn new(text: String) -> Self {
        let next = line_starts(text.as_bytes()).map(|start| start as u32);
        let starts = std::iter::once(0).chain(next).collect();
        Self(Arc::new(Text { text, starts }))
    }

    /// Returns the whole text, with its line ends.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.0.starts.len() - usize::from(self.ends_with_line_end())
    }

    /// Returns true if there are no lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if the text is empty or ends with a line end. Editors show an empty last line
    /// then.
    pub fn ends_with_line_end(&self) -> bool {
        let last = self.0.starts.last().copied();
        last.is_none_or(|start| start as usize == self.0.text.len())
    }

    /// Returns the number of the line that contains a byte, counted from 0.
    pub fn line_of(&self, offset: u32) -> usize {
        self.0.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Returns the positions of a line's bytes, without the line end. Lines count from 0 and
    /// include the empty one at the end of the text.
    pub fn span(&self, number: usize) -> Option<Range<u32>> {
        let Text { text, starts } = &*self.0;
        let start = *starts.get(number)?;
        let end = starts.get(number + 1).map_or(text.len() as u32, |next| next - 1);
        let line = &text[start as usize..end as usize];
        Some(start..end - u32::from(line.ends_with('\r')))
    }

    /// Returns a line, counted from 0.
    pub fn get(&self, number: usize) -> Option<&str> {
        let span = (number < self.len()).then(|| self.span(number))??;
        Some(&self.0.text[span.start as usize..span.end as usize])
    }

    /// Iterates over the lines in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.iter_with_starts().map(|(_, line)| line)
    }

    /// Iterates over the lines in order, each with the position of its first byte.
    pub fn iter_with_starts(&self) -> impl Iterator<Item = (u32, &str)> {
        let spans = (0..self.len()).filter_map(|number| self.span(number));
        spans.map(|span| (span.start, &self.0.text[span.start as usize..span.end as usize]))
    }
}

/// Returns the starts of all lines but the first, including an empty line at the end of the text.
pub(crate) fn line_starts(text: &[u8]) -> impl Iterator<Item = usize> {
    let ends = (1..).zip(text).filter(|&(next, &byte)| match byte {
        b'\n' => true,
        // A carriage return before a line feed is part of the same line end.
        b'\r' => text.get(next) != Some(&b'\n'),
        _ => false,
    });
    ends.map(|(next, _)| next)
}

/// Splits a text into lines without their ends, by the same rule as [`SourceText`].
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends = line_starts(text.as_bytes()).chain([text.len()]);
    let lines = ends.map(move |end| &text[std::mem::replace(&mut start, end)..end]);
    // A line end at the end of the text does not start another line.
    lines.filter(|line| !line.is_empty()).map(|line| line.trim_end_matches(['\n', '\r']))
}

/// Returns the lines that a change from one text to another replaces: the range of lines in each
/// text, between the lines that are equal at the starts and those that are equal at the ends.
pub fn replaced_lines(texts: [&[&str]; 2]) -> [Range<usize>; 2] {
    let [before, after] = texts;
    let is_same = |(before, after): &(&&str, &&str)| before == after;
    let head = before.iter().zip(after).take_while(is_same).count();
    let rest = before[head..].iter().rev().zip(after[head..].iter().rev());
    let tail = rest.take_while(is_same).count();
    texts.map(|text| head..text.len() - tail)
}

impl<T: AsRef<str>> From<Vec<T>> for SourceText {
    fn from(lines: Vec<T>) -> Self {
        let mut text = String::new();
        let mut starts = vec![0];
        for line in lines {
            text.push_str(line.as_ref());
            text.push('\n');
            starts.push(text.len() as u32);
        }
        Self(Arc::new(Text { text, starts }))
    }
}

impl serde::Serialize for SourceText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl PartialEq for SourceText {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for SourceText {}

impl Debug for SourceText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_lines_without_their_ends() {
        for (text, expected) in [
            ("", &[][..]),
            ("\n", &[""]),
            ("a", &["a"]),
            ("a\n", &["a"]),
            ("a\r\n\r\nb\r", &["a", "", "b"]),
            ("a\rb\r\r\nc\n\rd", &["a", "b", "", "c", "", "d"]),
            ("a\n\n", &["a", ""]),
        ] {
            let lines = SourceText::new(text.to_owned());
            assert_eq!(lines.iter().collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!(super::lines(text).collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!((lines.len(), lines.is_empty()), (expected.len(), expected.is_empty()));
            assert_eq!(lines.get(lines.len()), None);
            assert_eq!(SourceText::from(expected.to_vec()), lines, "{text:?}");
            assert_eq!((lines.text(), format!("{lines:?}")), (text, format!("{expected:?}")));
        }
        assert_ne!(SourceText::new("a".to_owned()), SourceText::new("b".to_owned()));
    }

    #[test]
    fn each_offset_is_in_a_line() {
        let lines = SourceText::new("ab\r\n\nc\n".to_owned());
        let numbers: Vec<usize> = (0..=7).map(|offset| lines.line_of(offset)).collect();
        assert_eq!(numbers, [0, 0, 0, 0, 1, 2, 2, 3]);
        let spans: Vec<_> = (0..5).map(|number| lines.span(number)).collect();
        assert_eq!(spans, [Some(0..2), Some(4..4), Some(5..6), Some(7..7), None]);
        let lines = SourceText::new("a\rb\r\nc".to_owned());
        assert_eq!(
            (0..=6).map(|offset| lines.line_of(offset)).collect::<Vec<_>>(),
            [0, 0, 1, 1, 1, 2, 2]
        );
        assert_eq!(
            [0, 1, 2].map(|number| lines.span(number)),
            [Some(0..1), Some(2..3), Some(5..6)]
        );
    }
}
