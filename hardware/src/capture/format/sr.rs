//! Reads sessions of sigrok and `PulseView` (`.sr`): a zip file with `metadata`, and the samples in
//! deflated pieces `logic-1-1`, `logic-1-2` and so on.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::rc::Rc;

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, RangeReader, ReaderAt, ZipArchive};

use super::problem::{
    CHANGES_MAX, CHANNELS_MAX, CaptureError, LevelChange, SAMPLE_BYTES_MAX, TIME_PS_MAX, TOO_LATE,
    too_long, too_many,
};
use super::units::{parse_hertz, sample_ps};

/// The maximum number of pieces that are read. Sigrok writes pieces of a few megabytes.
const PIECES_MAX: usize = 1 << 16;
const METADATA_BYTES_MAX: u64 = 1 << 16;

/// A session that is being read.
pub(super) struct Sr<R> {
    from: Rc<R>,
    pub(super) names: Vec<String>,
    /// The samples per second.
    pub(super) hertz: u64,
    /// The number of bytes in a sample.
    unit: usize,
    /// The pieces that have not been read, in reverse order.
    pieces: Vec<ArchiveFile>,
    piece: Option<Box<dyn Read>>,
    buffer: Vec<u8>,
    /// The previous sample, which is empty before the first one, and the number of samples so far.
    before: Vec<u8>,
    samples: u64,
    bytes: u64,
    changes: usize,
    pub(super) time_ps: i64,
}

/// A file in the archive.
struct ArchiveFile {
    number: u32,
    start: u64,
    end: u64,
    is_deflated: bool,
}

/// The contents of `metadata`.
#[derive(Debug, Default)]
struct SessionMetadata {
    file: String,
    names: Vec<(usize, String)>,
    hertz: Option<u64>,
    unit: usize,
}

impl<R: ReaderAt + 'static> Sr<R> {
    /// Reads the metadata and finds the pieces. `hertz` is the sample rate of a session that states
    /// none.
    pub(super) fn open(from: Rc<R>, length: u64, hertz: Option<u64>) -> Result<Self, CaptureError> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let locator = ZipArchive::with_max_search_space(1 << 16);
        let archive = locator
            .locate_in_reader(Rc::clone(&from), &mut buffer, length)
            .map_err(|(_, error)| unreadable(error))?;
        let mut metadata = None;
        let mut files: Vec<(String, ArchiveFile)> = Vec::new();
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(unreadable)? {
            let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            let is_deflated = match entry.compression_method() {
                CompressionMethod::STORE => false,
                CompressionMethod::DEFLATE => true,
                _ => {
                    return Err(CaptureError::new(format!(
                        "{name:?} is compressed by an unsupported method"
                    )));
                }
            };
            let (start, end) =
                archive.get_entry(entry.wayfinder()).map_err(unreadable)?.compressed_data_range();
            let number = name.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
            let piece = ArchiveFile { number: number.unwrap_or(0), start, end, is_deflated };
            if name == "metadata" {
                metadata = Some(piece);
            } else if files.len() == PIECES_MAX {
                return Err(CaptureError::new(too_many("pieces", PIECES_MAX)));
            } else {
                files.push((name, piece));
            }
        }
        let metadata = metadata.ok_or_else(|| {
            let what = "this is not a sigrok session; save it as VCD or CSV";
            CaptureError::new(format!("there is no `metadata`: {what}"))
        })?;
        let mut bytes = Vec::new();
        open(&from, &metadata).take(METADATA_BYTES_MAX).read_to_end(&mut bytes)?;
        let mut metadata = SessionMetadata::parse(&String::from_utf8_lossy(&bytes))?;
        metadata.hertz = metadata.hertz.or(hertz);
        let pieces = select(files, &metadata.file)?;
        Self::new(from, metadata, pieces)
    }

    fn new(
        from: Rc<R>,
        metadata: SessionMetadata,
        pieces: Vec<ArchiveFile>,
    ) -> Result<Self, CaptureError> {
        let SessionMetadata { names, hertz, unit, .. } = metadata;
        let missing = |what: &str| CaptureError::new(format!("`metadata` has no {what}"));
        let hertz = hertz.ok_or_else(|| missing("sample rate; state it, as in `--rate 24MHz`"))?;
        let channels = names.iter().map(|(number, _)| *number).max().unwrap_or_default();
        if channels == 0 {
            return Err(missing("names of channels (probe1=...)"));
        }
        if unit * 8 < channels {
            return Err(missing("unit size that holds all its channels"));
        }
        let mut all = vec![String::new(); channels];
        for (number, name) in names {
            all[number - 1] = name;
        }
        Ok(Self {
            from,
            names: all,
            hertz,
            unit,
            pieces,
            piece: None,
            buffer: Vec::new(),
            before: Vec::new(),
            samples: 0,
            bytes: 0,
            changes: 0,
            time_ps: 0,
        })
    }

    /// Reads some samples and appends their level changes. If the file is damaged, the changes
    /// before the damage are still appended. Returns `false` at the end.
    pub(super) fn read(&mut self, into: &mut VecDeque<LevelChange>) -> Result<bool, CaptureError> {
        let filled = self.fill();
        if let Ok(false) = filled {
            let end_ps = sample_ps(self.hertz, self.samples).min(i128::from(TIME_PS_MAX));
            self.time_ps = end_ps as i64;
            return Ok(false);
        }
        let buffer = std::mem::take(&mut self.buffer);
        for sample in buffer.chunks_exact(self.unit) {
            if sample != self.before {
                self.decode(sample, into)?;
            }
            self.samples += 1;
        }
        self.buffer = buffer.chunks_exact(self.unit).remainder().to_vec();
        filled
    }

    /// Appends some bytes to the buffer. Returns `false` at the end.
    fn fill(&mut self) -> Result<bool, CaptureError> {
        const BYTES: u64 = 1 << 16;
        loop {
            if self.piece.is_none() {
                let Some(next) = self.pieces.pop() else { return Ok(false) };
                self.piece = Some(open(&self.from, &next));
            }
            let Some(piece) = &mut self.piece else { return Ok(false) };
            let count = piece.take(BYTES).read_to_end(&mut self.buffer)?;
            self.bytes += count as u64;
            if self.bytes > SAMPLE_BYTES_MAX {
                return Err(CaptureError::new(too_long("capture", SAMPLE_BYTES_MAX)));
            }
            if count > 0 {
                return Ok(true);
            }
            self.piece = None;
        }
    }

    fn decode(&mut self, bits: &[u8], out: &mut VecDeque<LevelChange>) -> Result<(), CaptureError> {
        let time_ps = sample_ps(self.hertz, self.samples);
        if time_ps > i128::from(TIME_PS_MAX) {
            return Err(CaptureError::new(TOO_LATE));
        }
        for channel in 0..self.names.len() {
            let bit = |bytes: &[u8]| bytes[channel / 8] >> (channel % 8) & 1 == 1;
            if self.before.is_empty() || bit(&self.before) != bit(bits) {
                let level = Some(bit(bits));
                out.push_back(LevelChange { time_ps: time_ps as i64, channel, level });
                self.changes += 1;
            }
        }
        if self.changes > CHANGES_MAX {
            return Err(CaptureError::new(too_many("movements", CHANGES_MAX)));
        }
        self.before = bits.to_vec();
        Ok(())
    }
}

/// The error for an archive that cannot be read or does not contain a session.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` wants it")]
fn unreadable(error: rawzip::Error) -> CaptureError {
    CaptureError::new(error.to_string())
}

/// Returns a reader for the unpacked contents of a file in the archive.
fn open<R: ReaderAt + 'static>(from: &Rc<R>, piece: &ArchiveFile) -> Box<dyn Read> {
    let range = RangeReader::new(Rc::clone(from), piece.start..piece.end);
    if piece.is_deflated {
        Box::new(DeflateDecoder::new(BufReader::new(range)))
    } else {
        Box::new(range)
    }
}

/// Selects the pieces that contain the samples, and sorts them in reverse order.
fn select(files: Vec<(String, ArchiveFile)>, file: &str) -> Result<Vec<ArchiveFile>, CaptureError> {
    let mut pieces: Vec<ArchiveFile> = files
        .into_iter()
        .filter(|(name, piece)| name == file || *name == format!("{file}-{}", piece.number))
        .map(|(_, piece)| piece)
        .collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.number));
    if pieces.is_empty() {
        return Err(CaptureError::new(format!(
            "there are no samples, no {file:?} and no \"{file}-1\""
        )));
    }
    let whole = pieces.windows(2).all(|pair| pair[0].number == pair[1].number + 1);
    if !whole || pieces.last().is_some_and(|first| first.number > 1) {
        return Err(CaptureError::new("pieces of the samples are missing"));
    }
    Ok(pieces)
}

impl SessionMetadata {
    /// Parses lines `key=value` in sections, one of which is about a device.
    fn parse(text: &str) -> Result<Self, CaptureError> {
        let devices = text.lines().filter(|line| line.starts_with("capturefile")).count();
        if devices > 1 {
            return Err(CaptureError::new(format!(
                "the session holds the samples of {devices} devices; save each in its own file"
            )));
        }
        let mut metadata = Self { file: "logic-1".into(), unit: 1, ..Self::default() };
        for line in text.lines() {
            let Some((key, value)) = line.split_once('=') else { continue };
            match key.trim() {
                "capturefile" => value.trim().clone_into(&mut metadata.file),
                "samplerate" => metadata.hertz = metadata.hertz.or(parse_hertz(value)),
                "unitsize" => metadata.unit = value.trim().parse().unwrap_or(0),
                key => {
                    let Some(number) = key.strip_prefix("probe") else { continue };
                    let number =
                        number.parse().ok().filter(|number| (1..=CHANNELS_MAX).contains(number));
                    let Some(number) = number else {
                        return Err(CaptureError::new(too_many("channels", CHANNELS_MAX)));
                    };
                    metadata.names.push((number, value.trim().to_owned()));
                }
            }
        }
        if !(1..=CHANNELS_MAX.div_ceil(8)).contains(&metadata.unit)
            || metadata.names.len() > CHANNELS_MAX
        {
            return Err(CaptureError::new("`metadata` has a unit size that is not supported"));
        }
        Ok(metadata)
    }
}
