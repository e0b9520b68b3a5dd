//! Operator precedence: from operands and operators in a row to a tree.

use crate::operator::{Binary, Unary};

/// A reader of expressions: it says which token is next, and builds the tree.
pub trait Operators {
    /// A part of the tree.
    type Node;
    /// Why there is no tree.
    type Error;

    /// Takes a prefix if one comes next; gives the place where it starts, too.
    ///
    /// # Errors
    /// If there must be no further prefix.
    fn prefix(&mut self) -> Result<Option<(Unary, usize)>, Self::Error>;

    /// Takes an operand without prefixes.
    ///
    /// # Errors
    /// If no operand comes next.
    fn primary(&mut self) -> Result<Self::Node, Self::Error>;

    /// Takes an operator between operands if one comes next that binds at least so tightly.
    fn infix(&mut self, least: u8) -> Option<Binary>;

    /// Takes `? then : otherwise` if it comes next, as two whole expressions.
    ///
    /// # Errors
    /// If there is only a part of it.
    fn branches(&mut self) -> Result<Option<[Self::Node; 2]>, Self::Error>;

    /// A prefix, where it starts, and its operand.
    fn unary(&mut self, operator: Unary, start: usize, operand: Self::Node) -> Self::Node;

    /// An operator and its operands.
    fn binary(&mut self, operator: Binary, operands: [Self::Node; 2]) -> Self::Node;

    /// A condition and its branches.
    fn conditional(&mut self, condition: Self::Node, branches: [Self::Node; 2]) -> Self::Node;

    /// Takes an operation, and its branches if it is a condition.
    ///
    /// # Errors
    /// If no expression comes next.
    fn expression(&mut self) -> Result<Self::Node, Self::Error> {
        let condition = self.operation(0)?;
        Ok(match self.branches()? {
            Some(branches) => self.conditional(condition, branches),
            None => condition,
        })
    }

    /// Takes operands joined by operators that bind at least so tightly.
    ///
    /// # Errors
    /// If no operand comes next.
    fn operation(&mut self, least: u8) -> Result<Self::Node, Self::Error> {
        let mut left = self.operand()?;
        while let Some(operator) = self.infix(least) {
            let right = self.operation(operator.binding() + 1)?;
            left = self.binary(operator, [left, right]);
        }
        Ok(left)
    }

    /// Takes an operand behind any number of prefixes.
    ///
    /// # Errors
    /// If no operand comes next.
    fn operand(&mut self) -> Result<Self::Node, Self::Error> {
        // No recursion: a line may be full of prefixes.
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.prefix()? {
            prefixes.push(prefix);
        }
        let mut operand = self.primary()?;
        while let Some((operator, start)) = prefixes.pop() {
            operand = self.unary(operator, start, operand);
        }
        Ok(operand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lexer, Token, TokenKind};

    /// Writes brackets around everything.
    struct Bracketed<'a>(std::iter::Peekable<Lexer<'a>>);

    impl<'a> Bracketed<'a> {
        fn take(&mut self, wanted: impl FnOnce(&Token<'a>) -> bool) -> Option<Token<'a>> {
            self.0.next_if(wanted)
        }
    }

    impl Operators for Bracketed<'_> {
        type Node = String;
        type Error = String;

        fn prefix(&mut self) -> Result<Option<(Unary, usize)>, String> {
            let token = self.take(|token| Unary::from_text(token.text).is_some());
            Ok(token.and_then(|token| Some((Unary::from_text(token.text)?, token.start))))
        }

        fn primary(&mut self) -> Result<String, String> {
            let found = format!("{:?}", self.0.peek().map(|token| token.text));
            let operand = self.take(|token| token.kind == TokenKind::Name).ok_or(found)?;
            Ok(operand.text.to_owned())
        }

        fn infix(&mut self, least: u8) -> Option<Binary> {
            let operator = Binary::from_text(self.0.peek()?.text)?;
            (operator.binding() >= least).then(|| self.0.next())?;
            Some(operator)
        }

        fn branches(&mut self) -> Result<Option<[String; 2]>, String> {
            if self.take(|token| token.is("?")).is_none() {
                return Ok(None);
            }
            let then = self.expression()?;
            self.take(|token| token.is(":")).ok_or("expected `:`")?;
            Ok(Some([then, self.expression()?]))
        }

        fn unary(&mut self, operator: Unary, start: usize, operand: String) -> String {
            format!("{operator:?}@{start}({operand})")
        }

        fn binary(&mut self, operator: Binary, [left, right]: [String; 2]) -> String {
            format!("({left}{}{right})", operator.text())
        }

        fn conditional(&mut self, condition: String, [then, otherwise]: [String; 2]) -> String {
            format!("({condition}?{then}:{otherwise})")
        }
    }

    fn read(text: &str) -> Result<String, String> {
        Bracketed(Lexer::new(text).peekable()).expression()
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("a + b * c - d", "((a+(b*c))-d)"),
            ("a || b && c | d ^ e & f", "(a||(b&&(c|(d^(e&f)))))"),
            ("a & b == c < d << e + f", "(a&(b==(c<(d<<(e+f)))))"),
            ("a - b - c", "((a-b)-c)"),
            ("a / b % c", "((a/b)%c)"),
            ("a - -~b", "(a-Negate@4(Complement@5(b)))"),
            ("!a == b", "(Not@0(a)==b)"),
            ("a ? b : c ? d : e", "(a?b:(c?d:e))"),
            ("a ? b ? c : d : e", "(a?(b?c:d):e)"),
            ("a || b ? c : d", "((a||b)?c:d)"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_an_error() {
        for text in ["", "-", "a +", "a + *", "a ? b", "a ? : b"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
