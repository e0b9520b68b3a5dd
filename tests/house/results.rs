//! Looks for functions that return three or more values without names.

use super::sources;
use super::tokens::{end_of, tokens};

/// Functions that may. The page's protocol has the result as an array.
const EXCEPTIONS: &[&str] = &["web/src/page/requests.rs: programs"];

/// Returns the tokens of a function's result. `function` begins with its name.
fn result<'a>(function: &'a [&'a str]) -> &'a [&'a str] {
    let end = end_of(function, 0, |token| token == ";");
    let signature = function[..end].split(|token| *token == "{").next().unwrap_or_default();
    let signature = signature.split(|token| *token == "where").next().unwrap_or_default();
    &signature[end_of(signature, 0, |token| token == "->")..]
}

/// Returns the number of values in the tuple that these tokens begin with.
fn count_values(tuple: &[&str]) -> usize {
    let mut depth = 0;
    let commas = tuple[..end_of(tuple, 0, |token| token == ")")].windows(2).filter(|pair| {
        match pair[0] {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth -= 1,
            _ => {}
        }
        pair[0] == "," && depth == 1 && pair[1] != ")"
    });
    commas.count() + 1
}

#[test]
fn no_function_returns_three_values_without_names() {
    let mut found = Vec::new();
    for file in sources().iter().filter(|file| !file.is_test()) {
        let tokens = tokens(&file.text);
        for at in (0..tokens.len()).filter(|at| tokens[*at] == "fn") {
            let result = result(&tokens[at + 1..]);
            let is_long = (0..result.len()).any(|at| {
                // The arguments of `Fn(A, B, C)` are not a tuple.
                let before = at.checked_sub(1).map_or("", |before| result[before]);
                let is_tuple = result[at] == "(" && !before.starts_with(char::is_alphabetic);
                is_tuple && count_values(&result[at..]) > 2
            });
            let name = format!("{}: {}", file.path, tokens[at + 1]);
            if is_long && !EXCEPTIONS.contains(&name.as_str()) {
                found.push(name);
            }
        }
    }
    assert!(found.is_empty(), "these need a type for what they return: {found:#?}");
}
