//! What an acknowledgement says of a table.

use serde_json::json;

use super::post::{Post, letter, vouched};

#[test]
fn q09_whoever_does_not_see_its_games_in_the_table_is_warned_of() {
    let mut post = Post::open();
    post.enrol();
    let mut acknowledge = |name: &str, kind: &str, role: &str, received: u32| {
        let from = format!("{name}@league.test");
        let payload = json!({ "status": "ACKNOWLEDGED", "assignments_received": received });
        post.deliver(&from, &letter(kind, &from, role, payload), Some(&vouched()));
        loop {
            let line = post.manager.log().expect("the manager lives");
            if line["address"] == from.as_str() && !line["received"].is_null() {
                return (line["level"].as_str().unwrap().to_owned(), line);
            }
        }
    };
    // Of three games each team referees one, and plays two.
    let (level, line) = acknowledge("r1", "RESPONSE_GROUP_ASSIGNMENT", "REFEREE", 0);
    assert_eq!((&*level, &line["received"], &line["games"]), ("WARN", &json!(0), &json!(1)));
    let (level, line) = acknowledge("p1", "GROUP_ASSIGNMENT_RESPONSE", "PLAYER", 1);
    assert_eq!((&*level, &line["received"], &line["games"]), ("WARN", &json!(1), &json!(2)));
    for (name, kind, role, all) in [
        ("r2", "RESPONSE_GROUP_ASSIGNMENT", "REFEREE", 1),
        ("p2", "GROUP_ASSIGNMENT_RESPONSE", "PLAYER", 2),
    ] {
        let (level, line) = acknowledge(name, kind, role, all);
        assert_eq!((&*level, &line["message"]), ("INFO", &json!("table acknowledged")));
    }
}
