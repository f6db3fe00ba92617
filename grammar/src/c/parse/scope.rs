//! Which names stand for types here.
//!
//! In: declarations as the parser finds them, and the brackets of scopes. Out: what a name stands
//! for at this moment. Holds afterwards: going back to a mark forgets exactly what was declared
//! after it.

use crate::c::token::Name;

/// What a name stands for. A name that nobody has declared counts as a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Class {
    #[default]
    Unknown,
    Variable,
    Type,
}

/// How much had been declared when a scope was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(usize);

#[derive(Debug, Default)]
pub struct Scope {
    classes: Vec<Class>,
    /// What each declaration since the last commit has hidden.
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

    /// Keeps what is declared for good: the end of an external declaration.
    pub fn commit(&mut self) {
        self.hidden.clear();
    }

    /// Takes back what was declared since the last commit.
    pub fn roll_back(&mut self) {
        self.restore(Mark(0));
    }
}
