//! Reads the files of logic analysers: VCD, sigrok's `.sr` and CSV, Saleae's CSV, OLS. They are
//! streamed in bounded memory, whatever their length.

mod csv;
mod problem;
mod sr;
mod text;
mod units;
mod vcd;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use rawzip::ReaderAt;

pub use problem::{CaptureError, LevelChange};
pub use units::parse_hertz;

/// The number of level changes used to estimate the time between two samples, if the file does not
/// state it.
const PREVIEW_CHANGES: usize = 20_000;
/// The minimum number of samples per phase that docs/BUILD-IT.md requires.
const PHASE_SAMPLES_MIN: i64 = 4;

/// The first bytes of unsupported file formats, with their names.
const UNSUPPORTED: [(&[u8], &str); 9] = [
    (b"\x1f\x8b", "packed with gzip"),
    (b"\xfd7zXZ", "packed with xz"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd"),
    (b"BZh", "packed with bzip2"),
    (&[0, 0, 0, 0, 0, 0, 0, 1, 0x49], "in the format FST"),
    (b"<SALEAE>", "in Saleae's binary format"),
    (b"\xff\xfe", "in UTF-16"),
    (b"\xfe\xff", "in UTF-16"),
    (b"", "in an unknown binary format"),
];

/// A capture that is being read.
pub struct Capture<R> {
    file: FormatReader<R>,
    /// The time between two samples in ps: as stated in the file, or else an estimate from the
    /// first level changes.
    pub resolution_ps: i64,
    /// Level changes that have been read ahead.
    ahead: VecDeque<LevelChange>,
    /// The error after the level changes that have been read ahead.
    error: Option<CaptureError>,
}

/// A reader for each format.
enum FormatReader<R> {
    Vcd(vcd::Vcd<BufReader<R>>),
    Csv(csv::Csv<BufReader<R>>),
    Sr(sr::Sr<RandomAccess<R>>),
}

/// A file with random access.
struct RandomAccess<R>(RefCell<R>);

impl<R: Read + Seek> ReaderAt for RandomAccess<R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut file = self.0.borrow_mut();
        file.seek(SeekFrom::Start(offset))?;
        file.read(buffer)
    }
}

impl<R: Read + Seek + 'static> Capture<R> {
    /// Opens a capture. The first bytes determine the format.
    ///
    /// # Errors
    /// If the format is unknown or the header is damaged.
    pub fn open(from: R) -> Result<Self, CaptureError> {
        Self::open_at(from, None)
    }

    /// Opens a capture like [`open`](Self::open). If it states no samples per second, they are
    /// `hertz`.
    ///
    /// # Errors
    /// If the format is unknown or the header is damaged.
    pub fn open_at(mut from: R, hertz: Option<u64>) -> Result<Self, CaptureError> {
        let length = from.seek(SeekFrom::End(0))?;
        from.rewind()?;
        let mut buffered = BufReader::new(from);
        if buffered.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            buffered.consume(3);
        }
        let start = buffered.fill_buf()?;
        let is_binary = start.contains(&0) && !start.starts_with(b"PK");
        let unsupported = UNSUPPORTED
            .iter()
            .find(|(first, _)| start.starts_with(first) && (is_binary || !first.is_empty()));
        if let Some((_, what)) = unsupported {
            let what = format!("the file is {what}; unpack it, or save it as VCD or CSV in UTF-8");
            return Err(CaptureError::new(what));
        }
        let file = if start.starts_with(b"PK") {
            let from = RandomAccess(RefCell::new(buffered.into_inner()));
            FormatReader::Sr(sr::Sr::open(Rc::new(from), length, hertz)?)
        } else if start.trim_ascii_start().starts_with(b"$") {
            FormatReader::Vcd(vcd::Vcd::open(buffered)?)
        } else {
            FormatReader::Csv(csv::Csv::open(buffered, hertz)?)
        };
        let mut capture = Self { file, resolution_ps: 0, ahead: VecDeque::new(), error: None };
        let stated = match &capture.file {
            FormatReader::Vcd(vcd) => vcd.hertz.or(hertz),
            FormatReader::Csv(csv) => csv.hertz,
            FormatReader::Sr(sr) => Some(sr.hertz),
        };
        capture.resolution_ps = match stated {
            Some(hertz) => 1_000_000_000_000_u64.div_ceil(hertz).cast_signed(),
            None => capture.estimate_sample_period(),
        };
        Ok(capture)
    }

    /// Estimates the sample period from the first changes of the capture: the shortest time between
    /// two successive changes of different channels. If hardly any wire but the oscillator changes,
    /// that time is too long. So the estimate is at most a quarter of the usual time between two
    /// changes of the busiest channel.
    fn estimate_sample_period(&mut self) -> i64 {
        while self.ahead.len() < PREVIEW_CHANGES && self.read() {}
        let shortest = self
            .ahead
            .iter()
            .zip(self.ahead.iter().skip(1))
            .filter(|(last, next)| last.time_ps != next.time_ps && last.channel != next.channel)
            .map(|(last, next)| next.time_ps - last.time_ps)
            .min();
        let mut times = vec![Vec::new(); self.channels().len()];
        self.ahead.iter().for_each(|change| times[change.channel].push(change.time_ps));
        let busiest = times.into_iter().max_by_key(Vec::len).unwrap_or_default();
        let mut between: Vec<i64> = busiest.windows(2).map(|pair| pair[1] - pair[0]).collect();
        between.sort_unstable();
        // The shortest quarter is skipped, because noise makes some of these times too short. A
        // stopped clock makes some too long.
        let usual = between.get(between.len() / 4).map(|between_ps| between_ps / PHASE_SAMPLES_MIN);
        shortest.into_iter().chain(usual).min().unwrap_or_default().max(1)
    }

    /// Reads a piece of the file. Returns `false` at the end and where the file is damaged.
    fn read(&mut self) -> bool {
        let read = match &mut self.file {
            FormatReader::Vcd(vcd) => vcd.read(&mut self.ahead),
            FormatReader::Csv(csv) => csv.read(&mut self.ahead),
            FormatReader::Sr(sr) => sr.read(&mut self.ahead),
        };
        read.unwrap_or_else(|error| {
            self.error = Some(error);
            false
        })
    }

    /// The names of the channels in the file. A vector of a VCD file becomes channels `NAME.0`,
    /// `NAME.1` and so on.
    pub fn channels(&self) -> &[String] {
        match &self.file {
            FormatReader::Vcd(vcd) => &vcd.names,
            FormatReader::Csv(csv) => &csv.names,
            FormatReader::Sr(sr) => &sr.names,
        }
    }

    /// The first channel with the same signal as `channel`. A dump may have several names for one
    /// signal.
    pub fn source(&self, channel: usize) -> usize {
        match &self.file {
            FormatReader::Vcd(vcd) => vcd.sources[channel],
            FormatReader::Csv(_) | FormatReader::Sr(_) => channel,
        }
    }

    /// The end of the capture in ps, once all level changes have been read.
    pub fn end_ps(&self) -> i64 {
        match &self.file {
            FormatReader::Vcd(vcd) => vcd.time_ps,
            FormatReader::Csv(csv) => csv.time_ps,
            FormatReader::Sr(sr) => sr.time_ps,
        }
    }
}

/// The level changes in order of time. Changes at the same time belong to one sample. If the file
/// is damaged, the changes before the damage are followed by the error.
impl<R: Read + Seek + 'static> Iterator for Capture<R> {
    type Item = Result<LevelChange, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ahead.is_empty() && self.error.is_none() && self.read() {}
        self.ahead.pop_front().map(Ok).or_else(|| self.error.take().map(Err))
    }
}
