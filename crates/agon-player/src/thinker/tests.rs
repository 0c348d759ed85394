//! The strategy sees what the player knows, and its decision arrives unchanged.

use std::time::Duration;

use agon_core::{Machine, PlayerFact, Profile};
use agon_proto::message::Parity;
use agon_proto::{DisplayName, Endpoint};

use super::*;
use crate::testing::{EVEN, ODD, played, question};

/// Chooses what the opponent of the last match chose; later, if it was odd.
struct Echo;

impl Strategy for Echo {
    fn choose(&mut self, situation: &Situation<'_>) -> Decision {
        assert_eq!(situation.standings.entries(), []);
        let last = situation.history.last().and_then(|past| past.opponent_choice);
        match last {
            Some(Parity::Odd) => Decision::Later(Box::pin(async { Some(Parity::Odd) })),
            Some(Parity::Even) => Decision::Now(Parity::Even),
            None => Decision::Later(Box::pin(async { None })),
        }
    }
}

/// What comes of a question to a player with one match, or none, behind it.
async fn check(theirs: Option<Parity>, quick: bool, expected: Option<Parity>) {
    let profile = Profile {
        name: DisplayName::new("Echo"),
        endpoint: Endpoint::new("http://127.0.0.1:8101/mcp"),
        manager: Endpoint::new("http://127.0.0.1:8000/mcp"),
        capacity: None,
        nonce: 1,
        keeps_token: false,
        invitation_code: None,
        timeout: Duration::from_secs(10),
        tries: 3,
        backoff: Duration::from_secs(2),
        lateness_max: Duration::from_secs(1),
    };
    let mut player = Player::new(profile, Duration::from_secs(240));
    if let Some(theirs) = theirs {
        player.apply(&PlayerFact::Over(played(1, 2, [EVEN, theirs], 2)));
    }
    let mut thinker = Thinker::new(Box::new(Echo));
    let (was_quick, choice) = match thinker.think(&player, &question(2, 3)) {
        Thought::Now(choice) => (true, choice),
        Thought::Later(thought) => (false, thought.await),
    };
    assert_eq!((was_quick, choice), (quick, expected));
}

#[tokio::test]
async fn quick_and_slow_decisions_become_thoughts() {
    check(Some(EVEN), true, Some(EVEN)).await;
    check(Some(ODD), false, Some(ODD)).await;
    check(None, false, None).await;
}
