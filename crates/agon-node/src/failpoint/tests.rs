//! A failpoint is read exactly, and is due at its own point and count only.

use super::*;

#[track_caller]
fn refuses(given: &str) {
    let error = Failpoint::parse(given).unwrap_err().to_string();
    assert!(error.contains(&format!("{given:?}")), "{error}");
    assert!(error.contains("POINT:COUNT") && error.contains("before-commit"), "{error}");
}

#[test]
fn every_point_can_be_named() {
    for point in Point::ALL {
        let armed = Failpoint::parse(&format!("{}:3", point.name()));
        assert_eq!(armed, Ok(Failpoint { armed: Some((point, 3)) }));
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for given in ["", "before-commit", "before-commit:0", "before-commit:-1", "lunch:1", ":1"] {
        refuses(given);
    }
}

#[test]
fn it_is_due_when_its_own_point_is_passed_for_the_last_time() {
    let mut failpoint = Failpoint::parse("before-send:2").unwrap();
    assert!(!failpoint.is_due(Point::BeforeSend));
    assert!(!failpoint.is_due(Point::BeforeReply));
    assert!(failpoint.is_due(Point::BeforeSend));
}

#[test]
fn a_node_without_one_passes_every_point() {
    let mut nothing = Failpoint::default();
    for point in Point::ALL {
        nothing.pass(point);
    }
}
