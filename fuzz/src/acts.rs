//! What a report says was played: a public view on the first line, and the acts behind it.
//!
//! Spec: docs/protocol/match.md

use agon_games::{Rules, games, moves_in};
use serde::de::IgnoredAny;

/// What is believed shows just that view, whoever writes it down again; the same acts lead there
/// again. Every move in them is JSON.
pub fn check(bytes: &[u8]) {
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (shown, acts) = (&bytes[..line], bytes.get(line + 1..).unwrap_or_default());
    for info in games() {
        let rules = Rules::new(info.name, "{}").expect("every game can be played as usual");
        let _ = rules.retrace(shown);
        let Ok(position) = rules.replay(acts, shown) else { continue };
        let seen = position.view(None).expect("it was compared");
        let again = rules.replay(acts, seen.as_bytes()).expect("it is the same view");
        assert_eq!(again, position);
        let moves = moves_in(acts);
        let mut moves = moves.iter().flatten();
        assert!(moves.all(|json| serde_json::from_str::<IgnoredAny>(json).is_ok()));
    }
}
