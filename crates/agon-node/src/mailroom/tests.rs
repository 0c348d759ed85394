//! What leaves by mail.

use agon_proto::act::{Act, FreeText};
use agon_proto::{Claimed, Context, Heading, MessageId, Role};

use super::*;

#[test]
fn a_mail_has_the_words_that_were_kept_and_its_subject_from_beside_them() {
    let own = Address::new("manager@league.test");
    let head = Heading {
        id: MessageId::new("bc/1"),
        sent_at: Timestamp::default(),
        from: Claimed { address: None, role: Some(Role::Manager), logical_id: None },
        recipient: "BROADCAST".into(),
        answers: None,
        context: Context::default(),
    };
    let act = Act::FreeText(FreeText { text: "hello".into() });
    let mut letter = Letter { head, auth_token: None, act }.written();
    letter.text = "{\"in\": \"other words\"}".into();
    let to = vec![Address::new("ada@league.test"), Address::new("bob@league.test")];
    let parcel = Parcel { id: ParcelId(1), to, letter: letter.into(), until: None };
    let mail = composed(&own, &parcel);
    assert_eq!(mail.text, "{\"in\": \"other words\"}");
    assert_eq!(mail.attachment, ("BROADCAST_FREE_TEXT.json".into(), mail.text.clone().into()));
    let subject = "league.v2::LEAGUEMANAGER::manager@league.test::bc/1::BROADCAST_FREE_TEXT";
    assert_eq!(mail.subject, subject);
    assert_eq!(mail.message_id, "bc-1@league.test");
    assert_eq!(mail.to, ["ada@league.test", "bob@league.test"]);
}
