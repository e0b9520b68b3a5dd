//! A program in a session: an image and its name.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_isa::{Image, panel};
use gray1_language::{Lexer, TokenKind};

/// The general name for a printed line, used if the program does not define another.
pub const PRINTED_LINE: &str = "printed line";

/// The mark in a remark or in the title of a key for the program's name for a printed line.
pub const RESULT: &str = "{result}";

/// A program with the name under which it was opened.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name of a built-in program, or a path.
    pub name: String,
    /// The program itself.
    pub image: Arc<Image>,
    /// Whether it reads the panel's buttons.
    pub reads_buttons: bool,
    usage: Option<String>,
}

impl Program {
    /// A program with this name.
    pub fn new(name: String, image: impl Into<Arc<Image>>) -> Self {
        let image = image.into();
        let mut reads = image.words().iter().filter(|word| word.op().reads_memory());
        let reads_buttons = reads.any(|word| word.address() == panel::BUTTONS);
        let files = image.source_map().files();
        let usage = files.iter().find_map(|file| file.lines.iter().find_map(comment_of_title));
        let usage = usage.filter(|usage| !usage.is_empty()).map(str::to_owned);
        Self { name, image, reads_buttons, usage }
    }

    /// Its description or instructions: the comment after its `.title`.
    pub fn usage(&self) -> Option<&str> {
        self.usage.as_deref()
    }

    /// A remark or a title, with the program's name for printed lines, or else the general one, in
    /// place of [`RESULT`].
    pub fn name_results(&self, text: &'static str) -> Cow<'static, str> {
        if text.contains(RESULT) {
            text.replace(RESULT, self.result().unwrap_or(PRINTED_LINE)).into()
        } else {
            text.into()
        }
    }

    /// The program's name for a line it prints, if it has one.
    pub fn result(&self) -> Option<&str> {
        self.image.presentation().result.as_deref()
    }
}

/// The comment after a `.title`, empty if there is none. `None` if the line has no title.
fn comment_of_title(line: &str) -> Option<&str> {
    let mut tokens = Lexer::new(line);
    let mut directives = tokens.by_ref().filter(|it| it.kind == TokenKind::Directive);
    directives.any(|it| it.text.eq_ignore_ascii_case(".title")).then(|| {
        let comment = tokens.last().filter(|token| token.kind == TokenKind::Comment);
        comment.map_or("", |comment| comment.text.trim_start_matches(';').trim())
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::machines as testing;

    #[test]
    fn the_comment_after_the_title_is_the_description() {
        for (source, usage) in [
            ("; x\n.title \"a; \\\"b\\\"\" ;; \"c\"; d\n HALT", Some("\"c\"; d")),
            (" .title \"a\" ; b ; c\n HALT ; d", Some("b ; c")),
            (".title \"a; b\"\n HALT ; c", None),
            ("; .title \"a\" ; b\n HALT", None),
            ("l: .TITLE \"a\" ;\tb;\n HALT", Some("b;")),
            (".title \"a\" ;;\n HALT ; c", None),
        ] {
            assert_eq!(testing::assemble(source).usage(), usage, "{source}");
        }
    }
}
