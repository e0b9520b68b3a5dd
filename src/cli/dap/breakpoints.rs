//! The client's breakpoints: what they wait for, as it was asked for and as it is in the program.

use gray1_isa::{Image, Place, RamAddr, RomIndex};
use gray1_sim::Indexes;
use gray1_sim::debugger::{
    Access, CONDITIONS_MAX, Condition, Event, Expression, Hit, Scope, WatchSet,
};

use super::hit_condition::HitCondition;
use super::log_message::LogMessage;
use super::sources::{SourceArgument, Sources};

/// How many breakpoints there can be: a run looks for one thing besides.
const BREAKPOINTS_MAX: usize = CONDITIONS_MAX - 1;

/// The breakpoints of all kinds.
#[derive(Default)]
pub(super) struct Breakpoints {
    list: Vec<Breakpoint>,
    last_id: i64,
}

/// A breakpoint.
pub(super) struct Breakpoint {
    pub(super) id: i64,
    wish: Wish,
    /// What it is in the program, or why it is nothing there, in words.
    pub(super) bound: Result<Bound, String>,
}

/// What was asked for.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) target: Target,
    /// An expression that must hold.
    pub(super) condition: Option<String>,
    pub(super) hit_condition: Option<String>,
    pub(super) log_message: Option<String>,
}

/// What is waited for.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// A line.
    Line(SourceArgument, u32),
    /// Anything that [`Condition::parse`] reads.
    Text(String),
    /// An instruction.
    Instruction(RomIndex),
    /// What is done to bytes.
    Bytes(Access, RamAddr, RamAddr),
    /// A change of the display.
    Display,
}

/// What a breakpoint is in a program.
pub(super) struct Bound {
    condition: Condition,
    hit_condition: Option<HitCondition>,
    log_message: Option<LogMessage>,
    /// Where it stands, if it stands somewhere.
    pub(super) index: Option<RomIndex>,
    /// The line, if it waits for one.
    pub(super) place: Option<Place>,
}

/// The kinds that a client sets separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Function,
    Instruction,
    Data,
}

/// What a hit does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// The breakpoints that stop the machine there.
    pub(super) ids: Vec<i64>,
    /// The kind of the first of them.
    pub(super) kind: Option<Kind>,
    /// What log points print there.
    pub(super) logged: Vec<LogMessage>,
}

/// A program, as breakpoints look at it.
#[derive(Clone, Copy)]
pub(super) struct Program<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) sources: &'a Sources,
}

impl Target {
    fn kind(&self) -> Kind {
        match self {
            Self::Line(..) => Kind::Line,
            Self::Text(_) => Kind::Function,
            Self::Instruction(_) => Kind::Instruction,
            Self::Bytes(..) | Self::Display => Kind::Data,
        }
    }
}

impl Breakpoint {
    /// Whether it stops the machine; a log point does not.
    fn stops(&self) -> bool {
        self.bound.as_ref().is_ok_and(|bound| bound.log_message.is_none())
    }

    fn counts(&self) -> bool {
        self.bound.as_ref().is_ok_and(|bound| bound.hit_condition.is_some())
    }
}

impl Breakpoints {
    /// Takes these instead of all of a kind that `are_replaced`.
    pub(super) fn replace(
        &mut self,
        are_replaced: impl Fn(&Target) -> bool,
        wishes: Vec<Wish>,
        program: Program,
    ) {
        self.list.retain(|breakpoint| !are_replaced(&breakpoint.wish.target));
        for wish in wishes {
            self.last_id += 1;
            let bound = if self.list.len() < BREAKPOINTS_MAX {
                wish.bind(program)
            } else {
                Err(format!("there are already {BREAKPOINTS_MAX} breakpoints, the maximum"))
            };
            self.list.push(Breakpoint { id: self.last_id, wish, bound });
        }
    }

    /// Takes these instead of all of this kind.
    pub(super) fn replace_kind(&mut self, kind: Kind, wishes: Vec<Wish>, program: Program) {
        self.replace(|target| target.kind() == kind, wishes, program);
    }

    /// Finds out what they are in another program.
    pub(super) fn bind(&mut self, program: Program) {
        for breakpoint in self.list.iter_mut().take(BREAKPOINTS_MAX) {
            breakpoint.bound = breakpoint.wish.bind(program);
        }
    }

    /// The breakpoints, those of the kind that was set last at the end.
    pub(super) fn list(&self) -> &[Breakpoint] {
        &self.list
    }

    /// What a run looks for: those that are something in the program, and perhaps something else.
    /// Log points are for the way forward.
    pub(super) fn watch_set(
        &self,
        goal: Option<Event>,
        is_forward: bool,
        image: &Image,
    ) -> WatchSet {
        // What is not looked for keeps its number, and never happens.
        let never = || Event::Reaches(Box::default()).into();
        let condition = |breakpoint: &Breakpoint| match &breakpoint.bound {
            Ok(bound) if is_forward || breakpoint.stops() => bound.condition.clone(),
            _ => never(),
        };
        let listed = self.list.iter().take(BREAKPOINTS_MAX).map(condition);
        let conditions = listed.chain(goal.map(Condition::from)).collect();
        WatchSet::new(conditions, |index| image.word(index))
    }

    /// What is looked for besides has this number.
    pub(super) fn goal(&self) -> usize {
        self.list.len().min(BREAKPOINTS_MAX)
    }

    /// Whether some of them are for certain hits, so that hits have to be counted.
    pub(super) fn count(&self) -> bool {
        self.list.iter().any(Breakpoint::counts)
    }

    /// Whether log points are for certain hits.
    pub(super) fn count_logs(&self) -> bool {
        self.list.iter().any(|breakpoint| breakpoint.counts() && !breakpoint.stops())
    }

    /// What a hit does, where these are the numbers of the hits. Without numbers no breakpoint
    /// counts.
    pub(super) fn met_by(&self, hit: &Hit, counts: &[u64]) -> Met {
        let mut met = Met::default();
        for (number, Breakpoint { id, wish, bound }) in self.list.iter().enumerate() {
            let Ok(bound) = bound else { continue };
            let count = counts.get(number).copied().unwrap_or_default();
            let is_for = bound.hit_condition.is_none_or(|condition| condition.is_for(count));
            if !hit.matches.contains(number) || !is_for {
                continue;
            }
            if let Some(message) = &bound.log_message {
                met.logged.push(message.clone());
            } else {
                met.ids.push(*id);
                met.kind.get_or_insert(wish.target.kind());
            }
        }
        met
    }
}

impl Wish {
    fn bind(&self, program: Program) -> Result<Bound, String> {
        let image = program.scope.image;
        let (event, index, place) = match &self.target {
            Target::Line(source, line) => {
                let file = program.sources.find(source).map_err(|refusal| refusal.to_string())?;
                let starts = program.sources.starts(Place { file, line: *line });
                let (place, starts) = starts.ok_or("there is no instruction here or below")?;
                let indexes: Indexes = starts.iter().copied().collect();
                (Event::Reaches(Box::new(indexes)), starts.first().copied(), Some(place))
            }
            Target::Instruction(index) => (Event::reaches(*index), Some(*index), None),
            Target::Bytes(access, first, last) => {
                (Event::Touches(*access, *first..=*last), None, None)
            }
            Target::Display => (Event::Display, None, None),
            Target::Text(text) => match entry(image, text) {
                Some(index) => (Event::reaches(index), Some(index), None),
                None => return self.bind_text(text, program),
            },
        };
        let place = place.or_else(|| Some(image.source_map().origin(index?)?.place));
        let scope = Scope { at: index, ..program.scope };
        let guard = self.condition.as_deref().map(|text| Expression::parse(text, scope));
        let condition = Condition::from(event);
        let condition = match guard.transpose().map_err(|error| error.to_string())? {
            Some(guard) => condition.only_if(guard),
            None => condition,
        };
        self.bound(condition, index, place, scope)
    }

    /// A break in the words of the debugger.
    fn bind_text(&self, text: &str, program: Program) -> Result<Bound, String> {
        let text = match &self.condition {
            Some(condition) => format!("{text} if {condition}"),
            None => text.to_owned(),
        };
        let scope = program.scope;
        let condition = Condition::parse(&text, scope).map_err(|error| error.to_string())?;
        let index = match condition.event() {
            Event::Reaches(indexes) => indexes.iter().next(),
            _ => None,
        };
        let place = index.and_then(|index| scope.image.source_map().origin(index));
        self.bound(condition, index, place.map(|origin| origin.place), scope)
    }

    fn bound(
        &self,
        condition: Condition,
        index: Option<RomIndex>,
        place: Option<Place>,
        scope: Scope,
    ) -> Result<Bound, String> {
        if condition.guard().is_some_and(Expression::is_constant) {
            let why = "this condition does not depend on the machine: [n] is the byte at n";
            return Err(why.to_owned());
        }
        let hit_condition = self.hit_condition.as_deref().map(str::parse).transpose();
        let hit_condition = hit_condition
            .map_err(|error: super::hit_condition::NoHitCondition| error.to_string())?;
        let log_message = self.log_message.as_deref().map(|text| LogMessage::read(text, scope));
        let log_message = log_message.transpose().map_err(|error| error.to_string())?;
        Ok(Bound { condition, hit_condition, log_message, index, place })
    }
}

/// Where the routine of this name is entered. Its name is not that of an instruction.
fn entry(image: &Image, name: &str) -> Option<RomIndex> {
    let routine = image.routines().list().iter().find(|routine| routine.name == name.trim())?;
    routine.indexes.first().copied()
}
