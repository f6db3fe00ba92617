//! The printer: statements as the lines of a file.
//!
//! Input: statements, and the indentation of the text around them.
//! Output: lines.
//! Postcondition: they have the form, the letters and the operators of the file.

use cppc_source::Span;

use super::expression::{Expr, Type};
use super::statement::{
    Action, Case, Declaration, DoControl, Header, Part, Shape, Statement, Statements, Variable,
};
use super::text::Text;
use super::words::{Letters, Words};

/// The blanks of one level of indentation.
pub(super) const LEVEL: usize = 2;

pub(super) struct Printer<'a> {
    pub text: &'a Text<'a>,
    /// The prefix of hidden names.
    pub prefix: &'a str,
    pub letters: Letters,
    /// The number of blanks before the text around the statements. In fixed form, they are counted from
    /// column 7.
    pub indent: usize,
}

impl Printer<'_> {
    /// `depth`: the number of enclosing constructs that the indentation does not include.
    pub fn print(&self, statements: &Statements, depth: usize) -> Vec<String> {
        let mut page = Page { printer: self, lines: Vec::new() };
        page.statements(statements, depth);
        page.lines
    }

    /// Text of the program as comments.
    fn comment(&self, span: Span) -> Vec<String> {
        match self.text.line(self.text.line_at(span.start)) {
            Some(line) if !line.shares_line => self.text.comment(line.span, self.indent),
            _ => vec![self.text.comment_text(&self.text.written(span), self.indent)],
        }
    }
}

/// Lines while they are printed.
struct Page<'a> {
    printer: &'a Printer<'a>,
    lines: Vec<String>,
}

impl Page<'_> {
    fn statements(&mut self, statements: &Statements, mut depth: usize) {
        for (label, statement) in statements.list() {
            let at = (*label, depth);
            match statement {
                Statement::Comment(span) => self.lines.extend(self.printer.comment(*span)),
                Statement::Remark(remark) => {
                    let indent = self.printer.indent + LEVEL * depth;
                    self.lines.push(self.printer.text.comment_text(remark, indent));
                }
                Statement::Declaration(found) => self.line(at, |words| declaration(words, found)),
                Statement::Action(found) => self.line(at, |words| action(words, found)),
                Statement::When { condition, action: found } => {
                    self.line(at, |words| action(words.word("IF (").expr(condition).word(") "), found));
                }
                Statement::If { branches, otherwise } => self.if_construct(branches, otherwise.as_ref(), at),
                Statement::Select { selector, cases } => self.select_construct(selector, cases, at),
                Statement::DoWhile { condition, body } => {
                    self.line(at, |words| words.word("DO WHILE (").expr(condition).word(")"));
                    self.body(body, depth, |words| words.word("END DO"));
                }
                Statement::Block(body) => {
                    self.line(at, |words| words.word("BLOCK"));
                    self.body(body, depth, |words| words.word("END BLOCK"));
                }
                Statement::Interface(body) => {
                    self.line(at, |words| words.word("INTERFACE"));
                    self.body(body, depth, |words| words.word("END INTERFACE"));
                }
                Statement::Subroutine { name, dummies, binding, body } => {
                    self.line(at, |words| {
                        let words = words.word("SUBROUTINE ").name(name);
                        let words = words.word("(").list(dummies, Words::name).word(")");
                        binding.iter().fold(words, |words, binding| {
                            words.word(" BIND(C, NAME=").expr(&Expr::text(binding)).word(")")
                        })
                    });
                    self.body(body, depth, |words| words.word("END SUBROUTINE ").name(name));
                }
                // As the end of the procedure, which is not indented.
                Statement::Contains => {
                    self.line((*label, 0), |words| words.word("CONTAINS"));
                    depth = 1;
                }
                Statement::Header(found) => {
                    self.line(at, |words| header(words, found));
                    depth += 1;
                }
                Statement::Part(found) => self.line(at, |words| part(words, found)),
            }
        }
    }

    fn if_construct(
        &mut self,
        branches: &[(Expr, Statements)],
        otherwise: Option<&Statements>,
        at: (Option<u32>, usize),
    ) {
        let (label, depth) = at;
        for (index, (condition, body)) in branches.iter().enumerate() {
            let (label, word) = if index == 0 { (label, "IF (") } else { (None, "ELSE IF (") };
            self.line((label, depth), |words| words.word(word).expr(condition).word(") THEN"));
            self.statements(body, depth + 1);
        }
        if let Some(body) = otherwise {
            self.line((None, depth), |words| words.word("ELSE"));
            self.statements(body, depth + 1);
        }
        self.line((None, depth), |words| words.word("END IF"));
    }

    fn select_construct(&mut self, selector: &Expr, cases: &[(Case, Statements)], at: (Option<u32>, usize)) {
        let (_, depth) = at;
        self.line(at, |words| words.word("SELECT CASE (").expr(selector).word(")"));
        for (case, body) in cases {
            self.line((None, depth), |words| case_header(words.word("CASE "), case));
            self.statements(body, depth + 1);
        }
        self.line((None, depth), |words| words.word("END SELECT"));
    }

    /// The statements of a construct, and its end.
    fn body(&mut self, body: &Statements, depth: usize, end: impl FnOnce(Words) -> Words) {
        self.statements(body, depth + 1);
        self.line((None, depth), end);
    }

    /// One statement, with its label and depth.
    fn line(&mut self, at: (Option<u32>, usize), write: impl FnOnce(Words) -> Words) {
        let (printer, (label, depth)) = (self.printer, at);
        let line = write(Words::new(printer.text, printer.prefix, printer.letters)).line();
        self.lines.extend(line.fold(printer.text.form(), label, printer.indent + LEVEL * depth));
    }
}

fn declaration<'w>(words: Words<'w>, declaration: &Declaration) -> Words<'w> {
    match declaration {
        Declaration::Include(file) => words.word("INCLUDE ").expr(&Expr::text(*file)),
        Declaration::Use { module, names } => words
            .word("USE, INTRINSIC :: ")
            .word(module)
            .word(", ONLY: ")
            .list(*names, |words, name| words.word(name)),
        Declaration::UseAs { module, local, name } => {
            words.word("USE ").name(module).word(", ONLY: ").name(local).word(" => ").name(name)
        }
        Declaration::Import(name) => words.word("IMPORT :: ").name(name),
        Declaration::External(names) => words.word("EXTERNAL ").list(names, Words::name),
        Declaration::SavedZero(name) => words.word("INTEGER :: ").name(name).word(" = 0"),
        Declaration::Variables { ty, attributes, variables } => {
            let words = attributes.iter().fold(words.ty(ty), |words, word| words.word(", ").word(word));
            let words = match (ty, attributes) {
                (Type::Hidden(ty), []) if !ty.is_of_program() => words.word(" "),
                (Type::Hidden(_), _) => words.word(" :: "),
                (_, []) => words.word(" "),
                (_, _) => words.word(" :: "),
            };
            words.list(variables, variable)
        }
    }
}

fn variable<'w>(words: Words<'w>, variable: &Variable) -> Words<'w> {
    let words = words.name(&variable.name);
    match &variable.shape {
        Shape::Scalar => words,
        Shape::Extent(extent) => words.word("(").number(*extent).word(")"),
        Shape::AssumedSize => words.word("(*)"),
        Shape::Deferred { rank: 0 } => words,
        Shape::Deferred { rank } => words.word("(").list(0..*rank, |words, _| words.word(":")).word(")"),
    }
}

fn action<'w>(words: Words<'w>, action: &Action) -> Words<'w> {
    match action {
        Action::Source(source) => words.source(source),
        Action::Assign { target, value } => words.expr(target).word(" = ").expr(value),
        Action::PointTo { pointer, target } => words.expr(pointer).word(" => ").expr(target),
        Action::Call { procedure, arguments } if arguments.is_empty() => words.word("CALL ").name(procedure),
        Action::Call { procedure, arguments } => {
            words.word("CALL ").name(procedure).word("(").exprs(arguments).word(")")
        }
        Action::Goto(label) => words.word("GOTO ").number(*label),
        Action::Continue => words.word("CONTINUE"),
        Action::Exit => words.word("EXIT"),
        Action::Return(value) => words.word("RETURN ").expr(value),
        Action::Allocate(object) => words.word("ALLOCATE (").expr(object).word(")"),
        Action::Deallocate(object) => words.word("DEALLOCATE (").expr(object).word(")"),
        Action::Nullify(object) => words.word("NULLIFY (").expr(object).word(")"),
        Action::Transfer { word, controls, items } => {
            let words = words.word(word).word(" (").exprs(controls).word(")");
            if items.is_empty() {
                words
            } else {
                words.word(" ").exprs(items)
            }
        }
    }
}

fn header<'w>(words: Words<'w>, header: &Header) -> Words<'w> {
    match header {
        Header::If { name, condition } => {
            words.construct_name(name.as_ref()).word("IF (").expr(condition).word(") THEN")
        }
        Header::Do { name, end, control } => {
            let words = words.construct_name(name.as_ref()).word("DO");
            let words = end.iter().fold(words, |words, end| words.word(" ").number(*end));
            match control {
                DoControl::Forever => words,
                DoControl::While(condition) => words.word(" WHILE (").expr(condition).word(")"),
                DoControl::Counted { variable, first, last, step } => {
                    let words = words.word(" ").expr(variable).word(" = ").expr(first).word(", ").expr(last);
                    step.iter().fold(words, |words, step| words.word(", ").expr(step))
                }
            }
        }
        Header::Case { number, name } => {
            words.word("CASE (").number(*number).word(")").belongs_to(name.as_ref())
        }
    }
}

fn part<'w>(words: Words<'w>, part: &Part) -> Words<'w> {
    match part {
        Part::ElseIf(condition) => words.word("ELSE IF (").expr(condition).word(") THEN"),
        Part::Else => words.word("ELSE"),
        Part::EndIf => words.word("END IF"),
        Part::Select { name, selector } => {
            words.construct_name(name.as_ref()).word("SELECT CASE (").expr(selector).word(")")
        }
        Part::Associate(names) => {
            let words = words.word("ASSOCIATE (");
            words.list(names, |words, (name, of)| words.name(name).word(" => ").expr(of)).word(")")
        }
        Part::EndAssociate => words.word("END ASSOCIATE"),
    }
}

fn case_header<'w>(words: Words<'w>, case: &Case) -> Words<'w> {
    match case {
        Case::Values(values) => words.word("(").expr(values).word(")"),
        Case::Source(span) => words.source_text(*span),
        Case::Default => words.word("DEFAULT"),
    }
}

#[cfg(test)]
mod tests {
    use cppc_grammar::fortran::logical::{Form, Lines, LogicalLine};
    use cppc_source::{FileId, Files};

    use super::super::expression::{Name, Operator, Source};
    use super::super::Style;
    use super::*;

    const FIXED: Form = Form::Fixed { columns: 72 };

    /// The lines of statements in a file with this text.
    fn printed_in(
        source: &str,
        form: Form,
        letters: Letters,
        write: impl FnOnce(FileId, &mut Statements),
    ) -> Vec<String> {
        let mut files = Files::new();
        let file = files.add("t.f", source.as_bytes().to_vec());
        let lines = vec![LogicalLine::plain(file, form, source)];
        let lines = Lines { file, form, lines, includes: Vec::new(), diagnostics: Vec::new() };
        let style = Style { files: &files, file, lines: &lines, fingerprint: String::new() };
        let text = Text::new(&style);
        let statements = Statements::of(|statements| write(file, statements));
        Printer { text: &text, prefix: "cppc", letters, indent: 2 }.print(&statements, 0)
    }

    fn printed(form: Form, letters: Letters, write: impl FnOnce(&mut Statements)) -> Vec<String> {
        printed_in("", form, letters, |_, statements| write(statements))
    }

    fn next() -> Expr {
        Expr::hidden("NEXT")
    }

    #[test]
    fn operators_and_letters_are_those_of_the_file() {
        let write = |statements: &mut Statements| {
            statements.when(next().not_zero(), Action::assign(Expr::bound("x"), Expr::text("No, 'it's'")));
        };
        assert_eq!(printed(Form::Free, Letters::Small, write), ["  if (cppc_next /= 0) x = 'No, ''it''s'''"]);
        assert_eq!(
            printed(FIXED, Letters::Capitals, write),
            ["        IF (CPPC_NEXT .NE. 0) X = 'No, ''it''s'''"]
        );
    }

    #[test]
    fn constructs_indent_what_is_in_them() {
        let lines = printed(Form::Free, Letters::Small, |statements| {
            statements.label(90001);
            statements.if_else(
                next().equals(0),
                |inner| {
                    let body = Statements::of(|body| body.push(Action::Exit));
                    inner.push(Statement::DoWhile { condition: Expr::Logical(true), body });
                },
                |inner| inner.labelled(90002, Action::Continue),
            );
        });
        let expected = [
            "90001 if (cppc_next == 0) then",
            "    do while (.true.)",
            "      exit",
            "    end do",
            "  else",
            "90002 continue",
            "  end if",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_follows_a_header_of_the_program_is_in_its_construct() {
        let lines = printed(FIXED, Letters::Capitals, |statements| {
            let control = DoControl::Counted {
                variable: Expr::bound("i"),
                first: Expr::integer(1),
                last: Expr::integer(9),
                step: Some(Expr::Integer { value: -1, kind: Some(8) }),
            };
            statements.push(Header::Do { name: Some("loop".to_owned()), end: Some(90007), control });
            statements.when(next().not_zero(), Action::Goto(90003));
        });
        assert_eq!(
            lines,
            ["        loop: DO 90007 I = 1, 9, -1_8", "          IF (CPPC_NEXT .NE. 0) GOTO 90003"]
        );
    }

    #[test]
    fn two_labels_in_a_row_need_two_statements() {
        let lines = printed(FIXED, Letters::Small, |statements| {
            statements.label(10);
            statements.label(90001);
            statements.call("CPPC_LEAVE", []);
        });
        assert_eq!(lines, ["   10   continue", "90001   call cppc_leave"]);
    }

    #[test]
    fn comments_have_no_labels() {
        let lines = printed_in("call f(x)", Form::Free, Letters::Small, |file, statements| {
            statements.label(90001);
            statements.push(Statement::Comment(Span::new(file, 0, 9)));
            statements.push(Action::Continue);
        });
        assert_eq!(lines, ["! call f(x)", "90001 continue"]);
    }

    #[test]
    fn text_of_the_program_keeps_its_letters_and_gets_parentheses_as_an_operand() {
        let source = "If (A < b .or. F(x)) return";
        let lines = printed_in(source, Form::Free, Letters::Capitals, |file, statements| {
            let span = |start, end| Span::new(file, start, end);
            let holes = vec![(span(15, 19), Expr::hidden("VALUE_1"))];
            let condition = Expr::Source(Source { span: span(4, 19), holes });
            statements.when(condition.clone().not(), Action::Exit);
            statements.when(next().equals(0), Action::assign(Expr::hidden("TRUE_1"), condition));
        });
        let expected = [
            "  IF (.NOT. (A < b .or. CPPC_VALUE_1)) EXIT",
            "  IF (CPPC_NEXT == 0) CPPC_TRUE_1 = A < b .or. CPPC_VALUE_1",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn operands_have_the_parentheses_that_they_need() {
        let sum = || next().binary(Operator::Add, Expr::integer(1));
        let lines = printed(Form::Free, Letters::Small, |statements| {
            statements.assign(Expr::bound("a"), sum().binary(Operator::Divide, next()));
            statements.assign(Expr::bound("b"), next().binary(Operator::Subtract, sum()));
            statements.assign(Expr::bound("c"), sum().binary(Operator::Subtract, next()));
            let both = next().not_zero().and(Expr::bound("ready").not());
            statements.assign(Expr::bound("d"), both.clone().binary(Operator::Or, both));
        });
        let expected = [
            "  a = (cppc_next + 1) / cppc_next",
            "  b = cppc_next - (cppc_next + 1)",
            "  c = cppc_next + 1 - cppc_next",
            "  d = cppc_next /= 0 .and. .not. ready .or. cppc_next /= 0 .and. .not. ready",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_long_call_ends_its_lines_behind_commas_and_not_in_constants() {
        let call = |count: usize| {
            let constant = Expr::text("one, two, three, four and five");
            let call = Action::call("CPPC_CAPTURE_REAL_8", vec![constant; count]);
            |statements: &mut Statements| statements.labelled(90001, call)
        };
        let fixed = [
            "90001   CALL CPPC_CAPTURE_REAL_8('one, two, three, four and five',",
            "     &    'one, two, three, four and five')",
        ];
        assert_eq!(printed(FIXED, Letters::Capitals, call(2)), fixed);
        let free = [
            "90001 call cppc_capture_real_8('one, two, three, four and five', 'one, two, three, four and five', &",
            "      'one, two, three, four and five')",
        ];
        assert_eq!(printed(Form::Free, Letters::Small, call(3)), free);
    }

    #[test]
    fn a_constant_that_is_longer_than_a_line_continues_in_column_7() {
        let lines = printed(FIXED, Letters::Capitals, |statements| {
            statements.call("CPPC_UNREGISTER", [Expr::text("x".repeat(80))]);
        });
        assert_eq!(lines[0], "        CALL");
        assert_eq!(lines[1].len(), 72);
        assert_eq!(lines[2], format!("     &{}')", "x".repeat(80 - 45)));
    }

    #[test]
    fn declarations_have_colons_where_they_have_attributes() {
        let lines = printed(Form::Free, Letters::Small, |statements| {
            statements.push(Declaration::Include("cppcf.h"));
            statements.push(Declaration::of(Type::Count, &["LOWER", "UPPER"], Some(3)));
            statements.push(Declaration::function(Type::Integer, "CPPC_FOLLOWS"));
            let array = Variable { name: Name::hidden("ARRAY"), shape: Shape::Deferred { rank: 2 } };
            let ty = Type::Known { word: "REAL", kind: Some("8") };
            statements.push(Declaration::Variables { ty, attributes: &["POINTER"], variables: vec![array] });
        });
        let expected = [
            "  include 'cppcf.h'",
            "  integer(kind=8) cppc_lower(3), cppc_upper(3)",
            "  integer, external :: cppc_follows",
            "  real(8), pointer :: cppc_array(:, :)",
        ];
        assert_eq!(lines, expected);
    }
}
