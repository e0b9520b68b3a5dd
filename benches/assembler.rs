//! Compares the assembler with customasm on equivalent sources that fill program memory. Measures
//! the time and the peak memory of whole processes, from the source file to the image file. Both
//! images must have the same words.
//!
//! `cargo install customasm --version 0.14.2 --root target/peers && cargo bench --bench assembler`
//!
//! Without customasm, only the figures of this assembler are printed. Memory needs GNU time.
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]
#![allow(clippy::cast_precision_loss, reason = "figures for people have four digits")]

mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gray1_asm::{Analysis, FileId, NoIncludes, Source, assemble};
use gray1_isa::Image;
use support::{Side, compare_rounds};

/// The number of rounds. It is small because starting a process takes a long time.
const ROUNDS: usize = 31;
/// The size of program memory.
const INSTRUCTIONS: u64 = 8192;
/// The number of calls, of two instructions each.
const CALLS: u64 = 4000;
/// The number of instructions in a source that is far too long for program memory. The assembler
/// must still read all of it.
const LONG: u64 = 100_000;
/// Reports the peak memory of a process.
const GNU_TIME: &str = "/usr/bin/time";

/// The same program in both languages.
struct Work {
    name: String,
    unit: &'static str,
    count: u64,
    ours: String,
    theirs: String,
}

fn main() {
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers/bin/customasm");
    println!("time in proportion:");
    for count in [INSTRUCTIONS / 8, INSTRUCTIONS / 4, INSTRUCTIONS / 2] {
        measure_library(&instructions(count));
    }
    let long = instructions(LONG);
    println!("{}, which program memory is too small for:", long.name);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("long.asm");
    std::fs::write(&source, &long.ours).expect("the folder can be written");
    print_memory("gray1 asm", &our_command(&source, &folder.path().join("long.bin")));
    println!("editors on damaged files, time in proportion:");
    for line in [".macro a\n", ".macro a x = y\n", "a: LDI a\n"] {
        for count in [10_000, 20_000, 40_000] {
            measure_analysis(line, count);
        }
    }
    for work in [instructions(INSTRUCTIONS), calls()] {
        println!("{}:", work.name);
        measure_library(&work);
        if peer.exists() {
            compare_with_peer(&peer, &work);
        } else {
            println!("  skipped customasm: {} is not there", peer.display());
        }
    }
}

/// A source of plain instructions, with a label for every eight and a comment for every four.
fn instructions(count: u64) -> Work {
    let (mut ours, mut theirs) = (String::new(), rules());
    for variable in 0..64 {
        writeln!(ours, ".var v{variable}").unwrap();
        writeln!(theirs, "v{variable} = {variable}").unwrap();
    }
    let mut code = String::new();
    for n in 0..count {
        if n % 8 == 0 {
            writeln!(code, "label{n}:").unwrap();
        }
        match n % 4 {
            0 => writeln!(code, "        LD   v{}          ; a comment", n % 64),
            1 => writeln!(code, "        ADD  v{} + 1", n % 63),
            2 => writeln!(code, "        ST   v{}", n % 61),
            _ => writeln!(code, "        JC   label{}", n / 8 * 8),
        }
        .unwrap();
    }
    let name = format!("{count} instructions, {} labels", count / 8);
    let unit = "instructions";
    Work { name, unit, count, ours: ours + &code, theirs: theirs + &code }
}

fn calls() -> Work {
    let definition = "  copy {from}, {to} => asm {\n    LD {from}\n    ST {to}\n  }";
    let mut theirs = rules() + "#ruledef\n{\n" + definition + "\n}\n";
    let mut ours = ".macro copy from, to\n LD from\n ST to\n.endmacro\n".to_owned();
    for n in 0..CALLS {
        let call = format!("        copy {}, {} + 1\n", n % 64, n % 61);
        ours += &call;
        theirs += &call;
    }
    Work { name: format!("{CALLS} macro calls"), unit: "calls", count: CALLS, ours, theirs }
}

/// Defines the instructions of the sources in the syntax of customasm.
fn rules() -> String {
    "#bankdef program { #bits 16, #addr 0, #size 8192, #outp 0 }
#ruledef
{
  LD {a: u13} => 0b001 @ a
  ST {a: u13} => 0b010 @ a
  ADD {a: u13} => 0b011 @ a
  JC {t: u13} => 0b110 @ (t ^ (t >> 1))`13
}
"
    .to_owned()
}

/// Measures the assembler as a library, without starting a process.
fn measure_library(work: &Work) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let text = work.ours.clone();
            let source = Source { id: "s".into(), name: "s".into(), text };
            let start = Instant::now();
            assert!(assemble(source, &mut NoIncludes).image.is_some());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let rate = work.count as f64 / times[ROUNDS / 2].as_secs_f64() / 1e6;
    let lines = work.ours.lines().count();
    let who = format!("the library alone, {lines} lines");
    println!("  {who:<32} {rate:>9.3} M {}/s", work.unit);
}

/// Measures how long the language server's analysis takes after a change, on a file that repeats
/// one line.
fn measure_analysis(line: &str, count: usize) {
    let source = Source { id: "s".into(), name: "s".into(), text: line.repeat(count) };
    let start = Instant::now();
    let analysis = Analysis::new(source, &mut NoIncludes);
    let words = analysis.tokens(FileId::ROOT, 0..=u32::MAX).len();
    let items = analysis.outline(FileId::ROOT).len();
    let hints = analysis.hints(FileId::ROOT, 0..=u32::MAX).len();
    assert!(words >= count && items + hints > 0);
    let who = format!("{count} times {}", line.trim());
    println!("  {who:<32} {:>9.3} s", start.elapsed().as_secs_f64());
}

fn compare_with_peer(peer: &Path, work: &Work) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("ours.asm"), &work.ours).expect("the folder can be written");
    std::fs::write(path("theirs.asm"), &work.theirs).expect("the folder can be written");
    let (our_image, their_image) = (path("ours.bin"), path("theirs.bin"));
    let ours = || our_command(&path("ours.asm"), &our_image);
    let theirs = || {
        let mut command = Command::new(peer);
        command.arg(path("theirs.asm")).args(["-f", "binary", "-o"]).arg(&their_image);
        command
    };
    let (run_ours, run_theirs) = (|| finish(&mut ours()), || finish(&mut theirs()));
    run_ours();
    run_theirs();
    assert_eq!(used_words(&our_image), std::fs::read(&their_image).unwrap(), "the same words");
    compare_rounds(
        ROUNDS,
        work.count,
        work.unit,
        &Side { name: "customasm", prepare: &|| (), run: &|()| run_theirs() },
        &Side { name: "gray1 asm", prepare: &|| (), run: &|()| run_ours() },
    );
    print_memory("customasm", &theirs());
    print_memory("gray1 asm", &ours());
}

/// The assembler of this project as a process.
fn our_command(source: &Path, image: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.arg("asm").arg(source).arg("-o").arg(image);
    command
}

/// Prints the peak memory of a process, whether it succeeds or not.
fn print_memory(name: &str, command: &Command) {
    let mut timed = Command::new(GNU_TIME);
    timed.args(["-f", "%M"]).arg(command.get_program()).args(command.get_args());
    let Ok(output) = timed.stdout(Stdio::null()).output() else {
        return println!("  skipped the memory of {name}: {GNU_TIME} is not there");
    };
    let messages = String::from_utf8_lossy(&output.stderr);
    let kib = messages.lines().last().and_then(|line| line.parse::<f64>().ok());
    let kib = kib.unwrap_or_else(|| panic!("{GNU_TIME} is not GNU time: {messages}"));
    println!("  {name:<32} {:>9.1} MiB at most", kib / 1024.0);
}

fn finish(command: &mut Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("it can be started").success(), "{command:?}");
}

/// The words of an image that are used, by index, high byte first.
fn used_words(path: &PathBuf) -> Vec<u8> {
    let eprom = std::fs::read(path).expect("it was written");
    let eprom = eprom.as_slice().try_into().expect("an EPROM file has 16,384 bytes");
    let image = Image::from_eprom(eprom);
    let used = &image.words()[..image.used_words()];
    used.iter().flat_map(|word| word.bits().to_be_bytes()).collect()
}
