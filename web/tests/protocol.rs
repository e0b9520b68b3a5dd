//! Generates `web/page/protocol.ts`, the page's types of requests and answers, from the Rust types.
//! `UPDATE_GOLDENS=1 cargo test -p gray1-web --test protocol` writes the file.

use std::path::Path;

use syn::{
    Arm, Attribute, Expr, ExprLit, Field, Fields, File, FnArg, GenericArgument, ImplItem,
    ImplItemFn, Item, Lit, Meta, Pat, PathArguments, ReturnType, Stmt, Type, TypeArray,
};

/// The files with the types, relative to this crate, and the types to use. An empty list means all
/// types.
const SOURCES: [(&str, &[&str]); 7] = [
    ("../editors/src/lsp/protocol.rs", &[]),
    ("../sim/isa/src/panel.rs", &["Led", "Display"]),
    ("../sim/session/src/board/lookup.rs", &[]),
    ("../sim/src/machine_spec.rs", &["MachineSpec"]),
    ("../tui/src/app/mouse.rs", &["MouseKind"]),
    ("src/machine.rs", &["Transport"]),
    ("src/answer.rs", &[]),
];
/// The file with the requests.
const REQUESTS: &str = "src/page/requests.rs";

const HEADER: &str = "// The requests to the machine and its answers. Made by web/tests/protocol.rs \
                      from the types of the\n// machine: do not edit.\n";

#[test]
fn the_types_of_the_page_match_the_rust_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parsed = |path: &str| -> File {
        syn::parse_file(&std::fs::read_to_string(folder.join(path)).unwrap()).unwrap()
    };
    let mut made = HEADER.to_owned();
    for (path, names) in SOURCES {
        let items = parsed(path).items;
        let declarations = items.iter().filter_map(|item| declaration(item, names));
        made.extend(declarations.map(|declaration| format!("\n{declaration}")));
    }
    made += &requests(&parsed(REQUESTS));
    let page = folder.join("page/protocol.ts");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&page, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&page).unwrap(), made, "set UPDATE_GOLDENS=1 to make it");
}

/// Returns the TypeScript declaration of a type. Returns `None` for other items, and for types that
/// are not used.
fn declaration(item: &Item, names: &[&str]) -> Option<String> {
    let (name, attributes) = match item {
        Item::Struct(it) => (&it.ident, &it.attrs),
        Item::Enum(it) => (&it.ident, &it.attrs),
        _ => return None,
    };
    let is_taken = names.is_empty() || names.iter().any(|taken| name == taken);
    if !is_taken
        || !["Serialize", "Deserialize"].iter().any(|it| mentions(attributes, "derive", it))
    {
        return None;
    }
    let text = match item {
        Item::Struct(it) => {
            let fields = members(&it.fields, mentions(attributes, "serde", "default"), "  ");
            format!("export interface {name} {{\n{fields}}}\n")
        }
        Item::Enum(it) if it.variants.iter().all(|variant| variant.fields.is_empty()) => {
            let variants = it.variants.iter();
            let texts = variants.map(|it| format!("\"{}\"", camel(&it.ident.to_string())));
            format!("export type {name} = {};\n", texts.collect::<Vec<_>>().join(" | "))
        }
        _ => return None,
    };
    Some(docs(attributes, "") + &text)
}

/// Returns the requests and their methods. Each arm of the `match` in `Page::answer` names a
/// request and calls its method.
fn requests(file: &File) -> String {
    let items = file.items.iter().filter_map(|item| match item {
        Item::Impl(it) => Some(&it.items),
        _ => None,
    });
    let items: Vec<&ImplItem> = items.flatten().collect();
    let named = |name: &str| {
        let found = items.iter().find_map(|item| match item {
            ImplItem::Fn(method) if method.sig.ident == name => Some(method),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("there is no method {name}"))
    };
    let Some(Stmt::Expr(Expr::Match(list), None)) = named("answer").block.stmts.last() else {
        panic!("the list of requests is no match");
    };
    let arms = list.arms.iter().filter_map(|Arm { pat, body, .. }| match (pat, &**body) {
        (Pat::Lit(ExprLit { lit: Lit::Str(name), .. }), Expr::Call(reply)) => {
            let answer = match &reply.args[0] {
                Expr::Try(fallible) => &*fallible.expr,
                answer => answer,
            };
            let Expr::MethodCall(call) = answer else { panic!("a request calls a method") };
            Some(request(&name.value(), named(&call.method.to_string())))
        }
        (Pat::Wild(_), _) => None,
        _ => panic!("a request is a text, and its answer a call"),
    });
    let lines: String = arms.collect();
    format!("\n/** The requests, with their answers. */\nexport interface Requests {{\n{lines}}}\n")
}

fn request(name: &str, method: &ImplItemFn) -> String {
    let parameters = method.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(it) => match &*it.pat {
            Pat::Ident(name) => {
                let name = camel(&name.ident.to_string());
                Some(format!("{name}: {}", typescript(&it.ty)))
            }
            _ => panic!("a parameter has no name"),
        },
        FnArg::Receiver(_) => None,
    });
    let answer = match &method.sig.output {
        ReturnType::Default => "null".to_owned(),
        ReturnType::Type(_, answer) => typescript(inside(answer, "Result").unwrap_or(answer)),
    };
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    format!("{}  {name}({parameters}): {answer};\n", docs(&method.attrs, "  "))
}

/// Returns the members of a type, one line each, with their documentation.
fn members(fields: &Fields, all_default: bool, indent: &str) -> String {
    let member = |field: &Field| {
        let name = camel(&field.ident.as_ref().expect("it has a name").to_string());
        let is_skipped = mentions(&field.attrs, "serde", "skip_serializing_if");
        let is_optional = all_default || is_skipped || mentions(&field.attrs, "serde", "default");
        let inner = inside(&field.ty, "Option").filter(|_| is_optional);
        let content = typescript(inner.unwrap_or(&field.ty));
        let (mark, or) = if is_optional { ("?", " | undefined") } else { ("", "") };
        format!("{}{indent}{name}{mark}: {content}{or};\n", docs(&field.attrs, indent))
    };
    fields.iter().filter(|field| !mentions(&field.attrs, "serde", "skip")).map(member).collect()
}

/// Returns a type in TypeScript, in the form that `serde_json` writes.
fn typescript(rust: &Type) -> String {
    let array = |inner: &Type| format!("{}[]", typescript(inner));
    match rust {
        Type::Reference(it) => typescript(&it.elem),
        // A short array becomes a tuple.
        Type::Array(it) => match length_of(it) {
            Some(length @ 0..=2) => {
                format!("[{}]", vec![typescript(&it.elem); length].join(", "))
            }
            _ => array(&it.elem),
        },
        Type::Tuple(it) if it.elems.is_empty() => "null".to_owned(),
        Type::Tuple(it) => {
            let elements = it.elems.iter().map(typescript).collect::<Vec<_>>();
            format!("[{}]", elements.join(", "))
        }
        Type::Path(it) => {
            let last = it.path.segments.last().expect("a path has a name");
            let arguments = match &last.arguments {
                PathArguments::AngleBracketed(it) => it.args.iter().collect(),
                _ => Vec::new(),
            };
            match (last.ident.to_string().as_str(), arguments.as_slice()) {
                ("bool", _) => "boolean".to_owned(),
                (
                    "u8" | "u16" | "u32" | "u64" | "usize" | "f64" | "NonZeroU32" | "NonZeroU64",
                    _,
                ) => "number".to_owned(),
                ("String" | "str" | "EngineKind" | "RamSpec", _) => "string".to_owned(),
                ("Vec", [GenericArgument::Type(inner)]) => array(inner),
                ("Option", [GenericArgument::Type(inner)]) => {
                    format!("{} | null", typescript(inner))
                }
                ("BTreeMap", [_, GenericArgument::Type(inner)]) => {
                    format!("Record<string, {}>", typescript(inner))
                }
                (name, []) => name.to_owned(),
                (name, _) => panic!("what is {name} in TypeScript?"),
            }
        }
        _ => panic!("what is this in TypeScript?"),
    }
}

fn length_of(array: &TypeArray) -> Option<usize> {
    match &array.len {
        Expr::Lit(ExprLit { lit: Lit::Int(length), .. }) => length.base10_parse().ok(),
        _ => None,
    }
}

/// Returns the argument of a generic type with this name.
fn inside<'a>(rust: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(it) = rust else { return None };
    let last = it.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// Returns the documentation as a TypeScript comment.
fn docs(attributes: &[Attribute], indent: &str) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(it) if it.path.is_ident("doc") => match &it.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines: Vec<String> = lines.iter().map(|it| format!("{indent} * {it}")).collect();
            format!("{indent}/**\n{}\n{indent} */\n", lines.join("\n"))
        }
    }
}

/// Returns true if an attribute with this name contains a word.
fn mentions(attributes: &[Attribute], name: &str, word: &str) -> bool {
    let mut is_there = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        let _ = attribute.parse_nested_meta(|meta| {
            is_there |= meta.path.segments.last().is_some_and(|last| last.ident == word);
            if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<Expr>()?;
            }
            Ok(())
        });
    }
    is_there
}

/// Returns a name in serde's `camelCase`.
fn camel(name: &str) -> String {
    let mut camel = String::new();
    for (number, word) in name.trim_start_matches("r#").split('_').enumerate() {
        let (first, rest) = word.split_at(1);
        camel += &if number == 0 { first.to_lowercase() } else { first.to_uppercase() };
        camel += rest;
    }
    camel
}
