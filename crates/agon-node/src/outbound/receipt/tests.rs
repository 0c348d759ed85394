//! Plain receipts are not read; one that says what was played is, where it was asked for.

use agon_core::Seat;
use agon_proto::MatchId;

use super::*;

const PLAIN: &[u8] = br#"{"jsonrpc":"2.0","result":{"status":"acknowledged"},"id":1}"#;

#[test]
fn only_what_a_player_says_of_its_moves_is_read() {
    let said = include_bytes!("../../../../agon-proto/golden/receipts/ROUND_COMPLETED.json");
    let round_over = Tag::RoundOver { match_id: MatchId::new(1, 1), seat: Seat::A };
    assert!(is_plain(round_over, PLAIN) && is_plain(Tag::Notice, PLAIN));
    assert!(is_plain(Tag::Notice, said) && !is_plain(round_over, said));
    assert!(!is_plain(Tag::Heartbeat, PLAIN), "somebody waits for its answer");
    assert!(!is_plain(Tag::Notice, br#"{"jsonrpc":"2.0","error":{"code":1},"id":1}"#));
}
