//! News waits for who must hear something else first, in order, and for nobody else.

use agon_proto::act::Act;
use agon_proto::message::PlayerWithdrawn;
use agon_proto::{AuthToken, ConversationId, Dialogue, Endpoint, Sender};

use super::*;
use crate::effect::{Tag, Topic};
use crate::testing::{at, in_match, league, player};

/// News number `number` for these players.
fn news(number: u32, to: &[u32]) -> Broadcast {
    let recipients = to.iter().map(|number| Recipient {
        who: AgentId::Player(player(*number)),
        tag: Tag::Notice,
        to: Endpoint::new(&format!("p{number}")),
        auth_token: AuthToken::derived([1; 32]),
    });
    let message = PlayerWithdrawn { league_id: league(), player_id: player(1), reason: "".into() };
    Broadcast {
        head: Dialogue {
            sender: Sender::LeagueManager,
            timestamp: at(0),
            conversation_id: ConversationId::RoundStandings(number),
        },
        topic: Topic::News,
        act: Act::PlayerWithdrawn(message),
        recipients: recipients.collect(),
    }
}

fn said(news: &[Broadcast]) -> Vec<String> {
    let line = |news: &Broadcast| {
        let to: Vec<_> = news.recipients.iter().map(|one| one.to.as_str()).collect();
        format!("{} to {}", news.head.conversation_id, to.join(" "))
    };
    news.iter().map(line).collect()
}

/// R1M1 of P01 and P02 is over, and they do not know it.
fn untold() -> Heard {
    let mut heard = Heard::default();
    heard.expect(in_match(1, 1), [player(1), player(2)]);
    heard
}

#[test]
fn only_those_wait_who_do_not_know_yet() {
    let mut heard = untold();
    let mut first = news(1, &[1, 2, 3]);
    heard.hold(&mut first, at(10));
    assert_eq!(said(&[first]), ["conv-round-1-standings to p3"]);
    assert_eq!(heard.held_until(), Some(at(10)));
    assert_eq!(said(&heard.release()), [""; 0]);
}

#[test]
fn what_waited_leaves_in_order_and_once() {
    let mut heard = untold();
    for number in 1..=2 {
        heard.hold(&mut news(number, &[1, 2, 3]), at(10));
    }
    heard.told(in_match(1, 1));
    let both = ["conv-round-1-standings to p1 p2", "conv-round-2-standings to p1 p2"];
    assert_eq!(said(&heard.release()), both);
    assert!(!heard.is_holding() && heard.release().is_empty());
}

#[test]
fn who_waits_for_two_matches_waits_for_both() {
    let mut heard = untold();
    heard.expect(in_match(2, 1), [player(1), player(3)]);
    heard.hold(&mut news(1, &[1, 2, 3]), at(10));
    heard.told(in_match(1, 1));
    assert_eq!(said(&heard.release()), ["conv-round-1-standings to p2"]);
    heard.told(in_match(2, 1));
    assert_eq!(said(&heard.release()), ["conv-round-1-standings to p1 p3"]);
}

#[test]
fn in_the_end_nobody_is_waited_for_but_who_has_just_played() {
    let mut heard = untold();
    heard.hold(&mut news(1, &[1, 2]), at(10));
    heard.expect(in_match(2, 2), [player(3), player(4)]);
    heard.give_up(at(10));
    assert_eq!(said(&heard.release()), ["conv-round-1-standings to p1 p2"]);
    let mut next = news(2, &[1, 3]);
    heard.hold(&mut next, at(20));
    assert_eq!(said(&[next]), ["conv-round-2-standings to p1"]);
    assert_eq!(heard.held_until(), Some(at(20)));
}

#[test]
fn a_match_that_is_played_again_is_waited_for_once_and_by_both() {
    let mut heard = untold();
    heard.hold(&mut news(1, &[1]), at(10));
    heard.give_up(at(10));
    heard.release();
    heard.expect(in_match(1, 1), [player(1), player(2)]);
    heard.expect(in_match(1, 1), [player(1), player(2)]);
    heard.hold(&mut news(2, &[1, 2]), at(20));
    assert_eq!(said(&heard.release()), [""; 0]);
    heard.told(in_match(1, 1));
    assert_eq!(said(&heard.release()), ["conv-round-2-standings to p1 p2"]);
}
