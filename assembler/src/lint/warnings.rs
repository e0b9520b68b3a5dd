//! Warnings about code that assembles but is probably a mistake.
//!
//! A line can expand to many instructions through macros and repeats. It gets a warning only if the
//! warning applies to all of them, because an instruction that one macro call does not need can be
//! necessary in another.

use std::collections::{BTreeSet, HashMap, HashSet};

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, Word};
use gray1_language::split_comment;

use super::flow::{Carry, Flow};
use crate::diagnostic::{Diagnostic, Help, Lint};
use crate::directives::closer;
use crate::limits::WARNINGS_MAX;
use crate::names::{Name, Names};
use crate::place::{PlacedWord, Placement};
use crate::report::sort_by_place;
use crate::source::{FileId, Files, Location, Span};
use crate::sources::LoadedSources;
use crate::symbols::{Meaning, SiteId};
use crate::syntax::Item;

/// If C was set more instructions ago than this, it was probably not kept on purpose.
const CARRY_AGE_MAX: u16 = 32;

/// A line or an argument whose instructions all deserve a warning.
pub(super) struct Suspect {
    /// The index of its first instruction.
    first: usize,
    /// The description of its last instruction.
    pub(super) problem: String,
}

/// Returns all warnings about a program without errors.
pub(crate) fn lint(
    placement: &Placement,
    words: &[Word],
    sources: &LoadedSources<'_>,
) -> Vec<Diagnostic> {
    let LoadedSources { names, files, .. } = sources;
    let (root, flow) = (sources.root(), Flow::new(words));
    let program = LinkedProgram { placement, words, names, files, root, flow };
    let mut warnings =
        if placement.words.is_empty() { program.check_for_code() } else { program.find_mistakes() };
    let allowed = &placement.settings.allowed;
    warnings.retain(|warning| warning.lint.is_none_or(|lint| !allowed.contains(&lint)));
    sort_by_place(&mut warnings);
    // Limit each kind separately, so that a denied kind keeps at least one warning.
    let mut counts = HashMap::new();
    let all = warnings.len();
    warnings.retain(|warning| {
        let count = counts.entry(warning.lint).or_insert(0);
        *count += 1;
        *count <= WARNINGS_MAX
    });
    if warnings.len() < all {
        let enough =
            format!("too many warnings: only the first {WARNINGS_MAX} of a kind are shown");
        warnings.push(Diagnostic::warning(None, enough));
    }
    warnings
}

/// A linked program, with everything that warnings need.
pub(super) struct LinkedProgram<'a> {
    pub(super) placement: &'a Placement,
    pub(super) words: &'a [Word],
    pub(super) names: &'a Names,
    pub(super) files: &'a Files,
    /// The items of the main source.
    root: &'a [Item],
    pub(super) flow: Flow,
}

impl LinkedProgram<'_> {
    /// Returns the probable mistakes in a program that has code.
    fn find_mistakes(&self) -> Vec<Diagnostic> {
        let operands = self.own_operands();
        let mut warnings = self.find_unused();
        warnings.extend(self.find_unreachable());
        warnings.extend(self.find_unwritten_variables());
        warnings.extend(self.find_unwritten_bytes(&operands));
        warnings.extend(self.find_early_constants());
        warnings.extend(self.find_undefined_accumulator());
        warnings.extend(self.find_fallthrough());
        warnings.extend(self.find_stale_carry());
        warnings.extend(self.find_missing_ends());
        warnings.extend(self.find_numbers(&operands));
        warnings.extend(self.find_loaded_addresses(&operands));
        warnings.extend(self.find_pointers(&operands));
        warnings.extend(self.find_odd_comments());
        warnings
    }

    /// Finds comments with U+FFFD, which stands for a byte that is not UTF-8.
    fn find_odd_comments(&self) -> Vec<Diagnostic> {
        let odd = self.files.iter_with_ids().filter_map(|(id, file)| {
            let start = file.text().find(char::REPLACEMENT_CHARACTER)? as u32;
            let line = file.line_span(file.line_of(start)).start;
            let before = &file.text()[line as usize..start as usize];
            split_comment(before).1?;
            let span = Span { start, end: start + char::REPLACEMENT_CHARACTER.len_utf8() as u32 };
            let message = "this byte is not UTF-8 (save the file as UTF-8)";
            Some(Diagnostic::warning(None, message).at(Location { file: id, span }))
        });
        odd.collect()
    }

    /// Warns about an empty source. A source with definitions but no code may be a library.
    fn check_for_code(&self) -> Vec<Diagnostic> {
        let warning = Diagnostic::warning(Some(Lint::End), "this source has no instructions");
        if self.placement.symbols.is_empty() {
            vec![warning.at(Location::START)]
        } else {
            Vec::new()
        }
    }

    // --- Names -------------------------------------------------------------------------------

    /// Finds names of the program itself that are never used. Global labels may be for readers, and
    /// libraries define names for others, so neither is reported.
    fn find_unused(&self) -> Vec<Diagnostic> {
        let (names, table) = (self.names, &self.placement.symbols);
        let symbols = table.definitions.iter().filter_map(|definition| {
            let is_label = matches!(definition.meaning, Meaning::Label(_));
            let is_shown = is_label && !names.is_local(definition.name);
            (!is_shown).then(|| (definition.meaning.kind(), definition.name, definition.location))
        });
        let macros = table.macros.iter().map(|(name, found)| ("macro", *name, found.location));
        let functions =
            table.functions.iter().map(|(name, found)| ("function", *name, found.location()));
        let unused = symbols
            .chain(macros)
            .chain(functions)
            .filter(|(_, name, _)| !names.is_mentioned(*name))
            .map(|(kind, name, at)| (at, kind, name, "used"));
        let uncalled = self.placement.routines.iter().filter(|routine| routine.called.is_none());
        let uncalled =
            uncalled.map(|routine| (routine.location(), "routine", routine.name, "called"));
        let unused: BTreeSet<(Location, &str, Name, &str)> =
            unused.chain(uncalled).filter(|(at, ..)| at.file == FileId::ROOT).collect();
        let warnings = unused.into_iter().map(|(at, kind, name, done)| {
            let message = format!("{kind} `{}` is never {done}", names.text(name));
            Diagnostic::warning(Some(Lint::Unused), message).at(at)
        });
        warnings.collect()
    }

    // --- Control flow ------------------------------------------------------------------------

    /// Finds unreachable code. Consecutive instructions get one warning.
    fn find_unreachable(&self) -> Vec<Diagnostic> {
        let lines = self.find_suspects(
            |_| true,
            |placed| self.line_of(placed),
            |index| (!self.flow.reaches(index)).then(|| "unreachable code".to_owned()),
        );
        // The assembler adds a return at the end of each routine, so it does not count as
        // unreachable.
        let closers: HashSet<Location> =
            self.placement.routines.iter().map(|routine| routine.closer).collect();
        let dead = lines.iter().filter(|(at, line)| {
            let above = line.first.checked_sub(1).and_then(|above| self.placement.at(above));
            let is_first = above.is_none_or(|above| !lines.contains_key(&self.line_of(above)));
            is_first && !closers.contains(at)
        });
        dead.map(|(at, _)| {
            let warning = Diagnostic::warning(Some(Lint::Unreachable), "unreachable code");
            Diagnostic { label: Some("nothing leads here".to_owned()), ..warning }.at(*at)
        })
        .collect()
    }

    /// Finds routines that the code above runs into. There is no call to return to.
    fn find_fallthrough(&self) -> Vec<Diagnostic> {
        let called = self.placement.routines.iter().filter(|routine| routine.called.is_some());
        let run_into = called.filter(|routine| {
            (routine.entry as usize).checked_sub(1).is_none_or(|above| {
                above < ROM_WORDS && self.flow.reaches(above) && self.words[above].op() != Op::Jmp
            })
        });
        let warnings = run_into.map(|routine| {
            let name = self.names.text(routine.name);
            let message = format!("the program runs into routine `{name}` without calling it");
            let at = self.own_line(routine.location(), routine.scope.site);
            Diagnostic::warning(Some(Lint::Entry), message).at(at)
        });
        warnings.collect()
    }

    /// Finds JCs whose carry was already tested, never set, or set long ago.
    fn find_stale_carry(&self) -> Vec<Diagnostic> {
        let is_jc = |index: usize| self.words[index].op() == Op::Jc;
        let line = |placed: &PlacedWord| self.line_of(placed);
        let stale = self.find_suspects(is_jc, line, |index| {
            if !self.flow.reaches(index) {
                return None;
            }
            let old = self.flow.age(index).filter(|age| *age > CARRY_AGE_MAX);
            Some(match self.flow.carry(index) {
                carry if carry.is_from_power_up() => "nothing has set C before this JC".to_owned(),
                Carry::ZERO => "this JC never jumps: the JC before it found C to be 0".to_owned(),
                Carry::ONE => "this JC always jumps: the JC before it found C to be 1".to_owned(),
                _ => format!("this JC tests a C that was set {} instructions earlier", old? + 1),
            })
        });
        let stale = stale.into_iter();
        stale
            .map(|(at, line)| Diagnostic::warning(Some(Lint::Carry), line.problem).at(at))
            .collect()
    }

    /// Finds lines after which the program runs into memory without instructions.
    fn find_missing_ends(&self) -> Vec<Diagnostic> {
        let ends = (0..ROM_WORDS).filter(|index| self.flow.reaches(*index)).filter_map(|index| {
            let placed = self.placement.at(index)?;
            let mut next = self.flow.next(self.words, index);
            let empty = next.find(|next| self.placement.at(*next).is_none())?;
            let line = self.line_of(placed);
            let outermost = self.placement.outermost(placed).unwrap_or(line);
            Some((line, empty == index + 1, outermost))
        });
        let ends: BTreeSet<(Location, bool, Location)> = ends.collect();
        let warnings = ends.into_iter().map(|(at, runs_on, outermost)| {
            let (message, help) = if runs_on {
                ("the program runs into erased memory", Some(self.halt_help(at, outermost)))
            } else {
                ("this jumps into erased memory", None)
            };
            Diagnostic::warning(Some(Lint::End), message).at(at).help(help)
        });
        warnings.collect()
    }

    /// Returns help to end the program after a line. In a block or a macro, a HALT would end it too
    /// early, so it goes after the outermost block or call.
    fn halt_help(&self, line: Location, outermost: Location) -> Help {
        let file = self.files.get(outermost.file);
        let block = self.root.iter().find_map(|item| {
            let Item::Block(block) = item else { return None };
            let (first, end) = (block.branches.first()?, block.end?);
            let is_inside = (first.span.start..end.end).contains(&outermost.span.start);
            is_inside.then(|| (closer(first.head.kind()), end))
        });
        let last = file.line_of(block.map_or(outermost.span, |(_, end)| end).start);
        let advice = match block {
            Some((closer, _)) => format!("`HALT` after `{closer}` ends the program"),
            None if outermost == line => "`HALT` ends a program".to_owned(),
            None => format!("`HALT` after line {last} ends the program"),
        };
        let end = file.line_span(last).end;
        let at = Location { file: outermost.file, span: Span { start: end, end } };
        Help::edit(advice, at, "", "\n        HALT")
    }

    /// Returns the places whose instructions of a kind all have a problem. `place` gives the place
    /// of a word, such as its line. `problem` describes the problem of an instruction, if it has
    /// one.
    pub(super) fn find_suspects(
        &self,
        is_of_kind: impl Fn(usize) -> bool,
        place: impl Fn(&PlacedWord) -> Location,
        problem: impl Fn(usize) -> Option<String>,
    ) -> HashMap<Location, Suspect> {
        // Remember the suspect places, because they are fewer than the others.
        let mut suspects: HashMap<Location, Suspect> = HashMap::new();
        let words = || self.words_placed().filter(|(index, _)| is_of_kind(*index));
        for (index, placed) in words() {
            if let Some(problem) = problem(index) {
                let new = Suspect { first: index, problem: String::new() };
                suspects.entry(place(placed)).or_insert(new).problem = problem;
            }
        }
        if !suspects.is_empty() {
            let others = words().filter(|(index, _)| problem(*index).is_none());
            others.for_each(|(_, placed)| drop(suspects.remove(&place(placed))));
        }
        suspects
    }

    /// Returns the words of the program with their indexes.
    pub(super) fn words_placed(&self) -> impl Iterator<Item = (usize, &PlacedWord)> {
        (0..ROM_WORDS).filter_map(|index| Some((index, self.placement.at(index)?)))
    }

    /// Returns the place in the program itself that a word comes from. For code of a library, that
    /// is the call.
    pub(super) fn line_of(&self, placed: &PlacedWord) -> Location {
        self.own_line(placed.location(), placed.scope.site)
    }

    fn own_line(&self, own: Location, site: SiteId) -> Location {
        let calls = self.placement.symbols.scopes.ancestors(site).map(|(_, site)| site.call);
        std::iter::once(own).chain(calls).find(|at| at.file == FileId::ROOT).unwrap_or(own)
    }
}
