//! The report of `gray1 run --profile`: how often the lines of a program were executed.

use std::fmt::Write as _;

use gray1_isa::Image;
use gray1_isa::text::{grouped, printable};
use gray1_sim::Profile;
use gray1_sim::profile::{LineProfile, per_mille};

/// A table of the program's lines, sorted by instructions executed, from the execution count of
/// each instruction index.
pub(crate) fn table(image: &Image, counts: &[u64]) -> String {
    let profile = Profile::new(image, counts);
    let mut text = format!("{:>15} {:>15} {:>7}  line\n", "times", "instructions", "share");
    let mut lines: Vec<&LineProfile> = profile.lines.iter().filter(|it| it.executed > 0).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.executed));
    let width = lines.iter().map(|line| place(line, image).chars().count()).max();
    let width = width.unwrap_or_default();
    for line in &lines {
        let (times, executed) = (grouped(line.times), grouped(line.executed));
        let share = format_percent(per_mille(line.executed, profile.executed));
        let (place, source) = (place(line, image), source(line, image));
        let _ = writeln!(text, "{times:>15} {executed:>15} {share:>7}  {place:width$}  {source}");
    }
    let _ = writeln!(
        text,
        "executed: {} of {} instructions, {} of {} lines",
        profile.covered,
        profile.used,
        lines.len(),
        profile.lines.len()
    );
    let never = profile.lines.iter().filter(|line| line.executed == 0);
    let never: Vec<String> = never.map(|line| place(line, image)).collect();
    if !never.is_empty() {
        let _ = writeln!(text, "never executed: {}", never.join(", "));
    }
    text.truncate(text.trim_end().len());
    text
}

/// The place of a line, such as `queens.asm:88`. For a line without a place in a source file, the
/// place of its first instruction.
fn place(line: &LineProfile, image: &Image) -> String {
    let file = line.place.and_then(|place| {
        let file = image.source_map().files().get(usize::from(place.file))?;
        Some(format!("{}:{}", printable(&file.name), place.line))
    });
    file.unwrap_or_else(|| image.names().place(line.first))
}

/// The source of a line.
fn source(line: &LineProfile, image: &Image) -> String {
    let text = line.place.and_then(|place| image.source_map().line(place));
    text.map_or_else(|| image.instruction(line.first), |text| printable(text.trim()))
}

/// Formats thousandths as `12.3%`.
fn format_percent(per_mille: u64) -> String {
    format!("{}.{}%", per_mille / 10, per_mille % 10)
}
