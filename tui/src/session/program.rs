//! A program in a session: an image, and what it is called.

use std::sync::Arc;

use gray1_isa::{Image, panel};

/// A program with the name under which it was asked for.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name of a built-in program, or a path.
    pub name: String,
    /// The program itself.
    pub image: Arc<Image>,
    reads_buttons: bool,
}

impl Program {
    /// A program of this name.
    #[must_use]
    pub fn new(name: String, image: impl Into<Arc<Image>>) -> Self {
        let image = image.into();
        let mut reads = image.words().iter().filter(|word| word.op().reads_memory());
        let reads_buttons = reads.any(|word| word.address() == panel::BUTTONS);
        Self { name, image, reads_buttons }
    }

    /// Whether an instruction of it reads the panel's buttons.
    #[must_use]
    pub fn reads_buttons(&self) -> bool {
        self.reads_buttons
    }
}
