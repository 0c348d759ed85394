//! An agent's door: what comes by call and by letter, each answered once; and what came too early,
//! for mails overtake each other, and so do calls.
//!
//! A letter of a round that has not begun, of a game that is in no table yet, or whose sender can
//! only be proved once we are registered, is kept and looked at again when that changes. It counts
//! as dealt with only then. A call waits for its answer meanwhile.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::tool::Lifecycle;
use agon_proto::{Answer, Call, Envelope, Letter, Timestamp, WrittenLetter};

use super::{AgentFact, Member, Out};
use crate::Refusal;
use crate::effect::{GOT_IT, Garbled, Proof, RequestId};
use crate::gate::{self, Admitted, Arrival, Doubt};
use crate::letterbox::LetterboxFact;

/// So many letters are kept at most: more do not overtake each other in a season that is honest.
pub(crate) const KEPT_MAX: usize = 16;

/// So many calls wait for our admission; it is the answer to one call, so few can come.
const EARLY_MAX: usize = 64;

/// A letter that came too early, in our words, and what vouches for its sender.
pub(super) type EarlyLetter = (Proof, Box<WrittenLetter>);

/// A call that came too early.
pub(super) type EarlyCall = (RequestId, Box<Envelope>);

/// Somebody calls.
pub(crate) fn called<M: Member>(role: &mut M, request: RequestId, call: Call, out: &mut Out<M>) {
    match call {
        _ if role.agent().speaks_by_letter() => out.refuse(request, M::NO_CALLS),
        Call::Message(letter) => role.route(request, letter, out),
        Call::Tool(tool, params) => {
            out.settle(request, role.read(tool, &params).map(Answer::Tool));
        }
        Call::Letter(_) => out.refuse(request, gate::NO_LETTERS),
    }
}

/// What the gate lets in. Any other call is kept until we are let in ourselves, or refused.
#[inline]
pub(crate) fn admitted<M: Member>(
    role: &mut M,
    request: RequestId,
    letter: Box<Envelope>,
    out: &mut Out<M>,
) -> Option<Admitted> {
    let me = role.agent_mut();
    match gate::at_agent(me, letter) {
        Ok(admitted) => return Some(admitted),
        Err((_, letter))
            if me.lifecycle() == Lifecycle::Registering && me.early.len() < EARLY_MAX =>
        {
            me.early.push((request, letter));
        }
        Err((refusal, letter)) => {
            me.unproved(&letter, out.now);
            out.refuse(request, refusal);
        }
    }
    None
}

/// A letter came that nobody can make sense of.
pub(crate) fn garbled<M: Member>(
    role: &mut M,
    request: RequestId,
    (proof, garbled): (&Proof, &Garbled),
    arrived: Timestamp,
    out: &mut Out<M>,
) {
    let refusal = match role.agent().speaks_by_letter() {
        true => role.misread(proof, garbled, arrived, out).err(),
        false => Some(gate::NO_LETTERS),
    };
    let unreadable = Refusal::BadValue("the letter cannot be read");
    out.refuse(request, refusal.unwrap_or(unreadable));
}

/// A letter came.
pub(crate) fn posted<M: Member>(
    role: &mut M,
    request: RequestId,
    (proof, letter): (Proof, Box<Letter>),
    arrived: Timestamp,
    out: &mut Out<M>,
) {
    if !role.agent().speaks_by_letter() {
        return out.refuse(request, gate::NO_LETTERS);
    }
    let came = Arrival { proof: &proof, letter: &letter, at: arrived };
    let answer = match consider(role, came, out) {
        Ok(()) => Ok(()),
        Err(Doubt::Never(refusal)) => Err(refusal),
        Err(Doubt::Early(refusal)) => keep(role, (proof, letter.written().into()), refusal, out),
    };
    out.settle(request, answer.map(|()| GOT_IT));
}

/// Judges a letter and does what it asks for, once.
fn consider<M: Member>(role: &mut M, came: Arrival, out: &mut Out<M>) -> Result<(), Doubt> {
    let ((from, author), id) = (role.admit(came)?, came.letter.head.id.clone());
    if !id.is_empty() && role.agent().letterbox.knows(&from, &id) {
        return Ok(());
    }
    role.hear(&author, came, out).map_err(Doubt::Never)?;
    if !id.is_empty() {
        role.note(LetterboxFact::Handled { from, id }, out);
    }
    Ok(())
}

/// Keeps a letter, or says why not.
fn keep<M: Member>(
    role: &mut M,
    early: EarlyLetter,
    refusal: Refusal,
    out: &mut Out<M>,
) -> Result<(), Refusal> {
    let kept = &role.agent().kept;
    if kept.contains(&early) {
        return Ok(());
    }
    if kept.len() >= KEPT_MAX {
        return Err(refusal);
    }
    let (proof, letter) = early;
    role.note(AgentFact::Kept { from: proof.voucher(), letter }, out);
    Ok(())
}

/// Looks again at everything that came too early. What is refused now was never good.
pub(crate) fn reconsider<M: Member>(role: &mut M, out: &mut Out<M>) {
    if role.agent().kept.is_empty() {
        return;
    }
    let kept = role.agent().kept.clone();
    role.note(AgentFact::Reconsidered, out);
    for (proof, letter) in kept {
        let Some(read) = letter.read() else { continue };
        let came = Arrival { proof: &proof, letter: &read, at: out.now };
        if let Err(Doubt::Early(_)) = consider(role, came, out) {
            role.note(AgentFact::Kept { from: proof.voucher(), letter }, out);
        }
    }
}
