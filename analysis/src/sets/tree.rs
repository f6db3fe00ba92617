//! A tree of the ranges of many memories. Trees that come from one another share their parts, so that most operations take
//! time for the differences only.
//!
//! It is a Patricia tree: Okasaki and Gill, Fast Mergeable Integer Maps (ML Workshop 1998), section 4. Its keys are the
//! numbers of blocks of memories.
//! Postcondition: equal sets have trees of equal shape. No leaf is empty. An operation whose result equals one of its trees
//! returns a copy of that tree.

use std::cmp::Ordering;
use std::rc::Rc;

use super::ranges::{self, Memory, Range};

/// The memories of one leaf: 2 to this power, with successive numbers. Those of a procedure are close together.
const BLOCK_BITS: u32 = 4;

#[derive(Debug, Clone)]
pub(super) enum Tree {
    Leaf(Rc<Leaf>),
    Branch(Rc<Branch>),
}

#[derive(Debug, Clone)]
pub(super) struct Leaf {
    key: u32,
    ranges: Vec<Range>,
}

#[derive(Debug, Clone)]
pub(super) struct Branch {
    at: Position,
    /// The keys without the bit, and those with it.
    low: Tree,
    high: Tree,
}

/// What the keys of a tree have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    /// The bits above `bit`. The others are 0.
    prefix: u32,
    /// The bit in which the two parts differ. 0 in a leaf.
    bit: u32,
}

impl Position {
    /// Whether a key, or the prefix of a smaller tree, belongs below this position.
    fn is_above(self, other: Position) -> bool {
        self.bit > other.bit && other.prefix & !(self.bit | (self.bit - 1)) == self.prefix
    }
}

/// How two trees lie to one another.
enum Relation<'t> {
    Leaves(&'t Rc<Leaf>, &'t Rc<Leaf>),
    Branches(&'t Rc<Branch>, &'t Rc<Branch>),
    /// The second one is in this part of the first one. True: the high part.
    Inside(&'t Rc<Branch>, bool),
    /// The first one is in this part of the second one.
    Around(&'t Rc<Branch>, bool),
    Apart,
}

/// The result of an operation on two trees.
enum Merged {
    /// The trees are equal.
    Both,
    Mine,
    Its,
    New(Tree),
}

impl Merged {
    /// The leaf that is in the other one.
    fn of_parts(mine: &Leaf, its: &Leaf) -> Option<Merged> {
        let is_all_in = |one: &Leaf, other: &Leaf| ranges::includes(&other.ranges, &one.ranges);
        match (is_all_in(mine, its), is_all_in(its, mine)) {
            (true, true) => Some(Merged::Both),
            (true, false) => Some(Merged::Mine),
            (false, true) => Some(Merged::Its),
            (false, false) => None,
        }
    }

    fn other_way(self) -> Merged {
        match self {
            Merged::Mine => Merged::Its,
            Merged::Its => Merged::Mine,
            Merged::Both | Merged::New(_) => self,
        }
    }

    fn tree(self, mine: &Tree, its: &Tree) -> Tree {
        match self {
            Merged::Both | Merged::Mine => mine.clone(),
            Merged::Its => its.clone(),
            Merged::New(tree) => tree,
        }
    }
}

fn key(memory: Memory) -> u32 {
    memory.0 >> BLOCK_BITS
}

impl Leaf {
    fn of(key: u32, ranges: Vec<Range>) -> Tree {
        Tree::Leaf(Rc::new(Leaf { key, ranges }))
    }
}

impl Branch {
    fn part(&self, is_high: bool) -> &Tree {
        if is_high {
            &self.high
        } else {
            &self.low
        }
    }

    fn consists_of(&self, low: &Tree, high: &Tree) -> bool {
        low.is_same(&self.low) && high.is_same(&self.high)
    }

    /// The tree with these parts in place of those of the branch.
    fn with(self: &Rc<Branch>, low: Tree, high: Tree) -> Tree {
        Tree::Branch(match self.consists_of(&low, &high) {
            true => self.clone(),
            false => Rc::new(Branch { at: self.at, low, high }),
        })
    }

    fn with_part(self: &Rc<Branch>, is_high: bool, part: Tree) -> Tree {
        match is_high {
            true => self.with(self.low.clone(), part),
            false => self.with(part, self.high.clone()),
        }
    }

    /// The same for parts that may be empty.
    fn with_rest(self: &Rc<Branch>, low: Option<Tree>, high: Option<Tree>) -> Option<Tree> {
        match (low, high) {
            (Some(low), Some(high)) => Some(self.with(low, high)),
            (low, high) => low.or(high),
        }
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.is_same(other)
            || match (self, other) {
                (Tree::Leaf(mine), Tree::Leaf(other)) => mine.ranges == other.ranges,
                (Tree::Branch(mine), Tree::Branch(other)) => {
                    mine.at == other.at && mine.low == other.low && mine.high == other.high
                }
                (Tree::Leaf(_), Tree::Branch(_)) | (Tree::Branch(_), Tree::Leaf(_)) => false,
            }
    }
}

impl Tree {
    pub fn from_range(range: Range) -> Tree {
        Leaf::of(key(range.memory), vec![range])
    }

    /// `ranges`: in ascending order. They neither overlap nor touch.
    pub fn from_ranges(ranges: &[Range]) -> Option<Tree> {
        let mut leaves = ranges
            .chunk_by(|a, b| key(a.memory) == key(b.memory))
            .map(|block| Leaf::of(key(block[0].memory), block.to_vec()));
        let first = leaves.next()?;
        Some(leaves.fold(first, |tree, leaf| tree.union(&leaf)))
    }

    /// Whether both are the same data, and not only equal.
    pub fn is_same(&self, other: &Tree) -> bool {
        match (self, other) {
            (Tree::Leaf(mine), Tree::Leaf(other)) => Rc::ptr_eq(mine, other),
            (Tree::Branch(mine), Tree::Branch(other)) => Rc::ptr_eq(mine, other),
            (Tree::Leaf(_), Tree::Branch(_)) | (Tree::Branch(_), Tree::Leaf(_)) => false,
        }
    }

    fn at(&self) -> Position {
        match self {
            Tree::Leaf(leaf) => Position { prefix: leaf.key, bit: 0 },
            Tree::Branch(branch) => branch.at,
        }
    }

    fn relation<'t>(&'t self, other: &'t Tree) -> Relation<'t> {
        let (mine, its) = (self.at(), other.at());
        match (self, other) {
            (Tree::Leaf(a), Tree::Leaf(b)) if mine == its => Relation::Leaves(a, b),
            (Tree::Branch(a), Tree::Branch(b)) if mine == its => Relation::Branches(a, b),
            (Tree::Branch(a), _) if mine.is_above(its) => Relation::Inside(a, its.prefix & mine.bit != 0),
            (_, Tree::Branch(b)) if its.is_above(mine) => Relation::Around(b, mine.prefix & its.bit != 0),
            _ => Relation::Apart,
        }
    }

    /// A tree of two trees without a common memory.
    fn joined(self, other: Tree) -> Tree {
        let (mine, its) = (self.at().prefix, other.at().prefix);
        let bit = 1 << (u32::BITS - 1 - (mine ^ its).leading_zeros());
        let at = Position { prefix: mine & !(bit | (bit - 1)), bit };
        let (low, high) = if mine & bit == 0 { (self, other) } else { (other, self) };
        Tree::Branch(Rc::new(Branch { at, low, high }))
    }

    /// The ranges in the leaf of this memory.
    pub fn block(&self, memory: Memory) -> &[Range] {
        let key = key(memory);
        let mut tree = self;
        loop {
            match tree {
                Tree::Leaf(leaf) if leaf.key == key => return &leaf.ranges,
                Tree::Leaf(_) => return &[],
                Tree::Branch(branch) => tree = branch.part(key & branch.at.bit != 0),
            }
        }
    }

    pub fn insert(&mut self, range: Range) {
        let at = Position { prefix: key(range.memory), bit: 0 };
        match self {
            Tree::Leaf(leaf) if leaf.key == at.prefix => {
                ranges::insert(&mut Rc::make_mut(leaf).ranges, range)
            }
            Tree::Branch(branch) if branch.at.is_above(at) => {
                let branch = Rc::make_mut(branch);
                let is_high = at.prefix & branch.at.bit != 0;
                let part = if is_high { &mut branch.high } else { &mut branch.low };
                part.insert(range);
            }
            Tree::Leaf(_) | Tree::Branch(_) => *self = self.clone().joined(Tree::from_range(range)),
        }
    }

    /// `self` if `other` has nothing more.
    pub fn union(&self, other: &Tree) -> Tree {
        self.united(other).tree(self, other)
    }

    fn united(&self, other: &Tree) -> Merged {
        if self.is_same(other) {
            return Merged::Both;
        }
        match self.relation(other) {
            Relation::Leaves(mine, its) => match Merged::of_parts(mine, its) {
                Some(part) => part.other_way(),
                None => Merged::New(Leaf::of(mine.key, ranges::union(&mine.ranges, &its.ranges))),
            },
            Relation::Branches(mine, its) => match (mine.low.united(&its.low), mine.high.united(&its.high)) {
                (Merged::Both, Merged::Both) => Merged::Both,
                (Merged::Both | Merged::Mine, Merged::Both | Merged::Mine) => Merged::Mine,
                (Merged::Both | Merged::Its, Merged::Both | Merged::Its) => Merged::Its,
                (low, high) => {
                    Merged::New(mine.with(low.tree(&mine.low, &its.low), high.tree(&mine.high, &its.high)))
                }
            },
            Relation::Inside(mine, is_high) => match mine.part(is_high).united(other) {
                Merged::Both | Merged::Mine => Merged::Mine,
                part => Merged::New(mine.with_part(is_high, part.tree(mine.part(is_high), other))),
            },
            Relation::Around(its, is_high) => match self.united(its.part(is_high)) {
                Merged::Both | Merged::Its => Merged::Its,
                part => Merged::New(its.with_part(is_high, part.tree(self, its.part(is_high)))),
            },
            Relation::Apart => Merged::New(self.clone().joined(other.clone())),
        }
    }

    pub fn difference(&self, other: &Tree) -> Option<Tree> {
        if self.is_same(other) {
            return None;
        }
        match self.relation(other) {
            Relation::Leaves(mine, its) => {
                let rest = ranges::difference(&mine.ranges, &its.ranges);
                match rest {
                    rest if rest.is_empty() => None,
                    rest if rest == mine.ranges => Some(self.clone()),
                    rest => Some(Leaf::of(mine.key, rest)),
                }
            }
            Relation::Branches(mine, its) => {
                mine.with_rest(mine.low.difference(&its.low), mine.high.difference(&its.high))
            }
            Relation::Inside(mine, is_high) => match (mine.part(is_high).difference(other), is_high) {
                (Some(rest), _) => Some(mine.with_part(is_high, rest)),
                (None, true) => Some(mine.low.clone()),
                (None, false) => Some(mine.high.clone()),
            },
            Relation::Around(its, is_high) => self.difference(its.part(is_high)),
            Relation::Apart => Some(self.clone()),
        }
    }

    pub fn intersection(&self, other: &Tree) -> Option<Tree> {
        self.common(other).map(|merged| merged.tree(self, other))
    }

    /// `None` if no byte is in both.
    fn common(&self, other: &Tree) -> Option<Merged> {
        if self.is_same(other) {
            return Some(Merged::Both);
        }
        match self.relation(other) {
            Relation::Leaves(mine, its) => Merged::of_parts(mine, its).or_else(|| {
                let both = ranges::intersection(&mine.ranges, &its.ranges);
                (!both.is_empty()).then(|| Merged::New(Leaf::of(mine.key, both)))
            }),
            Relation::Branches(mine, its) => match (mine.low.common(&its.low), mine.high.common(&its.high)) {
                (Some(Merged::Both), Some(Merged::Both)) => Some(Merged::Both),
                (Some(Merged::Both | Merged::Mine), Some(Merged::Both | Merged::Mine)) => Some(Merged::Mine),
                (Some(Merged::Both | Merged::Its), Some(Merged::Both | Merged::Its)) => Some(Merged::Its),
                (low, high) => {
                    let low = low.map(|low| low.tree(&mine.low, &its.low));
                    mine.with_rest(low, high.map(|high| high.tree(&mine.high, &its.high))).map(Merged::New)
                }
            },
            Relation::Inside(mine, is_high) => Some(match mine.part(is_high).common(other)? {
                Merged::Both | Merged::Its => Merged::Its,
                part => Merged::New(part.tree(mine.part(is_high), other)),
            }),
            Relation::Around(its, is_high) => Some(match self.common(its.part(is_high))? {
                Merged::Both | Merged::Mine => Merged::Mine,
                part => Merged::New(part.tree(self, its.part(is_high))),
            }),
            Relation::Apart => None,
        }
    }
}

/// The ranges of a tree in ascending order.
pub(super) struct Iter<'t> {
    /// What comes after the block.
    waiting: Vec<&'t Tree>,
    block: std::slice::Iter<'t, Range>,
}

impl<'t> Iter<'t> {
    pub fn new(tree: Option<&'t Tree>) -> Iter<'t> {
        match tree {
            Some(Tree::Leaf(leaf)) => Iter { waiting: Vec::new(), block: leaf.ranges.iter() },
            tree => Iter { waiting: tree.into_iter().collect(), block: [].iter() },
        }
    }

    /// From the leaf of this memory on.
    pub fn from(tree: Option<&'t Tree>, memory: Memory) -> Iter<'t> {
        let key = key(memory);
        let mut waiting = Vec::new();
        let mut next = tree;
        while let Some(tree) = next.take() {
            match tree {
                Tree::Leaf(leaf) if leaf.key >= key => waiting.push(tree),
                Tree::Leaf(_) => {}
                Tree::Branch(branch) => {
                    let bit = branch.at.bit;
                    match (key & !(bit | (bit - 1))).cmp(&branch.at.prefix) {
                        Ordering::Less => waiting.push(tree),
                        Ordering::Greater => {}
                        Ordering::Equal => {
                            if key & bit == 0 {
                                waiting.push(&branch.high);
                            }
                            next = Some(branch.part(key & bit != 0));
                        }
                    }
                }
            }
        }
        Iter { waiting, block: [].iter() }
    }
}

impl Iterator for Iter<'_> {
    type Item = Range;

    fn next(&mut self) -> Option<Range> {
        loop {
            if let Some(range) = self.block.next() {
                return Some(*range);
            }
            match self.waiting.pop()? {
                Tree::Leaf(leaf) => self.block = leaf.ranges.iter(),
                Tree::Branch(branch) => self.waiting.extend([&branch.high, &branch.low]),
            }
        }
    }
}
