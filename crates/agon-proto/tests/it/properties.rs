//! What holds for any message and for any bytes.

use agon_proto::tool::Tool;
use agon_proto::{
    Answer, AuthToken, Call, MatchId, MessageType, PlayerId, RefereeId, RpcId, Sender, Timestamp,
    decode_answer, decode_request, decode_tool_answer, encode_answer, encode_body_once,
    encode_request, encode_shared_request,
};
use proptest::prelude::*;

use crate::files::{LIMITS, message};
use crate::strategies::{envelope, match_id, player, referee, token};

/// Whatever the bytes are, every reader comes back.
fn read_everything(bytes: &[u8]) {
    if let Err(bad) = decode_request(bytes, LIMITS) {
        let mut out = Vec::new();
        let id = bad.id.clone().unwrap_or(RpcId::Null);
        encode_answer(&id, &bad.league_answer(Timestamp::default()), &mut out);
        encode_answer(&id, &Answer::Fault(bad.fault()), &mut out);
    }
    let _ = decode_answer(bytes, LIMITS);
    for tool in Tool::ALL {
        let _ = decode_tool_answer(bytes, *tool, LIMITS);
    }
}

proptest! {
    #[test]
    fn a_request_comes_back_as_it_was(id in 0..u64::from(u32::MAX), envelope in envelope()) {
        let mut out = Vec::new();
        encode_request(id, &envelope, &mut out);
        let request = decode_request(&out, LIMITS).unwrap();
        prop_assert_eq!(request.id, Some(RpcId::Number(i64::try_from(id).unwrap())));
        prop_assert_eq!(request.call, Call::Message(Box::new(envelope)));
    }

    #[test]
    fn an_answer_comes_back_as_it_was(envelope in envelope()) {
        let answer = Answer::Message(Box::new(envelope));
        let mut out = Vec::new();
        encode_answer(&RpcId::Text("a\"b".into()), &answer, &mut out);
        prop_assert_eq!(decode_answer(&out, LIMITS).unwrap(), answer);
    }

    #[test]
    fn a_shared_body_makes_the_same_bytes(id in any::<u64>(), envelope in envelope()) {
        let (mut alone, mut shared) = (Vec::new(), Vec::new());
        encode_request(id, &envelope, &mut alone);
        let body = encode_body_once(&envelope.act);
        let (head, token) = (&envelope.head, envelope.auth_token.as_ref());
        encode_shared_request(id, head, token, &body, &mut shared);
        prop_assert_eq!(shared, alone);
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_everything(&bytes);
    }

    #[test]
    fn a_damaged_message_is_survived(
        kind in proptest::sample::select(MessageType::ALL),
        damage in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4),
        cut in any::<usize>(),
    ) {
        let mut bytes = message(kind.name()).into_bytes();
        for (place, byte) in damage {
            let place = place % bytes.len();
            bytes[place] = byte;
        }
        read_everything(&bytes);
        read_everything(&bytes[..cut % bytes.len()]);
    }

    #[test]
    fn ids_come_back_as_they_were(player in player(), referee in referee(), id in match_id()) {
        prop_assert_eq!(player.to_string().parse::<PlayerId>().unwrap(), player);
        prop_assert_eq!(referee.to_string().parse::<RefereeId>().unwrap(), referee);
        prop_assert_eq!(id.to_string().parse::<MatchId>().unwrap(), id);
    }

    #[test]
    fn tokens_come_back_and_hide_themselves(token in token()) {
        let text = token.reveal();
        prop_assert_eq!(&AuthToken::from(text.as_str()), &token);
        let written = serde_json::to_string(&token).unwrap();
        prop_assert_eq!(written, serde_json::json!(text).to_string());
        if let Some(secret) = token.secret() {
            let digits: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
            prop_assert!(text.ends_with(&digits));
            let shown = format!("{token:?} {}", token.redacted());
            prop_assert!(!shown.contains(&digits[..8]), "{}", shown);
        }
    }

    #[test]
    fn times_come_back_to_the_second(micros in 0..4_000_000_000_000_000_i64) {
        let time = Timestamp::from_micros(micros);
        let read: Timestamp = time.to_string().parse().unwrap();
        prop_assert_eq!(read.micros(), micros - micros % 1_000_000);
    }
}

#[test]
fn a_manager_may_add_its_name_to_its_role() {
    let sender: Sender = serde_json::from_str("\"league_manager:LM01\"").unwrap();
    assert_eq!(sender, Sender::LeagueManager);
}
