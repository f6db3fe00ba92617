//! The procedures of MPI.
//!
//! Input: a call. Output: its effects on messages, requests and values.
//! Postcondition: a call that is not followed adds a doubt.

use std::collections::BTreeMap;

use super::groups::{Groups, WORLD};
use super::input::{BETWEEN_GROUPS, CREATES_OF_GROUP};
use super::machine::{Machine, State};
use super::names::{makes_request, Outside};
use super::traffic::{Channel, Message, Open, Persistent, Request};
use super::value::{Constant, Val, Vals};
use super::Flavour;
use crate::catalogue::entry::{Effect, Peer};
use crate::program::{Argument, Call, Operation, Site, Value};

/// One call of MPI.
pub struct Called<'c> {
    pub site: Site,
    pub operation: &'c Operation,
    pub call: &'c Call,
    pub outside: &'c Outside,
    pub name: &'c str,
}

/// The other process of a message.
enum Other {
    Process(usize),
    Any,
    Nobody,
    Unknown,
}

/// After such a call, every process of the communicator has begun it.
const SYNCHRONISING: [&str; 9] = [
    "mpi_barrier",
    "mpi_allreduce",
    "mpi_allgather",
    "mpi_allgatherv",
    "mpi_alltoall",
    "mpi_alltoallv",
    "mpi_alltoallw",
    "mpi_reduce_scatter",
    "mpi_reduce_scatter_block",
];

const ACCESSED_LATER: &str =
    "a process may access the memory of others that are not at the checkpoint yet: no synchronisation is between";

impl Machine<'_, '_> {
    pub fn mpi(
        &mut self,
        site: Site,
        operation: &Operation,
        call: &Call,
        outside: &Outside,
        name: &str,
        mut state: State,
    ) -> State {
        let called = Called { site, operation, call, outside, name };
        self.collective(&called, &mut state);
        if self.topology(&called, &mut state) {
            return state;
        }
        let Some(entry) = &outside.entry else { return state };
        let effects = &entry.effects;
        if called.name.starts_with("mpi_win_") || called.position("win").is_some() {
            self.window(&called, &mut state);
        } else if is_file(name) {
            self.file(&called, &mut state);
        } else if makes_request(entry) {
            self.nonblocking(&called, &mut state);
        } else {
            for effect in effects {
                match effect {
                    Effect::Sends(peer) => self.message(&called, *peer, true, &mut state),
                    Effect::Receives(peer) => self.message(&called, *peer, false, &mut state),
                    Effect::Waits(at) => self.wait(&called, *at, &mut state),
                    Effect::Tests(at) => self.test(&called, *at, &mut state),
                    Effect::Starts(at) => self.start(&called, *at, &mut state),
                    Effect::Opaque => state.traffic.doubt(site, format!("`{name}` is not followed")),
                    Effect::Threads | Effect::Jumps | Effect::ReturnsTwice => {
                        state.traffic.doubt(site, format!("`{name}` is not followed"))
                    }
                    Effect::Collective(_)
                    | Effect::Probes(_)
                    | Effect::Stops
                    | Effect::State { .. }
                    | Effect::Sets { .. }
                    | Effect::Opens(_)
                    | Effect::Removes(_)
                    | Effect::Renames(..)
                    | Effect::Asks(_)
                    | Effect::Creates(_)
                    | Effect::Truncates(_)
                    | Effect::Shortens(_) => {}
                }
            }
            match name {
                "mpi_request_free" => self.free(&called, &mut state),
                "mpi_cancel" => {
                    state.traffic.doubt(site, "it is not known whether the communication happens")
                }
                "mpi_mprobe" | "mpi_improbe" => {
                    state.traffic.doubt(site, format!("`{name}` is not followed"))
                }
                _ => {}
            }
            if name.contains("spawn")
                || name.contains("connect")
                || name.contains("accept")
                || name.contains("join")
            {
                state.traffic.doubt(site, format!("`{name}` is not followed"));
            }
        }
        let is_world = self.is_of_all(&called, &state);
        if SYNCHRONISING.contains(&name) && is_world {
            state.traffic.synchronise();
        }
        self.outputs(&called, is_world, &mut state);
        state
    }

    /// Remembers a collective operation until all processes of its communicator have begun it.
    fn collective(&self, called: &Called, state: &mut State) {
        let effects = called.outside.entry.iter().flat_map(|entry| &entry.effects);
        let is_collective = effects.into_iter().any(|effect| matches!(effect, Effect::Collective(_)));
        if !is_collective || matches!(called.name, "mpi_init" | "mpi_init_thread" | "mpi_finalize") {
            return;
        }
        if called.name == CREATES_OF_GROUP {
            return self.part_of_group(called, state);
        }
        if called.name == BETWEEN_GROUPS {
            self.between_groups(called, state);
        }
        let position = called.position("comm").or_else(|| called.position("local_comm"));
        let value = position.map(|at| self.number(called, at, state));
        let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for process in state.active().collect::<Vec<_>>() {
            let number =
                value.as_ref().and_then(|value| self.communicator(value.of_process(process), process));
            match number {
                Some(number) => groups.entry(number).or_default().push(process),
                // All processes call it here. One after the other, they could be at different operations.
                None if state.is_full() => return,
                None => {
                    let reason = "a part of the processes begins a collective operation, and it is not known with which others";
                    return state.traffic.doubt(called.site, reason);
                }
            }
        }
        for (number, processes) in groups {
            let members = &self.groups.get(number).members;
            state.traffic.collective(number, members, &processes, called.site);
        }
    }

    /// The value of an integer or a handle.
    pub fn number(&self, called: &Called, at: usize, state: &State) -> Vals {
        match called.call.arguments.get(at) {
            Some(Argument::Value(value)) => self.value(value, called.operation.computed.get(at), state),
            Some(Argument::Reference(access)) => {
                let place = self.passed(called.operation, at, access, state);
                if let Vals::One(Val::Pointer(memory, _)) = place {
                    if let Some(constant) = self.constants.get(&memory) {
                        return Vals::One(Val::Named(*constant));
                    }
                }
                state.store.read(&place, None)
            }
            Some(Argument::Absent) | None => Vals::different(self.count),
        }
    }

    /// The address of memory.
    pub fn memory(&self, called: &Called, at: usize, state: &State) -> Vals {
        match called.call.arguments.get(at) {
            Some(Argument::Value(value)) => self.value(value, called.operation.computed.get(at), state),
            Some(Argument::Reference(access)) => self.passed(called.operation, at, access, state),
            Some(Argument::Absent) | None => Vals::different(self.count),
        }
    }

    pub fn constant(&self, value: Val) -> Option<Constant> {
        match value {
            Val::Named(constant) => Some(constant),
            Val::Pointer(memory, 0) => self.constants.get(&memory).copied(),
            _ => None,
        }
    }

    pub fn communicator(&self, value: Val, process: usize) -> Option<u32> {
        match (value, self.constant(value), self.flavour) {
            (Val::Communicator(number), _, _) => Some(number),
            (_, Some(Constant::World), _) => Some(WORLD),
            (_, Some(Constant::Myself), _) => Some(Groups::own(process)),
            (Val::Int(0), _, Flavour::OpenMpi) | (Val::Int(0x4400_0000), _, Flavour::Mpich) => Some(WORLD),
            (Val::Int(1), _, Flavour::OpenMpi) | (Val::Int(0x4400_0001), _, Flavour::Mpich) => {
                Some(Groups::own(process))
            }
            _ => None,
        }
    }

    /// Whether all processes make this call for a communicator of all of them.
    fn is_of_all(&self, called: &Called, state: &State) -> bool {
        let Some(at) = called.position("comm") else { return false };
        let value = self.number(called, at, state);
        state.is_full()
            && (0..self.count).all(|process| {
                let found = self.communicator(value.of_process(process), process);
                found.is_some_and(|number| self.groups.get(number).members.len() == self.count)
            })
    }

    fn other(&self, value: Val, communicator: u32) -> Other {
        match (value, self.flavour) {
            (Val::Int(rank @ 0..), _) => match self.groups.get(communicator).process(rank) {
                Some(process) => Other::Process(process),
                None => Other::Unknown,
            },
            (Val::Int(-2), Flavour::OpenMpi) | (Val::Int(-1), Flavour::Mpich) => Other::Nobody,
            (Val::Int(-1), Flavour::OpenMpi) | (Val::Int(-2), Flavour::Mpich) => Other::Any,
            (Val::Named(Constant::NullProcess), _) => Other::Nobody,
            (Val::Named(Constant::AnySource), _) => Other::Any,
            _ => Other::Unknown,
        }
    }

    /// `None`: not known. `Some(None)`: any.
    pub fn tag(value: Val) -> Option<Option<i64>> {
        match value {
            Val::Int(tag @ 0..) => Some(Some(tag)),
            Val::Int(-1) | Val::Named(Constant::AnyTag) => Some(None),
            _ => None,
        }
    }

    /// What one process sends or receives. `Err`: why it is not known.
    fn transfer(
        &self,
        called: &Called,
        peer: Peer,
        sends: bool,
        process: usize,
        state: &State,
    ) -> Result<Persistent, &'static str> {
        let (Some(other), Some(communicator)) = (peer.process, peer.communicator) else {
            return Err("the message is not known");
        };
        let of = |at: usize| self.number(called, at, state).of_process(process);
        let communicator =
            self.communicator(of(communicator), process).ok_or("the communicator is not known")?;
        if !self.groups.get(communicator).members.contains(&process) {
            return Err("the process is not part of the communicator");
        }
        let other = self.other(of(other), communicator);
        if let Other::Nobody = other {
            return Ok(Persistent::Other);
        }
        let tag = peer.tag.map_or(Some(Some(-1)), |at| Self::tag(of(at))).ok_or("the tag is not known")?;
        let message = Message { tag, site: called.site };
        match (other, sends) {
            (Other::Process(to), true) if tag.is_some() => {
                Ok(Persistent::Sends(Channel { communicator, from: process, to }, message))
            }
            (Other::Process(from), false) => {
                Ok(Persistent::Receives(Channel { communicator, from, to: process }, message))
            }
            (Other::Any, false) => {
                let sender = tag.and_then(|tag| self.assumed.senders.get(&(communicator, process, tag)));
                Ok(match sender {
                    Some(&from) => Persistent::Receives(Channel { communicator, from, to: process }, message),
                    None => Persistent::ReceivesAny(communicator, message),
                })
            }
            (_, true) => Err("the process that it sends to is not known"),
            (_, false) => Err("the process that it receives from is not known"),
        }
    }

    /// Remembers who sends which messages.
    fn observe(&mut self, process: usize, operation: &Persistent) {
        match operation {
            Persistent::Sends(channel, message) => {
                let kind = (channel.communicator, channel.to, message.tag.unwrap_or_default());
                self.observed.senders.entry(kind).or_default().insert(channel.from);
            }
            Persistent::ReceivesAny(communicator, Message { tag: Some(tag), .. }) => {
                self.observed.from_any.insert((*communicator, process, *tag));
            }
            Persistent::Receives(..) | Persistent::ReceivesAny(..) | Persistent::Other => {}
        }
    }

    fn message(&mut self, called: &Called, peer: Peer, sends: bool, state: &mut State) {
        for process in state.active().collect::<Vec<_>>() {
            match self.transfer(called, peer, sends, process, state) {
                Ok(operation) => {
                    self.observe(process, &operation);
                    perform(process, &operation, state);
                }
                Err(reason) => state.traffic.doubt(called.site, reason),
            }
        }
    }

    /// A call that makes a request: a message, a collective operation, input or output.
    fn nonblocking(&mut self, called: &Called, state: &mut State) {
        let Some(entry) = &called.outside.entry else { return };
        let Some(at) = called.position("request") else {
            return state.traffic.doubt(called.site, format!("`{}` is not followed", called.name));
        };
        let is_persistent = called.name.ends_with("_init");
        let place = self.memory(called, at, state);
        let mut peers = entry.effects.iter().filter_map(|effect| match effect {
            Effect::Sends(peer) => Some((*peer, true)),
            Effect::Receives(peer) => Some((*peer, false)),
            _ => None,
        });
        let peer = peers.next();
        if peers.next().is_some() {
            state.traffic.doubt(called.site, format!("`{}` is not followed", called.name));
        }
        for process in state.active().collect::<Vec<_>>() {
            let operation = match peer {
                Some((peer, sends)) => self.transfer(called, peer, sends, process, state),
                None => Ok(Persistent::Other),
            };
            let operation = match operation {
                Ok(operation) => operation,
                Err(reason) => {
                    state.traffic.doubt(called.site, reason);
                    Persistent::Other
                }
            };
            self.observe(process, &operation);
            let Val::Pointer(memory, offset) = place.of_process(process) else {
                state.traffic.doubt(called.site, "the memory of the request is not known");
                continue;
            };
            let request = (process, memory, offset);
            if state.traffic.requests.get(&request).is_some_and(|open| open.is_active) {
                state.traffic.doubt(called.site, "the request before in the same variable is still open");
            }
            if !is_persistent {
                perform(process, &operation, state);
            }
            let persistent = is_persistent.then_some(operation);
            let open = Open { site: called.site, persistent, is_active: !is_persistent };
            state.traffic.requests.insert(request, open);
        }
        self.set_requests(called, at, &place, state);
    }

    /// Each process stores the handle of its request.
    fn set_requests(&self, called: &Called, at: usize, place: &Vals, state: &mut State) {
        let handle = place.map(|place| match place {
            Val::Pointer(memory, offset) => Val::Request(memory, offset),
            _ => Val::Unknown,
        });
        let size = self.handle_bytes(called, at);
        state.store.write(place, Some(size), &handle, &state.mask.clone());
    }

    fn handle_bytes(&self, called: &Called, at: usize) -> u64 {
        match (called.call.arguments.get(at), self.flavour) {
            (Some(Argument::Value(_)), Flavour::OpenMpi) => 8,
            _ => 4,
        }
    }

    /// The requests in the argument. `Err`: why they are not known.
    fn requests(
        &self,
        called: &Called,
        at: usize,
        process: usize,
        state: &State,
    ) -> Result<Vec<Request>, &'static str> {
        let count = called.position("count").or_else(|| called.position("incount"));
        let count = match count {
            Some(count) => match self.number(called, count, state).of_process(process) {
                Val::Int(count) => count,
                _ => return Err("the number of requests is not known"),
            },
            None => 1,
        };
        let Val::Pointer(memory, first) = self.memory(called, at, state).of_process(process) else {
            return Err("the request is not known");
        };
        let bytes = self.handle_bytes(called, at);
        let mut found = Vec::new();
        for number in 0..count.min(4096) {
            let place = Val::Pointer(memory, first + number * bytes as i64);
            let value = state.store.read(&Vals::One(place), None).of_process(process);
            match value {
                Val::Request(memory, offset) => found.push((process, memory, offset)),
                Val::Int(_) | Val::Named(Constant::NullRequest) => {}
                _ if self.constant(value) == Some(Constant::NullRequest) => {}
                _ => return Err("it is not known which request it waits for"),
            }
        }
        Ok(found)
    }

    fn wait(&mut self, called: &Called, at: usize, state: &mut State) {
        for process in state.active().collect::<Vec<_>>() {
            match self.requests(called, at, process, state) {
                Err(reason) => state.traffic.doubt(called.site, reason),
                Ok(requests) => match called.name {
                    "mpi_waitall" => state.traffic.complete_all(&requests),
                    "mpi_waitany" => state.traffic.complete_any(&requests),
                    "mpi_wait" => requests.iter().for_each(|one| state.traffic.complete(*one)),
                    _ => {
                        let is_open =
                            |one: &Request| state.traffic.requests.get(one).is_some_and(|one| one.is_active);
                        if requests.iter().any(is_open) {
                            state.traffic.doubt(called.site, "it is not known which requests it completes");
                        }
                    }
                },
            }
        }
    }

    /// Only a persistent request that is not active can be given up without a doubt.
    fn free(&mut self, called: &Called, state: &mut State) {
        let Some(at) = called.position("request") else { return };
        for process in state.active().collect::<Vec<_>>() {
            let found = self.requests(called, at, process, state).unwrap_or_default();
            let is_idle = |one: &Request| state.traffic.requests.get(one).is_some_and(|open| !open.is_active);
            if found.is_empty() || !found.iter().all(is_idle) {
                state.traffic.doubt(called.site, "it is not known when the communication ends");
            }
            for request in found {
                state.traffic.requests.remove(&request);
            }
        }
    }

    /// A test may complete the requests, or not.
    fn test(&mut self, called: &Called, at: usize, state: &mut State) {
        for process in state.active().collect::<Vec<_>>() {
            let found = self.requests(called, at, process, state);
            let is_open = |one: &Request| state.traffic.requests.get(one).is_some_and(|one| one.is_active);
            if found.map_or(true, |requests| requests.iter().any(is_open)) {
                state.traffic.doubt(called.site, "it is not known whether the test completes its requests");
            }
        }
    }

    fn start(&mut self, called: &Called, at: usize, state: &mut State) {
        for process in state.active().collect::<Vec<_>>() {
            let requests = match self.requests(called, at, process, state) {
                Ok(requests) => requests,
                Err(reason) => {
                    state.traffic.doubt(called.site, reason);
                    continue;
                }
            };
            for request in requests {
                let Some(open) = state.traffic.requests.get_mut(&request) else { continue };
                open.is_active = true;
                match open.persistent.clone() {
                    Some(operation) => perform(process, &operation, state),
                    None => state.traffic.doubt(called.site, "the request that it starts is not persistent"),
                }
            }
        }
    }

    /// One-sided communication.
    fn window(&mut self, called: &Called, state: &mut State) {
        let at = called.position("win");
        let value = at.map(|at| self.number(called, at, state));
        let makes = matches!(
            called.name,
            "mpi_win_create" | "mpi_win_allocate" | "mpi_win_allocate_shared" | "mpi_win_create_dynamic"
        );
        if let (true, Some(at)) = (makes, at) {
            let place = self.memory(called, at, state);
            let handle = place.map(|place| match place {
                Val::Pointer(memory, offset) => Val::Handle(memory, offset),
                _ => Val::Unknown,
            });
            return state.store.write(
                &place,
                Some(self.handle_bytes(called, at)),
                &handle,
                &state.mask.clone(),
            );
        }
        if called.name.starts_with("mpi_win_lock") {
            for checkpoint in state.traffic.lock(called.site) {
                self.doubt_checkpoint(checkpoint, called.site, ACCESSED_LATER);
            }
        }
        for process in state.active().collect::<Vec<_>>() {
            // Through another handle of the window, the epoch could not be found.
            let window = value.as_ref().map_or(Val::Unknown, |value| value.of_process(process));
            let is_known = matches!(window, Val::Handle(..));
            let traffic = &mut state.traffic;
            let mut open = |kind| match is_known {
                true => traffic.open_epoch(process, window, kind, called.site),
                false => traffic.doubt(called.site, "the window is not known"),
            };
            match called.name {
                "mpi_win_lock" | "mpi_win_lock_all" => open("lock"),
                "mpi_win_start" => open("start"),
                "mpi_win_post" => open("post"),
                "mpi_win_fence" => traffic.close_epoch(process, window, &["operation"]),
                "mpi_win_unlock" | "mpi_win_unlock_all" => {
                    traffic.close_epoch(process, window, &["operation", "lock"])
                }
                "mpi_win_complete" => traffic.close_epoch(process, window, &["operation", "start"]),
                "mpi_win_wait" => traffic.close_epoch(process, window, &["post"]),
                "mpi_win_test" => traffic.doubt(called.site, "it is not known whether the epoch ends"),
                name if name.starts_with("mpi_win_") => {}
                name if name.starts_with("mpi_r") && called.position("request").is_some() => {
                    traffic.doubt(called.site, format!("`{name}` is not followed"))
                }
                _ => open("operation"),
            }
        }
    }

    fn file(&mut self, called: &Called, state: &mut State) {
        let entry = called.outside.entry.as_ref();
        if entry.is_some_and(makes_request) {
            return self.nonblocking(called, state);
        }
        if called.name.ends_with("_begin") {
            state.traffic.doubt(called.site, "the end of this operation on a file is not followed");
        }
    }
}

impl Called<'_> {
    pub fn position(&self, name: &str) -> Option<usize> {
        self.outside.position(name)
    }

    pub fn argument(&self, at: usize) -> Option<&Value> {
        match self.call.arguments.get(at)? {
            Argument::Value(value) => Some(value),
            Argument::Reference(_) | Argument::Absent => None,
        }
    }
}

fn perform(process: usize, operation: &Persistent, state: &mut State) {
    match operation {
        Persistent::Sends(channel, message) => state.traffic.send(*channel, *message),
        Persistent::Receives(channel, message) => state.traffic.receive(*channel, *message),
        Persistent::ReceivesAny(communicator, message) => {
            state.traffic.receive_any(*communicator, process, *message)
        }
        Persistent::Other => {}
    }
}

fn is_file(name: &str) -> bool {
    name.starts_with("mpi_file_")
}
