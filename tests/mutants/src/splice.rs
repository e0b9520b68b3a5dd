//! A source with all of its mutants: each is a branch that is taken while it is active.
//!
//! A mutant that replaces the body of a function becomes `if is(1) { return VALUE; }` in front of
//! the body. (A function that returns `impl Iterator` returns one type, so there `hook::Items` holds
//! either the iterator or the value.) For any other, the smallest expression around the change is
//! there twice:
//!
//! `a + b` becomes `(if usual(&[2, 3]) { a + b } else if is(2) { a - b } else { a * b })`
//!
//! So types, laziness and precedence stay those of the source. The code of a mutant stands between
//! comments with its number, by which an error of the compiler finds its mutant.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ReturnType, Signature, Type, TypeParamBound};

use crate::mutant::Mutant;

/// A numbered mutant.
pub(crate) type Numbered<'a> = (u32, &'a Mutant);

/// What became of a source.
#[derive(Debug)]
pub(crate) struct Spliced {
    pub(crate) text: String,
    /// Mutants without a branch: what the compiler evaluates cannot ask which one is active.
    pub(crate) left_out: Vec<u32>,
}

/// Puts the mutants of a file into its text. Functions that are evaluated by the compiler stay
/// `const`; all others can ask.
pub(crate) fn splice(
    text: &str,
    mutants: &[Numbered<'_>],
    evaluated: &BTreeSet<String>,
) -> syn::Result<Spliced> {
    let mut places = Places { evaluated, found: Vec::new(), bodies: Vec::new(), sites: Vec::new() };
    places.visit_file(&syn::parse_file(text)?);
    let Places { found, bodies, mut sites, .. } = places;
    let mut left_out = Vec::new();
    for (number, mutant) in mutants {
        let range = &mutant.range;
        let site = if mutant.is_whole_function {
            let around = bodies.iter().filter(|body| encloses(&body.range, range));
            around.min_by_key(|body| body.range.len()).and_then(|body| match body.returns {
                Returns::Named => Some((range.start..range.start, Form::Return)),
                Returns::Iterator => Some((body.range.clone(), Form::Items)),
                Returns::Opaque => None,
            })
        } else {
            let around = found.iter().filter(|(place, _)| encloses(place, range));
            around.min_by_key(|(place, _)| place.len()).cloned()
        };
        let Some((range, form)) = site else {
            left_out.push(*number);
            continue;
        };
        match sites.iter_mut().find(|site| site.range == range && site.form == form) {
            Some(site) => site.mutants.push((*number, mutant)),
            None => sites.push(Site { range, form, mutants: vec![(*number, mutant)] }),
        }
    }
    sites.sort_by_key(|site| (site.range.start, Reverse(site.range.end), site.form));
    Ok(Spliced { text: rendered(text, 0..text.len(), &sites), left_out })
}

fn encloses(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// How a change is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// The word `const` of a function, which is removed.
    Const,
    /// The body of a function that returns some iterator.
    Items,
    /// Before the first statement of a function.
    Return,
    /// An expression that stands in parentheses.
    Value,
    /// An expression that may stand where a statement does, so it stays a block.
    Block,
}

/// What a function's body gives.
#[derive(Debug, Clone, Copy)]
enum Returns {
    /// A type that has a name.
    Named,
    /// `impl Iterator`.
    Iterator,
    /// Another `impl Trait`.
    Opaque,
}

/// The body of a function, with its braces.
struct Body {
    range: Range<usize>,
    returns: Returns,
}

/// Where the text is changed, for which mutants.
struct Site<'a> {
    range: Range<usize>,
    form: Form,
    mutants: Vec<Numbered<'a>>,
}

/// A part of the text with its sites, which come in order, outer ones first.
fn rendered(text: &str, range: Range<usize>, sites: &[Site<'_>]) -> String {
    let (mut out, mut at, mut rest) = (String::new(), range.start, sites);
    while let [site, others @ ..] = rest {
        let inner = others.iter().take_while(|inner| encloses(&site.range, &inner.range)).count();
        out.push_str(&text[at..site.range.start]);
        out.push_str(&branches(text, site, &others[..inner]));
        (at, rest) = (site.range.end, &others[inner..]);
    }
    out.push_str(&text[at..range.end]);
    out
}

/// The branches of one site.
fn branches(text: &str, site: &Site<'_>, inner: &[Site<'_>]) -> String {
    let usual = || rendered(text, site.range.clone(), inner);
    let (open, close) = match site.form {
        Form::Const => return String::new(),
        Form::Return => return returns(site, "") + &usual(),
        Form::Items => {
            let returns = returns(site, "crate::gray1_mutant::Items::mutant");
            let usual = usual();
            return format!(
                "{{ {returns} crate::gray1_mutant::Items::Usual((move || {usual})()) }}"
            );
        }
        Form::Value => ('(', ')'),
        Form::Block => ('{', '}'),
    };
    let numbers: Vec<u32> = site.mutants.iter().map(|(number, _)| *number).collect();
    // The usual code comes first, so that an error of types is found in the mutant's.
    let usual = format!("if crate::gray1_mutant::usual(&{numbers:?}) {{ {} }}", usual());
    let last = numbers.len() - 1;
    let others = site.mutants.iter().enumerate().map(|(index, (number, mutant))| {
        let before = &text[site.range.start..mutant.range.start];
        let after = &text[mutant.range.end..site.range.end];
        let code = marked(*number, &[before, &mutant.replacement, after].concat());
        if index == last {
            format!(" else {{ {code} }}")
        } else {
            format!(" else if crate::gray1_mutant::is({number}) {{ {code} }}")
        }
    });
    format!("{open} {usual}{}{close}", others.collect::<Vec<_>>().concat())
}

/// Returns the values of mutants, each converted by a function.
fn returns(site: &Site<'_>, convert: &str) -> String {
    let returns = site.mutants.iter().map(|(number, mutant)| {
        let value = marked(*number, &format!("return {convert}({});", mutant.replacement));
        format!("if crate::gray1_mutant::is({number}) {{ {value} }} ")
    });
    returns.collect()
}

/// The code of a mutant, between comments with its number.
fn marked(number: u32, code: &str) -> String {
    format!("/*<{number}*/ {code} /*{number}>*/")
}

/// The mutant whose code stands at a byte of a spliced text.
pub(crate) fn mutant_at(text: &str, at: usize) -> Option<u32> {
    let mut open = Vec::new();
    for (start, _) in text.match_indices("/*").take_while(|(start, _)| *start < at) {
        let comment = text[start + 2..].split("*/").next().unwrap_or_default();
        if let Some(number) = comment.strip_prefix('<').and_then(|number| number.parse().ok()) {
            open.push(number);
        } else if let Some(number) = comment.strip_suffix('>')
            && number.parse() == Ok(open.last().copied().unwrap_or(0))
        {
            open.pop();
        }
    }
    open.last().copied()
}

/// Finds what can become a branch.
struct Places<'a> {
    evaluated: &'a BTreeSet<String>,
    /// Expressions and bodies that are not evaluated by the compiler.
    found: Vec<(Range<usize>, Form)>,
    bodies: Vec<Body>,
    sites: Vec<Site<'a>>,
}

impl Places<'_> {
    fn function(&mut self, signature: &Signature, body: &Block) {
        if let Some(word) = &signature.constness {
            if self.evaluated.contains(&signature.ident.to_string()) {
                return;
            }
            let range = word.span().byte_range();
            self.sites.push(Site { range, form: Form::Const, mutants: Vec::new() });
        }
        let range = body.span().byte_range();
        self.bodies.push(Body { range: range.clone(), returns: returned(&signature.output) });
        self.found.push((range, Form::Block));
        self.visit_block(body);
    }
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if !declares(expression) {
            self.found.push((expression.span().byte_range(), form(expression)));
        }
        visit::visit_expr(self, expression);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, body);
        }
    }

    // The rest is evaluated by the compiler, or holds no expression that is evaluated at all.

    fn visit_expr_repeat(&mut self, array: &'ast syn::ExprRepeat) {
        self.visit_expr(&array.expr);
    }

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

fn returned(output: &ReturnType) -> Returns {
    let ReturnType::Type(_, returned) = output else { return Returns::Named };
    let Type::ImplTrait(promise) = &**returned else { return Returns::Named };
    let is_iterator = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            let name = bound.path.segments.last().map(|segment| segment.ident.to_string());
            name.is_some_and(|name| name.ends_with("Iterator"))
        }
        _ => false,
    };
    if promise.bounds.iter().any(is_iterator) { Returns::Iterator } else { Returns::Opaque }
}

/// Whether an expression is a condition that declares names for what follows it.
fn declares(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            declares(&binary.left) || declares(&binary.right)
        }
        _ => false,
    }
}

fn form(expression: &Expr) -> Form {
    match expression {
        Expr::Block(_)
        | Expr::ForLoop(_)
        | Expr::If(_)
        | Expr::Loop(_)
        | Expr::Match(_)
        | Expr::Unsafe(_)
        | Expr::While(_) => Form::Block,
        _ => Form::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mutant that puts a text in the place of the only occurrence of another.
    fn mutant(text: &str, replaced: &str, replacement: &str, is_whole_function: bool) -> Mutant {
        let start = text.find(replaced).expect("the text has it");
        Mutant {
            file: "src/lib.rs".to_owned(),
            place: (1, 1),
            change: String::new(),
            range: start..start + replaced.len(),
            replacement: replacement.to_owned(),
            is_whole_function,
        }
    }

    /// Splices one mutant, its module and the comments around its code left out of the text.
    fn spliced(text: &str, mutant: &Mutant) -> (String, Vec<u32>) {
        let Spliced { text, left_out } =
            splice(text, &[(7, mutant)], &BTreeSet::from(["evaluated".to_owned()])).unwrap();
        let text = ["crate::gray1_mutant::", "/*<7*/", "/*7>*/"]
            .iter()
            .fold(text, |text, left_out| text.replace(left_out, ""));
        (text.split_whitespace().collect::<Vec<_>>().join(" "), left_out)
    }

    #[test]
    fn the_smallest_expression_around_a_change_is_there_twice() {
        for (text, replaced, replacement, expected) in [
            (
                "fn f() -> bool { g(a + b * c) < 1 }",
                "*",
                "/",
                "fn f() -> bool { g(a + ( if usual(&[7]) { b * c } else { b / c })) < 1 }",
            ),
            (
                "fn f() { match x { 1 => g(), _ => {} } h() }",
                "1 => g(),",
                "",
                "fn f() { { if usual(&[7]) { match x { 1 => g(), _ => {} } } \
                 else { match x { _ => {} } }} h() }",
            ),
            // Names that a condition declares are known where the whole `if` is repeated.
            (
                "fn f() { if let A(x) = a && x { } }",
                "&&",
                "||",
                "fn f() { { if usual(&[7]) { if let A(x) = a && x { } } \
                 else { if let A(x) = a || x { } }} }",
            ),
            // Lengths are evaluated by the compiler; the array is not.
            (
                "fn f() { g([0; A + 1]) }",
                "+",
                "-",
                "fn f() { g(( if usual(&[7]) { [0; A + 1] } else { [0; A - 1] })) }",
            ),
        ] {
            let mutant = mutant(text, replaced, replacement, false);
            assert_eq!(spliced(text, &mutant), (expected.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn the_value_of_a_function_is_returned_before_its_body() {
        for (text, expected) in [
            ("fn f() -> u8 { g() }", "fn f() -> u8 { if is(7) { return (1); } g() }"),
            ("const fn f() -> u8 { g() }", "fn f() -> u8 { if is(7) { return (1); } g() }"),
            (
                "fn f() -> impl Iterator<Item = u8> { g() }",
                "fn f() -> impl Iterator<Item = u8> { if is(7) { return Items::mutant(1); } \
                 Items::Usual((move || { g() })()) }",
            ),
        ] {
            let mutant = mutant(text, "g()", "1", true);
            assert_eq!(spliced(text, &mutant), (expected.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn what_the_compiler_evaluates_or_leaves_unnamed_has_no_branch() {
        for (text, is_whole_function) in [
            ("const X: u8 = 1 + 2;", false),
            ("const fn evaluated() -> u8 { 1 + 2 }", false),
            ("fn f() -> impl Fn() { 1 + 2 }", true),
        ] {
            let mutant =
                mutant(text, if is_whole_function { "1 + 2" } else { "+" }, "", is_whole_function);
            assert_eq!(spliced(text, &mutant), (text.to_owned(), vec![7]));
        }
    }

    #[test]
    fn an_error_belongs_to_the_innermost_mutant_around_it() {
        let text = "a /*<1*/ b /* c */ /*<23*/ d /*23>*/ e /*1>*/ f";
        let at = |what| mutant_at(text, text.find(what).unwrap());
        let found = ["a", "b", "c", "d", "e", "f"].map(at);
        assert_eq!(found, [None, Some(1), Some(1), Some(23), Some(1), None]);
    }
}
