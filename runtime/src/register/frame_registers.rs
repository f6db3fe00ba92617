//! The registers of a frame.
//!
//! Input: registers that are made and that end.
//! Output: those of a name, and all of them.
//! Postcondition: the time to find a name does not grow with the number of names.

use super::name::Symbol;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegisterId(pub(super) u32);

impl RegisterId {
    #[cfg(test)]
    pub fn new(number: u32) -> RegisterId {
        RegisterId(number)
    }
}

/// Most frames have a few registers, for which an index would cost more than it saves.
const FEW: usize = 32;

#[derive(Debug, Default)]
pub struct FrameRegisters {
    /// In the order in which they were made.
    ids: Vec<RegisterId>,
    names: Vec<Symbol>,
    /// Exists from the time when there are many registers until there are none.
    by_name: Option<HashMap<Symbol, Vec<RegisterId>>>,
}

impl FrameRegisters {
    pub fn push(&mut self, id: RegisterId, name: Symbol) {
        self.ids.push(id);
        self.names.push(name);
        match &mut self.by_name {
            Some(by_name) => by_name.entry(name).or_default().push(id),
            None if self.ids.len() > FEW => {
                let mut by_name: HashMap<Symbol, Vec<RegisterId>> = HashMap::new();
                for (id, name) in self.ids.iter().zip(&self.names) {
                    by_name.entry(*name).or_default().push(*id);
                }
                self.by_name = Some(by_name);
            }
            None => {}
        }
    }

    pub fn remove(&mut self, id: RegisterId, name: Symbol) {
        // When a frame ends, this is usually the last one.
        let Some(place) = self.ids.iter().rposition(|&other| other == id) else { return };
        self.ids.remove(place);
        self.names.remove(place);
        if self.ids.is_empty() {
            self.by_name = None;
        } else if let Some(named) = self.by_name.as_mut().and_then(|by_name| by_name.get_mut(&name)) {
            named.retain(|&other| other != id);
        }
    }

    pub fn all(&self) -> &[RegisterId] {
        &self.ids
    }

    /// The registers that may have this name. If there are few, these are all of them.
    pub fn named(&self, name: Symbol) -> &[RegisterId] {
        match &self.by_name {
            Some(by_name) => by_name.get(&name).map_or(&[], Vec::as_slice),
            None => &self.ids,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::Names;

    #[test]
    fn few_and_many_registers_are_found_by_name() {
        let mut names = Names::default();
        let symbols: Vec<Symbol> = (0..100).map(|number| names.symbol(&format!("x{number}"))).collect();
        let mut scope = FrameRegisters::default();
        for (number, symbol) in symbols.iter().enumerate() {
            scope.push(RegisterId::new(number as u32), *symbol);
            assert!(scope.named(*symbol).contains(&RegisterId::new(number as u32)));
        }
        assert_eq!(scope.named(symbols[7]), [RegisterId::new(7)]);
        scope.remove(RegisterId::new(7), symbols[7]);
        assert!(scope.named(symbols[7]).is_empty() && scope.all().len() == 99);
        for number in (0..100).filter(|&number| number != 7) {
            scope.remove(RegisterId::new(number), symbols[number as usize]);
        }
        assert!(scope.all().is_empty() && scope.by_name.is_none());
    }
}
