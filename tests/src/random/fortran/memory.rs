//! Statements that move memory, execute blocks, and communication.

use super::expr::kind_of;
use super::world::{Memory, Shape, Variable};
use super::Writer;

impl Writer {
    pub fn memory_statement(&mut self) {
        match self.random.below(5) {
            0 | 1 => self.move_allocatable(),
            2 | 3 => self.set_pointer(),
            _ => self.swap_pointers(),
        }
    }

    fn move_allocatable(&mut self) {
        let Some(v) = self.writable(|v| v.memory == Memory::Moves) else { return self.assignment() };
        let name = self.placed(&v);
        let rank = v.shape.rank();
        let value = self.value(v.base);
        match self.random.below(4) {
            0 => {
                let allocate = self.allocation(&name, rank);
                self.put(format!("deallocate ({name})"));
                if self.random.chance(30) && name == v.name {
                    // A checkpoint at which it is not allocated.
                    if self.scope.leads && !self.scope.closed && self.affords(1, 1) && v.holder == 0 {
                        self.pays(1, 1);
                        self.put("!$cppc checkpoint");
                    }
                    self.tick();
                }
                self.put(allocate);
                // An expression might depend on the old content, so the value is a constant.
                let literal = self.literal(v.base);
                self.put(format!("{name} = {literal}"));
            }
            1 if rank == 1 => {
                // The maximum number of elements.
                let end = self.random.within(2, 5);
                let kept =
                    format!("{name}(lbound({name}, 1):min(ubound({name}, 1), lbound({name}, 1) + {end}))");
                let literal = self.literal(v.base);
                let kind = kind_of(v.base);
                self.put(format!("{name} = [{kept}, {literal}]"));
                let _ = kind;
            }
            2 if rank == 1 => {
                self.put(format!("{name} = {name}(lbound({name}, 1):lbound({name}, 1))"));
                let _ = value;
            }
            _ => {
                let found = self.writable(|o| {
                    o.memory == Memory::Moves
                        && o.base == v.base
                        && o.shape == v.shape
                        && o.group != v.group
                        && o.holder == 0
                });
                match found {
                    Some(o) if v.holder == 0 => {
                        self.put(format!("call move_alloc({}, {name})", o.name));
                        let allocate = self.allocation(&o.name, rank);
                        self.put(allocate);
                        let literal = self.literal(v.base);
                        self.put(format!("{} = {literal}", o.name));
                    }
                    _ => self.put(format!("{name} = {value}")),
                }
            }
        }
    }

    fn set_pointer(&mut self) {
        let Some(p) = self.writable(|v| v.memory == Memory::View) else { return self.owner() };
        let found = self.readable(|t| {
            t.target && t.group == p.group && t.memory != Memory::View && t.holder == 0 && t.base == p.base
        });
        let Some(target) = found.filter(|t| t.shape.rank() == p.shape.rank()) else { return self.owner() };
        let view = self.view_of(&target);
        let low = if p.shape.rank() == 1 && self.random.chance(25) { "(0:)" } else { "" };
        self.put(format!("{}{low} => {view}", p.name));
    }

    fn owner(&mut self) {
        let Some(p) = self.writable(|v| v.memory == Memory::Owner) else { return self.assignment() };
        let allocate = self.allocation(&p.name, 1);
        let literal = self.literal(p.base);
        self.put(format!("deallocate ({})", p.name));
        self.put(allocate);
        self.put(format!("{} = {literal}", p.name));
    }

    /// Swaps the memory of two pointers.
    fn swap_pointers(&mut self) {
        let Some(p) = self.writable(|v| v.memory == Memory::Owner) else { return self.move_allocatable() };
        let found = self.writable(|v| v.memory == Memory::Owner && v.base == p.base && v.group != p.group);
        let Some(q) = found else { return self.owner() };
        let between = format!("{}_other", p.name);
        let declaration = format!("{}, pointer :: {between}(:)", self.spelled(p.base));
        if !self.scope.declarations.contains(&declaration) {
            self.scope.declarations.push(declaration);
        }
        self.put(format!("{between} => {}", p.name));
        self.put(format!("{} => {}", p.name, q.name));
        self.put(format!("{} => {between}", q.name));
    }

    /// Fills a table with values that depend only on captured variables.
    pub fn execute_block(&mut self) {
        if self.scope.tables.is_empty() {
            return self.assignment();
        }
        let table: Variable = self.random.pick(&self.scope.tables);
        let Shape::Fixed(bounds) = &table.shape else { return };
        let count = bounds[0].1;
        let mut captured = Vec::new();
        for _ in 0..self.random.within(1, 2) {
            let found = self.readable(|v| {
                v.base == super::world::Base::Integer(4) && v.shape == Shape::Scalar && v.holder == 0 && !v.name.contains('%')
                    // Names of ASSOCIATE are refused.
                    && !v.name.starts_with("al")
                    && v.memory != Memory::Constant
            });
            if let Some(v) = found.filter(|v| !captured.contains(&v.name)) {
                captured.push(v.name);
            }
        }
        let place = match captured.first() {
            Some(name) => format!("1 + modulo({name}, {count})"),
            None => "2".to_owned(),
        };
        let value = match captured.last() {
            Some(name) => format!("mod({name} * {}, 61)", self.random.within(2, 9)),
            None => "5".to_owned(),
        };
        let capture =
            if captured.is_empty() { String::new() } else { format!(" capture({})", captured.join(", ")) };
        let words = self.random.pick(&["execute", "execute", "execute on restart"]);
        if words == "execute on restart" && captured.is_empty() {
            self.put("!$cppc execute on restart");
        } else {
            self.put(format!("!$cppc execute{capture}"));
        }
        self.put(format!("{}({place}) = {value}", table.name));
        if self.random.chance(30) {
            self.put(format!("if ({}({place}) > 30) {}({place}) = 7", table.name, table.name));
        }
        self.put("!$cppc end execute");
    }

    pub fn communicate(&mut self) {
        let e = self.integer(2);
        if self.random.chance(50) {
            self.put(format!("my_token = mod(my_token * 3 + my_rank + mod({}, 100), 9973)", e.text));
            self.put("call MPI_Allreduce(my_token, my_total, 1, MPI_INTEGER, MPI_SUM, my_team, my_error)");
        } else {
            self.put("call MPI_Sendrecv(my_token, 1, MPI_INTEGER, 1 - my_rank, 7, my_got, 1, MPI_INTEGER, 1 - my_rank, 7, my_team, MPI_STATUS_IGNORE, my_error)");
            self.put("my_token = mod(my_got + 2 * my_token, 9973)");
        }
    }
}
