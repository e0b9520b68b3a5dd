//! A program in a session: an image and its name.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_isa::{Image, panel};

/// The name of a line that a program prints, if the program has none for it.
pub(crate) const PRINTED_LINE: &str = "printed line";

/// A program with the name under which it was opened.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name of a built-in program, or a path.
    pub name: String,
    /// The program itself.
    pub image: Arc<Image>,
    reads_buttons: bool,
}

impl Program {
    /// A program with this name.
    #[must_use]
    pub fn new(name: String, image: impl Into<Arc<Image>>) -> Self {
        let image = image.into();
        let mut reads = image.words().iter().filter(|word| word.op().reads_memory());
        let reads_buttons = reads.any(|word| word.address() == panel::BUTTONS);
        Self { name, image, reads_buttons }
    }

    /// Whether it reads the panel's buttons.
    #[must_use]
    pub fn reads_buttons(&self) -> bool {
        self.reads_buttons
    }

    /// A text of a key table, with the program's name for its printed lines in place of
    /// [`PRINTED_LINE`].
    pub(crate) fn words(&self, text: &'static str) -> Cow<'static, str> {
        match self.result() {
            Some(name) => text.replace(PRINTED_LINE, name).into(),
            None => text.into(),
        }
    }

    /// The program's name for a line it prints, if it has one.
    pub(crate) fn result(&self) -> Option<&str> {
        self.image.presentation().result.as_deref()
    }
}
