//! Names, stored once: two equal names have equal [`Name`]s.

use std::collections::HashMap;
use std::rc::Rc;

/// A name as a number; the [`Names`] that made it have the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(u32);

impl Name {
    /// Its number, counted from 0 in the order of first appearance.
    fn to_usize(self) -> usize {
        self.0 as usize
    }
}

/// All names of an assembly.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Rc<str>, Name>,
    texts: Vec<Rc<str>>,
    /// Which of them are used somewhere, and not only defined.
    mentioned: Vec<bool>,
}

impl Names {
    /// The number of a name, new or known.
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

    /// The text of a name.
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name.to_usize()]
    }

    /// Notes that a name is used.
    pub(crate) fn mention(&mut self, name: Name) {
        self.mentioned[name.to_usize()] = true;
    }

    /// True if a name is used anywhere.
    pub(crate) fn is_mentioned(&self, name: Name) -> bool {
        self.mentioned[name.to_usize()]
    }

    /// All names in order, and whether they are used.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<(&str, bool)> {
        let known = self.texts.iter().zip(0..);
        known.map(|(text, number)| (&**text, self.is_mentioned(Name(number)))).collect()
    }

    /// True if a name is local: it starts with `@`.
    pub(crate) fn is_local(&self, name: Name) -> bool {
        self.text(name).starts_with('@')
    }
}
