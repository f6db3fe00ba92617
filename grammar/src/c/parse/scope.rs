//! The names that denote types in the current scope.
//!
//! Input: declarations as the parser finds them, and the starts and ends of scopes.
//! Output: the class of a name at this moment.
//! Postcondition: restoring a mark removes exactly the declarations after it.

use crate::c::token::Name;

/// The class of a name. An undeclared name counts as a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Class {
    #[default]
    Unknown,
    Variable,
    Type,
}

/// The number of declarations when a scope was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(usize);

#[derive(Debug, Default)]
pub struct Scope {
    classes: Vec<Class>,
    /// The previous classes that declarations since the last commit have hidden.
    hidden: Vec<(Name, Class)>,
}

impl Scope {
    pub fn new(names: usize) -> Scope {
        Scope { classes: vec![Class::Unknown; names], hidden: Vec::new() }
    }

    pub fn class(&self, name: Name) -> Class {
        self.classes.get(name.0 as usize).copied().unwrap_or_default()
    }

    pub fn declare(&mut self, name: Name, class: Class) {
        if let Some(slot) = self.classes.get_mut(name.0 as usize) {
            if *slot != class {
                self.hidden.push((name, *slot));
                *slot = class;
            }
        }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.hidden.len())
    }

    pub fn restore(&mut self, mark: Mark) {
        while self.hidden.len() > mark.0 {
            if let Some((name, class)) = self.hidden.pop() {
                self.classes[name.0 as usize] = class;
            }
        }
    }

    /// Makes the declarations permanent, at the end of an external declaration.
    pub fn commit(&mut self) {
        self.hidden.clear();
    }

    /// Undoes the declarations since the last commit.
    pub fn roll_back(&mut self) {
        self.restore(Mark(0));
    }
}
