//! A mail whose sender is not vouched for is not read.

use serde_json::json;

use super::post::{Post, VOUCHER, application, vouched};

#[test]
fn t04_a_pass_for_another_domain_decides_nothing() {
    let mut post = Post::open();
    post.enrol();
    let (referee, report) = post.report();
    let spoof =
        format!("{VOUCHER}; spf=pass smtp.mailfrom=evil.test; dkim=pass header.d=evil.test");
    post.deliver(&referee, &report, Some(&spoof));
    let why = post.quarantined();
    assert!(["spf=pass", "evil.test", "league.test"].iter().all(|it| why.contains(it)), "{why}");
    assert_eq!(post.results(), 0);
    post.deliver(&referee, &report, Some(&vouched()));
    let line = post.manager.logs("result accepted");
    assert_eq!((&line["match_id"], &line["status"]), (&json!("R1M1"), &json!("WIN")), "{line}");
    assert_eq!(post.results(), 1);
}

#[test]
fn t04_whatever_is_no_aligned_pass_goes_to_quarantine_with_the_check_that_failed() {
    let mut post = Post::open();
    let from = "r1@league.test";
    let cases = [
        (None, "no Authentication-Results"),
        (Some(format!("{VOUCHER}; none")), "none"),
        (Some("mx.evil.test; dmarc=pass header.from=league.test".into()), "mx.evil.test"),
        (Some(format!("{VOUCHER}; spf=softfail smtp.mailfrom=league.test")), "spf=softfail"),
        (Some(format!("{VOUCHER}; dkim=fail header.d=league.test")), "dkim=fail"),
        (Some(format!("{VOUCHER}; dmarc=fail header.from=league.test")), "dmarc=fail"),
        (Some(format!("{VOUCHER}; dkim=pass header.d=notleague.test")), "notleague.test"),
        (Some(format!("{VOUCHER}; dkim=pass header.d=test")), "header.d=test"),
        // Ours stands on top of whatever the mail brought along.
        (Some(format!("{VOUCHER}; none\r\nAuthentication-Results: {}", vouched())), "none"),
    ];
    for (results, expected) in cases {
        post.deliver(from, &application(from, "REFEREE", 1), results.as_deref());
        let why = post.quarantined();
        assert!(why.contains(expected), "{results:?}: {why}");
    }
    let below = format!("{VOUCHER}; dkim=pass header.d=mail.league.test");
    post.deliver(from, &application(from, "REFEREE", 1), Some(&below));
    let registered = post.manager.logs("referee registered");
    assert_eq!(registered["address"], from, "only the last one was read");
}
