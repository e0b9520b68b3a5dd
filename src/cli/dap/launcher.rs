//! Sets up the machine for a launch request from files, as the commands do.

use std::path::{Path, PathBuf};

use gray1_asm::Rendering;
use gray1_debugger::{Debugger, History, Input};
use gray1_editors::dap::{LaunchArguments, Launched, Launcher};
use gray1_editors::{ProgramSettings, without_dots};
use gray1_programs::STOCK;
use gray1_sim::OptionSyntax;

use crate::cli::shared::inputs::read_buttons;
use crate::cli::shared::messages::explain;
use crate::cli::shared::outcome::Failure;
use crate::program::{self, LoadedProgram};
use crate::{board, files};

/// Loads programs, boards and button presses from files.
pub(super) struct FromFiles;

impl Launcher for FromFiles {
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, String> {
        let LaunchArguments { program, settings, buttons, .. } = arguments;
        let ProgramSettings { include, machine, .. } = settings;
        let is_stdin = |word: &str| word == files::STDIO;
        let buttons_are_stdin =
            buttons.as_ref().is_some_and(|path| path.as_os_str() == files::STDIO);
        let board = machine.board.as_deref();
        if is_stdin(program) || board.is_some_and(is_stdin) || buttons_are_stdin {
            return Err("standard input belongs to the client".to_owned());
        }
        let describe = |failure: Failure| explain(&failure).trim_end().to_owned();
        machine.check(OptionSyntax::Fields)?;
        let program = program::load_as(program.as_ref(), &settings.defines(), include);
        let program = program.map_err(|failure| describe(Failure::Load(failure)))?;
        let presses = buttons.as_deref().map(read_buttons).transpose().map_err(describe)?;
        let machine = machine.resolve(STOCK, board::load)?;
        let mut notes = program.warnings.as_ref().map_or_else(String::new, |assembly| {
            Rendering::Plain.render(&assembly.diagnostics, &assembly.files)
        });
        notes.extend(
            program.notes.iter().chain(&machine.note).map(|note| format!("note: {note}\n")),
        );
        let files = source_files(&program);
        let engine = machine.setup.engine(&program.image).map_err(|error| error.to_string())?;
        let presses = presses.unwrap_or_default().into_iter();
        let presses = presses.map(|(before, buttons)| (before, Input::Hold(buttons)));
        let history = History::with_first_writes(engine).with_schedule(presses);
        let debugger =
            Debugger::new(program.image, history).with_board(Box::new(machine.board_loader()));
        Ok(Launched { debugger, files, notes })
    }

    fn identity(&self, path: &Path) -> String {
        program::identity(path)
    }

    fn read(&self, path: &Path) -> Option<String> {
        program::read_source(path).ok().map(|source| source.text)
    }
}

/// The names of a program's source files, with their paths in the form that the client used for the
/// program.
fn source_files(program: &LoadedProgram) -> Vec<(String, Option<PathBuf>)> {
    let files = program.image.source_map().files().iter().map(|file| {
        let path = find_source(program, &file.name);
        (file.name.clone(), path.and_then(|path| make_absolute(&path)))
    });
    files.collect()
}

/// The path of the source file with this name.
fn find_source(program: &LoadedProgram, name: &str) -> Option<PathBuf> {
    let Some(assembly) = &program.warnings else {
        // An image has only the names of its sources. The files can be next to the image.
        let sibling = Path::new(&program.name).with_file_name(name);
        return [name.into(), sibling].into_iter().find(|path| path.exists());
    };
    program::file_path(assembly.files.iter().find(|file| file.name() == name)?)
}

/// The absolute path of a file, without `..` where it stays the same file.
fn make_absolute(path: &Path) -> Option<PathBuf> {
    let plain = without_dots(&std::path::absolute(path).ok()?);
    let is_same = program::identity(&plain) == program::identity(path);
    if is_same { Some(plain) } else { files::canonical(path).ok() }
}

#[cfg(test)]
mod tests {
    use gray1_debugger::Goal;
    use gray1_isa::panel::{BUTTONS, Buttons};
    use serde_json::{Value, json};

    use super::*;

    fn launched(arguments: &Value) -> Result<Launched, String> {
        FromFiles.launch(&LaunchArguments::from_json(arguments)?)
    }

    #[test]
    fn a_launch_cannot_read_standard_input() {
        for arguments in [
            json!({ "program": "-" }),
            json!({ "program": "queens", "board": "-" }),
            json!({ "program": "queens", "buttons": "-" }),
        ] {
            let refusal = launched(&arguments).err();
            assert_eq!(refusal.as_deref(), Some("standard input belongs to the client"));
        }
    }

    #[test]
    fn an_impossible_machine_is_refused_with_the_names_of_the_fields() {
        for (arguments, expected) in [
            (json!({ "program": "queens", "seed": 3 }), "`seed` requires the engine `timed`"),
            (
                json!({ "program": "queens", "engine": "chips", "glitch": 9 }),
                "`glitch` requires the engine `timed`",
            ),
            (
                json!({ "program": "queens", "board": "gary1" }),
                "there is no built-in board called `gary1`, only `gray1`, `gray1-b` and \
                 `binary-counter`",
            ),
        ] {
            assert_eq!(launched(&arguments).err().as_deref(), Some(expected));
        }
        let engine = json!({ "program": "queens", "engine": "fast" });
        let expected = "engine: expected instruction, chips or timed, found \"fast\"";
        assert_eq!(launched(&engine).err().as_deref(), Some(expected));
    }

    #[test]
    fn an_argument_of_the_wrong_type_is_named_with_the_expected_one() {
        for (wrong, expected) in [
            (
                json!({ "program": 5 }),
                "program: expected the path or the name of a program, found 5",
            ),
            (
                json!({ "program": "queens", "define": "N=3", "stopOnEntry": "yes" }),
                "stopOnEntry: expected true or false, found \"yes\"; define: expected a list of \
                 values such as [\"N=3\"], found \"N=3\"",
            ),
            (
                json!({ "program": "queens", "ram": 5, "pulse": 0 }),
                "ram: expected zero, ones or random:SEED, found 5; pulse: expected a number above \
                 0, found 0",
            ),
            (json!({ "define": [] }), "missing field `program`"),
        ] {
            assert_eq!(launched(&wrong).err().as_deref(), Some(expected));
        }
        let left_open = json!({ "program": "queens", "define": null, "engine": null, "ram": null });
        assert!(launched(&left_open).is_ok());
    }

    #[test]
    fn a_launch_sets_defines_and_include_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("more")).unwrap();
        std::fs::write(folder.path().join("more/k.asm"), ".default N = 1\n").unwrap();
        let path = folder.path().join("p.asm");
        std::fs::write(&path, ".include \"k.asm\"\n LDI N\n HALT\n").unwrap();
        let more = [folder.path().join("more")];
        let arguments = json!({ "program": path, "define": ["N='a'"], "include": more });
        let Launched { debugger, .. } = launched(&arguments).unwrap();
        assert_eq!(debugger.image().words()[0].operand(), 97);
        let arguments = json!({ "program": path, "define": ["M=2"], "include": more });
        let refusal = launched(&arguments).err().unwrap();
        let why = "`-D M`: no `.default` of the program defines this name";
        assert!(refusal.contains(why), "{refusal}");
        let arguments = json!({ "program": path, "define": ["N"] });
        let refusal = launched(&arguments).err().unwrap();
        assert_eq!(refusal, "define: `N`: expected NAME=value");
    }

    #[test]
    fn the_client_gets_a_note_if_the_board_runs_chip_by_chip() {
        let arguments = json!({ "program": "queens", "board": "binary-counter" });
        let note = "note: running the chips one by one: the board has other chips";
        assert!(launched(&arguments).unwrap().notes.contains(note));
    }

    #[test]
    fn wires_are_available_on_the_instruction_engine() {
        for (board, title) in [("gray1", "Gray-1"), ("gray1-b", "Gray-1 B")] {
            let arguments = json!({ "program": "queens", "board": board });
            let Launched { mut debugger, .. } = launched(&arguments).unwrap();
            assert!(debugger.wires().is_none(), "programs run fast on this board");
            assert_eq!(debugger.levels().unwrap().board.title(), title);
        }
    }

    #[test]
    fn buttons_are_pressed_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("presses.txt");
        std::fs::write(&path, "2 up\n").unwrap();
        let arguments = json!({ "program": "queens", "buttons": path });
        let Launched { mut debugger, .. } = launched(&arguments).unwrap();
        let mut held = || {
            debugger.go(Goal::Instructions(1)).unwrap();
            while debugger.is_busy() {
                debugger.advance(u64::MAX);
            }
            Buttons(debugger.engine().ram()[BUTTONS.to_usize()]).to_string()
        };
        assert_eq!([held(), held(), held()], ["-", "up", "up"]);
    }
}
