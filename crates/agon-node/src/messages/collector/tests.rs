//! What is collected of a match, when it is closed, and what is too much.

use agon_proto::piece::{MessageHead, read_piece};
use agon_proto::{Endpoint, Timestamp};
use bytes::Bytes;

use super::note::clean;
use super::*;
use crate::passed::Peer;

const R1M1: MatchId = MatchId::new(1, 1);

fn passed(
    way: Way,
    name: &'static str,
    match_id: MatchId,
    said: &str,
    answer: &str,
) -> Arc<Passed> {
    Arc::new(Passed {
        at: Timestamp::from_micros(1_700_000_000_000_000),
        took: Duration::from_micros(250),
        way,
        peer: Peer::Endpoint(Endpoint::new("http://127.0.0.1:8101/mcp")),
        name,
        match_id: Some(match_id),
        said: Bytes::copy_from_slice(said.as_bytes()),
        answer: Bytes::copy_from_slice(answer.as_bytes()),
        status: Some(200),
        outcome: Outcome::Answered,
    })
}

fn assigned(match_id: MatchId, attempt: u32) -> Arc<Passed> {
    let said = format!("{{\"attempt\":{attempt}}}");
    passed(Way::WasCalled, "MATCH_ASSIGNMENT", match_id, &said, "{}")
}

fn over(match_id: MatchId) -> Arc<Passed> {
    passed(Way::Called, "GAME_OVER", match_id, "{\"auth_token\":\"tok-p01-0123\"}", "{}")
}

/// Attempt and number of a message, and how long its two parts are.
type Sizes = (u32, u32, usize, usize);

/// All that is handed in at the end: of which attempts, and how long each message was.
fn handed(collector: &Collector) -> (Vec<PieceOf>, Vec<Sizes>) {
    let (mut of, mut messages) = (Vec::new(), Vec::new());
    while let Some(piece) = collector.take(Instant::now(), true) {
        of.extend(piece.matches);
        read_piece(piece.body.as_bytes(), |note| {
            let MessageHead { attempt, number, .. } = note.head;
            messages.push((attempt, number, note.request.len(), note.answer.len()));
        })
        .unwrap();
    }
    assert!(collector.is_empty(), "nothing waits any more");
    (of, messages)
}

#[test]
fn an_attempt_is_closed_when_both_players_know_how_it_ended() {
    let collector = Collector::new();
    collector.see(&assigned(R1M1, 2));
    collector.see(&over(R1M1));
    assert!(collector.due().is_some_and(|due| due > Instant::now() + WAIT_MAX), "it is open");
    collector.see(&over(R1M1));
    assert!(collector.due().is_some_and(|due| due <= Instant::now() + WAIT_ALONE));
    let (of, messages) = handed(&collector);
    assert_eq!(of, [PieceOf { match_id: R1M1, attempt: 2, messages: 2, last: true }]);
    // Without the token.
    let length = "{\"auth_token\":\"tok-…\"}".len();
    assert_eq!(messages, [(2, 1, length, 2), (2, 2, length, 2)]);
}

#[test]
fn whoever_wrote_it_no_secret_stays() {
    let mut out = Vec::new();
    for said in [
        "{\"auth_token\":\"tok-p01-0123\",\"token\":null,\"text\":\"tok-4567\"}",
        "{\"auth_token\":\"0123 is not spelt as ours\",\"text\":\"tok-4567\"}",
        "{\"auth_token\": \"tok-p01-0123\", \"text\":\"tok-tok-4567\"}",
    ] {
        for ours in [true, false] {
            clean((said.as_bytes(), ours), &mut out);
            let text = String::from_utf8(out.clone()).unwrap();
            assert!(!text.contains("0123") && !text.contains("4567"), "{text}");
            assert!(text.ends_with("\"}") && text.starts_with("{\"auth_token\":"), "{text}");
        }
    }
}

#[test]
fn what_is_not_said_to_a_player_is_not_kept() {
    let collector = Collector::new();
    collector.see(&assigned(R1M1, 1));
    for name in ["MATCH_RESULT_REPORT", "get_match_state"] {
        collector.see(&passed(Way::Called, name, R1M1, "{}", "{}"));
    }
    assert_eq!(handed(&collector), (vec![], vec![]));
}

#[test]
fn another_attempt_begins_anew_and_the_one_before_is_not_whole() {
    let collector = Collector::new();
    collector.see(&assigned(R1M1, 1));
    collector.see(&over(R1M1));
    collector.see(&assigned(R1M1, 1)); // Once more: nothing new.
    collector.see(&assigned(R1M1, 2));
    collector.see(&over(R1M1));
    let (of, messages) = handed(&collector);
    let attempts: Vec<_> = of.iter().map(|of| (of.attempt, of.messages, of.last)).collect();
    assert_eq!(attempts, [(1, 1, false), (2, 1, false)]);
    assert_eq!(messages.iter().map(|it| (it.0, it.1)).collect::<Vec<_>>(), [(1, 1), (2, 1)]);
}

#[test]
fn an_attempt_whose_beginning_nobody_saw_is_never_whole() {
    let collector = Collector::new();
    collector.see(&over(R1M1));
    collector.see(&over(R1M1));
    let (of, _) = handed(&collector);
    assert_eq!(of, [PieceOf { match_id: R1M1, attempt: 1, messages: 2, last: false }]);
}

#[test]
fn after_a_restart_the_conversation_tells_which_attempt_it_is() {
    let collector = Collector::new();
    let said = "{\"conversation_id\":\"conv-r1m1-002\"}";
    collector.see(&passed(Way::Called, "GAME_OVER", R1M1, said, "{}"));
    let (of, _) = handed(&collector);
    assert_eq!(of, [PieceOf { match_id: R1M1, attempt: 2, messages: 1, last: false }]);
}

#[test]
fn a_match_whose_end_somebody_never_took_does_not_stay_open() {
    let collector = Collector::new();
    collector.see(&assigned(R1M1, 1));
    collector.see(&over(R1M1));
    collector.see(&assigned(MatchId::new(1, 2), 1));
    let later = Instant::now() + QUIET_MAX;
    let piece = collector.take(later, false).unwrap();
    assert_eq!(piece.matches.iter().map(|of| of.match_id).collect::<Vec<_>>(), [R1M1]);
    let open: Vec<_> = collector.collected().open.keys().copied().collect();
    assert_eq!(open, [MatchId::new(1, 2)], "it may be asked something yet");
}

#[test]
fn what_is_too_much_is_left_out_and_counted() {
    let collector = Collector::new();
    collector.see(&assigned(R1M1, 1));
    let (long, count) = ("x".repeat(2 * BODY_MAX), 12);
    for _ in 0..count {
        collector.see(&passed(Way::Called, "GAME_MOVE_CALL", R1M1, &long, &long));
    }
    let (of, messages) = handed(&collector);
    assert!(of.iter().all(|of| of.match_id == R1M1), "{of:?}");
    assert_eq!(of.last().unwrap().messages, count);
    let kept = u32::try_from(messages.len()).unwrap();
    assert!((4..count).contains(&kept), "{kept} of {count}");
    assert!(messages.iter().all(|it| (it.2, it.3) == (BODY_MAX, BODY_MAX)));
}

#[test]
fn small_matches_share_a_piece() {
    let collector = Collector::new();
    for number in (1..=50).rev() {
        let match_id = MatchId::new(1, number);
        collector.see(&assigned(match_id, 1));
        (0..2).for_each(|_| collector.see(&over(match_id)));
    }
    let piece = collector.take(Instant::now(), true).unwrap();
    let numbers: Vec<_> = piece.matches.iter().map(|of| of.match_id.number).collect();
    assert_eq!(numbers, (1..=50).collect::<Vec<_>>(), "in their order");
    assert!(collector.take(Instant::now(), true).is_none());
}

#[test]
fn nothing_is_collected_for_nobody() {
    let collector = Collector::new();
    collector.see(&over(R1M1));
    collector.stop();
    collector.see(&over(R1M1));
    assert_eq!((collector.is_empty(), collector.due()), (true, None));
}
