//! Rust sources as far as the house needs to read them: tokens, types, `use` declarations and
//! paths. It knows no macros: what their bodies say is read as if it were code.

/// A word, a `::`, or one other character that is neither white space nor part of a comment or of
/// a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    fn is_word(self) -> bool {
        self.text.starts_with(|c: char| c == '_' || c.is_alphabetic())
    }
}

/// The tokens of a source.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = skipped(rest).unwrap_or_else(|| {
            let length = match first {
                _ if is_in_word(first) => rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            tokens.push(Token { text: &rest[..length], line });
            length
        });
        line += rest[..length].matches('\n').count();
        at += length;
    }
    tokens
}

fn is_in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the white space, the comment, the literal or the lifetime that a text starts
/// with.
fn skipped(text: &str) -> Option<usize> {
    let end_of = |pattern: &str| text.find(pattern).map_or(text.len(), |at| at + pattern.len());
    let raw = text.trim_start_matches(['b', 'r']).trim_start_matches('#');
    let hashes = text.len() - raw.len() - text.bytes().take_while(|b| b"br".contains(b)).count();
    let prefix = text.len() - raw.len();
    match text.chars().next()? {
        c if c.is_whitespace() => Some(c.len_utf8()),
        '/' if text.starts_with("//") => Some(text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => Some(end_of("*/")),
        '"' => Some(quoted(text, '"')),
        'b' if text.starts_with("b\"") => Some(1 + quoted(&text[1..], '"')),
        'b' if text.starts_with("b'") => Some(1 + quoted(&text[1..], '\'')),
        'b' | 'r' if text[..prefix].contains('r') && raw.starts_with('"') => {
            let end = format!("\"{}", "#".repeat(hashes));
            Some(prefix + 1 + raw[1..].find(&end).expect("a raw string ends") + end.len())
        }
        '\'' if text[1..].starts_with('\\') || text[1..].chars().nth(1) == Some('\'') => {
            Some(quoted(text, '\''))
        }
        // A lifetime.
        '\'' => Some(1 + text[1..].find(|c| !is_in_word(c)).unwrap_or(text.len() - 1)),
        _ => None,
    }
}

/// The length of the literal that a text starts with, its quotes included.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    panic!("a literal ends: {}", &text[..text.len().min(40)]);
}

/// The tokens without items that only tests see.
pub(crate) fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let cfg_test = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_attribute = tokens[at..].iter().map(|token| token.text).take(7).eq(cfg_test);
        if is_attribute {
            at = end_of_item(tokens, at + cfg_test.len());
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// Where the item that starts at a token ends: behind its `;` or its block.
fn end_of_item(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// A type with named fields.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Struct<'a> {
    pub(crate) name: &'a str,
    /// The line of its `struct`, counted from 1.
    pub(crate) line: usize,
    pub(crate) fields: usize,
}

/// All types with named fields.
pub(crate) fn structs<'a>(tokens: &[Token<'a>]) -> Vec<Struct<'a>> {
    let named = tokens.windows(2).enumerate();
    let named = named.filter(|(_, pair)| pair[0].text == "struct" && pair[1].is_word());
    let fields = |start: usize| {
        let mut depth = 0_i32;
        let is_field = |token: &&Token<'_>| {
            depth += match token.text {
                "{" | "(" | "[" => 1,
                "}" | ")" | "]" => -1,
                _ => 0,
            };
            depth == 1 && token.text == ":"
        };
        tokens[start..end_of_item(tokens, start)].iter().filter(is_field).count()
    };
    named
        .map(|(at, pair)| Struct { name: pair[1].text, line: pair[0].line, fields: fields(at) })
        .collect()
}

/// What a `use` declaration brings into scope.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Use<'a> {
    /// As it is written, without the name that it is given; the last segment may be `*`.
    pub(crate) path: Vec<&'a str>,
    /// Its name from here on.
    pub(crate) name: &'a str,
    /// True if it hands the name on to other modules.
    pub(crate) is_public: bool,
}

/// The `use` declarations of a source, and the tokens that are left.
pub(crate) fn uses<'a>(tokens: &[Token<'a>]) -> (Vec<Use<'a>>, Vec<Token<'a>>) {
    let (mut uses, mut rest, mut at) = (Vec::new(), Vec::new(), 0);
    while at < tokens.len() {
        // `use<'a>` in a return type is not a declaration.
        let is_use = tokens[at].text == "use" && tokens.get(at + 1).is_some_and(|t| t.text != "<");
        if is_use {
            let is_public = at > 0 && ["pub", ")"].contains(&tokens[at - 1].text);
            at += 1;
            tree(tokens, &mut at, &mut Vec::new(), is_public, &mut uses);
        } else {
            rest.push(tokens[at]);
            at += 1;
        }
    }
    (uses, rest)
}

/// Reads a tree of a `use` declaration: a path, a path with another name, or several in braces.
fn tree<'a>(
    tokens: &[Token<'a>],
    at: &mut usize,
    path: &mut Vec<&'a str>,
    is_public: bool,
    uses: &mut Vec<Use<'a>>,
) {
    let outside = path.len();
    loop {
        let text = tokens[*at].text;
        *at += 1;
        match text {
            // An outer crate, whatever modules are called.
            "::" if path.is_empty() => path.push("::"),
            "::" => continue,
            "{" => {
                while tokens[*at].text != "}" {
                    tree(tokens, at, path, is_public, uses);
                    *at += usize::from(tokens[*at].text == ",");
                }
                *at += 1;
                break;
            }
            // `a::{self}` is `a`.
            "self" if !path.is_empty() => {}
            _ => path.push(text),
        }
        if tokens[*at].text != "::" {
            let mut name = path[path.len() - 1];
            if tokens[*at].text == "as" {
                name = tokens[*at + 1].text;
                *at += 2;
            }
            uses.push(Use { path: path.clone(), name, is_public });
            break;
        }
    }
    path.truncate(outside);
}

/// The paths of at least two words among tokens that are no `use` declarations: `a::b::c`.
pub(crate) fn paths<'a>(tokens: &[Token<'a>]) -> Vec<Vec<&'a str>> {
    let (mut paths, mut path) = (Vec::new(), Vec::new());
    let word_at = |at: usize| tokens.get(at).is_some_and(|token| token.is_word());
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        if token.text == "::" {
            // Nothing in front of it names a module: `::ron`, `<T as Trait>::name`.
            if !before.is_some_and(Token::is_word) {
                path = vec!["::"];
            }
            continue;
        }
        if before.is_none_or(|before| before.text != "::") {
            path.clear();
        }
        path.push(token.text);
        let goes_on = tokens.get(at + 1).is_some_and(|next| next.text == "::") && word_at(at + 2);
        if token.is_word() && !goes_on && path.len() > 1 {
            paths.push(path.clone());
        }
    }
    paths
}
