//! Whose bucket an address draws from.

use super::network;

#[track_caller]
fn check(one: &str, other: &str, same: bool) {
    let of = |text: &str| network(text.parse().unwrap());
    assert_eq!(of(one) == of(other), same, "{one} {other}");
}

#[test]
fn an_address_of_the_old_kind_is_alone_and_one_of_the_new_kind_is_a_whole_network() {
    check("192.0.2.1", "192.0.2.2", false);
    check("192.0.2.1", "::ffff:192.0.2.1", true);
    check("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true);
    check("2001:db8:1:2::1", "2001:db8:1:3::1", false);
}
