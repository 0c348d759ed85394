//! What is seen in a file.

use super::super::source::Source;
use super::{Kind, items};

#[track_caller]
fn check(text: &str, expected: &[(Kind<'_>, &str)]) {
    let source = Source::read("crates/x/src/lib.rs", text);
    let found: Vec<_> = items(&source).into_iter().map(|item| (item.kind, item.name)).collect();
    assert_eq!(found, expected);
}

#[test]
fn types_are_public_or_not() {
    check(
        "pub struct A;\nenum B { C }\npub(crate) trait D {\n    type E;\n}\n\
         pub type F<T> = Vec<T>;\n",
        &[(Kind::Public, "A"), (Kind::Private, "B"), (Kind::Private, "D"), (Kind::Public, "F")],
    );
}

#[test]
fn methods_are_own_or_by_a_trait() {
    check(
        "impl A {\n    fn f(&mut self, b: &mut B) {}\n}\n\
         impl<'a, T: Into<X>> c::D<T> for &'a mut e::F<'a, T> where T: G {\n    type H = I;\n}\n\
         fn g() -> impl J { K }\n",
        &[(Kind::Methods { by: None }, "A"), (Kind::Methods { by: Some("D") }, "F")],
    );
}

#[test]
fn functions_change_what_they_take_by_mut() {
    check(
        "pub fn f<T: Fn() -> U>(a: &mut A, b: &B, c: &'c mut d::E<F>, g: &mut [u8]) {\n\
         let h: &mut I = x;\n}\n",
        &[(Kind::Changed, "A"), (Kind::Changed, "E")],
    );
}

#[test]
fn a_type_within_a_function_is_one_of_its_file() {
    check(
        "impl A {\n    fn f() {\n        struct B;\n        impl C for B {}\n    }\n}\n",
        &[
            (Kind::Methods { by: None }, "A"),
            (Kind::Private, "B"),
            (Kind::Methods { by: Some("C") }, "B"),
        ],
    );
}

#[test]
fn tests_and_what_a_macro_makes_are_passed_over() {
    check("#[cfg(test)]\nmod tests {\n    pub struct A;\n}\npub struct $name;\n", &[]);
}
