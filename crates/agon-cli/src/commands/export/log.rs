//! The league's log: one line a fact.
//!
//! What is told is picked field by field, so a secret that a fact may hold one day stays inside.
//!
//! Spec: docs/decisions.md

use std::io::Write;

use agon_core::{League, LeagueFact, Q21Fact, Registration, Verdict};
use agon_proto::message::ReportDetails;
use agon_proto::{AgentId, MatchId, Payload, PlayerId, RefereeId, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use super::documents::At;

#[derive(Serialize)]
struct Line {
    timestamp: At,
    component: &'static str,
    event_type: &'static str,
    level: &'static str,
    details: Value,
}

/// Writes the line of a fact, and says when it happened. How letters travel is nobody's history.
pub(super) fn write(
    league: &League,
    fact: &LeagueFact,
    out: &mut impl Write,
) -> anyhow::Result<Option<Timestamp>> {
    let Some(at) = moment(fact) else {
        return Ok(None);
    };
    let (event_type, level) = kind(fact);
    let line = Line {
        timestamp: At(at),
        component: "league_manager",
        event_type,
        level,
        details: details(league, fact),
    };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")?;
    Ok(Some(at))
}

fn moment(fact: &LeagueFact) -> Option<Timestamp> {
    match fact {
        LeagueFact::Opened { at, .. }
        | LeagueFact::SeasonStarted { at, .. }
        | LeagueFact::RoundAnnounced { at, .. }
        | LeagueFact::MatchReassigned { at, .. }
        | LeagueFact::ResultAccepted { at, .. }
        | LeagueFact::ResultDisputed { at, .. }
        | LeagueFact::RoundCompleted { at, .. }
        | LeagueFact::LeagueCompleted { at, .. }
        | LeagueFact::PlayerWithdrawn { at, .. }
        | LeagueFact::MatchVoided { at, .. }
        | LeagueFact::MatchRerun { at, .. }
        | LeagueFact::PlayerReset { at, .. }
        | LeagueFact::RefereeReset { at, .. }
        | LeagueFact::Paused { at, .. }
        | LeagueFact::Resumed { at, .. } => Some(*at),
        LeagueFact::Registered(it) => Some(it.at),
        LeagueFact::Q21(fact) => Some(fact.at()),
        LeagueFact::Post(_) => None,
    }
}

/// The name of the event, and whether the operator may want to look.
const fn kind(fact: &LeagueFact) -> (&'static str, &'static str) {
    match fact {
        LeagueFact::Opened { .. } => ("SYSTEM_STARTUP", "INFO"),
        LeagueFact::Registered(it) => match it.agent {
            AgentId::Player(_) => ("PLAYER_REGISTERED", "INFO"),
            AgentId::Referee(_) => ("REFEREE_REGISTERED", "INFO"),
        },
        LeagueFact::SeasonStarted { .. } => ("SCHEDULE_CREATED", "INFO"),
        LeagueFact::RoundAnnounced { .. } => ("ROUND_ANNOUNCEMENT_SENT", "INFO"),
        LeagueFact::MatchReassigned { .. } => ("MATCH_REASSIGNED", "WARNING"),
        LeagueFact::ResultAccepted { .. } => ("MATCH_RESULT_RECEIVED", "INFO"),
        LeagueFact::ResultDisputed { .. } => ("MATCH_RESULT_DISPUTED", "WARNING"),
        LeagueFact::RoundCompleted { .. } => ("ROUND_COMPLETED", "INFO"),
        LeagueFact::LeagueCompleted { .. } => ("LEAGUE_COMPLETED", "INFO"),
        LeagueFact::PlayerWithdrawn { .. } => ("PLAYER_WITHDRAWN", "WARNING"),
        LeagueFact::MatchVoided { .. } => ("MATCH_VOIDED", "WARNING"),
        LeagueFact::MatchRerun { .. } => ("MATCH_RERUN", "WARNING"),
        LeagueFact::PlayerReset { .. } => ("PLAYER_RESET", "WARNING"),
        LeagueFact::RefereeReset { .. } => ("REFEREE_RESET", "WARNING"),
        LeagueFact::Paused { .. } => ("LEAGUE_PAUSED", "INFO"),
        LeagueFact::Resumed { .. } => ("LEAGUE_RESUMED", "INFO"),
        LeagueFact::Post(_) => ("LETTER", "INFO"),
        LeagueFact::Q21(Q21Fact::SeasonAnnounced { .. }) => ("SEASON_ANNOUNCED", "INFO"),
        LeagueFact::Q21(Q21Fact::TurnedAway { .. }) => ("AGENT_TURNED_AWAY", "WARNING"),
        LeagueFact::Q21(Q21Fact::Introduced { .. }) => ("AGENT_INTRODUCED", "INFO"),
        LeagueFact::Q21(Q21Fact::Acknowledged { .. }) => ("TABLE_ACKNOWLEDGED", "INFO"),
        LeagueFact::Q21(Q21Fact::CheckInOpened { .. }) => ("CHECK_IN_OPENED", "INFO"),
        LeagueFact::Q21(Q21Fact::CheckedIn { .. }) => ("AGENT_CHECKED_IN", "INFO"),
        LeagueFact::Q21(Q21Fact::Evidence { .. }) => ("PLAYER_REPORT_RECEIVED", "INFO"),
        LeagueFact::Q21(Q21Fact::SeasonReset { .. }) => ("SEASON_RESET", "WARNING"),
        LeagueFact::Q21(Q21Fact::Contradicted { .. }) => ("RESULT_CONTRADICTED", "WARNING"),
    }
}

/// What there is to say about it.
fn details(league: &League, fact: &LeagueFact) -> Value {
    match fact {
        LeagueFact::Opened { settings, .. } => json!(settings),
        LeagueFact::Registered(it) => registration(it),
        LeagueFact::SeasonStarted { lineup, order, .. } => {
            json!({ "players": lineup.players(), "order": order })
        }
        LeagueFact::RoundAnnounced { round, referees, .. } => {
            json!({ "round_id": round, "referees": referees })
        }
        LeagueFact::MatchReassigned { match_id, attempt, referee, cause, blame, .. } => json!({
            "match_id": match_id, "attempt": attempt, "referee_id": referee,
            "reason": cause, "blame": blame,
        }),
        LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            unverified,
            ..
        } => {
            let said =
                result(league, (*match_id, Some(*attempt), *referee), Some((verdict, details)));
            with(said, "unverified", unverified.then_some(true))
        }
        LeagueFact::ResultDisputed {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            contradiction,
            ..
        } => {
            let verdict = verdict.as_ref().map(|verdict| (verdict, details));
            let said = result(league, (*match_id, *attempt, *referee), verdict);
            with(said, "contradiction", contradiction.as_ref())
        }
        LeagueFact::RoundCompleted { round, .. } => json!({ "round_id": round }),
        LeagueFact::LeagueCompleted { champion, .. } => json!({ "champion": champion }),
        LeagueFact::PlayerWithdrawn { player, order, .. } => {
            json!({ "player_id": player, "order": order })
        }
        LeagueFact::MatchVoided { match_id, order, .. } => {
            json!({ "match_id": match_id, "order": order })
        }
        LeagueFact::MatchRerun { match_id, attempt, referee, order, .. } => json!({
            "match_id": match_id, "attempt": attempt, "referee_id": referee, "order": order,
        }),
        LeagueFact::PlayerReset { player, order, .. } => {
            json!({ "player_id": player, "order": order })
        }
        LeagueFact::RefereeReset { referee, order, .. } => {
            json!({ "referee_id": referee, "order": order })
        }
        LeagueFact::Paused { order, .. } | LeagueFact::Resumed { order, .. } => {
            json!({ "order": order })
        }
        LeagueFact::Post(_) => json!({}),
        LeagueFact::Q21(fact) => letters(fact),
    }
}

fn registration(it: &Registration) -> Value {
    let Registration { name, contact, group, capacity, .. } = it;
    let said = match it.agent {
        AgentId::Player(id) => {
            json!({ "player_id": id, "display_name": name, "endpoint": contact.shown() })
        }
        AgentId::Referee(id) => json!({
            "referee_id": id, "display_name": name, "endpoint": contact.shown(),
            "max_concurrent_matches": capacity,
        }),
    };
    with(said, "group_id", group.as_ref())
}

/// What happens in a Q21 season only. Addresses are nobody's business but the league's.
fn letters(fact: &Q21Fact) -> Value {
    match fact {
        Q21Fact::SeasonAnnounced { season, until, .. } => {
            json!({ "season_id": season, "registration_deadline": until })
        }
        Q21Fact::TurnedAway { .. } | Q21Fact::Introduced { .. } => json!({}),
        Q21Fact::Acknowledged { received, .. } => json!({ "assignments_received": received }),
        Q21Fact::CheckInOpened { round, .. } | Q21Fact::CheckedIn { round, .. } => {
            json!({ "round_id": round })
        }
        Q21Fact::Evidence { match_id, player, report, .. } => json!({
            "match_id": match_id, "player_id": player, "phase": report.phase,
            "reason": report.reason, "league_points": report.points.map(|(points, _)| points),
        }),
        Q21Fact::SeasonReset { season, number, order, .. } => {
            json!({ "season_id": season, "season_number": number, "order": order })
        }
        Q21Fact::Contradicted { match_id, player, .. } => {
            json!({ "match_id": match_id, "player_id": player })
        }
    }
}

fn result(
    league: &League,
    (match_id, attempt, referee): (MatchId, Option<u32>, RefereeId),
    verdict: Option<(&Verdict, &Payload)>,
) -> Value {
    // A report that cannot be understood says nothing but who sent it.
    let Some((verdict, details)) = verdict else {
        return json!({ "match_id": match_id, "attempt": attempt, "referee_id": referee });
    };
    let players = league.season().fixture(match_id).map(|it| [it.a, it.b]);
    let winner = verdict.winner().zip(players);
    let seats = players.unwrap_or([PlayerId::new(1), PlayerId::new(2)]);
    let played = ReportDetails::of(details, seats);
    json!({
        "match_id": match_id, "attempt": attempt, "referee_id": referee,
        "status": verdict.status(),
        "winner": winner.map(|(seat, players)| players[seat.index()]),
        "drawn_number": played.drawn_number,
        "choices": seats.map(|player| played.choices.get(player)),
        "reason": verdict.cause, "blame": verdict.blame,
    })
}

/// The same with one more field, if there is something to say.
fn with(mut details: Value, name: &str, value: Option<impl Serialize>) -> Value {
    if let Some(value) = value {
        details[name] = json!(value);
    }
    details
}
