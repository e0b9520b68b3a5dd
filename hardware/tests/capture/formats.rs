//! Tests of variants of the file formats, as different tools write them: with other names, other
//! variables or other separators.

use std::io::Cursor;

use gray1_hardware::capture::format::Capture;

use super::examination::STOCK;
use super::recordings::{Format, Recording, archive, conditions, report};

const NAMES: [&str; 5] = ["OSC", "RST", "PHASE.0", "PHASE.1", "PHASE.2"];

/// A capture of a good machine as text.
fn good(format: Format) -> String {
    let conditions = conditions(&STOCK, 150, 150, 3);
    let recording = Recording::from_phases(200, &STOCK, &conditions, &NAMES, 24_000_000);
    String::from_utf8(recording.write(format)).unwrap()
}

#[track_caller]
fn assert_alike(text: impl Into<Vec<u8>>, plain: &str) {
    let (said, expected) = (report(&STOCK, text.into()), report(&STOCK, plain.into()));
    assert!(expected.chips[0].checks > 150, "{expected}");
    assert_eq!(said.to_string(), expected.to_string());
}

#[test]
fn dumps_of_all_tools_can_be_read() {
    let plain = good(Format::Vcd(1, false));
    let end = "$enddefinitions $end\n";
    let with = |more: &str| plain.replacen(end, &format!("{more}{end}"), 1);
    let renamed = |name: &dyn Fn(&str) -> String| {
        NAMES.iter().fold(plain.clone(), |text, wire| {
            text.replacen(&format!(" {wire} $end"), &format!(" {} $end", name(wire)), 1)
        })
    };
    assert_alike(format!("\u{feff}{plain}"), &plain);
    // Icarus writes a name with a dot in this way, and a VHDL simulator a name with an index.
    assert_alike(renamed(&|wire| format!("\\{wire}")), &plain);
    let index = |wire: &str| match wire.split_once('.') {
        Some((bus, bit)) => format!("{bus}[{bit}]"),
        None => wire.to_owned(),
    };
    assert_alike(renamed(&|wire| index(wire).to_lowercase()), &plain);
    assert_alike(renamed(&|wire| index(wire).replace('[', " [")), &plain);
    assert_alike(renamed(&|wire| index(wire).replace('[', "(").replace(']', ")")), &plain);
    // A wire with two names in two scopes.
    assert_alike(with("$var wire 1 c0 OSC $end\n$var wire 1 c2 PHASE [0] $end\n"), &plain);
    assert_alike(with("$var wire 1 c0 clock $end\n"), &plain);
    // Variables that are not wires, with their values, and more bits than a board has wires.
    let others = "$var string 0 s state $end\n$var real 64 r gain $end\n\
                  $var parameter 32 p WIDTH $end\n$var integer 32 i count $end\n\
                  $var reg 65536 m memory [65535:0] $end\n";
    let values = format!("b{} m\nr1.5 r\nsIDLE s\nb101 p\nb1x i\n", "10".repeat(32768));
    let text = with(others).replacen("#0\n", &format!("#0\n{values}"), 1);
    assert_alike(text, &plain);
    let many = (0..4000).map(|n| format!("$var reg 8 m{n} cell{n} [7:0] $end\n"));
    assert_alike(with(&many.collect::<String>()), &plain);
}

#[test]
fn names_of_several_words_are_kept() {
    let vcd = good(Format::Vcd(1, true)).replacen(" OSC $end", " Channel 0 $end", 1);
    let capture = Capture::open(Cursor::new(vcd.into_bytes())).ok().unwrap();
    assert_eq!(capture.channels()[..2], ["Channel 0", "RST"]);
}

#[test]
fn tables_with_any_separator_and_decimal_commas_can_be_read() {
    let plain = good(Format::Saleae(9));
    let decimals = |text: &str| text.replace(',', ";").replace('.', ",");
    let (head, rows) = plain.split_once('\n').unwrap();
    let head = head.replace(',', ";");
    assert_alike(format!("{head}\n{}", decimals(rows)), &plain);
    assert_alike(format!("\u{feff}{head}\r\n{}", decimals(rows).replace('\n', "\r\n")), &plain);
    assert_alike(plain.replace(',', "\t"), &plain);
}

/// The times in ns, channels and levels of a capture, and its end.
fn changes(text: &str, hertz: Option<u64>) -> (Vec<(i64, usize, Option<bool>)>, i64) {
    let file = Cursor::new(text.as_bytes().to_vec());
    let mut capture = Capture::open_at(file, hertz).ok().unwrap();
    assert_eq!(capture.resolution_ps, 125_000);
    let all = capture.by_ref().map(|it| it.ok().unwrap());
    let all = all.map(|it| (it.time_ps / 1000, it.channel, it.level)).collect();
    (all, capture.end_ps() / 1000)
}

#[test]
fn files_of_logic_sniffer_state_their_rate() {
    let text = ";Size: 3\n;Rate: 8000000\n;Channels: 3\n;EnabledChannels: 7\n;TriggerPosition: 0\n\
                ;Compressed: true\n;AbsoluteLength: 40\n;CursorEnabled: false\n\
                00000001@0\n00000003@12\n00000006@24\n";
    let [low, high] = [Some(false), Some(true)];
    let first = [(0, 0, high), (0, 1, low), (0, 2, low)];
    let later = [(1500, 1, high), (3000, 0, low), (3000, 2, high)];
    assert_eq!(changes(text, None), ([first, later].concat(), 5000));
}

#[test]
fn a_table_without_times_is_read_at_the_rate_that_is_named() {
    let high = Some(true);
    let expected = (vec![(0, 0, Some(false)), (0, 1, high), (250, 0, high)], 375);
    assert_eq!(changes("A,B\n0,1\n0,1\n1,1\n", Some(8_000_000)), expected);
    // A rate in the file is that of its samples.
    let stated = "; Samplerate: 8 MHz\nA,B\n0,1\n0,1\n1,1\n";
    assert_eq!(changes(stated, Some(1)), expected);
    // A rate that is not a number is none.
    let unknown = "; Samplerate: N/A\nA,B\n0,1\n0,1\n1,1\n";
    assert_eq!(changes(unknown, Some(8_000_000)), expected);
}

#[test]
fn a_session_without_a_rate_is_read_at_the_rate_that_is_named() {
    let files: [(&str, &[u8]); 2] =
        [("metadata", b"capturefile=logic-1\nprobe1=OSC\n"), ("logic-1-1", &[0, 1, 0, 1])];
    let open = |hertz| Capture::open_at(Cursor::new(archive(&files)), hertz);
    assert_eq!(open(Some(8_000_000)).ok().unwrap().resolution_ps, 125_000);
    let error = "`metadata` has no sample rate; state it, as in `--rate 24MHz`";
    assert_eq!(open(None).err().map(|error| error.to_string()).as_deref(), Some(error));
}

#[test]
fn a_session_of_two_devices_is_refused() {
    let device = "capturefile=logic-1\nunitsize=1\nsamplerate=1 MHz\nprobe1=OSC\n";
    let metadata = |second: &str| format!("[device 1]\n{device}[device 2]\n{second}");
    let open = |metadata: String| {
        let files: [(&str, &[u8]); 2] =
            [("metadata", metadata.as_bytes()), ("logic-1-1", &[0, 1, 0, 1])];
        Capture::open(Cursor::new(archive(&files))).err().map(|error| error.to_string())
    };
    let second = device.replace("logic-1", "logic-2").replace("OSC", "RST");
    let error = "the session holds the samples of 2 devices; save each in its own file";
    assert_eq!(open(metadata(&second)).as_deref(), Some(error));
    // A device without samples does not count.
    assert_eq!(open(metadata("samplerate=1 MHz\n")), None);
}
