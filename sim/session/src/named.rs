//! The commands with a word and a key. Both mean the same in every front end.

use gray1_debugger::Goal;

use super::Command;

/// A command as users give it.
pub struct Named {
    /// The word that stands for it where commands are typed.
    pub word: &'static str,
    /// The key that stands for it, which is also the short form of the word.
    pub key: char,
    /// A short description, for help. It may contain [`RESULT`](crate::RESULT).
    pub title: &'static str,
    /// The command itself.
    pub command: Command,
}

macro_rules! named {
    ($($name:ident: $key:literal $word:literal $title:literal $command:expr;)*) => {
        $(
            #[doc = concat!("`", $word, "`: ", $title, ".")]
            pub const $name: Named =
                Named { word: $word, key: $key, title: $title, command: $command };
        )*
        /// All of them, in the order of the help.
        pub const ALL: &[Named] = &[$($name),*];
    };
}

named! {
    STEP: 's' "step" "one instruction" Command::Step;
    STEP_BACK: 'S' "back" "back by one instruction" Command::StepBack;
    OVER: 'k' "over" "one line: over a macro, a repeat or a call" Command::Go(Goal::Over);
    OVER_BACK: 'K' "back over" "back over a line" Command::GoBack(Goal::Over);
    OUT: 'd' "out" "out of this macro, repeat or routine" Command::Go(Goal::Out);
    OUT_BACK: 'D' "back out" "back out of this macro, repeat or routine"
        Command::GoBack(Goal::Out);
    LED: 'n' "led" "to the next LED change" Command::Go(Goal::LED_CHANGE);
    LED_BACK: 'N' "back led" "back to the previous LED change"
        Command::GoBack(Goal::LED_CHANGE);
    RESULT: ']' "result" "to the next {result}" Command::Go(Goal::PRINTED_LINE);
    RESULT_BACK: '[' "back result" "back to the previous {result}"
        Command::GoBack(Goal::PRINTED_LINE);
    BYTE: 'm' "byte" "to the next printed byte" Command::Go(Goal::MAILBOX_BYTE);
    BYTE_BACK: 'M' "back byte" "back to the previous printed byte"
        Command::GoBack(Goal::MAILBOX_BYTE);
    CONTINUE: 'c' "continue" "to the next break" Command::Go(Goal::Breakpoint);
    REVERSE: 'C' "reverse" "back to the previous break" Command::GoBack(Goal::Breakpoint);
    JUMP_BACK: 'J' "jump back" "back to before the last jump" Command::JumpBack;
    JUMP_FORWARD: 'j' "jump forward" "forward again after J" Command::JumpForward;
    PHASE: 'p' "phase" "one phase, T0 to T7 (one edge)" Command::StepPhase;
    PHASE_BACK: 'P' "back phase" "back by one phase (one edge)" Command::StepPhaseBack;
    RESTART: 'r' "restart" "reset: start the program again" Command::Reset;
}
