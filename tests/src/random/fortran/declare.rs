//! Declarations of every kind of variable, with the first value and the items to register.

use super::world::{Base, Derived, Memory, Shape, Variable};
use super::Writer;

impl Writer {
    /// A name that is not used elsewhere. Some names look like keywords.
    pub fn name(&mut self, kind: &str) -> String {
        self.world.names += 1;
        let n = self.world.names;
        if kind == "v" && self.random.chance(6) {
            let word = self
                .random
                .pick(&["do", "if", "end", "call", "data", "goto", "real", "else", "write", "print"]);
            return format!("{word}{n}");
        }
        format!("{kind}{n}")
    }

    fn own_group(&mut self) -> usize {
        let group = self.world.new_group();
        self.scope.own_groups.insert(group);
        group
    }

    pub fn random_base(&mut self) -> Base {
        match self.random.below(20) {
            0..=7 => Base::Integer(4),
            8 => Base::Integer(self.random.pick(&[1, 2, 8])),
            9 => Base::Integer(8),
            10..=12 => Base::Real(8),
            13 => Base::Real(4),
            14 if self.world.wide => Base::Real(self.random.pick(&[10, 16])),
            14 | 15 => Base::Logical(self.random.pick(&[4, 4, 4, 1, 8, 2])),
            16 | 17 => Base::Character(self.random.pick(&[4, 8, 12, 16])),
            18 => Base::Complex(self.random.pick(&[4, 8])),
            _ => Base::Integer(4),
        }
    }

    pub fn random_shape(&mut self) -> Shape {
        match self.random.below(10) {
            0..=5 => Shape::Scalar,
            6..=8 => {
                let low = self.random.pick(&[1, 1, 1, 0, -2, 2]);
                let count = self.random.within(2, 5);
                Shape::Fixed(vec![(low, low + count - 1)])
            }
            _ => {
                let low = self.random.pick(&[1, 1, 0, -1]);
                let n = self.random.within(2, 3);
                Shape::Fixed(vec![(low, low + n - 1), (1, self.random.within(2, 3))])
            }
        }
    }

    pub fn spelled(&self, base: Base) -> String {
        match base {
            Base::Integer(4) => "integer".to_owned(),
            Base::Integer(k) => format!("integer({k})"),
            Base::Real(4) => "real".to_owned(),
            Base::Real(k) => format!("real({k})"),
            Base::Complex(k) => format!("complex({k})"),
            Base::Logical(4) => "logical".to_owned(),
            Base::Logical(k) => format!("logical({k})"),
            Base::Character(n) => format!("character(len={n})"),
            Base::Derived(t) => format!("type({})", self.world.types[t].name),
        }
    }

    pub fn literal(&mut self, base: Base) -> String {
        match base {
            Base::Integer(4) => self.random.within(0, 9).to_string(),
            Base::Integer(k) => format!("{}_{k}", self.random.within(0, 9)),
            Base::Real(k) => self.real_literal(k),
            Base::Complex(k) => format!("({}.5_{k}, -1.0_{k})", self.random.within(0, 3)),
            Base::Logical(k) => format!("{}_{k}", self.random.pick(&[".true.", ".false."])),
            Base::Character(_) => format!("'{}'", self.random.pick(&["abc", "d", "face", "bead"])),
            Base::Derived(_) => unreachable!("structures have no literals here"),
        }
    }

    pub fn bounds_text(shape: &Shape) -> String {
        match shape {
            Shape::Scalar => String::new(),
            Shape::Fixed(bounds) => {
                let parts: Vec<String> = bounds
                    .iter()
                    .map(|(low, high)| if *low == 1 { high.to_string() } else { format!("{low}:{high}") })
                    .collect();
                format!("({})", parts.join(", "))
            }
            Shape::Counted(n) => format!("({n})"),
            Shape::Dynamic(rank) => format!("({})", vec![":"; *rank].join(", ")),
        }
    }

    fn keep(&mut self, v: Variable) {
        self.scope.variables.push(v);
    }

    /// A variable that ends with its procedure.
    pub fn declare_plain(&mut self, name: &str) {
        let base = self.random_base();
        let shape = self.random_shape();
        self.declare_as(name, base, shape);
    }

    pub fn declare_as(&mut self, name: &str, base: Base, shape: Shape) {
        let target = self.random.chance(25) && !matches!(base, Base::Character(_));
        let attribute = if target { ", target" } else { "" };
        let bounds = Writer::bounds_text(&shape);
        self.scope.declarations.push(format!("{}{attribute} :: {name}{bounds}", self.spelled(base)));
        let value = self.literal(base);
        self.scope.initial.push(vec![format!("{name} = {value}")]);
        let item = match &shape {
            // The part up to the last element is the whole array.
            Shape::Fixed(bounds) if self.random.chance(12) => {
                let last: Vec<String> = bounds.iter().map(|(_, high)| high.to_string()).collect();
                format!("{name}({})", last.join(", "))
            }
            _ => name.to_owned(),
        };
        self.scope.registers.push(item);
        let group = self.own_group();
        self.keep(Variable { shape, target, ..Variable::scalar(name, base, group) });
    }

    /// A variable of any kind. With `in_module`, it exists until the end of the program.
    pub fn declare_any(&mut self, in_module: bool) {
        let name = self.name("v");
        match self.random.below(25) {
            0..=8 => self.declare_plain(&name),
            9..=11 => self.declare_allocatable(&name, true),
            12 => self.declare_allocatable(&name, false),
            13 | 14 => self.declare_view(&name),
            15 => self.declare_owner(&name),
            16 => self.declare_structure(&name),
            17 => self.declare_structures(&name),
            18 if !in_module => self.declare_table(&name),
            19 if !self.scope.quiet => self.declare_saved(&name, in_module),
            20 => self.declare_equivalent(&name),
            21 => self.declare_text(&name),
            22 if self.random.chance(60) => self.declare_as(&name, Base::Character(12), Shape::Scalar),
            22 => self.declare_linked(&name),
            23 => self.declare_constant(&name),
            _ => self.declare_as(&name, Base::Integer(4), Shape::Scalar),
        }
    }

    pub fn allocation(&mut self, name: &str, rank: usize) -> String {
        let dims: Vec<String> = (0..rank)
            .map(|_| {
                let count = self.random.within(2, 4);
                match self.random.below(4) {
                    0 => format!("0:{}", count - 1),
                    1 => format!("-1:{}", count - 2),
                    _ => count.to_string(),
                }
            })
            .collect();
        format!("allocate ({name}({}))", dims.join(", "))
    }

    fn simple_base(&mut self) -> Base {
        self.random.pick(&[
            Base::Integer(4),
            Base::Integer(4),
            Base::Real(8),
            Base::Real(4),
            Base::Integer(8),
            Base::Integer(2),
        ])
    }

    fn declare_allocatable(&mut self, name: &str, moves: bool) {
        let base = self.simple_base();
        let rank = if self.random.chance(25) { 2 } else { 1 };
        let attribute = if moves { "" } else { ", target" };
        let bounds = Writer::bounds_text(&Shape::Dynamic(rank));
        self.scope
            .declarations
            .push(format!("{}, allocatable{attribute} :: {name}{bounds}", self.spelled(base)));
        let allocate = self.allocation(name, rank);
        let value = self.literal(base);
        self.scope.initial.push(vec![allocate, format!("{name} = {value}")]);
        self.scope.registers.push(name.to_owned());
        let group = self.own_group();
        let memory = if moves { Memory::Moves } else { Memory::AllocatedOnce };
        let shape = Shape::Dynamic(rank);
        self.keep(Variable { shape, memory, target: !moves, ..Variable::scalar(name, base, group) });
    }

    /// A target for a pointer: a variable, or a contiguous part of it.
    pub fn view_of(&mut self, target: &Variable) -> String {
        let name = &target.name;
        match (&target.shape, self.random.below(3)) {
            (Shape::Fixed(bounds), 0) if bounds.len() == 1 => {
                let (low, high) = bounds[0];
                let first = self.random.within(low, high - 1);
                format!("{name}({first}:{})", self.random.within(first, high))
            }
            (Shape::Dynamic(1), 0) => format!("{name}(lbound({name}, 1) + 1:)"),
            _ => name.clone(),
        }
    }

    fn declare_view(&mut self, name: &str) {
        let found =
            self.readable(|v| v.target && v.holder == 0 && v.shape.rank() <= 1 && v.memory != Memory::View);
        let Some(target) = found.filter(|t| self.scope.own_groups.contains(&t.group)) else {
            return self.declare_plain(name);
        };
        let rank = target.shape.rank();
        let bounds = Writer::bounds_text(&Shape::Dynamic(rank)).replace("()", "");
        self.scope.declarations.push(format!("{}, pointer :: {name}{bounds}", self.spelled(target.base)));
        let view = self.view_of(&target);
        self.scope.initial.push(vec![format!("{name} => {view}")]);
        // Sometimes before its target.
        let at = if self.random.chance(40) { 0 } else { self.scope.registers.len() };
        self.scope.registers.insert(at, name.to_owned());
        let shape = if rank == 0 { Shape::Scalar } else { Shape::Dynamic(rank) };
        self.keep(Variable {
            shape,
            memory: Memory::View,
            ..Variable::scalar(name, target.base, target.group)
        });
    }

    /// Pointers that are set before `init`, registered or not, to an allocatable that is allocated there.
    pub fn declare_before_init(&mut self) {
        let (memory, pointer) = (self.name("v"), self.name("p"));
        let base = self.simple_base();
        let spelled = self.spelled(base);
        self.scope.declarations.push(format!("{spelled}, allocatable, target :: {memory}(:)"));
        self.scope.declarations.push(format!("{spelled}, pointer :: {pointer}(:)"));
        let allocate = self.allocation(&memory, 1);
        let value = self.literal(base);
        self.scope.before.push(vec![
            allocate,
            format!("{memory} = {value}"),
            format!("{pointer} => {memory}"),
        ]);
        self.scope.registers.push(memory.clone());
        if self.random.chance(40) {
            self.scope.registers.push(pointer.clone());
        }
        let group = self.own_group();
        let shape = Shape::Dynamic(1);
        let v = Variable {
            shape,
            target: true,
            memory: Memory::AllocatedOnce,
            ..Variable::scalar(&memory, base, group)
        };
        // It keeps its target, because no statement sets it again.
        self.keep(Variable { name: pointer, memory: Memory::Alias, target: false, ..v.clone() });
        self.keep(v);
    }

    fn declare_owner(&mut self, name: &str) {
        let base = self.simple_base();
        self.scope.declarations.push(format!("{}, pointer :: {name}(:)", self.spelled(base)));
        let allocate = self.allocation(name, 1);
        let value = self.literal(base);
        self.scope.initial.push(vec![allocate, format!("{name} = {value}")]);
        self.scope.registers.push(name.to_owned());
        let group = self.own_group();
        let shape = Shape::Dynamic(1);
        self.keep(Variable { shape, memory: Memory::Owner, ..Variable::scalar(name, base, group) });
    }

    /// The components of a structure, as variables.
    pub fn components(&mut self, name: &str, t: usize, group: usize, holder: i64, writable: bool) {
        let derived: Derived = self.world.types[t].clone();
        for component in derived.components {
            let path = format!("{name}%{}", component.name);
            match component.base {
                Base::Derived(inner) => self.components(&path, inner, group, holder, writable),
                base => {
                    let memory = if component.allocatable { Memory::Moves } else { Memory::Fixed };
                    let shape = component.shape;
                    let v =
                        Variable { shape, memory, holder, writable, ..Variable::scalar(&path, base, group) };
                    self.keep(v);
                }
            }
        }
    }

    /// The first values of all components. Allocatable components are allocated.
    fn component_values(&mut self, name: &str, t: usize) -> Vec<String> {
        let derived: Derived = self.world.types[t].clone();
        let mut texts = Vec::new();
        for component in derived.components {
            let path = format!("{name}%{}", component.name);
            if let Base::Derived(inner) = component.base {
                texts.extend(self.component_values(&path, inner));
                continue;
            }
            if component.allocatable {
                texts.push(self.allocation(&path, 1));
            }
            let value = self.literal(component.base);
            texts.push(format!("{path} = {value}"));
        }
        texts
    }

    fn has_allocatable(&self, t: usize) -> bool {
        self.world.types[t].components.iter().any(|c| match c.base {
            Base::Derived(inner) => self.has_allocatable(inner),
            _ => c.allocatable,
        })
    }

    fn declare_structure(&mut self, name: &str) {
        if self.world.types.is_empty() {
            return self.declare_plain(name);
        }
        let t = self.random.below(self.world.types.len());
        self.scope.declarations.push(format!("{} :: {name}", self.spelled(Base::Derived(t))));
        let values = self.component_values(name, t);
        self.scope.initial.push(values);
        self.scope.registers.push(name.to_owned());
        let group = self.own_group();
        self.keep(Variable::scalar(name, Base::Derived(t), group));
        self.components(name, t, group, 0, true);
    }

    /// An array of structures. It is registered as a whole, or element by element if components are
    /// allocatable.
    fn declare_structures(&mut self, name: &str) {
        if self.world.types.is_empty() || self.scope.counters.is_empty() {
            return self.declare_plain(name);
        }
        let t = self.random.below(self.world.types.len());
        let count = self.random.within(2, 3);
        self.scope.declarations.push(format!("{} :: {name}({count})", self.spelled(Base::Derived(t))));
        let counter = self.scope.counters[0].clone();
        let values = self.component_values(&format!("{name}({counter})"), t);
        let group = self.own_group();
        let mut texts = vec![format!("do {counter} = 1, {count}")];
        texts.extend(values);
        if self.has_allocatable(t) {
            let before = self.scope.variables.len();
            self.components(&format!("{name}(#)"), t, group, count, true);
            let items: Vec<String> =
                self.scope.variables[before..].iter().map(|v| v.name.replace('#', &counter)).collect();
            if self.scope.leads {
                for names in self.in_groups(items) {
                    texts.push(format!("!$cppc register({names})"));
                }
                texts.push("continue".to_owned());
            }
        } else {
            self.components(&format!("{name}(#)"), t, group, count, true);
            self.scope.registers.push(name.to_owned());
        }
        texts.push("end do".to_owned());
        self.scope.initial.push(texts);
    }

    /// An array that only execute blocks write, and no directive registers.
    pub fn declare_table(&mut self, name: &str) {
        if !self.scope.leads {
            return self.declare_plain(name);
        }
        let shape = Shape::Fixed(vec![(1, self.random.within(3, 4))]);
        self.scope.declarations.push(format!("integer :: {name}{}", Writer::bounds_text(&shape)));
        self.scope.initial.push(vec![
            "!$cppc execute".to_owned(),
            format!("{name} = 1"),
            "!$cppc end execute".to_owned(),
        ]);
        let group = self.own_group();
        let v = Variable {
            shape,
            writable: false,
            memory: Memory::Alias,
            ..Variable::scalar(name, Base::Integer(4), group)
        };
        self.scope.tables.push(v.clone());
        self.keep(v);
    }

    /// Structures with pointers, some of which are never set.
    fn declare_linked(&mut self, name: &str) {
        if self.world.types.is_empty() || self.scope.counters.is_empty() || !self.scope.leads {
            return self.declare_plain(name);
        }
        self.scope.declarations.push(format!("type(linked) :: {name}(3)"));
        let counter = self.scope.counters[0].clone();
        let allocate = self.allocation(&format!("{name}(2)%link"), 1);
        let mut texts = vec![format!("do {counter} = 1, 3"), format!("{name}({counter})%n = 4")];
        texts.push(format!("!$cppc register({name}({counter})%n, {name}({counter})%link)"));
        texts.extend(["continue".to_owned(), "end do".to_owned(), allocate, format!("{name}(2)%link = 3")]);
        self.scope.initial.push(texts);
        let group = self.own_group();
        let shape = Shape::Dynamic(1);
        let link = format!("{name}(2)%link");
        self.keep(Variable {
            shape,
            memory: Memory::Alias,
            ..Variable::scalar(&link, Base::Integer(4), group)
        });
        let n = format!("{name}(#)%n");
        self.keep(Variable { holder: 3, ..Variable::scalar(&n, Base::Integer(4), group) });
    }

    fn declare_constant(&mut self, name: &str) {
        let value = self.random.within(1, 9);
        self.scope.declarations.push(format!("integer, parameter :: {name} = {value}"));
        let group = self.own_group();
        let memory = Memory::Constant;
        self.keep(Variable { writable: false, memory, ..Variable::scalar(name, Base::Integer(4), group) });
    }

    fn declare_saved(&mut self, name: &str, in_module: bool) {
        let base = self.simple_base();
        let value = self.literal(base);
        let save = if in_module { "" } else { ", save" };
        let spelled = self.spelled(base);
        match self.random.below(3) {
            0 => {
                self.scope.declarations.push(format!("{spelled}{save} :: {name}"));
                self.scope.declarations.push(format!("data {name} / {value} /"));
            }
            _ => self.scope.declarations.push(format!("{spelled}{save} :: {name} = {value}")),
        }
        self.scope.registers.push(name.to_owned());
        let group = self.own_group();
        self.keep(Variable::scalar(name, base, group));
    }

    fn declare_equivalent(&mut self, name: &str) {
        let base = self.random.pick(&[Base::Integer(4), Base::Real(8)]);
        let (a, b) = (format!("{name}a"), format!("{name}b"));
        self.scope.declarations.push(format!("{} :: {a}(4), {b}(3)", self.spelled(base)));
        let at = self.random.within(1, 3);
        self.scope.declarations.push(format!("equivalence ({a}({at}), {b}(1))"));
        let value = self.literal(base);
        self.scope.initial.push(vec![format!("{a} = {value}"), format!("{b} = {value}")]);
        self.scope.registers.push(a.clone());
        self.scope.registers.push(b.clone());
        let group = self.own_group();
        for (name, count) in [(a, 4), (b, 3)] {
            let shape = Shape::Fixed(vec![(1, count)]);
            self.keep(Variable { shape, memory: Memory::Alias, ..Variable::scalar(&name, base, group) });
        }
    }

    /// Characters whose length is that of the last assigned value.
    fn declare_text(&mut self, name: &str) {
        self.scope.declarations.push(format!("character(len=:), allocatable :: {name}"));
        self.scope.initial.push(vec![format!("{name} = 'abc'")]);
        self.scope.registers.push(name.to_owned());
        let group = self.own_group();
        self.keep(Variable { memory: Memory::Alias, ..Variable::scalar(name, Base::Character(1), group) });
    }

    /// Items in several directives, in any order.
    pub fn in_groups(&mut self, items: Vec<String>) -> Vec<String> {
        let mut items = items;
        if self.random.chance(30) {
            for i in (1..items.len()).rev() {
                let j = self.random.below(i + 1);
                items.swap(i, j);
            }
        }
        let mut groups: Vec<String> = Vec::new();
        for item in items {
            match groups.last_mut() {
                Some(last) if self.random.chance(60) && last.len() < 60 => {
                    last.push_str(", ");
                    last.push_str(&item);
                }
                _ => groups.push(item),
            }
        }
        groups
    }

    /// Statements that print a variable, exactly.
    pub fn print(&mut self, v: &Variable) -> Vec<String> {
        let names: Vec<String> = match v.holder {
            0 => vec![v.name.clone()],
            count => (1..=count).map(|n| v.name.replace('#', &n.to_string())).collect(),
        };
        let format = match v.base {
            Base::Integer(_) => "(a, *(1x, i0))",
            Base::Real(_) | Base::Complex(_) => "(a, *(1x, es45.35e4))",
            Base::Logical(_) => "(a, *(1x, l1))",
            Base::Character(_) => "(a, *(1x, a))",
            Base::Derived(_) => return Vec::new(),
        };
        names.into_iter().map(|name| format!("print '{format}', '{name}', {name}")).collect()
    }

    /// A type of the derived types' module.
    pub fn derived_type(&mut self) {
        let number = self.world.types.len();
        let mut components = Vec::new();
        for n in 0..self.random.within(2, 4) {
            let base = self.random_base();
            let shape = if self.random.chance(70) {
                Shape::Scalar
            } else {
                Shape::Fixed(vec![(1, self.random.within(2, 3))])
            };
            components.push(super::world::Component {
                name: format!("c{n}"),
                base,
                shape,
                allocatable: false,
            });
        }
        if self.random.chance(40) {
            let base = self.simple_base();
            let shape = Shape::Dynamic(1);
            components.push(super::world::Component {
                name: "heap".to_owned(),
                base,
                shape,
                allocatable: true,
            });
        }
        if number > 0 && self.random.chance(50) {
            let inner = self.random.below(number);
            let base = Base::Derived(inner);
            components.push(super::world::Component {
                name: "inner".to_owned(),
                base,
                shape: Shape::Scalar,
                allocatable: false,
            });
        }
        self.world.types.push(Derived { name: format!("kind_{number}"), components });
    }

    pub fn type_text(&self, t: usize) -> Vec<String> {
        let derived = &self.world.types[t];
        let mut texts = vec![format!("type {}", derived.name)];
        for c in &derived.components {
            let attribute = if c.allocatable { ", allocatable" } else { "" };
            texts.push(format!(
                "  {}{attribute} :: {}{}",
                self.spelled(c.base),
                c.name,
                Writer::bounds_text(&c.shape)
            ));
        }
        texts.push(format!("end type {}", derived.name));
        texts
    }
}
