//! Bad input, and the manager's answer to it, as the golden files show both.

use agon_proto::{decode_request, encode_answer};

use crate::files::{LIMITS, names, pair};

#[test]
fn bad_input_gets_the_answer_of_its_golden_file() {
    let now = "2025-01-15T10:05:30Z".parse().unwrap();
    let names = names("errors");
    assert_eq!(names.len(), 11);
    for name in names {
        let (request, answer) = pair("errors", &name);
        let bad = decode_request(request.as_bytes(), LIMITS).unwrap_err();
        let mut out = Vec::new();
        encode_answer(&bad.id.clone().unwrap(), &bad.league_answer(now), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), answer, "{name}");
    }
}
