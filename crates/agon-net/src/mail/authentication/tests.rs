//! Headers as different servers write them, and what they are worth.

use proptest::prelude::*;

use super::{Authentication, Doubt, authenticate};

const AUTHOR: &str = "red@team.example";

fn found(header: &str) -> Authentication {
    authenticate(Some(header), "mx.league.test", AUTHOR)
}

#[track_caller]
fn check_pass(header: &str) {
    assert_eq!(found(header), Authentication::Pass, "{header}");
}

/// The words for which a header is not believed.
#[track_caller]
fn doubt(header: &str) -> String {
    match found(header) {
        Authentication::Doubted(doubt) => doubt.to_string(),
        other @ (Authentication::Pass | Authentication::Unchecked) => panic!("{header}: {other:?}"),
    }
}

#[test]
fn what_vouches_for_the_author_counts() {
    for header in [
        " mx.league.test; dmarc=pass (p=REJECT) header.from=team.example",
        " MX.League.Test 1;\r\n\tdkim=pass header.i=@team.example header.s=s1;\r\n\tspf=none",
        " mx.league.test; spf=pass smtp.mailfrom=red@team.example",
        " mx.league.test; spf=pass smtp.mailfrom=Team.Example.",
        " mx.league.test; dkim=fail header.d=other.example; dkim=pass header.d=team.example",
        " mx.league.test (a (nested) remark; spf=fail); auth=pass smtp.auth=Red@team.example",
    ] {
        check_pass(header);
    }
}

#[test]
fn a_domain_below_or_above_is_the_same_domain_at_a_label() {
    check_pass(" mx.league.test; dkim=pass header.d=mail.team.example");
    check_pass(" mx.league.test; spf=pass smtp.mailfrom=bounce@a.b.team.example");
    let below = |header: &str| authenticate(Some(header), "mx.league.test", "red@one.team.example");
    assert_eq!(below(" mx.league.test; dkim=pass header.d=team.example"), Authentication::Pass);
    for other in ["example", "am.example", "xteam.example", ".team.example", "other.example", ""] {
        let found = below(&format!(" mx.league.test; dkim=pass header.d={other}"));
        assert!(matches!(found, Authentication::Doubted(_)), "{other}: {found:?}");
    }
    // DMARC has compared it itself, with the domain that stands in `From:`.
    doubt(" mx.league.test; dmarc=pass header.from=mail.team.example");
}

#[test]
fn what_vouches_for_somebody_else_does_not() {
    for header in [
        " mx.league.test; spf=pass smtp.mailfrom=evil.test; dkim=pass header.d=evil.test",
        " mx.league.test; dkim=pass header.d=evil.example",
        " mx.league.test; dkim=pass header.d=evil.example header.i=@team.example",
        " mx.league.test; dkim=pass header.d=team.example header.d=evil.example",
        " mx.league.test; spf=pass smtp.mailfrom=red@evil.example",
        " mx.league.test; spf=pass smtp.mailfrom=red@team.example@evil.example",
        " mx.league.test; spf=pass",
        " mx.league.test; dkim=pass header.d=example",
        " mx.league.test; dkim=pass header.d=am.example",
        " mx.league.test; auth=pass smtp.auth=blue@team.example",
        " mx.league.test; dmarc=pass header.from=evil.example",
        " mx.league.test; said dmarc=pass header.from=team.example",
        " mx.league.test; none",
    ] {
        let found = found(header);
        let aligned = matches!(&found, Authentication::Doubted(Doubt::NotAligned { .. }));
        assert!(aligned, "{header}: {found:?}");
    }
}

#[test]
fn a_failure_is_a_failure() {
    for header in [
        " mx.league.test; dmarc=fail header.from=team.example",
        " mx.league.test; dkim=pass header.d=team.example; dmarc=fail",
        " mx.league.test; spf=fail smtp.mailfrom=red@team.example",
    ] {
        let found = found(header);
        assert!(matches!(&found, Authentication::Doubted(Doubt::Failed(_))), "{found:?}");
    }
}

#[test]
fn a_doubt_says_which_check_failed_and_what_was_found() {
    assert_eq!(
        doubt(" mx.league.test; spf=softfail\r\n smtp.mailfrom=team.example; dkim=none"),
        "our mail server says `spf=softfail smtp.mailfrom=team.example; dkim=none`, and that is no \
         pass for team.example"
    );
    let failed =
        " mx.league.test; spf=pass smtp.mailfrom=evil.test; dkim=fail header.d=team.example";
    assert_eq!(doubt(failed), "our mail server says `dkim=fail header.d=team.example`");
    let other = "its Authentication-Results are of `mx.evil.example`, not of our mail server";
    assert_eq!(doubt(" mx.evil.example; dmarc=pass header.from=team.example"), other);
    let long = doubt(&format!(" mx.league.test; x={}", "y".repeat(5_000)));
    assert!(long.len() < 400, "{long}");
    let nothing = authenticate(None, "mx.league.test", AUTHOR);
    assert_eq!(nothing, Authentication::Doubted(Doubt::NoResults));
}

#[test]
fn the_words_of_strangers_are_not_heard() {
    doubt(" mx.evil.example; dmarc=pass header.from=team.example");
    doubt(" mx.league.test.evil.example; dmarc=pass header.from=team.example");
    doubt(" mx.evil.example; dmarc=fail");
    doubt(" mx.league.test; x=\"; dmarc=pass header.from=team.example\"");
    doubt(" mx.league.test; spf=none (dmarc=pass header.from=team.example)");
    doubt("");
}

proptest! {
    #[test]
    fn no_header_is_too_strange_and_none_passes_by_chance(header in "[ -~\r\n\t]{0,300}") {
        let Authentication::Doubted(doubt) = found(&header) else {
            return Err(TestCaseError::fail("it was believed"));
        };
        prop_assert!(!doubt.to_string().chars().any(char::is_control));
    }

    #[test]
    fn nothing_in_a_comment_counts(comment in "[ -'*-\\[\\]-~]{0,80}") {
        let header = format!(" mx.league.test; spf=none ({comment})");
        prop_assert!(matches!(found(&header), Authentication::Doubted(_)));
    }

    #[test]
    fn another_end_is_another_domain(domain in "[a-z]{1,8}(\\.[a-z]{1,8}){0,3}") {
        let header = format!(" mx.league.test; dkim=pass header.d={domain}");
        let ours = domain == "team.example" || domain.ends_with(".team.example");
        prop_assert_eq!(found(&header) == Authentication::Pass, ours);
    }
}
