//! The report of `gray1 run --profile`: how often the lines of a program were executed.

use std::fmt::Write as _;

use clap::ValueEnum;
use gray1_isa::Image;
use gray1_isa::text::grouped;
use gray1_isa::text::printable;
use gray1_sim::Profile;
use gray1_sim::profile::{LineProfile, per_mille};

/// The formats of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileFormat {
    /// A table of lines, those that took the most instructions first
    Text,
    /// One JSON object, with the count of every instruction
    Json,
}

impl ProfileFormat {
    /// The profile of a program, given the execution counts of its instructions by index.
    pub(crate) fn write(self, image: &Image, counts: &[u64]) -> String {
        match self {
            Self::Text => text(&Profile::new(image, counts), image),
            Self::Json => gray1_programs::profile_json(image, counts).to_string(),
        }
    }
}

fn text(profile: &Profile, image: &Image) -> String {
    let mut text = format!("{:>15} {:>15} {:>7}  line\n", "times", "instructions", "share");
    let mut lines: Vec<&LineProfile> = profile.lines.iter().filter(|it| it.executed > 0).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.executed));
    let width = lines.iter().map(|line| place(line, image).chars().count()).max();
    let width = width.unwrap_or_default();
    for line in &lines {
        let (times, executed) = (grouped(line.times), grouped(line.executed));
        let share = percent(per_mille(line.executed, profile.executed));
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

/// The place of a line: `queens.asm:88`, or the place of its instruction.
fn place(line: &LineProfile, image: &Image) -> String {
    let file = line.place.and_then(|place| {
        let file = image.source_map().files().get(usize::from(place.file))?;
        Some(format!("{}:{}", printable(&file.name), place.line))
    });
    file.unwrap_or_else(|| image.names().place(line.first))
}

/// The text of a line.
fn source(line: &LineProfile, image: &Image) -> String {
    let text = line.place.and_then(|place| image.source_map().line(place));
    text.map_or_else(|| image.instruction(line.first), |text| printable(text.trim()))
}

/// Thousandths as `12.3%`.
fn percent(per_mille: u64) -> String {
    format!("{}.{}%", per_mille / 10, per_mille % 10)
}
