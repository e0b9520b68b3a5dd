//! A launcher for programs in memory, without files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gray1_asm::{Rendering, assemble};
use gray1_debugger::{Debugger, History};
use gray1_isa::Image;
use gray1_programs::Sources as Texts;
use gray1_sim::{MachineSpec, ResolvedMachine, Setup};

use crate::dap::launch::{LaunchArguments, Launched, Launcher};

/// The programs that a test has written, by path. The built-in ones are also available.
#[derive(Clone, Default)]
pub(super) struct InMemory(Rc<RefCell<Texts>>);

/// The names of files, and their paths.
type Files = Vec<(String, Option<PathBuf>)>;

impl InMemory {
    pub(super) fn write(&self, path: &str, text: &str) {
        self.0.borrow_mut().0.insert(path.to_owned(), text.to_owned());
    }

    /// Returns the image of a program, the paths of its files, and the warnings, or the error
    /// messages if it does not assemble.
    fn assembled(&self, program: &str) -> Result<(Image, Files, String), String> {
        let texts = self.0.borrow();
        let built_in = || gray1_programs::file(&format!("{program}.asm"));
        let built_in = || built_in().map(gray1_programs::source);
        let source = texts.source(program).or_else(built_in).ok_or("there is no such program")?;
        let mut assembly = assemble(source, &mut &*texts);
        let notes = Rendering::Plain.render(&assembly.diagnostics, &assembly.files);
        let Some(image) = assembly.image.take() else { return Err(notes) };
        let path = |name: &String| texts.0.contains_key(name).then(|| name.into());
        let names = image.source_map().files().iter().map(|file| file.name.clone());
        let files = names.map(|name| (name.clone(), path(&name))).collect();
        Ok((image, files, notes))
    }

    pub(super) fn image(&self, program: &str) -> Image {
        self.assembled(program).map(|(image, ..)| image).unwrap()
    }
}

impl Launcher for InMemory {
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, String> {
        let LaunchArguments { program, settings, .. } = arguments;
        let machine = &settings.machine;
        let machine = resolved(machine)?;
        let (image, files, notes) = self.assembled(program)?;
        let engine = machine.setup.engine(&image).map_err(|error| error.to_string())?;
        let debugger = Debugger::new(image.into(), History::with_first_writes(engine))
            .with_board(Box::new(machine.board_loader()));
        Ok(Launched { debugger, files, notes })
    }

    /// Treats `/link` as a link to `/programs`, so `/link/a.asm` is the same file as
    /// `/programs/a.asm`.
    fn identity(&self, path: &Path) -> String {
        path.to_str().unwrap().replace("/link/", "/programs/")
    }

    fn read(&self, path: &Path) -> Option<String> {
        self.0.borrow().0.get(&self.identity(path)).cloned()
    }
}

/// The machine of a launch. Only the stock board is available.
fn resolved(spec: &MachineSpec) -> Result<ResolvedMachine, String> {
    spec.resolve(gray1_programs::STOCK, |board| Err(format!("there is no board {board}")))
}

pub(super) fn setup(spec: &MachineSpec) -> Result<Setup, String> {
    Ok(resolved(spec)?.setup)
}
