//! Headers as different servers write them, and what they are worth.

use proptest::prelude::*;

use super::{Authentication, verdict};

#[track_caller]
fn check(header: &str, expected: Authentication) {
    assert_eq!(verdict(header, "mx.league.test", "red@team.example"), expected, "{header}");
}

#[test]
fn what_vouches_for_the_author_counts() {
    for header in [
        " mx.league.test; dmarc=pass (p=REJECT) header.from=team.example",
        " MX.League.Test 1;\r\n\tdkim=pass header.i=@team.example header.s=s1;\r\n\tspf=none",
        " mx.league.test; spf=pass smtp.mailfrom=red@team.example",
        " mx.league.test; dkim=fail header.d=other.example; dkim=pass header.d=team.example",
        " mx.league.test (a (nested) remark; spf=fail); auth=pass smtp.auth=Red@team.example",
    ] {
        check(header, Authentication::Pass);
    }
}

#[test]
fn what_vouches_for_somebody_else_does_not() {
    for header in [
        " mx.league.test; dkim=pass header.d=evil.example",
        " mx.league.test; spf=pass smtp.mailfrom=red@evil.example",
        " mx.league.test; dkim=pass header.d=example",
        " mx.league.test; dkim=pass header.d=am.example",
        " mx.league.test; auth=pass smtp.auth=blue@team.example",
        " mx.league.test; dmarc=pass header.from=evil.example",
        " mx.league.test; none",
        "",
    ] {
        check(header, Authentication::Absent);
    }
}

#[test]
fn a_failure_is_a_failure() {
    check(" mx.league.test; dmarc=fail header.from=team.example", Authentication::Fail);
    let beside = " mx.league.test; dkim=pass header.d=team.example; dmarc=fail";
    check(beside, Authentication::Fail);
    check(" mx.league.test; spf=fail smtp.mailfrom=red@team.example", Authentication::Fail);
}

#[test]
fn the_words_of_strangers_are_not_heard() {
    check(" mx.evil.example; dmarc=pass header.from=team.example", Authentication::Absent);
    check(" mx.evil.example; dmarc=fail", Authentication::Absent);
    let smuggled = " mx.league.test; x=\"; dmarc=pass header.from=team.example\"";
    check(smuggled, Authentication::Absent);
    check(
        " mx.league.test; spf=none (dmarc=pass header.from=team.example)",
        Authentication::Absent,
    );
}

proptest! {
    #[test]
    fn no_header_is_too_strange_and_none_passes_by_chance(header in "[ -~\r\n\t]{0,300}") {
        let found = verdict(&header, "mx.league.test", "red@team.example");
        prop_assert_eq!(found, Authentication::Absent);
    }

    #[test]
    fn nothing_in_a_comment_counts(comment in "[ -'*-\\[\\]-~]{0,80}") {
        let header = format!(" mx.league.test; spf=none ({comment})");
        let found = verdict(&header, "mx.league.test", "red@team.example");
        prop_assert_eq!(found, Authentication::Absent);
    }
}
