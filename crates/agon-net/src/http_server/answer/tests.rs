//! On which paths messages arrive, and with which code.

mod hosts;

use super::*;

#[track_caller]
fn check(path: &str, expected: Option<Option<&str>>) {
    let code = code_of(path);
    let code = code.as_ref().map(|code| code.as_ref().map(PathCode::reveal));
    assert_eq!(code, expected, "{path}");
}

#[test]
fn messages_arrive_on_one_path_with_or_without_a_code() {
    check("/mcp", Some(None));
    check("/join/let_me-in9/mcp", Some(Some("let_me-in9")));
    let longest = "x".repeat(64);
    check(&format!("/join/{longest}/mcp"), Some(Some(&longest)));
    for nothing in ["/", "/mcp/", "/join/mcp", "/join//mcp", "/join/a", "/join/a/b/mcp"] {
        check(nothing, None);
    }
    check(&format!("/join/{longest}x/mcp"), None);
    check("/join/a%2Fb/mcp", None);
    check("/join/../mcp", None);
}

#[test]
fn a_code_is_not_printed() {
    assert_eq!(format!("{:?}", code_of("/join/secret/mcp")), "Some(Some(…))");
}
