//! Reads constants, instructions and macro calls.

use std::rc::Rc;

use gray1_language::Token;

use super::reader::{EQUALS, Reader};
use crate::diagnostic::Help;
use crate::habits;
use crate::keywords::Mnemonic;
use crate::problem::Problem;
use crate::syntax::{Argument, Constant, ExprKind, MacroCall, StatementKind};

impl<'l> Reader<'l, '_, '_> {
    /// Reads `NAME = value`, an instruction or a macro call. The name has been read.
    pub(super) fn read_invocation(&mut self, word: Token<'l>) -> StatementKind {
        if self.take_expected("=", EQUALS) {
            let value = Rc::new(self.read_value());
            let name = self.define(word);
            return StatementKind::Assign(Box::new(Constant { name, value }));
        }
        let first = if self.is_at_end() { None } else { Some(self.read_argument()) };
        let mut others = Vec::new();
        while self.take(",") {
            others.push(self.read_argument());
        }
        if let Some(mnemonic) = Mnemonic::from_name(word.text) {
            return self.make_instruction(mnemonic, &word, first, others);
        }
        let name = self.read_symbol(word);
        name.name.mention(self.parser.names);
        let arguments = first.into_iter().chain(others).collect();
        StatementKind::Call(Box::new(MacroCall { name, arguments }))
    }

    /// Makes an instruction. Refuses it if it does not have the right number of operands.
    fn make_instruction(
        &mut self,
        mnemonic: Mnemonic,
        word: &Token<'_>,
        first: Option<Argument>,
        others: Vec<Argument>,
    ) -> StatementKind {
        let (expected, found) =
            (mnemonic.operand_count(), usize::from(first.is_some()) + others.len());
        let mut all = first.iter().chain(&others);
        if let Some(parameter) = all.find_map(|argument| argument.parameter) {
            let found = format!("the name of a parameter: `{}` is not a macro", word.text);
            let problem = Problem::Expected { expected: "a value".to_owned(), found };
            self.refuse(parameter.span, &problem);
        } else if found != expected {
            let help = match first.as_ref().map(|first| &first.value.kind) {
                Some(ExprKind::Name(name)) => {
                    habits::explain_first_operand(self.parser.names.text(*name))
                }
                _ => None,
            };
            let problem = Problem::OperandCount { name: mnemonic.name(), expected, found };
            let span = self.span(word.start, self.end);
            self.refuse_with(span, &problem, help.map(Help::from));
        }
        self.loose.extend(others.into_iter().map(|other| Rc::unwrap_or_clone(other.value)));
        let operand = first.map(|argument| argument.value);
        match mnemonic {
            Mnemonic::Op(op) => StatementKind::Instruction { op, operand },
            Mnemonic::Halt => {
                self.loose.extend(operand.map(Rc::unwrap_or_clone));
                StatementKind::Halt
            }
        }
    }
}
