//! The league's log: one line a fact.
//!
//! What is told is picked field by field, so a secret that a fact may hold one day stays inside.
//!
//! Spec: docs/decisions.md

use std::io::Write;

use agon_core::{Invitation, League, LeagueFact, Order, Registration, SeasonFact};
use agon_proto::message::ReportDetails;
use agon_proto::{AgentId, Played, PlayerId, Timestamp};
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
    let Some(line) = line(league, fact) else { return Ok(None) };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")?;
    Ok(Some(line.timestamp.0))
}

fn info(at: Timestamp, event_type: &'static str, details: Value) -> Line {
    let timestamp = At(at);
    Line { timestamp, component: "league_manager", event_type, level: "INFO", details }
}

/// The operator may want to look.
fn warning(at: Timestamp, event_type: &'static str, details: Value) -> Line {
    Line { level: "WARNING", ..info(at, event_type, details) }
}

fn line(league: &League, fact: &LeagueFact) -> Option<Line> {
    Some(match fact {
        LeagueFact::Opened { settings, at } => info(*at, "SYSTEM_STARTUP", json!(settings)),
        LeagueFact::Registered(it) => registration(it),
        LeagueFact::Invited { invitation, order, at } => {
            info(*at, "INVITED", invited(invitation, order))
        }
        LeagueFact::InvitationRevoked { number, order, at } => {
            info(*at, "INVITATION_REVOKED", json!({ "invitation": number, "order": order }))
        }
        LeagueFact::Approved { agent, order, at } => {
            info(*at, "AGENT_APPROVED", json!({ "agent_id": agent.to_string(), "order": order }))
        }
        LeagueFact::Removed { agent, order, at } => {
            warning(*at, "AGENT_REMOVED", json!({ "agent_id": agent.to_string(), "order": order }))
        }
        LeagueFact::SeasonStarted { lineup, order, at } => {
            let details = json!({ "players": lineup.players(), "order": order });
            info(*at, "SCHEDULE_CREATED", details)
        }
        LeagueFact::RoundAnnounced { round, referees, at, .. } => {
            let details = json!({ "round_id": round, "referees": referees });
            info(*at, "ROUND_ANNOUNCEMENT_SENT", details)
        }
        LeagueFact::MatchReassigned { match_id, attempt, referee, cause, blame, at } => {
            let details = json!({
                "match_id": match_id, "attempt": attempt, "referee_id": referee,
                "reason": cause, "blame": blame,
            });
            warning(*at, "MATCH_REASSIGNED", details)
        }
        LeagueFact::ResultAccepted { unverified, at, .. } => {
            let unverified = unverified.then_some(true);
            let details = with(report(league, fact), "unverified", unverified);
            info(*at, "MATCH_RESULT_RECEIVED", details)
        }
        LeagueFact::ResultDisputed { contradiction, at, .. } => {
            let details = with(report(league, fact), "contradiction", contradiction.as_ref());
            warning(*at, "MATCH_RESULT_DISPUTED", details)
        }
        // They stand with their matches.
        LeagueFact::MessagesKept { .. } => return None,
        LeagueFact::RoundCompleted { round, at } => {
            info(*at, "ROUND_COMPLETED", json!({ "round_id": round }))
        }
        LeagueFact::LeagueCompleted { champion, at } => {
            info(*at, "LEAGUE_COMPLETED", json!({ "champion": champion }))
        }
        LeagueFact::PlayerWithdrawn { player, order, at } => {
            warning(*at, "PLAYER_WITHDRAWN", json!({ "player_id": player, "order": order }))
        }
        LeagueFact::MatchVoided { match_id, order, at } => {
            warning(*at, "MATCH_VOIDED", json!({ "match_id": match_id, "order": order }))
        }
        LeagueFact::MatchRerun { match_id, attempt, referee, order, at } => {
            let details = json!({
                "match_id": match_id, "attempt": attempt, "referee_id": referee, "order": order,
            });
            warning(*at, "MATCH_RERUN", details)
        }
        LeagueFact::PlayerReset { player, order, at, .. } => {
            warning(*at, "PLAYER_RESET", json!({ "player_id": player, "order": order }))
        }
        LeagueFact::RefereeReset { referee, order, at, .. } => {
            warning(*at, "REFEREE_RESET", json!({ "referee_id": referee, "order": order }))
        }
        LeagueFact::Paused { order, at } => info(*at, "LEAGUE_PAUSED", json!({ "order": order })),
        LeagueFact::Resumed { order, at } => info(*at, "LEAGUE_RESUMED", json!({ "order": order })),
        LeagueFact::Letterbox(_) => return None,
        LeagueFact::Season(fact) => by_letters(fact),
    })
}

fn invited(it: &Invitation, order: &Order) -> Value {
    json!({
        "invitation": it.number, "role": it.role, "label": it.label, "uses": it.uses,
        "until": it.until, "order": order,
    })
}

fn registration(it: &Registration) -> Line {
    let Registration { name, contact, group, capacity, invitation, .. } = it;
    let said = json!({ "display_name": name, "endpoint": contact.shown() });
    let said = with(said, "group_id", group.as_ref());
    let said = with(said, "invitation", *invitation);
    let said = with(said, "waits", it.waits.then_some(true));
    let said = with(said, "unproved", it.unproved.then_some(true));
    match it.agent {
        AgentId::Player(id) => info(it.at, "PLAYER_REGISTERED", with(said, "player_id", Some(id))),
        AgentId::Referee(id) => {
            let said = with(said, "referee_id", Some(id));
            let said = with(said, "max_concurrent_matches", Some(capacity));
            info(it.at, "REFEREE_REGISTERED", said)
        }
    }
}

/// What happens in a season by letters only. Addresses are nobody's business but the league's.
fn by_letters(fact: &SeasonFact) -> Line {
    match fact {
        SeasonFact::SeasonAnnounced { season, until, at } => {
            let details = json!({ "season_id": season, "registration_deadline": until });
            info(*at, "SEASON_ANNOUNCED", details)
        }
        SeasonFact::TurnedAway { at, .. } => warning(*at, "AGENT_TURNED_AWAY", json!({})),
        SeasonFact::Introduced { at, .. } => info(*at, "AGENT_INTRODUCED", json!({})),
        SeasonFact::Acknowledged { received, at, .. } => {
            info(*at, "TABLE_ACKNOWLEDGED", json!({ "assignments_received": received }))
        }
        SeasonFact::CheckInOpened { round, at } => {
            info(*at, "CHECK_IN_OPENED", json!({ "round_id": round }))
        }
        SeasonFact::CheckedIn { round, at, .. } => {
            info(*at, "AGENT_CHECKED_IN", json!({ "round_id": round }))
        }
        SeasonFact::Evidence { match_id, player, report, at } => {
            let details = json!({
                "match_id": match_id, "player_id": player, "phase": report.phase,
                "reason": report.reason, "league_points": report.points.map(|(points, _)| points),
            });
            info(*at, "PLAYER_REPORT_RECEIVED", details)
        }
        SeasonFact::SeasonReset { season, number, order, at } => {
            let details = json!({ "season_id": season, "season_number": number, "order": order });
            warning(*at, "SEASON_RESET", details)
        }
        SeasonFact::Contradicted { match_id, player, played, at } => {
            let mut details = json!({ "match_id": match_id, "player_id": player });
            if let Some(Played { attempt, moves, .. }) = played {
                (details["attempt"], details["moves"]) = (json!(attempt), json!(moves));
            }
            warning(*at, "RESULT_CONTRADICTED", details)
        }
    }
}

/// What a report says that counts, or does not.
fn report(league: &League, fact: &LeagueFact) -> Value {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others are no reports")]
    let (match_id, attempt, referee, verdict, details) = match fact {
        LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, details, .. } => {
            (*match_id, Some(*attempt), referee, Some(verdict), details)
        }
        LeagueFact::ResultDisputed { match_id, attempt, referee, verdict, details, .. } => {
            (*match_id, *attempt, referee, verdict.as_ref(), details)
        }
        _ => return json!({}),
    };
    // A report that cannot be understood says nothing but who sent it.
    let Some(verdict) = verdict else {
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
