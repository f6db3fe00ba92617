//! Simple statements and declarations.
//!
//! Input: the state of a body.
//! Output: nodes.
//! Postcondition: every declared variable is initialised. In a procedure with directives it is also
//! registered at once, unless it is a constant.

use super::body::Body;
use super::scope::{Access, Variable};
use super::types::{declare, initialiser, random_target, random_type, Domain, Type, SCALARS};
use crate::random::sample::Node;

const NAMES: [&str; 20] =
    ["a", "b", "c", "d", "e", "g", "h", "i", "j", "k", "m", "n", "p", "q", "s", "t", "u", "v", "x", "y"];

impl Body<'_> {
    /// A name that is not declared in this scope, and whether it hides another.
    pub fn new_name_shadowing(&mut self) -> (String, bool) {
        for _ in 0..12 {
            let name = self.random.pick(&NAMES);
            let is_visible = self.scopes.find(name).is_some();
            if !self.scopes.is_declared_here(name) && (!is_visible || self.random.chance(12)) {
                return (name.to_owned(), is_visible);
            }
        }
        (format!("v{}", self.draft.number()), false)
    }

    fn domain(&mut self) -> Domain {
        if self.random.chance(60) {
            Domain::Whole
        } else {
            Domain::Real
        }
    }

    pub fn assignment(&mut self) -> Vec<Node> {
        if self.random.chance(10) {
            if let Some(node) = self.structure_copy() {
                return vec![node];
            }
        }
        let domain = self.domain();
        let path = self.scopes.path(domain, Access::Write, &self.draft.structures, &mut self.random);
        let Some(path) = path else { return vec![Node::line("tick();")] };
        let scalar = &SCALARS[path.scalar];
        let place = path.text;
        let text = match (self.random.below(10), scalar.domain) {
            (0, _) if scalar.counts => format!("{place}++;"),
            (1, _) if scalar.counts => format!("--{place};"),
            (2 | 3, Domain::Whole) if scalar.values == 0 => {
                let sign = self.random.pick(&["+=", "-=", "^=", "|=", "&=", "*="]);
                format!("{place} {sign} {};", self.whole(2, Access::Read))
            }
            (2, Domain::Real) => format!("{place} *= 0.5;"),
            (3, Domain::Real) => {
                let sign = self.random.pick(&["+=", "-="]);
                format!("{place} {sign} nrm({});", self.real(2, Access::Read))
            }
            _ => format!("{place} = {};", self.value(path.scalar, Access::Read)),
        };
        vec![Node::line(text)]
    }

    fn structure_copy(&mut self) -> Option<Node> {
        let is_place =
            |variable: &&Variable| !variable.is_constant && matches!(variable.ty, Type::Structure(_));
        let places: Vec<Variable> = self.scopes.visible().into_iter().filter(is_place).cloned().collect();
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places);
        let value = self.structure_argument(&place.ty, false)?;
        Some(Node::line(format!("{} = {value};", place.name)))
    }

    /// A statement that calls a procedure, or an assignment if no procedure can be called.
    pub fn call_statement(&mut self) -> Vec<Node> {
        let made = match self.random.below(10) {
            0..=3 => self.call_assigned(),
            4 | 5 => self.call_added(),
            6 => self.call_for_structure(),
            7 => self.call_in_sequence(),
            _ => self.call_alone(),
        };
        made.map_or_else(|| self.assignment(), |text| vec![Node::line(text)])
    }

    fn call_assigned(&mut self) -> Option<String> {
        let domain = self.domain();
        let path =
            self.scopes.path(domain, Access::WriteInPlace, &self.draft.structures, &mut self.random)?;
        let value = self.value_with_call(path.scalar)?;
        Some(format!("{} = {value};", path.text))
    }

    fn call_added(&mut self) -> Option<String> {
        let domain = self.domain();
        let path =
            self.scopes.path(domain, Access::WritePrivate, &self.draft.structures, &mut self.random)?;
        if SCALARS[path.scalar].values != 0 {
            return None;
        }
        let value = self.value_with_call(path.scalar)?;
        let sign = self.random.pick(&["+=", "-="]);
        Some(format!("{} {sign} {value};", path.text))
    }

    pub fn call_in_sequence(&mut self) -> Option<String> {
        let first =
            self.scopes.path(Domain::Whole, Access::Write, &self.draft.structures, &mut self.random)?;
        let value = self.value(first.scalar, Access::Read);
        let second = self.scopes.path(
            Domain::Whole,
            Access::WriteInPlace,
            &self.draft.structures,
            &mut self.random,
        )?;
        let call = self.value_with_call(second.scalar)?;
        Some(format!("{} = {value}, {} = {call};", first.text, second.text))
    }

    fn call_for_structure(&mut self) -> Option<String> {
        let is_place =
            |variable: &&Variable| !variable.is_constant && matches!(variable.ty, Type::Structure(_));
        let places: Vec<Variable> = self.scopes.visible().into_iter().filter(is_place).cloned().collect();
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places);
        let found = self.callable(&|procedure| procedure.returns.as_ref() == Some(&place.ty));
        if found.is_empty() {
            return None;
        }
        let chosen = self.random.pick(&found);
        Some(format!("{} = {};", place.name, self.call(chosen)?))
    }

    fn call_alone(&mut self) -> Option<String> {
        let found = self.callable(&|_| true);
        if found.is_empty() {
            return None;
        }
        let chosen = self.random.pick(&found);
        let call = self.call(chosen)?;
        Some(if self.random.chance(20) { format!("(void){call};") } else { format!("{call};") })
    }

    /// A declaration of one or more variables, and the directive that registers them.
    pub fn declaration(&mut self) -> Vec<Node> {
        match self.random.below(10) {
            0 | 1 => self.constant(),
            // A procedure that leads to no checkpoint registers nothing, so it must not keep anything.
            2 if self.leads => self.kept_between_calls(),
            3 | 4 => self.several(),
            5 => self.pointer(),
            _ => self.variable(),
        }
    }

    fn constant(&mut self) -> Vec<Node> {
        let ty = random_type(&mut self.random, &self.draft.structures);
        let (name, _) = self.new_name_shadowing();
        let value = match ty.scalar() {
            // A value of parameters and variables of the procedure.
            Some(scalar) if self.random.chance(25) => self.value(scalar, Access::ReadPrivate),
            Some(scalar) if self.random.chance(20) => self
                .value_with_call(scalar)
                .unwrap_or_else(|| super::types::constant(scalar, &mut self.random)),
            _ => initialiser(&ty, &self.draft.structures, &mut self.random),
        };
        let value = self.without(&name, value, &ty);
        let words: &[&str] = match ty.scalar() {
            Some(_) => &["const", "const", "register const", "const volatile"],
            None => &["const", "const volatile"],
        };
        let word = self.random.pick(words);
        let mut variable = Variable::new(&name, ty);
        (variable.is_constant, variable.is_qualified) = (true, true);
        variable.key = self.draft.key();
        let key = variable.key;
        let declarator = declare(&variable.ty, &name, &self.draft.structures);
        self.scopes.declare(variable);
        vec![Node::line(format!("{word} {declarator} = {value};")).key(key)]
    }

    /// An initialiser that does not contain the name of its own variable.
    fn without(&mut self, name: &str, value: String, ty: &Type) -> String {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match value.split(|c| !is_part(c)).any(|word| word == name) {
            true => initialiser(ty, &self.draft.structures, &mut self.random),
            false => value,
        }
    }

    fn kept_between_calls(&mut self) -> Vec<Node> {
        let ty = random_type(&mut self.random, &self.draft.structures);
        let (name, _) = self.new_name_shadowing();
        let value = initialiser(&ty, &self.draft.structures, &mut self.random);
        let mut variable = Variable::new(&name, ty);
        // Another activation may change it.
        variable.is_private = false;
        variable.is_target = self.random.chance(50);
        variable.key = self.draft.key();
        let key = variable.key;
        let declarator = declare(&variable.ty, &name, &self.draft.structures);
        let mut lines = vec![format!("static {declarator} = {value};")];
        self.register(&variable, &mut lines);
        self.scopes.declare(variable);
        vec![Node::lines(lines).key(key)]
    }

    fn variable(&mut self) -> Vec<Node> {
        let ty = random_type(&mut self.random, &self.draft.structures);
        let (name, _) = self.new_name_shadowing();
        let called = match ty.scalar() {
            Some(scalar) if self.random.chance(30) => self.value_with_call(scalar),
            _ => None,
        };
        let value = match (called, &ty) {
            (Some(call), _) => call,
            (None, Type::Scalar(scalar)) => self.value(*scalar, Access::Read),
            (None, Type::Structure(_)) if self.random.chance(40) => {
                self.structure_argument(&ty, false).unwrap_or_else(|| "{0}".to_owned())
            }
            (None, Type::Array(element, _)) => self.elements(element),
            (None, _) => initialiser(&ty, &self.draft.structures, &mut self.random),
        };
        let value = self.without(&name, value, &ty);
        let is_scalar = ty.scalar().is_some();
        let mut variable = Variable::new(&name, ty);
        let word = match self.random.below(12) {
            0 if is_scalar => "register ",
            1 => "volatile ",
            2 => "_Alignas(64) ",
            3 if is_scalar => "auto ",
            _ => "",
        };
        variable.is_target = word.is_empty() && self.random.chance(45);
        variable.is_private = !variable.is_target;
        variable.key = self.draft.key();
        let key = variable.key;
        let declarator = declare(&variable.ty, &name, &self.draft.structures);
        let mut lines = vec![format!("{word}{declarator} = {value};")];
        self.register(&variable, &mut lines);
        self.scopes.declare(variable);
        vec![Node::lines(lines).key(key)]
    }

    /// The initialiser of an array, perhaps with a call for one element.
    fn elements(&mut self, element: &Type) -> String {
        let Type::Scalar(scalar) = element else { return "{0}".to_owned() };
        let first = self.value(*scalar, Access::ReadPrivate);
        match self.random.chance(25) {
            true => match self.value_with_call(*scalar) {
                Some(call) => format!("{{{first}, {call}}}"),
                None => format!("{{{first}}}"),
            },
            false => format!("{{{first}}}"),
        }
    }

    /// Several variables of one declaration and one directive.
    fn several(&mut self) -> Vec<Node> {
        let scalar = super::types::random_scalar(&mut self.random);
        let key = self.draft.key();
        let (mut parts, mut items) = (Vec::new(), Vec::new());
        let mut calls = true;
        for _ in 0..2 + self.random.below(3) {
            let ty = match self.random.chance(30) {
                true => Type::Array(Box::new(Type::Scalar(scalar)), 2 + self.random.below(3)),
                false => Type::Scalar(scalar),
            };
            let (name, _) = self.new_name_shadowing();
            // A call must be the first initialiser, because the variables before it would not be registered
            // yet.
            let called = if calls && ty.scalar().is_some() && self.random.chance(25) {
                self.value_with_call(scalar)
            } else {
                None
            };
            calls = false;
            let value = match (called, &ty) {
                (Some(call), _) => call,
                (None, Type::Scalar(_)) => self.value(scalar, Access::Read),
                (None, _) => initialiser(&ty, &self.draft.structures, &mut self.random),
            };
            let value = self.without(&name, value, &ty);
            let declarator = declare(&ty, &name, &self.draft.structures);
            let bare = declarator.strip_prefix(SCALARS[scalar].name).unwrap_or(&declarator).trim_start();
            parts.push(format!("{bare} = {value}"));
            items.push(name.clone());
            let mut variable = Variable::new(&name, ty);
            variable.is_target = self.random.chance(45);
            variable.is_private = !variable.is_target;
            variable.key = key;
            self.scopes.declare(variable);
        }
        let mut lines = vec![format!("{} {};", SCALARS[scalar].name, parts.join(", "))];
        if self.leads {
            self.has_blocks = true;
            lines.extend(match self.random.chance(15) {
                true => vec![
                    format!("#pragma cppc register({}, \\", items[0]),
                    format!("    {})", items[1..].join(", ")),
                ],
                false => vec![format!("#pragma cppc register({})", items.join(", "))],
            });
        }
        vec![Node::lines(lines).key(key)]
    }

    /// Adds the directive for a variable, in one of its forms.
    pub fn register(&mut self, variable: &Variable, lines: &mut Vec<String>) {
        if !self.leads {
            return;
        }
        self.has_blocks = true;
        let name = &variable.name;
        let mut item = match &variable.ty {
            Type::Pointer(_, 1) if self.random.chance(50) => format!("*{name}"),
            Type::Pointer(_, length) => format!("{name}[{length}]"),
            Type::Scalar(_) | Type::Structure(_) | Type::Array(..) => name.clone(),
        };
        if let Type::Structure(index) = &variable.ty {
            let fields = &self.draft.structures[*index].fields;
            if fields.iter().all(|field| field.bits == 0) && self.random.chance(20) {
                let fields: Vec<String> =
                    fields.iter().map(|field| format!("{name}.{}", field.name)).collect();
                item = fields.join(", ");
            }
        }
        if let (Type::Array(element, length), false) = (&variable.ty, variable.is_target) {
            if self.random.chance(30) {
                item = self.sections(name, element, *length).unwrap_or(item);
            }
        }
        lines.push(format!("#pragma cppc register({item})"));
    }

    /// An array by the fields of its elements, or in two parts. No pointer points to it.
    fn sections(&mut self, name: &str, element: &Type, length: usize) -> Option<String> {
        let Type::Structure(index) = element else {
            let first = 1 + self.random.below(length - 1);
            return Some(format!("{name}[0:{first}], {name}[{first}:]"));
        };
        let fields = &self.draft.structures[*index].fields;
        let is_plain = fields.iter().all(|field| field.bits == 0);
        let sections = fields.iter().map(|field| format!("{name}[0:{length}].{}", field.name));
        is_plain.then(|| sections.collect::<Vec<_>>().join(", "))
    }

    /// A pointer to a variable that exists at least as long as the pointer.
    fn pointer(&mut self) -> Vec<Node> {
        let element = random_target(&mut self.random, &self.draft.structures);
        let length = 1 + self.random.below(3);
        let found =
            self.addresses(&element, length, false, &|variable| variable.is_target && !variable.is_constant);
        if found.is_empty() {
            return self.variable();
        }
        let address = self.random.pick(&found);
        let (name, is_hiding) = self.new_name_shadowing();
        if is_hiding {
            return self.variable();
        }
        let mut variable = Variable::new(&name, Type::Pointer(Box::new(element), length));
        variable.is_target = true;
        variable.key = self.draft.key();
        let key = variable.key;
        let declarator = declare(&variable.ty, &name, &self.draft.structures);
        let mut lines = vec![format!("{declarator} = {address};")];
        self.register(&variable, &mut lines);
        self.scopes.declare(variable);
        vec![Node::lines(lines).key(key)]
    }

    /// Points a pointer to another target, or declares one.
    pub fn pointer_statement(&mut self) -> Vec<Node> {
        let is_ours = |variable: &&Variable| {
            matches!(variable.ty, Type::Pointer(..))
                && !variable.is_constant
                && variable.is_target
                && !variable.is_global
        };
        let pointers: Vec<Variable> = self.scopes.visible().into_iter().filter(is_ours).cloned().collect();
        if pointers.is_empty() || self.random.chance(40) {
            return self.pointer();
        }
        let pointer = self.random.pick(&pointers);
        let Type::Pointer(element, length) = &pointer.ty else { unreachable!("only pointers were taken") };
        let found = self.addresses(element, *length, false, &|variable| {
            variable.is_target && !variable.is_constant && variable.level <= pointer.level
        });
        if found.is_empty() {
            return self.assignment();
        }
        vec![Node::line(format!("{} = {};", pointer.name, self.random.pick(&found)))]
    }

    /// Heap memory for some statements, sometimes reallocated between them.
    pub fn heap(&mut self, depth: usize) -> Vec<Node> {
        let element = random_target(&mut self.random, &self.draft.structures);
        let length = 1 + self.random.below(5);
        self.scopes.enter();
        let (name, _) = self.new_name_shadowing();
        // It is not a target, because pointers to it would have to be removed before it is freed.
        let mut variable = Variable::new(&name, Type::Pointer(Box::new(element), length));
        variable.key = self.draft.key();
        let key = variable.key;
        let declarator = declare(&variable.ty, &name, &self.draft.structures);
        let mut lines = vec![format!("{declarator} = calloc({length}, sizeof *{name});")];
        self.register(&variable, &mut lines);
        self.scopes.declare(variable);
        let mut nodes = vec![Node::lines(lines).key(key)];
        let count = 1 + self.random.below(3);
        nodes.extend(self.statements(count, depth));
        if self.random.chance(40) {
            let more = length + 1 + self.random.below(5);
            let mut lines = vec![
                format!("{name} = realloc({name}, {more} * sizeof *{name});"),
                format!("memset({name} + {length}, 0, {} * sizeof *{name});", more - length),
            ];
            if self.leads {
                lines.push(format!("#pragma cppc register({name}[{more}])"));
            }
            nodes.push(Node::lines(lines).key(key));
            nodes.extend(self.statements(count, depth));
        }
        let mut lines = vec![format!("free({name});")];
        if self.leads {
            lines.insert(0, format!("#pragma cppc unregister({name})"));
        }
        nodes.push(Node::lines(lines).key(key));
        self.scopes.leave();
        vec![Node::block("{", nodes, "}")]
    }

    pub fn write_to_file(&mut self) -> Vec<Node> {
        if self.draft.streams.is_empty() {
            return self.assignment();
        }
        let (_, stream) = self.random.pick(&self.draft.streams);
        let value = self.whole(2, Access::Read);
        vec![Node::line(format!("if ({stream} != NULL) fprintf({stream}, \"%llx\\n\", {value});"))]
    }

    /// An array of variable length, in a scope that contains no block.
    pub fn variable_length(&mut self) -> Vec<Node> {
        let Some(path) =
            self.scopes.path(Domain::Real, Access::Write, &self.draft.structures, &mut self.random)
        else {
            return self.assignment();
        };
        let length = self.whole(1, Access::Read);
        let value = self.real(1, Access::Read);
        let text = format!(
            "{{ int l_ = 2 + (int)({length} % 5); double row_[l_]; for (int q_ = 0; q_ < l_; q_++) row_[q_] = q_ * 0.5 + nrm({value}); {} = nrm(row_[l_ - 1] + row_[0]); }}",
            path.text
        );
        vec![Node::line(text)]
    }

    /// An execute block. It fills a table that is not registered from captured values.
    pub fn execute(&mut self) -> Vec<Node> {
        let is_scalar = |variable: &&Variable| variable.ty.scalar().is_some() && !variable.is_qualified;
        let scalars: Vec<Variable> = self.scopes.visible().into_iter().filter(is_scalar).cloned().collect();
        let mut captured: Vec<Variable> = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            if !scalars.is_empty() {
                let variable = self.random.pick(&scalars);
                if !captured.iter().any(|found| found.name == variable.name) {
                    captured.push(variable);
                }
            }
        }
        let scalar = super::types::random_scalar(&mut self.random);
        let table = format!("made_{}", self.draft.number());
        let ty = Type::Array(Box::new(Type::Scalar(scalar)), 4);
        let key = self.draft.key();
        let declarator = declare(&ty, &table, &self.draft.structures);
        let outer = std::mem::take(&mut self.scopes);
        self.scopes.enter();
        for variable in &captured {
            self.scopes.declare(Variable { is_private: true, below: 0, ..variable.clone() });
        }
        let place = self.scopes.subscript(4, &mut self.random);
        let value = self.value(scalar, Access::Read);
        let mut lines = vec![match captured.is_empty() {
            true => "#pragma cppc execute".to_owned(),
            false => {
                let names: Vec<&str> = captured.iter().map(|variable| variable.name.as_str()).collect();
                let word = self.random.pick(&["execute", "execute", "execute on restart"]);
                format!("#pragma cppc {word} capture({})", names.join(", "))
            }
        }];
        lines.extend([format!("{table}[{place}] = {value};"), "tick();".to_owned()]);
        if self.random.chance(30) {
            lines.push(format!(
                "for (int q_ = 0; q_ < 2; q_++) {table}[q_] = {};",
                self.value(scalar, Access::Read)
            ));
        }
        self.scopes = outer;
        let is_saved = |variable: &&Variable| {
            !variable.is_constant
                && !variable.is_private
                && variable.ty.scalar().is_some_and(|scalar| SCALARS[scalar].values == 0)
        };
        let saved: Vec<String> = self
            .scopes
            .visible()
            .into_iter()
            .filter(is_saved)
            .map(|variable| variable.name.clone())
            .collect();
        if !saved.is_empty() && self.random.chance(25) {
            // At the end of the restart it has its saved value, even if the block has changed it.
            lines.push(format!("{} = 7;", self.random.pick(&saved)));
        }
        lines.push("#pragma cppc end execute".to_owned());
        self.spend(1);
        self.has_blocks = true;
        let mut variable = Variable::new(&table, ty);
        (variable.is_private, variable.is_constant, variable.key) = (false, true, key);
        let file = self.file;
        self.draft.files[file].head.push(Node::line(format!("static {declarator};")).key(key));
        self.draft.files[file].variables.push(variable.clone());
        self.scopes.declare_in_file(variable);
        vec![Node::lines(lines).key(key)]
    }
}
