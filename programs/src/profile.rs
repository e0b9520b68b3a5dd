//! The profile of a program as JSON: how often each line was executed.
//! `gray1 run --profile --message-format json` prints it, and editors request it.

use gray1_isa::{Image, RomIndex};
use gray1_sim::Profile;
use serde_json::{Value, json};

/// Returns the profile of a program, given the number of executions for each index. It also
/// contains the counts of the executed instructions.
pub fn profile_json(image: &Image, counts: &[u64]) -> Value {
    let profile = Profile::new(image, counts);
    let files = image.source_map().files();
    let lines = profile.lines.iter().map(|line| {
        let file = line.place.and_then(|place| files.get(usize::from(place.file)));
        json!({
            "file": file.map(|file| &file.name),
            "line": line.place.map(|place| place.line),
            "index": line.first.get(),
            "times": line.times,
            "instructions": line.executed,
            "words": line.used,
            "words_executed": line.covered,
        })
    });
    let counts = RomIndex::all().map(|index| [u64::from(index.get()), counts[index.to_usize()]]);
    json!({
        "instructions": profile.executed,
        "words": profile.used,
        "words_executed": profile.covered,
        "lines": lines.collect::<Vec<_>>(),
        "counts": counts.filter(|[_, count]| *count > 0).collect::<Vec<_>>(),
    })
}
