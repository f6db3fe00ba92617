//! The procedures of MPI that make communicators, and that answer questions about them.
//!
//! Postcondition: the ranks in a new communicator are in the order of the old one. An MPI that reorders them gives a
//! program that does not depend on the order the same neighbours.

use super::groups::{balanced, Topology};
use super::input::CREATES_OF_GROUP;
use super::machine::{Machine, State};
use super::mpi::Called;
use super::value::{Constant, Val, Vals};

/// `MPI_UNDEFINED` of Open MPI and MPICH.
const UNDEFINED: i64 = -32766;

impl Machine<'_, '_> {
    /// Follows the call, if it is one of these. Returns whether it was.
    pub fn topology(&mut self, called: &Called, state: &mut State) -> bool {
        match called.name {
            "mpi_comm_rank" => self.answer(called, "rank", state, |machine, number, process| {
                machine.groups.get(number).rank_of(process).map_or(Val::Unknown, Val::Int)
            }),
            "mpi_comm_size" => self.answer(called, "size", state, |machine, number, _| {
                Val::Int(machine.groups.get(number).members.len() as i64)
            }),
            "mpi_comm_dup" => self.make(called, "newcomm", state, Machine::duplicate),
            "mpi_comm_split" => self.make(called, "newcomm", state, Machine::split),
            "mpi_comm_create" => self.make(called, "newcomm", state, Machine::of_group),
            CREATES_OF_GROUP => self.make(called, "newcomm", state, Machine::of_group),
            "mpi_comm_group" => self.make(called, "group", state, |machine, _, _, number, _| {
                let members = machine.groups.get(number).members.clone();
                Val::Communicator(machine.groups.of_members(members))
            }),
            "mpi_group_incl" | "mpi_group_excl" => self.make(called, "newgroup", state, Machine::selected),
            "mpi_group_rank" => self.answer(called, "rank", state, |machine, number, process| {
                Val::Int(machine.groups.get(number).rank_of(process).unwrap_or(UNDEFINED))
            }),
            "mpi_group_size" => self.answer(called, "size", state, |machine, number, _| {
                Val::Int(machine.groups.get(number).members.len() as i64)
            }),
            "mpi_cart_create" => self.make(called, "comm_cart", state, Machine::grid),
            "mpi_cart_sub" => self.make(called, "newcomm", state, Machine::part),
            "mpi_cart_coords" => self.coordinates(called, state),
            "mpi_cart_get" => self.grid_of(called, state),
            "mpi_cart_rank" => self.rank_at(called, state),
            "mpi_cart_shift" => self.shift(called, state),
            "mpi_dims_create" => self.dimensions(called, state),
            "mpi_comm_free"
            | "mpi_group_free"
            | "mpi_comm_set_name"
            | "mpi_comm_set_errhandler"
            | "mpi_errhandler_set" => {}
            _ => return false,
        }
        true
    }

    fn number_of(&self, called: &Called, name: &str, process: usize, state: &State) -> Val {
        called.position(name).map_or(Val::Unknown, |at| self.number(called, at, state).of_process(process))
    }

    fn group_of(&self, called: &Called, process: usize, state: &State) -> Option<u32> {
        let name = ["comm", "comm_old", "oldcomm", "group"]
            .into_iter()
            .find(|name| called.position(name).is_some())?;
        self.communicator(self.number_of(called, name, process, state), process)
    }

    /// Writes an integer of each process.
    fn put(&self, called: &Called, name: &str, index: i64, values: &[Val], state: &mut State) {
        let Some(at) = called.position(name) else { return };
        let place = self.memory(called, at, state).map(|place| match place {
            Val::Pointer(memory, offset) => Val::Pointer(memory, offset + 4 * index),
            other => other,
        });
        let unknown = state
            .active()
            .any(|process| !matches!(place.of_process(process), Val::Pointer(..) | Val::Inside(_)));
        if unknown {
            let memories = called.call.arguments.get(at).map(|one| super::input::addressed(self.input, one));
            return self.forget_memories(memories.unwrap_or_default(), state);
        }
        state.store.write(&place, Some(4), &Vals::of(values.to_vec()), &state.mask.clone());
    }

    fn each(&self, state: &State, answer: impl Fn(usize) -> Val) -> Vec<Val> {
        (0..self.count)
            .map(|process| if state.mask[process] { answer(process) } else { Val::Unknown })
            .collect()
    }

    fn answer(
        &mut self,
        called: &Called,
        name: &str,
        state: &mut State,
        answer: impl Fn(&Self, u32, usize) -> Val,
    ) {
        let values = self.each(state, |process| match self.group_of(called, process, state) {
            Some(number) => answer(self, number, process),
            None => Val::Unknown,
        });
        self.put(called, name, 0, &values, state);
    }

    /// Writes a new communicator of each process.
    fn make(
        &mut self,
        called: &Called,
        name: &str,
        state: &mut State,
        make: impl Fn(&mut Self, &Called, usize, u32, &State) -> Val,
    ) {
        let mut values = vec![Val::Unknown; self.count];
        for process in state.active().collect::<Vec<_>>() {
            if let Some(number) = self.group_of(called, process, state) {
                values[process] = make(self, called, process, number, state);
            }
        }
        let Some(at) = called.position(name) else { return };
        let place = self.memory(called, at, state);
        let is_in_c = called.argument(at).is_some();
        let size = if is_in_c && self.flavour == super::Flavour::OpenMpi { 8 } else { 4 };
        let unknown = state
            .active()
            .any(|process| !matches!(place.of_process(process), Val::Pointer(..) | Val::Inside(_)));
        if unknown {
            let memories = called.call.arguments.get(at).map(|one| super::input::addressed(self.input, one));
            return self.forget_memories(memories.unwrap_or_default(), state);
        }
        state.store.write(&place, Some(size), &Vals::of(values), &state.mask.clone());
    }

    fn duplicate(&mut self, called: &Called, _: usize, number: u32, _: &State) -> Val {
        let old = self.groups.get(number).clone();
        Val::Communicator(self.groups.add(old.members, old.topology, called.site))
    }

    fn split(&mut self, called: &Called, process: usize, number: u32, state: &State) -> Val {
        let of = |name: &str, process: usize| match self.number_of(called, name, process, state) {
            Val::Int(value) => Some(value),
            _ => None,
        };
        let own = match of("color", process) {
            Some(UNDEFINED) => return Val::Named(Constant::NullCommunicator),
            Some(color) if color >= 0 => color,
            Some(_) | None => return Val::Unknown,
        };
        let mut members = Vec::new();
        for &member in &self.groups.get(number).members {
            let (Some(color), Some(key)) = (of("color", member), of("key", member)) else {
                return Val::Unknown;
            };
            if !state.mask[member] {
                return Val::Unknown;
            }
            if color == own {
                members.push((key, member));
            }
        }
        members.sort_by_key(|&(key, _)| key);
        let members = members.into_iter().map(|(_, member)| member).collect();
        Val::Communicator(self.groups.add(members, None, called.site))
    }

    /// The communicator of the processes in a group.
    fn of_group(&mut self, called: &Called, process: usize, _: u32, state: &State) -> Val {
        let group = self.number_of(called, "group", process, state);
        match self.communicator(group, process) {
            Some(number) if self.groups.get(number).members.contains(&process) => Val::Communicator(number),
            Some(_) => Val::Named(Constant::NullCommunicator),
            None => Val::Unknown,
        }
    }

    /// The processes of a group with these ranks, or without them.
    fn selected(&mut self, called: &Called, process: usize, number: u32, state: &State) -> Val {
        let all = self.groups.get(number).members.clone();
        let found = || {
            let Val::Int(count @ 0..=4096) = self.number_of(called, "n", process, state) else { return None };
            let ranks = self.list(called, "ranks", count, process, state)?;
            match called.name {
                "mpi_group_excl" => {
                    let is_left = |rank: &usize| !ranks.contains(&(*rank as i64));
                    Some((0..all.len()).filter(is_left).map(|rank| all[rank]).collect())
                }
                _ => ranks.iter().map(|&rank| all.get(usize::try_from(rank).ok()?).copied()).collect(),
            }
        };
        let found: Option<Vec<usize>> = found();
        found.map_or(Val::Unknown, |members| Val::Communicator(self.groups.of_members(members)))
    }

    /// The integers of an array.
    fn list(
        &self,
        called: &Called,
        name: &str,
        count: i64,
        process: usize,
        state: &State,
    ) -> Option<Vec<i64>> {
        let place = self.memory(called, called.position(name)?, state).of_process(process);
        let Val::Pointer(memory, offset) = place else { return None };
        let one = |at: i64| match state
            .store
            .read(&Vals::One(Val::Pointer(memory, offset + 4 * at)), None)
            .of_process(process)
        {
            Val::Int(value) => Some(value),
            _ => None,
        };
        (0..count).map(one).collect()
    }

    fn count_of(&self, called: &Called, name: &str, process: usize, state: &State) -> Option<i64> {
        match self.number_of(called, name, process, state) {
            Val::Int(count @ 1..=8) => Some(count),
            _ => None,
        }
    }

    fn grid(&mut self, called: &Called, process: usize, number: u32, state: &State) -> Val {
        let found = || {
            let count = self.count_of(called, "ndims", process, state)?;
            let extents = self.list(called, "dims", count, process, state)?;
            let periodic = self.list(called, "periods", count, process, state)?;
            Some((extents, periodic.into_iter().map(|one| one != 0).collect::<Vec<_>>()))
        };
        let Some((extents, periodic)) = found() else { return Val::Unknown };
        let size: i64 = extents.iter().product();
        let members = self.groups.get(number).members.clone();
        let Some(members) = usize::try_from(size).ok().and_then(|size| members.get(..size)) else {
            return Val::Unknown;
        };
        if extents.iter().any(|&extent| extent < 1) || !members.contains(&process) {
            return Val::Unknown;
        }
        let members = members.to_vec();
        Val::Communicator(self.groups.add(members, Some(Topology { extents, periodic }), called.site))
    }

    fn part(&mut self, called: &Called, process: usize, number: u32, state: &State) -> Val {
        let group = self.groups.get(number).clone();
        let Some(topology) = &group.topology else { return Val::Unknown };
        let count = topology.extents.len();
        let Some(remains) = self.list(called, "remain_dims", count as i64, process, state) else {
            return Val::Unknown;
        };
        let Some(own) = group.rank_of(process).map(|rank| topology.coordinates(rank)) else {
            return Val::Unknown;
        };
        let is_here = |rank: i64| {
            let at = topology.coordinates(rank);
            (0..count).all(|one| remains[one] != 0 || at[one] == own[one])
        };
        let ranks = (0..group.members.len() as i64).filter(|&rank| is_here(rank));
        let members = ranks.map(|rank| group.members[rank as usize]).collect();
        let kept = (0..count).filter(|&one| remains[one] != 0);
        let topology = Topology {
            extents: kept.clone().map(|one| topology.extents[one]).collect(),
            periodic: kept.map(|one| topology.periodic[one]).collect(),
        };
        Val::Communicator(self.groups.add(members, Some(topology), called.site))
    }

    fn topology_of(&self, called: &Called, process: usize, state: &State) -> Option<(u32, Topology)> {
        let number = self.group_of(called, process, state)?;
        Some((number, self.groups.get(number).topology.clone()?))
    }

    fn coordinates(&mut self, called: &Called, state: &mut State) {
        let of = |process: usize| {
            let (_, topology) = self.topology_of(called, process, state)?;
            match self.number_of(called, "rank", process, state) {
                Val::Int(rank @ 0..) => Some(topology.coordinates(rank)),
                _ => None,
            }
        };
        let found: Vec<Option<Vec<i64>>> = (0..self.count).map(of).collect();
        self.put_lists(called, "coords", &found, state);
    }

    fn grid_of(&mut self, called: &Called, state: &mut State) {
        let of = |process: usize| self.topology_of(called, process, state);
        let found: Vec<_> = (0..self.count).map(of).collect();
        let (mut extents, mut periods, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (process, one) in found.into_iter().enumerate() {
            let Some((number, topology)) = one else {
                extents.push(None);
                periods.push(None);
                own.push(None);
                continue;
            };
            let rank = self.groups.get(number).rank_of(process);
            own.push(rank.map(|rank| topology.coordinates(rank)));
            periods.push(Some(topology.periodic.iter().map(|&one| i64::from(one)).collect()));
            extents.push(Some(topology.extents));
        }
        self.put_lists(called, "dims", &extents, state);
        self.put_lists(called, "periods", &periods, state);
        self.put_lists(called, "coords", &own, state);
    }

    fn put_lists(&self, called: &Called, name: &str, lists: &[Option<Vec<i64>>], state: &mut State) {
        let length = lists.iter().flatten().map(Vec::len).max().unwrap_or(0);
        if lists.iter().zip(&state.mask).any(|(list, &is_in)| is_in && list.is_none()) {
            let argument = called.position(name).and_then(|at| called.call.arguments.get(at));
            let memories = argument.map(|one| super::input::addressed(self.input, one)).unwrap_or_default();
            return self.forget_memories(memories, state);
        }
        for at in 0..length {
            let one = |list: &Option<Vec<i64>>| {
                list.as_ref().and_then(|list| list.get(at)).map_or(Val::Unknown, |&value| Val::Int(value))
            };
            let values: Vec<Val> = lists.iter().map(one).collect();
            self.put(called, name, at as i64, &values, state);
        }
    }

    fn rank_at(&mut self, called: &Called, state: &mut State) {
        let values = self.each(state, |process| {
            let found = self.topology_of(called, process, state).and_then(|(_, topology)| {
                let count = topology.extents.len() as i64;
                topology.rank(&self.list(called, "coords", count, process, state)?)
            });
            found.map_or(Val::Unknown, Val::Int)
        });
        self.put(called, "rank", 0, &values, state);
    }

    fn shift(&mut self, called: &Called, state: &mut State) {
        for (name, sign) in [("rank_source", -1), ("rank_dest", 1)] {
            let values = self.each(state, |process| {
                let found = self.topology_of(called, process, state);
                let (Some((number, topology)), Val::Int(direction), Val::Int(distance)) = (
                    found,
                    self.number_of(called, "direction", process, state),
                    self.number_of(called, "disp", process, state),
                ) else {
                    return Val::Unknown;
                };
                let Some(own) = self.groups.get(number).rank_of(process) else { return Val::Unknown };
                match topology.shifted(own, direction as usize, sign * distance) {
                    Some(rank) => Val::Int(rank),
                    None => Val::Named(Constant::NullProcess),
                }
            });
            self.put(called, name, 0, &values, state);
        }
    }

    fn dimensions(&mut self, called: &Called, state: &mut State) {
        let of = |process: usize| {
            let count = self.count_of(called, "ndims", process, state)?;
            let given = self.list(called, "dims", count, process, state)?;
            match self.number_of(called, "nnodes", process, state) {
                Val::Int(nodes @ 1..) => balanced(nodes, &given),
                _ => None,
            }
        };
        let found: Vec<Option<Vec<i64>>> = (0..self.count).map(of).collect();
        self.put_lists(called, "dims", &found, state);
    }
}
