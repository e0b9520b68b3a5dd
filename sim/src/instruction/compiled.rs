//! Decides when a program is compiled to machine code. Compilation takes time, so only programs
//! that run long enough are compiled.

use std::sync::Arc;

use gray1_native::Native;

use super::fused::FusedProgram;

/// The number of interpreted instructions after which a program is compiled. Compilation takes
/// about as long as interpreting them (`benches/native.rs` prints both times).
const INTERPRETED_MAX: u64 = 1 << 18;

/// The compilation state of a program and its watched instructions.
#[derive(Debug, Clone)]
pub(super) enum Compilation {
    /// The program will be compiled after this many more interpreted instructions.
    DueAfter(u64),
    /// The program runs as this machine code. Machines with the same program and watched
    /// instructions share it.
    Done(Arc<Native>),
    /// The program is always interpreted.
    Never,
}

impl Compilation {
    /// The state of a program that has not run yet.
    pub(super) const NEW: Self = Self::DueAfter(INTERPRETED_MAX);

    /// Returns the machine code, and compiles the program first if that is due.
    pub(super) fn code(&mut self, program: &FusedProgram) -> Option<&Native> {
        if let Self::DueAfter(0) = self {
            let code = Native::compile(program.words(), program.watched());
            *self = code.map_or(Self::Never, |code| Self::Done(Arc::new(code)));
        }
        match self {
            Self::Done(code) => Some(code),
            Self::DueAfter(_) | Self::Never => None,
        }
    }

    /// Returns the number of instructions to interpret before compilation, or `u64::MAX` if there
    /// will be none.
    pub(super) fn due_after(&self) -> u64 {
        if let Self::DueAfter(instructions) = self { *instructions } else { u64::MAX }
    }

    /// Records that this many instructions were interpreted.
    pub(super) fn count(&mut self, interpreted: u64) {
        if let Self::DueAfter(instructions) = self {
            *instructions = instructions.saturating_sub(interpreted);
        }
    }

    /// Drops the machine code, because it is only valid for the previous watched instructions.
    pub(super) fn forget(&mut self) {
        if let Self::Done(_) = self {
            *self = Self::NEW;
        }
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Image, Word};

    use super::*;

    /// Compiling too early makes users wait, and so does interpreting for too long.
    #[test]
    fn a_program_is_compiled_after_it_has_run_for_some_time() {
        let program = FusedProgram::fuse(&Image::from_words(&[Word::ldi(1)]).unwrap());
        let mut compiled = Compilation::NEW;
        assert_eq!(compiled.due_after(), INTERPRETED_MAX);
        compiled.count(100);
        compiled.count(INTERPRETED_MAX - 101);
        assert_eq!(compiled.due_after(), 1);
        assert!(compiled.code(&program).is_none());
        compiled.count(5);
        let is_supported = gray1_native::is_available();
        assert_eq!(compiled.due_after(), 0);
        assert_eq!(compiled.code(&program).is_some(), is_supported);
        assert_eq!(compiled.due_after(), u64::MAX);
        compiled.forget();
        assert_eq!(compiled.due_after() == INTERPRETED_MAX, is_supported);
        assert_eq!(Compilation::Never.due_after(), u64::MAX);
    }
}
