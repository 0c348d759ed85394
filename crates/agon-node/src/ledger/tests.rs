//! The sabotage is what it claims to be: one batch behind, and level after a clean end.

use super::*;

#[tokio::test]
async fn the_newest_batch_is_not_on_disk_until_the_next_one_or_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let written = || {
        let mut facts = Vec::new();
        Journal::<u32>::read_only(dir.path()).unwrap().replay(|fact| facts.push(fact)).unwrap();
        facts
    };
    let owed = Some(Batch { facts: Vec::new(), exhibits: Vec::new() });
    let journal = Journal::open(dir.path()).unwrap();
    let mut late = Ledger(Kept::OnDisk { journal, owed });
    assert!(late.append(vec![1], &mut Vec::new()).is_none());
    assert_eq!(written(), [0; 0]);
    late.append(vec![2], &mut Vec::new()).unwrap().await.unwrap();
    assert_eq!(written(), [1]);
    late.close().await.unwrap();
    assert_eq!(written(), [1, 2]);
}
