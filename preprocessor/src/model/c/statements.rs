//! C statements in the model, with the directives between them.

use cppc_grammar::c::tree::{
    ArraySize, BlockItem, Compound, Declaration, Derivation, ForInit, InitDeclarator, Range, Statement,
    StatementKind, Storage, TypeSpecifier,
};
use cppc_source::Span;

use super::{Builder, ProcedureContext};
use crate::bind::c::cleanup::cleanup_function;
use crate::bind::c::{StorageKind, SymbolKind};
use crate::model::{self, Expression, Loop, LoopForm, LoopInit, VariableLength};

impl Builder<'_> {
    /// The items of a compound statement, including directives.
    pub(super) fn block_items(
        &self,
        compound: &Compound,
        context: &ProcedureContext,
    ) -> Vec<model::Statement> {
        let mut items = Vec::new();
        for item in &compound.items {
            let range = item.range();
            items.extend(self.directives_before(range.start, context));
            items.push(self.block_item(item, range, context));
        }
        items.extend(self.directives_before(compound.range.end.saturating_sub(1), context));
        items
    }

    /// Takes the directives before a token from the list of waiting directives.
    fn directives_before(&self, token: u32, context: &ProcedureContext) -> Vec<model::Statement> {
        let mut placed = Vec::new();
        let mut waiting = context.waiting.borrow_mut();
        while let Some(&next) = waiting.front() {
            let directive = &self.bound.directives[next];
            if directive.before > token {
                break;
            }
            waiting.pop_front();
            placed.push(model::Statement {
                id: context.next_statement(),
                place: Some(directive.span),
                anchor: directive.span,
                label: None,
                kind: model::StatementKind::Directive(self.directive(directive, context)),
            });
        }
        placed
    }

    fn block_item(&self, item: &BlockItem, range: Range, context: &ProcedureContext) -> model::Statement {
        match item {
            BlockItem::Statement(statement) => self.statement(statement, context),
            BlockItem::Declaration(declaration) => {
                let kind = model::StatementKind::Declaration(self.declaration(declaration, context));
                self.at(range, kind, context)
            }
            BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {
                self.at(range, model::StatementKind::Opaque, context)
            }
        }
    }

    fn at(&self, range: Range, kind: model::StatementKind, context: &ProcedureContext) -> model::Statement {
        model::Statement {
            id: context.next_statement(),
            place: self.spans.of(range),
            anchor: self.spans.anchor(range),
            label: None,
            kind,
        }
    }

    fn statement(&self, statement: &Statement, context: &ProcedureContext) -> model::Statement {
        let boxed = |s: &Statement| Box::new(self.substatement(s, context));
        let expression = |e: &cppc_grammar::c::tree::Expr| self.expression(e, context);
        let kind = match &statement.kind {
            StatementKind::Expr(Some(expr)) => model::StatementKind::Expression(expression(expr)),
            StatementKind::Expr(None) | StatementKind::Asm { .. } => model::StatementKind::Opaque,
            StatementKind::Compound(compound) => {
                let inner = self.spans.end(compound.range.start);
                model::StatementKind::Block {
                    items: self.block_items(compound, context),
                    inner,
                    implied: false,
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                self.note_condition(condition, context);
                model::StatementKind::If {
                    condition: expression(condition),
                    then: boxed(then),
                    otherwise: otherwise.as_deref().map(boxed),
                }
            }
            StatementKind::Switch { condition, body } => {
                model::StatementKind::Switch { condition: expression(condition), body: boxed(body) }
            }
            StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For { .. } => {
                return self.loop_statement(statement, context);
            }
            StatementKind::Break => model::StatementKind::Break,
            StatementKind::Goto(_) => model::StatementKind::Jump,
            StatementKind::ComputedGoto(target) => model::StatementKind::JumpTo(expression(target)),
            StatementKind::Continue => model::StatementKind::Continue,
            StatementKind::Return(value) => model::StatementKind::Return(value.as_deref().map(expression)),
            StatementKind::Label { body, .. } | StatementKind::Case { body, .. } => {
                model::StatementKind::Labelled { body: boxed(body), is_default: false }
            }
            StatementKind::Default { body } => {
                model::StatementKind::Labelled { body: boxed(body), is_default: true }
            }
        };
        self.at(statement.range, kind, context)
    }

    /// A statement that is the body of another. Directives before it make it a block.
    fn substatement(&self, statement: &Statement, context: &ProcedureContext) -> model::Statement {
        let mut items = self.directives_before(statement.range.start, context);
        let own = self.statement(statement, context);
        let Some(first) = items.first() else { return own };
        let place = match (first.place, own.place) {
            (Some(first), Some(last)) => Some(first.to(last)),
            _ => None,
        };
        let anchor = first.anchor;
        items.push(own);
        let kind = model::StatementKind::Block { items, inner: None, implied: true };
        model::Statement { id: context.next_statement(), place, anchor, label: None, kind }
    }

    fn loop_statement(&self, statement: &Statement, context: &ProcedureContext) -> model::Statement {
        let mut init = LoopInit::None;
        let mut step = None;
        let (form, condition, body) = match &statement.kind {
            StatementKind::While { condition, body } => (LoopForm::While, Some(condition), body),
            StatementKind::DoWhile { condition, body } => (LoopForm::DoWhile, Some(condition), body),
            StatementKind::For { init: first, condition, step: last, body } => {
                init = match first {
                    ForInit::None => LoopInit::None,
                    ForInit::Expr(expr) => LoopInit::Expression(self.expression(expr, context)),
                    ForInit::Declaration(declaration) => {
                        LoopInit::Declaration(self.declaration(declaration, context))
                    }
                };
                step = last.as_ref().map(|step| self.expression(step, context));
                (LoopForm::For, condition.as_ref(), body)
            }
            _ => return self.at(statement.range, model::StatementKind::Opaque, context),
        };
        // The body of a `do` precedes its condition, so that directives are taken in text order.
        let body = self.substatement(body, context);
        let condition = condition.map(|condition| self.expression(condition, context));
        let built = Loop { form, init, condition, step, body };
        self.at(statement.range, model::StatementKind::Loop(Box::new(built)), context)
    }

    fn declaration(&self, declaration: &Declaration, context: &ProcedureContext) -> model::Declaration {
        let specifiers = &declaration.specifiers;
        let mut previous_end: Option<u32> = None;
        let declarators = declaration.declarators.iter().enumerate().map(|(number, declarator)| {
            let separator = previous_end.and_then(|end| self.separator(end, declarator.range.start));
            previous_end = Some(declarator.range.end);
            let built = self.declarator(declarator, separator, specifiers.storage, context);
            model::Declarator { cleanup: self.cleanup(declaration, number), ..built }
        });
        model::Declaration {
            declarators: declarators.collect(),
            storage_word: self.storage_word(specifiers),
            constant_words: self.constant_words(declaration),
            constant_storage: None,
            specifiers: self.spans.of(specifiers.range),
            defines_type: match &specifiers.kind {
                TypeSpecifier::Record(record) => record.fields.is_some(),
                TypeSpecifier::Enum(enumeration) => enumeration.enumerators.is_some(),
                _ => false,
            },
            place: self.spans.of(declaration.range),
        }
    }

    /// The bytes from the end of one declarator to the start of the next.
    fn separator(&self, end: u32, start: u32) -> Option<Span> {
        let before = self.spans.end(end.checked_sub(1)?)?;
        let after = self.spans.start(start)?;
        (before <= after).then(|| Span::new(self.spans.main, before, after))
    }

    fn declarator(
        &self,
        declarator: &InitDeclarator,
        separator: Option<Span>,
        storage: Storage,
        context: &ProcedureContext,
    ) -> model::Declarator {
        let mut expressions: Vec<Expression> = Vec::new();
        let runs = !matches!(storage, Storage::Static | Storage::Extern | Storage::Typedef);
        for derivation in &declarator.declarator.derivations {
            if let Derivation::Array { size: ArraySize::Expr(size), .. } = derivation {
                expressions.push(self.expression(size, context));
            }
        }
        let variable_length = self.variable_length(declarator, &expressions);
        if let (true, Some(initializer)) = (runs, &declarator.initializer) {
            expressions.extend(self.initializer(initializer, context));
        }
        let place = self.spans.of(declarator.range);
        let constant = self.constant(declarator, context);
        let initialised = self.initialised(declarator, context);
        model::Declarator {
            place,
            separator,
            expressions,
            variable_length,
            cleanup: None,
            constant,
            initialised,
        }
    }

    fn cleanup(&self, declaration: &Declaration, number: usize) -> Option<model::Cleanup> {
        cleanup_function(self.preprocessed, declaration, number)?;
        let name = declaration.declarators[number].declarator.name?;
        let symbol = self.bound.symbol(self.bound.declared_at(name.token)?);
        matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register).then(|| model::Cleanup {
            name: self.preprocessed.names.text(name.name).to_owned(),
            name_span: self.spans.anchor(Range { start: name.token, end: name.token + 1 }),
        })
    }

    fn variable_length(&self, declarator: &InitDeclarator, sizes: &[Expression]) -> Option<VariableLength> {
        let name = declarator.declarator.name?;
        let symbol = self.bound.symbol(self.bound.declared_at(name.token)?);
        if !symbol.ty.is_variably_modified() {
            return None;
        }
        let calm = sizes.iter().all(|size| !size.nature.effects);
        let from_parameters = calm && self.only_parameters(declarator.declarator.range);
        let name_span = self.spans.anchor(Range { start: name.token, end: name.token + 1 });
        let name = self.preprocessed.names.text(name.name).to_owned();
        Some(VariableLength { name, name_span, from_parameters })
    }

    /// True if the sizes of a declarator contain only parameters and constants.
    fn only_parameters(&self, range: Range) -> bool {
        let tokens = &self.preprocessed.tokens;
        (range.start..range.end).all(|index| {
            let token = &tokens[index as usize];
            if token.kind != cppc_grammar::c::token::TokenKind::Identifier {
                return true;
            }
            let Some(id) = self.bound.lookup(token.text, index) else { return true };
            let symbol = self.bound.symbol(id);
            // The declared name itself is not visible yet, or is the one that is being declared.
            symbol.declared == index
                || matches!(
                    symbol.kind,
                    SymbolKind::Parameter | SymbolKind::EnumConstant | SymbolKind::Typedef
                )
                || (symbol.ty.qualifiers.constant && symbol.storage != StorageKind::Automatic)
        })
    }
}
