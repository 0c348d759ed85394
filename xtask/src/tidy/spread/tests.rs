//! What counts as a file of a type.

use super::super::tests::owed;
use super::debts;

const TYPE: (&str, &str) = ("crates/a/src/m.rs", "pub struct M;\npub trait T {}\nimpl M {}\n");
const OWN: (&str, &str) = ("crates/a/src/m/own.rs", "impl M {}\n");
const BY_TRAIT: (&str, &str) = ("crates/a/src/m/by_trait.rs", "impl super::T for M {}\n");
const CHANGED: (&str, &str) = ("crates/b/src/lib.rs", "pub fn f(m: &mut a::M) {}\n");
const FIFTH: (&str, &str) = ("crates/a/src/fifth.rs", "impl<'a> M {}\n");

#[test]
fn four_files_are_the_wall() {
    owed(debts, &[TYPE, OWN, BY_TRAIT, CHANGED], &[]);
    owed(debts, &[TYPE, OWN, BY_TRAIT, CHANGED, FIFTH], &["spread a/m::M 5"]);
}

#[test]
fn traits_of_others_and_what_only_reads_do_not_count() {
    let display = ("crates/a/src/d.rs", "impl fmt::Display for M {}\nfn f(m: &M) {}\n");
    owed(debts, &[TYPE, OWN, BY_TRAIT, CHANGED, display], &[]);
}

#[test]
fn a_private_twin_nearby_is_another_type() {
    let twin = ("crates/a/src/n.rs", "struct M;\nimpl M {}\n");
    let helper = ("crates/a/src/n/helper.rs", "impl M {}\n");
    owed(debts, &[TYPE, OWN, BY_TRAIT, CHANGED, twin, helper], &[]);
}
