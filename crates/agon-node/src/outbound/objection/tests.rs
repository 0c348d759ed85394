//! Each way in which a call can fail, and the sentence about it.

use agon_link::CallFault;

use super::*;

#[track_caller]
fn check(error: CallError, problem: &str) {
    let address = EndpointUrl::parse("http://127.0.0.1:8101/mcp?key=secret").unwrap();
    let objection = to_failure(&error, Some(&address)).unwrap();
    assert_eq!((objection.problem.as_str(), &objection.received), (problem, &None));
}

fn connect(kind: ErrorKind) -> CallError {
    CallError::Connect(Box::new(io::Error::from(kind)))
}

#[test]
fn the_address_and_the_reason_are_named() {
    check(connect(ErrorKind::ConnectionRefused), "connection refused by 127.0.0.1:8101");
    check(connect(ErrorKind::TimedOut), "no connection to 127.0.0.1:8101 in time");
    check(connect(ErrorKind::HostUnreachable), "there is no way to 127.0.0.1:8101");
    let other = CallError::Connect("it rained".into());
    check(other, "could not connect to 127.0.0.1:8101: it rained");
    let broken = CallError::Broken("reset".into());
    check(broken, "127.0.0.1:8101 hung up before the answer was whole");
    check(CallError::TooLarge { limit: 65_536 }, "the answer is larger than 65536 bytes");
}

#[test]
fn of_time_that_is_up_nothing_is_said_here() {
    assert_eq!(to_failure(&CallError::Timeout, None), None);
}

#[test]
fn a_call_that_was_not_tried_is_named() {
    let objection = to_silence(StepFailure::BreakerOpen).unwrap();
    assert!(objection.problem.as_str().starts_with("it was not called: "));
    assert_eq!(to_silence(StepFailure::Call(CallFault::ServerError)), None);
}
