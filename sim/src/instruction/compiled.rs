//! Machine code for programs that run long enough to pay for their compilation.

use std::sync::Arc;

use gray1_native::Native;

use super::fused::Program;

/// After so many interpreted instructions a program is compiled, which takes about as long as to
/// interpret them (`benches/native.rs` prints both).
const INTERPRETED_MAX: u64 = 1 << 18;

/// Whether a program with its watched instructions is compiled, and its machine code.
#[derive(Debug, Clone)]
pub(super) enum Compilation {
    /// It is compiled after so many more interpreted instructions.
    DueAfter(u64),
    /// It runs as machine code. Machines with the same program and watched instructions share it.
    Done(Arc<Native>),
    /// It is always interpreted.
    Never,
}

impl Compilation {
    /// A program that has not run yet.
    pub(super) const NEW: Self = Self::DueAfter(INTERPRETED_MAX);

    /// The code, which is made if it is due.
    pub(super) fn code(&mut self, program: &Program) -> Option<&Native> {
        if let Self::DueAfter(0) = self {
            let code = Native::compile(program.words(), |index| program.is_watched(index));
            *self = code.map_or(Self::Never, |code| Self::Done(Arc::new(code)));
        }
        match self {
            Self::Done(code) => Some(code),
            Self::DueAfter(_) | Self::Never => None,
        }
    }

    /// How many instructions to interpret before the code is due; without end if it never is.
    pub(super) fn due_after(&self) -> u64 {
        if let Self::DueAfter(instructions) = self { *instructions } else { u64::MAX }
    }

    /// So many instructions were interpreted.
    pub(super) fn count(&mut self, interpreted: u64) {
        if let Self::DueAfter(instructions) = self {
            *instructions = instructions.saturating_sub(interpreted);
        }
    }

    /// Other instructions are watched now.
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

    /// A user waits for code that is made too soon, and for a program that is interpreted too long.
    #[test]
    fn code_is_due_when_its_program_has_run_for_some_time() {
        let program = Program::fuse(&Image::from_words(&[Word::ldi(1)]).unwrap());
        let mut compiled = Compilation::NEW;
        assert_eq!(compiled.due_after(), INTERPRETED_MAX);
        compiled.count(100);
        compiled.count(INTERPRETED_MAX - 101);
        assert_eq!(compiled.due_after(), 1);
        assert!(compiled.code(&program).is_none());
        compiled.count(5);
        let is_supported = gray1_native::IS_SUPPORTED;
        assert_eq!(compiled.due_after(), 0);
        assert_eq!(compiled.code(&program).is_some(), is_supported);
        assert_eq!(compiled.due_after(), u64::MAX);
        compiled.forget();
        assert_eq!(compiled.due_after() == INTERPRETED_MAX, is_supported);
        assert_eq!(Compilation::Never.due_after(), u64::MAX);
    }
}
