//! Any id, any name, any message: what the property tests draw from.

use agon_proto::act::{Act, Decided, Denial};
use agon_proto::message::{
    AnnouncedMatch, Blame, Cause, ChooseParityCall, ChooseParityResponse, GameInvitation,
    GameJoinAck, GameMoveCall, GameMoveResponse, GameOver, GameResult, LeagueStandingsUpdate,
    MatchResultReport, MoveContext, MoveData, MoveRequest, Parity, ParityContext, PlayedDetails,
    Record, ReportDetails, ReportedResult, ResultStatus, RoleInMatch, RoundAnnouncement,
    RoundCompleted, RoundSummary, StandingsRow, StatedParity, Transcript,
};
use agon_proto::{
    AgentId, AuthToken, ConversationId, Dialogue, DisplayName, Endpoint, Envelope, GameType,
    LeagueId, MatchId, Payload, PerPlayer, PlayerId, RefereeId, Role, Sender, Timestamp,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

pub(crate) fn player() -> impl Strategy<Value = PlayerId> {
    (1..=u32::MAX).prop_map(PlayerId::new)
}

pub(crate) fn referee() -> impl Strategy<Value = RefereeId> {
    (1..=u32::MAX).prop_map(RefereeId::new)
}

pub(crate) fn match_id() -> impl Strategy<Value = MatchId> {
    (1..=u32::MAX, 1..=u32::MAX).prop_map(|(round, number)| MatchId::new(round, number))
}

/// Whole seconds: that is what we print.
fn time() -> impl Strategy<Value = Timestamp> {
    (0..4_000_000_000_i64).prop_map(|seconds| Timestamp::from_micros(seconds * 1_000_000))
}

pub(crate) fn token() -> impl Strategy<Value = AuthToken> {
    let secret = any::<[u8; 32]>();
    prop_oneof![
        (player(), secret).prop_map(|(id, bits)| AuthToken::minted(AgentId::Player(id), bits)),
        (referee(), secret).prop_map(|(id, bits)| AuthToken::minted(AgentId::Referee(id), bits)),
        secret.prop_map(AuthToken::derived),
        "[a-z0-9é\"\\\\]{1,40}".prop_map(|text| AuthToken::from(text.as_str())),
    ]
}

fn text() -> impl Strategy<Value = DisplayName> {
    any::<String>().prop_map(|text| DisplayName::new(&text))
}

fn sender() -> impl Strategy<Value = Sender> {
    prop_oneof![
        Just(Sender::LeagueManager),
        player().prop_map(Sender::Player),
        referee().prop_map(Sender::Referee),
        "[a-z ]{1,12}".prop_map(|name| Sender::NewPlayer(Box::new(DisplayName::new(&name)))),
        "[a-z ]{1,12}".prop_map(|name| Sender::NewReferee(Box::new(DisplayName::new(&name)))),
    ]
}

fn conversation() -> impl Strategy<Value = ConversationId> {
    let round = 1..=u32::MAX;
    prop_oneof![
        (match_id(), 1..=u32::MAX)
            .prop_map(|(match_id, attempt)| ConversationId::Match { match_id, attempt }),
        match_id().prop_map(ConversationId::Report),
        round.clone().prop_map(ConversationId::RoundAnnounce),
        round.clone().prop_map(ConversationId::RoundStandings),
        round.prop_map(ConversationId::RoundComplete),
        Just(ConversationId::LeagueComplete),
        ".{0,30}".prop_map(|text| ConversationId::new(&text)),
    ]
}

fn league() -> impl Strategy<Value = LeagueId> {
    any::<String>().prop_map(|name| LeagueId::new(&name))
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    any::<String>().prop_map(|url| Endpoint::new(&url))
}

fn game() -> impl Strategy<Value = GameType> {
    let other = text().prop_filter("not ours", |name| name.as_str() != "even_odd");
    prop_oneof![
        Just(GameType::new("even_odd")),
        other.prop_map(|name| GameType::new(name.as_str())),
    ]
}

fn parity() -> impl Strategy<Value = Parity> {
    prop_oneof![Just(Parity::Even), Just(Parity::Odd)]
}

fn per_player<T: Copy + std::fmt::Debug>(
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = PerPlayer<T>> {
    vec((player(), value), 0..=2)
        .prop_map(|entries| PerPlayer::of([entries.first().copied(), entries.get(1).copied()]))
}

fn registration() -> impl Strategy<Value = Act> {
    let denial = option::of(Just(Denial::Other(Box::default())));
    let text = option::of(any::<String>().prop_map(Into::into));
    let ids = prop_oneof![
        player().prop_map(|id| (Role::Player, AgentId::Player(id))),
        referee().prop_map(|id| (Role::Referee, AgentId::Referee(id))),
    ];
    let rest = (option::of(league()), any::<bool>(), text, any::<bool>());
    (denial, ids, option::of(token()), rest).prop_map(
        |(denial, (role, agent), token, (league, signed_calls, text, named))| {
            let beats = if let AgentId::Referee(id) = agent { Some(id.number()) } else { None };
            Act::Decide(Box::new(Decided {
                role: Some(role),
                denial,
                text,
                agent: named.then_some(agent),
                league,
                token,
                signed_calls,
                heartbeat_ms: beats.filter(|_| named),
                ..Decided::default()
            }))
        },
    )
}

fn season() -> impl Strategy<Value = Act> {
    let pairing = (match_id(), game(), player(), player(), endpoint(), option::of(referee()));
    let pairing = pairing.prop_map(|(match_id, game_type, a, b, referee_endpoint, referee_id)| {
        AnnouncedMatch {
            match_id,
            game_type,
            player_a_id: a,
            player_b_id: b,
            referee_endpoint,
            referee_id,
        }
    });
    let row = (player(), text(), any::<[u32; 6]>(), option::of(any::<u64>()));
    let row = row.prop_map(|(player_id, display_name, numbers, clock_ms)| {
        let [rank, played, wins, draws, losses, points] = numbers;
        StandingsRow {
            rank,
            player_id,
            display_name,
            played,
            wins,
            draws,
            losses,
            points,
            clock_ms,
            unverified: clock_ms.map(|_| rank),
            unproved: rank % 2 == 0,
        }
    });
    prop_oneof![
        (league(), any::<u32>(), vec(pairing, 0..4)).prop_map(|(league_id, round_id, matches)| {
            let matches = matches.into();
            RoundAnnouncement { league_id, round_id, matches, repeated: round_id % 2 == 0 }.into()
        }),
        (league(), any::<u32>(), vec(row, 0..4)).prop_map(|(league_id, round_id, standings)| {
            let standings = standings.into();
            LeagueStandingsUpdate { league_id, round_id, standings }.into()
        }),
        (league(), any::<[u32; 7]>(), option::of(any::<u32>())).prop_map(
            |(league_id, [round_id, played, done, total, wins, draws, lost], next_round_id)| {
                Act::from(RoundCompleted {
                    league_id,
                    round_id,
                    matches_played: played,
                    matches_completed: done,
                    next_round_id,
                    summary: RoundSummary {
                        total_matches: total,
                        wins,
                        draws,
                        technical_losses: lost,
                    },
                    repeated: wins > draws,
                })
            }
        ),
    ]
}

fn questions() -> impl Strategy<Value = Act> {
    let role = prop_oneof![Just(RoleInMatch::PlayerA), Just(RoleInMatch::PlayerB)];
    prop_oneof![
        (league(), any::<u32>(), match_id(), game(), (role, player()), option::of(payload()))
            .prop_map(|(league_id, round_id, match_id, game_type, seat, game_settings)| {
                Act::from(GameInvitation {
                    league_id,
                    round_id,
                    match_id,
                    game_type,
                    role_in_match: seat.0,
                    opponent_id: seat.1,
                    game_settings: game_settings.map(Box::new),
                })
            }),
        (match_id(), player(), game(), any::<String>(), (payload(), any::<u32>()), time())
            .prop_map(|(match_id, player_id, game_type, word, (view, step), deadline)| {
                let seat = Some(RoleInMatch::PlayerB).filter(|_| step % 2 == 0);
                let options = (step % 3 == 0).then(|| vec![view.clone()]);
                let move_request = MoveRequest {
                    move_type: DisplayName::new(&word),
                    schema: (step % 5 == 0).then(|| view.clone()),
                    context: MoveContext { view, step, seat },
                    valid_options: options,
                };
                GameMoveCall { match_id, player_id, game_type, move_request, deadline }.into()
            }),
        (match_id(), player(), game(), player(), any::<[u32; 4]>(), time()).prop_map(
            |(match_id, player_id, game_type, opponent_id, numbers, deadline)| {
                let [round_id, wins, losses, draws] = numbers;
                let your_standings = Record { wins, losses, draws };
                let context = ParityContext { opponent_id, round_id, your_standings };
                ChooseParityCall { match_id, player_id, game_type, context, deadline }.into()
            }
        ),
    ]
}

fn answers() -> impl Strategy<Value = Act> {
    prop_oneof![
        (match_id(), player(), time(), any::<bool>()).prop_map(
            |(match_id, player_id, arrival_timestamp, accept)| {
                GameJoinAck { match_id, player_id: Some(player_id), arrival_timestamp, accept }
                    .into()
            }
        ),
        (match_id(), player(), any::<String>()).prop_map(|(match_id, player_id, word)| {
            let parity_choice = StatedParity::from(word.as_str());
            ChooseParityResponse { match_id, player_id: Some(player_id), parity_choice }.into()
        }),
        (match_id(), player(), game(), any::<String>(), payload()).prop_map(
            |(match_id, player_id, game_type, word, choice)| {
                let move_data = MoveData { move_type: DisplayName::new(&word), choice };
                GameMoveResponse { match_id, player_id: Some(player_id), game_type, move_data }
                    .into()
            }
        ),
    ]
}

/// A move, a view or settings of some game. JSON that says nothing is read as nothing said.
fn payload() -> impl Strategy<Value = Payload> {
    prop_oneof![
        any::<String>().prop_map(|text| serde_json::Value::from(text).to_string()),
        any::<i64>().prop_map(|number| format!("{{\"a\":[{number},null]}}")),
    ]
    .prop_map(|text| Payload::new(&text).unwrap())
}

fn results() -> impl Strategy<Value = Act> {
    let number = || (option::of(player()), option::of(any::<u32>()), per_player(parity()));
    let over = (match_id(), game(), number(), option::of(parity()), any::<String>());
    let report = (league(), any::<u32>(), match_id(), game(), number(), per_player(any::<u32>()));
    let played = (match_id(), game(), payload(), per_player(any::<i32>()), any::<bool>());
    prop_oneof![
        played.prop_map(|(match_id, game_type, view, gains, over)| {
            let details = Some(Box::new(PlayedDetails { view, gains, acts: None }));
            if over {
                let game_result = GameResult {
                    status: ResultStatus::Draw,
                    winner_player_id: None,
                    drawn_number: None,
                    number_parity: None,
                    choices: PerPlayer::empty(),
                    details,
                    reason: "drawn".into(),
                };
                return GameOver { match_id, game_type, game_result }.into();
            }
            let details = ReportDetails { played: details, ..ReportDetails::default() };
            let result = ReportedResult {
                winner: None,
                score: PerPlayer::empty(),
                details,
                status: None,
                reason: None,
                blame: None,
                attempt: None,
            };
            let (about, said) =
                ((LeagueId::new("l"), 1, match_id), (Vec::new(), PerPlayer::empty()));
            reported(about, game_type, result, said)
        }),
        over.prop_map(|(match_id, game_type, (winner, drawn, choices), parity, reason)| {
            let game_result = GameResult {
                status: ResultStatus::Win,
                winner_player_id: winner,
                drawn_number: drawn,
                number_parity: parity,
                choices,
                details: None,
                reason: reason.into(),
            };
            GameOver { match_id, game_type, game_result }.into()
        }),
        report.prop_map(|(league_id, round_id, match_id, game_type, number, score)| {
            let (winner, drawn_number, choices) = number;
            let result = ReportedResult {
                winner,
                score,
                details: ReportDetails { drawn_number, choices, played: None },
                status: winner.map(|_| ResultStatus::TechnicalLoss),
                reason: winner.map(|_| Cause::NoShow),
                blame: drawn_number.map(|_| Blame::PlayerB),
                attempt: drawn_number,
            };
            let told = drawn_number.map(|number| MatchId::new(number, 1)).into_iter().collect();
            reported((league_id, round_id, match_id), game_type, result, (told, score))
        }),
    ]
}

fn reported(
    (league_id, round_id, match_id): (LeagueId, u32, MatchId),
    game_type: GameType,
    result: ReportedResult,
    (told, charged_ms): (Vec<MatchId>, PerPlayer<u32>),
) -> Act {
    let transcript = Transcript::default();
    let report = MatchResultReport {
        league_id,
        round_id,
        match_id,
        game_type,
        result,
        transcript,
        told,
        charged_ms,
    };
    report.into()
}

pub(crate) fn envelope() -> impl Strategy<Value = Envelope> {
    let act = prop_oneof![registration(), season(), questions(), answers(), results()];
    (sender(), time(), conversation(), option::of(token()), act).prop_map(
        |(sender, timestamp, conversation_id, auth_token, act)| {
            let owns_token = matches!(act, Act::Decide(_));
            let auth_token = auth_token.filter(|_| !owns_token);
            let head = Dialogue { sender, timestamp, conversation_id };
            Envelope { head, auth_token, act }
        },
    )
}
