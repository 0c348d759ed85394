//! Getting in by letters: when a season opens, or at once where we are called; and the answer.
//!
//! Whoever is in stays in, whatever comes late. One thing ends that: the season has begun without
//! us, because the other half of our team did not come.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::{LeagueId, Letter, MessageId, Role, SeasonId, Timestamp};

use super::{
    Agent, AgentFact, Correspondent, Credentials, Joins, Membership, early, season_of, short_hash,
    tell_manager, to_manager,
};
use crate::Machine;
use crate::effect::{Effect, Effects, Ending};
use crate::gate::{Proved, TheManager};
use agon_proto::act::{Act, Applying, Decided, Denial, LeagueRegistration, StartSeason};

type Out<M> = Effects<<M as Machine>::Fact>;

/// Begins, or begins again: who is called asks by itself, and who was rejected tries again, since
/// somebody has started it again.
pub(crate) fn resume<M: Correspondent>(role: &mut M, now: Timestamp, out: &mut Out<M>) {
    let agent = role.agent();
    let asks = |letter: &Letter| matches!(letter.act, Act::Apply(_));
    let is_asking = agent.letterbox.waiting().any(|parcel| asks(&parcel.letter));
    let introduces =
        agent.profile.joins == Joins::Introducing && !agent.introduced && agent.season.id.is_none();
    if agent.profile.is_called() && !agent.is_in() && !is_asking {
        register(role, None, now, out);
    }
    if introduces {
        introduce(role, now, out);
    }
}

/// A season is open: we ask to be let in. By mail a player answers every invitation, with the very
/// same request; by call we ask by ourselves, so once is enough.
pub(super) fn season_opened<M: Correspondent>(
    role: &mut M,
    said: &StartSeason,
    letter: &Letter,
    now: Timestamp,
    out: &mut Out<M>,
) {
    if role.agent().season.is_another(&said.season) {
        role.stop(now, out);
    }
    let (season, league) = (said.season.clone(), letter.head.context.league.clone());
    let known = &role.agent().season;
    if known.id.as_ref() != Some(&season) || (league.is_some() && known.league != league) {
        role.note(AgentFact::SeasonOpened { season, league }, out);
    }
    let Agent { profile, season, .. } = role.agent();
    let has_asked = match (profile.is_called(), profile.role()) {
        (true, _) => matches!(season.membership, Membership::Applying | Membership::In),
        (false, Role::Referee) => season.membership == Membership::In,
        (false, Role::Player | Role::Manager) => false,
    };
    if !has_asked {
        register(role, Some(letter), now, out);
    }
}

/// Asks to be let in. The id of a request by call cannot be guessed: it proves the answer.
pub(super) fn register<M: Correspondent>(
    role: &mut M,
    invitation: Option<&Letter>,
    now: Timestamp,
    out: &mut Out<M>,
) {
    let agent = role.agent();
    let season = agent.season.id.clone();
    // What the operator gave us is shown in calls only, and so it is not written down.
    let application = Applying { code: None, ..agent.profile.application(season.clone()) };
    let body = Act::Apply(Box::new(application));
    let id = request_id(agent, invitation);
    let mut request = to_manager(role, id, body, invitation, now);
    // What it answers is about a season that may be over.
    request.head.context.season = season;
    tell_manager(role, request, out);
}

/// Asks to be told of seasons: a manager that does not expect us has not invited us.
fn introduce<M: Correspondent>(role: &mut M, now: Timestamp, out: &mut Out<M>) {
    let Agent { profile, address, .. } = role.agent();
    let id = MessageId::new(&format!("lreg-{address}"));
    let body = Act::LeagueRegistration(LeagueRegistration {
        role: profile.role(),
        group: Some(profile.group.clone()),
        name: Some(profile.name.clone()),
        contact: Some(address.clone()),
    });
    let letter = to_manager(role, id, body, None, now);
    tell_manager(role, letter, out);
}

/// The manager has decided about us.
pub(super) fn answered<M: Correspondent>(
    role: &mut M,
    _: &Proved<TheManager>,
    (said, letter): (&Decided, &Letter),
    now: Timestamp,
    out: &mut Out<M>,
) {
    let agent = role.agent();
    let is_called = agent.profile.is_called();
    let league = letter.head.context.league.clone();
    let given = said.token.clone().filter(|_| is_called).map(|token| Credentials {
        agent: None,
        league: league
            .clone()
            .or_else(|| agent.season.league.clone())
            .unwrap_or_else(|| LeagueId::new("")),
        token,
        signed_calls: true,
        heartbeat_ms: None,
    });
    let is_provable = !is_called || given.is_some() || agent.credentials().is_some();
    let accepted = matches!(said.denial, None | Some(Denial::AlreadyIn));
    if accepted && is_provable {
        let season = season_of(letter).cloned();
        role.note(AgentFact::Admitted { season, league, given }, out);
        return early::reconsider(role, now, out);
    }
    let is_left_out = said.denial == Some(Denial::TeamIncomplete) && !role.takes_part();
    if role.agent().is_in() && !is_left_out {
        return;
    }
    let reason: Box<str> = match &said.denial {
        None => "admitted, but without a token".into(),
        Some(denial) => {
            let word = Some(denial.word()).filter(|word| !word.is_empty());
            let told = word.or_else(|| said.text.clone());
            told.unwrap_or_else(|| "rejected without a reason".into())
        }
    };
    role.note(AgentFact::Rejected { reason: reason.clone() }, out);
    // By mail there will be another season; by call somebody waits for this one.
    if is_called {
        out.push(Effect::Finish(Ending::NotAdmitted(reason)));
    }
}

/// What our request is known by. After a reset we know of no season yet, and the request must be
/// another one than before.
fn request_id(agent: &Agent, invitation: Option<&Letter>) -> MessageId {
    let Agent { address, profile, season, .. } = agent;
    let nonce = profile.nonce;
    let invited = invitation.map(|letter| letter.head.id.as_str());
    MessageId::new(&match profile.role() {
        Role::Referee => match (invited.map(|id| short_hash(&[id])), profile.is_called()) {
            (Some(invited), true) => format!("sreg-{nonce:016x}-{invited}-{address}"),
            (Some(invited), false) => format!("sreg-{invited}-{address}"),
            (None, _) => format!("sreg-{nonce:016x}-{address}"),
        },
        Role::Player | Role::Manager => {
            let named = season.id.as_ref().map(SeasonId::as_str).or(invited).unwrap_or("open");
            match profile.is_called() {
                true => format!("sreg-{address}-{named}-{nonce:016x}"),
                false => format!("sreg-{address}-{named}"),
            }
        }
    })
}
