//! No secret stays, in whatever text it stands; everything else does, and JSON stays JSON.

use proptest::prelude::*;

use super::*;

const HEX: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn redacted(said: &str) -> String {
    let mut out = b"> ".to_vec();
    redact(said.as_bytes(), &mut out);
    String::from_utf8(out).unwrap().strip_prefix("> ").unwrap().to_owned()
}

#[track_caller]
fn check(said: &str, expected: &str) {
    let shown = redacted(said);
    assert_eq!(shown, expected, "{said}");
    if serde_json::from_str::<serde::de::IgnoredAny>(said).is_ok() {
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&shown).is_ok(), "{shown}");
    }
    assert_eq!(redacted(&shown), shown, "twice is as good as once");
}

#[test]
fn tokens_go_wherever_they_stand() {
    check(
        &format!(r#"{{"auth_token":"tok-p01-{HEX}","a":1}}"#),
        r#"{"auth_token":"tok-p01-…","a":1}"#,
    );
    check(&format!(r#"{{"auth_token" : "tok-{HEX}"}}"#), r#"{"auth_token" : "tok-…"}"#);
    check(&format!("seen tok-ref02-{HEX}, and so on"), "seen tok-ref02-…, and so on");
    check(
        &format!(r#"{{"said":"{{\"auth_token\":\"tok-{HEX}\"}}"}}"#),
        r#"{"said":"{\"auth_token\":\"tok-…\"}"}"#,
    );
    check(r#"{"auth_token":"tok-my-own"}"#, r#"{"auth_token":"tok-…"}"#);
    check(r#"{"auth_token":"foreign, \"odd\" one","b":2}"#, r#"{"auth_token":"…","b":2}"#);
}

#[test]
fn codes_go_from_fields_and_addresses() {
    check("http://h:8000/join/abcdefghjkmn/mcp", "http://h:8000/join/…/mcp");
    check(r#"{"invitation_code":"abcdefghjkmn"}"#, r#"{"invitation_code":"…"}"#);
    check(
        r#"{"code":"abcdefgh23","address":"x/join/abcdefgh23/mcp"}"#,
        r#"{"code":"…","address":"x/join/…/mcp"}"#,
    );
    check(
        r#"{"error":{"code":-32000,"message":"no"}}"#,
        r#"{"error":{"code":-32000,"message":"no"}}"#,
    );
    check(r#"{"code":"INVALID_MOVE"}"#, r#"{"code":"INVALID_MOVE"}"#);
}

#[test]
fn what_programs_print_of_themselves_is_understood() {
    check("{'api_key': 'sk-12', 'a': 'b'}", "{'api_key': '…', 'a': 'b'}");
    check("Settings(api_key='sk-12', b='c')", "Settings(api_key='…', b='c')");
    check("x-api-key: sk-12, a", "x-api-key: …, a");
    check(r#"{"x-api-key":"sk-12"}"#, r#"{"x-api-key":"…"}"#);
    check(r#"Secret(password=b'it\'s "me"', c=1)"#, "Secret(password=b'…', c=1)");
    check(
        r#"{"a":"KeyError: {'token': 'me'}","b":2}"#,
        r#"{"a":"KeyError: {'token': '…'}","b":2}"#,
    );
    check(r#"{"a":"said token: 'me and no more","b":2}"#, r#"{"a":"said token: '…","b":2}"#);
    check("it's a token of his: 'no'", "it's a token of his: 'no'");
}

#[test]
fn what_is_named_like_a_secret_goes() {
    check("OPENAI_API_KEY=sk-12ab34 HOME=/root", "OPENAI_API_KEY=… HOME=/root");
    check("Authorization: Bearer abc.def", "Authorization: Bearer …");
    check(r#"{"password":"p","secretAnswer":"s"}"#, r#"{"password":"…","secretAnswer":"…"}"#);
    check(r#"{"total_tokens":512,"token":null}"#, r#"{"total_tokens":512,"token":null}"#);
    check(
        r#"{"text":"{\"password\":\"a b\",\"x\":1}"}"#,
        r#"{"text":"{\"password\":\"…\",\"x\":1}"}"#,
    );
    check(r#"{"password":""}"#, r#"{"password":""}"#);
}

#[test]
fn everything_else_stays() {
    for said in [
        r#"{"conversation_id":"7f3c2a10-9e55-4f0e-8a67-1d2b3c4d5e6f","at":"2026-01-15T10:05Z"}"#,
        r#"{"game":"0101001","sum":"0123456789abcdef0123456789abcdef"}"#,
        "",
        "token",
        "a=b:c",
        "token=",
        r#"{"token":"#,
    ] {
        check(said, said);
    }
}

proptest! {
    #[test]
    fn nothing_stays_of_what_is_quoted_behind_such_a_name(
        before in "[a-z {(,]{0,8}",
        name in "(x[-_])?(api[-_]?key|API_KEY|auth_token|client-secret|password)",
        (open, close) in prop::sample::select(vec![("\"", "\""), ("'", "'"), ("", "")]),
        (between, quote) in (" ?[:=] ?", prop::sample::select(vec!['"', '\''])),
        value in "[A-Za-z0-9@#$%&*+=/. -]{3,40}",
        after in "[a-z ,)}]{0,8}",
    ) {
        let (value, pad) = (format!("Q7{value}7Q"), " ");
        let said = format!("{before}{pad}{open}{name}{close}{between}{quote}{value}{quote}{after}");
        let shown = redacted(&said);
        prop_assert!(!shown.contains("Q7") && !shown.contains("7Q"), "{said} | {shown}");
        let quoted = crate::ShortText::received(said.as_bytes());
        prop_assert!(!quoted.as_str().contains("7Q"), "{said} | {quoted}");
    }
}
