//! The body of one procedure: its variables and its control statements.
//!
//! Input: a draft of the program, and the kind of procedure.
//! Output: nodes.
//! Postcondition: all loops end. Every variable that is live at a checkpoint is registered before it. No jump
//! crosses a declaration that it must not cross.

use super::draft::Draft;
use super::scope::{Access, Scopes, Variable};
use super::types::{Domain, Type, INT, UNSIGNED};
use crate::random::numbers::Random;
use crate::random::sample::Node;

pub struct Body<'a> {
    pub draft: &'a mut Draft,
    pub random: Random,
    pub scopes: Scopes,
    pub file: usize,
    /// Whether directives and calls of procedures with directives may be generated.
    pub leads: bool,
    pub returns: Option<Type>,
    /// The number of ticks so far, and how often the next statements run.
    pub cost: usize,
    pub limit: usize,
    pub multiplier: usize,
    /// The depth of calls within arguments of calls.
    pub nesting: usize,
    /// Whether a block of the translation was generated since this was last set to false.
    pub has_blocks: bool,
    pub is_in_loop: bool,
    /// Later labels to which a jump is allowed.
    pub labels: Vec<String>,
    pub is_main: bool,
}

impl Body<'_> {
    /// The number of ticks that a call may take here.
    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.cost) / self.multiplier.max(1)
    }

    pub fn spend(&mut self, ticks: usize) {
        self.cost += ticks * self.multiplier;
    }

    /// Statements, some of which may be of several nodes.
    pub fn statements(&mut self, count: usize, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..count {
            let made = self.statement(depth);
            nodes.extend(made);
        }
        nodes
    }

    /// Statements in a separate scope.
    pub fn scope(&mut self, count: usize, depth: usize) -> Vec<Node> {
        self.scopes.enter();
        let nodes = self.statements(count, depth);
        self.scopes.leave();
        nodes
    }

    fn statement(&mut self, depth: usize) -> Vec<Node> {
        let leads = usize::from(self.leads);
        let inner = usize::from(depth > 0);
        let weights = [
            14,                // 0: an assignment
            8,                 // 1: a declaration
            18,                // 2: a call
            10 * leads,        // 3: a checkpoint
            7 * inner,         // 4: if
            8 * inner,         // 5: a counting loop
            5 * inner,         // 6: while, do
            5 * inner,         // 7: switch
            3 * inner,         // 8: a jump forwards
            2 * inner,         // 9: a jump backwards
            4 * inner,         // 10: a block
            4 * leads,         // 11: execute
            4,                 // 12: pointers
            2 * inner * leads, // 13: heap memory
            2,                 // 14: leave a loop, return, or jump
            2,                 // 15: write to a file
            2 * inner,         // 16: a scope without blocks, with an array of variable length
            2 * leads * inner, // 17: into the middle of a loop
            9 * inner,         // 18: a group
        ];
        match self.random.weighted(&weights) {
            0 => self.assignment(),
            1 => self.declaration(),
            2 => self.call_statement(),
            3 => self.checkpoint(),
            4 => self.branch(depth - 1),
            5 => self.counting_loop(depth - 1),
            6 => self.conditional_loop(depth - 1),
            7 => self.switch(depth - 1),
            8 => self.jump_forwards(depth - 1),
            9 => self.jump_backwards(depth - 1),
            10 => {
                let count = 1 + self.random.below(3);
                vec![Node::block("{", self.scope(count, depth - 1), "}").unwrap()]
            }
            11 => self.execute(),
            12 => self.pointer_statement(),
            13 => self.heap(depth - 1),
            14 => self.leave(),
            15 => self.write_to_file(),
            16 => self.variable_length(),
            17 => self.entered_loop(),
            _ => self.template(depth - 1),
        }
    }

    pub fn checkpoint(&mut self) -> Vec<Node> {
        if self.room() < 2 {
            return self.assignment();
        }
        self.spend(1);
        self.has_blocks = true;
        let directive = match self.random.below(12) {
            0 => "#pragma cccp checkpoint",
            1 => "#pragma  cppc  checkpoint /* here */",
            _ => "#pragma cppc checkpoint",
        };
        vec![Node::lines([directive, "tick();"])]
    }

    /// A condition, if possible with a call. Each evaluation may lead to a checkpoint.
    fn any_condition(&mut self, call_percent: usize) -> String {
        if self.random.chance(call_percent) {
            let depth = self.random.below(3);
            if let Some(call) = self.with_call(Domain::Whole, depth) {
                return format!("({call} & {})", 1 + self.random.below(7));
            }
        }
        self.condition(2, Access::Read)
    }

    fn branch(&mut self, depth: usize) -> Vec<Node> {
        let condition = self.any_condition(40);
        let count = 1 + self.random.below(3);
        if self.random.chance(30) {
            // Without braces. A directive and the statement after it count as one statement.
            let mut lines = vec![format!("if ({condition})")];
            lines.extend(self.bare_statement());
            if self.random.chance(50) {
                lines.push("else".to_owned());
                lines.extend(self.bare_statement());
            }
            return vec![Node::lines(lines)];
        }
        let mut nodes = vec![Node::block(format!("if ({condition}) {{"), self.scope(count, depth), "}")];
        if self.random.chance(50) {
            let head = match self.random.chance(30) {
                true => format!("else if ({}) {{", self.any_condition(40)),
                false => "else {".to_owned(),
            };
            let body = self.scope(count, depth);
            nodes.push(Node::block(head, body, "}"));
            // An `else` needs its `if`.
            let key = self.draft.key();
            return nodes.into_iter().map(|node| node.key(key)).collect();
        }
        nodes[0].reduction = crate::random::sample::Reduction::Remove;
        nodes
    }

    /// The lines of one statement that needs no braces.
    pub fn bare_statement(&mut self) -> Vec<String> {
        if self.leads && self.room() > 3 && self.random.chance(30) {
            self.spend(1);
            self.has_blocks = true;
            let mut lines = vec!["#pragma cppc checkpoint".to_owned()];
            lines.extend(self.simple());
            return lines;
        }
        self.simple()
    }

    pub fn simple(&mut self) -> Vec<String> {
        let node = if self.random.chance(50) { self.call_statement() } else { self.assignment() };
        node.into_iter().next().map_or(vec![";".to_owned()], |node| node.head)
    }

    /// Runs `make` for code that is executed `times` times.
    fn repeated<T>(&mut self, times: usize, make: impl FnOnce(&mut Self) -> T) -> T {
        let (outer, was_in_loop) = (self.multiplier, self.is_in_loop);
        self.multiplier *= times;
        self.is_in_loop = true;
        let made = make(self);
        self.multiplier = outer;
        self.is_in_loop = was_in_loop;
        made
    }

    fn counting_loop(&mut self, depth: usize) -> Vec<Node> {
        let times = 2 + self.random.below(3);
        let scalar = self.random.pick(&[INT, INT, UNSIGNED, 7, 3, 12]);
        let (name, shadowed) = self.new_name_shadowing();
        let mut counter = Variable::new(&name, Type::Scalar(scalar));
        // After the last increment it is one more than in the body.
        (counter.is_constant, counter.below) = (true, times + 1);
        let count = 1 + self.random.below(4);
        let had_blocks = std::mem::replace(&mut self.has_blocks, false);
        let mut nodes = Vec::new();
        let declares_in_header = self.random.chance(60) || shadowed;
        let key = self.draft.key();
        let has_outer = declares_in_header && self.random.chance(15);
        let node = self.repeated(if has_outer { 2 * times } else { times }, |body| {
            let outer = has_outer.then(|| body.loop_without_braces());
            body.scopes.enter();
            body.scopes.declare(counter.clone());
            let increment = body.increment(&name, declares_in_header);
            let more = body.random.chance(25).then(|| body.any_condition(80));
            let mut inner = body.scope(count, depth);
            if declares_in_header && (body.has_blocks || body.random.chance(20)) {
                let names = outer.iter().map(|(outer, _)| format!("{outer}, ")).collect::<String>() + &name;
                inner.insert(0, Node::line(format!("#pragma cppc register({names})")).fixed());
            }
            body.scopes.leave();
            let ty = super::types::SCALARS[scalar].name;
            let start = if declares_in_header { format!("{ty} {name} = 0") } else { format!("{name} = 0") };
            let more = match &more {
                Some(more) => format!(" && ({more} != 9)"),
                None => String::new(),
            };
            let head = format!("for ({start}; {name} < {times}{more}; {increment}) {{");
            let mut node = Node::block(head, inner, "}");
            node.head.splice(0..0, outer.map(|(_, head)| head));
            node
        });
        if !declares_in_header {
            let ty = super::types::SCALARS[scalar].name;
            let mut lines = vec![format!("{ty} {name};")];
            if self.leads {
                lines.push(format!("#pragma cppc register({name})"));
            }
            nodes.push(Node::lines(lines).key(key));
            counter.below = 0;
            counter.key = key;
            self.scopes.declare(counter);
            nodes.push(node.key(key));
        } else {
            nodes.push(node);
        }
        if self.leads && !declares_in_header && !self.has_blocks {
            // The register itself.
            self.has_blocks = true;
        }
        self.has_blocks |= had_blocks;
        nodes
    }

    /// The name of a counter, and the head of a loop whose body is the loop that follows.
    fn loop_without_braces(&mut self) -> (String, String) {
        let name = format!("v{}", self.draft.number());
        let increment = self.increment(&name, true);
        let more = self.any_condition(60);
        let head = format!("for (int {name} = 0; {name} < 2 && ({more} != 9); {increment})");
        (name, head)
    }

    /// `i++`, sometimes with a call.
    fn increment(&mut self, name: &str, declares_in_header: bool) -> String {
        let plain = self.random.pick(&[format!("{name}++"), format!("++{name}"), format!("{name} += 1")]);
        if !self.random.chance(if declares_in_header { 20 } else { 15 }) {
            return plain;
        }
        let path =
            self.scopes.path(Domain::Whole, Access::WriteInPlace, &self.draft.structures, &mut self.random);
        let Some(path) = path else { return plain };
        match self.value_with_call(path.scalar) {
            Some(value) if self.random.chance(50) => format!("{} = {value}, {plain}", path.text),
            Some(value) => format!("{plain}, {} = {value}", path.text),
            None => plain,
        }
    }

    fn conditional_loop(&mut self, depth: usize) -> Vec<Node> {
        let times = 2 + self.random.below(3);
        let (name, _) = self.new_name_shadowing();
        let mut counter = Variable::new(&name, Type::Scalar(UNSIGNED));
        (counter.is_constant, counter.below) = (true, times + 2);
        let key = self.draft.key();
        let mut lines = vec![format!("unsigned {name} = 0;")];
        if self.leads {
            lines.push(format!("#pragma cppc register({name})"));
            self.has_blocks = true;
        }
        let mut nodes = vec![Node::lines(lines).key(key)];
        counter.key = key;
        self.scopes.declare(counter);
        let count = 1 + self.random.below(3);
        let node = self.repeated(times + 1, |body| {
            let more = body.any_condition(60);
            match body.random.below(3) {
                0 => {
                    let inner = body.scope(count, depth);
                    Node::block(format!("while ({name}++ < {times} && ({more} != 9)) {{"), inner, "}")
                }
                1 => {
                    let inner = body.scope(count, depth);
                    Node::block("do {", inner, format!("}} while (++{name} < {times} && ({more} != 9));"))
                }
                _ => {
                    let mut inner = vec![Node::line(format!("if (++{name} > {times}) break;")).fixed()];
                    inner.extend(body.scope(count, depth));
                    Node::block("for (;;) {", inner, "}")
                }
            }
        });
        nodes.push(node.key(key));
        nodes
    }

    fn switch(&mut self, depth: usize) -> Vec<Node> {
        let ways = 2 + self.random.below(3);
        let selector = match self.random.chance(45) {
            true => self.with_call(Domain::Whole, 1),
            false => None,
        };
        let selector = selector.unwrap_or_else(|| self.whole(2, Access::Read));
        let mut cases = Vec::new();
        let was_in_loop = std::mem::replace(&mut self.is_in_loop, false);
        for way in 0..ways {
            let label = if way + 1 == ways && self.random.chance(60) {
                "default:".to_owned()
            } else {
                format!("case {way}:")
            };
            let count = 1 + self.random.below(2);
            let mut body = vec![Node::block("{", self.scope(count, depth), "}").fixed()];
            if self.leads && self.random.chance(30) {
                let directive = self.checkpoint();
                // A directive directly after the label.
                body.splice(0..0, directive.into_iter().map(Node::fixed));
            }
            if self.random.chance(65) || way + 1 == ways {
                body.push(Node::line("break;").fixed());
            }
            cases.push(Node { head: vec![label], body, ..Node::line("") });
        }
        self.is_in_loop = was_in_loop;
        vec![Node::block(format!("switch ((int)({selector} % {ways})) {{"), cases, "}")]
    }

    fn jump_forwards(&mut self, depth: usize) -> Vec<Node> {
        let label = format!("out_{}", self.draft.number());
        self.labels.push(label.clone());
        let condition = self.any_condition(30);
        let mut inner = vec![Node::line(format!("if ({condition}) goto {label};"))];
        let count = 1 + self.random.below(3);
        inner.extend(self.scope(count, depth));
        self.labels.pop();
        let key = self.draft.key();
        let target = match self.leads && self.random.chance(40) {
            true => {
                let mut node = self.checkpoint().remove(0);
                node.head.insert(0, format!("{label}:"));
                node
            }
            false => Node::line(format!("{label}: ;")),
        };
        vec![Node::block("{", inner, "}").key(key), target.key(key)]
    }

    fn jump_backwards(&mut self, depth: usize) -> Vec<Node> {
        let times = 1 + self.random.below(2);
        let label = format!("again_{}", self.draft.number());
        let (name, _) = self.new_name_shadowing();
        let key = self.draft.key();
        let mut counter = Variable::new(&name, Type::Scalar(INT));
        (counter.is_constant, counter.key) = (true, key);
        let mut lines = vec![format!("int {name} = 0;")];
        if self.leads {
            lines.push(format!("#pragma cppc register({name})"));
            self.has_blocks = true;
        }
        self.scopes.declare(counter);
        let was_in_loop = self.is_in_loop;
        let count = 1 + self.random.below(3);
        let inner = self.repeated(times + 1, |body| {
            body.is_in_loop = was_in_loop;
            body.scope(count, depth)
        });
        let block = Node::block(format!("{label}: {{"), inner, "}").key(key);
        let back = Node::line(format!("if ({name}++ < {times}) goto {label};")).key(key);
        vec![Node::lines(lines).key(key), block, back]
    }

    /// A `switch` into a loop.
    fn entered_loop(&mut self) -> Vec<Node> {
        let (name, _) = self.new_name_shadowing();
        let key = self.draft.key();
        let mut counter = Variable::new(&name, Type::Scalar(INT));
        (counter.is_constant, counter.key) = (true, key);
        self.scopes.declare(counter);
        self.has_blocks = true;
        let start = self.whole(1, Access::Read);
        let mut lines = vec![format!("int {name} = 3;"), format!("#pragma cppc register({name})")];
        lines.push(format!("switch ((int)({start} % 3)) {{"));
        let parts =
            self.repeated(3, |body| [body.bare_statement(), body.bare_statement(), body.bare_statement()]);
        for (number, part) in parts.into_iter().enumerate() {
            lines.push(if number == 0 { "case 0: do {".to_owned() } else { format!("case {number}:") });
            lines.extend(part);
        }
        lines.extend([format!("}} while (--{name} > 0);"), "}".to_owned()]);
        vec![Node::lines(lines).key(key)]
    }

    /// Leaves a loop or a procedure, or jumps to a later label.
    fn leave(&mut self) -> Vec<Node> {
        let condition = self.condition(2, Access::Read);
        let way = match (self.is_in_loop, self.labels.last(), self.is_main) {
            (true, _, _) if self.random.chance(60) => self.random.pick(&["break;", "continue;"]).to_owned(),
            (_, Some(label), _) if self.random.chance(60) => format!("goto {label};"),
            (_, _, false) => self.return_statement(),
            _ => return self.assignment(),
        };
        vec![Node::line(format!("if ({condition} && {}) {way}", self.condition(1, Access::Read)))]
    }

    /// `return` with a value, sometimes that of a call.
    pub fn return_statement(&mut self) -> String {
        let Some(ty) = self.returns.clone() else { return "return;".to_owned() };
        match &ty {
            Type::Scalar(scalar) => {
                let called = if self.random.chance(35) { self.value_with_call(*scalar) } else { None };
                let value = called.unwrap_or_else(|| self.value(*scalar, Access::Read));
                format!("return {value};")
            }
            Type::Structure(_) => match self.structure_argument(&ty, false) {
                Some(value) => format!("return {value};"),
                None => unreachable!("a structure can always be spelled"),
            },
            Type::Pointer(target, length) => {
                let found = self.addresses(target, *length, false, &|variable| variable.is_global);
                format!("return {};", self.random.pick(&found))
            }
            Type::Array(..) => unreachable!("no procedure returns an array"),
        }
    }
}
