//! Splits Rust code into tokens, for rules that are about more than single lines.

/// Returns the words and marks of Rust code, without comments, attributes and test code. A literal
/// of text becomes `"`.
pub(super) fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            start + rest[start..].find(&end).expect("a raw string ends") + end.len()
        } else if first == '"' {
            quoted_length(rest, '"')
        } else if first == '\'' && is_character(rest) {
            quoted_length(rest, '\'')
        } else if rest.starts_with("::") || rest.starts_with("->") {
            2
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if token.ends_with(['"', '\'']) && token.len() > 1 {
            found.push("\"");
        } else if !token.starts_with("//") && !first.is_whitespace() {
            found.push(token);
        }
        rest = after;
    }
    without_attributes(&found)
}

/// Returns true if a quotation mark opens a character, and not the name of a lifetime.
fn is_character(code: &str) -> bool {
    code[1..].starts_with('\\') || code.chars().nth(2) == Some('\'')
}

fn quoted_length(code: &str, mark: char) -> usize {
    let mut is_escaped = false;
    let mut inside = code.char_indices().skip(1);
    let end = inside.find(|(_, c)| {
        let is_end = *c == mark && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(code.len(), |(end, _)| end + 1)
}

/// Leaves out attributes, and the items that `#[cfg(test)]` keeps for tests.
fn without_attributes<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "#" && matches!(tokens.get(at + 1), Some(&("[" | "!"))) {
            let is_test = tokens[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]);
            at += 1 + usize::from(tokens[at + 1] == "!");
            at = end_of(tokens, at, |_| true);
            if is_test {
                at = end_of(tokens, at, |token| matches!(token, ";" | "}"));
            }
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// Returns the position after the first token that is outside of brackets and ends an item.
pub(super) fn end_of(tokens: &[&str], start: usize, is_end: impl Fn(&str) -> bool) -> usize {
    let mut depth = 0;
    let end = tokens[start..].iter().position(|token| {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth <= 0 && is_end(token)
    });
    end.map_or(tokens.len(), |end| start + end + 1)
}
