//! Each kind of wrong answer, and what its author is told of it.

use super::*;

const LIMITS: Limits = Limits { depth_max: 32 };
const RIGHT: &str = concat!(
    r#"{"protocol":"league.v2","message_type":"CHOOSE_PARITY_RESPONSE","sender":"player:P02","#,
    r#""timestamp":"2026-01-15T10:05:00Z","conversation_id":"conv-r1m1-001","#,
    r#""match_id":"R1M1","player_id":"P02","parity_choice":"even"}"#,
);

#[track_caller]
fn check_http(status: u16, sent: &str, code: ErrorCode, problem: &str) {
    let wanted = MessageType::ChooseParityResponse;
    let objection = object_to(sent.as_bytes(), status, wanted, LIMITS);
    assert_eq!((objection.code, objection.problem.as_str()), (code, problem));
    let received = Some(sent).filter(|sent| !sent.is_empty());
    assert_eq!(objection.received, received.map(|it| crate::ShortText::received(it.as_bytes())));
}

#[track_caller]
fn check(sent: &str, code: ErrorCode, problem: &str) {
    check_http(200, sent, code, problem);
}

/// The result is the right one, but for this.
#[track_caller]
fn check_result(from: &str, to: &str, code: ErrorCode, problem: &str) {
    assert!(RIGHT.contains(from));
    let result = RIGHT.replace(from, to);
    let problem = format!("CHOOSE_PARITY_RESPONSE: {problem}");
    check(&format!(r#"{{"jsonrpc":"2.0","result":{result},"id":1}}"#), code, &problem);
}

#[test]
fn what_is_no_answer_at_all_is_said() {
    let code = ErrorCode::InvalidMessage;
    check("", code, "the answer is empty");
    check("even", code, "not JSON: expected value at line 1 column 1");
    check(r#"{"result":"#, code, "not JSON: EOF while parsing a value at line 1 column 10");
    check(&"[".repeat(60), code, "the answer is nested more than 32 levels deep");
    let bare = "the answer has neither result nor error: a message must stand in result";
    check(RIGHT, code, bare);
    check("[1]", code, bare);
}

#[test]
fn the_status_of_http_is_said() {
    let code = ErrorCode::InvalidMessage;
    check_http(500, "Oops", code, "HTTP 500");
    check_http(503, RIGHT, code, "HTTP 503");
    check_http(307, "", code, "HTTP 307: redirects are not followed");
    check_http(404, "", code, "HTTP 404: the answer is empty");
}

#[test]
fn an_error_of_json_rpc_is_said_without_its_text() {
    let error = r#"{"error":{"code":-32601,"message":"the key is hunter2"}}"#;
    let problem = "the answer is an error of JSON-RPC, code -32601";
    check(error, ErrorCode::InvalidMessage, problem);
}

#[test]
fn a_field_that_is_missing_is_named_and_what_resembles_it() {
    use ErrorCode::MissingField;
    let choice = r#""parity_choice""#;
    let flaw = "field parity_choice is missing (there is a field choice)";
    check_result(choice, r#""choice""#, MissingField, flaw);
    let flaw = "field parity_choice is missing (there is a field parityChoice)";
    check_result(choice, r#""parityChoice""#, MissingField, flaw);
    check_result(choice, r#""move""#, MissingField, "field parity_choice is missing");
    let flaw = "field conversation_id is missing";
    check_result(r#""conversation_id":"conv-r1m1-001","#, "", MissingField, flaw);
    check_result(r#""sender":"player:P02","#, "", MissingField, "field sender is missing");
    let kind = r#""message_type":"CHOOSE_PARITY_RESPONSE","#;
    check_result(kind, "", MissingField, "field message_type is missing");
}

#[test]
fn a_value_that_does_not_fit_is_named_and_not_repeated() {
    use ErrorCode::{InvalidMessage, InvalidTimestamp, ProtocolMismatch};
    let flaw = "the value of field parity_choice does not fit";
    check_result(r#":"even""#, ":[7]", InvalidMessage, flaw);
    let flaw = "field timestamp must be a time in UTC such as 2026-01-15T10:30:00Z";
    check_result("05:00Z", "05:00+02:00", InvalidTimestamp, flaw);
    let flaw = "field protocol must be league.v2";
    check_result("league.v2", "league.v1", ProtocolMismatch, flaw);
    let kind = r#""message_type":"CHOOSE_PARITY_RESPONSE""#;
    let flaw = "field message_type must be a text";
    check_result(kind, r#""message_type":7"#, InvalidMessage, flaw);
}

#[test]
fn another_message_is_named() {
    let code = ErrorCode::InvalidMessage;
    let problem = "the answer is a GAME_JOIN_ACK; a CHOOSE_PARITY_RESPONSE is expected";
    check(r#"{"result":{"message_type":"GAME_JOIN_ACK"}}"#, code, problem);
    let problem = "there is no such message_type; CHOOSE_PARITY_RESPONSE is expected";
    check(r#"{"result":{"message_type":"PARITY"}}"#, code, problem);
    let problem = "the result is no object: a CHOOSE_PARITY_RESPONSE must stand there";
    check(r#"{"result":"even"}"#, code, problem);
}
