//! Recordings of a good machine as analysers make them: at odd rates, in all formats, with a wrong
//! sample, and with clips that are loose or exchanged.

use std::fmt::Write as _;
use std::io::Cursor;

use gray1_hardware::capture::format::Capture;
use gray1_hardware::capture::{CaptureConditions, Checker, Report, Verdict, match_wires};
use gray1_isa::SplitMix64;

use super::bench::{Bench, Conditions, Fault, LevelChange};
use super::examination::{STOCK, Subject, WITH_PANEL, turns};
use super::{CTRL_WIRES, cases};

/// The samples of some wires.
#[derive(Clone)]
pub(crate) struct Recording {
    pub(crate) names: Vec<String>,
    pub(crate) hertz: u64,
    /// For the first sample and each one with changes, its number and the levels from there on.
    /// `samples` is the total number of samples.
    pub(crate) rows: Vec<(u64, Vec<bool>)>,
    pub(crate) samples: u64,
}

/// A file format, with its notation of times.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
    /// A dump with a time scale in ns, with or without the sample rate.
    Vcd(u64, bool),
    /// Sigrok's table of all samples. `Sr` is sigrok's archive.
    Csv,
    Sr,
    /// A table of changes, with times in s and this many decimals.
    Saleae(usize),
}

pub(crate) const FORMATS: [Format; 7] = [
    Format::Vcd(1, false),
    Format::Vcd(10, false),
    Format::Vcd(1, true),
    Format::Vcd(10, true),
    Format::Csv,
    Format::Sr,
    Format::Saleae(9),
];

impl Recording {
    /// Records a good machine. `names` are the names of the wires to record.
    fn new(subject: &Subject, conditions: &Conditions, names: &[&str], hertz: u64) -> Self {
        Self::from_phases(400, subject, conditions, names, hertz)
    }

    pub(crate) fn from_phases(
        phases: u32,
        subject: &Subject,
        conditions: &Conditions,
        names: &[&str],
        hertz: u64,
    ) -> Self {
        let machine = &subject.machine;
        let wires: Vec<usize> = names.iter().map(|name| machine.wire_named(name)).collect();
        let mut bench = Bench::new(machine, conditions, Fault::None, hertz);
        bench.take_changes();
        let levels = |bench: &Bench<'_>| wires.iter().map(|&it| bench.levels()[it]).collect();
        let rows = vec![(0, levels(&bench))];
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let mut recording = Self { names, hertz, rows, samples: 0 };
        let start_ps = bench.time_ps();
        for turn in turns(phases) {
            turn.take(&mut bench, machine);
            let channel = |wire| wires.iter().position(|it| *it == wire);
            let seen = bench.take_changes().into_iter();
            let seen =
                seen.filter_map(|(time_ps, wire, level)| Some((time_ps, channel(wire)?, level)));
            recording.take(start_ps, seen);
        }
        recording.samples = recording.sample(bench.time_ps() - start_ps);
        recording
    }

    /// Returns the number of the first sample that shows a change `time_ps` after the start.
    pub(crate) fn sample(&self, time_ps: i64) -> u64 {
        let samples = u128::from(time_ps.cast_unsigned()) * u128::from(self.hertz);
        samples.div_ceil(1_000_000_000_000) as u64
    }

    /// Records changes of channels.
    pub(crate) fn take(&mut self, start_ps: i64, seen: impl IntoIterator<Item = LevelChange>) {
        for (time_ps, channel, level) in seen {
            let at = self.sample(time_ps - start_ps);
            let mut last = self.rows.len() - 1;
            if self.rows[last].0 != at {
                self.rows.push((at, self.rows[last].1.clone()));
                last += 1;
            }
            self.rows[last].1[channel] = level;
        }
    }

    /// Returns a copy of the recording in which a channel is inverted in one sample.
    fn with_wrong_sample(&self, channel: usize, sample: u64) -> Self {
        let mut recording = self.clone();
        let after = |at: u64| self.rows.partition_point(|row| row.0 <= at);
        let levels = |at: u64| self.rows[after(at) - 1].1.clone();
        let (mut wrong, next) = (levels(sample), levels(sample + 1));
        wrong[channel] = !wrong[channel];
        recording.rows.retain(|row| row.0 != sample && row.0 != sample + 1);
        let place = recording.rows.partition_point(|row| row.0 < sample);
        recording.rows.splice(place..place, [(sample, wrong), (sample + 1, next)]);
        recording
    }

    /// True if a channel has the same level in a sample, in the two samples before it and in the
    /// two after it.
    fn is_stable(&self, channel: usize, sample: u64) -> bool {
        let level = |at: u64| {
            let after = self.rows.partition_point(|row| row.0 <= at);
            self.rows[after - 1].1[channel]
        };
        (sample - 2..=sample + 2).all(|at| level(at) == level(sample))
    }

    #[expect(clippy::cast_precision_loss, reason = "captures are short")]
    pub(crate) fn write(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Vcd(unit_ns, has_rate) => self.vcd(unit_ns, has_rate).into_bytes(),
            Format::Csv => self.csv().into_bytes(),
            Format::Sr => self.sr(),
            Format::Saleae(decimals) => {
                let mut text = format!("Time [s],{}\n", self.names.join(","));
                for (sample, levels) in &self.rows {
                    let time = *sample as f64 / self.hertz as f64;
                    writeln!(text, "{time:.decimals$},{}", digits(levels)).unwrap();
                }
                text.into_bytes()
            }
        }
    }

    fn vcd(&self, unit_ns: u64, has_rate: bool) -> String {
        let mut text = format!("$timescale {unit_ns} ns $end\n");
        if has_rate {
            let rate = format!("{} / 99 channels at {} Hz", self.names.len(), self.hertz);
            writeln!(text, "$comment Acquisition with {rate} $end").unwrap();
        }
        for (channel, name) in self.names.iter().enumerate() {
            writeln!(text, "$var wire 1 c{channel} {name} $end").unwrap();
        }
        writeln!(text, "$enddefinitions $end").unwrap();
        let time = |sample: u64| {
            let ns = u128::from(sample) * 1_000_000_000 / u128::from(self.hertz);
            ns / u128::from(unit_ns)
        };
        let mut before: Vec<Option<bool>> = vec![None; self.names.len()];
        for (sample, levels) in &self.rows {
            writeln!(text, "#{}", time(*sample)).unwrap();
            for (channel, &level) in levels.iter().enumerate() {
                if before[channel].replace(level) != Some(level) {
                    writeln!(text, "{}c{channel}", u8::from(level)).unwrap();
                }
            }
        }
        writeln!(text, "#{}", time(self.samples)).unwrap();
        text
    }

    /// Returns the levels of every sample.
    fn every(&self) -> impl Iterator<Item = &[bool]> {
        let ends = self.rows[1..].iter().map(|row| row.0).chain([self.samples]);
        self.rows.iter().zip(ends).flat_map(|((from, levels), end)| {
            std::iter::repeat_n(levels.as_slice(), end.saturating_sub(*from) as usize)
        })
    }

    fn csv(&self) -> String {
        let mut text = format!("; Samplerate: {} Hz\n{}\n", self.hertz, self.names.join(","));
        self.every().for_each(|levels| writeln!(text, "{}", digits(levels)).unwrap());
        text
    }

    /// Returns an archive of uncompressed files.
    fn sr(&self) -> Vec<u8> {
        let unit = self.names.len().div_ceil(8);
        let mut metadata = format!(
            "[device 1]\ncapturefile=logic-1\nunitsize={unit}\nsamplerate={} Hz\n",
            self.hertz
        );
        for (channel, name) in self.names.iter().enumerate() {
            writeln!(metadata, "probe{}={name}", channel + 1).unwrap();
        }
        let mut samples = Vec::new();
        for levels in self.every() {
            let byte = |bits: &[bool]| (0..).zip(bits).map(|(bit, &it)| u8::from(it) << bit).sum();
            samples.extend(levels.chunks(8).map(|bits| -> u8 { byte(bits) }));
        }
        archive(&[("version", b"2"), ("metadata", metadata.as_bytes()), ("logic-1-1", &samples)])
    }
}

fn digits(levels: &[bool]) -> String {
    let digits: Vec<&str> = levels.iter().map(|&level| if level { "1" } else { "0" }).collect();
    digits.join(",")
}

/// Returns a zip archive of uncompressed files. All checksums are 0, because the reader ignores
/// them.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let start = (bytes.len() as u32).to_le_bytes();
        let size = (contents.len() as u32).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        let common = [&[0; 12], size.as_slice(), &size, &length, &[0; 2]].concat();
        bytes.extend([b"PK\x03\x04\x14\0".as_slice(), &common, name.as_bytes()].concat());
        bytes.extend_from_slice(contents);
        directory
            .extend([b"PK\x01\x02\x14\0\x14\0".as_slice(), &common, &[0; 10], &start].concat());
        directory.extend_from_slice(name.as_bytes());
    }
    let count = (files.len() as u16).to_le_bytes();
    let (size, start) = (directory.len() as u32, bytes.len() as u32);
    let (size, start) = (size.to_le_bytes(), start.to_le_bytes());
    let end = [b"PK\x05\x06".as_slice(), &[0; 4], &count, &count, &size, &start, &[0; 2]].concat();
    [bytes, directory, end].concat()
}

/// Returns the report on a file.
pub(crate) fn report(subject: &Subject, file: Vec<u8>) -> Report {
    let mut capture = Capture::open(Cursor::new(file)).unwrap();
    let channels =
        match_wires(&subject.board, capture.channels(), |it| capture.source(it), &[]).unwrap();
    let conditions = CaptureConditions {
        wires: channels.iter().flatten().copied().collect(),
        resolution_ps: capture.resolution_ps,
        phase_ps_min: subject.phase_ps_min,
        knows_program: true,
    };
    let mut checker = Checker::new(&subject.board, conditions);
    for change in capture.by_ref() {
        let change = change.unwrap();
        if let Some(net) = channels[change.channel] {
            checker.set_level(change.time_ps, net, change.level);
        }
    }
    checker.finish(capture.end_ps())
}

/// CTRL's wires on the stock board, and OSC.
fn control() -> Vec<&'static str> {
    [CTRL_WIRES.as_slice(), &["OSC"]].concat()
}

/// Returns the conditions of a machine whose low and high phases have these lengths, in per cent of
/// the shortest phase that the board allows.
pub(crate) fn conditions(subject: &Subject, low: u64, high: u64, power_up: u64) -> Conditions {
    let least_ps = subject.phase_ps_min.unwrap().cast_unsigned();
    let phase_ps = [low, high].map(|per_cent| least_ps * per_cent / 100);
    Conditions { phase_ps, power_up, ..subject.conditions.clone() }
}

#[test]
fn good_machines_have_no_faults_at_any_rate_in_any_format() {
    let mut random = SplitMix64::new(500);
    for number in 0..cases(60, 500) {
        let subject = if random.coin() { &*STOCK } else { &*WITH_PANEL };
        let (low, high) = (random.between(105, 600), random.between(105, 600));
        let conditions = conditions(subject, low, high, random.next());
        let all: Vec<&str> = subject.machine.wires.iter().map(String::as_str).collect();
        let share = random.between(1, 8);
        let mut names: Vec<&str> =
            all.iter().copied().filter(|_| random.below(8) < share).collect();
        if random.coin() {
            names = control();
        }
        names.extend((!names.contains(&"PHASE.0")).then_some("PHASE.0"));
        let shortest_ps = conditions.phase_ps.into_iter().min().unwrap();
        let slowest = 4_000_000_000_000_u64.div_ceil(shortest_ps);
        let hertz = random.between(slowest, slowest.max(24_000_000) * 2);
        let recording = Recording::new(subject, &conditions, &names, hertz);
        let format = FORMATS[random.below(FORMATS.len() as u64) as usize];
        // Tables have a row for each sample, so a table of many wires would be too long.
        let format = match format {
            Format::Csv if names.len() > 40 => Format::Sr,
            format => format,
        };
        let diagnosis = report(subject, recording.write(format));
        let case = format!("{number}: {format:?}, {hertz} Hz, {conditions:?}, {names:?}");
        assert!(diagnosis.findings.is_empty(), "{case}\n{diagnosis}");
        // If a reset is not captured, the changes after its edge have no visible cause.
        let knows_reset = names.contains(&"RST");
        assert!(diagnosis.glitches.is_empty() || !knows_reset, "{case}\n{diagnosis}");
    }
}

#[test]
fn one_wrong_sample_is_not_a_fault_on_any_channel_in_any_format() {
    let names = control();
    let mut random = SplitMix64::new(1);
    for hertz in [12_000_000, 16_000_000, 24_000_000] {
        let conditions = conditions(&STOCK, 120, 120, 5);
        let good = Recording::new(&STOCK, &conditions, &names, hertz);
        for (channel, name) in names.iter().enumerate() {
            for format in FORMATS.into_iter().filter(|it| !matches!(it, Format::Csv)) {
                for _ in 0..cases(1, 20) {
                    // A wrong sample next to an edge is an edge that comes early or late.
                    let sample = std::iter::repeat_with(|| random.between(100, good.samples - 100));
                    let sample =
                        sample.into_iter().find(|&at| good.is_stable(channel, at)).unwrap();
                    let diagnosis =
                        report(&STOCK, good.with_wrong_sample(channel, sample).write(format));
                    let case =
                        format!("{name}, sample {sample}, {hertz} Hz, {format:?}\n{diagnosis}");
                    assert_eq!(diagnosis.verdict(), Verdict::Sound, "{case}");
                    let has_glitches = !diagnosis.glitches.is_empty();
                    assert!(has_glitches || !["OSC", "RST"].contains(name), "{case}");
                }
            }
        }
    }
}

#[test]
fn an_archive_with_endless_changes_is_read_up_to_a_limit() {
    let names = CTRL_WIRES[..8].iter().map(|&name| name.to_owned()).collect();
    let samples = 3 << 20;
    let rows = (0..samples).map(|sample| (sample, vec![sample % 2 == 0; 8])).collect();
    let endless = Recording { names, hertz: 24_000_000, rows, samples };
    let capture = Capture::open(Cursor::new(endless.write(Format::Sr))).unwrap();
    let (mut read, mut problem) = (0, String::new());
    for change in capture {
        match change {
            Ok(_) => read += 1,
            Err(error) => problem = error.to_string(),
        }
    }
    assert!(read < 17 << 20, "{read}");
    assert_eq!(problem, "there are more than 16777216 movements");
}

/// True if the first sentence of a report says that wires are exchanged and contains both names.
fn names_both(report: &Report, a: &str, b: &str) -> bool {
    report.findings.first().is_some_and(|finding| {
        let headline = finding.headline.to_string().replace([',', ':'], " ");
        [a, b].iter().all(|name| headline.split(' ').any(|word| word == *name))
            && headline.contains("exchanged")
    })
}

#[test]
fn exchanged_clips_are_found() {
    let stock = conditions(&STOCK, 120, 120, 5);
    let good = Recording::new(&STOCK, &stock, &CTRL_WIRES, 24_000_000);
    let all: Vec<&str> = STOCK.machine.wires.iter().map(String::as_str).collect();
    let all_wires = Recording::new(&STOCK, &stock, &all, 24_000_000);
    let mut missed = Vec::new();
    let mut tried = 0;
    for (recording, step) in [(&good, 1), (&all_wires, cases(391, 33))] {
        let count = recording.names.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        for (a, b) in pairs.step_by(step) {
            let mut exchanged = recording.clone();
            exchanged.names.swap(a, b);
            let diagnosis = report(&STOCK, exchanged.write(Format::Vcd(1, false)));
            tried += 1;
            let [a, b] = [a, b].map(|channel| recording.names[channel].as_str());
            let is_silent = diagnosis.findings.is_empty();
            if !is_silent && !names_both(&diagnosis, a, b) {
                missed.push(format!("{a} {b}: {}", diagnosis.findings[0].headline));
            }
        }
    }
    println!("{tried} pairs of clips, {} not named: {missed:#?}", missed.len());
    assert!(missed.len() * 50 <= tried, "{missed:#?}");
}

#[test]
fn a_loose_clip_is_found() {
    let stock = conditions(&STOCK, 120, 120, 5);
    let good = Recording::from_phases(2000, &STOCK, &stock, &CTRL_WIRES, 24_000_000);
    for (channel, name) in CTRL_WIRES.iter().enumerate() {
        for level in [false, true] {
            let diagnosis = report_loose(&STOCK, &good, channel, level);
            let headline =
                diagnosis.findings.first().map_or("nothing".into(), |it| it.headline.to_string());
            println!("{name} {level}: {headline}");
            assert!(headline.starts_with(&format!("{name} ")), "{level}: {diagnosis}");
        }
    }
}

/// Returns the report on a recording in which one channel is constant.
fn report_loose(subject: &Subject, good: &Recording, channel: usize, level: bool) -> Report {
    let mut loose = good.clone();
    loose.rows.iter_mut().for_each(|(_, levels)| levels[channel] = level);
    report(subject, loose.write(Format::Vcd(1, false)))
}

#[test]
fn a_loose_clip_on_the_bus_is_not_an_exchange_of_wires() {
    let all: Vec<&str> = WITH_PANEL.machine.wires.iter().map(String::as_str).collect();
    let steady = conditions(&WITH_PANEL, 120, 120, 5);
    let good = Recording::from_phases(2000, &WITH_PANEL, &steady, &all, 24_000_000);
    for name in ["BUS.0", "BUS.3", "BUS.7"] {
        for level in [false, true] {
            let channel = WITH_PANEL.machine.wire_named(name);
            let diagnosis = report_loose(&WITH_PANEL, &good, channel, level);
            let headline =
                diagnosis.findings.first().map_or("nothing".into(), |it| it.headline.to_string());
            let right = format!("{name} never moves, but INPUT sees it move: its clip is loose");
            assert_eq!(headline, right, "{level}: {diagnosis}");
        }
    }
}

#[test]
fn levels_before_the_supply_is_on_are_not_judged() {
    for (subject, names) in [
        (&*STOCK, CTRL_WIRES.to_vec()),
        (&*STOCK, control()),
        (&*WITH_PANEL, WITH_PANEL.machine.wires.iter().map(String::as_str).collect()),
    ] {
        for phases in [200, 201, 202, 203] {
            let steady = conditions(subject, 120, 120, 7);
            let mut good = Recording::from_phases(400, subject, &steady, &names, 24_000_000);
            good.rows.drain(..phases);
            good.rows.iter_mut().for_each(|row| row.0 += 24_000);
            good.rows.insert(0, (0, vec![false; names.len()]));
            good.samples += 24_000;
            for format in FORMATS {
                let said = report(subject, good.write(format));
                assert_eq!(said.verdict(), Verdict::Sound, "{phases} {format:?}: {said}");
            }
        }
    }
}

#[test]
fn a_stopped_machine_does_not_pass() {
    let names = control();
    for phase_ps in [1_200_000, 2_000_000, 5_000_000] {
        for has_reset in [false, true] {
            let mut bench_levels = vec![false; names.len()];
            let place = |name: &str| names.iter().position(|it| *it == name).unwrap();
            bench_levels[place("nWE")] = true;
            bench_levels[place("RST")] = has_reset;
            let mut rows = vec![(0, bench_levels.clone())];
            for edge in 1..=400_u64 {
                bench_levels[place("OSC")] = edge % 2 == 1;
                rows.push((edge * phase_ps / 1000, bench_levels.clone()));
                if edge == 13 {
                    bench_levels[place("RST")] = false;
                    rows.push((edge * phase_ps / 1000 + phase_ps / 2000, bench_levels.clone()));
                }
            }
            let samples = 401 * phase_ps / 1000;
            let owned = names.iter().map(|&name| name.to_owned()).collect();
            let dead = Recording { names: owned, hertz: 1_000_000_000, rows, samples };
            for format in [Format::Vcd(1, false), Format::Saleae(9), Format::Sr] {
                let diagnosis = report(&STOCK, dead.write(format));
                let case = format!("{phase_ps} {has_reset} {format:?}");
                let headline = diagnosis
                    .findings
                    .first()
                    .map_or("nothing".into(), |it| it.headline.to_string());
                assert_eq!(headline, "PHASE.0 is stuck low", "{case}:\n{diagnosis}");
            }
        }
    }
}

/// Returns the part of a recording that begins with a sample and has this many samples.
fn cut(recording: &Recording, from: u64, samples: u64) -> Recording {
    let is_before = |row: &(u64, Vec<bool>)| row.0 <= from;
    let start = recording.rows.partition_point(is_before) - 1;
    let rows = recording.rows[start..].iter().take_while(|row| row.0 < from + samples);
    let rows = rows.map(|(at, levels)| (at.saturating_sub(from), levels.clone())).collect();
    Recording { rows, samples, ..recording.clone() }
}

#[test]
fn a_short_capture_of_a_good_machine_raises_no_alarm() {
    for subject in [&*STOCK, &*WITH_PANEL] {
        let all: Vec<&str> = subject.machine.wires.iter().map(String::as_str).collect();
        let steady = conditions(subject, 120, 120, 9);
        for names in [vec!["OSC"], vec!["OSC", "RST"], control(), all] {
            let good = Recording::new(subject, &steady, &names, 24_000_000);
            for from in (0..good.samples - 300).step_by(cases(617, 37)) {
                for samples in [1, 3, 30, 300] {
                    let said = report(subject, cut(&good, from, samples).write(Format::Sr));
                    let case = format!("{} wires, {samples} from {from}", names.len());
                    assert!(said.findings.is_empty(), "{case}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_capture_that_misses_phases_blames_no_chip() {
    let mut blamed = Vec::new();
    for names in [CTRL_WIRES.to_vec(), control()] {
        let steady = conditions(&STOCK, 120, 120, 5);
        let phase_ps = steady.phase_ps[0];
        for per_cent in (20..150).step_by(cases(10, 1)) {
            let hertz = 10_000_000_000 * per_cent / phase_ps;
            let coarse = Recording::from_phases(2000, &STOCK, &steady, &names, hertz);
            let said = report(&STOCK, coarse.write(Format::Sr));
            if said.verdict() == Verdict::Faulty {
                blamed.push(format!("{per_cent} samples in 100 phases: {}", said.first_line()));
            }
        }
    }
    assert!(blamed.is_empty(), "{blamed:#?}");
}
