//! Tests of reading and writing an envelope, and of the diagnosis.

use serde_json::Value;

use super::read_envelope;
use crate::act::Act;
use crate::frame::Reject;
use crate::{AuthToken, Envelope};

const HEAD: &str = concat!(
    r#""protocol":"league.v2","sender":"league_manager","#,
    r#""timestamp":"2025-01-15T10:00:01Z","conversation_id":"conv-1""#
);

fn token(message: &Act) -> Option<&AuthToken> {
    let Act::Decide(said) = message else {
        panic!("{message:?}");
    };
    said.token.as_ref()
}

#[test]
fn in_a_registration_response_the_token_is_the_bodys() {
    let kind = r#""message_type":"LEAGUE_REGISTER_RESPONSE""#;
    for json in [
        format!(r#"{{{HEAD},{kind},"status":"ACCEPTED","auth_token":"t"}}"#),
        format!(r#"{{{HEAD},"auth_token":"t",{kind},"status":"ACCEPTED"}}"#),
        format!(r#"{{"status":"ACCEPTED","auth_token":"t",{HEAD},{kind}}}"#),
    ] {
        let envelope = read_envelope(&json).unwrap();
        assert_eq!(envelope.auth_token, None);
        assert_eq!(token(&envelope.act), Some(&AuthToken::from("t")));
        let written = serde_json::to_string(&envelope).unwrap();
        assert_eq!(written.matches("auth_token").count(), 1, "{written}");
    }
}

#[test]
fn a_stray_token_of_the_envelope_does_not_double_the_field() {
    let kind = r#""message_type":"LEAGUE_REGISTER_RESPONSE""#;
    let json = format!(r#"{{{HEAD},{kind},"status":"ACCEPTED","auth_token":"t"}}"#);
    let mut envelope: Envelope = read_envelope(&json).unwrap();
    envelope.auth_token = Some(AuthToken::from("stray"));
    let written = serde_json::to_string(&envelope).unwrap();
    assert!(!written.contains("stray"), "{written}");
}

/// A query with one more member at its end.
fn query(more: &str) -> String {
    let body = r#""league_id":"l","query_type":"GET_STANDINGS""#;
    format!(r#"{{{HEAD},"message_type":"LEAGUE_QUERY",{body}{more}}}"#)
}

#[test]
fn no_token_is_absent_null_or_empty() {
    for more in ["", r#","auth_token":null"#, r#","auth_token":"""#] {
        assert_eq!(read_envelope(&query(more)).unwrap().auth_token, None);
    }
}

#[track_caller]
fn check_misfit(json: &str, field: &str) {
    let flawed = read_envelope(json).unwrap_err();
    assert_eq!(flawed.reject, Reject::BadMessage { field: field.into() }, "{json}");
}

#[test]
fn a_value_that_does_not_fit_is_named_with_its_path() {
    check_misfit(&query(r#","query_params":{"player_id":"x"}"#), "query_params.player_id");
    check_misfit(&query(r#","query_params":{"round_id":-1}"#), "query_params.round_id");
    check_misfit(&query(r#","query_params":7"#), "query_params");
    check_misfit(&query(",\n \"query_params\" :\n {\"round_id\" : true}"), "query_params.round_id");
    check_misfit(&query("").replace("league_manager", "nobody"), "sender");
    check_misfit(&query("").replace("\"league.v2\"", "2"), "protocol");
    check_misfit(&query("").replace("\"LEAGUE_QUERY\"", "{}"), "message_type");
    check_misfit("[]", "params");
    check_misfit("7", "params");
}

#[test]
fn a_field_that_stands_there_twice_is_refused() {
    check_misfit(&query(r#","sender":"player:P01""#), "sender");
    check_misfit(&query(r#","league_id":"m""#), "league_id");
    check_misfit(&query(r#","message_type":"LEAGUE_QUERY""#), "message_type");
}

#[test]
fn a_token_that_stands_there_twice_is_refused_wherever_it_stands() {
    let kind = r#""message_type":"LEAGUE_REGISTER_RESPONSE","status":"ACCEPTED""#;
    let token = r#""auth_token":"t""#;
    for other in [r#""auth_token":"u""#, r#""auth_token":"t""#, r#""auth_token":null"#] {
        for (first, second) in [(token, other), (other, token)] {
            check_misfit(&format!("{{{HEAD},{kind},{first},{second}}}"), "auth_token");
            check_misfit(&format!("{{{HEAD},{first},{second},{kind}}}"), "auth_token");
            check_misfit(&format!("{{{HEAD},{first},{kind},{second}}}"), "auth_token");
            check_misfit(&query(&format!(",{first},{second}")), "auth_token");
        }
    }
}

#[test]
fn a_bad_time_is_named() {
    for bad in ["2025-01-15T10:00:01", "2025-01-15T10:00:01+02:00", "now"] {
        let json = query("").replace("2025-01-15T10:00:01Z", bad);
        let field = "timestamp".into();
        assert_eq!(read_envelope(&json).unwrap_err().reject, Reject::InvalidTime { field });
    }
}

#[test]
fn what_is_known_of_a_flawed_message_is_kept() {
    let json = query("").replace("LEAGUE_QUERY", "LEAGUE_QUIZ");
    let outline = read_envelope(&json).unwrap_err();
    assert_eq!(outline.message_type.as_deref(), Some("LEAGUE_QUIZ"));
    assert_eq!(outline.conversation_id.unwrap().to_string(), "conv-1");
}

#[test]
fn the_text_of_a_reject_never_shows_a_value() {
    let json = query(r#","query_params":{"player_id":"tok-p01-secret"}"#);
    let flawed = read_envelope(&json).unwrap_err();
    assert!(!format!("{:?} {}", flawed, flawed.reject).contains("secret"));
}

#[test]
fn foreign_values_stay_harmless() {
    let json = query("").replace("league.v2", "evil\\u001b[31m");
    let reject = read_envelope(&json).unwrap_err().reject;
    assert_eq!(reject, Reject::WrongProtocol { got: "evil[31m".into() });
}

#[test]
fn escaped_keys_are_read_too() {
    let json = query("").replace("\"league_id\"", "\"league\\u005fid\"");
    let envelope: Value = serde_json::to_value(read_envelope(&json).unwrap()).unwrap();
    assert_eq!(envelope["league_id"], "l");
}

#[cfg(feature = "schema")]
mod required;

#[test]
fn what_agents_may_say_at_registration_is_left_out_when_it_is_not_said() {
    let kind = r#""message_type":"REFEREE_REGISTER_REQUEST""#;
    let meta = concat!(
        r#""display_name":"r","version":"1","game_types":["even_odd"],"#,
        r#""contact_endpoint":"http://h/mcp","max_concurrent_matches":2"#
    );
    let more = r#","keeps_token":true,"invitation_code":"let-me-in""#;
    for (more, said) in [("", 0), (more, 2)] {
        let json = format!(r#"{{{HEAD},{kind},"referee_meta":{{{meta}{more}}}}}"#);
        let written = serde_json::to_string(&read_envelope(&json).unwrap()).unwrap();
        let count =
            ["keeps_token", "invitation_code"].iter().filter(|name| written.contains(**name));
        assert_eq!(count.count(), said, "{written}");
    }
}
