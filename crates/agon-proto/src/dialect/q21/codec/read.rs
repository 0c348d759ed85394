//! From JSON and subject to a letter.

mod game;
mod league;
mod report;
mod standings;

use crate::MessageId;
use serde_json::Value;

use super::fields::Fields;
use super::kinds::kind_of;
use super::page::Page;
use super::subject::Subject;
use super::unreadable::Unreadable;
use crate::dialect::q21::{Body, Context, Kind, Letter, Origin, Role, Verdict};

/// Reads a letter. What the JSON says goes before what the subject says.
pub(super) fn letter(
    page: &Page<'_>,
    subject: &Subject,
    header_id: Option<&str>,
) -> Result<Letter, Unreadable> {
    let name = name(page, subject).ok_or(Unreadable::NoType)?;
    let ids = [page.message_id(), subject.transaction.as_deref().map(MessageId::new)];
    let header = header_id.map(MessageId::new);
    let mut ids = ids.into_iter().flatten().chain(header).filter(|id| !id.is_empty());
    let id = ids.next().ok_or(Unreadable::NoId)?;
    let from = Origin {
        address: page.sender_address().or_else(|| subject.address()),
        role: page.sender_role().or(subject.role),
        logical_id: page.sender_id(),
    };
    let context = page.context(subject);
    let kind = kind(page, subject, &name);
    let reading = Reading { kind, name: &name, payload: page.payload, from: &from, context };
    let body = reading.body()?;
    let mut letter = Letter {
        id,
        // A letter that does not say when it was written counts as written before any other.
        sent_at: page.top.time(&["timestamp"]).unwrap_or_default(),
        recipient: page.recipient(),
        answers: page.correlation_id(),
        context: reading.context,
        auth_token: page.auth_token(),
        from,
        body,
    };
    letter.context = super::whole_context(&letter);
    Ok(letter)
}

/// The name of the message: that of the envelope, of the subject, or of the payload.
pub(super) fn name(page: &Page<'_>, subject: &Subject) -> Option<String> {
    let within = || page.payload.word(&["message_type"]);
    page.top.word(&["message_type"]).or_else(|| subject.name()).or_else(within)
}

/// What a letter of that name says. Two reports share a name: the sender's role tells them apart,
/// else what the payload looks like, else the role in the subject.
pub(super) fn kind(page: &Page<'_>, subject: &Subject, name: &str) -> Kind {
    let kind = kind_of(name).unwrap_or(Kind::Other);
    if kind != Kind::ResultReport {
        return kind;
    }
    let by_payload = || page.payload.value(&["reporter"]).map(|_| Role::Player);
    match page.sender_role().or_else(by_payload).or(subject.role) {
        Some(Role::Player) => Kind::StatusReport,
        Some(Role::Referee | Role::Manager) | None => Kind::ResultReport,
    }
}

/// A body that is being read.
struct Reading<'a> {
    kind: Kind,
    /// The name under which it came.
    name: &'a str,
    payload: Fields<'a>,
    from: &'a Origin,
    context: Context,
}

impl<'a> Reading<'a> {
    fn body(&self) -> Result<Body, Unreadable> {
        Ok(match self.kind {
            Kind::StartSeason => Body::StartSeason(self.start_season()),
            Kind::RegistrationRequest => Body::RegistrationRequest(self.registration()),
            Kind::RegistrationAnswer => Body::RegistrationAnswer(self.registration_answer()?),
            Kind::AssignmentTable => Body::AssignmentTable(self.table()?),
            Kind::RefereeAck => Body::RefereeAck(self.table_ack()),
            Kind::PlayerAck => Body::PlayerAck(self.table_ack()),
            Kind::TableRequest => Body::TableRequest(self.table_request()),
            Kind::TableAnswer => Body::TableAnswer(self.table()?),
            Kind::NewRound => Body::NewRound(self.new_round()?),
            Kind::EndRound => Body::EndRound(self.end_round()),
            Kind::RoundResults => Body::RoundResults(self.round_results()?),
            Kind::LeagueCompleted => Body::LeagueCompleted(self.completed()?),
            Kind::ResultReport => Body::ResultReport(self.result()?),
            Kind::StatusReport => Body::StatusReport(self.status_report()?),
            Kind::KeepAlive => Body::KeepAlive(self.keep_alive()),
            Kind::Pause => Body::Pause(self.halt()),
            Kind::Continue => Body::Continue(self.halt()),
            Kind::Reset => Body::Reset(self.halt()),
            Kind::FreeText => Body::FreeText(self.free_text()),
            Kind::FreeTextAnswer => Body::FreeTextAnswer(self.free_text()),
            Kind::LeagueRegistration => Body::LeagueRegistration(self.league_registration()),
            Kind::LeagueRegistrationAnswer => {
                Body::LeagueRegistrationAnswer(self.league_registration_answer()?)
            }
            Kind::Heartbeat => Body::Heartbeat(self.free_text()),
            Kind::ConnectivityCall => Body::ConnectivityCall(self.connectivity()),
            Kind::ConnectivityEcho => Body::ConnectivityEcho(self.connectivity()),
            Kind::Extension => Body::Extension(self.extension()),
            Kind::ExtensionDecision => Body::ExtensionDecision(self.extension_decision()?),
            Kind::Rejection => Body::Rejection(self.rejection()),
            Kind::AlreadyRejected => Body::AlreadyRejected(self.rejection()),
            Kind::ForceMajeure => Body::ForceMajeure(self.force_majeure()),
            Kind::ForceMajeureDecision => Body::ForceMajeureDecision(self.majeure_decision()?),
            Kind::Problem => Body::Problem(self.problem()),
            Kind::WarmupCall => Body::WarmupCall(self.warmup_call()?),
            Kind::WarmupResponse => Body::WarmupResponse(self.warmup_response()?),
            Kind::RoundStart => Body::RoundStart(self.round_start()?),
            Kind::QuestionsBatch => Body::QuestionsBatch(self.questions()?),
            Kind::AnswersBatch => Body::AnswersBatch(self.answers()?),
            Kind::GuessSubmission => Body::GuessSubmission(self.guess()?),
            Kind::ScoreFeedback => Body::ScoreFeedback(self.score()?),
            Kind::State(task) => Body::State(task, self.state()),
            Kind::Other => Body::Other(self.name.into()),
        })
    }

    fn bad(&self, field: &str, needs: &'static str) -> Unreadable {
        Unreadable::BadField { message: self.kind, field: field.into(), needs }
    }

    /// A list that is there, within its bound.
    fn bounded(
        &self,
        list: &'a [Value],
        field: &'static str,
        max: usize,
    ) -> Result<&'a [Value], Unreadable> {
        if list.len() > max {
            return Err(Unreadable::TooMany { message: self.kind, field, max });
        }
        Ok(list)
    }

    /// Yes or no, in all the words for it.
    fn verdict(&self, names: &'static [&'static str]) -> Result<Verdict, Unreadable> {
        let word = self.payload.word(names).unwrap_or_default();
        match word.to_ascii_uppercase().as_str() {
            "ACCEPTED" | "REGISTERED" | "OK" | "APPROVED" | "SUCCESS" => Ok(Verdict::Accepted),
            "REJECTED" | "DENIED" | "REFUSED" | "FAILED" | "ERROR" => Ok(Verdict::Rejected),
            _ => Err(self.bad(names[0], "`accepted` or `rejected`")),
        }
    }
}
