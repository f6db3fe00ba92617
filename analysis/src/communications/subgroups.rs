//! The collective procedures of MPI in which only a part of the processes of a communicator takes part.
//!
//! Input: a call. Output: what it has begun, until the other processes make their calls.
//! Postcondition: a call of which the other processes are not known adds a doubt, unless all processes are at it.

use std::collections::BTreeMap;

use super::machine::{Machine, State};
use super::mpi::Called;
use super::traffic::{Channel, Message};
use super::value::Val;

impl Machine<'_, '_> {
    /// Only the processes of the group take part. They are known from the group, or the program makes one such call.
    pub fn part_of_group(&self, called: &Called, state: &mut State) {
        let value = called.position("group").map(|at| self.number(called, at, state));
        let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for process in state.active().collect::<Vec<_>>() {
            let number =
                value.as_ref().and_then(|value| self.communicator(value.of_process(process), process));
            match number {
                Some(number) if self.groups.get(number).members.contains(&process) => {
                    groups.entry(number).or_default().push(process);
                }
                Some(_) => {}
                None if state.is_full() || self.input.group_of_once == Some(called.site) => return,
                None => {
                    let reason = "it is not known which processes are in the group";
                    return state.traffic.doubt(called.site, reason);
                }
            }
        }
        for (number, processes) in groups {
            let members = &self.groups.get(number).members;
            state.traffic.collective(number, members, &processes, called.site);
        }
    }

    /// The leaders of two groups exchange a message, and each leader the result with its group.
    pub fn between_groups(&self, called: &Called, state: &mut State) {
        let of = |name: &str, process: usize| {
            let at = called.position(name)?;
            Some(self.number(called, at, state).of_process(process))
        };
        let mut exchanged = Vec::new();
        for process in state.active().collect::<Vec<_>>() {
            let found = || {
                let own = self.communicator(of("local_comm", process)?, process)?;
                let Val::Int(leader) = of("local_leader", process)? else { return None };
                if self.groups.get(own).process(leader)? != process {
                    return Some(None);
                }
                let peers = self.communicator(of("peer_comm", process)?, process)?;
                let Val::Int(remote) = of("remote_leader", process)? else { return None };
                let tag = Self::tag(of("tag", process)?)??;
                Some(Some((peers, self.groups.get(peers).process(remote)?, tag)))
            };
            match found() {
                Some(None) => {}
                Some(Some((communicator, other, tag))) => exchanged.push((process, communicator, other, tag)),
                None if state.is_full() => return,
                None => {
                    let reason = "it is not known between which processes the communicator is";
                    return state.traffic.doubt(called.site, reason);
                }
            }
        }
        for (process, communicator, other, tag) in exchanged {
            // No message of the program has this tag.
            let message = Message { tag: Some(-2 - tag), site: called.site };
            state.traffic.send(Channel { communicator, from: process, to: other }, message);
            state.traffic.receive(Channel { communicator, from: other, to: process }, message);
        }
    }
}
