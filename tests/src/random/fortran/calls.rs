//! Calls: of functions within expressions and of subroutines, with arguments of every kind.

use std::collections::BTreeSet;

use super::world::{Base, DefinitionSite, Dummy, Memory, Passed, Procedure, Shape};
use super::Writer;

impl Writer {
    fn candidates(&self, fits: impl Fn(&Procedure) -> bool) -> Vec<usize> {
        let open = self.scope.leads && !self.scope.closed;
        let may = |p: &Procedure| {
            (open || !p.leads)
                && (!self.scope.quiet || p.quiet)
                && self.affords(p.checkpoints, p.work)
                && fits(p)
        };
        self.scope.callable.iter().copied().filter(|n| may(&self.world.procedures[*n])).collect()
    }

    /// A reference to a function whose result fits.
    pub fn function_call(&mut self, fits: impl Fn(Base) -> bool) -> Option<(String, Base)> {
        let candidates = self.candidates(|p| p.result.is_some_and(&fits));
        if candidates.is_empty() {
            return None;
        }
        let procedure = self.world.procedures[self.random.pick(&candidates)].clone();
        // Calls within calls are allowed, but not too deep.
        let calls = self.scope.calls;
        self.scope.calls = calls && self.random.chance(30);
        self.level += 1;
        let arguments = self.arguments(&procedure);
        self.level -= 1;
        self.scope.calls = calls;
        self.pays(procedure.checkpoints, procedure.work);
        self.scope.touches.extend(procedure.touches.iter());
        Some((
            format!("{}({})", self.name_for_call(&procedure), arguments?),
            procedure.result.expect("it is a function"),
        ))
    }

    pub fn call_statement(&mut self) {
        let candidates = self.candidates(|p| p.result.is_none());
        if candidates.is_empty() {
            return self.assignment();
        }
        let n = self.random.pick(&candidates);
        let procedure = self.world.procedures[n].clone();
        let Some(arguments) = self.arguments(&procedure) else { return self.assignment() };
        self.pays(procedure.checkpoints, procedure.work);
        self.scope.touches.extend(procedure.touches.iter());
        let name = self.name_for_call(&procedure);
        self.put(format!("call {name}({arguments})"));
    }

    /// The actual arguments, or `None` if a variable for one of them is missing.
    fn arguments(&mut self, procedure: &Procedure) -> Option<String> {
        let mut changed: BTreeSet<usize> = procedure.touches.clone();
        let mut read: BTreeSet<usize> = BTreeSet::new();
        let mut texts: Vec<Option<String>> = vec![None; procedure.dummies.len()];
        // Arguments that are passed by reference and changed are chosen first, so that the others do not use
        // their variables.
        let mut order: Vec<usize> = (0..procedure.dummies.len()).collect();
        order.sort_by_key(|n| !procedure.dummies[*n].intent.writes());
        for n in order {
            let dummy = &procedure.dummies[n];
            if texts[n].is_some() || (dummy.optional && self.random.chance(45)) {
                continue;
            }
            let text = match dummy.passed {
                Passed::Depth => self.random.within(0, 2).to_string(),
                Passed::Scalar => self.scalar_argument(dummy, &mut changed, &mut read)?,
                _ => self.array_argument(dummy, &mut changed, &mut read, &mut texts)?,
            };
            texts[n] = Some(text);
        }
        let explicit = procedure.place != DefinitionSite::External;
        let mut by_name = false;
        let mut parts = Vec::new();
        for (dummy, text) in procedure.dummies.iter().zip(texts) {
            match text {
                None => by_name = true,
                Some(text)
                    if by_name || (explicit && self.random.chance(if dummy.optional { 30 } else { 8 })) =>
                {
                    by_name = true;
                    parts.push(format!("{}={text}", dummy.name));
                }
                Some(text) => parts.push(text),
            }
        }
        Some(parts.join(", "))
    }

    fn scalar_argument(
        &mut self,
        dummy: &Dummy,
        changed: &mut BTreeSet<usize>,
        read: &mut BTreeSet<usize>,
    ) -> Option<String> {
        if let Base::Derived(_) = dummy.base {
            let v = self.writable(|v| {
                v.base == dummy.base && !changed.contains(&v.group) && !read.contains(&v.group)
            })?;
            if dummy.intent.writes() {
                changed.insert(v.group)
            } else {
                read.insert(v.group)
            };
            return Some(v.name);
        }
        if dummy.intent.writes() {
            let v = self.writable(|v| {
                same_type(v.base, dummy.base) && !changed.contains(&v.group) && !read.contains(&v.group)
            })?;
            changed.insert(v.group);
            // The subscripts are evaluated when it is called.
            return Some(self.element(&v));
        }
        if self.random.chance(45) {
            let found = self.readable(|v| same_type(v.base, dummy.base) && !changed.contains(&v.group));
            if let Some(v) = found {
                read.insert(v.group);
                return Some(self.element(&v));
            }
        }
        match self.random.below(10) {
            0..=2 => Some(self.literal(dummy.base)),
            _ => {
                let text = self.exact(dummy.base);
                // A name in parentheses is an expression. Without them, the variable itself would be passed.
                Some(if is_place(&text) { format!("({text})") } else { text })
            }
        }
    }

    fn array_argument(
        &mut self,
        dummy: &Dummy,
        changed: &mut BTreeSet<usize>,
        read: &mut BTreeSet<usize>,
        texts: &mut [Option<String>],
    ) -> Option<String> {
        let writes = dummy.intent.writes();
        let needed = match dummy.passed {
            Passed::Fixed(low, high) => high - low + 1,
            _ => 1,
        };
        let fits = |v: &super::world::Variable| {
            let free = !changed.contains(&v.group) && (!writes || (v.writable && !read.contains(&v.group)));
            let shape = match (&dummy.passed, &v.shape) {
                (Passed::Allocatable, Shape::Dynamic(1)) => {
                    v.memory == Memory::Moves && v.holder == 0 && !v.name.contains('%')
                }
                (Passed::Allocatable, _) => false,
                (Passed::AssumedRank, Shape::Scalar | Shape::Fixed(_) | Shape::Dynamic(_)) => true,
                (Passed::AssumedShape(rank), Shape::Fixed(_) | Shape::Dynamic(_)) => v.shape.rank() == *rank,
                (Passed::Fixed(..), Shape::Fixed(bounds)) => {
                    bounds.iter().map(|(low, high)| high - low + 1).product::<i64>() >= needed
                }
                (Passed::Counted(_) | Passed::Star(_), shape) => shape.rank() > 0,
                _ => false,
            };
            v.base == dummy.base && free && shape
        };
        let v = self.readable(fits)?;
        if writes {
            changed.insert(v.group)
        } else {
            read.insert(v.group)
        };
        let name = self.placed(&v);
        match dummy.passed {
            Passed::Counted(count) | Passed::Star(count) => {
                let size = match &v.shape {
                    Shape::Counted(n) => n.clone(),
                    Shape::Fixed(bounds) if self.random.chance(50) => {
                        bounds.iter().map(|(low, high)| high - low + 1).product::<i64>().to_string()
                    }
                    _ => format!("size({name})"),
                };
                // A name alone would be passed by reference, and the size must not change.
                texts[count] = Some(if is_place(&size) { format!("({size})") } else { size });
            }
            Passed::AssumedShape(1) => {
                if let Shape::Fixed(bounds) = &v.shape {
                    if self.random.chance(30) {
                        let (low, high) = bounds[0];
                        let first = self.random.within(low, high - 1);
                        return Some(format!("{name}({first}:{high})"));
                    }
                }
            }
            _ => {}
        }
        Some(name)
    }
}

fn same_type(actual: Base, dummy: Base) -> bool {
    match (actual, dummy) {
        // The length of the dummy is that of the actual argument.
        (Base::Character(a), Base::Character(0)) => a > 1,
        (a, b) => a == b,
    }
}

/// Whether the text is, or may be, a variable rather than an expression.
fn is_place(text: &str) -> bool {
    const FUNCTIONS: [&str; 9] =
        ["fun", "mod(", "modulo(", "int(", "abs(", "merge(", "real(", "logical(", "trim("];
    let name = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    name && !FUNCTIONS.iter().any(|f| text.starts_with(f))
}
