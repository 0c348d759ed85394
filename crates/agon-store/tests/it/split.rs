//! A property: where one batch ends and the next begins leaves no trace in a replay.

use agon_store::Journal;
use proptest::{collection::vec, prelude::*};

use crate::{Fact, block_on, facts, joined, replayed};

fn any_fact() -> impl Strategy<Value = Fact> {
    prop_oneof![
        any::<String>().prop_map(|name| joined(&name)),
        (any::<u32>(), any::<i64>()).prop_map(|(by, points)| Fact::Scored { by, points }),
    ]
}

proptest! {
    // Every case opens files and waits for the disk, so there are only a few.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_split_replays_to_the_same_list(batches in vec(vec(any_fact(), 0..12), 0..8)) {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(dir.path()).unwrap();
        for batch in &batches {
            let last = journal.last();
            let after = block_on(journal.append(last, facts(batch))).unwrap();
            prop_assert_eq!(after, last + batch.len() as u64);
        }
        prop_assert_eq!(replayed(&journal), batches.concat());
        drop(journal);
        prop_assert_eq!(replayed(&Journal::open(dir.path()).unwrap()), batches.concat());
    }
}
