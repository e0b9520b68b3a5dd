//! The fuzz targets: the inputs to start from, and the properties that must hold for every input.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use gray1_asm::{
    InputFile, Loader, NoIncludes, Rendering, Severity, Source, assemble, disassemble, format,
};
use gray1_board::Board;
use gray1_hardware::capture::format::Capture;
use gray1_hardware::capture::{CaptureConditions, CapturedRun, Checker, match_wires};
use gray1_isa::Image;
use gray1_isa::format::{Contents, Format, load};

use crate::support::root;

/// A part of the program that takes input from people.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Panics if one of the target's properties does not hold.
    pub(crate) run: fn(&[u8]),
}

/// All targets. Every one that makes an image also checks its disassembly.
pub(crate) const TARGETS: [Target; 5] = [
    Target { name: "assembler", seeds: sources, run: assemble_any },
    Target { name: "formatter", seeds: sources, run: format_any },
    Target { name: "images", seeds: images, run: load_any },
    Target { name: "boards", seeds: boards, run: board_any },
    Target { name: "captures", seeds: captures, run: probe_any },
];

/// The files of a folder and its subfolders.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

// --- The assembler ----------------------------------------------------------------------------

/// The programs, and each case of the assembler's tests.
fn sources() -> Vec<Vec<u8>> {
    let programs = files(&root().join("programs"));
    let programs = programs.iter().map(|path| std::fs::read(path).unwrap());
    let cases = files(&root().join("assembler/tests/sources"));
    let cases = cases.iter().flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        let cases: Vec<Vec<u8>> = text.split("\n;;; ").map(Into::into).collect();
        cases
    });
    programs.chain(cases).collect()
}

/// The files in an input, each started by a line `;;;; name`. The libraries are available as well.
struct Files<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Files<'a> {
    fn parse(text: &'a str) -> Self {
        let mut parts = text.split("\n;;;; ");
        let first = ("", parts.next().unwrap_or_default());
        Self(parts.filter_map(|part| part.split_once('\n')).chain([first]).collect())
    }
}

impl Loader for Files<'_> {
    fn load(&mut self, _: &InputFile, name: &str) -> Result<Source, String> {
        let text = match self.0.get(name) {
            Some(text) => (*text).to_owned(),
            None if name.starts_with("lib/") && !name.contains("..") => {
                let path = root().join("programs").join(name);
                std::fs::read_to_string(path).map_err(|_| "no such library")?
            }
            None => return Err("no such file".to_owned()),
        };
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text })
    }
}

/// The assembler returns an image or errors. Errors can be displayed, and images survive a round
/// trip through source.
fn assemble_any(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut files = Files::parse(&text);
    let assembly = assemble(source(files.0[""]), &mut files);
    let has_errors = assembly.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(assembly.image.is_none(), has_errors);
    for rendering in [Rendering::Plain, Rendering::Coloured, Rendering::Short, Rendering::Json] {
        let text = rendering.render(&assembly.diagnostics, &assembly.files);
        assert_eq!(text.is_empty(), assembly.diagnostics.is_empty());
        assert!(!text.contains(['\0', '\u{202e}', '\r']), "terminals would obey this");
    }
    if let Some(image) = &assembly.image {
        assert_source_survives(image);
    }
}

/// Formatting is idempotent and changes only the columns of the code.
fn format_any(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let formatted = |text: &str| format(source(text), &mut gray1_asm::Files::default());
    let Ok(once) = formatted(&text) else { return };
    assert_eq!(formatted(&once).as_ref(), Ok(&once), "of {text:?}");
    let image = |text: &str| assemble(source(text), &mut Files(BTreeMap::new())).image;
    let (before, after) = (image(&text), image(&once));
    assert_eq!(before.as_ref().map(Image::words), after.as_ref().map(Image::words), "{text:?}");
}

// --- Images -----------------------------------------------------------------------------------

/// Short programs in every format that can be read back.
fn images() -> Vec<Vec<u8>> {
    let program = "\
.title \"t\"
ONE = 1
.var v, 3
.macro put n
        LDI n
        ST v + 2
.endmacro
start:  put ONE
.repeat 2, i
        put i
.endrepeat
.org 0x1000
        JMP start
";
    let formats = [Format::Bin, Format::Ihex, Format::Readmemh, Format::Logisim, Format::Ron];
    let encode = |image: Image| formats.map(|format| format.encode(&image));
    ["HALT", program].map(assemble_text).into_iter().flat_map(encode).collect()
}

fn assemble_text(text: &str) -> Image {
    assemble(source(text), &mut NoIncludes).image.expect("a program")
}

fn source(text: &str) -> Source {
    Source { id: String::new(), name: "t.asm".into(), text: text.to_owned() }
}

fn load_any(input: &[u8]) {
    if let Ok(Contents::Image(image)) = load(input) {
        assert_files_survive(&image);
        assert_source_survives(&image);
    }
}

/// Every format keeps the image, or the part of it that the format can hold.
fn assert_files_survive(image: &Image) {
    for format in [Format::Bin, Format::Ihex, Format::Readmemh, Format::Logisim, Format::Ron] {
        let Ok(Contents::Image(again)) = load(&format.encode(image)) else {
            panic!("{format:?} cannot be read back");
        };
        assert_eq!(again.words(), image.words(), "{format:?}");
        assert!(format != Format::Ron || *again == *image);
    }
    for format in [Format::Listing, Format::Symbols] {
        std::str::from_utf8(&format.encode(image)).expect("text for people");
    }
}

/// A disassembly assembles to the same words.
fn assert_source_survives(image: &Image) {
    assert_eq!(assemble_text(&disassemble(image)).words(), image.words());
}

// --- Boards -----------------------------------------------------------------------------------

fn boards() -> Vec<Vec<u8>> {
    [gray1_roms::GRAY1, gray1_roms::BINARY_COUNTER].map(|text| text.as_bytes().to_vec()).into()
}

/// A board file is accepted or rejected with one line.
fn board_any(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(error) = Board::load(&text, gray1_roms::parts(), |_| Ok(vec![0xff; 256])) {
        let message = error.to_string();
        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
    }
}

// --- Captures ---------------------------------------------------------------------------------

/// Short captures in the text formats. The corpus contains a capture that is an archive.
fn captures() -> Vec<Vec<u8>> {
    let vcd = "\
$comment Acquisition with 3/8 channels at 24 MHz $end
$timescale 1 ns $end
$scope module board $end
$var wire 1 ! OSC $end
$var wire 3 \" PHASE [2:0] $end
$var wire 1 # RST $end
$upscope $end
$enddefinitions $end
$dumpvars 0! 0# b000 \" $end
#50000 1! #50040 b1 \" #100000 0! #100040 b011 \" #150000 1! #150040 b10 \" #200000 0!
";
    let sigrok = "; Channels (3/8): OSC, RST, D2\n; Samplerate: 24 MHz\nlogic,logic,logic\n\
        0,0,1\n0,0,1\n1,0,1\n1,1,0\n";
    let saleae = "Time [s],OSC,\"PHASE 0\"\n-0.001,0,0\n1e-6,1,0\n2.5e-6,1,1\n";
    [vcd, sigrok, saleae].map(|text| text.as_bytes().to_vec()).into()
}

static BOARD: LazyLock<Board> = LazyLock::new(|| gray1_roms::load(gray1_roms::GRAY1).unwrap());

/// The probe returns a report or an error, and the report's times never decrease.
fn probe_any(input: &[u8]) {
    let Ok(mut capture) = Capture::open(Cursor::new(input.to_vec())) else { return };
    let Ok(channels) = match_wires(&BOARD, capture.channels(), |it| capture.source(it), &[]) else {
        return;
    };
    let mut checker = Checker::new(
        &BOARD,
        CaptureConditions {
            wires: channels.iter().flatten().copied().collect(),
            resolution_ps: capture.resolution_ps,
            phase_ps_min: Some(1_070_000),
            knows_program: false,
        },
    );
    let image = Image::erased();
    let mut run = CapturedRun::new(&BOARD, &image, capture.resolution_ps);
    let mut last_ps = i64::MIN;
    for change in capture.by_ref() {
        let Ok(change) = change else { return };
        assert!(change.time_ps >= last_ps, "the time goes back");
        last_ps = change.time_ps;
        if let Some(net) = channels[change.channel] {
            checker.set_level(change.time_ps, net, change.level);
            run.set_level(change.time_ps, net, change.level);
        }
    }
    run.finish();
    let shown = checker.finish(capture.end_ps()).to_string();
    assert!(!shown.contains('\0') && shown.ends_with('\n'));
}
