//! What holds for any letter, and for any bytes.

use agon_proto::act::Act;
use agon_proto::dialect::q21::{open_json, write};
use agon_proto::dialect::{Mail, claimed, open_mail, subject};
use agon_proto::{Address, Call, Role, decode_request, encode_letter_request};
use proptest::prelude::*;

use super::ours::letters;
use super::strategies::letter;
use crate::files::LIMITS;

/// Whatever the bytes are, every reader comes back; and what was opened says the same again.
fn survives(subject: &str, bytes: &[u8]) {
    let from = Address::new("ada@league.test");
    let mail = Mail { subject, from: &from, header_id: Some("<1@x>"), documents: &[bytes] };
    let _ = claimed(&mail);
    for letter in [open_mail(&mail), open_json(bytes)].into_iter().flatten() {
        let written = write(&letter);
        let again = open_json(written.as_bytes()).expect("what we write can be read");
        assert_eq!(write(&again), written);
        assert_eq!(letter.written().read(), Some(letter), "kept, it is the same letter");
    }
}

proptest! {
    #[test]
    fn a_letter_comes_back_as_it_was(letter in letter()) {
        prop_assert_eq!(open_json(write(&letter).as_bytes()).unwrap(), letter.clone());
        prop_assert_eq!(letter.written().read(), Some(letter));
    }

    #[test]
    fn a_letter_comes_back_from_a_mail(mut letter in letter()) {
        let from = Address::new("ada@league.test");
        letter.head.from.address = Some(from.clone());
        // Without a role the subject still names one.
        letter.head.from.role.get_or_insert(Role::Player);
        if let Act::Apply(said) = &mut letter.act {
            said.role = said.role.or(letter.head.from.role);
        }
        let (subject, json) = (subject(&letter.written(), &from), write(&letter));
        let documents: [&[u8]; 2] = [b"See attachment.", json.as_bytes()];
        let mail = Mail { subject: &subject, from: &from, header_id: None, documents: &documents };
        prop_assert_eq!(open_mail(&mail).unwrap(), letter);
    }

    #[test]
    fn a_letter_comes_back_from_a_call(id in 0..u64::from(u32::MAX), letter in letter()) {
        let mut out = Vec::new();
        encode_letter_request(id, &letter.written(), &mut out);
        let request = decode_request(&out, LIMITS).unwrap();
        prop_assert_eq!(request.call, Call::Letter(Box::new(letter)));
    }

    #[test]
    fn any_bytes_are_survived(
        subject in any::<String>(),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        survives(&subject, &bytes);
    }

    #[test]
    fn a_letter_with_any_byte_changed_is_survived(
        which in 0..100_usize,
        at in 0..2000_usize,
        byte: u8,
    ) {
        let (name, text) = letters().nth(which % letters().count()).unwrap();
        let mut bytes = text.into_bytes();
        let length = bytes.len();
        bytes[at % length] = byte;
        let subject = format!("league.v2::PLAYER::ada@league.test::tx-1::{name}");
        survives(&subject, &bytes);
    }
}
