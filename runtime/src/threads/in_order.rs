//! Processes items on several threads and returns the results in the order of the items.
//!
//! Input: items, and the work for each.
//! Output: the results, one after the other, on the calling thread.
//! Postcondition: every item was processed, or the receiver of the results has stopped. At no time were there
//! more than two results for each thread.
//!
//! The calling thread works too. If a helper thread panics, the calling thread processes its item again, and
//! continues with one helper less.

use super::own_table::inherit;
use super::without_signals;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// The work to be done.
pub trait Work: Sync {
    type Item: Copy + Send;
    /// Data that a thread keeps from one item to the next.
    type Tools;
    /// Reused for other items.
    type Result: Default + Send;

    fn tools(&self) -> Self::Tools;

    /// Whether handing the item to another thread would take longer than processing it.
    fn is_small(&self, item: Self::Item) -> bool;

    fn work(&self, tools: &mut Self::Tools, item: Self::Item, result: &mut Self::Result);
}

/// Processes all `items` on this number of threads. `take` receives the results in the order of the items,
/// until it returns an error.
pub fn in_order<W: Work, E>(
    work: &W,
    threads: usize,
    mut items: impl Iterator<Item = W::Item>,
    mut take: impl FnMut(W::Item, &W::Result) -> Result<(), E>,
) -> Result<(), E> {
    let mut tools = work.tools();
    if threads <= 1 {
        let mut result = W::Result::default();
        return items.try_for_each(|item| {
            work.work(&mut tools, item, &mut result);
            take(item, &result)
        });
    }
    let queue = WorkQueue::<W>::new(2 * threads);
    std::thread::scope(|scope| {
        // Close the queue even if this thread panics. Otherwise the others would wait forever.
        let _closing = Closing(&queue);
        let mut helpers = Helpers { scope, wanted: threads - 1, started: 0 };
        loop {
            while let Some(number) = queue.free_number() {
                let Some(item) = items.next() else { break };
                if work.is_small(item) {
                    let mut result = queue.begin_own(number);
                    work.work(&mut tools, item, &mut result);
                    queue.finish(number, item, Ok(result));
                } else {
                    helpers.call(work, &queue);
                    queue.add(number, item);
                }
            }
            match queue.next() {
                Next::Nothing => return Ok(()),
                Next::Take(item, result) => {
                    take(item, &result)?;
                    queue.taken(result);
                }
                Next::Work(number, item, mut result) => {
                    work.work(&mut tools, item, &mut result);
                    queue.finish(number, item, Ok(result));
                }
            }
        }
    })
}

/// Starts threads when there are items for them.
struct Helpers<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    wanted: usize,
    started: usize,
}

impl<'scope> Helpers<'scope, '_> {
    fn call<'env, W: Work>(&mut self, work: &'env W, queue: &'env WorkQueue<W>)
    where
        'env: 'scope,
    {
        // The first item is for the calling thread.
        if self.started == self.wanted || !queue.has_waiting() {
            return;
        }
        let builder = Builder::new().name("cppc-helper".to_owned());
        let started = without_signals(|| builder.spawn_scoped(self.scope, inherit(|| help(work, queue))));
        match started {
            Ok(_) => self.started += 1,
            // The system provides no more threads.
            Err(_) => self.wanted = self.started,
        }
    }
}

fn help<W: Work>(work: &W, queue: &WorkQueue<W>) {
    let mut tools = None;
    while let Some((number, item, mut result)) = queue.wait() {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let tools = tools.get_or_insert_with(|| work.tools());
            work.work(tools, item, &mut result);
        }));
        if panicked.is_err() {
            queue.finish(number, item, Err(Lost));
            return;
        }
        queue.finish(number, item, Ok(result));
    }
}

/// The helper that processed the item panicked.
struct Lost;

/// The queue of items and results. Its entries are reused in turn.
struct WorkQueue<W: Work> {
    state: Mutex<QueueState<W>>,
    item_added: Condvar,
    item_finished: Condvar,
}

struct QueueState<W: Work> {
    items: Vec<ItemState<W>>,
    /// The numbers of items that were added, begun, and taken, in their order.
    added: usize,
    begun: usize,
    taken: usize,
    /// Results that can be reused.
    spare: Vec<W::Result>,
    is_closed: bool,
}

enum ItemState<W: Work> {
    Empty,
    Waiting(W::Item),
    Begun,
    Done(W::Item, W::Result),
    Lost(W::Item),
}

enum Next<W: Work> {
    Take(W::Item, W::Result),
    Work(usize, W::Item, W::Result),
    Nothing,
}

impl<W: Work> WorkQueue<W> {
    fn new(capacity: usize) -> WorkQueue<W> {
        let state = QueueState {
            items: (0..capacity).map(|_| ItemState::Empty).collect(),
            added: 0,
            begun: 0,
            taken: 0,
            spare: Vec::new(),
            is_closed: false,
        };
        WorkQueue { state: Mutex::new(state), item_added: Condvar::new(), item_finished: Condvar::new() }
    }

    /// Returns the state even if the lock is poisoned, because no code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, QueueState<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next item, if the queue has space for it.
    fn free_number(&self) -> Option<usize> {
        let state = self.lock();
        (state.added - state.taken < state.items.len()).then_some(state.added)
    }

    fn has_waiting(&self) -> bool {
        let state = self.lock();
        state.begun < state.added
    }

    fn add(&self, number: usize, item: W::Item) {
        let mut state = self.lock();
        *state.item(number) = ItemState::Waiting(item);
        state.added = number + 1;
        self.item_added.notify_one();
    }

    /// Adds an item that the calling thread processes at once.
    fn begin_own(&self, number: usize) -> W::Result {
        let mut state = self.lock();
        *state.item(number) = ItemState::Begun;
        state.added = number + 1;
        state.begun += usize::from(state.begun == number);
        state.spare.pop().unwrap_or_default()
    }

    fn finish(&self, number: usize, item: W::Item, result: Result<W::Result, Lost>) {
        let mut state = self.lock();
        *state.item(number) = match result {
            Ok(result) => ItemState::Done(item, result),
            Err(Lost) => ItemState::Lost(item),
        };
        self.item_finished.notify_one();
    }

    /// The next action of the calling thread: it takes the oldest result, processes an item, or waits.
    fn next(&self) -> Next<W> {
        let mut state = self.lock();
        loop {
            if state.taken == state.added {
                return Next::Nothing;
            }
            let oldest = state.taken;
            match std::mem::replace(state.item(oldest), ItemState::Begun) {
                ItemState::Done(item, result) => {
                    *state.item(oldest) = ItemState::Empty;
                    state.taken += 1;
                    return Next::Take(item, result);
                }
                ItemState::Lost(item) => {
                    let result = state.spare.pop().unwrap_or_default();
                    return Next::Work(oldest, item, result);
                }
                other => *state.item(oldest) = other,
            }
            if let Some((number, item, result)) = state.begin() {
                return Next::Work(number, item, result);
            }
            state = self.item_finished.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn taken(&self, result: W::Result) {
        self.lock().spare.push(result);
    }

    /// Waits for an item; none if there are no more.
    fn wait(&self) -> Option<(usize, W::Item, W::Result)> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(begun) = state.begin() {
                return Some(begun);
            }
            state = self.item_added.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<W: Work> QueueState<W> {
    fn item(&mut self, number: usize) -> &mut ItemState<W> {
        let capacity = self.items.len();
        &mut self.items[number % capacity]
    }

    /// Begins the oldest waiting item.
    fn begin(&mut self) -> Option<(usize, W::Item, W::Result)> {
        while self.begun < self.added {
            let number = self.begun;
            self.begun += 1;
            let entry = self.item(number);
            // Small items are begun when they are added.
            if let ItemState::Waiting(item) = *entry {
                *entry = ItemState::Begun;
                return Some((number, item, self.spare.pop().unwrap_or_default()));
            }
        }
        None
    }
}

/// Stops the helpers.
struct Closing<'a, W: Work>(&'a WorkQueue<W>);

impl<W: Work> Drop for Closing<'_, W> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.item_added.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{current, ThreadId};

    /// Squares numbers, and panics over some of them on all threads but one.
    struct Squares {
        panics_over: Option<u64>,
        asks: ThreadId,
        at_once: AtomicUsize,
        most_at_once: AtomicUsize,
    }

    impl Squares {
        fn new(panics_over: Option<u64>) -> Squares {
            Squares { panics_over, asks: current().id(), at_once: 0.into(), most_at_once: 0.into() }
        }
    }

    impl Work for Squares {
        type Item = u64;
        type Tools = u64;
        type Result = Vec<u64>;

        fn tools(&self) -> u64 {
            0
        }

        fn is_small(&self, item: u64) -> bool {
            item % 7 == 0
        }

        fn work(&self, seen: &mut u64, item: u64, result: &mut Vec<u64>) {
            let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_at_once.fetch_max(now, Ordering::SeqCst);
            let bad = self.panics_over.is_some_and(|every| item % every == 0);
            if bad && current().id() != self.asks {
                self.at_once.fetch_sub(1, Ordering::SeqCst);
                panic!("an item of the test that is panicked over");
            }
            *seen += 1;
            std::thread::sleep(std::time::Duration::from_micros(item * 37 % 200));
            result.clear();
            result.push(item * item);
            self.at_once.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Miri is slow.
    const MANY: u64 = if cfg!(miri) { 20 } else { 300 };

    fn squares(work: &Squares, threads: usize, items: u64) -> Vec<u64> {
        let mut found = Vec::new();
        let done: Result<(), ()> = in_order(work, threads, 0..items, |item, result| {
            assert_eq!(result[..], [item * item]);
            found.push(item);
            Ok(())
        });
        assert_eq!(done, Ok(()));
        found
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [0, 1, 2, 3, 8] {
            for items in [0, 1, 2, 5, MANY] {
                let work = Squares::new(None);
                assert_eq!(squares(&work, threads, items), (0..items).collect::<Vec<_>>());
                assert!(work.most_at_once.into_inner() <= threads.max(1));
            }
        }
    }

    #[test]
    fn threads_that_panic_leave_their_items_to_the_one_that_asks() {
        for every in [1, 3, 50] {
            let work = Squares::new(Some(every));
            assert_eq!(squares(&work, 4, MANY), (0..MANY).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_more_is_taken_than_was_wanted() {
        for threads in [1, 2, 4] {
            let mut given = 0;
            let items = (0..1000u64).inspect(|_| given += 1);
            let mut taken = 0;
            let result = in_order(&Squares::new(None), threads, items, |item, _| {
                taken += 1;
                if item == 20 {
                    Err("full")
                } else {
                    Ok(())
                }
            });
            assert_eq!((result, taken), (Err("full"), 21));
            assert!(given <= 21 + 2 * threads, "{given}");
        }
    }

    #[test]
    fn a_panic_of_the_one_that_asks_is_its_own() {
        let result = catch_unwind(|| {
            in_order(&Squares::new(None), 3, 0..100, |item, _| {
                assert!(item < 10, "a result of the test that is panicked over");
                Ok::<(), ()>(())
            })
        });
        assert!(result.is_err());
    }
}
