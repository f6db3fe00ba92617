//! Messages, requests and epochs that are open.
//!
//! Input: what each process does, in its own order.
//! Output: what is in transit if all processes stop here.
//! Postcondition: nothing is in transit and nothing is open if `state` is `Quiet`. What could not be followed is a
//! doubt, which stays.

use std::collections::{BTreeMap, BTreeSet};

use super::value::Val;
use crate::program::Site;
use crate::sets::Memory;

/// A message between two processes, or the wish for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// `None`: any tag.
    pub tag: Option<i64>,
    pub site: Site,
}

/// A communicator, and the processes that send and receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    pub communicator: u32,
    pub from: usize,
    pub to: usize,
}

/// Where a request is: the process, and the memory in which a call has made it.
pub type Request = (usize, Memory, i64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    pub site: Site,
    /// The operation that each start performs, if it is persistent.
    pub persistent: Option<Persistent>,
    pub is_active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Persistent {
    Sends(Channel, Message),
    Receives(Channel, Message),
    ReceivesAny(u32, Message),
    /// A collective operation, or a message to no process.
    Other,
}

/// Why the communications are not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    pub site: Site,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traffic {
    sends: BTreeMap<Channel, Vec<Message>>,
    receives: BTreeMap<Channel, Vec<Message>>,
    /// Receives from any source, by communicator and receiver.
    any: BTreeMap<(u32, usize), Vec<Message>>,
    pub requests: BTreeMap<Request, Open>,
    /// Requests of which `MPI_Waitany` has completed some.
    partly: Vec<BTreeSet<Request>>,
    /// Collective operations that not all processes of the communicator have begun, by communicator and process.
    collectives: BTreeMap<u32, BTreeMap<usize, Vec<Site>>>,
    /// Operations on a window, and its open epochs, by process.
    epochs: BTreeMap<(usize, Val, &'static str), Site>,
    /// Where a process has changed or read the memory of others (`MPI_Win_lock`) since the last synchronisation of all.
    locked: BTreeSet<Site>,
    /// The checkpoints that were passed since then.
    recent: BTreeSet<Site>,
    pub doubts: BTreeSet<Doubt>,
    /// The checkpoints that each process has passed since all processes were at the same place.
    pub passed: BTreeMap<usize, Vec<Site>>,
}

/// What is open if all processes stop here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transit {
    Quiet,
    /// A message was sent from one process to another, and is not received yet.
    Sent(Channel, Message),
    /// A process waits for a message that is not sent yet.
    Awaited(Channel, Message),
    Request(usize, Site),
    Epoch(usize, Site),
    /// A process has begun a collective operation, and another one has not.
    Collective(usize, Site),
    Unknown,
}

/// A limit for messages between synchronisations. Beyond it, a loop is not followed.
const MESSAGES: usize = 4096;
/// The same for collective operations that some processes have begun without others.
const COLLECTIVES: usize = 64;

impl Traffic {
    /// The number of channels, requests, epochs and doubts.
    pub fn size(&self) -> usize {
        let channels = self.sends.len() + self.receives.len() + self.any.len() + self.collectives.len();
        channels + self.requests.len() + self.epochs.len() + self.doubts.len()
    }

    pub fn doubt(&mut self, site: Site, reason: impl Into<String>) {
        if self.doubts.len() < 8 {
            self.doubts.insert(Doubt { site, reason: reason.into() });
        }
    }

    pub fn send(&mut self, channel: Channel, message: Message) {
        self.sends.entry(channel).or_default().push(message);
        self.matched(channel);
        if self.sends.get(&channel).is_some_and(|all| all.len() > MESSAGES) {
            self.doubt(message.site, "too many messages to follow");
        }
    }

    pub fn receive(&mut self, channel: Channel, message: Message) {
        self.receives.entry(channel).or_default().push(message);
        self.matched(channel);
    }

    pub fn receive_any(&mut self, communicator: u32, to: usize, message: Message) {
        self.any.entry((communicator, to)).or_default().push(message);
    }

    /// Messages between two processes do not overtake each other: a receive takes the first message with its tag.
    fn matched(&mut self, channel: Channel) {
        let (Some(sends), Some(receives)) = (self.sends.get_mut(&channel), self.receives.get_mut(&channel))
        else {
            return;
        };
        receives.retain(|wanted| {
            let fits = |sent: &Message| wanted.tag.is_none() || wanted.tag == sent.tag;
            match sends.iter().position(fits) {
                Some(at) => {
                    sends.remove(at);
                    false
                }
                None => true,
            }
        });
        if sends.is_empty() {
            self.sends.remove(&channel);
        }
        if self.receives.get(&channel).is_some_and(Vec::is_empty) {
            self.receives.remove(&channel);
        }
    }

    /// All processes wait for each other. A message that a receive has taken before was sent before. So receives from
    /// any source have taken all messages, if the numbers are equal.
    pub fn synchronise(&mut self) {
        self.locked.clear();
        self.recent.clear();
        let busy: BTreeSet<usize> =
            self.requests.iter().filter(|(_, open)| open.is_active).map(|(request, _)| request.0).collect();
        let places: Vec<(u32, usize)> = self.any.keys().copied().collect();
        for (communicator, to) in places.into_iter().filter(|place| !busy.contains(&place.1)) {
            let is_here = |channel: &Channel| channel.communicator == communicator && channel.to == to;
            let tags = |map: &BTreeMap<Channel, Vec<Message>>| {
                let all =
                    map.iter().filter(|(channel, _)| is_here(channel)).flat_map(|(_, messages)| messages);
                let mut tags: Vec<Option<i64>> = all.map(|message| message.tag).collect();
                tags.sort_unstable();
                tags
            };
            let (sent, mut wanted) = (tags(&self.sends), tags(&self.receives));
            wanted.extend(self.any[&(communicator, to)].iter().map(|message| message.tag));
            wanted.sort_unstable();
            let takes_all = wanted.iter().all(Option::is_none) && wanted.len() == sent.len();
            if sent == wanted || takes_all {
                self.sends.retain(|channel, _| !is_here(channel));
                self.receives.retain(|channel, _| !is_here(channel));
                self.any.remove(&(communicator, to));
            }
        }
    }

    pub fn complete(&mut self, request: Request) {
        if self.partly.iter().any(|group| group.contains(&request)) {
            if let Some(open) = self.requests.get(&request) {
                let site = open.site;
                self.doubt(site, "`MPI_Waitany` has completed a request, and it is not known which one");
            }
        }
        self.close(request);
    }

    fn close(&mut self, request: Request) {
        let Some(open) = self.requests.get_mut(&request) else { return };
        open.is_active = false;
        if open.persistent.is_none() {
            self.requests.remove(&request);
        }
    }

    /// All of these.
    pub fn complete_all(&mut self, requests: &[Request]) {
        requests.iter().for_each(|request| self.close(*request));
        let open = &self.requests;
        self.partly.retain(|group| group.iter().any(|one| open.get(one).is_some_and(|open| open.is_active)));
    }

    /// One of these. It is not known which one, so only completing all of them is certain.
    pub fn complete_any(&mut self, requests: &[Request]) {
        let is_active = |request: &&Request| self.requests.get(request).is_some_and(|open| open.is_active);
        let active: Vec<Request> = requests.iter().filter(is_active).copied().collect();
        let Some(&first) = active.first() else { return };
        if active.len() > 1 {
            let group: BTreeSet<Request> = active.iter().copied().collect();
            if !self.partly.iter().any(|known| group.is_subset(known)) {
                self.partly.push(group);
            }
        }
        self.complete_all(&[first]);
    }

    /// These processes begin a collective operation. The operation of each process belongs to the first one of the others
    /// that it has not belonged to.
    pub fn collective(&mut self, communicator: u32, members: &[usize], processes: &[usize], site: Site) {
        let all = self.collectives.entry(communicator).or_default();
        for process in processes {
            all.entry(*process).or_default().push(site);
        }
        while members.iter().all(|member| all.contains_key(member)) {
            for member in members {
                let Some(own) = all.get_mut(member) else { continue };
                own.remove(0);
                if own.is_empty() {
                    all.remove(member);
                }
            }
        }
        let is_long = all.values().any(|own| own.len() > COLLECTIVES);
        if all.is_empty() {
            self.collectives.remove(&communicator);
        }
        if is_long {
            self.doubt(site, "too many collective operations to follow");
        }
    }

    pub fn open_epoch(&mut self, process: usize, window: Val, kind: &'static str, site: Site) {
        self.epochs.entry((process, window, kind)).or_insert(site);
    }

    pub fn close_epoch(&mut self, process: usize, window: Val, kinds: &[&'static str]) {
        self.epochs.retain(|key, _| key.0 != process || key.1 != window || !kinds.contains(&key.2));
    }

    /// A process accesses the memory of others, which need not take part. Returns the checkpoints that other processes may
    /// not have passed yet.
    pub fn lock(&mut self, site: Site) -> BTreeSet<Site> {
        self.locked.insert(site);
        self.recent.clone()
    }

    /// Returns where other processes may still access the memory of a process that is at the checkpoint.
    pub fn pass(&mut self, checkpoint: Site) -> Option<Site> {
        self.recent.insert(checkpoint);
        self.locked.first().copied()
    }

    /// What is in transit now.
    pub fn transit(&self) -> Transit {
        if !self.doubts.is_empty() || !self.any.is_empty() || !self.partly.is_empty() {
            return Transit::Unknown;
        }
        if let Some((&(process, ..), open)) = self.requests.iter().find(|(_, open)| open.is_active) {
            return Transit::Request(process, open.site);
        }
        if let Some((channel, messages)) = self.sends.first_key_value() {
            return Transit::Sent(*channel, messages[0]);
        }
        if let Some((channel, messages)) = self.receives.first_key_value() {
            return Transit::Awaited(*channel, messages[0]);
        }
        let begun =
            self.collectives.values().flatten().find_map(|(process, own)| Some((*process, *own.first()?)));
        if let Some((process, site)) = begun {
            return Transit::Collective(process, site);
        }
        match self.epochs.first_key_value() {
            Some((key, site)) => Transit::Epoch(key.0, *site),
            None => Transit::Quiet,
        }
    }

    /// A receive from any source that is not known to be complete.
    pub fn receive_from_any(&self) -> Option<Message> {
        self.any.values().flatten().next().copied()
    }

    /// Some operation that is open.
    pub fn first_site(&self) -> Option<Site> {
        let sends = self.sends.values().chain(self.receives.values()).chain(self.any.values());
        let first = sends.flatten().map(|message| message.site).next();
        let request = || self.requests.values().map(|open| open.site).next();
        let begun = || self.collectives.values().flat_map(BTreeMap::values).flatten().next().copied();
        first.or_else(request).or_else(begun).or_else(|| self.epochs.values().next().copied())
    }

    /// Adds what has happened on another path since the last synchronisation of all. Returns whether that is more.
    pub fn add_accesses(&mut self, other: &Traffic) -> bool {
        let before = (self.locked.len(), self.recent.len());
        self.locked.extend(&other.locked);
        self.recent.extend(&other.recent);
        before != (self.locked.len(), self.recent.len())
    }

    /// Whether the same is open.
    pub fn agrees(&self, other: &Traffic) -> bool {
        self.sends == other.sends
            && self.receives == other.receives
            && self.any == other.any
            && self.requests == other.requests
            && self.partly == other.partly
            && self.collectives == other.collectives
            && self.epochs == other.epochs
            && self.passed == other.passed
    }

    /// Some operation that is open on one of two paths only.
    pub fn difference(&self, other: &Traffic) -> Option<Site> {
        let pairs = [(&self.sends, &other.sends), (&self.receives, &other.receives)];
        for (mine, its) in pairs {
            let mut channels = mine.keys().chain(its.keys());
            if let Some(channel) = channels.find(|channel| mine.get(channel) != its.get(channel)) {
                let both = [mine.get(channel), its.get(channel)].into_iter().flatten();
                let longest = both.max_by_key(|all| all.len());
                return longest.and_then(|all| all.last()).map(|message| message.site);
            }
        }
        let requests = self.requests.iter().chain(&other.requests);
        let mut differing = requests.filter(|(request, open)| {
            self.requests.get(request) != Some(*open) || other.requests.get(request) != Some(*open)
        });
        differing
            .next()
            .map(|(_, open)| open.site)
            .or_else(|| self.first_site())
            .or_else(|| other.first_site())
    }
}
