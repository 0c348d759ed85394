//! Addresses and their spelling.

use super::*;

#[test]
fn mail_addresses_are_equal_in_any_case() {
    assert_eq!(Address::new(" Ada@League.Test "), Address::new("ada@league.test"));
    assert!(!Address::new("ada@league.test").is_endpoint());
}

#[test]
fn a_url_keeps_its_case() {
    let url = Address::new("http://127.0.0.1:8000/Mcp");
    assert_eq!(url.as_str(), "http://127.0.0.1:8000/Mcp");
    assert!(url.is_endpoint());
}
