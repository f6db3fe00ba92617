//! Groups of statements that belong together: linked structures, tables of pointers, rows of heap memory,
//! jumps into loops, labels as values, pointers to procedures.
//!
//! Input: the state of a body.
//! Output: nodes. A group has one key if its parts need each other.
//! Postcondition: the same as that of `body`.

mod pointers;

use super::body::Body;
use super::draft::Parameter;
use super::scope::{Access, Variable};
use super::types::{constant, declare, Domain, Type, DOUBLE, INT, U64};
use crate::random::sample::Node;

impl Body<'_> {
    /// One of the groups, or an assignment if the group is not possible here.
    pub fn template(&mut self, depth: usize) -> Vec<Node> {
        let made = match self.random.below(18) {
            0 => self.chosen_procedure(),
            1 => self.table_of_pointers(),
            2 => self.walk(),
            3 => self.rows(depth),
            4 => self.jump_into_loop(),
            5 => self.computed_jump(),
            6 => self.two_counters(depth),
            7 => self.links(),
            8 => self.union_and_complex(),
            9 => self.pointer_to_pointer(),
            10 => self.step_file(),
            11 => self.macros(),
            12 => self.swap(),
            13 => self.constant_pointer(),
            14 => self.walk_with_pointers(),
            15 => self.captured_array(),
            16 => self.noted_pointers(),
            _ => self.registered_again(),
        };
        made.unwrap_or_else(|| self.assignment())
    }

    fn own(&mut self, name: &str, ty: Type) -> Variable {
        let mut variable = Variable::new(name, ty);
        variable.key = self.draft.key();
        variable
    }

    fn fresh(&mut self, word: &str) -> String {
        format!("{word}_{}", self.draft.number())
    }

    /// Two statements with one line each.
    fn two_simple(&mut self) -> Vec<String> {
        let mut lines = self.simple();
        lines.extend(self.simple());
        lines
    }

    /// A local pointer to a procedure. An execute block sets it, because the address of a procedure differs
    /// in every run.
    fn chosen_procedure(&mut self) -> Option<Vec<Node>> {
        let fits = |procedure: &super::draft::Procedure| {
            !procedure.recurs && matches!(procedure.returns, Some(Type::Scalar(_)))
        };
        let found = self.callable(&fits);
        // In a loop, a restart would replay the block after the calls of earlier iterations, which need the
        // pointer.
        if found.is_empty() || self.multiplier > 1 {
            return None;
        }
        let index = self.random.pick(&found);
        let call = self.call(index)?;
        let procedure = self.draft.procedures[index].clone();
        let arguments = &call[call.find(&procedure.name)? + procedure.name.len()..];
        if !call.starts_with(&procedure.name) {
            return None;
        }
        let name = self.fresh("chosen");
        let list: Vec<String> = procedure
            .parameters
            .iter()
            .map(|parameter| super::draft::declare_parameter(parameter, "", &self.draft.structures))
            .collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let declared =
            declare(procedure.returns.as_ref()?, &format!("(*{name})({list})"), &self.draft.structures);
        let Some(Type::Scalar(scalar)) = procedure.returns else { return None };
        let domain = super::types::SCALARS[scalar].domain;
        let path =
            self.scopes.path(domain, Access::WriteInPlace, &self.draft.structures, &mut self.random)?;
        let value = self.fit(format!("{name}{arguments}"), path.scalar);
        let mut lines = vec![format!("{declared};")];
        match self.leads {
            true => lines.extend([
                "#pragma cppc execute".to_owned(),
                format!("{name} = {};", procedure.name),
                "#pragma cppc end execute".to_owned(),
            ]),
            false => lines.push(format!("{name} = {};", procedure.name)),
        }
        self.has_blocks |= self.leads;
        lines.push(format!("{} = {value};", path.text));
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }

    /// A local array of pointers to variables that exist at least as long.
    fn table_of_pointers(&mut self) -> Option<Vec<Node>> {
        let element = Type::Scalar(self.random.pick(&[INT, DOUBLE, U64, 1, 12]));
        let found =
            self.addresses(&element, 1, false, &|variable| variable.is_target && !variable.is_constant);
        if found.len() < 2 {
            return None;
        }
        let name = self.fresh("links");
        let (first, second, third) =
            (self.random.pick(&found), self.random.pick(&found), self.random.pick(&found));
        let pointer = declare(&element, &format!("*{name}[3]"), &self.draft.structures);
        let mut lines = vec![format!("{pointer} = {{{first}, NULL, {second}}};")];
        if self.leads {
            self.has_blocks = true;
            lines.push(format!("#pragma cppc register({name})"));
        }
        let scalar = element.scalar()?;
        lines.extend(self.call_statement().remove(0).head);
        lines.push(format!("{name}[1] = {third};"));
        lines.extend(self.call_statement().remove(0).head);
        let value = self.value(scalar, Access::ReadPrivate);
        lines.push(format!("*{name}[{}] = {value};", self.random.below(3)));
        let lines = vec![Node::lines(lines).key(self.draft.key())];
        // After the end of its scope, its content is undefined and may contain invalid pointers.
        Some(if self.random.chance(50) { vec![Node::block("{", lines, "}")] } else { lines })
    }

    /// A pointer that moves through an array, with calls that get its target.
    fn walk(&mut self) -> Option<Vec<Node>> {
        let is_array = |variable: &&Variable| {
            variable.is_target
                && matches!(&variable.ty, Type::Array(element, _) if element.scalar().is_some())
        };
        let arrays: Vec<Variable> = self.scopes.visible().into_iter().filter(is_array).cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        let array = self.random.pick(&arrays);
        let Type::Array(element, length) = &array.ty else { return None };
        let scalar = element.scalar()?;
        let fits = |procedure: &super::draft::Procedure| {
            !procedure.recurs
                && procedure.returns.as_ref().is_some_and(|ty| ty.scalar().is_some())
                && matches!(&procedure.parameters[..], [Parameter::Value(Type::Scalar(_))])
        };
        let room = self.room() / length;
        let mut found = self.callable(&fits);
        found.retain(|&index| self.draft.procedures[index].cost <= room);
        let (name, at) = (self.fresh("walk"), &array.name);
        let mut lines =
            vec![format!("{} = {at};", declare(element, &format!("*{name}"), &self.draft.structures))];
        if self.leads {
            self.has_blocks = true;
            lines.push(format!("#pragma cppc register({name}[0])"));
        }
        lines.push(format!("while ({name} != {at} + {length}) {{"));
        let text = match found.is_empty() {
            true => format!("*{name}++ = {};", self.value(scalar, Access::ReadPrivate)),
            false => {
                let chosen = self.random.pick(&found);
                self.spend(self.draft.procedures[chosen].cost * length);
                self.has_blocks |= self.draft.procedures[chosen].leads;
                let procedure = &self.draft.procedures[chosen];
                let called = procedure.name.clone();
                // The argument's type may have fewer values than the element's.
                let Parameter::Value(Type::Scalar(wanted)) = procedure.parameters[0] else { return None };
                let argument = match super::types::SCALARS[wanted].domain {
                    Domain::Whole => self.fit(format!("(u64)d2i(*{name}++)"), wanted),
                    Domain::Real => format!("nrm(*{name}++)"),
                };
                let path = self.scopes.path(
                    super::types::SCALARS[scalar].domain,
                    Access::WritePrivate,
                    &self.draft.structures,
                    &mut self.random,
                )?;
                let value = self.fit(format!("{called}({argument})"), path.scalar);
                format!("{} = {value};", path.text)
            }
        };
        lines.extend([text, "}".to_owned()]);
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }

    /// Swaps heap memory of the file.
    fn swap(&mut self) -> Option<Vec<Node>> {
        let (first, second) = (self.scopes.find("store")?.clone(), self.scopes.find("spare")?.clone());
        let is_whole = first.is_global && second.is_global && first.ty == second.ty;
        let Type::Pointer(element, _) = &first.ty else { return None };
        let temporary = declare(element, "*l_", &self.draft.structures);
        is_whole.then(|| vec![Node::line(format!("{{ {temporary} = store; store = spare; spare = l_; }}"))])
    }

    /// A constant pointer to text, or to a variable that may change.
    fn constant_pointer(&mut self) -> Option<Vec<Node>> {
        let name = self.fresh("view");
        let path =
            self.scopes.path(Domain::Whole, Access::Write, &self.draft.structures, &mut self.random)?;
        let found = self.addresses(&Type::Scalar(INT), 1, false, &|variable| {
            variable.is_target && variable.is_global && !variable.is_constant
        });
        let index = self.scopes.subscript(4, &mut self.random);
        let (declared, read) = match self.random.below(4) {
            0 => (format!("const char *const {name} = \"text\";"), format!("(u64){name}[{index}]")),
            1 => (
                format!("static const char *const {name}[2] = {{\"one\", \"three\"}};"),
                format!("(u64){name}[1][{index}]"),
            ),
            2 => (format!("const char {name}[] = \"long\";"), format!("(u64){name}[{index}]")),
            _ if found.is_empty() => return None,
            _ => (format!("int *const {name} = {};", self.random.pick(&found)), format!("(u64)*{name}")),
        };
        let mut lines = vec![declared];
        lines.extend(self.call_statement().remove(0).head);
        lines.push(format!("{} = {};", path.text, self.fit(read, path.scalar)));
        Some(vec![Node::block("{", vec![Node::lines(lines)], "}")])
    }

    /// A pointer that is incremented in the arguments of calls.
    fn walk_with_pointers(&mut self) -> Option<Vec<Node>> {
        let fits = |procedure: &super::draft::Procedure| {
            !procedure.recurs && matches!(&procedure.parameters[..], [Parameter::Pointer(Type::Scalar(_), 1)])
        };
        let found = self.callable(&fits);
        if found.is_empty() {
            return None;
        }
        let chosen = self.draft.procedures[self.random.pick(&found)].clone();
        let Parameter::Pointer(element, _) = &chosen.parameters[0] else { return None };
        let arrays: Vec<(String, usize)> = self
            .scopes
            .visible()
            .into_iter()
            .filter_map(|variable| match &variable.ty {
                Type::Array(inner, length) if **inner == *element && variable.is_target => {
                    Some((variable.name.clone(), *length))
                }
                _ => None,
            })
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let (array, length) = self.random.pick(&arrays);
        if chosen.cost * length > self.room() {
            return None;
        }
        self.spend(chosen.cost * length);
        self.has_blocks |= chosen.leads || self.leads;
        let name = self.fresh("walk");
        let mut lines =
            vec![format!("{} = {array};", declare(element, &format!("*{name}"), &self.draft.structures))];
        if self.leads {
            lines.push(format!("#pragma cppc register({name}[0])"));
        }
        lines.push(format!("while ({name} != {array} + {length}) {}({name}++);", chosen.name));
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }

    /// An execute block that captures an array, and fills a table from it.
    fn captured_array(&mut self) -> Option<Vec<Node>> {
        if !self.leads || self.room() < 2 {
            return None;
        }
        let is_array = |variable: &&Variable| {
            matches!(&variable.ty, Type::Array(element, _) if element.scalar().is_some())
                && !variable.is_qualified
                && !variable.name.starts_with("made")
        };
        let arrays: Vec<Variable> = self.scopes.visible().into_iter().filter(is_array).cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        let array = self.random.pick(&arrays);
        let Type::Array(element, length) = &array.ty else { return None };
        let (table, name) = (format!("made_{}", self.draft.number()), &array.name);
        let ty = Type::Array(element.clone(), *length);
        let key = self.draft.key();
        let declarator = declare(&ty, &table, &self.draft.structures);
        let mut variable = Variable::new(&table, ty);
        (variable.is_private, variable.is_constant, variable.key) = (false, true, key);
        let file = self.file;
        self.draft.files[file].head.push(Node::line(format!("static {declarator};")).key(key));
        self.draft.files[file].variables.push(variable.clone());
        self.scopes.declare_in_file(variable);
        self.spend(1);
        self.has_blocks = true;
        let lines = [
            format!("#pragma cppc execute capture({name})"),
            format!("memcpy({table}, {name}, sizeof {table}); tick();"),
            "#pragma cppc end execute".to_owned(),
        ];
        Some(vec![Node::lines(lines).key(key)])
    }

    /// Rows of heap memory, each registered under its subscript.
    fn rows(&mut self, depth: usize) -> Option<Vec<Node>> {
        if !self.leads {
            return None;
        }
        let (rows, columns) = (2 + self.random.below(2), 2 + self.random.below(3));
        let (name, index) = (self.fresh("rows"), self.fresh("r"));
        let key = self.draft.key();
        self.scopes.enter();
        let lines = [
            format!("double **{name} = malloc({rows} * sizeof *{name}); int {index};"),
            format!("#pragma cppc register({name}[{rows}], {index})"),
            format!("for ({index} = 0; {index} < {rows}; {index}++) {{"),
            format!("{name}[{index}] = calloc({columns}, sizeof **{name});"),
            format!("#pragma cppc register({name}[{index}][{columns}])"),
            "}".to_owned(),
        ];
        self.has_blocks = true;
        let mut inner = vec![Node::lines(lines).key(key)];
        let row = Type::Pointer(Box::new(Type::Scalar(DOUBLE)), columns);
        let mut variable = Variable::new(&name, Type::Pointer(Box::new(row), rows));
        (variable.key, variable.is_target) = (key, false);
        self.scopes.declare(variable);
        let count = 1 + self.random.below(3);
        inner.extend(self.statements(count, depth));
        let lines = [
            format!("for ({index} = 0; {index} < {rows}; {index}++) {{"),
            format!("#pragma cppc unregister({name}[{index}][{columns}])"),
            format!("free({name}[{index}]);"),
            "}".to_owned(),
            format!("#pragma cppc unregister({name})"),
            format!("free({name});"),
        ];
        inner.push(Node::lines(lines).key(key));
        self.scopes.leave();
        Some(vec![Node::block("{", inner, "}")])
    }

    /// A jump into the middle of a loop, or of a branch that is not taken.
    fn jump_into_loop(&mut self) -> Option<Vec<Node>> {
        let (name, label) = (self.fresh("n"), self.fresh("inside"));
        let condition = self.condition(1, Access::Read);
        let mut lines = vec![format!("int {name} = 0;")];
        if self.leads {
            self.has_blocks = true;
            lines.push(format!("#pragma cppc register({name})"));
        }
        lines.push(format!("if ({condition}) goto {label};"));
        lines.push(match self.random.below(2) {
            0 => format!("while ({name}++ < 2) {{"),
            _ => format!("if ({name} > 7) {{"),
        });
        let is_loop = lines.last().is_some_and(|line| line.starts_with("while"));
        let was = self.multiplier;
        self.multiplier *= if is_loop { 3 } else { 1 };
        lines.extend(self.two_simple());
        lines.push(format!("{label}: ;"));
        lines.extend(self.bare_statement());
        self.multiplier = was;
        lines.push("}".to_owned());
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }

    /// Labels as values (an extension of GNU C).
    fn computed_jump(&mut self) -> Option<Vec<Node>> {
        let (table, first, second, end) =
            (self.fresh("where"), self.fresh("one"), self.fresh("two"), self.fresh("end"));
        let selector = self.whole(1, Access::Read);
        let mut lines =
            vec!["{".to_owned(), format!("static const void *const {table}[2] = {{&&{first}, &&{second}}};")];
        lines.push(format!("goto *{table}[{selector} % 2];"));
        lines.push(format!("{first}: ;"));
        lines.extend(self.bare_statement());
        lines.push(format!("goto {end};"));
        lines.push(format!("{second}: ;"));
        lines.extend(self.bare_statement());
        lines.extend([format!("{end}: ;"), "}".to_owned()]);
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }

    /// Two counters in one header.
    fn two_counters(&mut self, depth: usize) -> Option<Vec<Node>> {
        let (up, down) = (self.fresh("up"), self.fresh("down"));
        let start = 2 + self.random.below(2);
        self.scopes.enter();
        for (name, below) in [(&up, start + 1), (&down, start + 1)] {
            let mut variable = Variable::new(name, Type::Scalar(INT));
            (variable.is_constant, variable.below) = (true, below);
            self.scopes.declare(variable);
        }
        let (was, was_in_loop) = (self.multiplier, self.is_in_loop);
        self.multiplier *= start;
        self.is_in_loop = true;
        let increment = self.call_in_sequence().filter(|_| self.random.chance(40));
        let mut inner = Vec::new();
        if self.leads {
            self.has_blocks = true;
            inner.push(Node::line(format!("#pragma cppc register({up}, {down})")).fixed());
        }
        let count = 1 + self.random.below(3);
        inner.extend(self.scope(count, depth));
        (self.multiplier, self.is_in_loop) = (was, was_in_loop);
        self.scopes.leave();
        let more = increment.map_or(String::new(), |text| format!(", {}", text.trim_end_matches(';')));
        let head = format!("for (int {up} = 0, {down} = {start}; {up} < {down}; {up}++, {down}--{more}) {{");
        Some(vec![Node::block(head, inner, "}")])
    }

    /// Structures that point to one another, in an array of the file.
    fn links(&mut self) -> Option<Vec<Node>> {
        let pool = format!("pool_{}", self.file);
        let (from, to) =
            (self.scopes.subscript(4, &mut self.random), self.scopes.subscript(4, &mut self.random));
        let value = self.value(DOUBLE, Access::Read);
        let key = self.draft.pool(self.file);
        let text = match self.random.below(5) {
            0 => format!("{pool}[{from}].next = &{pool}[{to}];"),
            1 => format!("{pool}[{from}].value = {value};"),
            2 => format!("if ({pool}[{from}].next != NULL) {pool}[{from}].next->value += nrm({value});"),
            3 => format!("{pool}[{from}].at = &{pool}[{to}].value;"),
            _ => format!(
                "if ({pool}[{from}].at != NULL) *{pool}[{from}].at = nrm({value} + {pool}[{to}].value);"
            ),
        };
        Some(vec![Node::line(text).key(key)])
    }

    /// A union, and a complex number.
    fn union_and_complex(&mut self) -> Option<Vec<Node>> {
        let name = self.fresh("mixed");
        let path =
            self.scopes.path(Domain::Whole, Access::Write, &self.draft.structures, &mut self.random)?;
        let value = self.value(U64, Access::Read);
        let mut lines;
        if self.random.chance(50) {
            lines = vec![format!(
                "union {{ u64 whole; unsigned char bytes[8]; }} {name} = {{.whole = {value}}};"
            )];
            if self.leads {
                lines.push(format!("#pragma cppc register({name})"));
            }
            lines.extend(self.call_statement().remove(0).head);
            lines.push(format!(
                "{} = {};",
                path.text,
                self.fit(format!("{name}.bytes[3] + {name}.whole"), path.scalar)
            ));
        } else {
            lines = vec![format!("double _Complex {name} = 0;")];
            if self.leads {
                lines.push(format!("#pragma cppc register({name})"));
            }
            lines.push(format!("__real__ {name} = nrm({value} % 77u); __imag__ {name} = 2.5;"));
            lines.extend(self.call_statement().remove(0).head);
            let sum = format!("(u64)d2i(__real__ {name} + __imag__ {name})");
            lines.push(format!("{} = {};", path.text, self.fit(sum, path.scalar)));
        }
        self.has_blocks |= self.leads;
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }

    /// A file for each value of a variable.
    fn step_file(&mut self) -> Option<Vec<Node>> {
        if !self.leads || self.draft.is_parallel || self.room() < 2 {
            return None;
        }
        let name = self.fresh("step");
        let value = self.whole(1, Access::Read);
        let written = self.value(U64, Access::Read);
        self.spend(1);
        self.has_blocks = true;
        let (text, stream, number) =
            (format!("{name}_name"), format!("{name}_file"), format!("{name}_number"));
        let lines = [
            format!(
                "int {number} = (int)({value} % 3); char {text}[32]; FILE *{stream}; u64 {name} = {written};"
            ),
            format!("snprintf({text}, sizeof {text}, \"{name}.%d\", {number});"),
            format!("#pragma cppc execute capture({text}, {name}) file({stream}, {text})"),
            format!("{stream} = fopen({text}, \"w\");"),
            format!("if ({stream} != NULL) {{ fprintf({stream}, \"%llx\\n\", {name}); fclose({stream}); }}"),
            "tick();".to_owned(),
            "#pragma cppc end execute".to_owned(),
        ];
        for number in 0..3 {
            self.draft.written.push(format!("{name}.{number}"));
        }
        Some(vec![Node::block("{", vec![Node::lines(lines).fixed()], "}")])
    }

    /// Code that comes from macros.
    fn macros(&mut self) -> Option<Vec<Node>> {
        let path =
            self.scopes.path(Domain::Whole, Access::Write, &self.draft.structures, &mut self.random)?;
        let (first, second) = (self.whole(1, Access::Read), self.whole(1, Access::Read));
        let text = match self.random.below(5) {
            0 => format!("TWICE({first})"),
            1 => format!("LARGER({first}, {second})"),
            2 => format!("({{ u64 l_ = {first}; l_ * 3 + {second}; }})"),
            3 => format!("_Generic((int)0, int: {first}, default: {second})"),
            _ => format!("(u64)sizeof({first}) + (u64)\"text\"[{second} % 4]"),
        };
        let fitted = self.fit(text, path.scalar);
        Some(vec![match self.random.below(3) {
            0 => Node::line(format!("SET({}, {fitted});", path.text)),
            1 if self.leads && self.room() > 2 => {
                self.spend(1);
                self.has_blocks = true;
                Node::line(format!("_Pragma(\"cppc checkpoint\") {} = {fitted}; tick();", path.text))
            }
            _ => Node::lines([
                format!("{} = /* a", path.text),
                format!("   comment */ {fitted} \\"),
                ";".to_owned(),
            ]),
        }])
    }

    /// Unregisters a variable, and registers it again.
    fn registered_again(&mut self) -> Option<Vec<Node>> {
        if !self.leads {
            return None;
        }
        let name = self.fresh("again");
        let scalar = super::types::random_scalar(&mut self.random);
        let value = self.value(scalar, Access::Read);
        let variable = self.own(&name, Type::Scalar(scalar));
        let declarator = declare(&variable.ty, &name, &self.draft.structures);
        self.has_blocks = true;
        let mut lines = vec![format!("{declarator} = {value};"), format!("#pragma cppc register({name})")];
        lines.extend(self.bare_statement());
        lines.push(format!("#pragma cppc unregister({name})"));
        lines.extend(self.bare_statement());
        lines.push(format!("{name} = {};", constant(scalar, &mut self.random)));
        lines.push(format!("#pragma cppc register({name})"));
        let key = variable.key;
        self.scopes.declare(variable);
        Some(vec![Node::lines(lines).key(key)])
    }
}
