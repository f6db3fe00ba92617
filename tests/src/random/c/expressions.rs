//! Expressions.
//!
//! Input: the variables that are visible at a position.
//! Output: text.
//! Postcondition: there is no overflow and no division by zero. If an expression contains a call, the parts
//! without a sequence point between them and the call read only variables that the call does not change.

use super::body::Body;
use super::draft::{Parameter, Procedure};
use super::scope::Access;
use super::types::{constant, Domain, Type, DOUBLE, SCALARS, U64};

impl Body<'_> {
    /// An expression of type `u64`, without calls that have effects.
    pub fn whole(&mut self, depth: usize, access: Access) -> String {
        if depth == 0 || self.random.chance(25) {
            return self.whole_leaf(access);
        }
        let next = depth - 1;
        match self.random.below(14) {
            0..=3 => {
                let sign = self.random.pick(&["+", "-", "*", "^", "&", "|"]);
                format!("({} {sign} {})", self.whole(next, access), self.whole(next, access))
            }
            4 => format!("({} / ({} | 1))", self.whole(next, access), self.whole(next, access)),
            5 => format!("({} % {}u)", self.whole(next, access), 2 + self.random.below(97)),
            6 => format!("({} >> {})", self.whole(next, access), 1 + self.random.below(9)),
            7 => format!("(u64){}", self.condition(next, access)),
            8 => {
                let (then, otherwise) = (self.whole(next, access), self.whole(next, access));
                format!("({} ? {then} : {otherwise})", self.condition(next, access))
            }
            9 => format!("(u64)d2i({})", self.real(next, access)),
            10 => format!("(~{})", self.whole(next, access)),
            11 => {
                let narrow = self.random.pick(&["unsigned char", "short", "unsigned", "int"]);
                format!("(u64)({narrow}){}", self.whole(next, access))
            }
            12 => format!("mix({}, {})", self.whole(next, access), self.whole(next, access)),
            _ => format!("(-{})", self.whole(next, access)),
        }
    }

    fn whole_leaf(&mut self, access: Access) -> String {
        if !self.random.chance(20) {
            if let Some(path) =
                self.scopes.path(Domain::Whole, access, &self.draft.structures, &mut self.random)
            {
                return format!("(u64){}", path.text);
            }
        }
        format!("(u64){}", constant(U64, &mut self.random))
    }

    /// An expression of type `double`, without calls that have effects.
    pub fn real(&mut self, depth: usize, access: Access) -> String {
        if depth == 0 || self.random.chance(25) {
            if !self.random.chance(20) {
                if let Some(path) =
                    self.scopes.path(Domain::Real, access, &self.draft.structures, &mut self.random)
                {
                    return format!("(double){}", path.text);
                }
            }
            return constant(DOUBLE, &mut self.random);
        }
        let next = depth - 1;
        match self.random.below(8) {
            0 | 1 => {
                let sign = self.random.pick(&["+", "-", "*"]);
                format!("({} {sign} {})", self.real(next, access), self.real(next, access))
            }
            2 => format!("nrm({} * {})", self.real(next, access), self.real(next, access)),
            3 => {
                let (then, otherwise) = (self.real(next, access), self.real(next, access));
                format!("({} ? {then} : {otherwise})", self.condition(next, access))
            }
            4 => format!("(double)({} % 1000u)", self.whole(next, access)),
            5 => {
                format!("({} / (1.0 + (double)({} % 7u)))", self.real(next, access), self.whole(next, access))
            }
            6 => format!("(double)(float)nrm({})", self.real(next, access)),
            _ => format!("(-{})", self.real(next, access)),
        }
    }

    /// An `int` that is 0 or 1.
    pub fn condition(&mut self, depth: usize, access: Access) -> String {
        let next = depth.saturating_sub(1);
        match self.random.below(5) {
            0 => format!("({} < {})", self.whole(next, access), self.whole(next, access)),
            1 => format!("({} > {})", self.real(next, access), self.real(next, access)),
            2 => format!("({} % {} == 0)", self.whole(next, access), 2 + self.random.below(3)),
            3 if depth > 0 => {
                let sign = self.random.pick(&["&&", "||"]);
                format!("({} {sign} {})", self.condition(next, access), self.condition(next, access))
            }
            _ => format!("({} & 1)", self.whole(next, access)),
        }
    }

    /// Converts a text into a value that can be assigned to a scalar.
    pub fn fit(&self, text: String, scalar: usize) -> String {
        match (SCALARS[scalar].domain, SCALARS[scalar].values) {
            (Domain::Whole, 2) => format!("({text}) & 1"),
            (Domain::Whole, 3) => format!("(enum colour)(({text}) % 3)"),
            (Domain::Whole, _) => text,
            (Domain::Real, _) => format!("nrm({text})"),
        }
    }

    /// A value for a scalar, without calls that have effects.
    pub fn value(&mut self, scalar: usize, access: Access) -> String {
        let depth = self.random.below(4);
        let text = match SCALARS[scalar].domain {
            Domain::Whole => self.whole(depth, access),
            Domain::Real => self.real(depth, access),
        };
        self.fit(text, scalar)
    }

    /// A value for a scalar with a call in it, if there is a procedure to call.
    pub fn value_with_call(&mut self, scalar: usize) -> Option<String> {
        let domain = SCALARS[scalar].domain;
        let depth = self.random.below(3);
        let text = self.with_call(domain, depth)?;
        Some(self.fit(text, scalar))
    }

    fn operand(&mut self, domain: Domain, depth: usize, access: Access) -> String {
        match domain {
            Domain::Whole => self.whole(depth, access),
            Domain::Real => self.real(depth, access),
        }
    }

    /// An expression with a call of a procedure that may change variables, and may lead to a checkpoint.
    pub fn with_call(&mut self, domain: Domain, depth: usize) -> Option<String> {
        if depth == 0 {
            return self.call_of(domain);
        }
        let next = depth - 1;
        let private = Access::ReadPrivate;
        Some(match self.random.below(11) {
            0 | 1 => {
                let call = self.with_call(domain, next)?;
                let other = self.operand(domain, 1, private);
                let sign = self.random.pick(&["+", "-", "*"]);
                if self.random.chance(50) {
                    format!("({call} {sign} {other})")
                } else {
                    format!("({other} {sign} {call})")
                }
            }
            2 => {
                let condition = self.condition(1, Access::Read);
                let other = self.operand(domain, 1, Access::Read);
                let call = self.with_call(domain, next)?;
                let (then, otherwise) = if self.random.chance(50) { (call, other) } else { (other, call) };
                format!("({condition} ? {then} : {otherwise})")
            }
            3 => {
                let condition = self.with_call(Domain::Whole, next)?;
                let (then, otherwise) =
                    (self.operand(domain, 1, Access::Read), self.operand(domain, 1, Access::Read));
                format!("({condition} & 1 ? {then} : {otherwise})")
            }
            4 | 5 if domain == Domain::Whole => {
                // Each side is evaluated separately.
                let left = if self.random.chance(60) {
                    self.with_call(domain, next)?
                } else {
                    self.whole(1, Access::Read)
                };
                let right = if self.random.chance(60) {
                    self.with_call(domain, next)?
                } else {
                    self.whole(1, Access::Read)
                };
                let sign = self.random.pick(&["&&", "||"]);
                format!("(u64)(({left} & 3) {sign} ({right} & 5))")
            }
            6 => {
                let path = self.scopes.path(
                    Domain::Whole,
                    Access::WriteShared,
                    &self.draft.structures,
                    &mut self.random,
                );
                let call = self.with_call(domain, next)?;
                match path {
                    Some(path) => {
                        let value = self.value(path.scalar, Access::Read);
                        format!("({} = {value}, {call})", path.text)
                    }
                    None => format!("(0, {call})"),
                }
            }
            7 if domain == Domain::Whole => format!("(u64)!({} & 1)", self.with_call(domain, next)?),
            8 if domain == Domain::Whole => {
                let sign = self.random.pick(&["<", "==", ">="]);
                format!("(u64)({} {sign} {})", self.with_call(domain, next)?, self.whole(1, private))
            }
            9 => {
                let other = match domain {
                    Domain::Whole => Domain::Real,
                    Domain::Real => Domain::Whole,
                };
                let call = self.with_call(other, next)?;
                match other {
                    Domain::Whole => format!("(double)({call} % 512u)"),
                    Domain::Real => format!("(u64)d2i({call})"),
                }
            }
            _ => self.call_of(domain)?,
        })
    }

    /// A scalar of the domain from the result of a procedure.
    fn call_of(&mut self, domain: Domain) -> Option<String> {
        let structures = &self.draft.structures;
        let fits = |procedure: &Procedure| {
            procedure.returns.as_ref().is_some_and(|ty| super::scope::has(ty, domain, structures))
        };
        let found = self.callable(&fits);
        if found.is_empty() {
            return None;
        }
        let chosen = self.random.pick(&found);
        let ty = self.draft.procedures[chosen].returns.clone()?;
        let call = self.call(chosen)?;
        let path = self.scopes.down_to_scalar(call, &ty, domain, &self.draft.structures, &mut self.random);
        let word = match domain {
            Domain::Whole => "u64",
            Domain::Real => "double",
        };
        Some(format!("({word}){}", path.text))
    }

    /// Procedures that this one may call here.
    pub fn callable(&self, fits: &dyn Fn(&Procedure) -> bool) -> Vec<usize> {
        let room = self.room();
        let is_callable = |procedure: &Procedure| {
            (!procedure.is_static || procedure.file == self.file)
                && procedure.cost <= room
                && (self.leads || !procedure.leads)
                && fits(procedure)
        };
        let all = self.draft.procedures.iter().enumerate();
        all.filter(|(_, procedure)| is_callable(procedure)).map(|(index, _)| index).collect()
    }

    /// The text of a call, directly or through a table. `None` if an argument is not available.
    pub fn call(&mut self, index: usize) -> Option<String> {
        let procedure = self.draft.procedures[index].clone();
        let mut arguments = Vec::new();
        let mut had_call = false;
        for (number, parameter) in procedure.parameters.iter().enumerate() {
            let is_depth = procedure.recurs && number == 0;
            let argument = match parameter {
                Parameter::Value(_) if is_depth => self.random.below(3).to_string(),
                Parameter::Value(ty) => match ty.scalar() {
                    // There is one call within the arguments, and no other argument that the call may change.
                    Some(scalar)
                        if !had_call && self.nesting < 2 && self.random.chance(12) && number == 0 =>
                    {
                        self.nesting += 1;
                        let value = self.value_with_call(scalar);
                        self.nesting -= 1;
                        had_call = value.is_some();
                        value.unwrap_or_else(|| constant(scalar, &mut self.random))
                    }
                    Some(scalar) => {
                        let access = if had_call { Access::ReadPrivate } else { Access::Read };
                        self.value(scalar, access)
                    }
                    None => self.structure_argument(ty, had_call)?,
                },
                Parameter::Pointer(ty, length) => self.address(ty, *length, had_call)?,
            };
            arguments.push(argument);
        }
        self.spend(procedure.cost.max(1));
        self.has_blocks |= procedure.leads;
        let arguments = arguments.join(", ");
        Some(match self.table_of(index, had_call) {
            Some(callee) => format!("{callee}({arguments})"),
            None => format!("{}({arguments})", procedure.name),
        })
    }

    /// A table of procedures of this signature, with a subscript, which sometimes has an effect.
    fn table_of(&mut self, index: usize, had_call: bool) -> Option<String> {
        let room = self.room();
        let mut tables = self.draft.tables.iter().filter(|table| {
            table.procedure == index
                && table.file == self.file
                && table.cost <= room
                && (self.leads || !table.leads)
        });
        let table = tables.next_back()?.clone();
        if self.random.chance(35) {
            return None;
        }
        self.spend(table.cost);
        self.has_blocks |= table.leads;
        let counter = format!("turn_{}", table.file);
        let subscript = match self.random.below(3) {
            0 if self.nesting == 0 && !had_call => format!("{counter}++ % {}", table.length),
            1 => self.scopes.subscript(table.length, &mut self.random),
            _ => self.random.below(table.length).to_string(),
        };
        Some(match self.random.chance(30) {
            true => format!("(*{}[{subscript}])", table.name),
            false => format!("{}[{subscript}]", table.name),
        })
    }

    /// A structure by value: a variable, the target of a pointer, a compound literal.
    pub fn structure_argument(&mut self, ty: &Type, private: bool) -> Option<String> {
        let mut found = Vec::new();
        for variable in self.scopes.visible() {
            match &variable.ty {
                own if own == ty && (!private || variable.is_private) => found.push(variable.name.clone()),
                Type::Pointer(target, _) if **target == *ty && !private => {
                    found.push(format!("*{}", variable.name))
                }
                Type::Array(element, length) if **element == *ty && !private => {
                    let (name, length) = (variable.name.clone(), *length);
                    found.push(format!("{name}[{}]", self.scopes.subscript(length, &mut self.random)));
                }
                _ => {}
            }
        }
        if !found.is_empty() && !self.random.chance(15) {
            return Some(self.random.pick(&found));
        }
        let Type::Structure(index) = ty else { return None };
        let name = self.draft.structures[*index].name.clone();
        let value = super::types::initialiser(ty, &self.draft.structures, &mut self.random);
        Some(format!("({name}){value}"))
    }

    /// A pointer to this number of elements.
    pub fn address(&mut self, ty: &Type, length: usize, private: bool) -> Option<String> {
        let found: Vec<String> = self.addresses(ty, length, private, &|_| true);
        (!found.is_empty()).then(|| self.random.pick(&found))
    }

    /// All expressions that are pointers to this number of elements.
    pub fn addresses(
        &mut self,
        ty: &Type,
        length: usize,
        private: bool,
        fits: &dyn Fn(&super::scope::Variable) -> bool,
    ) -> Vec<String> {
        let mut found = Vec::new();
        let visible: Vec<_> =
            self.scopes.visible().into_iter().filter(|variable| fits(variable)).cloned().collect();
        for variable in visible {
            let name = &variable.name;
            match &variable.ty {
                Type::Array(element, count) if **element == *ty && variable.is_target && *count >= length => {
                    match self.random.below(count - length + 1) {
                        0 => found.push(name.clone()),
                        first if self.random.chance(50) => found.push(format!("&{name}[{first}]")),
                        first => found.push(format!("{name} + {first}")),
                    }
                }
                Type::Pointer(target, count)
                    if **target == *ty && *count >= length && (!private || variable.is_private) =>
                {
                    found.push(name.clone());
                }
                own if own == ty && variable.is_target && length == 1 => found.push(format!("&{name}")),
                _ => {}
            }
        }
        found
    }
}
