//! Lines, endless lines and the end.

use super::*;

const LENGTH_MAX: usize = 10;

async fn check(mut bytes: &[u8], expected: &[Line]) {
    for expected in expected {
        assert_eq!(next_line(&mut bytes, LENGTH_MAX).await.unwrap(), *expected);
    }
}

fn whole(text: &str) -> Line {
    Line::Whole(text.into())
}

#[tokio::test]
async fn lines_come_one_by_one_and_the_last_needs_no_end() {
    check(b"a\n\nb", &[whole("a"), whole(""), whole("b"), Line::End, Line::End]).await;
}

#[tokio::test]
async fn a_line_is_read_up_to_the_bound() {
    let just = [b"x".repeat(LENGTH_MAX - 1), b"\n".to_vec()].concat();
    check(&just, &[whole(&"x".repeat(LENGTH_MAX - 1)), Line::End]).await;
    let over = b"x".repeat(LENGTH_MAX + 2);
    check(&over, &[Line::TooLong("x".repeat(LENGTH_MAX)), whole("xx"), Line::End]).await;
}

#[tokio::test]
async fn what_is_no_text_is_replaced() {
    check(b"a\xffb\n", &[whole("a\u{fffd}b")]).await;
}
