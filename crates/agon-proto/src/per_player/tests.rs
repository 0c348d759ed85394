//! Tests of objects with one entry for each player.

use super::PerPlayer;
use crate::PlayerId;

#[track_caller]
fn check(json: &str, expected: Option<PerPlayer<u32>>) {
    let read: Option<PerPlayer<u32>> = serde_json::from_str(json).ok();
    assert_eq!(read, expected, "{json}");
    if let Some(entries) = read {
        assert_eq!(serde_json::to_string(&entries).unwrap(), json);
    }
}

#[test]
fn up_to_two_players_fit() {
    let (a, b) = ((PlayerId::new(1), 3), (PlayerId::new(2), 0));
    check("{}", Some(PerPlayer::empty()));
    check(r#"{"P01":3}"#, Some(PerPlayer::of([Some(a), None])));
    check(r#"{"P01":3,"P02":0}"#, Some(PerPlayer::both(a, b)));
    check(r#"{"P01":3,"P02":0,"P03":0}"#, None);
    check(r#"{"Alpha":3}"#, None);
}

#[test]
fn entries_are_found_by_player() {
    let both = PerPlayer::both((PlayerId::new(1), 3), (PlayerId::new(2), 0));
    assert_eq!(both.get(PlayerId::new(2)), Some(0));
    assert_eq!(both.get(PlayerId::new(3)), None);
    assert!(!both.is_empty());
}
