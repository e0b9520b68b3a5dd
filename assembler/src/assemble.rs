//! Runs the stages one after another: parse, place, link, lint.

use std::collections::HashSet;

use gray1_isa::Image;

use crate::data_map::DataMap;
use crate::define::Define;
use crate::diagnostic::Diagnostic;
use crate::facts::{self, Facts};
use crate::limits::PLACEMENTS_MAX;
use crate::link::{self, Linked};
use crate::lint::lint;
use crate::place::{Placement, Plan, place};
use crate::problem::Problem;
use crate::report::{Reported, Reporter};
use crate::source::{Files, Loader, Location, Source};
use crate::sources::LoadedSources;
use crate::suggest;
use crate::symbols::Namespace;

/// The result of an assembly.
#[derive(Debug)]
pub struct Assembly {
    /// The program, or `None` if there are errors.
    pub image: Option<Image>,
    /// The map of data memory. It is empty without an image.
    pub data: DataMap,
    /// Errors and warnings, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The source and the files it included, in the order in which they were read. The locations of
    /// the diagnostics refer to them.
    pub files: Files,
}

/// Assembles a source and the files that it includes.
pub fn assemble(source: Source, loader: &mut dyn Loader) -> Assembly {
    assemble_with(source, loader, &[])
}

/// Assembles a source with other values for its `.default` constants. A value for a name that the
/// program does not define by `.default` is an error. So are two values for one name.
pub fn assemble_with(source: Source, loader: &mut dyn Loader, defines: &[Define]) -> Assembly {
    run(source, loader, defines, false).0
}

/// Assembles a source and gathers facts about it for editors. Unknown names among `defines` are
/// ignored because they may belong to other programs.
pub(crate) fn analyze(
    source: Source,
    loader: &mut dyn Loader,
    defines: &[Define],
) -> (Assembly, Facts) {
    run(source, loader, defines, true)
}

/// Repeats placing and linking until the plan no longer changes. An analysis also gathers facts. In
/// any other assembly, a value for an unknown `.default` is an error.
fn run(
    source: Source,
    loader: &mut dyn Loader,
    defines: &[Define],
    is_analysis: bool,
) -> (Assembly, Facts) {
    let mut sources = LoadedSources::new(loader);
    let name = source.name.clone();
    let root = match sources.add(source) {
        Ok(root) => root,
        Err(problem) => {
            let diagnostics = vec![Diagnostic::error(format!("{name}: {problem}"))];
            let (data, files) = (DataMap::default(), sources.files);
            return (Assembly { image: None, data, diagnostics, files }, Facts::default());
        }
    };
    for define in defines {
        let name = sources.names.intern(&define.name);
        sources.defines.insert(name, define.clone());
    }
    let mut plan = Plan::default();
    let mut placements = 1;
    let (placement, linked, findings) = loop {
        let (placement, mut findings) = place(root, &mut sources, &plan);
        let names = &mut sources.names;
        let linked = link::link(&placement, &plan, names, &mut findings);
        if linked.plan == plan || placements == PLACEMENTS_MAX {
            break (placement, linked, findings);
        }
        plan = linked.plan;
        placements += 1;
    };
    let mut reporter = findings.reporter;
    for (reported, namespace, name) in findings.undefined {
        if let Some(help) = sources.library_help(name) {
            reporter.set_help(reported, help);
        }
        if namespace == Namespace::Symbols
            && let Some((at, visibility)) = sources.out_of_scope(name)
        {
            reporter.show_definition(reported, at, visibility);
        }
    }
    if let Some(reported) = findings.without_pool {
        reporter.set_help(reported, sources.pool_help(placement.start()));
    }
    if !is_analysis {
        let wrong = check_defines(defines, &placement, &mut sources);
        reporter.extend(wrong);
    }
    report_unsettled(&placement, &linked.plan, &plan, &mut reporter);
    let facts = if is_analysis {
        facts::gather(&placement, &linked, &mut sources)
    } else {
        Facts::default()
    };
    let (image, data) = match make_image(&placement, &linked, &sources, &mut reporter) {
        Ok((image, data)) => (Some(image), data),
        Err(_) => (None, DataMap::default()),
    };
    let diagnostics = reporter.finish();
    (Assembly { image, data, diagnostics, files: sources.files }, facts)
}

/// Returns the errors in `-D` arguments: unknown names, and names with two values.
fn check_defines<'a>(
    defines: &'a [Define],
    Placement { symbols, settings, .. }: &'a Placement,
    sources: &'a mut LoadedSources,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let defaults: HashSet<_> = settings.defaults.iter().copied().collect();
    let mut given = HashSet::new();
    defines.iter().filter_map(move |Define { name: text, .. }| {
        let name = sources.names.intern(text);
        if !given.insert(name) {
            return Some(Diagnostic::error(Problem::DefineTwice(text.clone()).to_string()));
        }
        let lost = symbols.lost.name(Namespace::Symbols, name, &sources.names);
        if defaults.contains(&name) || lost.is_some() {
            return None;
        }
        let error = Diagnostic::error(Problem::UnknownDefine(text.clone()).to_string());
        let location = symbols.globals.get(&name).map(|id| symbols.definition(*id).location);
        if location.is_some() {
            return Some(error.note("it is defined here, without `.default`", location));
        }
        if let Some((at, visibility)) = sources.out_of_scope(name) {
            return Some(error.note(visibility, Some(at)));
        }
        let known = settings.defaults.iter().map(|name| sources.names.text(*name));
        // The name is on the command line, so there is no source to change.
        Some(error.help(suggest::nearest(text, Location::START, known).map(|it| it.text)))
    })
}

/// Reports a pool or routines whose size changes each time the program is placed.
fn report_unsettled(placement: &Placement, right: &Plan, used: &Plan, reporter: &mut Reporter) {
    if right.pool_bytes != used.pool_bytes
        && let Some(pool) = placement.pool
    {
        reporter.report(&Problem::PoolUnsettled, pool.location);
    }
    if right.called != used.called
        && let Some(first) = placement.routines.first()
    {
        reporter.report(&Problem::RoutinesUnsettled, first.location());
    }
}

/// Adds warnings, and makes the image of a program without errors.
fn make_image(
    placement: &Placement,
    linked: &Linked,
    sources: &LoadedSources<'_>,
    reporter: &mut Reporter,
) -> Result<(Image, DataMap), Reported> {
    let no_errors = reporter.require_no_errors()?;
    let words = linked.words.as_ref();
    let words =
        words.map_err(|it| it.unwrap_or_else(|| reporter.report_bug("a word has no value")))?;
    let names = &sources.names;
    reporter.extend(lint(placement, words, sources));
    let image = link::make_image(placement, linked, words, names, &sources.files, &no_errors);
    let image = image.ok_or_else(|| reporter.report_bug("the image refuses its symbols"))?;
    Ok((image, link::make_data_map(placement, linked, names)))
}
