//! What a mail server says about the author of a mail, in a header that anybody may have written.
//!
//! Spec: docs/q21.md

use agon_net::mail::{Authentication, authenticate};

const SERVER: &str = "mx.league.test";
const AUTHOR: &str = "red@team.example";

/// Nobody is believed without the server's name, a pass and the author's own domain in the header;
/// and what is said of a header that is not believed is short and harmless.
pub fn check(bytes: &[u8]) {
    let header = String::from_utf8_lossy(bytes);
    let plain = header.to_ascii_lowercase();
    match authenticate(Some(&header), SERVER, AUTHOR) {
        Authentication::Pass => {
            for word in [SERVER, "=pass", "team.example"] {
                assert!(plain.contains(word), "{header:?} was believed without {word}");
            }
        }
        Authentication::Doubted(doubt) => {
            let text = doubt.to_string();
            assert!(!text.chars().any(char::is_control), "{text:?}");
            assert!(text.chars().count() < 500, "{text:?}");
        }
        Authentication::Unchecked => panic!("{header:?} was not looked at"),
    }
}
