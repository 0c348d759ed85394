//! How steps print, and what a failure says.

use anyhow::bail;

use super::{DOC, timed};

#[test]
fn a_step_prints_as_one_would_type_it() {
    assert_eq!(
        DOC.to_string(),
        "RUSTDOCFLAGS=\"-D warnings\" cargo doc --locked --workspace --no-deps"
    );
}

#[test]
fn a_failure_names_the_step_and_the_cause() {
    let err = timed("weighing", || bail!("the scales are gone")).unwrap_err();
    let text = format!("{err:#}");
    assert!(text.starts_with("weighing failed after "), "{text}");
    assert!(text.ends_with("the scales are gone"), "{text}");
}
