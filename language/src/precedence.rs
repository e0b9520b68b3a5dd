//! Operator precedence: builds a tree from a sequence of operands and operators.

use crate::operator::{Binary, Unary};

/// A parser of expressions. The implementation reads the tokens and makes the nodes. The provided
/// methods apply the precedences.
pub trait Operators {
    /// An expression as a tree.
    type Tree;
    /// The error of the implementation.
    type Error;

    /// Takes a prefix operator if it is the next token. Also returns its position.
    ///
    /// # Errors
    /// Returns an error if another prefix is not allowed here.
    fn take_prefix(&mut self) -> Result<Option<(Unary, usize)>, Self::Error>;

    /// Takes an operand without its prefixes.
    ///
    /// # Errors
    /// Returns an error if the next token is not an operand.
    fn take_primary(&mut self) -> Result<Self::Tree, Self::Error>;

    /// Takes an infix operator if it is the next token and its precedence is at least `least`.
    fn take_infix(&mut self, least: u8) -> Option<Binary>;

    /// Takes `? then : otherwise` if it comes next. Both branches are complete expressions.
    ///
    /// # Errors
    /// Returns an error if only a part of it is there.
    fn take_branches(&mut self) -> Result<Option<[Self::Tree; 2]>, Self::Error>;

    /// Makes the node of a prefix operator. `start` is the operator's position.
    fn make_unary(&mut self, operator: Unary, start: usize, operand: Self::Tree) -> Self::Tree;

    /// Makes the node of an infix operator.
    fn make_binary(&mut self, operator: Binary, operands: [Self::Tree; 2]) -> Self::Tree;

    /// Makes the node of a condition and its branches.
    fn make_conditional(&mut self, condition: Self::Tree, branches: [Self::Tree; 2]) -> Self::Tree;

    /// Takes a complete expression, including a condition and its branches.
    ///
    /// # Errors
    /// Returns an error if the next token does not start an expression.
    fn parse_expression(&mut self) -> Result<Self::Tree, Self::Error> {
        let condition = self.parse_operation(0)?;
        Ok(match self.take_branches()? {
            Some(branches) => self.make_conditional(condition, branches),
            None => condition,
        })
    }

    /// Takes operands joined by infix operators whose precedence is at least `least`.
    ///
    /// # Errors
    /// Returns an error if the next token does not start an operand.
    fn parse_operation(&mut self, least: u8) -> Result<Self::Tree, Self::Error> {
        let mut left = self.parse_operand()?;
        while let Some(operator) = self.take_infix(least) {
            let right = self.parse_operation(operator.precedence() + 1)?;
            left = self.make_binary(operator, [left, right]);
        }
        Ok(left)
    }

    /// Takes an operand with any number of prefixes.
    ///
    /// # Errors
    /// Returns an error if the next token does not start an operand.
    fn parse_operand(&mut self) -> Result<Self::Tree, Self::Error> {
        // Use a loop instead of recursion, because a line can have thousands of prefixes.
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.take_prefix()? {
            prefixes.push(prefix);
        }
        let mut operand = self.take_primary()?;
        while let Some((operator, start)) = prefixes.pop() {
            operand = self.make_unary(operator, start, operand);
        }
        Ok(operand)
    }
}
