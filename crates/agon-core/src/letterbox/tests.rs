//! The letterbox.

use agon_proto::act::{Act, FreeText};
use agon_proto::{Claimed, Context, Heading};

use super::*;

fn letter(id: &str) -> Letter {
    Letter {
        head: Heading {
            id: MessageId::new(id),
            sent_at: Timestamp::default(),
            from: Claimed { address: None, role: None, logical_id: None },
            recipient: "BROADCAST".into(),
            answers: None,
            context: Context::default(),
        },
        auth_token: None,
        act: Act::FreeText(FreeText { text: "hello".into() }),
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_micros(second * 1_000_000)
}

#[test]
fn a_letter_waits_until_it_is_taken() {
    let mut letterbox = Letterbox::default();
    let to = vec![Address::new("ada@league.test")];
    let first = letterbox.parcel(to.clone(), &letter("1"), None);
    letterbox.apply(&LetterboxFact::Queued(first.clone()));
    let second = letterbox.parcel(to, &letter("2"), None);
    assert_ne!(first.id, second.id);
    letterbox.apply(&LetterboxFact::Queued(second.clone()));
    assert_eq!(letterbox.waiting().count(), 2);
    letterbox.apply(&LetterboxFact::Settled(first.id));
    assert!(!letterbox.awaits(first.id));
    assert!(letterbox.awaits(second.id));
    assert_eq!(letterbox.waiting().collect::<Vec<_>>(), [&second]);
}

#[test]
fn an_id_is_not_given_twice_after_a_restart() {
    let mut before = Letterbox::default();
    let parcel = before.parcel(Vec::new(), &letter("1"), None);
    let facts = [LetterboxFact::Queued(parcel.clone()), LetterboxFact::Settled(parcel.id)];
    for fact in &facts {
        before.apply(fact);
    }
    let mut after = Letterbox::default();
    for fact in &facts {
        after.apply(fact);
    }
    assert_eq!(before.parcel(Vec::new(), &letter("2"), None).id, ParcelId(2));
    assert_eq!(after.parcel(Vec::new(), &letter("2"), None).id, ParcelId(2));
}

#[test]
fn a_letter_is_known_by_its_sender_and_its_id() {
    let mut letterbox = Letterbox::default();
    let (ada, bob) = (Address::new("Ada@league.test"), Address::new("bob@league.test"));
    let id = MessageId::new("warmup-1");
    letterbox.apply(&LetterboxFact::Handled { from: ada, id: id.clone() });
    assert!(letterbox.knows(&Address::new("ada@LEAGUE.test"), &id));
    assert!(!letterbox.knows(&bob, &id), "a stranger's letter of the same id is another letter");
}

#[test]
fn what_nobody_wants_any_more_expires() {
    let mut letterbox = Letterbox::default();
    let parcel = letterbox.parcel(Vec::new(), &letter("1"), Some(at(10)));
    letterbox.apply(&LetterboxFact::Queued(parcel.clone()));
    assert_eq!(letterbox.deadline(), Some(at(10)));
    assert_eq!(letterbox.expired(at(9)), []);
    assert_eq!(letterbox.expired(at(10)), [parcel.id]);
}

#[test]
fn of_each_sender_so_many_letters_are_remembered() {
    let mut letterbox = Letterbox::default();
    let [ada, blaise] = ["ada@league.test", "blaise@league.test"].map(Address::new);
    let id = |number: usize| MessageId::new(&number.to_string());
    let handled = |from: &Address, id| LetterboxFact::Handled { from: from.clone(), id };
    letterbox.apply(&handled(&blaise, id(0)));
    for number in 0..3 * HANDLED_MAX {
        letterbox.apply(&handled(&ada, id(number)));
    }
    assert!(letterbox.knows(&blaise, &id(0)), "nobody crowds others out");
    assert!((2 * HANDLED_MAX..3 * HANDLED_MAX).all(|number| letterbox.knows(&ada, &id(number))));
    let kept: usize = letterbox.handled[&ada].iter().map(FxHashSet::len).sum();
    assert!(kept <= 2 * HANDLED_MAX, "{kept}");
}
