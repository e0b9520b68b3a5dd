//! Interned names: equal names have equal [`Name`]s.

use std::collections::HashMap;
use std::rc::Rc;

/// A name as a number. The [`Names`] that made it have its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(u32);

impl Name {
    /// The position, in the order of first appearance.
    fn to_usize(self) -> usize {
        self.0 as usize
    }
}

/// All names of an assembly.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Rc<str>, Name>,
    texts: Vec<Rc<str>>,
    /// Whether each name is used, not only defined.
    mentioned: Vec<bool>,
}

impl Names {
    /// Returns the number of a name, adding it if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(Rc::clone(&text));
        self.mentioned.push(false);
        self.numbers.insert(text, name);
        name
    }

    /// Returns the spelling of a name.
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name.to_usize()]
    }

    /// Marks a name as used.
    pub(crate) fn mention(&mut self, name: Name) {
        self.mentioned[name.to_usize()] = true;
    }

    /// Returns true if a name is used anywhere.
    pub(crate) fn is_mentioned(&self, name: Name) -> bool {
        self.mentioned[name.to_usize()]
    }

    /// Returns all names in order, each with whether it is used.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<(&str, bool)> {
        let known = self.texts.iter().zip(0..);
        known.map(|(text, number)| (&**text, self.is_mentioned(Name(number)))).collect()
    }

    /// Returns true if a name is local, which means that it starts with `@`.
    pub(crate) fn is_local(&self, name: Name) -> bool {
        self.text(name).starts_with('@')
    }
}
