//! Golden files: read, written, the same bytes again; and what happens if a field goes.

use agon_proto::act::Act;
use agon_proto::tool::Tool;
use agon_proto::{
    Answer, Call, Envelope, MatchId, MessageType, Played, Receipt, Reject, RpcId, decode_answer,
    decode_request, decode_tool_answer, encode_answer, encode_request, encode_tool_request,
};
use serde_json::{Map, Value};

use crate::files::{LIMITS, frame, message, names, pair};

fn id(id: &RpcId) -> u64 {
    match id {
        RpcId::Number(number) => u64::try_from(*number).unwrap(),
        RpcId::Text(_) | RpcId::Null => panic!("we send numbers"),
    }
}

/// Reads a frame, whichever it is, and says what it carried.
fn open(frame: &str) -> Envelope {
    let value: Value = serde_json::from_str(frame).unwrap();
    if value.get("method").is_some() {
        match decode_request(frame.as_bytes(), LIMITS).unwrap().call {
            Call::Message(envelope) => *envelope,
            Call::Tool(..) | Call::Letter(_) => panic!("no message of the league"),
        }
    } else {
        match decode_answer(frame.as_bytes(), LIMITS).unwrap() {
            Answer::Message(envelope) => *envelope,
            Answer::Receipt(_) | Answer::Tool(_) | Answer::Fault(_) => panic!("no message"),
        }
    }
}

#[track_caller]
fn check_same_bytes(folder: &str, kind: MessageType) {
    let frame = frame(folder, kind.name());
    let envelope = open(&frame);
    assert_eq!(MessageType::of(&envelope.act), Some(kind));
    let mut out = Vec::new();
    // An error is an answer, and now and then a message of its own.
    match kind.method().filter(|_| frame.contains("\"method\":")) {
        Some(_) => {
            let request = decode_request(frame.as_bytes(), LIMITS).unwrap();
            encode_request(id(&request.id.unwrap()), &envelope, &mut out);
        }
        None => {
            let value: Value = serde_json::from_str(&frame).unwrap();
            let id = RpcId::Number(value["id"].as_i64().unwrap());
            encode_answer(&id, &Answer::Message(Box::new(envelope)), &mut out);
        }
    }
    assert_eq!(String::from_utf8(out).unwrap(), frame);
}

#[test]
fn every_message_has_a_golden_file_and_keeps_its_bytes() {
    MessageType::ALL.iter().for_each(|kind| check_same_bytes("league.v2", *kind));
    assert_eq!(names("league.v2").len(), MessageType::ALL.len());
}

/// Messages with fields that they may have and that the usual file does without.
#[test]
fn what_may_be_said_besides_keeps_its_bytes() {
    let names = names("variants");
    assert!(!names.is_empty());
    for name in names {
        check_same_bytes("variants", MessageType::from_name(&name).unwrap());
    }
}

/// What a player says besides when a round is over; and who says nothing is as good.
#[test]
fn what_was_played_keeps_its_bytes() {
    let frame = frame("receipts", "ROUND_COMPLETED");
    let answer = decode_answer(frame.as_bytes(), LIMITS).unwrap();
    let Answer::Receipt(Receipt { played: Some(Played { match_id, attempt, .. }), .. }) = answer
    else {
        panic!("{answer:?}");
    };
    assert_eq!((match_id, attempt), (MatchId::new(1, 1), 1));
    let mut out = Vec::new();
    encode_answer(&RpcId::Number(1402), &answer, &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), frame);
}

#[test]
fn a_game_error_without_what_others_leave_out_is_read() {
    let frame = message("GAME_ERROR");
    let mut value: Value = serde_json::from_str(&frame).unwrap();
    for field in ["retry_info", "game_state", "error_name", "retryable"] {
        assert!(value["params"].as_object_mut().unwrap().remove(field).is_some());
    }
    let Act::GameError(said) = open(&value.to_string()).act else {
        panic!("another message");
    };
    assert_eq!((said.retry_info, said.game_state), (None, None));
}

#[test]
fn every_tool_has_a_golden_file_and_keeps_its_bytes() {
    assert_eq!(names("tools").len(), Tool::ALL.len());
    for tool in Tool::ALL {
        let (question, answer) = pair("tools", tool.method());
        let request = decode_request(question.as_bytes(), LIMITS).unwrap();
        let Call::Tool(read, params) = request.call else {
            panic!("not a tool");
        };
        assert_eq!(read, *tool);
        let request_id = request.id.unwrap();
        let mut out = Vec::new();
        encode_tool_request(id(&request_id), read, &params, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), question);
        let found = decode_tool_answer(answer.as_bytes(), *tool, LIMITS).unwrap();
        let mut out = Vec::new();
        encode_answer(&request_id, &found, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), answer);
    }
}

/// The golden message as a request, whatever it is in truth: both are read by the same code.
fn as_request(kind: MessageType) -> Value {
    let mut frame: Value = serde_json::from_str(&message(kind.name())).unwrap();
    let frame = frame.as_object_mut().unwrap();
    let params = frame.remove("result").or_else(|| frame.remove("params")).unwrap();
    serde_json::json!({ "jsonrpc": "2.0", "method": kind.name(), "params": params, "id": 7 })
}

/// The places of all members of all objects, as JSON pointers and as we name them.
fn places(value: &Value, pointer: &str, name: &str, found: &mut Vec<(String, String, String)>) {
    for (key, inner) in value.as_object().into_iter().flatten() {
        let path = format!("{name}{key}");
        found.push((pointer.to_owned(), key.clone(), path.clone()));
        let dot = if inner.is_array() { "" } else { "." };
        let (pointer, path) = (format!("{pointer}/{key}"), format!("{path}{dot}"));
        places(inner, &pointer, &path, found);
    }
    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
        let (pointer, path) = (format!("{pointer}/{index}"), format!("{name}[{index}]."));
        places(inner, &pointer, &path, found);
    }
}

#[test]
fn a_missing_field_is_named() {
    let mut missed = 0;
    for kind in MessageType::ALL {
        let whole = as_request(*kind);
        let mut found = Vec::new();
        places(&whole["params"], "/params", "", &mut found);
        for (pointer, key, path) in found {
            let mut frame = whole.clone();
            let object = frame.pointer_mut(&pointer).unwrap().as_object_mut().unwrap();
            object.remove(&key).unwrap();
            if let Err(bad) = decode_request(frame.to_string().as_bytes(), LIMITS) {
                let field = path.as_str().into();
                assert_eq!(bad.reject, Reject::MissingField { field }, "{kind:?}");
                missed += 1;
            }
        }
    }
    assert!(missed > 250, "only {missed} fields are required");
}

#[test]
fn the_envelope_is_required_of_every_message() {
    for kind in MessageType::ALL {
        let fields = ["protocol", "message_type", "sender", "timestamp", "conversation_id"];
        for name in fields {
            let mut frame = as_request(*kind);
            frame["params"].as_object_mut().unwrap().remove(name).unwrap();
            let bad = decode_request(frame.to_string().as_bytes(), LIMITS).unwrap_err();
            let field = name.into();
            assert_eq!(bad.reject, Reject::MissingField { field });
            assert_eq!(bad.id, Some(RpcId::Number(7)));
        }
    }
}

#[test]
fn a_missing_field_inside_is_named_with_its_path() {
    let mut frame = as_request(MessageType::RoundAnnouncement);
    let second = frame["params"]["matches"][1].as_object_mut().unwrap();
    second.remove("player_A_id");
    let bad = decode_request(frame.to_string().as_bytes(), LIMITS).unwrap_err();
    let field = "matches[1].player_A_id".into();
    assert_eq!(bad.reject, Reject::MissingField { field });
}

#[test]
fn unknown_fields_pass() {
    for kind in MessageType::ALL {
        let whole = as_request(*kind);
        let mut frame = whole.clone();
        frame["extra"] = serde_json::json!([1, { "a": null }]);
        frame["params"]["extra"] = serde_json::json!({ "b": [true] });
        let read = |frame: &Value| decode_request(frame.to_string().as_bytes(), LIMITS).unwrap();
        assert_eq!(read(&frame), read(&whole));
    }
}

/// Writes an object with its members in the opposite order.
fn reversed(object: &Map<String, Value>) -> String {
    let members = object.iter().rev().map(|(name, value)| {
        let inner = value.as_object().filter(|_| name == "params");
        let value = inner.map_or_else(|| value.to_string(), reversed);
        format!("{}:{value}", Value::from(name.as_str()))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[test]
fn the_order_of_fields_does_not_matter() {
    for kind in MessageType::ALL {
        let frame = as_request(*kind);
        let usual = open(&message(kind.name()));
        // Neither the map's own order nor its opposite is the order of the spec.
        for shuffled in [frame.to_string(), reversed(frame.as_object().unwrap())] {
            let request = decode_request(shuffled.as_bytes(), LIMITS).unwrap();
            assert_eq!(request.call, Call::Message(Box::new(usual.clone())), "{shuffled}");
        }
    }
}
