//! What a manager writes into its log: who is in, what is played, and who ordered what.

use agon_core::{LeagueFact, Manager, Order, Registration, SeasonFact};
use agon_proto::{AgentId, Contact};
use tracing::{info, warn};

/// The season in the log, one line for each fact.
pub(super) fn log(role: &Manager, fact: &LeagueFact) {
    let league = role.league().settings().league_id.as_str();
    match fact {
        LeagueFact::Opened { .. } => info!(league, "league opened"),
        LeagueFact::Registered(it) => log_registration(league, it),
        LeagueFact::SeasonStarted { lineup, order, .. } => {
            let (by, reason) = signature(order.as_ref(), "enough are in");
            info!(league, players = lineup.players(), by, reason, "season started");
        }
        LeagueFact::RoundAnnounced { round, .. } => info!(league, round, "round announced"),
        LeagueFact::MatchReassigned { match_id, attempt, referee, cause, .. } => {
            let (round, cause) = (match_id.round, cause.as_str());
            info!(league, round, %match_id, attempt, %referee, cause, "reassigned");
        }
        LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, unverified, .. } => {
            let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
            let (round, verified) = (match_id.round, !unverified);
            info!(
                league, round, %match_id, attempt, %referee, status, cause, verified,
                "result accepted"
            );
        }
        LeagueFact::ResultDisputed { match_id, referee, contradiction, .. } => {
            let (round, contradiction) = (match_id.round, contradiction.as_deref());
            warn!(league, round, %match_id, %referee, contradiction, "result disputed");
        }
        LeagueFact::RoundCompleted { round, .. } => info!(league, round, "round completed"),
        LeagueFact::LeagueCompleted { champion, .. } => {
            info!(league, %champion, "league completed");
        }
        LeagueFact::PlayerWithdrawn { player, order, .. } => {
            let (by, reason) = signature(order.as_ref(), "absent");
            info!(league, %player, by, reason, "player withdrawn");
        }
        LeagueFact::MatchVoided { match_id, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, round = match_id.round, %match_id, by, reason, "match voided");
        }
        LeagueFact::MatchRerun { match_id, attempt, referee, order, .. } => {
            let (by, reason) = signed(order);
            let round = match_id.round;
            info!(league, round, %match_id, attempt, %referee, by, reason, "match played again");
        }
        LeagueFact::PlayerReset { player, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %player, by, reason, "player reset");
        }
        LeagueFact::RefereeReset { referee, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %referee, by, reason, "referee reset");
        }
        LeagueFact::Paused { order, .. } => {
            let (by, reason) = signature(order.as_ref(), "");
            info!(league, by, reason, "paused");
        }
        LeagueFact::Resumed { order, .. } => {
            let (by, reason) = signature(order.as_ref(), "");
            info!(league, by, reason, "resumed");
        }
        LeagueFact::Letterbox(_) => {}
        LeagueFact::Season(fact) => log_letters(league, fact),
    }
}

/// Who is in, where it is reached, and for which team.
fn log_registration(league: &str, it: &Registration) {
    let Registration { name, capacity, .. } = it;
    let group = it.group.as_ref().map(tracing::field::display);
    let (at, address) = match &it.contact {
        Contact::Call(endpoint) => (Some(endpoint.shown()), None),
        Contact::Mail(address) => (None, Some(address.as_str())),
    };
    match it.agent {
        AgentId::Player(player) => {
            info!(league, %player, %name, endpoint = at, address, group, "player registered");
        }
        AgentId::Referee(referee) => {
            let endpoint = at;
            info!(league, %referee, %name, endpoint, address, group, capacity,
                "referee registered");
        }
    }
}

/// What happens in a Q21 season only.
fn log_letters(league: &str, fact: &SeasonFact) {
    match fact {
        SeasonFact::SeasonAnnounced { season, .. } => info!(league, %season, "season announced"),
        SeasonFact::TurnedAway { address, .. } => info!(league, %address, "turned away"),
        SeasonFact::Introduced { address, .. } => info!(league, %address, "introduced"),
        SeasonFact::Acknowledged { address, received, .. } => {
            info!(league, %address, received, "table acknowledged");
        }
        SeasonFact::CheckInOpened { round, .. } => info!(league, round, "check-in opened"),
        SeasonFact::CheckedIn { round, address, .. } => {
            info!(league, round, %address, "checked in")
        }
        SeasonFact::Evidence { match_id, player, .. } => {
            info!(league, round = match_id.round, %match_id, %player, "player's report kept");
        }
        SeasonFact::SeasonReset { season, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %season, by, reason, "season reset");
        }
        SeasonFact::Contradicted { match_id, player, .. } => {
            info!(league, round = match_id.round, %match_id, %player, "result contradicted");
        }
    }
}

/// Who ordered something and why; without an order the league did it by itself.
fn signature<'a>(order: Option<&'a Order>, why: &'a str) -> (&'a str, &'a str) {
    order.map_or(("the league", why), signed)
}

fn signed(order: &Order) -> (&str, &str) {
    (order.by.as_str(), order.reason.as_str())
}
