//! Heap memory to which only one local variable points.
//!
//! Input: places. Output: for each such variable, its memory.
//! Postcondition: when the variable points to new memory, or to none, the old memory can no longer be
//! reached.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::access_ranges::AccessRanges;
use crate::points_to::MemoryKind;
use crate::program::{Content, Lifetime, VariableId};
use crate::sets::{Memory, Range, END};

#[derive(Debug, Default)]
pub struct Owners {
    of: FxHashMap<Memory, Vec<Memory>>,
    owned: FxHashSet<Memory>,
}

impl Owners {
    pub fn new(places: &AccessRanges) -> Owners {
        let program = places.program;
        let parameters = program.procedures.iter().flat_map(|procedure| &procedure.parameters);
        let parameters: FxHashSet<Memory> =
            parameters.map(|id| program.variables[id.0 as usize].object.into()).collect();
        let mut holders: FxHashMap<Memory, Option<Memory>> = FxHashMap::default();
        for holder in (0..places.points.count()).map(Memory) {
            // Memory that a callee keeps has another owner too.
            if parameters.contains(&holder) {
                continue;
            }
            for memory in places.points.reachable(holder) {
                if let MemoryKind::Heap(_) = places.points.kind(memory) {
                    let known = holders.entry(memory).or_insert(Some(holder));
                    if *known != Some(holder) {
                        *known = None;
                    }
                }
            }
        }
        let mut owners = Owners::default();
        for (memory, holder) in holders {
            let Some(holder) = holder.filter(|&holder| places.private(holder)) else { continue };
            let recursive = match program.objects[holder.0 as usize].lifetime {
                Lifetime::Local(id) => places.calls.recursive(id),
                Lifetime::Static => true,
            };
            if !recursive && !places.points.is_escaped(memory) {
                owners.of.entry(holder).or_default().push(memory);
                owners.owned.insert(memory);
            }
        }
        owners.of.values_mut().for_each(|all| all.sort_unstable());
        owners
    }

    pub fn is_owned(&self, memory: Memory) -> bool {
        self.owned.contains(&memory)
    }

    /// The memory that can no longer be reached after the variable has changed.
    pub fn left_by<'a>(
        &'a self,
        places: &AccessRanges,
        variable: VariableId,
    ) -> impl Iterator<Item = Range> + 'a {
        let variable = &places.program.variables[variable.0 as usize];
        let whole = variable.offset == 0
            && variable.size == places.program.objects[variable.object.0 as usize].size
            && matches!(variable.content, Content::Pointer | Content::Descriptor);
        let all = self.of.get(&Memory::from(variable.object)).filter(|_| whole);
        all.into_iter().flatten().map(|&memory| Range { memory, start: 0, end: END })
    }
}
