//! A player under test: invited, asked, asked again, told the end; and restarted in between.

pub(super) mod by_letter;
mod choosing;
mod membership;
mod moves;
mod replayed;

use agon_proto::act::{Act, Decided, Denial};
use agon_proto::message::{
    Champion, ChooseParityCall, GameInvitation, GameJoinAck, GameOver, GameResult, LeagueCompleted,
    MoveResponse, Parity, ParityContext, Record, ResultStatus, RoleInMatch, RoundAnnouncement,
    RoundCompleted, RoundSummary, StatedParity,
};
use agon_proto::tool::{
    Command, Lifecycle, PlayedMatch, PlayedResult, PlayerPhase, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{
    AgentId, Answer, AsPayload, AuthToken, ConversationId, DisplayName, GameType, Payload,
    PerPlayer, Role, Sender,
};

use super::*;
use crate::agent::AgentFact;
use crate::effect::{Alert, Setback};
use crate::secret::SigningKey;
use crate::testing::{
    Bench, at, check, in_match, league, letter, player, profile, referee, refusal, sent, stolen,
};
use crate::thinking::{Mishap, MishapKind, What};

fn token() -> AuthToken {
    AuthToken::derived([1; 32])
}

fn key() -> SigningKey {
    SigningKey::of(&token()).unwrap()
}

fn newcomer() -> Bench<Player> {
    restarted(Vec::new())
}

fn restarted(facts: Vec<PlayerFact>) -> Bench<Player> {
    let thinking = ThinkingTime { usual: Duration::from_secs(30), margin: Duration::from_secs(1) };
    let times = PlayerTimes { match_max: Duration::from_secs(240), thinking, ..by_letter::times() };
    let player = Player::new(profile("p1", None), times);
    Bench::new(player, facts)
}

/// Registered as P01.
fn enrolled() -> Bench<Player> {
    let mut bench = newcomer();
    bench.resume();
    admit(&mut bench, None);
    bench
}

fn admit(bench: &mut Bench<Player>, denial: Option<Denial>) -> Vec<Effect> {
    let response = Act::Decide(Box::new(Decided {
        role: Some(Role::Player),
        text: denial.is_some().then(|| "E020: full".into()),
        denial,
        agent: Some(AgentId::Player(player(1))),
        token: Some(token()),
        league: Some(league()),
        signed_calls: true,
        ..Decided::default()
    }));
    let conversation = ConversationId::new("conv-any");
    let said = letter(Sender::LeagueManager, None, conversation, response);
    let (tag, answer) = (Tag::Register, Answer::Message(Box::new(said)));
    bench.tell(Event::Answered { tag, answer })
}

/// REF01 says something about an attempt at R1M1, with the token that proves it.
fn from_referee(bench: &mut Bench<Player>, attempt: u32, message: impl Into<Act>) -> Vec<Effect> {
    let match_id = in_match(1, 1);
    let shown = key().match_token(&league(), match_id, attempt, referee(1));
    let conversation = ConversationId::Match { match_id, attempt };
    bench.call(letter(Sender::Referee(referee(1)), Some(shown), conversation, message))
}

fn from_manager(bench: &mut Bench<Player>, message: impl Into<Act>) -> Vec<Effect> {
    let (shown, conversation) = (key().manager_token(&league()), ConversationId::new("conv-any"));
    bench.call(letter(Sender::LeagueManager, Some(shown), conversation, message))
}

/// To R1M1, against P02.
fn invitation() -> GameInvitation {
    GameInvitation {
        league_id: league(),
        round_id: 1,
        match_id: in_match(1, 1),
        game_type: GameType::new("even_odd"),
        role_in_match: RoleInMatch::PlayerA,
        opponent_id: player(2),
        game_settings: None,
    }
}

fn question() -> ChooseParityCall {
    ChooseParityCall {
        match_id: in_match(1, 1),
        player_id: player(1),
        game_type: GameType::new("even_odd"),
        context: ParityContext {
            opponent_id: player(2),
            round_id: 1,
            your_standings: Record::default(),
        },
        deadline: at(30),
    }
}

fn invite(bench: &mut Bench<Player>, attempt: u32) -> Vec<Effect> {
    from_referee(bench, attempt, invitation())
}

fn ask(bench: &mut Bench<Player>, attempt: u32) -> Vec<Effect> {
    from_referee(bench, attempt, question())
}

/// The question of that number is answered, or not.
fn think(bench: &mut Bench<Player>, number: u64, choice: Option<Parity>) -> Vec<Effect> {
    let mishap = || Mishap { kind: MishapKind::Raised, text: "it cannot decide".into() };
    let answer = choice.map(|parity| parity.payload()).ok_or_else(mishap);
    bench.tell(Event::Thought { number, answer })
}

/// R1M1 ended with 8; P01 said even and P02 odd.
fn won() -> GameOver {
    GameOver {
        match_id: in_match(1, 1),
        game_type: GameType::new("even_odd"),
        game_result: GameResult {
            status: ResultStatus::Win,
            winner_player_id: Some(player(1)),
            drawn_number: Some(8),
            number_parity: Some(Parity::Even),
            choices: PerPlayer::both((player(1), Parity::Even), (player(2), Parity::Odd)),
            details: None,
            reason: "".into(),
        },
    }
}

fn completed() -> LeagueCompleted {
    LeagueCompleted {
        league_id: league(),
        total_rounds: 1,
        total_matches: 1,
        champion: Champion {
            player_id: player(1),
            display_name: DisplayName::new("one"),
            points: 3,
        },
        final_standings: [].into(),
    }
}

fn announcement() -> RoundAnnouncement {
    let matches = Vec::new().into();
    RoundAnnouncement { league_id: league(), round_id: 1, matches, repeated: false }
}

fn round_completed(round_id: u32) -> RoundCompleted {
    RoundCompleted {
        league_id: league(),
        round_id,
        matches_played: 1,
        matches_completed: 1,
        next_round_id: None,
        summary: RoundSummary::default(),
        repeated: false,
    }
}

/// The choice in a reply.
fn choice(effect: &Effect) -> Option<Parity> {
    if let Effect::Reply { answer: Answer::Message(letter), .. } = effect
        && let Act::MoveResponse(MoveResponse::ChooseParityResponse(said)) = &letter.act
        && let StatedParity::Valid(parity) = said.parity_choice
    {
        return Some(parity);
    }
    None
}
