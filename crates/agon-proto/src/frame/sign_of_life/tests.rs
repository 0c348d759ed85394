//! What agents in the wild say to what they do not know, and what others do.

use super::*;

#[track_caller]
fn check(status: u16, body: &str, problem: Option<&str>) {
    let found = sign_of_life(body.as_bytes(), status, Limits { depth_max: 32 });
    let problem = problem.map(|it| format!("it answers, but is no agent there: HTTP {status}{it}"));
    assert_eq!(found.err(), problem, "{status} {body}");
}

#[test]
fn whatever_an_agent_says_is_a_sign_of_life() {
    let unknown = r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown"},"id":1}"#;
    for status in [200, 400, 404, 405, 500] {
        check(status, unknown, None);
    }
    check(200, r#"{"result":{"error":"Unknown method"},"id":1,"error":null}"#, None);
    check(200, r#"{"status":"error","message":"Unknown message type"}"#, None);
    check(422, r#"{"detail":[{"msg":"Field required"}]}"#, None);
    check(500, "Internal Server Error", None);
    check(400, "bad request", None);
}

#[test]
fn what_is_no_agent_says_what_it_is() {
    let nothing = Some(": nothing is served at this path");
    check(404, r#"{"detail":"Not Found"}"#, nothing);
    check(404, "<h1>Not Found</h1>", nothing);
    check(405, r#"{"detail":"Method Not Allowed"}"#, Some(": POST is not taken at this path"));
    check(502, "<html>", Some(": a proxy, and nobody behind it"));
    check(200, " <!doctype html>", Some(" with a page of HTML"));
    check(400, "<html>plain HTTP to an HTTPS port</html>", Some(" with a page of HTML"));
    check(200, "", Some(" and nothing else"));
    check(200, "OK", Some(" with something that is no JSON object"));
    check(200, "[]", Some(" with something that is no JSON object"));
    let elsewhere = ", redirects are not followed: register the address that it leads to";
    check(307, "", Some(elsewhere));
}
