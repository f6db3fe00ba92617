//! Communicators: their processes, and their topology.
//!
//! Postcondition: equal calls on equal communicators give the same number, so that iterations of a loop can be compared.

use crate::program::Site;

/// A communicator. Processes are numbers in `MPI_COMM_WORLD`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub members: Vec<usize>,
    pub topology: Option<Topology>,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    Predefined,
    /// The call that made it.
    Call(Site),
    /// An `MPI_Group`, and the communicator of calls of `MPI_Comm_create_group`, which may be in different places.
    Members,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topology {
    pub extents: Vec<i64>,
    pub periodic: Vec<bool>,
}

#[derive(Debug, Clone)]
pub struct Groups {
    all: Vec<Group>,
}

pub const WORLD: u32 = 0;

impl Groups {
    /// `MPI_COMM_WORLD`, and `MPI_COMM_SELF` of each process.
    pub fn new(count: usize) -> Groups {
        let world = Group { members: (0..count).collect(), topology: None, origin: Origin::Predefined };
        let own = (0..count).map(|process| Group {
            members: vec![process],
            topology: None,
            origin: Origin::Predefined,
        });
        Groups { all: std::iter::once(world).chain(own).collect() }
    }

    pub fn own(process: usize) -> u32 {
        process as u32 + 1
    }

    pub fn get(&self, number: u32) -> &Group {
        &self.all[number as usize]
    }

    pub fn add(&mut self, members: Vec<usize>, topology: Option<Topology>, made: Site) -> u32 {
        self.insert(Group { members, topology, origin: Origin::Call(made) })
    }

    /// The same number for all groups of these processes.
    pub fn of_members(&mut self, members: Vec<usize>) -> u32 {
        self.insert(Group { members, topology: None, origin: Origin::Members })
    }

    fn insert(&mut self, group: Group) -> u32 {
        let known = self.all.iter().position(|one| *one == group);
        let number = known.unwrap_or_else(|| {
            self.all.push(group);
            self.all.len() - 1
        });
        number as u32
    }
}

impl Group {
    pub fn rank_of(&self, process: usize) -> Option<i64> {
        self.members.iter().position(|&member| member == process).map(|rank| rank as i64)
    }

    pub fn process(&self, rank: i64) -> Option<usize> {
        usize::try_from(rank).ok().and_then(|rank| self.members.get(rank)).copied()
    }
}

impl Topology {
    pub fn coordinates(&self, rank: i64) -> Vec<i64> {
        let mut rest = rank;
        let mut found = vec![0; self.extents.len()];
        for (at, &extent) in self.extents.iter().enumerate().rev() {
            found[at] = rest % extent;
            rest /= extent;
        }
        found
    }

    /// `None`: outside of the grid.
    pub fn rank(&self, coordinates: &[i64]) -> Option<i64> {
        let mut rank = 0;
        for (at, &extent) in self.extents.iter().enumerate() {
            let mut own = *coordinates.get(at)?;
            if self.periodic[at] {
                own = own.rem_euclid(extent);
            }
            if !(0..extent).contains(&own) {
                return None;
            }
            rank = rank * extent + own;
        }
        Some(rank)
    }

    /// The neighbour at this distance.
    pub fn shifted(&self, rank: i64, direction: usize, distance: i64) -> Option<i64> {
        let mut at = self.coordinates(rank);
        *at.get_mut(direction)? += distance;
        self.rank(&at)
    }
}

/// `MPI_Dims_create`: extents as close to each other as possible, the largest first. `given`: 0 for a free one.
pub fn balanced(count: i64, given: &[i64]) -> Option<Vec<i64>> {
    let fixed: i64 = given.iter().filter(|&&extent| extent > 0).product();
    if given.iter().any(|&extent| extent < 0) || fixed == 0 || count % fixed != 0 {
        return None;
    }
    let free = given.iter().filter(|&&extent| extent == 0).count();
    let mut best: Option<Vec<i64>> = None;
    let mut current = Vec::new();
    factors(count / fixed, free, count / fixed, &mut current, &mut best);
    let mut rest = best?.into_iter();
    given.iter().map(|&extent| if extent == 0 { rest.next() } else { Some(extent) }).collect()
}

/// The list of `length` factors, in falling order, whose largest is smallest.
fn factors(rest: i64, length: usize, limit: i64, current: &mut Vec<i64>, best: &mut Option<Vec<i64>>) {
    if length == 0 {
        if rest == 1 && best.as_ref().is_none_or(|best| *current < *best) {
            *best = Some(current.clone());
        }
        return;
    }
    for factor in (1..=limit.min(rest)).filter(|factor| rest % factor == 0) {
        current.push(factor);
        factors(rest / factor, length - 1, factor, current, best);
        current.pop();
    }
}
