//! Getting in: by a call, and by letters when a season opens or, where we are called, at once.
//!
//! Every try of one call is the same conversation, so a repeat gets the same token. Which one is
//! written down before it is asked: a process that dies before it has the answer repeats it. With
//! an old token in hand the agent shows it and keeps its id.
//!
//! Whoever is in stays in, whatever comes late. By letters one thing ends that: the season has
//! begun without us, because the other half of our team did not come.
//!
//! Spec: docs/protocol/registration.md docs/protocol/q21.md

use agon_proto::act::{Act, ActKind, Applying, Decided, Denial, LeagueRegistration, StartSeason};
use agon_proto::tool::Lifecycle;
use agon_proto::{Answer, ErrorCode, LeagueId, Letter, MessageId, Role, SeasonId};

use super::{
    Agent, AgentFact, Credentials, Joins, Member, Membership, Out, reconsider, season_of,
    short_hash, tell_manager, to_manager,
};
use crate::effect::{Alert, Effect, Ending, Handling};
use crate::gate::{Proved, TheManager};

/// Begins, or begins again. By call we ask, with the old token if there is one. By letters who is
/// called asks by itself, and who was rejected tries again, since somebody has started it again.
pub(crate) fn resume<M: Member>(role: &mut M, out: &mut Out<M>) {
    let agent = role.agent();
    if !agent.speaks_by_letter() {
        return ask(role, out);
    }
    let is_asking = agent.letterbox.waiting().any(|it| it.letter.kind == ActKind::Apply);
    let introduces =
        agent.profile.joins == Joins::Introducing && !agent.introduced && agent.season.id.is_none();
    if agent.profile.is_called() && !agent.is_in() {
        if !is_asking {
            register(role, None, out);
        }
        role.agent_mut().asking.unanswered = Some([out.now; 2]);
    }
    if introduces {
        introduce(role, out);
    }
}

/// Asks once more by call, if that is due. Nobody waits for a manager for ever, or in silence.
pub(crate) fn ask_again<M: Member>(role: &mut M, out: &mut Out<M>) {
    role.agent_mut().wait_on(out);
    role.agent_mut().ask_about_reach(out);
    if role.agent().asking.again_at.is_some_and(|again_at| again_at <= out.now) {
        ask(role, out);
    }
}

/// Asks by call to be let in; what is asked is written down first.
fn ask<M: Member>(role: &mut M, out: &mut Out<M>) {
    let Agent { asking, profile, .. } = role.agent();
    if asking.number.is_none() {
        let nonce = profile.nonce.wrapping_add(asking.asked);
        role.note(AgentFact::Asked { nonce }, out);
    }
    let request = role.agent_mut().request(out.now);
    out.push(request);
}

/// An answer to our call came. If it lets us in, whoever waited for that is heard.
pub(crate) fn answered<M: Member>(role: &mut M, answer: &Answer, out: &mut Out<M>) {
    // It is no answer to our request, or it came twice.
    if role.agent().lifecycle() != Lifecycle::Registering {
        return;
    }
    role.agent_mut().asking.unanswered = None;
    // So many ask at once that we have to come again.
    if matches!(objection(answer), Some((_, true))) {
        return role.agent_mut().try_later(out.now);
    }
    let given = match read(answer) {
        Ok(given) => given,
        Err(why) => return role.agent_mut().give_up(why, out),
    };
    let mut season = None;
    if let Some(Act::Decide(said)) = message_of(answer) {
        season = said.season.clone();
        say_terms(said, out);
    }
    // Only after another time is there anything of ours under way by now.
    if let Some(Act::Decide(said)) = message_of(answer) {
        role.agent_mut().reach.expect(said.probe_ms, out.now);
    }
    let asking = &mut role.agent_mut().asking;
    asking.granted_at = Some(out.now).filter(|_| !asking.rejoins.is_empty());
    let known = role.agent();
    if known.credentials().is_some() && known.season.id != season {
        // What we know is of another season: matches of this one are called the same.
        role.note(AgentFact::Reset, out);
    }
    let league = Some(given.league.clone());
    role.note(AgentFact::Admitted { season, league, given: Some(given) }, out);
    role.let_in(out);
    for (request, letter) in std::mem::take(&mut role.agent_mut().early) {
        role.route(request, letter, out);
    }
}

/// We are in, but wait for the operator's word, or are called otherwise than we said.
fn say_terms<F>(said: &Decided, out: &mut Handling<F>) {
    let waits = said.pending.then_some(Alert::Pending);
    let called = said.name.clone().map(|name| Alert::Called { name });
    out.effects.extend(waits.into_iter().chain(called).map(Effect::Alert));
}

fn message_of(answer: &Answer) -> Option<&Act> {
    if let Answer::Message(letter) = answer { Some(&letter.act) } else { None }
}

/// What the manager objects to, in whichever words it says so, and whether only for now.
pub(crate) fn objection(answer: &Answer) -> Option<(ErrorCode, bool)> {
    match answer {
        Answer::Message(letter) => {
            let Act::LeagueError(error) = &letter.act else { return None };
            Some((error.error_code, error.retryable))
        }
        Answer::Fault(fault) => fault.league_code.map(|code| (code, code.is_retryable())),
        Answer::Receipt(_) | Answer::Tool(_) => None,
    }
}

/// Whether the manager says that our token is not ours.
pub(crate) fn denies_token(answer: &Answer) -> bool {
    objection(answer).is_some_and(|(code, _)| code == ErrorCode::AuthTokenInvalid)
}

/// What an answer to our call gives us, or why it lets us in nowhere.
fn read(answer: &Answer) -> Result<Credentials, Box<str>> {
    let refused =
        |said: &str| Err(if said.is_empty() { "rejected without a reason" } else { said }.into());
    let no_answer = "the manager's answer is no answer to a registration";
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) => return refused(&fault.message),
        Answer::Receipt(_) | Answer::Tool(_) => return refused(no_answer),
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "two acts answer here")]
    let said = match &letter.act {
        Act::Decide(said) => said,
        Act::LeagueError(error) => {
            let problem = error.problem.as_ref().unwrap_or(&error.error_description);
            return refused(&format!("{}: {problem}", error.error_code));
        }
        _ => return refused(no_answer),
    };
    if said.denial.is_some() {
        return refused(said.text.as_deref().unwrap_or_default());
    }
    let (Some(agent), Some(token)) = (said.agent, said.token.clone()) else {
        return refused("admitted, but without an id or a token");
    };
    Ok(Credentials {
        agent: Some(agent),
        league: said.league.clone().unwrap_or_else(|| LeagueId::new("")),
        token,
        signed_calls: said.signed_calls,
        heartbeat_ms: said.heartbeat_ms,
    })
}

/// A season is open: we ask to be let in. By mail a player answers every invitation, with the very
/// same request; by call we ask by ourselves, so once is enough.
pub(super) fn season_opened<M: Member>(
    role: &mut M,
    said: &StartSeason,
    letter: &Letter,
    out: &mut Out<M>,
) {
    if role.agent().season.is_another(&said.season) {
        role.stop(out);
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
        register(role, Some(letter), out);
    }
}

/// Asks by letter to be let in. The id of a request by call cannot be guessed: it proves the
/// answer.
pub(super) fn register<M: Member>(role: &mut M, invitation: Option<&Letter>, out: &mut Out<M>) {
    let agent = role.agent();
    let season = agent.season.id.clone();
    // What the operator gave us is shown in calls only, and so it is not written down.
    let application = Applying { code: None, ..agent.profile.application(season.clone()) };
    let body = Act::Apply(Box::new(application));
    let id = request_id(agent, invitation);
    let mut request = to_manager(role, id, body, invitation, out.now);
    // What it answers is about a season that may be over.
    request.head.context.season = season;
    tell_manager(role, request, out);
}

/// Asks to be told of seasons: a manager that does not expect us has not invited us.
fn introduce<M: Member>(role: &mut M, out: &mut Out<M>) {
    let Agent { profile, address, .. } = role.agent();
    let id = MessageId::new(&format!("lreg-{address}"));
    let body = Act::LeagueRegistration(LeagueRegistration {
        role: profile.role(),
        group: Some(profile.group.clone()),
        name: Some(profile.name.clone()),
        contact: Some(address.clone()),
    });
    let letter = to_manager(role, id, body, None, out.now);
    tell_manager(role, letter, out);
}

/// The manager has decided about us, in a letter.
pub(super) fn decided<M: Member>(
    role: &mut M,
    _: &Proved<TheManager>,
    (said, letter): (&Decided, &Letter),
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
        say_terms(said, out);
        role.note(AgentFact::Admitted { season, league, given }, out);
        return reconsider(role, out);
    }
    let is_left_out = said.denial == Some(Denial::TeamIncomplete) && !role.takes_part();
    if role.agent().is_in() && !is_left_out {
        return;
    }
    let reason: Box<str> = match &said.denial {
        None => "admitted, but without a token".into(),
        Some(denial) => {
            let word = Some(denial.word()).filter(|word| !word.is_empty());
            let text = said.text.clone().filter(|text| !text.trim().is_empty());
            let told = text.or(word);
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
