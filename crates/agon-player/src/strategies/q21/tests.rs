//! Whoever plays Q21 without a program, asked one thing at a time.

use std::borrow::Cow;

use agon_core::{Known, Question, What};
use agon_games::q21::{Q21Move, Q21View, Q21Word};
use agon_node::{Mind, Thinking, Thought};
use agon_proto::known::{Contestant, PlayerContext, PlayerStandings, RefereeContext};
use agon_proto::{Address, GroupId, LeagueId, MatchId, Payload, SeasonId, Timestamp};
use agon_proto::{AsPayload, GameId};
use serde_json::{Value, json};

use super::{BuiltinPlayer, BuiltinReferee};
use crate::typed;

/// Nothing is seen yet.
pub(super) fn unseen() -> Q21View {
    serde_json::from_value(json!({})).unwrap()
}

fn asked(kind: &'static str, what: What) -> Question {
    let (match_id, until) = (MatchId::new(1, 1), Timestamp::default());
    Question { number: 7, match_id, attempt: 1, kind: kind.into(), what, until }
}

fn now(mind: &mut dyn Mind, question: &Question, context: Payload) -> Thought {
    match mind.think(question, &Known { context, ..Known::default() }) {
        Thinking::Now(answer) => answer,
        Thinking::Later(_) => Err(crate::strategy::misplaced(question)),
    }
}

fn payload(value: &impl serde::Serialize) -> Payload {
    Payload::new(&serde_json::to_string(value).unwrap()).unwrap()
}

/// What the player says in that game.
pub(super) fn player(
    seed: u64,
    game: &str,
    kind: &'static str,
    (view, said): (&Q21View, &[Q21Move]),
) -> Q21Move {
    let said = said.iter().map(payload).collect();
    let what = What::Move { view: payload(view), options: Cow::default(), said };
    let context =
        PlayerContext { game: GameId::new(game), standings: PlayerStandings::default() }.payload();
    let answer = now(&mut *typed(BuiltinPlayer { seed }), &asked(kind, what), context);
    serde_json::from_str(answer.unwrap().as_str()).unwrap()
}

/// What the referee says in that game.
pub(super) fn referee(seed: u64, game: &str, kind: &'static str, prompt: &Value) -> Q21Word {
    let contestant =
        |name: &str| Contestant { id: GroupId::new(name), address: Address::new(name) };
    let context = RefereeContext {
        season: SeasonId::new("S01"),
        league: LeagueId::new("LEAGUE001"),
        game: GameId::new(game),
        referee: "R-001".into(),
        round_number: 1,
        round: "S01_R1".into(),
        players: ["alphateam", "betateam"].map(contestant),
    };
    let what = What::Oracle { about: None, prompt: payload(prompt) };
    let answer = now(&mut BuiltinReferee { seed }, &asked(kind, what), context.payload());
    serde_json::from_str(answer.unwrap().as_str()).unwrap()
}

/// What becomes of a question that is for somebody else.
pub(super) fn misplaced(mind: &mut dyn Mind, what: What) -> Thought {
    now(mind, &asked("score", what), Payload::default())
}
