//! Any letter, as it can be once it has travelled: what the property tests draw from.

mod game;
mod league;

use agon_proto::act::Act;
use agon_proto::{
    Address, BroadcastId, DisplayName, GroupId, Heading, LeagueId, MessageId, Role, Score,
    SeasonId, Timestamp,
};
use agon_proto::{Claimed, Context, GameId, Letter};
use proptest::option;
use proptest::prelude::*;

use crate::strategies::token;

/// A word: something is said, and blanks are within.
fn word() -> impl Strategy<Value = Box<str>> {
    "[a-zA-Z0-9é_:@.-]{1,12}( [a-z\"\\\\]{1,8})?".prop_map(Into::into)
}

/// A text of any length, or nothing.
fn text() -> impl Strategy<Value = Box<str>> {
    "[ -~é\n\t]{0,40}".prop_map(Into::into)
}

fn name() -> impl Strategy<Value = DisplayName> {
    word().prop_map(|word| DisplayName::new(&word))
}

fn address() -> impl Strategy<Value = Address> {
    prop_oneof![
        "[a-z.]{1,10}@league.test".prop_map(|text| Address::new(&text)),
        Just(Address::new("http://127.0.0.1:8101/mcp")),
    ]
}

fn group() -> impl Strategy<Value = GroupId> {
    "[a-z][a-z0-9]{7}".prop_map(|text| GroupId::new(&text))
}

fn game() -> impl Strategy<Value = GameId> {
    prop_oneof!["[0-9]{7}", "R[1-9]M[1-9]"].prop_map(|text| GameId::new(&text))
}

/// Whole seconds: that is what we print.
fn time() -> impl Strategy<Value = Timestamp> {
    (0..4_000_000_000_i64).prop_map(|seconds| Timestamp::from_micros(seconds * 1_000_000))
}

fn score() -> impl Strategy<Value = Score> {
    (0..=10_000_u32).prop_map(Score::from_hundredths)
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![Just(Role::Manager), Just(Role::Referee), Just(Role::Player)]
}

fn context() -> impl Strategy<Value = Context> {
    let ids = (option::of(word()), option::of(word()), option::of(word()));
    (ids, option::of(word()), option::of(game())).prop_map(
        |((league, season, broadcast), round, game)| Context {
            league: league.map(|id| LeagueId::new(&id)),
            season: season.map(|id| SeasonId::new(&id)),
            broadcast: broadcast.map(|id| BroadcastId::new(&id)),
            round,
            game,
        },
    )
}

fn origin() -> impl Strategy<Value = Claimed> {
    (option::of(address()), option::of(role()), option::of(name()))
        .prop_map(|(address, role, logical_id)| Claimed { address, role, logical_id })
}

/// Any letter, about one season and one game.
pub(super) fn letter() -> impl Strategy<Value = Letter> {
    let body = prop_oneof![game::body(), league::body()];
    let head = (word(), time(), origin(), word(), option::of(word()));
    (head, context(), option::of(token()), body).prop_map(|(head, context, auth_token, body)| {
        let (id, sent_at, from, recipient, answers) = head;
        let id = MessageId::new(&id);
        let answers = answers.map(|id| MessageId::new(&id));
        let head = Heading { id, sent_at, from, recipient, answers, context };
        travelled(Letter { head, auth_token, act: body })
    })
}

/// What the wire cannot tell apart is made the same: a season or a game in the context and in the
/// body, and the role in which somebody registers or reports.
fn travelled(mut letter: Letter) -> Letter {
    let Letter { head: Heading { context, from, .. }, act: body, .. } = &mut letter;
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others do not repeat anything")]
    match body {
        Act::StartSeason(said) => context.season = Some(said.season.clone()),
        Act::Apply(said) => {
            said.season = context.season.clone();
            said.role = said.role.or(from.role);
        }
        Act::Decide(said) => said.season = context.season.clone(),
        Act::AssignmentTable(said) | Act::TableAnswer(said) => {
            said.season = context.season.clone();
        }
        Act::RefereeAck(said) | Act::PlayerAck(said) => said.season = context.season.clone(),
        Act::TableRequest(said) => said.season = context.season.clone(),
        Act::SeasonCompleted(said) => said.season = context.season.clone(),
        Act::StatusReport(said) => {
            said.season = context.season.clone();
            context.game = Some(said.game.clone());
            from.role = Some(Role::Player);
        }
        Act::ResultReport(said) => {
            context.game = Some(said.game.clone());
            from.role = Some(Role::Referee);
        }
        Act::State(_, said) => said.game = context.game.clone(),
        Act::ForceMajeure(said) => said.game = context.game.clone(),
        Act::Ask(said) => context.game = Some(said.game.clone()),
        Act::Move(said) => context.game = Some(said.game.clone()),
        Act::Worth(said) => context.game = Some(said.game.clone()),
        _ => {}
    }
    letter
}
