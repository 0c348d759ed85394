//! What a role wants done, read by tests: as lines, and one by one.

use agon_proto::{Answer, Envelope, MessageType};

use crate::{Effect, Tag};

/// News whose outcome somebody waits for.
pub(crate) fn news(effect: &Effect) -> Vec<Tag> {
    let mut tags: Vec<Tag> = match effect {
        Effect::Send(sent) => vec![sent.tag],
        Effect::Broadcast(news) => news.recipients.iter().map(|one| one.tag).collect(),
        Effect::Reply { .. }
        | Effect::Refuse { .. }
        | Effect::Fetch { .. }
        | Effect::ListAgents { .. }
        | Effect::Archive { .. }
        | Effect::Keep { .. }
        | Effect::Draw { .. }
        | Effect::Think(_)
        | Effect::SendLetter(_)
        | Effect::BoundCalls { .. }
        | Effect::Heard(_)
        | Effect::Probe { .. }
        | Effect::Alert(_)
        | Effect::Finish(_) => Vec::new(),
    };
    tags.retain(|tag| tag.is_news() && *tag != Tag::Notice);
    tags
}

/// Every effect in a line, so that a script can be compared with what it led to.
pub(crate) fn lines(effects: &[Effect]) -> Vec<String> {
    effects.iter().map(line).collect()
}

fn line(effect: &Effect) -> String {
    let kind = MessageType::name_of;
    match effect {
        Effect::Send(sent) => format!("{} to {}", kind(&sent.letter.act), sent.to),
        Effect::Broadcast(news) => {
            let to: Vec<_> = news.recipients.iter().map(|one| one.to.as_str()).collect();
            format!("{} to {}", kind(&news.act), to.join(" "))
        }
        Effect::Reply { request, answer } => {
            let said = match answer {
                Answer::Message(letter) => kind(&letter.act).to_owned(),
                Answer::Receipt(receipt) => format!("{:?}", receipt.status),
                Answer::Tool(_) => "a tool's answer".to_owned(),
                Answer::Fault(fault) => format!("fault {}", fault.code),
            };
            format!("reply {}: {said}", request.0)
        }
        Effect::Refuse { request, refusal } => {
            format!("refuse {}: {}", request.0, refusal.code().name())
        }
        Effect::Fetch { request, state, .. } => format!("fetch {}: {}", request.0, state.match_id),
        Effect::ListAgents { request, list, .. } => {
            format!("list {}: {}", request.0, list.agents.len())
        }
        Effect::Archive { match_id, .. } => format!("archive {match_id}"),
        Effect::Keep { referee, piece, .. } => format!("keep {piece} of {referee}"),
        Effect::Draw { match_id, min, max, .. } => format!("draw {match_id} {min}-{max}"),
        Effect::Think(asked) => format!("think {}: {}", asked.match_id, asked.kind),
        Effect::SendLetter(parcel) => {
            let to: Vec<_> = parcel.to.iter().map(|one| one.as_str()).collect();
            format!("{} to {}", parcel.letter.kind.name(), to.join(" "))
        }
        Effect::Probe { agent, endpoint } => format!("probe {agent} at {endpoint}"),
        Effect::BoundCalls { endpoint, public_only } => {
            format!("calls to {endpoint} in public only: {public_only}")
        }
        Effect::Heard(peer) => format!("heard {peer}"),
        Effect::Alert(alert) => format!("alert: {alert:?}"),
        Effect::Finish(ending) => format!("finish: {ending:?}"),
    }
}

#[track_caller]
pub(crate) fn check(effects: &[Effect], expected: &[&str]) {
    assert_eq!(lines(effects), expected);
}

/// The letters of one kind among the effects, with where they go.
pub(crate) fn sent(effects: &[Effect]) -> impl Iterator<Item = (&str, &Envelope)> {
    effects.iter().filter_map(|effect| {
        if let Effect::Send(outgoing) = effect {
            Some((outgoing.to.as_str(), &*outgoing.letter))
        } else {
            None
        }
    })
}

/// The refusal that is the only effect.
#[track_caller]
pub(crate) fn refusal(effects: &[Effect]) -> &crate::Refusal {
    match effects {
        [Effect::Refuse { refusal, .. }] => refusal,
        other => panic!("expected one refusal, got {:?}", lines(other)),
    }
}

/// The answer among the effects; there is exactly one.
#[track_caller]
pub(crate) fn answer(effects: &[Effect]) -> &Answer {
    let mut answers = effects.iter().filter_map(|effect| {
        if let Effect::Reply { answer, .. } = effect { Some(answer) } else { None }
    });
    let first = answers.next().expect("an answer");
    assert!(answers.next().is_none(), "{:?}", lines(effects));
    first
}
