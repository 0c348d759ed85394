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
    check("", code, "the answer is empty: an answer of JSON-RPC is expected");
    let page = "a page of HTML: an answer of JSON-RPC is expected";
    check(" <h1>It works!</h1>", code, page);
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
    let failed = "HTTP 500: the server failed while it answered: its own log says why";
    check_http(500, "Oops", code, failed);
    check_http(503, RIGHT, code, "HTTP 503: a proxy, and nobody behind it: start the agent again");
    let leads = "HTTP 307: redirects are not followed: register the address that it leads to";
    check_http(307, "", code, leads);
    let nothing = "HTTP 404: nothing is served at the path that was registered";
    check_http(404, "", code, nothing);
    check_http(404, r#"{"detail":"Not Found"}"#, code, nothing);
    check_http(405, "", code, "HTTP 405: POST is not taken at the path that was registered");
    check_http(400, "", code, "HTTP 400: the answer is empty: an answer of JSON-RPC is expected");
}

#[test]
fn an_error_of_json_rpc_is_said_without_its_text() {
    let error = r#"{"error":{"code":-32601,"message":"the key is hunter2"}}"#;
    let problem = "the answer is an error of JSON-RPC, code -32601: it does not know the method";
    check(error, ErrorCode::InvalidMessage, problem);
    check_http(404, error, ErrorCode::InvalidMessage, &format!("HTTP 404: {problem}"));
    let other = r#"{"error":{"code":-32000,"message":"no"}}"#;
    let problem = "the answer is an error of JSON-RPC, code -32000";
    check(other, ErrorCode::InvalidMessage, problem);
}

#[test]
fn a_field_that_is_missing_is_named_and_what_resembles_it() {
    use ErrorCode::MissingField;
    let choice = r#""parity_choice""#;
    let flaw = "field parity_choice is missing (there is a field choice: rename it)";
    check_result(choice, r#""choice""#, MissingField, flaw);
    let flaw = "field parity_choice is missing (there is a field parityChoice: rename it)";
    check_result(choice, r#""parityChoice""#, MissingField, flaw);
    let flaw = "field parity_choice is missing (there is a field move: rename it)";
    check_result(choice, r#""move""#, MissingField, flaw);
    check_result(choice, r#""guess""#, MissingField, "field parity_choice is missing");
    let flaw = "field conversation_id is missing";
    check_result(r#""conversation_id":"conv-r1m1-001","#, "", MissingField, flaw);
    check_result(r#""sender":"player:P02","#, "", MissingField, "field sender is missing");
    let kind = r#""message_type":"CHOOSE_PARITY_RESPONSE","#;
    check_result(kind, "", MissingField, "field message_type is missing");
}

#[test]
fn a_value_that_does_not_fit_is_named_and_not_repeated() {
    use ErrorCode::{InvalidMessage, InvalidTimestamp, ProtocolMismatch};
    let schema = "see agon schema CHOOSE_PARITY_RESPONSE";
    let flaw = &*format!("the value of field parity_choice does not fit; {schema}");
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

#[test]
fn a_field_within_another_is_looked_for_where_it_belongs() {
    let moved = |data: &str| {
        let result = RIGHT
            .replace("CHOOSE_PARITY_RESPONSE", "GAME_MOVE_RESPONSE")
            .replace(r#""parity_choice":"even""#, r#""game_type":"rock_paper_scissors"$"#)
            .replace('$', data);
        let answer = format!(r#"{{"jsonrpc":"2.0","result":{result},"id":1}}"#);
        let wanted = MessageType::GameMoveResponse;
        object_to(answer.as_bytes(), 200, wanted, LIMITS).problem.as_str().to_owned()
    };
    let problem =
        |field: &str, hint: &str| format!("GAME_MOVE_RESPONSE: field {field} is missing{hint}");
    assert_eq!(moved(r#","choice":"rock""#), problem("move_data", ""));
    let renamed = " (there is a field move: rename it)";
    let data = r#","move_data":{"move_type":"choose_hand","move":"rock"}"#;
    assert_eq!(moved(data), problem("move_data.choice", renamed));
    let data = r#","moveData":{"move_type":"choose_hand","choice":"rock"}"#;
    assert_eq!(moved(data), problem("move_data", " (there is a field moveData: rename it)"));
}
