//! What a manager writes into its log: who is in, what is played, and who ordered what.

use agon_core::format::Fixture;
use agon_core::{League, LeagueFact, Manager, Order, Registration, SeasonFact};
use agon_proto::{AgentId, Contact, GameId, MatchId};
use tracing::field::{DisplayValue, display};
use tracing::{info, warn};

/// The season in the log, one line for each fact.
pub(super) fn log(role: &Manager, fact: &LeagueFact) {
    let league = role.league().settings().league_id.as_str();
    // What letters call a match, where there are any.
    let game = |match_id| role.league().game_id(match_id).map(display);
    match fact {
        LeagueFact::Opened { .. } => info!(league, "league opened"),
        LeagueFact::Registered(it) => log_registration(league, it),
        LeagueFact::Invited { .. }
        | LeagueFact::InvitationRevoked { .. }
        | LeagueFact::Approved { .. }
        | LeagueFact::Removed { .. } => log_admission(league, fact),
        LeagueFact::SeasonStarted { lineup, order, .. } => {
            let (by, reason) = signature(order.as_ref(), "enough are in");
            info!(league, players = lineup.players(), by, reason, "season started");
        }
        LeagueFact::RoundAnnounced { round, .. } => info!(league, round, "round announced"),
        LeagueFact::MatchReassigned { match_id, attempt, referee, cause, .. } => {
            let (round, cause) = (match_id.round, cause.as_str());
            info!(league, round, %match_id, attempt, %referee, cause, "reassigned");
        }
        LeagueFact::ResultAccepted { .. } => log_result(role, fact),
        LeagueFact::ResultDisputed { match_id, referee, contradiction, .. } => {
            let (round, contradiction) = (match_id.round, contradiction.as_deref());
            let game = game(*match_id);
            warn!(league, round, %match_id, game, %referee, contradiction, "result disputed");
        }
        LeagueFact::MessagesKept { .. } => {}
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
        LeagueFact::Season(fact) => log_letters(role.league(), &game, fact),
    }
}

/// A result, with who played and who won.
fn log_result(role: &Manager, fact: &LeagueFact) {
    let LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, unverified, .. } = fact
    else {
        return;
    };
    let league = role.league().settings().league_id.as_str();
    let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
    let (round, verified) = (match_id.round, !unverified);
    let game = role.league().game_id(*match_id).map(display);
    let fixture = role.league().season().fixture(*match_id);
    let players = fixture.map(|Fixture { a, b }| [a, b]);
    let [a, b] = players.map_or([None; 2], |players| players.map(Some));
    let winner = players.zip(verdict.winner()).map(|(players, seat)| players[seat.index()]);
    let (a, b) = (a.map(display), b.map(display));
    let winner = winner.map_or_else(|| "nobody".to_owned(), |winner| winner.to_string());
    info!(
        league, round, %match_id, game, attempt, a, b, winner, %referee, status, cause,
        verified,
        "result accepted"
    );
}

/// Who was invited, approved and taken out, and by whom.
fn log_admission(league: &str, fact: &LeagueFact) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "four of all facts are of admission")]
    match fact {
        LeagueFact::Invited { invitation, order, .. } => {
            let (by, _) = signed(order);
            let (number, role) = (invitation.number, invitation.role.as_str());
            let (uses, label) = (invitation.uses, invitation.label.as_ref().map(display));
            info!(league, number, role, uses, label, by, "invited");
        }
        LeagueFact::InvitationRevoked { number, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, number, by, reason, "invitation revoked");
        }
        LeagueFact::Approved { agent, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %agent, by, reason, "approved");
        }
        LeagueFact::Removed { agent, order, .. } => {
            let (by, reason) = signature(order.as_ref(), "nobody approved it in time");
            info!(league, %agent, by, reason, "removed");
        }
        _ => {}
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

/// What happens in a Q21 season only, and what players say against results.
fn log_letters(
    of: &League,
    game: &dyn Fn(MatchId) -> Option<DisplayValue<GameId>>,
    fact: &SeasonFact,
) {
    let league = of.settings().league_id.as_str();
    match fact {
        SeasonFact::SeasonAnnounced { season, .. } => info!(league, %season, "season announced"),
        SeasonFact::TurnedAway { address, .. } => info!(league, %address, "turned away"),
        SeasonFact::Introduced { address, .. } => info!(league, %address, "introduced"),
        SeasonFact::Acknowledged { address, received, .. } => {
            let games = of.games_of(address);
            if usize::try_from(*received).is_ok_and(|received| received < games) {
                let why = "it does not see all its games in the table";
                warn!(league, %address, received, games, "{why}");
            } else {
                info!(league, %address, received, "table acknowledged");
            }
        }
        SeasonFact::CheckInOpened { round, .. } => info!(league, round, "check-in opened"),
        SeasonFact::CheckedIn { round, address, .. } => {
            info!(league, round, %address, "checked in")
        }
        SeasonFact::Evidence { match_id, player, .. } => {
            let (round, game) = (match_id.round, game(*match_id));
            info!(league, round, %match_id, game, %player, "player's report kept");
        }
        SeasonFact::SeasonReset { season, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %season, by, reason, "season reset");
        }
        SeasonFact::Contradicted { match_id, player, played: Some(played), .. } => {
            let (round, attempt, game) = (match_id.round, played.attempt, game(*match_id));
            let referee = of.season().result(*match_id).map(|it| display(it.referee));
            warn!(league, round, %match_id, attempt, game, %player, referee, "moves disputed");
        }
        SeasonFact::Contradicted { match_id, player, played: None, .. } => {
            let (round, game) = (match_id.round, game(*match_id));
            info!(league, round, %match_id, game, %player, "result contradicted");
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
