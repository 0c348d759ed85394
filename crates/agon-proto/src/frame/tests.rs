//! Tests of the frame: depth, ids, methods, and answers in every form they come in.

use super::{
    BadAnswer, Limits, Reject, RpcId, decode_answer, decode_request, decode_tool_answer, is_deeper,
};
use crate::dialect::Unreadable;
use crate::tool::{Command, Tool, ToolAnswer};
use crate::{Answer, Call, ErrorCode, Fault, MatchId, Receipt, ReceiptStatus, Timestamp};

const LIMITS: Limits = Limits { depth_max: 8 };

const INVITATION: &str = concat!(
    r#"{"protocol":"league.v2","message_type":"GAME_INVITATION","sender":"referee:REF01","#,
    r#""timestamp":"2025-01-15T10:15:00Z","conversation_id":"conv-r1m1-001","league_id":"l","#,
    r#""round_id":1,"match_id":"R1M1","game_type":"even_odd","role_in_match":"PLAYER_A","#,
    r#""opponent_id":"P02"}"#
);

#[test]
fn depth_is_counted_outside_of_texts() {
    let check = |json: &str, depth: usize| {
        assert!(!is_deeper(json.as_bytes(), depth), "{json}");
        assert!(depth == 0 || is_deeper(json.as_bytes(), depth - 1), "{json}");
    };
    check("7", 0);
    check("{}", 1);
    check("[{},[],{}]", 2);
    check(r#"{"a":"[[[["}"#, 1);
    check(r#"{"a":"\"[[[[\\"}"#, 1);
    check(r#"["\\",[[]]]"#, 3);
    check("]]]][[", 2);
}

#[track_caller]
fn check_id(frame: &str, expected: Result<Option<RpcId>, Option<RpcId>>) {
    let read = decode_request(frame.as_bytes(), LIMITS);
    assert_eq!(read.map(|request| request.id).map_err(|bad| bad.id), expected, "{frame}");
}

#[test]
fn an_id_is_answered_as_it_came() {
    let number = RpcId::Number;
    check_id(r#"{"jsonrpc":"2.0","method":"ping","id":7}"#, Ok(Some(number(7))));
    check_id(r#"{"jsonrpc":"2.0","method":"ping","params":{},"id":-7}"#, Ok(Some(number(-7))));
    check_id(r#"{"id":"a","jsonrpc":"2.0","method":"ping"}"#, Ok(Some(RpcId::Text("a".into()))));
    check_id(r#"{"jsonrpc":"2.0","method":"ping","id":null}"#, Ok(Some(RpcId::Null)));
    check_id(r#"{"jsonrpc":"2.0","method":"ping"}"#, Ok(None));
}

#[test]
fn a_bad_request_is_answered_as_far_as_it_can_be() {
    check_id(r#"{"jsonrpc":"2.0","method":"pong","id":7}"#, Err(Some(RpcId::Number(7))));
    check_id(r#"{"jsonrpc":"2.0","method":"pong"}"#, Err(None));
    for id in ["true", "1.5", "[]", "18446744073709551615"] {
        let frame = format!(r#"{{"jsonrpc":"2.0","method":"ping","id":{id}}}"#);
        check_id(&frame, Err(Some(RpcId::Null)));
    }
}

#[track_caller]
fn check_method(method: &str, expected: Result<(), i64>) {
    for frame in [
        format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{INVITATION},"id":1}}"#),
        format!(r#"{{"id":1,"params":{INVITATION},"method":"{method}","jsonrpc":"2.0"}}"#),
    ] {
        let read = decode_request(frame.as_bytes(), LIMITS);
        let code = read.map(|_| ()).map_err(|bad| bad.fault().code);
        assert_eq!(code, expected, "{frame}");
    }
}

#[test]
fn a_message_may_come_under_any_method_that_we_know() {
    for method in [
        "handle_game_invitation",
        "GAME_INVITATION",
        "game_invitation",
        "choose_parity",
        "parity_choose",
        "mcp_message",
        "handle_message",
        "league_register",
        "get_standings",
    ] {
        check_method(method, Ok(()));
    }
    for method in ["", "invite", "tools/call"] {
        check_method(method, Err(-32601));
    }
}

#[test]
fn a_q21_letter_comes_by_its_own_method_or_by_any_of_its_names() {
    let payload = r#"{"match_id":"0101001","answer":"4"}"#;
    let head = r#""message_type":"Q21WARMUPRESPONSE","message_id":"m-1""#;
    let letter = format!(r#"{{{head},"payload":{payload}}}"#);
    for method in
        ["deliver_letter", "Q21WARMUPRESPONSE", "q21_warmup_response", "broadcast_start_season"]
    {
        let frame = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{letter},"id":1}}"#);
        let call = decode_request(frame.as_bytes(), LIMITS).unwrap().call;
        assert!(matches!(call, Call::Letter(_)), "{method}");
    }
    let frame =
        r#"{"jsonrpc":"2.0","method":"deliver_letter","params":{"message_id":"m-1"},"id":1}"#;
    let bad = decode_request(frame.as_bytes(), LIMITS).unwrap_err();
    assert_eq!(bad.reject, Reject::Unreadable(Box::new(Unreadable::NoType)));
    assert_eq!(bad.fault().code, -32602);
    assert_eq!(bad.league_answer(Timestamp::default()), Answer::Fault(bad.fault()));
    let field = "params".into();
    let frame = r#"{"jsonrpc":"2.0","method":"deliver_letter","id":1}"#;
    check_reject(frame, &Reject::MissingField { field });
}

#[track_caller]
fn check_reject(frame: &str, expected: &Reject) {
    let bad = decode_request(frame.as_bytes(), LIMITS).unwrap_err();
    assert_eq!(&bad.reject, expected, "{frame}");
}

#[test]
fn what_is_no_request_is_told_apart() {
    let flaw = |flaw| Reject::NotARequest { flaw };
    check_reject("", &Reject::Malformed);
    check_reject("{} {}", &Reject::Malformed);
    check_reject(" []", &Reject::Batch);
    check_reject("[1", &Reject::Malformed);
    check_reject("\"ping\"", &flaw("it must be an object"));
    check_reject("{}", &flaw("jsonrpc must be \"2.0\""));
    check_reject(r#"{"jsonrpc":"1.0","method":"ping"}"#, &flaw("jsonrpc must be \"2.0\""));
    check_reject(r#"{"jsonrpc":"2.0","method":7}"#, &flaw("method must be a text"));
    let twice = r#"{"jsonrpc":"2.0","method":"ping","method":"ping"}"#;
    check_reject(twice, &flaw("every part may stand there once"));
    check_reject(&"[".repeat(9), &Reject::TooDeep);
    let field = "params".into();
    let no_params = r#"{"jsonrpc":"2.0","method":"choose_parity","id":1}"#;
    check_reject(no_params, &Reject::MissingField { field });
    let field = "match_id".into();
    let bad_tool = r#"{"jsonrpc":"2.0","method":"get_match_state","params":{"match_id":7}}"#;
    check_reject(bad_tool, &Reject::BadMessage { field });
}

#[test]
fn a_list_is_a_batch_however_long_and_never_the_parts_of_one_request() {
    for length in 0..9 {
        let batch = vec![r#"{"jsonrpc":"2.0","method":"ping","id":1}"#; length].join(",");
        check_reject(&format!("[{batch}]"), &Reject::Batch);
    }
    check_reject(r#"["2.0","ping",null,7]"#, &Reject::Batch);
    for parts in [r#"[{"status":"acknowledged"},null]"#, "[1,null]", r#"[null,{"code":1}]"#] {
        check_answer(parts, Err(BadAnswer::NotAnAnswer));
    }
}

#[test]
fn a_tool_needs_no_params() {
    for params in ["", r#","params":null"#, r#","params":{}"#, r#","params":[]"#] {
        let frame = format!(r#"{{"jsonrpc":"2.0","method":"get_standings"{params},"id":1}}"#);
        let request = decode_request(frame.as_bytes(), LIMITS).unwrap();
        assert_eq!(request.call, Call::Tool(Tool::GetStandings, Box::default()));
    }
}

#[track_caller]
fn check_answer(frame: &str, expected: Result<Answer, BadAnswer>) {
    assert_eq!(decode_answer(frame.as_bytes(), LIMITS), expected, "{frame}");
}

fn receipt(status: ReceiptStatus) -> Answer {
    Answer::Receipt(Receipt { status, match_id: None, played: None })
}

#[test]
fn any_acknowledgement_counts() {
    for result in [
        "\"ok\"",
        "true",
        "{}",
        r#"{"status":"received"}"#,
        r#"{"acknowledged":true}"#,
        r#"{"message_type":"GAME_OVER_ACK","status":"fine"}"#,
        r#"{"status":"acknowledged"}"#,
    ] {
        let frame = format!(r#"{{"jsonrpc":"2.0","result":{result},"error":null,"id":1}}"#);
        check_answer(&frame, Ok(receipt(ReceiptStatus::Acknowledged)));
    }
}

#[test]
fn nothing_acknowledges_nothing() {
    let null = r#"{"jsonrpc":"2.0","result":null,"id":1}"#;
    check_answer(null, Err(BadAnswer::NotAnAnswer));
}

#[test]
fn a_receipt_says_more_if_it_can() {
    let recorded = r#"{"jsonrpc":"2.0","result":{"status":"recorded","match_id":"R1M1"},"id":1}"#;
    let match_id = Some(MatchId::new(1, 1));
    let status = ReceiptStatus::Recorded;
    check_answer(recorded, Ok(Answer::Receipt(Receipt { status, match_id, played: None })));
    let refused = r#"{"result":{"message_type":"MATCH_ASSIGNMENT_ACK","status":"refused"}}"#;
    check_answer(refused, Ok(receipt(ReceiptStatus::Refused)));
}

#[test]
fn a_fault_is_read_as_far_as_it_can_be() {
    let fault = |code, message: &str, league_code| {
        let message = message.into();
        Ok(Answer::Fault(Fault { code, message, league_code }))
    };
    let frame = r#"{"error":{"code":-32602,"message":"a\u0007b","data":{"error_code":"E003"}}}"#;
    check_answer(frame, fault(-32602, "ab", Some(ErrorCode::MissingField)));
    check_answer(r#"{"error":{"code":-32601},"id":1}"#, fault(-32601, "", None));
    check_answer(r#"{"error":"no","result":{}}"#, fault(-32603, "", None));
    check_answer(r#"{"error":{"data":{"error_code":"E999"}}}"#, fault(-32603, "", None));
}

#[test]
fn what_is_no_answer_is_told_apart() {
    check_answer("", Err(BadAnswer::Malformed));
    check_answer("{}", Err(BadAnswer::NotAnAnswer));
    check_answer("[]", Err(BadAnswer::NotAnAnswer));
    check_answer("<html>", Err(BadAnswer::Malformed));
    check_answer(&"[".repeat(9), Err(BadAnswer::TooDeep));
    let field = "protocol".into();
    let lacks = BadAnswer::BadResult(Reject::MissingField { field });
    check_answer(r#"{"result":{"message_type":"GAME_JOIN_ACK"}}"#, Err(lacks));
}

/// Puts a byte that no UTF-8 text holds into a field that nobody reads.
fn spoiled(frame: &str) -> Vec<u8> {
    let place = frame.rfind('}').unwrap();
    [&frame.as_bytes()[..place], b",\"x\":\"\xff\"}"].concat()
}

#[test]
fn invalid_utf8_is_refused_even_where_nobody_looks() {
    let ping = r#"{"jsonrpc":"2.0","method":"ping","id":1}"#.to_owned();
    let params = format!(r#"{{"jsonrpc":"2.0","method":"mcp_message","params":{INVITATION}}}"#);
    let turned = format!(r#"{{"params":{INVITATION},"method":"mcp_message","jsonrpc":"2.0"}}"#);
    for frame in [ping, params, turned] {
        assert!(decode_request(frame.as_bytes(), LIMITS).is_ok(), "{frame}");
        let bad = decode_request(&spoiled(&frame), LIMITS).unwrap_err();
        assert_eq!(bad.reject, Reject::Malformed, "{frame}");
    }
    let receipt = r#"{"result":{"status":"acknowledged"}}"#.to_owned();
    let letter = format!(r#"{{"result":{INVITATION}}}"#);
    for frame in [receipt, letter, r#"{"error":{"code":1}}"#.to_owned()] {
        assert!(decode_answer(frame.as_bytes(), LIMITS).is_ok(), "{frame}");
        let spoiled = spoiled(&frame);
        assert_eq!(decode_answer(&spoiled, LIMITS), Err(BadAnswer::Malformed), "{frame}");
        let found = decode_tool_answer(&spoiled, Tool::Ping, LIMITS);
        assert_eq!(found, Err(BadAnswer::Malformed), "{frame}");
    }
}

#[test]
fn a_tool_may_be_answered_by_a_message_or_a_fault() {
    let check = |frame: &str, tool| decode_tool_answer(frame.as_bytes(), tool, LIMITS);
    let letter = format!(r#"{{"result":{INVITATION}}}"#);
    assert!(matches!(check(&letter, Tool::Command(Command::StartLeague)), Ok(Answer::Message(_))));
    let fault = r#"{"error":{"code":1}}"#;
    assert!(matches!(check(fault, Tool::Ping), Ok(Answer::Fault(_))));
    assert_eq!(check(r#"{"result":"pong"}"#, Tool::Ping), Ok(Answer::Tool(ToolAnswer::Pong)));
    let field = "params".into();
    let bad = BadAnswer::BadResult(Reject::BadMessage { field });
    assert_eq!(check(r#"{"result":{}}"#, Tool::GetStandings), Err(bad));
}
