//! Checks all commands: an option has the same name and meaning everywhere, except where
//! CONTRIBUTING.md gives a reason.

use std::collections::{BTreeMap, BTreeSet};

use clap::builder::{PossibleValue, Str};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use gray1_isa::text;

use super::{definition, man};

const PAGE: &str = include_str!("../../CONTRIBUTING.md");

/// The exceptions listed in CONTRIBUTING.md, such as `debug --at`.
fn documented_exceptions() -> BTreeSet<String> {
    let (_, section) = PAGE.split_once("\n## Options of commands\n").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let items = section.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    items.map(|(option, _)| option.to_owned()).filter(|option| option.contains(" --")).collect()
}

/// All commands except `help`. The last one is `gray1` itself.
fn commands() -> Vec<Command> {
    let mut root = definition();
    root.build();
    root.get_subcommands()
        .filter(|it| it.get_name() != "help")
        .cloned()
        .chain([root.clone()])
        .collect()
}

fn options(command: &Command) -> impl Iterator<Item = (String, &Arg)> {
    let shown = command.get_arguments().filter(|option| !option.is_hide_set());
    shown.filter_map(|option| Some((option.get_long()?.to_owned(), option)))
}

fn is_folder(option: &Arg) -> bool {
    option.get_value_names().is_some_and(|names| names == ["DIR"])
}

/// Whether a command accepts this value for an option.
fn accepts(command: &Command, option: &str, value: &str) -> bool {
    let args = [command.get_name().to_owned(), format!("--{option}={value}")];
    match command.clone().try_get_matches_from(args) {
        Ok(_) => true,
        Err(error) => !matches!(
            error.kind(),
            ErrorKind::ValueValidation | ErrorKind::InvalidValue | ErrorKind::TooManyValues
        ),
    }
}

/// The options that differ from those of the same name in most commands.
fn find_differing_options() -> BTreeSet<String> {
    let mut shapes: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for command in commands() {
        for (name, option) in options(&command) {
            let values = option.get_possible_values().into_iter().filter(|_| name != "format");
            let values: Vec<String> = values.map(|it| it.get_name().to_owned()).collect();
            let names = option.get_value_names().filter(|_| option.get_action().takes_values());
            let shape = format!("{:?} {names:?} {values:?}", option.get_short());
            if name == "output" && is_folder(option) {
                continue;
            }
            let command = command.get_name().to_owned();
            shapes.entry(name).or_default().entry(shape).or_default().push(command);
        }
    }
    let mut different = BTreeSet::new();
    for (name, shapes) in shapes {
        let most = shapes.values().map(Vec::len).max().unwrap_or_default();
        let mut usual = false;
        for commands in shapes.into_values() {
            if commands.len() == most && !std::mem::replace(&mut usual, true) {
                continue;
            }
            different.extend(commands.iter().map(|command| format!("{command} --{name}")));
        }
    }
    different
}

#[test]
fn options_have_one_name_and_one_meaning() {
    let mut found = find_differing_options();
    let mut letters: BTreeMap<char, BTreeSet<String>> = BTreeMap::new();
    for command in commands() {
        let name = command.get_name();
        let all: BTreeMap<String, &Arg> = options(&command).collect();
        for (long, option) in &all {
            option.get_short().map(|it| letters.entry(it).or_default().insert(long.clone()));
            let is_number = accepts(&command, long, "16") && !accepts(&command, long, "no number");
            let is_read = ["1_6", "0x10", "1,6"].iter().all(|it| accepts(&command, long, it));
            let letter = match long.as_str() {
                "format" => Some('f'),
                "output" => Some('o'),
                _ => option.get_short(),
            };
            let is_regular = (!is_number || is_read)
                && letter == option.get_short()
                && !long.starts_with("no-")
                && (long != "output" || accepts(&command, long, "-") != is_folder(option));
            if !is_regular {
                found.insert(format!("{name} --{long}"));
            }
        }
        // A command with a report has `--format`. One that writes files has `--message-format`.
        if let Some(format) = all.get("format") {
            let values = format.get_possible_values();
            let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            let is_report = values == ["text", "json"];
            if is_report == all.contains_key("message-format") {
                found.insert(format!("{name} --format"));
            }
        }
        // The other commands print neither reports nor messages about programs.
        let has_format = ["format", "message-format"].iter().any(|it| all.contains_key(*it));
        let others = ["gray1", "link", "show", "lsp", "dap", "completions", "man"];
        assert_ne!(has_format, others.contains(&name), "{name}: --format or --message-format");
        // A command that loads a program has the options for assembling it.
        let loads = |it: &&str| command.get_arguments().any(|arg| arg.get_id() == *it);
        if ["program", "programs", "source"].iter().any(loads) {
            let given = ["define", "include", "allow", "deny"].into_iter();
            let missing = given.filter(|option| !all.contains_key(*option));
            found.extend(missing.map(|option| format!("{name} --{option}")));
        }
        let missing = ["quiet", "color", "help", "version"].into_iter();
        let missing = missing.filter(|option| !all.contains_key(*option));
        found.extend(missing.map(|option| format!("{name} --{option}")));
    }
    for (letter, names) in letters {
        assert_eq!(names.len(), 1, "-{letter}: {names:?}");
    }
    let documented = documented_exceptions();
    let undocumented: Vec<&String> = found.difference(&documented).collect();
    assert!(undocumented.is_empty(), "not in CONTRIBUTING.md: {undocumented:?}");
    let all: BTreeSet<String> = commands()
        .iter()
        .flat_map(|it| {
            options(it).map(|(long, _)| format!("{} --{long}", it.get_name())).collect::<Vec<_>>()
        })
        .collect();
    let unknown: Vec<&String> = documented.difference(&all).collect();
    assert!(unknown.is_empty(), "not an option: {unknown:?}");
}

/// The number of commands from which on an argument is listed before all commands.
const SHARED_BY: usize = 4;
/// Options of every command.
const EVERYWHERE: [&str; 3] = ["help", "version", "color"];
/// An option of all commands but `gray1 test`, which explains its own.
const QUIET: &str = "- `-q, --quiet`\\\n  Print only results, warnings and errors\n";
/// Options that most commands have together, with the heading above them.
const GROUPS: [(&str, &[&str]); 2] = [
    ("Programs", &["define", "include", "allow", "deny"]),
    ("Machines", &["engine", "board", "ram", "seed", "glitch", "pulse"]),
];
const COMMANDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/COMMANDS.md");
const INTRODUCTION: &str = "\
# Commands

This page lists all commands and options. It is made from the help of the commands
(`gray1 COMMAND --help`), and tests run the examples.

Every command takes `-h` (help), `-V` (version), `-q` (print only results, warnings and errors) and
`--color auto`, `always` or `never`. Unless a command lists its own exit statuses, they are those of
[gray1](#gray1).

## Several commands
";

/// Breaks a paragraph or an entry of a list into lines.
fn wrap_entry(text: &str, indent: &str) -> String {
    let lines: Vec<_> = text::wrap(text, 96).iter().map(|it| it.trim_end().to_owned()).collect();
    lines.join(&format!("\n{indent}")) + "\n"
}

/// An argument or an option with its values: `-o, --output FILE`.
fn signature(arg: &Arg) -> String {
    let mut names: Vec<String> = arg.get_short().iter().map(|short| format!("-{short}")).collect();
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    let values = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let values: Vec<&str> = values.unwrap_or_default().iter().map(Str::as_str).collect();
    format!("{} {}", names.join(", "), values.join(" ")).trim().to_owned()
}

/// The entry of an argument or an option in the page.
fn describe(arg: &Arg) -> String {
    // The help may contain colons, so a line break separates it from the name.
    let name = format!("- `{}`\\\n  ", signature(arg));
    let mut entry = arg.get_help().map(ToString::to_string).unwrap_or_default();
    if !arg.get_action().takes_values() {
        return name + &wrap_entry(&entry, "  ");
    }
    let values: Vec<PossibleValue> = arg.get_possible_values();
    let has_help = values.iter().any(|value| value.get_help().is_some());
    if !has_help && !values.is_empty() {
        let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        entry += &[" [values: ", &names.join(", "), "]"].concat();
    }
    let default: Vec<_> = arg.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
    let default = default.join(" ");
    if !default.is_empty() && !entry.contains("[default") {
        entry += &[" [default: ", &default, "]"].concat();
    }
    let mut text = name + &wrap_entry(&entry, "  ");
    for value in values.iter().filter(|_| has_help) {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        text += &wrap_entry(&format!("  - `{}`: {help}", value.get_name()), "    ");
    }
    text
}

/// The arguments and options of a command, without those of all commands.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_everywhere = |arg: &Arg| {
        let is_usual = |long| EVERYWHERE.contains(&long);
        arg.get_long().is_some_and(is_usual) || describe(arg) == QUIET
    };
    command.get_arguments().filter(move |arg| !arg.is_hide_set() && !is_everywhere(arg))
}

/// The section of a command. `listed` has the place of each entry that is in the page already, and
/// gets those of this command.
fn section(command: &Command, listed: &mut BTreeMap<String, String>) -> String {
    let name = command.get_name();
    let title = if name == "gray1" { name.to_owned() } else { format!("gray1 {name}") };
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let about = wrap_entry(&format!("{}.", about.trim_end_matches('.')), "");
    let (example, _) = man::entries(name).next().expect("an example");
    let mut text = format!("\n## {title}\n\n{about}\n```sh\n{example}\n```\n\n");
    let mut also: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for arg in arguments(command) {
        let entry = describe(arg);
        if let Some(place) = listed.get(&entry) {
            let long = arg.get_long().map(|long| format!("--{long}"));
            let name = format!("`{}`", long.unwrap_or_else(|| signature(arg)));
            also.entry(place.clone()).or_default().push(name);
        } else {
            text += &entry;
            listed.insert(entry, format!("[{title}](#{})", title.replace(' ', "-")));
        }
    }
    for (place, mut names) in also {
        for (heading, group) in GROUPS {
            let group: Vec<String> = group.iter().map(|long| format!("`--{long}`")).collect();
            if group.iter().all(|name| names.contains(name)) {
                names.retain(|name| !group.contains(name));
                names.push(format!("[{heading}](#{})", heading.to_lowercase()));
            }
        }
        text += &wrap_entry(&format!("- as in {place}: {}", names.join(", ")), "  ");
    }
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for note in notes.split("\n\n").filter(|note| !note.is_empty()) {
        text.push('\n');
        let Some(statuses) = note.strip_prefix(man::STATUS) else {
            text += &wrap_entry(note, "");
            continue;
        };
        text.extend([man::STATUS.trim_end(), "\n\n"]);
        for (status, meaning) in man::statuses(statuses) {
            text += &wrap_entry(&format!("- {status}: {meaning}"), "  ");
        }
    }
    text
}

/// The page of commands, from the help and the manual.
fn page_of_commands() -> String {
    let commands = commands();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for arg in commands.iter().flat_map(arguments) {
        *uses.entry(describe(arg)).or_default() += 1;
    }
    uses.retain(|_, count| *count >= SHARED_BY);
    let mut text = INTRODUCTION.to_owned();
    let headings = ["Arguments", GROUPS[0].0, GROUPS[1].0];
    let group = |entry: &str| {
        let is_in = |names: &[&str]| names.iter().any(|it| entry.contains(&format!("--{it} ")));
        GROUPS.iter().position(|(_, names)| is_in(names)).map_or(0, |index| index + 1)
    };
    for (index, heading) in headings.into_iter().enumerate() {
        text.extend(["\n### ", heading, "\n\n"]);
        text.extend(uses.keys().map(String::as_str).filter(|entry| group(entry) == index));
    }
    let mut listed: BTreeMap<String, String> =
        uses.into_keys().map(|entry| (entry, "other commands".to_owned())).collect();
    let (root, others) = commands.split_last().expect("gray1 itself");
    for command in [root].into_iter().chain(others) {
        text += &section(command, &mut listed);
    }
    text
}

/// `UPDATE_GOLDENS=1 cargo test --bin gray1 page_of_commands` writes the page.
#[test]
fn the_page_of_commands_says_what_the_help_says() {
    let made = page_of_commands();
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(COMMANDS, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(COMMANDS).unwrap(), made, "set UPDATE_GOLDENS=1 to make it");
}
