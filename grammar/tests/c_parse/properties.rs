//! Properties of every tree: ranges are nested and in order, and no token is lost.

use cppc_grammar::c::dump::{nodes, Node};
use cppc_grammar::c::tree::{Range, Unit};

use crate::tokens::Tokenized;

pub fn check(tokenized: &Tokenized, unit: &Unit) {
    let nodes = nodes(unit, &tokenized.unit.names);
    let mut at = 0;
    for node in &nodes {
        let range = node.range.expect("an external declaration has a place");
        assert_eq!(range.start, at, "a token between external declarations: {}", node.label);
        at = range.end;
        inside(node, range);
    }
    assert_eq!(at as usize, tokenized.unit.tokens.len(), "tokens after the last declaration");
}

/// The range of a node is inside that of its parent. Attributes may be anywhere in the declaration that they
/// belong to. All other nodes are in text order.
fn inside(node: &Node, outer: Range) {
    let range = node.range.unwrap_or(outer);
    assert!(outer.start <= range.start && range.end <= outer.end, "{outer:?} holds {node:?}");
    let mut at = range.start;
    for child in &node.children {
        if child.label.starts_with("attribute") {
            inside(child, Range { start: 0, end: u32::MAX });
            continue;
        }
        inside(child, range);
        if let Some(place) = child.range {
            assert!(at <= place.start, "{} at {place:?} before {at} in {node:?}", child.label);
            at = place.end;
        }
    }
}
