//! What is read off a message for those who watch: its conversation, its match, its refusal.

use super::*;

fn passed(way: Way, said: &str, answer: &str) -> Passed {
    Passed {
        at: Timestamp::default(),
        took: Duration::ZERO,
        way,
        peer: Peer::Endpoint(Endpoint::new("http://127.0.0.1:8101/mcp")),
        name: "GAME_INVITATION",
        match_id: None,
        said: said.to_owned().into(),
        answer: answer.to_owned().into(),
        status: Some(200),
        outcome: Outcome::Answered,
    }
}

#[test]
fn a_conversation_names_its_match() {
    let check = |said, conversation: Option<&str>, match_id: Option<&str>| {
        let passed = passed(Way::Called, said, "");
        assert_eq!(passed.conversation(), conversation, "{said}");
        assert_eq!(passed.of_match().map(|it| it.to_string()).as_deref(), match_id, "{said}");
    };
    check(r#"{"conversation_id":"conv-r1m2-001"}"#, Some("conv-r1m2-001"), Some("R1M2"));
    check(r#"{"conversation_id" : "mine"}"#, Some("mine"), None);
    check(r#"{"conversation_id":"a\"b"}"#, None, None);
    check(r#"{"conversation_id":7}"#, None, None);
    check(r#"{"conversation_id":"open"#, None, None);
    check("", None, None);
}

#[test]
fn a_refusal_is_found_in_the_answer_to_our_call_only() {
    let limits = Limits { depth_max: 32 };
    let fault = r#"{"id":1,"error":{"code":1,"message":"no","data":{"error_code":"E012"}}}"#;
    let bare = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
    let taken = r#"{"jsonrpc":"2.0","id":1,"result":{"status":"acknowledged"}}"#;
    let check = |way, answer, expected| {
        assert_eq!(passed(way, "", answer).refusal(limits), expected, "{answer}");
    };
    check(Way::Called, fault, Some("E012"));
    check(Way::Called, bare, Some("JSON_RPC"));
    check(Way::Called, taken, None);
    check(Way::Called, "", None);
    check(Way::WasCalled, fault, None);
    let golden = include_str!("../../../agon-proto/golden/league.v2/LEAGUE_ERROR.json");
    check(Way::Called, golden, Some("E012"));
}
