//! How fast one may ask: too fast is E010 and changes nothing, and others do not notice.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http;
use crate::process::Process;

fn manager(dir: &std::path::Path, settings: &[(&str, &str)]) -> (Process, String) {
    let args = ["manager", "--json", "--listen", "127.0.0.1:0", "--data", "league"];
    let args = [&args[..], &["--log-format", "json"]].concat();
    let mut manager = Process::agon_with(dir, &args, settings);
    let endpoint = manager.endpoint();
    (manager, endpoint)
}

fn ask(at: &str, token: &str) -> http::Answer {
    let params = json!({ "auth_token": format!("tok-{}", token.repeat(64)) });
    let ping = json!({ "jsonrpc": "2.0", "method": "ping", "params": params, "id": 7 });
    http::post(at, &ping.to_string())
}

/// What `/metrics` counts under this name, labels included.
pub(crate) fn metered(at: &str, name: &str) -> f64 {
    let page = http::get(at, "/metrics").body;
    let line = page.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0.0, |count| count.trim().parse().unwrap())
}

#[test]
fn whoever_asks_too_fast_with_one_token_hears_e010() {
    let dir = tempfile::tempdir().unwrap();
    // One a second: twenty requests take less than nineteen.
    let (mut manager, at) = manager(dir.path(), &[("AGON_SERVER__REQUESTS_PER_S", "1")]);
    let answers: Vec<_> = (0..20).map(|_| ask(&at, "a")).collect();
    assert_eq!(answers[0].json()["result"]["status"], "ok");
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!(!refused.is_empty());
    for answer in &refused {
        let error = answer.json();
        assert_eq!(error["id"], 7, "{error}");
        assert_eq!(error["error"]["data"]["error_code"], "E010", "{error}");
        assert!(error["error"]["message"].as_str().unwrap().contains("ask again in"), "{error}");
    }
    // Another token is another caller.
    assert_eq!(ask(&at, "b").status, 200);
    let counted = metered(&at, "agon_refusals_total{role=\"manager\",code=\"E010\"}");
    assert_eq!(counted, refused.len() as f64);
    assert_eq!(manager.logs("request refused")["code"], "E010");
}

#[test]
fn bad_requests_are_answered_slowly_and_good_ones_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let settings = [
        ("AGON_SERVER__REFUSALS_PER_S", "1"),
        ("AGON_SERVER__REFUSALS_BURST", "1"),
        ("AGON_SERVER__REFUSAL_WAIT_S", "0.2"),
    ];
    let (_manager, at) = manager(dir.path(), &settings);
    assert_eq!(http::post(&at, "{").status, 400);
    let began = Instant::now();
    let second = http::post(&at, "{");
    assert!(began.elapsed() >= Duration::from_millis(200));
    assert_eq!(second.status, 429);
    assert_eq!(second.json()["error"]["data"]["error_code"], "E010");
    assert_eq!(second.json()["id"], Value::Null);
    assert_eq!(ask(&at, "a").status, 200);
    let name = "agon_http_refusals_total{role=\"manager\",reason=\"too_many\"}";
    assert_eq!(metered(&at, name), 1.0);
}
