//! Expansion: one walk over the syntax tree, in order. It calls macros, turns repeats, takes
//! includes in, defines names and gives every instruction its index, which needs no value of an
//! operand: all instructions have the same size. Operands wait; see `link`.

mod calls;
mod define;
mod directives;
mod evaluate;
mod facts;
mod flow;
mod function;
mod layout;
mod link;
mod lost;
mod macros;
mod pool;
mod routine;
mod scope;
mod sources;
mod structure;
mod value;
mod warn;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gray1_isa::{Image, Symbol};

pub(crate) use self::calls::CALL_SITES_MAX;
pub(crate) use self::facts::{Cost, Facts, KnownMeaning, NamedMeaning};
pub(crate) use self::function::FUNCTION_CALLS_MAX;
use self::function::{DefinedFunction, Effort};
use self::layout::Layout;
use self::lost::Lost;
use self::pool::Pool;
use self::routine::Routines;
use self::scope::{EnvId, Scope, Scopes, Site, SiteId, SiteKind, StretchId};
use self::sources::Sources;
use self::structure::Structure;
pub(crate) use self::value::Value;
use self::value::{Known, Missing, Stop, Thunk, ThunkId};
use crate::data_map::{DataItem, DataMap};
use crate::diagnostic::{Diagnostic, Lint, Note};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::{NoErrors, Reported, Reporter, Ticket, shorten};
use crate::source::{FileId, Files, Loader, Location, Source, Span};
use crate::syntax::{Expr, Item, Items, Line, MacroHead};

/// How deep macro calls, repeats, `.if`s and includes may be nested while they expand.
pub(crate) const DEPTH_MAX: u32 = 256;
/// How many bytes all files of a program may have together. The syntax tree takes up to fifty times
/// as much.
pub(crate) const SOURCE_BYTES_MAX: usize = 4 << 20;
/// How many lines all files of a program may have together.
pub(crate) const SOURCE_LINES_MAX: usize = 1 << 18;
/// How many lines macros and repeats may expand to: 32 for each word of program memory.
pub(crate) const LINES_MAX: u32 = 1 << 18;
/// How often a program is expanded until its pool has the right size and its routines their bytes.
/// The first time finds out what there is, the second is right; a third is needed where both are
/// there. Only a program whose constants or calls depend on indexes that they move needs more.
const EXPANSIONS_MAX: u32 = 6;

/// What came of expanding a source.
pub(crate) struct Expanded {
    pub(crate) image: Option<Image>,
    pub(crate) data: DataMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) files: Files,
}

/// Assembles a source and all it includes.
pub(crate) fn assemble(source: Source, loader: &mut dyn Loader) -> Expanded {
    run(source, loader, |_| ()).0
}

/// The same, with what there is to know about the source.
pub(crate) fn analyze(source: Source, loader: &mut dyn Loader) -> (Expanded, Facts) {
    run(source, loader, facts::gather)
}

fn run<T: Default>(
    source: Source,
    loader: &mut dyn Loader,
    look: impl FnOnce(&Expander<'_>) -> T,
) -> (Expanded, T) {
    let mut sources = Sources::new(loader);
    let name = source.name.clone();
    let root = match sources.take_in(source) {
        Ok(root) => root,
        Err(problem) => {
            let diagnostics = vec![Diagnostic::error(format!("{name}: {problem}"))];
            let data = DataMap::default();
            let files = sources.files;
            return (Expanded { image: None, data, diagnostics, files }, T::default());
        }
    };
    let (mut pool, mut routines) = (Pool::default(), Routines::default());
    for _ in 1..EXPANSIONS_MAX {
        let mut expander = Expander::new(sources, pool, routines);
        let image = expander.program(root);
        if expander.is_settled() {
            let seen = look(&expander);
            return (expander.finish(image), seen);
        }
        pool = expander.pool.again();
        routines = expander.routines.again();
        sources = expander.sources;
    }
    let mut expander = Expander::new(sources, pool, routines);
    let image = expander.program(root);
    let seen = look(&expander);
    (expander.finish(image), seen)
}

/// What a name that a program defines stands for.
#[derive(Debug)]
enum Meaning {
    Label(u32),
    Constant(ThunkId),
    /// Of the routine of this number, or of the whole program.
    Variable {
        address: i64,
        size: u16,
        routine: Option<u32>,
    },
}

/// A name with its meaning.
#[derive(Debug)]
struct Definition {
    name: Name,
    meaning: Meaning,
    location: Location,
}

/// A macro that was defined.
#[derive(Debug)]
struct Macro {
    head: Rc<MacroHead>,
    body: Items,
    /// Where it was defined.
    file: FileId,
    env: EnvId,
    location: Location,
    /// Calls of it expand without end, which was reported.
    is_endless: Cell<bool>,
}

/// Why there is no image.
#[derive(Debug, Clone, Copy)]
enum NoImage {
    /// There are errors.
    Errors,
    /// The program has to be expanded again, with what came out.
    Unsettled,
}

impl From<Reported> for NoImage {
    fn from(_: Reported) -> Self {
        Self::Errors
    }
}

/// Where the walk is.
#[derive(Debug, Clone, Copy)]
struct At {
    file: FileId,
    env: EnvId,
    site: SiteId,
    depth: u32,
}

impl At {
    /// The start of the file that the assembler was started on.
    const ROOT: Self = Self { file: FileId::ROOT, env: EnvId::ROOT, site: SiteId::ROOT, depth: 0 };
}

struct Expander<'a> {
    sources: Sources<'a>,
    /// The files that were expanded, or are being.
    taken: HashSet<FileId>,
    scopes: Scopes,
    layout: Layout,
    pool: Pool,
    routines: Routines,
    reporter: Reporter,
    definitions: Vec<Definition>,
    globals: HashMap<Name, u32>,
    macros: HashMap<Name, Rc<Macro>>,
    functions: HashMap<Name, Rc<DefinedFunction>>,
    effort: Effort,
    /// The structure whose lines are being expanded.
    structure: Option<Structure>,
    lost: Lost,
    title: Option<(Rc<str>, Location)>,
    /// The warnings that were switched off.
    allowed: Vec<Lint>,
    asserts: Vec<Assertion>,
    /// What made each word of program memory, once they are all placed.
    origins: Vec<Option<(Span, Scope)>>,
    /// Names that something needed before they were defined: reported, to be reworded once it is
    /// known whether they ever are.
    needed: Vec<(Option<Ticket>, Missing)>,
    /// The same for calls of macros.
    unknown_calls: Vec<(Option<Ticket>, Name, Span, Scope)>,
    /// The files whose lines are being expanded, the root first.
    including: Vec<FileId>,
    stretch: StretchId,
    /// How many lines were expanded.
    lines: u32,
    /// On the way out, because something expands without end.
    unwinding: bool,
    thunks: Vec<Thunk>,
    /// How many candidates were compared for suggestions.
    candidates: usize,
    /// All is expanded: what is not defined by now never will be.
    complete: bool,
}

/// An `.assert` that waits for the end.
struct Assertion {
    condition: Rc<Expr>,
    text: Option<Rc<str>>,
    scope: Scope,
}

impl<'a> Expander<'a> {
    fn new(sources: Sources<'a>, pool: Pool, routines: Routines) -> Self {
        let mut scopes = Scopes::new();
        let stretch = scopes.stretch(None);
        Self {
            sources,
            taken: HashSet::new(),
            scopes,
            layout: Layout::new(),
            pool,
            routines,
            reporter: Reporter::default(),
            definitions: Vec::new(),
            globals: HashMap::new(),
            macros: HashMap::new(),
            functions: HashMap::new(),
            effort: Effort::default(),
            structure: None,
            lost: Lost::default(),
            title: None,
            allowed: Vec::new(),
            asserts: Vec::new(),
            origins: Vec::new(),
            needed: Vec::new(),
            unknown_calls: Vec::new(),
            including: Vec::new(),
            stretch,
            lines: 0,
            unwinding: false,
            thunks: Vec::new(),
            candidates: 0,
            complete: false,
        }
    }

    /// Expands a program and links it.
    fn program(&mut self, root: FileId) -> Result<Image, NoImage> {
        self.taken.insert(root);
        self.file(At { file: root, ..At::ROOT });
        self.complete = true;
        self.link()
    }

    /// Whether the program was expanded with what came out.
    fn is_settled(&self) -> bool {
        !self.pool.is_unsettled() && !self.routines.is_unsettled()
    }

    /// The finished assembly. Only with evidence that there is no error it has an image.
    fn finish(mut self, image: Result<Image, NoImage>) -> Expanded {
        let pool = self.pool.location().filter(|_| self.pool.is_unsettled());
        let routines = self.routines.location().filter(|_| self.routines.is_unsettled());
        self.reporter.extend(pool.map(|at| Problem::PoolUnsettled.at(at)));
        self.reporter.extend(routines.map(|at| Problem::RoutinesUnsettled.at(at)));
        let image = match (image, self.reporter.verdict()) {
            (Ok(image), Ok(NoErrors { .. })) => Some(image),
            (Err(_), Ok(_)) => {
                self.reporter.extend([Diagnostic::error(
                    Problem::Internal("there is neither an image nor an error").to_string(),
                )]);
                None
            }
            (_, Err(_)) => None,
        };
        let data = image.as_ref().map(|_| self.data_map()).unwrap_or_default();
        let diagnostics = self.reporter.finish();
        Expanded { image, data, diagnostics, files: self.sources.files }
    }

    /// What lies where in data memory.
    fn data_map(&self) -> DataMap {
        let variables = self.definitions.iter().filter_map(|definition| match definition.meaning {
            Meaning::Variable { address, size, routine } if size > 0 => {
                let name = self.sources.names.text(definition.name).to_owned();
                let routine = routine.map(|number| self.routine_name(number));
                Some(DataItem { first: u16::try_from(address).ok()?, size, routine, name })
            }
            _ => None,
        });
        let pool = self.pool.symbols().filter_map(|Symbol { name, value, size, .. }| {
            Some(DataItem { first: u16::try_from(value).ok()?, size, routine: None, name })
        });
        let mut items: Vec<DataItem> = variables.chain(pool).chain(self.site_bytes()).collect();
        items.sort();
        DataMap { items }
    }

    /// Expands a file.
    fn file(&mut self, at: At) {
        let parsed = self.sources.parsed(at.file);
        self.reporter.extend(parsed.diagnostics.iter().cloned());
        self.including.push(at.file);
        self.items(&parsed.items, at);
        self.including.pop();
    }

    /// Expands items in order.
    fn items(&mut self, items: &Items, at: At) {
        for item in items.iter() {
            if self.unwinding {
                if at.depth > 0 || self.lines > LINES_MAX {
                    return;
                }
                // The lines of the root file have nothing to do with what the one before did.
                self.unwinding = false;
            }
            match item {
                Item::Line(line) => self.line(line, at),
                Item::Block(block) => self.block(block, at),
            }
        }
    }

    fn line(&mut self, line: &Line, at: At) {
        for label in &line.labels {
            self.label(label, at);
        }
        if let Some(statement) = &line.statement {
            self.statement(statement, at);
        }
    }

    /// Expands the body of a macro, a turn of a repeat or a file in a stretch of its own.
    fn expansion(&mut self, items: &Items, at: At) {
        let around = self.stretch;
        self.stretch = self.scopes.stretch(Some(around));
        self.items(items, at);
        self.stretch = around;
    }

    /// Counts lines that something expands to; says no when there are too many, or when they are
    /// nested too deep.
    fn may_expand(&mut self, lines: usize, span: Span, at: At) -> bool {
        if self.unwinding {
            return false;
        }
        self.lines = self.lines.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX).max(1));
        if self.lines > LINES_MAX {
            let reported = self.give_up(&Problem::ExpandedTooFar, span, at);
            self.lost.lose_everything(reported);
        } else if at.depth >= DEPTH_MAX {
            self.give_up(&Problem::ExpandedTooDeep, span, at);
        }
        !self.unwinding
    }

    /// Reports that there is no end to this, and starts to unwind.
    fn give_up(&mut self, problem: &Problem, span: Span, at: At) -> Reported {
        self.unwinding = true;
        self.report(problem, span, &self.scope(at))
    }

    /// The scope of an expression that stands here.
    fn scope(&self, at: At) -> Scope {
        Scope {
            file: at.file,
            env: at.env,
            stretch: self.stretch,
            site: at.site,
            here: self.layout.next(),
            defined: self.definitions.len() as u32,
        }
    }

    /// A new site that was called here.
    fn site(&mut self, kind: SiteKind, span: Span, at: At) -> SiteId {
        let call = Location { file: at.file, span };
        self.scopes.site(Site { kind, call, parent: at.site })
    }

    #[expect(clippy::unused_self, reason = "reads like its siblings")]
    fn location(&self, span: Span, scope: &Scope) -> Location {
        Location { file: scope.file, span }
    }

    /// Reports a problem at a place in a scope.
    fn report(&mut self, problem: &Problem, span: Span, scope: &Scope) -> Reported {
        self.report_with(problem, span, scope, |_, diagnostic| diagnostic)
    }

    /// Reports a problem with something added to it, which is worked out only if the problem is
    /// worth a report.
    fn report_with(
        &mut self,
        problem: &Problem,
        span: Span,
        scope: &Scope,
        add: impl FnOnce(&mut Self, Diagnostic) -> Diagnostic,
    ) -> Reported {
        match self.report_anew(problem, span, scope, add) {
            Ok(ticket) => ticket.reported(),
            Err(reported) => reported,
        }
    }

    /// The same, with the right to change the wording of what was not reported before.
    fn report_anew(
        &mut self,
        problem: &Problem,
        span: Span,
        scope: &Scope,
        add: impl FnOnce(&mut Self, Diagnostic) -> Diagnostic,
    ) -> Result<Ticket, Reported> {
        let location = self.location(span, scope);
        let calls = self.scopes.sites_of(scope.site).map(|(_, site)| site.call);
        let unseen = self.reporter.unseen(problem, location, calls)?;
        let diagnostic = self.diagnostic(problem, span, scope);
        let diagnostic = add(self, diagnostic);
        Ok(self.reporter.record(unseen, diagnostic))
    }

    /// A problem at a place in a scope, in words.
    fn diagnostic(&self, problem: &Problem, span: Span, scope: &Scope) -> Diagnostic {
        let location = self.location(span, scope);
        Diagnostic { trace: self.trace(scope.site), ..problem.at(location) }
    }

    /// The evidence that what the parser refused was reported.
    fn refused_by_parser(&mut self, span: Span, scope: &Scope) -> Reported {
        let problem = Problem::Internal("a line was refused without an error");
        self.reporter.evidence().unwrap_or_else(|| self.report(&problem, span, scope))
    }

    /// How the walk came to a site, outermost call first.
    fn trace(&self, site: SiteId) -> Vec<Note> {
        let mut trace: Vec<Note> = self
            .scopes
            .sites_of(site)
            .map(|(_, site)| {
                let message = match site.kind {
                    SiteKind::Macro(name) => {
                        format!("in macro `{}`, called", self.sources.names.text(name))
                    }
                    SiteKind::Function(name) => {
                        format!("in function `{}`, called", self.sources.names.text(name))
                    }
                    SiteKind::Repeat(turn) => format!("in turn {turn} of the repeat"),
                    SiteKind::Include => "included".to_owned(),
                };
                Note { message, location: Some(site.call) }
            })
            .collect();
        trace.reverse();
        shorten(trace)
    }

    /// Deals with a value that is not there although it is needed now.
    fn not_known(&mut self, stop: Stop, who: &'static str, at: Location) -> Reported {
        match stop.needed_by(who, at) {
            Stop::Reported(reported) => reported,
            Stop::Missing(missing) => self.report_needed(*missing),
            Stop::Waits(thunk) => self.report_cycle(&[], thunk),
        }
    }

    /// The value of an expression that must be known by now. Reports it if it is not.
    fn known_value(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        who: &'static str,
    ) -> Result<Known, Reported> {
        let at = self.location(expr.span, scope);
        self.value(expr, scope).map_err(|stop| self.not_known(stop, who, at))
    }

    /// The same for one that must be a number.
    fn known_number(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        who: &'static str,
    ) -> Result<i64, Reported> {
        let known = self.known_value(expr, scope, who)?;
        self.expect_number(&known, expr, scope).map(|(value, _)| value)
    }

    /// The same for a number that must be in a range, of which all fit in a `T`.
    fn known_in_range<T: TryFrom<i64>>(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
        range: (i64, i64),
    ) -> Result<T, Reported> {
        let known = self.known_value(expr, scope, what)?;
        self.in_range(&known, expr, scope, what, range)
    }

    /// The number that a value is, if it is in a range.
    fn in_range<T: TryFrom<i64>>(
        &mut self,
        known: &Known,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
        (min, max): (i64, i64),
    ) -> Result<T, Reported> {
        let (value, _) = self.expect_number(known, expr, scope)?;
        match T::try_from(value) {
            Ok(fitting) if (min..=max).contains(&value) => Ok(fitting),
            _ => {
                let problem = Problem::OutOfRange { what, value, min, max };
                Err(self.report(&problem, expr.span, scope))
            }
        }
    }
}
