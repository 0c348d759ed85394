//! Order within a pair matters, order between pairs does not.

use super::*;

fn said(words: &[(usize, usize, &str)]) -> u64 {
    let mut digesting = Digesting::default();
    for (from, to, text) in words {
        digesting.say(*from, *to, text.as_bytes());
    }
    digesting.finish().said
}

#[test]
fn order_matters_within_a_pair_and_not_between_pairs() {
    let season = said(&[(0, 1, "a"), (0, 1, "b"), (0, 2, "c")]);
    assert_eq!(season, said(&[(0, 2, "c"), (0, 1, "a"), (0, 1, "b")]));
    assert_ne!(season, said(&[(0, 1, "b"), (0, 1, "a"), (0, 2, "c")]));
    assert_ne!(season, said(&[(0, 1, "a"), (1, 0, "b"), (0, 2, "c")]));
    assert_ne!(season, said(&[(0, 1, "ab"), (0, 2, "c")]));
}

#[test]
fn a_fact_changes_the_digest_of_facts_alone() {
    let mut digesting = Digesting::default();
    let before = digesting.finish();
    digesting.write(1, &"fact");
    let after = digesting.finish();
    assert_eq!(before.said, after.said);
    assert_ne!(before.facts, after.facts);
}
