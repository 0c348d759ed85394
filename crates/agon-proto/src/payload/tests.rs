//! What is kept as it came, and what is not kept.

use super::*;

#[test]
fn what_is_json_is_kept_byte_for_byte_however_long() {
    for text in ["\"even\"", "{\"drawn_number\":10,\"choices\":[\"even\",\"even\"]}", "[ 1,2 ]"] {
        let payload = Payload::new(text).unwrap();
        assert_eq!(payload.as_str(), text);
        assert_eq!(serde_json::to_string(&payload).unwrap(), text);
        assert_eq!(serde_json::from_str::<Payload>(text).unwrap(), payload);
    }
    let long = format!("\"{}\"", "x".repeat(Payload::LENGTH_MAX - 2));
    assert_eq!(Payload::new(&long).unwrap().as_str(), long);
    assert_eq!(size_of::<Payload>(), 48);
}

#[test]
fn what_is_no_json_too_long_or_too_deep_is_none() {
    let long = format!("\"{}\"", "x".repeat(Payload::LENGTH_MAX - 1));
    let deep = format!("{}{}", "[".repeat(17), "]".repeat(17));
    for text in ["", "even", "1 2", &long, &deep] {
        assert_eq!(Payload::new(text), None);
        assert!(serde_json::from_str::<Payload>(text).is_err());
    }
}
