//! Procedures: their dummy arguments, their variables, and the lines that make them.

use super::world::{
    Base, DefinitionSite, Dummy, Intent, Line, Memory, Passed, Procedure, Scope, Shape, Variable,
};
use super::Writer;

impl Writer {
    fn dummy(&mut self, n: usize, function: bool, explicit: bool) -> Vec<Dummy> {
        let name = self.name("d");
        let intents: &[Intent] = match (function, explicit) {
            (true, _) => &[Intent::In, Intent::In, Intent::Read],
            (false, _) => {
                &[Intent::In, Intent::Read, Intent::InOut, Intent::Changed, Intent::InOut, Intent::Out]
            }
        };
        let intent = self.random.pick(intents);
        let simple = self.random.pick(&[
            Base::Integer(4),
            Base::Integer(4),
            Base::Real(8),
            Base::Integer(8),
            Base::Real(4),
        ]);
        let not_out = if intent == Intent::Out { Intent::InOut } else { intent };
        let scalar =
            |base, passed, intent, optional| Dummy { name: name.clone(), base, passed, intent, optional };
        match self.random.below(16) {
            0..=7 => {
                let base = self.random_base();
                let base = if matches!(base, Base::Character(_)) && not_out != Intent::In {
                    Base::Character(0)
                } else {
                    base
                };
                let intent = if matches!(base, Base::Character(_)) { not_out } else { intent };
                vec![scalar(base, Passed::Scalar, intent, false)]
            }
            8 | 9 => {
                let low = self.random.pick(&[1, 1, 0]);
                vec![scalar(simple, Passed::Fixed(low, low + 1), not_out, false)]
            }
            10 | 11 => {
                let count = self.name("n");
                let star = self.random.chance(40);
                let array = if star { Passed::Star(n + 1) } else { Passed::Counted(n + 1) };
                let how = if self.random.chance(50) { Intent::In } else { Intent::Read };
                let size = Dummy {
                    name: count,
                    base: Base::Integer(4),
                    passed: Passed::Scalar,
                    intent: how,
                    optional: false,
                };
                vec![scalar(simple, array, not_out, false), size]
            }
            12 if explicit && self.random.chance(40) => {
                vec![scalar(simple, Passed::AssumedRank, Intent::In, false)]
            }
            12 if explicit => vec![scalar(simple, Passed::AssumedShape(1), not_out, false)],
            13 if explicit && !function => vec![scalar(simple, Passed::Allocatable, Intent::InOut, false)],
            14 if explicit => vec![scalar(simple, Passed::Scalar, not_out, true)],
            15 if explicit && !self.world.types.is_empty() => {
                let t = self.random.below(self.world.types.len());
                vec![scalar(Base::Derived(t), Passed::Scalar, not_out, false)]
            }
            _ => vec![scalar(Base::Integer(4), Passed::Scalar, intent, false)],
        }
    }

    fn result_type(&mut self) -> Base {
        match self.random.below(8) {
            0..=3 => Base::Integer(4),
            4 => Base::Real(8),
            5 => Base::Logical(4),
            6 => Base::Character(8),
            _ => self.random.pick(&[Base::Integer(8), Base::Integer(2), Base::Real(4)]),
        }
    }

    /// Writes a procedure and returns its lines.
    pub fn procedure(&mut self, place: DefinitionSite, size: i64) -> Vec<Line> {
        let function = self.random.chance(45);
        let explicit = place != DefinitionSite::External;
        let leads = self.random.chance(80);
        let recursive = !function && self.random.chance(15);
        let quiet = function || self.random.chance(25);
        let mut dummies = Vec::new();
        for _ in 0..self.random.within(if function { 1 } else { 0 }, 4) {
            let more = self.dummy(dummies.len(), function, explicit);
            dummies.extend(more);
        }
        if recursive {
            let name = self.name("d");
            dummies.push(Dummy {
                name,
                base: Base::Integer(4),
                passed: Passed::Depth,
                intent: Intent::In,
                optional: false,
            });
        }
        // After an optional argument, all arguments are optional.
        dummies.sort_by_key(|d| d.optional);
        let result = function.then(|| self.result_type());
        // Subscripts in other dummies were given by position.
        let dummies = positions(dummies);
        let name = self.name(if function { "fun" } else { "sub" });
        let outer = self.begin_scope(place, leads, quiet);
        let arguments: Vec<String> = dummies.iter().map(|d| d.name.clone()).collect();
        let dummy_declarations = self.declare_dummies(&dummies);
        let mut heading = format!("subroutine {name}({})", arguments.join(", "));
        let mut result_name = None;
        if let Some(base) = result {
            let named = self.random.chance(50);
            let own = if named { self.name("r") } else { name.clone() };
            heading = format!("function {name}({})", arguments.join(", "));
            if named {
                heading.push_str(&format!(" result({own})"));
            }
            if !named && self.random.chance(60) {
                heading = format!("{} {heading}", self.spelled(base));
            } else {
                self.scope.declarations.push(format!("{} :: {own}", self.spelled(base)));
            }
            let value = self.literal(base);
            self.scope.initial.push(vec![format!("{own} = {value}")]);
            self.scope.registers.push(own.clone());
            let group = self.world.new_group();
            self.scope.own_groups.insert(group);
            self.scope.variables.push(Variable::scalar(&own, base, group));
            result_name = Some(own);
        }
        if recursive {
            heading = format!("recursive {heading}");
        }
        if place == DefinitionSite::Contained && self.random.chance(30) {
            self.hide_one_of_the_host();
        }
        for _ in 0..self.random.within(1, 2 + size / 3) {
            self.declare_any(false);
        }
        if leads && self.random.chance(30) {
            let table = self.name("v");
            self.declare_table(&table);
        }
        let statements = self.random.within(2, 3 + size);
        self.statements(statements, 2);
        if recursive {
            self.call_itself(&name, &dummies);
        }
        let locals: Vec<Variable> = self.scope.variables.iter().filter(|v| v.writable).cloned().collect();
        for v in locals.iter().take(6) {
            self.fold(v, result_name.as_deref(), result);
        }
        let factor = if recursive { 3 } else { 1 };
        let scope = std::mem::replace(&mut self.scope, outer);
        let touches =
            scope.touches.iter().copied().filter(|group| !scope.own_groups.contains(group)).collect();
        let mut procedure = Procedure {
            name: name.clone(),
            result,
            dummies,
            dummy_declarations,
            place,
            leads,
            checkpoints: scope.checkpoints * factor,
            work: (scope.work + 4) * factor,
            touches,
            quiet,
            other_names: Vec::new(),
        };
        let entry = if recursive { None } else { self.entry(&procedure) };
        let kind = if function { "function" } else { "subroutine" };
        let (entry, entry_name) = entry.unzip();
        procedure.other_names.extend(entry_name);
        let lines = self.assembled(heading, format!("end {kind} {name}"), scope, place, entry);
        self.world.procedures.push(procedure);
        self.scope.callable.push(self.world.procedures.len() - 1);
        lines
    }

    /// A variable of its own with the name of one of the main program.
    fn hide_one_of_the_host(&mut self) {
        let fits =
            |v: &Variable| v.writable && v.holder == 0 && v.memory == Memory::Fixed && !v.name.contains('%');
        let own = self.scope.own_groups.clone();
        let Some(hidden) = self.readable(|v| fits(v) && !own.contains(&v.group)) else { return };
        self.scope.variables.retain(|v| v.root() != hidden.name);
        self.declare_plain(&hidden.name);
    }

    fn begin_scope(&mut self, place: DefinitionSite, leads: bool, quiet: bool) -> Scope {
        let callable: Vec<usize> = (0..self.world.procedures.len())
            .filter(|n| match self.world.procedures[*n].place {
                DefinitionSite::Module(m) => match place {
                    DefinitionSite::Module(own) => m <= own,
                    DefinitionSite::External => true,
                    DefinitionSite::Contained => true,
                },
                DefinitionSite::External => true,
                DefinitionSite::Contained => place == DefinitionSite::Contained,
            })
            .collect();
        let mut scope = Scope {
            leads,
            quiet,
            times: 1,
            checkpoints_limit: 14,
            work_limit: 260,
            callable,
            next_label: 100,
            is_procedure: true,
            ..Scope::default()
        };
        let reads = |v: &Variable| Variable { writable: v.writable && !quiet, ..v.clone() };
        match place {
            DefinitionSite::Contained => {
                scope.variables = self.scope.variables.iter().map(reads).collect();
                scope.units = self.scope.units.clone();
                scope.mpi = self.scope.mpi && !quiet && leads;
                // Tables are written by blocks of the main program only.
            }
            DefinitionSite::Module(own) => {
                for module in &self.world.modules[..=own] {
                    scope.variables.extend(module.variables.iter().map(reads));
                }
            }
            DefinitionSite::External => {
                scope.is_blind = self.random.chance(25);
                if scope.is_blind {
                    let has_one_name = |n: &usize| self.world.procedures[*n].other_names.is_empty();
                    scope.callable.retain(has_one_name);
                } else if self.random.chance(60) {
                    for module in &self.world.modules {
                        scope.variables.extend(module.variables.iter().map(reads));
                    }
                }
                scope.variables.extend(self.world.common.iter().map(reads));
            }
        }
        let counters: Vec<String> = (0..4).map(|_| self.name("i")).collect();
        scope.declarations.push(format!("integer :: {}", counters.join(", ")));
        scope.counters = counters;
        std::mem::replace(&mut self.scope, scope)
    }

    /// Declares them. Returns the declarations, without those of other variables that they need.
    fn declare_dummies(&mut self, dummies: &[Dummy]) -> Vec<String> {
        // Sizes are declared before the arrays that use them.
        for array in [false, true] {
            for dummy in dummies {
                let is_array = !matches!(dummy.passed, Passed::Scalar | Passed::Depth);
                if is_array == array {
                    self.declare_dummy(dummy, dummies);
                }
            }
        }
        let is_of = |text: &String, name: &str| {
            text.ends_with(&format!(":: {name}")) || text.contains(&format!(":: {name}("))
        };
        let declared = self.scope.declarations.iter();
        declared.filter(|text| dummies.iter().any(|dummy| is_of(text, &dummy.name))).cloned().collect()
    }

    fn declare_dummy(&mut self, dummy: &Dummy, all: &[Dummy]) {
        let name = &dummy.name;
        let spelled = match dummy.base {
            Base::Character(0) => "character(len=*)".to_owned(),
            Base::Character(_) => "character(len=*)".to_owned(),
            Base::Derived(t) if self.random.chance(50) => {
                let mut type_name = self.world.types[t].name.clone();
                self.select_type(name, &type_name);
                type_name.insert_str(0, "class(");
                type_name + ")"
            }
            base => self.spelled(base),
        };
        let intent = match dummy.intent {
            Intent::In => ", intent(in)",
            Intent::Out => ", intent(out)",
            Intent::InOut => ", intent(inout)",
            Intent::Read | Intent::Changed => "",
        };
        let optional = if dummy.optional { ", optional" } else { "" };
        let (attribute, bounds, shape) = match &dummy.passed {
            Passed::Scalar | Passed::Depth => ("", String::new(), Shape::Scalar),
            Passed::Fixed(low, high) => ("", format!("({low}:{high})"), Shape::Fixed(vec![(*low, *high)])),
            Passed::Counted(n) => ("", format!("({})", all[*n].name), Shape::Counted(all[*n].name.clone())),
            Passed::Star(n) => ("", "(*)".to_owned(), Shape::Counted(all[*n].name.clone())),
            Passed::AssumedShape(rank) => {
                let shape = Shape::Dynamic(*rank);
                ("", Writer::bounds_text(&shape), shape)
            }
            Passed::Allocatable => (", allocatable", "(:)".to_owned(), Shape::Dynamic(1)),
            Passed::AssumedRank => {
                self.scope.declarations.push(format!("{spelled}{intent} :: {name}(..)"));
                return self.select_rank(name, dummy.base);
            }
        };
        self.scope.declarations.push(format!("{spelled}{attribute}{intent}{optional} :: {name}{bounds}"));
        let group = self.world.new_group();
        self.scope.own_groups.insert(group);
        let memory = match dummy.passed {
            Passed::Allocatable => Memory::Moves,
            _ => Memory::Alias,
        };
        if dummy.optional {
            return self.optional_dummy(dummy);
        }
        let writable = dummy.intent.writes();
        let base = if matches!(dummy.base, Base::Character(_)) { Base::Character(2) } else { dummy.base };
        let v = Variable { shape, memory, writable, ..Variable::scalar(name, base, group) };
        if dummy.intent == Intent::Out {
            let value = match dummy.base {
                Base::Derived(_) => None,
                base => Some(self.literal(base)),
            };
            if let Some(value) = value {
                self.scope.initial.push(vec![format!("{name} = {value}")]);
            }
        }
        if dummy.passed == Passed::Allocatable {
            self.scope.registers.push(name.clone());
        } else if self.random.chance(12) && !matches!(dummy.base, Base::Derived(_)) {
            let item = match &dummy.passed {
                Passed::Star(n) => format!("{name}({})", all[*n].name),
                _ => name.clone(),
            };
            self.scope.registers.push(item);
        }
        if let Base::Derived(t) = dummy.base {
            self.components(name, t, group, 0, writable);
            for v in &mut self.scope.variables {
                // Its components are registered by the caller and must not move here.
                if v.group == group {
                    v.memory = Memory::Alias;
                }
            }
        }
        self.scope.variables.push(v);
    }

    /// Statements before the end, which depend on the type of a polymorphic dummy argument.
    fn select_type(&mut self, name: &str, type_name: &str) {
        let texts =
            [format!("select type ({name})"), format!("type is ({type_name})"), "  call tick()".to_owned()];
        self.scope.last.extend(texts);
        self.scope.last.extend(["class default", "  stop 7", "end select"].map(str::to_owned));
    }

    /// Statements before the end, which depend on the rank of a dummy argument. They need its value after all checkpoints.
    fn select_rank(&mut self, name: &str, base: Base) {
        let is_integer = matches!(base, Base::Integer(_)) && !self.scope.quiet;
        let value = |text: String| match is_integer {
            true => format!("  call mix(int(mod({text}, 97_8)))"),
            false => "  call tick()".to_owned(),
        };
        let texts = [
            format!("select rank ({name})"),
            "rank (0)".to_owned(),
            value(format!("int({name}, 8)")),
            "rank (1)".to_owned(),
            value(format!("sum(int({name}, 8))")),
            "rank default".to_owned(),
            "  call tick()".to_owned(),
            "end select".to_owned(),
        ];
        self.scope.last.extend(texts);
    }

    /// Its value, or another one if it is absent, is copied into a variable of the procedure.
    fn optional_dummy(&mut self, dummy: &Dummy) {
        let name = self.name("o");
        self.scope.declarations.push(format!("{} :: {name}", self.spelled(dummy.base)));
        let value = self.literal(dummy.base);
        self.scope.initial.push(vec![
            format!("{name} = {value}"),
            format!("if (present({})) {name} = {}", dummy.name, dummy.name),
        ]);
        self.scope.registers.push(name.clone());
        let group = self.world.new_group();
        self.scope.own_groups.insert(group);
        self.scope.variables.push(Variable::scalar(&name, dummy.base, group));
        if dummy.intent.writes() {
            self.scope.last.push(format!("if (present({})) {} = {name}", dummy.name, dummy.name));
        }
    }

    fn call_itself(&mut self, name: &str, dummies: &[Dummy]) {
        let depth = dummies.iter().find(|d| d.passed == Passed::Depth).expect("it is recursive").name.clone();
        let arguments: Vec<String> = dummies
            .iter()
            .filter(|d| !d.optional)
            .map(|d| match (&d.passed, d.intent) {
                (Passed::Depth, _) => format!("{}={depth} - 1", d.name),
                (Passed::Scalar, Intent::In | Intent::Read)
                    if d.base == Base::Integer(4) && !size_of_another(dummies, &d.name) =>
                {
                    format!("{}=mod({} + 1, 50)", d.name, d.name)
                }
                _ => format!("{}={}", d.name, d.name),
            })
            .collect();
        // Without an explicit interface there are no keywords.
        let by_place: Vec<String> =
            arguments.iter().map(|a| a.split_once('=').expect("it has a name").1.to_owned()).collect();
        self.put(format!("if ({depth} > 0) then"));
        self.put(format!("  call {name}({})", by_place.join(", ")));
        self.put("end if");
    }

    /// Adds the value of a local variable to the result, or to the sum of all values.
    fn fold(&mut self, v: &Variable, result_name: Option<&str>, result: Option<Base>) {
        if v.holder > 0 || v.shape != Shape::Scalar || Some(v.name.as_str()) == result_name {
            return;
        }
        self.scope.calls = false;
        match (v.base, result) {
            (Base::Integer(_), None) if !self.scope.quiet => self.put(format!("call mix(int({}))", v.name)),
            (Base::Real(_), None) if !self.scope.quiet => {
                self.put(format!("call mix_real(real({}, 8))", v.name))
            }
            (Base::Integer(_), Some(Base::Integer(kind))) => {
                let own = result_name.expect("it is a function");
                self.put(format!("{own} = int(mod(int({own}) + int({}), 89), {kind})", v.name));
            }
            (Base::Real(_), Some(Base::Real(kind))) => {
                let own = result_name.expect("it is a function");
                self.put(format!("{own} = mod({own} + real({}, {kind}), 64.0_{kind})", v.name));
            }
            _ => {}
        }
    }

    /// Heading, declarations, first values, registers, statements and end.
    fn assembled(
        &mut self,
        heading: String,
        end: String,
        mut scope: Scope,
        place: DefinitionSite,
        entry: Option<Line>,
    ) -> Vec<Line> {
        let mut texts: Vec<(usize, String)> = vec![(0, heading)];
        texts.extend(self.uses(place, scope.is_blind).into_iter().map(|text| (1, text)));
        texts.push((1, "implicit none".to_owned()));
        if place == DefinitionSite::External {
            texts.extend(self.externals().into_iter().map(|text| (1, text)));
            texts.extend(self.world.common_declarations.clone().into_iter().map(|text| (1, text)));
        }
        let declarations = std::mem::take(&mut scope.declarations);
        texts.extend(declarations.iter().cloned().map(|text| (1, text)));
        let mut registers = if scope.leads { std::mem::take(&mut scope.registers) } else { Vec::new() };
        if scope.checkpoints == 0 && self.random.chance(80) {
            // The procedure reaches no checkpoint, so only variables that outlive it are registered.
            registers.retain(|name| declarations.iter().any(|d| is_saved(d, name)));
        }
        let mut chunks: Vec<Vec<String>> = std::mem::take(&mut scope.initial);
        let first = chunks
            .iter()
            .position(|chunk| chunk.iter().any(|t| t.contains("register(")))
            .unwrap_or(chunks.len());
        for names in self.in_groups(registers) {
            // At any position between the first values, usually after them.
            let directive = vec![format!("!$cppc register({names})")];
            if self.random.chance(30) {
                let at = self.random.below(first + 1);
                chunks.insert(at, directive);
            } else {
                chunks.push(directive);
            }
        }
        let nullified = nullified(&scope.variables, &chunks);
        chunks.splice(0..0, nullified);
        let mut lines: Vec<Line> = texts.into_iter().map(|(depth, text)| Line::new(depth, text)).collect();
        lines.extend(entry);
        for chunk in chunks {
            lines.extend(self.first_values(1, chunk));
        }
        lines.extend(scope.lines.into_iter().map(|line| Line { depth: line.depth + 1, ..line }));
        lines.extend(scope.last.into_iter().map(|text| Line::new(1, text)));
        lines.push(Line::new(0, end));
        lines
    }

    /// Statements that can be removed only together, and only with the variables that they name.
    pub fn first_values(&mut self, depth: usize, chunk: Vec<String>) -> Vec<Line> {
        self.atoms += 1;
        let atom = self.atoms;
        chunk.into_iter().map(|text| Line { atom, is_first_value: true, ..Line::new(depth, text) }).collect()
    }

    /// USE statements of a procedure that is neither in a module nor contained in another unit.
    pub fn uses(&self, place: DefinitionSite, is_blind: bool) -> Vec<String> {
        match place {
            DefinitionSite::External => {
                let mut uses = vec!["use sums".to_owned()];
                if !self.world.types.is_empty() {
                    uses.push("use types".to_owned());
                }
                for (number, module) in self.world.modules.iter().enumerate() {
                    let procedures = self.world.procedures.iter();
                    let seen = procedures
                        .filter(|p| p.place == DefinitionSite::Module(number) && p.other_names.is_empty());
                    let seen: Vec<&str> = seen.map(|p| p.name.as_str()).collect();
                    let only = if is_blind { format!(", only: {}", seen.join(", ")) } else { String::new() };
                    uses.push(format!("use {}{only}", module.name));
                }
                uses
            }
            DefinitionSite::Module(_) | DefinitionSite::Contained => Vec::new(),
        }
    }

    /// Types of external functions.
    pub fn externals(&self) -> Vec<String> {
        self.world
            .procedures
            .iter()
            .filter(|p| p.place == DefinitionSite::External)
            .filter_map(|p| Some(format!("{}, external :: {}", self.spelled(p.result?), p.name)))
            .collect()
    }
}

/// Whether the variable outlives its procedure because of its declaration or DATA.
fn is_saved(declaration: &str, name: &str) -> bool {
    (declaration.contains(", save ::") || declaration.starts_with("data ")) && declaration.contains(name)
}

fn size_of_another(dummies: &[Dummy], name: &str) -> bool {
    dummies.iter().any(|d| match d.passed {
        Passed::Counted(n) | Passed::Star(n) => dummies[n].name == name,
        _ => false,
    })
}

/// Sizes are referred to by position. After arrays have moved, their sizes are searched again.
fn positions(dummies: Vec<Dummy>) -> Vec<Dummy> {
    let names: Vec<String> = dummies.iter().map(|d| d.name.clone()).collect();
    let mut dummies = dummies;
    for (n, dummy) in dummies.iter_mut().enumerate() {
        // An array and its size stay next to one another, because neither is optional.
        if let Passed::Counted(size) | Passed::Star(size) = &mut dummy.passed {
            *size = n + 1;
            debug_assert!(names.len() > n + 1);
        }
    }
    dummies
}

/// A pointer that is registered before it is set needs a status.
pub fn nullified(variables: &[Variable], chunks: &[Vec<String>]) -> Vec<Vec<String>> {
    let pointers = variables.iter().filter(|v| matches!(v.memory, Memory::View | Memory::Owner));
    let registers = |chunk: &Vec<String>, name: &str| {
        let is_named =
            |text: &String| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        chunk
            .iter()
            .any(|text| (text.contains("register(") && is_named(text)) || text.starts_with("call keep_"))
    };
    let sets = |chunk: &Vec<String>, name: &str| {
        chunk.iter().any(|text| {
            text.starts_with(&format!("{name} =>")) || text.starts_with(&format!("allocate ({name}("))
        })
    };
    let is_early = |name: &str| {
        let (register, set) = (
            chunks.iter().position(|chunk| registers(chunk, name)),
            chunks.iter().position(|chunk| sets(chunk, name)),
        );
        register.is_some_and(|register| set.is_none_or(|set| register < set))
    };
    pointers.filter(|v| is_early(&v.name)).map(|v| vec![format!("nullify ({})", v.name)]).collect()
}
