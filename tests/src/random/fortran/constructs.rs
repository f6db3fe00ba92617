//! Constructs and jumps, with the statements in them.

use super::world::{Base, Loop, Memory, Shape, Variable};
use super::Writer;

impl Writer {
    pub fn construct(&mut self, nest: u32) {
        match self.random.below(22) {
            0..=3 => self.if_construct(nest),
            4..=8 => self.counted_loop(nest),
            9 => self.labelled_loop(nest),
            10 | 11 => self.while_loop(nest),
            12 => self.endless_loop(nest),
            13 | 14 => self.select(nest),
            15 | 16 => self.block(nest),
            17 => self.associate(nest),
            18 => self.skip(nest),
            19 => self.backward(nest),
            20 => self.computed_jump(nest),
            _ => self.arithmetic_if(nest),
        }
    }

    fn if_construct(&mut self, nest: u32) {
        let condition = self.logical(2);
        self.open(format!("if ({condition}) then"));
        let count = self.random.within(1, 3);
        self.statements(count, nest);
        for _ in 0..self.random.below(3) {
            self.scope.calls = self.scope.leads && !self.scope.closed;
            let condition = self.logical(2);
            let words = self.random.pick(&["else if", "elseif"]);
            self.middle(format!("{words} ({condition}) then"));
            self.statements(count, nest);
        }
        if self.random.chance(50) {
            self.middle("else");
            self.statements(count, nest);
        }
        let end = self.random.pick(&["end if", "endif"]);
        self.close(end);
    }

    /// A body that is executed `trips` times as often.
    fn repeated(&mut self, trips: u32, count: i64, nest: u32, name: Option<String>, may_cycle: bool) {
        let times = self.scope.times;
        self.scope.times = times * trips;
        self.scope.loops.push(Loop { name, may_cycle });
        self.statements(count, nest);
        self.scope.loops.pop();
        self.scope.times = times;
    }

    fn loop_name(&mut self) -> (String, String, Option<String>) {
        if self.random.chance(35) {
            let name = self.name("turn");
            (format!("{name}: "), format!(" {name}"), Some(name))
        } else {
            (String::new(), String::new(), None)
        }
    }

    /// The bounds in the header, and the maximum number of iterations.
    fn bounds(&mut self) -> (String, u32) {
        match self.random.below(6) {
            0 | 1 => (format!("1, {}", self.random.within(1, 4)), 4),
            2 => {
                let e = self.integer(1);
                (format!("1, 1 + modulo({}, 3)", e.text), 3)
            }
            3 => {
                let e = self.integer(1);
                (format!("modulo({}, 3), 3", e.text), 4)
            }
            4 => (format!("{}, 1, -1", self.random.within(1, 3)), 3),
            _ => {
                let e = self.integer(1);
                (format!("2, 7, 2 + modulo({}, 2)", e.text), 3)
            }
        }
    }

    fn counted_loop(&mut self, nest: u32) {
        if !self.affords(0, 12) {
            return self.assignment();
        }
        let Some(counter) = self.scope.counters.pop() else { return self.assignment() };
        let (bounds, trips) = self.bounds();
        let (before, after, name) = self.loop_name();
        self.open(format!("{before}do {counter} = {bounds}"));
        self.with_counter(&counter, |writer| {
            let count = writer.random.within(1, 4);
            writer.repeated(trips, count, nest, name, true);
        });
        let end = if after.is_empty() { self.random.pick(&["end do", "enddo"]) } else { "end do" };
        self.close(format!("{end}{after}"));
        self.scope.counters.push(counter);
    }

    /// The variable of a loop can be read in it.
    fn with_counter(&mut self, counter: &str, body: impl FnOnce(&mut Writer)) {
        let group = self.world.new_group();
        self.scope.own_groups.insert(group);
        let mut v = Variable::scalar(counter, Base::Integer(4), group);
        v.writable = false;
        self.scope.variables.push(v);
        body(self);
        self.scope.variables.retain(|v| v.name != counter || v.group != group);
    }

    fn labelled_loop(&mut self, nest: u32) {
        if !self.affords(0, 16) || self.scope.counters.len() < 2 {
            return self.assignment();
        }
        let counter = self.scope.counters.pop().expect("there are two");
        let label = self.label();
        let (bounds, trips) = self.bounds();
        self.open(format!("do {label} {counter} = {bounds}"));
        let shared = self.random.chance(25);
        let inner = if shared { self.scope.counters.pop() } else { None };
        self.with_counter(&counter, |writer| {
            if let Some(inner) = &inner {
                writer.put(format!("do {label} {inner} = 1, 2"));
            }
            let count = writer.random.within(1, 3);
            let trips = if inner.is_some() { trips * 2 } else { trips };
            // A jump of the outer loop cannot have a shared end as its target. So there is no CYCLE.
            writer.repeated(trips, count, nest, None, inner.is_none());
        });
        self.scope.depth -= 1;
        self.put_labelled(label, "continue");
        self.scope.counters.extend(inner);
        self.scope.counters.push(counter);
    }

    /// A new integer that only the statements of a loop change.
    fn control(&mut self) -> String {
        let name = self.name("w");
        let group = self.world.new_group();
        self.scope.own_groups.insert(group);
        self.scope.declarations.push(format!("integer :: {name}"));
        self.scope.initial.push(vec![format!("{name} = 0")]);
        self.scope.registers.push(name.clone());
        let mut v = Variable::scalar(&name, Base::Integer(4), group);
        v.writable = false;
        self.scope.variables.push(v);
        name
    }

    fn while_loop(&mut self, nest: u32) {
        if !self.affords(0, 12) {
            return self.assignment();
        }
        let control = self.control();
        self.put(format!("{control} = 0"));
        let limit = self.random.within(2, 4);
        // The condition is evaluated once more than the body.
        let times = self.scope.times;
        self.scope.times *= limit as u32 + 1;
        let also = if self.random.chance(50) {
            let l = self.logical(1);
            format!(" .and. ({l} .or. {control} < 2)")
        } else {
            String::new()
        };
        self.scope.times = times;
        let (before, after, name) = self.loop_name();
        self.open(format!("{before}do while ({control} < {limit}{also})"));
        self.put(format!("{control} = {control} + 1"));
        let count = self.random.within(1, 3);
        self.repeated(limit as u32, count, nest, name, true);
        self.close(format!("end do{after}"));
    }

    fn endless_loop(&mut self, nest: u32) {
        if !self.affords(0, 12) {
            return self.assignment();
        }
        let control = self.control();
        let limit = self.random.within(2, 3);
        self.put(format!("{control} = 0"));
        let (before, after, name) = self.loop_name();
        let exit = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        self.open(format!("{before}do"));
        self.put(format!("{control} = {control} + 1"));
        self.put(format!("if ({control} > {limit}) exit{exit}"));
        let count = self.random.within(1, 3);
        self.repeated(limit as u32, count, nest, name, true);
        self.close(format!("end do{after}"));
    }

    fn select(&mut self, nest: u32) {
        let (selector, cases): (String, Vec<&str>) = match self.random.below(3) {
            0 => (self.logical(2), vec![".true.", ".false."]),
            1 => {
                let found = self.readable(|v| {
                    matches!(v.base, Base::Character(_)) && v.shape == Shape::Scalar && v.holder == 0
                });
                match found {
                    Some(v) => (v.name, vec!["'a':'c'", "'d'", "'e':"]),
                    None => (self.integer(2).text, vec!["0", "1:20"]),
                }
            }
            _ => {
                let e = self.integer(2);
                (format!("modulo({}, 5)", e.text), vec!["0", "1, 3", "4:"])
            }
        };
        let words = self.random.pick(&["select case", "selectcase"]);
        self.open(format!("{words} ({selector})"));
        let mut first = true;
        let default = self.random.chance(60);
        let mut cases: Vec<String> = cases.iter().map(|case| format!("case ({case})")).collect();
        if default {
            cases.push("case default".to_owned());
        }
        for case in cases {
            if first {
                self.scope.depth -= 1;
                self.open(case);
                first = false;
            } else {
                self.middle(case);
            }
            let count = self.random.within(1, 2);
            self.statements(count, nest);
        }
        self.close("end select");
    }

    fn block(&mut self, nest: u32) {
        self.open("block");
        let kept = self.scope.clone();
        let registers = std::mem::take(&mut self.scope.registers);
        let declarations = std::mem::take(&mut self.scope.declarations);
        let initial = std::mem::take(&mut self.scope.initial);
        for _ in 0..self.random.within(1, 3) {
            self.block_variable(&kept.variables);
        }
        let own_registers = std::mem::replace(&mut self.scope.registers, registers);
        let own_declarations = std::mem::replace(&mut self.scope.declarations, declarations);
        let own_initial = std::mem::replace(&mut self.scope.initial, initial);
        for text in own_declarations {
            self.put(text);
        }
        for chunk in own_initial {
            let lines = self.first_values(self.scope.depth, chunk);
            self.scope.lines.extend(lines);
        }
        if self.scope.leads && !self.scope.closed {
            for names in self.in_groups(own_registers) {
                self.put(format!("!$cppc register({names})"));
            }
        }
        let count = self.random.within(1, 4);
        self.statements(count, nest);
        self.close("end block");
        // New variables of the procedure, such as controls of loops, stay. Those of the block end with it.
        let added: Vec<Variable> = self
            .scope
            .variables
            .iter()
            .filter(|v| v.name.starts_with('w') && !kept.variables.iter().any(|k| k.name == v.name))
            .cloned()
            .collect();
        self.scope.variables = kept.variables;
        self.scope.variables.extend(added);
        self.scope.tables = kept.tables;
    }

    /// A variable of a BLOCK. It often has the name of a variable outside.
    fn block_variable(&mut self, outside: &[Variable]) {
        let active = |name: &str, writer: &Writer| writer.scope.counters.iter().all(|c| c != name);
        let hidden: Vec<String> = outside
            .iter()
            .filter(|v| v.writable && v.holder == 0 && !v.name.contains('%') && active(&v.name, self))
            // Variables on which others depend by name must stay visible.
            .filter(|v| !outside.iter().any(|o| o.shape == Shape::Counted(v.name.clone())))
            .map(|v| v.name.clone())
            .collect();
        // Forms that are refused are rare, so that most programs can be tried.
        let moves = |name: &String| outside.iter().any(|v| v.name == *name && v.memory != Memory::Fixed);
        let (moving, still): (Vec<String>, Vec<String>) = hidden.into_iter().partition(moves);
        let hidden = if self.random.chance(5) { moving } else { still };
        let already: Vec<String> = self.scope.declarations.clone();
        let name = if !hidden.is_empty() && self.random.chance(45) {
            self.random.pick(&hidden).clone()
        } else {
            self.name("b")
        };
        if already.iter().any(|d| d.ends_with(&format!(":: {name}")) || d.contains(&format!(":: {name}("))) {
            return;
        }
        // An array with a counted size may be one of assumed size.
        let is_refused = |v: &Variable| v.memory != Memory::Fixed || matches!(v.shape, Shape::Counted(_));
        self.hides_array |= outside.iter().any(|v| v.name == name && is_refused(v));
        self.scope.variables.retain(|v| v.root() != name);
        self.scope.tables.retain(|v| v.name != name);
        self.declare_plain(&name);
    }

    fn associate(&mut self, nest: u32) {
        let found = self.writable(|v| {
            v.holder == 0
                && matches!(v.base, Base::Integer(_) | Base::Real(_))
                && matches!(v.shape, Shape::Scalar | Shape::Fixed(_))
                && v.memory == Memory::Fixed
        });
        let Some(v) = found else { return self.assignment() };
        let name = self.name("al");
        // A restart cannot enter a construct whose selector is a part of a variable.
        let closed = self.scope.closed || self.random.chance(30);
        let (selector, shape) = match &v.shape {
            Shape::Fixed(bounds) if bounds.len() == 1 && closed => {
                (format!("{}({})", v.name, bounds[0].0), Shape::Scalar)
            }
            shape => (v.name.clone(), shape.clone()),
        };
        let kept = self.scope.variables.clone();
        self.scope.variables.retain(|k| k.group != v.group);
        self.scope.variables.push(Variable { name: name.clone(), shape, memory: Memory::Alias, ..v });
        let open = std::mem::replace(&mut self.scope.closed, closed);
        self.open(format!("associate ({name} => {selector})"));
        let count = self.random.within(1, 3);
        self.statements(count, nest);
        self.close("end associate");
        self.scope.closed = open;
        let added: Vec<Variable> = self
            .scope
            .variables
            .iter()
            .filter(|v| v.name.starts_with('w') && !kept.iter().any(|k| k.name == v.name))
            .cloned()
            .collect();
        self.scope.variables = kept;
        self.scope.variables.extend(added);
    }

    fn skip(&mut self, nest: u32) {
        let label = self.label();
        let condition = self.logical(2);
        self.put(format!("if ({condition}) goto {label}"));
        let count = self.random.within(1, 3);
        self.statements(count, nest);
        self.put_labelled(label, "continue");
    }

    fn backward(&mut self, nest: u32) {
        if !self.affords(0, 12) {
            return self.assignment();
        }
        let control = self.control();
        let label = self.label();
        let turns = self.random.within(2, 3);
        self.put(format!("{control} = 0"));
        self.put_labelled(label, format!("{control} = {control} + 1"));
        let times = self.scope.times;
        self.scope.times *= turns as u32;
        let count = self.random.within(1, 3);
        self.statements(count, nest);
        self.scope.times = times;
        self.put(format!("if ({control} < {turns}) go to {label}"));
    }

    fn computed_jump(&mut self, nest: u32) {
        let (a, b, end) = (self.label(), self.label(), self.label());
        let e = self.integer(2);
        self.put(format!("goto ({a}, {b}), 1 + modulo({}, 3)", e.text));
        self.statements(1, nest);
        self.put(format!("goto {end}"));
        self.put_labelled(a, "continue");
        self.statements(1, nest);
        self.put_labelled(b, "continue");
        self.statements(2, nest);
        self.put_labelled(end, "continue");
    }

    fn arithmetic_if(&mut self, nest: u32) {
        let (a, b, end) = (self.label(), self.label(), self.label());
        let e = self.integer(2);
        self.put(format!("if ({}) {a}, {b}, {a}", e.text));
        self.put_labelled(a, "continue");
        self.statements(1, nest);
        self.put(format!("goto {end}"));
        self.put_labelled(b, "continue");
        self.statements(2, nest);
        self.put_labelled(end, "continue");
    }
}
