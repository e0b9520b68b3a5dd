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
