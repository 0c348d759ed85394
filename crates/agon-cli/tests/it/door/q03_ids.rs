//! A mail without any id is read like any other: it gets one that is made of what it is.

use serde_json::Value;

use super::post::{Post, application, vouched};

/// Without `message_id`, and in a mail without `Message-ID`.
fn deliver(post: &Post, from: &str, mut letter: Value) {
    letter.as_object_mut().unwrap().remove("message_id");
    post.put(from, &letter, &format!("Authentication-Results: {}\r\n", vouched()));
}

#[test]
fn q03_letters_without_any_id_are_read_and_told_apart() {
    let mut post = Post::open();
    for team in 1..=3 {
        for (role, letter) in [("PLAYER", 'p'), ("REFEREE", 'r')] {
            let from = format!("{letter}{team}@league.test");
            deliver(&post, &from, application(&from, role, team));
            let registered = format!("{} registered", role.to_lowercase());
            assert_eq!(post.manager.logs(&registered)["address"], from.as_str());
        }
    }
    // The second letter of that referee is another one than its first.
    post.manager.logs("round announced");
    let (referee, report) = post.report();
    deliver(&post, &referee, report.clone());
    assert_eq!(post.manager.logs("result accepted")["match_id"], "R1M1");
    assert_eq!(post.results(), 1);
    // And who is answered is told by that id which letter is meant.
    let answers = post.mailed("SEASON_REGISTRATION_RESPONSE");
    assert_eq!(answers.len(), 6, "{answers:?}");
    assert!(answers.iter().all(|it| it["correlation_id"].as_str().is_some()), "{answers:?}");
}
