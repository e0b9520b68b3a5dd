//! Links to a moment of a program. A link is a string with everything that determines the state of
//! the machine at that moment.
//!
//! It consists of a version, a dot, and a document in base64url. The document is JSON compressed by
//! zlib, whose checksum detects a truncated link. In a URL, the link is the fragment, which
//! browsers do not send to the server. Other parameters can follow, each after a `&`.

mod board;
mod message;
mod short;

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD, URL_SAFE_NO_PAD};
use gray1_asm::{Assembly, Define};
use gray1_debugger::{History, Input};
use gray1_isa::format::{self, Contents};
use gray1_isa::panel::Buttons;
use gray1_isa::text::unescape_percent;
use gray1_isa::{Image, PowerUp, RamAddr, RomIndex};
use gray1_sim::{
    EngineError, EngineKind, MachineSpec, OptionSyntax, RamSpec, Registers, ResolvedMachine, Setup,
};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::{Deserialize, Serialize};

pub use board::{LinkedBoard, decode_contents, format_board_error};
pub use message::{FittedMessage, fit_message};

use crate::{STOCK, Sources, as_string};

/// The supported version of links.
const VERSION: u32 = 1;
/// The maximum length of a link, in bytes. Browsers accept two million.
const TEXT_MAX: usize = 1 << 21;
/// The maximum length of a document, in bytes. A board with modified ROMs takes a megabyte.
const DOCUMENT_MAX: usize = 1 << 23;
/// A decoder of base64url that ignores excess bits of the last character, which may have been
/// appended.
const FORGIVING: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));
/// The highest compression level of zlib.
const LEVEL: u8 = 9;

/// A moment of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The path of the program among the sources. The program is assembly source or an image in
    /// text form.
    pub program: String,
    /// The program and all included files. Built-in files are also here, so that the link keeps its
    /// meaning when they change.
    pub sources: Sources,
    /// Values for its `.default` constants, each `NAME=value` as on the command line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub defines: Vec<String>,
    /// Built-in files that the link only names, by path, each with a checksum of its contents. It
    /// is empty after a link has been read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub built_in: BTreeMap<String, u32>,
    /// The engine that runs the program.
    #[serde(default, skip_serializing_if = "is_default", with = "as_string")]
    pub engine: EngineKind,
    /// The board, or `None` for the stock board.
    #[serde(default, skip_serializing_if = "is_default")]
    pub board: Option<LinkedBoard>,
    /// The contents of memory and registers at power-up, in the words of the command line.
    #[serde(default, skip_serializing_if = "is_default", with = "as_string")]
    pub ram: PowerUp,
    /// The seed of random delays.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    /// The probability of a glitch, as one in this many changes of an address wire at a ROM.
    #[serde(default, skip_serializing_if = "is_default")]
    pub glitch: Option<NonZeroU64>,
    /// The maximum length of a glitch, in ns.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pulse: Option<NonZeroU32>,
    /// The external inputs of the machine, each with its moment, in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inputs: Vec<(u64, LinkInput)>,
    /// The pace of playback: how many times the user pressed "faster" (or "slower" if negative),
    /// starting from the program's default.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: i8,
    /// The moment, as a number of instructions since power-up.
    pub at: u64,
}

/// An external input of the machine, as a link stores an [`Input`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkInput {
    /// Presses the reset button.
    Reset,
    /// Holds exactly these buttons from now on.
    #[serde(with = "as_string")]
    Hold(Buttons),
    /// Changes a byte of data memory, given by address and value.
    Poke(u16, u8),
    /// Changes the registers: A, C, and the index of the next instruction.
    Load(u8, bool, u16),
}

/// The reason why a string is not a valid link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LinkError {
    /// The reason, in words.
    pub message: String,
    /// The path of the program, if the link names a built-in file that has changed since.
    pub program: Option<String>,
}

impl From<String> for LinkError {
    fn from(message: String) -> Self {
        Self { message, program: None }
    }
}

/// The reason why a link cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The program has errors.
    #[error("the program of this link does not assemble")]
    Source(Box<Assembly>),
    /// Any other reason, in words.
    #[error("{0}")]
    Other(String),
}

impl Link {
    /// Returns the link as the fragment of a URL, without the `#`.
    ///
    /// # Panics
    /// Does not panic, because every link can be written as JSON.
    pub fn encode(&self) -> String {
        let document = serde_json::to_vec(self).expect("its keys are texts");
        let compressed = compress_to_vec_zlib(&document, LEVEL);
        format!("{VERSION}.{}", URL_SAFE_NO_PAD.encode(compressed))
    }

    /// Reads a link, which can be a fragment or a URL with one. Mail and chat programs escape
    /// characters, break lines and add punctuation, so characters that cannot be in a link are
    /// skipped. Anything after the end of the document is ignored.
    ///
    /// # Errors
    /// Returns an error if the string is not a link, or if it is damaged.
    pub fn decode(text: &str) -> Result<Self, LinkError> {
        if text.len() > TEXT_MAX {
            return Err(format!("this link has more than {TEXT_MAX} characters").into());
        }
        if let Some(link) = Self::decode_message(text) {
            return link;
        }
        // Typographers make one dash of two or three hyphens, and other programs replace hyphens by
        // ones that do not break.
        let text = unescape(text).replace('–', "--").replace('—', "---");
        let text = text.replace(is_dash, "-");
        let fragment = text.rsplit_once('#').map_or(&*text, |(_, fragment)| fragment);
        let link = fragment.split_once('&').map_or(fragment, |(link, _)| link);
        let link: String =
            link.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
        let (version, document) = link.split_once('.').unwrap_or_default();
        match version.parse::<u32>() {
            Ok(VERSION) => {}
            Ok(version) => {
                let why = format!("and this program understands only version {VERSION}");
                return Err(format!("this link has version {version}, {why}").into());
            }
            Err(_) => {
                let form = format!("`{VERSION}.` after the `#`, then letters and digits");
                return Err(format!("not a link to a moment: expected {form}").into());
            }
        }
        let damaged =
            |what: &str| format!("this link is damaged: {what}; was it copied completely?");
        let mut document = document.replace('.', "");
        // A base64 string cannot have this length, so the last character was appended.
        document.truncate(document.len() - usize::from(document.len() % 4 == 1));
        let compressed = FORGIVING.decode(document).map_err(|error| damaged(&error.to_string()))?;
        let document = decompress_to_vec_zlib_with_limit(&compressed, DOCUMENT_MAX)
            .map_err(|_| damaged("its checksum is wrong, or it is too large"))?;
        let link: Self =
            serde_json::from_slice(&document).map_err(|error| damaged(&error.to_string()))?;
        link.add_built_in_files()
    }

    /// Assembles the program or reads its image.
    ///
    /// # Errors
    /// Returns an error if the program is missing or has errors.
    pub fn image(&self) -> Result<Image, OpenError> {
        let Some(source) = self.sources.source(&self.program) else {
            return Err(OpenError::Other(format!("the link has no file {}", self.program)));
        };
        match format::load(source.text.as_bytes()) {
            Ok(Contents::Image(image)) => Ok(*image),
            Ok(Contents::Source(_)) => {
                let defines: Vec<Define> =
                    self.defines.iter().map(|it| it.parse()).collect::<Result<_, _>>().map_err(
                        |why| OpenError::Other(format!("a value of this link is wrong: {why}")),
                    )?;
                let assembly = gray1_asm::assemble_with(source, &mut &self.sources, &defines);
                let mut assembly = Box::new(assembly);
                assembly.image.take().ok_or(OpenError::Source(assembly))
            }
            Err(error) => Err(OpenError::Other(format!("{}: {error}", self.program))),
        }
    }

    /// Moves this link to another machine and returns both. `load` loads the board, unless it is
    /// the stock board.
    ///
    /// # Errors
    /// Returns a message if the machine cannot be set up.
    pub fn move_to(
        self,
        spec: &MachineSpec,
        load: impl FnOnce(&str) -> Result<LinkedBoard, String>,
    ) -> Result<(Self, ResolvedMachine), String> {
        spec.check(OptionSyntax::Fields)?;
        let mut link = Self {
            engine: spec.engine(),
            board: spec.other_board(STOCK).map(load).transpose()?,
            ram: spec.ram.and_then(RamSpec::contents).unwrap_or_default(),
            seed: spec.seed.unwrap_or_default(),
            glitch: spec.glitch,
            pulse: spec.pulse,
            ..self
        };
        let machine = link.machine()?;
        link.engine = machine.engine();
        Ok((link, machine))
    }

    /// Returns the machine of the link.
    ///
    /// # Errors
    /// Returns a message if the board is invalid.
    pub fn machine(&self) -> Result<ResolvedMachine, String> {
        let Self { engine, ram, seed, glitch, pulse, .. } = *self;
        let (engine, ram, seed) = (Some(engine), Some(RamSpec::Contents(ram)), Some(seed));
        let spec = MachineSpec { engine, board: None, ram, seed, glitch, pulse };
        let board = self.board.as_ref().map(LinkedBoard::load).transpose()?;
        Ok(spec.with_board(STOCK, board))
    }

    /// Powers up the machine of the link. [`History::advance_to`] lets it run to [`Self::at`], one
    /// input at a time, because a malicious link can have any number of them at one moment.
    ///
    /// # Errors
    /// Returns an error if the board does not settle.
    pub fn history(&self, setup: &Setup, image: &Arc<Image>) -> Result<History, EngineError> {
        let inputs = self.inputs.iter().filter(|(moment, _)| *moment <= self.at);
        let inputs = inputs.map(|(moment, input)| (*moment, (*input).into()));
        Ok(History::with_first_writes(setup.engine(image)?).with_schedule(inputs))
    }
}

/// Replaces the percent escapes of a link. Some programs escape a string that is already escaped.
fn unescape(text: &str) -> String {
    let once = |text: &str| String::from_utf8_lossy(&unescape_percent(text)).into_owned();
    once(&once(text))
}

/// Returns true for a hyphen, and for the dashes that programs put in its place.
fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '‐'..='―' | '−')
}

impl From<Input> for LinkInput {
    fn from(input: Input) -> Self {
        match input {
            Input::Reset => Self::Reset,
            Input::Hold(buttons) => Self::Hold(buttons),
            Input::Poke(address, byte) => Self::Poke(address.get(), byte),
            Input::Load(Registers { a, carry, pc }) => Self::Load(a, carry, pc.get()),
        }
    }
}

impl From<LinkInput> for Input {
    fn from(given: LinkInput) -> Self {
        match given {
            LinkInput::Reset => Self::Reset,
            LinkInput::Hold(buttons) => Self::Hold(buttons),
            LinkInput::Poke(address, byte) => Self::Poke(RamAddr::truncate(address), byte),
            LinkInput::Load(a, carry, pc) => {
                Self::Load(Registers { a, carry, pc: RomIndex::truncate(pc) })
            }
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests;
