//! The sabotage is what it claims to be: one batch behind, and level after a clean end.

use super::*;

fn batch(fact: u32) -> Batch<u32> {
    Batch { facts: vec![fact], exhibits: Vec::new() }
}

#[tokio::test]
async fn the_newest_batch_is_not_on_disk_until_the_next_one_or_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let written = || {
        let mut facts = Vec::new();
        Journal::<u32>::read_only(dir.path()).unwrap().replay(|fact| facts.push(fact)).unwrap();
        facts
    };
    let mut late = Late::new(Journal::open(dir.path()).unwrap());
    late.append(batch(1)).await.unwrap();
    assert_eq!(written(), [0; 0]);
    late.append(batch(2)).await.unwrap();
    assert_eq!(written(), [1]);
    late.close().await.unwrap();
    assert_eq!(written(), [1, 2]);
}
